/* A frozen embedding summed over each document's words into its own row, which the document points to.
 * loop: parallel independent
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

struct doc { int len; const int *words; float *vec; };

static void embed(struct doc *docs, int n, const float *table, int dim) {
    #pragma orrery parallel
    for (int d = 0; d < n; d++) {
        float *v = docs[d].vec;
        for (int k = 0; k < dim; k++)
            v[k] = 0;
        for (int i = 0; i < docs[d].len; i++)
            for (int k = 0; k < dim; k++)
                v[k] += table[docs[d].words[i] * dim + k];
        if (docs[d].len)
            for (int k = 0; k < dim; k++)
                v[k] /= docs[d].len;
    }
}

int main(void) {
    int n = 30, dim = 4;
    struct doc *docs = malloc(n * sizeof *docs);
    float *table = malloc(25 * dim * sizeof *table);
    for (int i = 0; i < 25 * dim; i++)
        table[i] = (float)(i % 13);
    for (int d = 0; d < n; d++) {
        int *w = malloc(6 * sizeof *w);
        docs[d].len = d % 7;
        for (int i = 0; i < d % 7; i++)
            w[i] = (d * 5 + i) % 25;
        docs[d].words = w;
        docs[d].vec = malloc(dim * sizeof(float));
    }
    embed(docs, n, table, dim);
    for (int d = 0; d < n; d += 7)
        printf("%.5f %.5f\n", docs[d].vec[0], docs[d].vec[3]);
    return 0;
}
