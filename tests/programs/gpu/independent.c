/* plain */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct point {
    float x, y;
    short kind;
    unsigned char flag;
};

static float turned(float x, float y) {
    return x < y ? x * 2 - y : y * .5f;
}

static double bowl(const struct point *p, int deep) {
    double d = p->x * (double)p->x;
    while (deep-- > 0)
        d += p->y;
    return d;
}

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static void scale(double *y, const double *x, long n, double a) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        y[i] = a * x[i] + y[i];
}

static void mixed(struct point *p, const int *key, int n) {
#pragma orrery parallel
    for (int i = n - 1; i >= 0; i -= 3) {
        float t[3] = {1, 2.5, key[i]};
        int new = key[i] % 3;
        if (key[i] % 5 == 0)
            continue;
        switch (key[i] % 4) {
        case 0:
            p[i].x += turned(t[new], p[i].y);
            break;
        case 1:
            p[i].kind = (short)(p[i].kind + 1);
        default:
            p[i].flag ^= 3;
        }
        for (int k = 0; k < new; ++k)
            p[i].y -= sqrtf(t[k]);
    }
}

static void sums(const struct point *p, const int *key, long n) {
    long count = 0;
    int least = 1 << 30;
    unsigned char odd = 0;
    double total = 0, most = -DBL_MAX, product = 1;
    unsigned bits = 0;
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        count += key[i] > 5;
        bits |= 1u << key[i] % 32;
        odd ^= (unsigned char)key[i];
        total += key[i] % 16;
        product *= key[i] % 64 ? 1 : 2;
        if (key[i] < least)
            least = key[i];
        most = fmax(most, bowl(&p[i], 2));
    }
    printf("%ld %d %d %g %.17g %g %u\n", count, least, odd, total, most, product, bits);
}

int main(void) {
    int n = 5003;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    struct point *p = calloc(n, sizeof *p);
    int *key = malloc(n * sizeof *key);
    double check = 0;
    for (int i = 0; i < n; ++i) {
        x[i] = i * .25;
        y[i] = 1.0 / (i + 1);
        key[i] = (int)(i * 7919L % 1009);
        p[i].x = (float)(i % 97);
        p[i].y = (float)(i % 13) * .3f;
    }
    for (int pass = 0; pass < 3; ++pass) {
        scale(y, x, n, .5 + pass);
        mixed(p, key, n);
        x[pass] += 1;
        sums(p, key, n);
    }
    for (int i = 0; i < n; ++i)
        check += y[i] * (i % 7) + p[i].x + p[i].y + p[i].kind * 3 + p[i].flag;
    printf("%.17g\n", check);
    free(x), free(y), free(p), free(key);
    return 0;
}
