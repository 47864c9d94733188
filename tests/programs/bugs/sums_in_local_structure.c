/* same: 2 */
/* A local structure with an array that is summed into: the run did not know its size, and ended. */
#include <stdio.h>

struct s {
    int a, q[9];
};

int main(void) {
    struct s s = {3, {4, 5}}, other = {1, {2}};
    for (int round = 0; round < 2; ++round) {
        int n = 150 + round;
#pragma orrery parallel
        for (int i = 0; i < n; ++i)
            s.q[i % 9] += i;
#pragma orrery parallel
        for (int i = 0; i < n; ++i)
            other.q[i * 5 % n % 9] += i;
    }
    for (int i = 0; i < 9; ++i)
        printf("%d %d\n", s.q[i], other.q[i]);
    printf("%d %d\n", s.a, other.a);
}
