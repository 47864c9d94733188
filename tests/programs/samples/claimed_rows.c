/*
 * Arrays cut by what their iterations claim: rows of three floats behind a member, a static array
 * with a sum, rows in falling order of which every other one is taken; what is written between.
 */
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

struct csr {
    int n;
    long *ptr;
    float (*val)[3];
};
static double w[5000];
static void a(struct csr *m, const float *g) {
#pragma orrery parallel
    for (int i = 0; i < m->n; i++)
        for (long p = m->ptr[i]; p < m->ptr[i + 1]; p++)
            for (int k = 0; k < 3; k++)
                m->val[p][k] = m->val[p][k] * .5f + g[i] * k;
}
static double b(const int *ptr, int n) {
    double s = 0;
#pragma orrery parallel
    for (int i = n - 1; i >= 0; i--) {
        double t = 0;
        for (int p = ptr[i]; p < ptr[i + 1]; p++) {
            w[p] += i;
            t += w[p];
        }
        s += t;
    }
    return s;
}
static void c(float *v, const int *start, const int *len, int n, int K) {
#pragma orrery parallel
    for (int i = 1; i < n; i += 2)
        for (int p = start[i]; p < start[i] + len[i]; p++)
            for (int k = 0; k < K; k++)
                v[p * K + k] += i + k;
}
int main(void) {
    struct csr m = {200, malloc(201 * sizeof(long)), NULL};
    m.ptr[0] = 5;
    int ip[201], *ptr = malloc(sizeof ip), *start = malloc(sizeof ip), *len = malloc(sizeof ip);
    for (int i = 0; i < 200; i++)
        m.ptr[i + 1] = m.ptr[i] + i % 5;
    for (int i = 0; i <= 200; i++)
        ptr[i] = m.ptr[i], start[i] = 3 * (199 - i), len[i] = i % 4;
    m.val = calloc(m.ptr[200] + 7, sizeof *m.val);
    float *g = malloc(200 * 4), *v = calloc(700 * 2, 4);
    for (int i = 0; i < 200; i++)
        g[i] = i;
    double s = 0;
    for (int e = 0; e < 3; e++) {
        a(&m, g);
        s += b(ptr, 200);
        c(v, start, len, 200, 2);
        if (e == 1)
            for (int i = 0; i <= 200; i++)
                m.ptr[i] -= 2;
        if (e == 0)
            v[6] += 3, w[40] += 1;
    }
    for (int p = 0; p < m.ptr[200] + 7; p++)
        for (int k = 0; k < 3; k++)
            s = s * .999 + m.val[p][k];
    for (int p = 0; p < 1400; p++)
        s = s * .999 + v[p];
    printf("%.17g\n", s);
}
