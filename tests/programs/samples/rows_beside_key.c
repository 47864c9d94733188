/* The tokens of documents, cut by what the documents claim, beside the row of each one's owner. */
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { DOCS = 600, OWNERS = 37 };

static void draw(const int *doc, const int *owner, int *z, double (*total)[4]) {
#pragma orrery parallel
    for (int i = 0; i < DOCS; ++i)
        for (int t = doc[i]; t < doc[i + 1]; ++t) {
            z[t] = (z[t] * 5 + i) & 1023;
            total[owner[i]][t & 3] = total[owner[i]][t & 3] * .5 + z[t];
        }
}

static void rate(const int *doc, const int *owner, const int *item, float *w, float *h, int *seen) {
#pragma orrery parallel unordered
    for (int i = 0; i < DOCS; ++i) {
        float e = w[owner[i]] * h[item[i]];
        w[owner[i]] += .01f * e;
        h[item[i]] -= .01f * e;
        for (int t = doc[i]; t < doc[i + 1]; ++t)
            seen[t] += i + t;
    }
}

int main(void) {
    int *doc = malloc((DOCS + 1) * sizeof *doc), *owner = malloc(DOCS * sizeof *owner);
    int *item = malloc(DOCS * sizeof *item);
    float w[OWNERS], *h = malloc(OWNERS * sizeof *h), *own = malloc(OWNERS * sizeof *own);
    doc[0] = 2;
    for (int i = 0; i < DOCS; ++i) {
        doc[i + 1] = doc[i] + i % 6;
        owner[i] = i * 11 % OWNERS;
        item[i] = i * 5 % OWNERS;
    }
    for (int k = 0; k < OWNERS; ++k)
        w[k] = own[k] = h[k] = k * .03f;
    int *z = calloc(doc[DOCS] + 3, sizeof *z);
    double(*total)[4] = calloc(OWNERS, sizeof *total), sum = w[0];
    for (int pass = 0; pass < 3; ++pass) {
        draw(doc, owner, z, total);
        rate(doc, owner, item, own, h, z);
        if (pass == 1)
            for (int i = 0; i <= DOCS; ++i)
                doc[i] += 1;
    }
    for (int t = 0; t < doc[DOCS]; ++t)
        sum = sum * .999 + z[t];
    for (int k = 0; k < OWNERS; ++k)
        sum += total[k][1];
    printf("%.17g\n", sum);
    return 0;
}
