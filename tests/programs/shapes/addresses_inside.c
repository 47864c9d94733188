/* Addresses in memory of which every worker has a copy, compared with each other; and what is no address of it, kept.
 * loop: parallel reduction
 * loop: parallel reduction
 * result: same
 * ranks: refused ORR2286
 */
#include <stdio.h>

enum { N = 600, K = 16 };
struct node {
    long n;
    const char *name;
};
static struct node nodes[K];
static const char *names[N];
static long counts[K];

int main(void) {
    static int b[N];
    for (int k = 0; k < K; ++k)
        nodes[k].name = k % 2 ? "odd" : "even";
    for (int i = 0; i < N; ++i)
        b[i] = i * 7 % K;
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        for (long *p = counts; p < counts + K; ++p)
            *p += p - counts + b[i];
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        int k = 0;
        while (k < b[i])
            ++k;
        nodes[k].n += i;
        names[i] = nodes[k].name;
    }
    for (int k = 0; k < K; ++k)
        printf("%ld %ld ", counts[k], nodes[k].n);
    for (int i = 0; i < N; i += 50)
        printf("%s ", names[i]);
    puts("");
}
