/* emit: 2 */
#include <stdio.h>
#include <stdlib.h>

struct event {
    unsigned short user;
    unsigned char kind;
    unsigned flag : 3;
    double amount;
};

/* Same user, same block: the order of a user's events is kept. */
static void ledger(const struct event *e, long n, long *account) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        long *mine = &account[e[i].user];
        *mine = (*mine * 31 + e[i].kind * 7 + (e[i].flag - 4 < 0) + (long)e[i].amount) % 1000003;
    }
}

/* Ids from 1, parallel arrays, a permutation. */
static void permuted(const int *perm, const int *user, const int *value, int n, int *state) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; ++i) {
        int p = perm[i];
        int u = user[p] - 1;
        state[u] = (state[u] * 17 + value[p] + i) % 10007;
    }
}

int main(void) {
    long n = 3000, *account = calloc(100, sizeof *account), mix = 0;
    struct event *e = malloc(n * sizeof *e);
    int *perm = malloc(n * sizeof *perm), *user = malloc(n * sizeof *user);
    int *value = malloc(n * sizeof *value), *state = calloc(50, sizeof *state);
    for (long i = 0; i < n; ++i) {
        e[i] = (struct event){.user = (unsigned short)(i * 71 % 100),
                              .kind = (unsigned char)(i % 5),
                              .flag = (unsigned)(i % 8),
                              .amount = (double)(i % 13)};
        perm[i] = (int)((i * 1009 + 5) % n);
        user[i] = (int)(i * 31 % 50) + 1;
        value[i] = (int)(i % 97);
    }
    for (int pass = 0; pass < 3; ++pass) {
        ledger(e, n, account);
        permuted(perm, user, value, (int)n, state);
        e[pass].user = 7;
    }
    for (int i = 0; i < 100; ++i)
        mix = (mix * 31 + account[i] + state[i / 2]) % 1000003;
    printf("%ld\n", mix);
    free(account), free(e), free(perm), free(user), free(value), free(state);
    return 0;
}
