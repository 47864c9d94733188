/* emit: 1 */
/* A sum into a member of a union, which lies where the union does: the union stood for the number,
 * and the text did not compile. */
#include <stdio.h>

union number {
    int count;
    float value;
};

int main(void) {
    union number all = {.count = 5};
#pragma orrery parallel
    for (int i = 0; i < 1000; ++i)
        all.count += i % 7;
    printf("%d\n", all.count);
    return 0;
}
