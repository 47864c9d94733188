/* emit: 2 */
#include <stdio.h>
#include <stdlib.h>

/* The loop's variable is used for more than to find the record. */
static void stamp(const int *user, int n, int *last, int *place) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; ++i) {
        last[user[i]] = (last[user[i]] * 5 + i) % 10007;
        place[i] = i * 2;
    }
}

/* user[i] may only be read where valid[i] says so. */
static void guarded(const char *valid, const int *user, int n, long *state) {
#pragma orrery parallel unordered
    for (int i = n - 1; i >= 0; i -= 1) {
        if (valid[i])
            state[user[i]] = (state[user[i]] * 3 + i) % 10007;
    }
}

int main(void) {
    int n = 2000, *user = malloc(n * sizeof *user), *last = calloc(50, sizeof *last);
    int *place = calloc(n, sizeof *place);
    long *state = calloc(50, sizeof *state), mix = 0;
    char *valid = malloc(n);
    for (int i = 0; i < n; ++i)
        user[i] = i * 13 % 50;
    stamp(user, n, last, place);
    for (int i = 0; i < n; ++i) {
        valid[i] = i % 9 > 2;
        if (!valid[i])
            user[i] = -1000000000;
    }
    guarded(valid, user, n, state);
    for (int i = 0; i < n; ++i)
        mix = (mix * 31 + place[i] + last[i % 50] + state[i % 50]) % 1000003;
    printf("%ld\n", mix);
    free(user), free(last), free(place), free(state), free(valid);
    return 0;
}
