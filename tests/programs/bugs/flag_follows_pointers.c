/* evaluated: 4 */
/* `ok = ok && E` and its like, where E follows pointers that end with NULL, or leaves an array,
 * once the flag is settled. The last four evaluate nothing that could fault. An argument runs one
 * of them alone. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 20000 };

struct node {
    int ok, kind;
    struct node *next;
};

static struct node good = {1, 2, &good}, bad = {0, 3, &good};
static struct node *list[N];
static int numbers[N], offsets[N];
static unsigned char bytes[N];
static _Bool table[256];
static bool settled;
struct flags {
    int all;
    bool any;
} flags;

__attribute__((noinline)) static int all_of(struct node **t, int n) {
    _Bool r = 1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        r = r && t[i]->ok;
    return r;
}

__attribute__((noinline)) static int any_of(struct node **t, int n) {
    int found = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        found = found || !t[i]->ok;
    return found;
}

__attribute__((noinline)) static int in_the_middle(struct node **t, const int *x, int n) {
    int ok = 1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        ok = x[i] >= 0 && ok && t[i]->kind < 3 && x[i] < 5;
    return ok;
}

__attribute__((noinline)) static int two_steps(struct node **t, int n) {
    int ok = 1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        ok = ok && t[i]->next->next->ok;
    return ok;
}

static int is_good(const struct node *p) {
    return p->ok;
}

__attribute__((noinline)) static int by_a_call(struct node **t, int n) {
    int ok = 1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        ok = ok && is_good(t[i]);
    return ok;
}

__attribute__((noinline)) static int in_a_member(struct node **t, int n) {
    flags.all = 1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        flags.all = flags.all && t[i]->ok;
    return flags.all;
}

static void settle(struct node *p) {
    settled = settled || !p->ok;
}

__attribute__((noinline)) static int in_a_function(struct node **t, int n) {
    settled = false;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        settle(t[i]);
    return settled;
}

__attribute__((noinline)) static int behind_a_condition(struct node **t, const int *x, int n) {
    bool ok = true;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] != 7)
            ok = ok && t[i]->ok;
    return ok;
}

__attribute__((noinline)) static int outside(const int *at, int n) {
    bool ok = true;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        ok = ok && numbers[at[i]] < 5;
    return ok;
}

__attribute__((noinline)) static int read_anyway(const int *x, int n, long *sum) {
    bool ok = true;
    long s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        s += x[i];
        ok = ok && x[i] < 5;
    }
    *sum = s;
    return ok;
}

__attribute__((noinline)) static int same_structure(const struct node *x, int n) {
    bool ok = true;
    int most = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        most = x[i].kind > most ? x[i].kind : most;
        ok = ok && x[i].ok;
    }
    return ok + most;
}

__attribute__((noinline)) static int by_bytes(int n) {
    bool ok = true;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        ok = bytes[i & 1023] < 200 && ok && table[bytes[(unsigned)i % 7]] && table[i >> 8 & 15];
    return ok;
}

__attribute__((noinline)) static int of_declared(void) {
    bool any = false;
#pragma orrery parallel
    for (int i = 1; i < N; i++)
        any = any || numbers[i - 1] > numbers[i] + 2;
    return any;
}

int main(int argc, char **argv) {
    int only = argc > 1 ? atoi(argv[1]) : -1, k = 0;
    long sum = 0;
    struct node *pair = calloc(N, sizeof *pair);
    for (int i = 0; i < 9000; i++)
        list[i] = &good;
    list[5000] = &bad;
    for (int i = 0; i < N; i++) {
        numbers[i] = i % 4;
        offsets[i] = i < 9000 ? i % 100 : 1 << 30;
        bytes[i] = i % 256;
        pair[i] = (struct node){i != 77, i % 9, NULL};
    }
    numbers[3000] = 9;
    offsets[2000] = 3000;
    for (int i = 0; i < 256; i++)
        table[i] = 1;
    bad.next = &bad;
#define RUN(call)                                                                                  \
    do {                                                                                           \
        if (only < 0 || only == k)                                                                 \
            printf("%d: %d\n", k, call);                                                           \
        k++;                                                                                       \
    } while (0)
    RUN(all_of(list, N));
    RUN(any_of(list, N));
    RUN(in_the_middle(list, numbers, N));
    RUN(two_steps(list, N));
    RUN(by_a_call(list, N));
    RUN(in_a_member(list, N));
    RUN(in_a_function(list, N));
    RUN(behind_a_condition(list, numbers, N));
    RUN(outside(offsets, N));
    RUN(read_anyway(numbers, N, &sum));
    RUN(same_structure(pair, N));
    RUN(by_bytes(N));
    RUN(of_declared());
    printf("%ld\n", sum);
    return 0;
}
