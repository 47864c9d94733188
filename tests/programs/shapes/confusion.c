/* Scores and a confusion matrix: predictions by row, counts at [truth][predicted] in a member of a struct.
 * loop: parallel reduction
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

#define CLASSES 4

struct report { long matrix[CLASSES][CLASSES]; long right, wrong; };
struct linear { double w[CLASSES][3]; };

static int argmax(const double *v, int n) {
    int at = 0;
    for (int i = 1; i < n; i++) if (v[i] > v[at]) at = i;
    return at;
}

static void evaluate(const struct linear *m, const double (*x)[3], const int *y, int n, struct report *out) {
    #pragma orrery parallel
    for (int i = 0; i < n; i++) {
        double s[CLASSES];
        for (int c = 0; c < CLASSES; c++) {
            s[c] = 0;
            for (int j = 0; j < 3; j++) s[c] += m->w[c][j] * x[i][j];
        }
        int p = argmax(s, CLASSES);
        out->matrix[y[i]][p]++;
        if (p == y[i]) out->right++; else out->wrong++;
    }
}

int main(void) {
    int n = 300;
    double (*x)[3] = malloc(n * sizeof *x);
    int *y = malloc(n * sizeof *y);
    struct linear m;
    struct report *r = calloc(1, sizeof *r);
    for (int c = 0; c < CLASSES; c++) for (int j = 0; j < 3; j++) m.w[c][j] = (c * 5 + j * 3) % 7 - 3;
    for (int i = 0; i < n; i++) { y[i] = i % CLASSES; for (int j = 0; j < 3; j++) x[i][j] = (i * (j + 3) % 11) - 5; }
    evaluate(&m, (const double (*)[3])x, y, n, r);
    for (int c = 0; c < CLASSES; c++) printf("%ld %ld %ld %ld\n", r->matrix[c][0], r->matrix[c][1], r->matrix[c][2], r->matrix[c][3]);
    printf("%ld %ld\n", r->right, r->wrong);
    return 0;
}
