/* A nest of rows that another parallel loop calls: it keeps its rows, so that the loop around it is one. */
#include <stdio.h>
#include <stdlib.h>

enum { PARTS = 16, U = 60, I = 40 };

struct part {
    int ptr[U + 1], col[U * 20];
    unsigned P[U], Q[I];
};

static void step(struct part *part, int rows) {
#pragma orrery parallel
    for (int u = 0; u < rows; u++)
        for (int p = part->ptr[u]; p < part->ptr[u + 1]; p++) {
            int i = part->col[p];
            unsigned next = part->P[u] * 3 + part->Q[i];
            part->Q[i] = part->Q[i] * 5 + part->P[u];
            part->P[u] = next;
        }
}

int main(void) {
    struct part *parts = malloc(PARTS * sizeof *parts);
    for (int t = 0; t < PARTS; t++) {
        struct part *part = &parts[t];
        int n = 0;
        for (int u = 0; u < U; u++) {
            part->ptr[u] = n;
            for (int k = 0; k < (u * 7 + t) % 20; k++)
                part->col[n++] = 2 * k + u % 2;
            part->P[u] = (unsigned)(u * 31 + t);
        }
        part->ptr[U] = n;
        for (int i = 0; i < I; i++)
            part->Q[i] = (unsigned)(i * 17 + t);
    }
    for (int pass = 0; pass < 20; pass++) {
#pragma orrery parallel
        for (int t = 0; t < PARTS; t++)
            step(&parts[t], U - t);
    }
    unsigned sum = 0;
    for (int t = 0; t < PARTS; t++) {
        for (int u = 0; u < U; u++)
            sum = sum * 31 + parts[t].P[u];
        for (int i = 0; i < I; i++)
            sum = sum * 31 + parts[t].Q[i];
    }
    printf("%u\n", sum);
    free(parts);
    return 0;
}
