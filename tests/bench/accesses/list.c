/* A list whose elements lie in random order in memory. */
#include <stdio.h>
#include <stdlib.h>

struct element {
    struct element *next;
    long value;
};

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    struct element *all = malloc((size_t)n * sizeof *all);
    int *order = malloc((size_t)n * sizeof *order);
    unsigned state = 1;
    long sum = 0;
    for (int i = 0; i < n; ++i)
        order[i] = i;
    for (int i = n - 1; i > 0; --i) {
        state = state * 1664525u + 1013904223u;
        int k = (int)((state >> 4) % (unsigned)(i + 1)), other = order[i];
        order[i] = order[k];
        order[k] = other;
    }
    for (int i = 0; i < n; ++i) {
        all[order[i]].value = i;
        all[order[i]].next = i + 1 < n ? &all[order[i + 1]] : NULL;
    }
    for (int pass = 0; pass < 10; ++pass)
        for (struct element *at = &all[order[0]]; at; at = at->next) {
            at->value += pass;
            sum += at->value;
        }
    printf("%ld\n", sum);
    return 0;
}
