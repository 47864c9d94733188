/* Counting co-occurrences in a window within documents: sums into any cell of a square table.
 * loop: parallel reduction
 * result: near 1e-9
 */
#include <stdio.h>
#include <stdlib.h>
enum { VOC = 20, WINDOW = 3 };
typedef struct corpus { size_t docs; const size_t *offset; const unsigned short *word; } corpus;

static void count(const corpus *c, double (*co)[VOC]) {
#pragma orrery parallel unordered
    for (size_t d = 0; d < c->docs; ++d)
        for (size_t a = c->offset[d]; a < c->offset[d + 1]; ++a)
            for (size_t b = a + 1; b < c->offset[d + 1] && b <= a + WINDOW; ++b) {
                co[c->word[a]][c->word[b]] += 1.0 / (double)(b - a);
                co[c->word[b]][c->word[a]] += 1.0 / (double)(b - a);
            }
}

int main(void) {
    size_t docs = 25, total = 0, *offset = malloc((docs + 1) * sizeof *offset);
    for (size_t d = 0; d < docs; ++d) offset[d] = total, total += 2 + d % 9;
    offset[docs] = total;
    unsigned short *word = malloc(total * sizeof *word);
    for (size_t i = 0; i < total; ++i) word[i] = (unsigned short)(i * i % VOC);
    double (*co)[VOC] = calloc(VOC, sizeof *co);
    count(&(corpus){docs, offset, word}, co);
    for (int i = 0; i < VOC; i += 4) printf("%.9f %.9f\n", co[i][(i + 5) % VOC], co[i][i]);
    return 0;
}
