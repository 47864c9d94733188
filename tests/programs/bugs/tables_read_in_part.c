/* emit: 2 */
/* Of a table of pointers the run read the entries of all iterations, also where a condition keeps
 * the loop from them: behind its end there may be nothing. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct node {
    int value;
    double weight;
};

static void numbers(long *restrict y, const int **restrict table, const int *which, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (which[i])
            y[i] = *table[i + 1];
}

static void nodes(long *restrict y, const struct node **restrict table, int n, int there) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        y[i] = i < there && i % 3 == 1 ? table[i]->value : y[i];
}

int main(void) {
    enum { N = 200, THERE = 100, PAGE = 4096 };
    char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages + PAGE, PAGE, PROT_NONE);
    const int **table = (const int **)(pages + PAGE) - THERE;
    const struct node **of = (const struct node **)(pages + PAGE) - THERE;
    long *y = calloc(N, sizeof *y);
    int *which = calloc(N, sizeof *which), *numbered = calloc(N, sizeof *numbered);
    struct node *all = calloc(N, sizeof *all);
    for (int i = 0; i < THERE - 1; i++) {
        which[i] = i % 3 == 1;
        numbered[i] = i * 5;
        table[i + 1] = &numbered[i];
    }
    numbers(y, table, which, N);
    for (int i = 0; i < THERE; i++) {
        all[i].value = i * 7;
        of[i] = &all[i];
    }
    nodes(y, of, N, THERE);
    for (int i = 0; i < N; i++)
        printf("%ld\n", y[i]);
    return 0;
}
