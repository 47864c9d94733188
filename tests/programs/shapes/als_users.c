/* ALS: every user's normal equations are built in scratch matrices of the body and solved by Cholesky.
 * loop: parallel independent
 * loop: parallel independent
 * result: same
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define F 4

typedef struct { int n; int *start; int *other; double *rate; } side;

static void cholesky_solve(double A[F][F], double *b) {
    for (int i = 0; i < F; i++) {
        for (int j = 0; j <= i; j++) {
            double s = A[i][j];
            for (int k = 0; k < j; k++) s -= A[i][k] * A[j][k];
            A[i][j] = i == j ? sqrt(s) : s / A[j][j];
        }
    }
    for (int i = 0; i < F; i++) {
        for (int k = 0; k < i; k++) b[i] -= A[i][k] * b[k];
        b[i] /= A[i][i];
    }
    for (int i = F - 1; i >= 0; i--) {
        for (int k = i + 1; k < F; k++) b[i] -= A[k][i] * b[k];
        b[i] /= A[i][i];
    }
}

static void half_step(const side *s, double (*mine)[F], double (*theirs)[F]) {
#pragma orrery parallel
    for (int u = 0; u < s->n; u++) {
        double A[F][F] = {{0}}, b[F] = {0};
        for (int p = s->start[u]; p < s->start[u + 1]; p++) {
            const double *v = theirs[s->other[p]];
            for (int i = 0; i < F; i++) {
                b[i] += s->rate[p] * v[i];
                for (int j = 0; j < F; j++) A[i][j] += v[i] * v[j];
            }
        }
        for (int i = 0; i < F; i++) A[i][i] += 0.1;
        cholesky_solve(A, b);
        for (int i = 0; i < F; i++) mine[u][i] = b[i];
    }
}

static double error(const side *s, double (*mine)[F], double (*theirs)[F]) {
    double sum = 0;
    double *e = calloc(s->n, sizeof *e);
#pragma orrery parallel
    for (int u = 0; u < s->n; u++)
        for (int p = s->start[u]; p < s->start[u + 1]; p++) {
            double d = s->rate[p];
            for (int i = 0; i < F; i++) d -= mine[u][i] * theirs[s->other[p]][i];
            e[u] += d * d;
        }
    for (int u = 0; u < s->n; u++) sum += e[u];
    free(e);
    return sum;
}

int main(void) {
    side a = {30, malloc(31 * sizeof(int)), malloc(180 * sizeof(int)), malloc(180 * sizeof(double))};
    side b = {18, malloc(19 * sizeof(int)), malloc(180 * sizeof(int)), malloc(180 * sizeof(double))};
    for (int u = 0, n = 0; u <= 30; u++)
        for (a.start[u] = n; u < 30 && n < (u + 1) * 6; n++) a.other[n] = (u + n % 6 * 3) % 18, a.rate[n] = 1 + (u + a.other[n]) % 5;
    int n = 0;
    for (int i = 0; i < 18; i++) {
        b.start[i] = n;
        for (int u = 0; u < 30; u++)
            for (int p = a.start[u]; p < a.start[u + 1]; p++)
                if (a.other[p] == i) b.other[n] = u, b.rate[n++] = a.rate[p];
    }
    b.start[18] = n;
    double (*U)[F] = malloc(30 * sizeof *U), (*V)[F] = malloc(18 * sizeof *V);
    for (int i = 0; i < 18; i++) for (int k = 0; k < F; k++) V[i][k] = 0.3 + 0.1 * ((i * 3 + k * 5) % 7);
    for (int it = 0; it < 3; it++) {
        half_step(&a, U, V);
        half_step(&b, V, U);
        printf("%.12f\n", error(&a, U, V));
    }
    return 0;
}
