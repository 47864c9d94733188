#ifndef WITH_HEADER_H
#define WITH_HEADER_H

struct table { double *rows; int width; };

static inline double *row_of(const struct table *t, long r) { return t->rows + r * t->width; }

static inline double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

static inline void add_scaled(double *to, const double *from, double factor, int n) {
    for (int k = 0; k < n; k++) to[k] += factor * from[k];
}

static inline void clear(double *x, long n) {
    for (long i = 0; i < n; i++) x[i] = 0;
}

#endif
