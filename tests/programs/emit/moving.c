/* emit: 26 */
/* Variables that every iteration moves by the same amount, and what they hold after the loop. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 300, K = 6 };

struct rating {
    int user, item;
    float value;
};

static void show(const char *name, const float *a, long n, long after) {
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum = sum * .999 + a[i];
    printf("%s %.9g after %ld\n", name, sum, after);
}

static long one_index(float *a, const float *b, int n) {
    int j = 3;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[i] = b[j] + a[i];
        j += 2;
    }
    return j;
}

/* The round goes on early, and p has moved as in every other. */
static long early(float *a, const float *b, int n, int k) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        float *p = a + (long)i * k;
        for (int j = 0; j < k; j++) {
            if (b[j] > i) {
                p++;
                continue;
            }
            *p++ += b[i];
        }
    }
    return n;
}

static long dense(float *a, const float *b, int n, int k) {
    long at = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) {
            a[at] = b[at] + i;
            at++;
        }
    return at;
}

static long dense_from(float *a, const float *b, int n, int k, int at) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < k; j++)
            a[at++] += b[j];
        at++;
    }
    return at;
}

static long walk(float *a, const float *b, int n) {
    float *start = a;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        *a++ = *b++ * 2;
    return a - start;
}

static long rows(float *a, const float *b, int n, int k) {
    const float *row = b;
#pragma orrery parallel
    for (int i = 0; i < n; i++, row += k) {
        float s = 0;
        for (int j = 0; j < k; j++)
            s += row[j];
        a[i] = s;
    }
    return row - b;
}

static long rows_in_body(float *restrict a, const float *restrict b, int n, int k, int ld) {
    float *out = a;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        const float *p = b + (long)i * k, *end = p + k;
        float *q = out;
        while (p < end)
            *q++ += *p++;
        out += ld;
    }
    return out - a;
}

static long pairs(float *y, const float *x, int n) {
    const float *start = x;
#pragma orrery parallel
    for (int i = 0; i < n; i++, x += 2)
        y[i] = x[0] * x[1];
    return x - start;
}

static long by_twos(float *y, const float *x, int n, int k) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        const float *p = x + (long)i * k;
        float s = 0;
        for (int j = 0; j < k; j += 2) {
            s += p[0] - p[1];
            p += 2;
        }
        y[i] = s;
    }
    return 0;
}

static long nested(float *a, int n, int k) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        float *p = a + (long)i * k * k;
        for (int j = 0; j < k; j++)
            for (int l = 0; l < k; l++)
                *p++ += j * l;
    }
    return 0;
}

static long backwards(float *a, const float *b, int n) {
    int j = n;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        a[i] += b[--j];
    return j;
}

static long two_steps(float *a, const float *b, int n) {
    int j = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i += 2) {
        a[i] = b[j];
        j += 3;
    }
    return j;
}

static long with_continue(float *a, const float *b, int n) {
    int j = 1;
#pragma orrery parallel
    for (int i = 0; i < n; i++, j += 3) {
        if (b[i] > .5f)
            continue;
        a[i] = b[j];
    }
    return j;
}

static long both_ways(float *a, const float *b, int n) {
    int j = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        if (b[i] > .5f) {
            a[i] = b[j];
            j += 2;
        } else {
            j++;
            a[i] = b[j];
            j++;
        }
    }
    return j;
}

static long counted_size(float *a, const float *b, size_t n) {
    size_t at = 0;
#pragma orrery parallel
    for (size_t i = 0; i < n; i++) {
        float s = 0;
        for (size_t j = 0; j < K; j++)
            s += b[at++];
        a[i] = s;
    }
    return (long)at;
}

static long moved_first(float *a, const float *b, int n) {
    int j = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        j++;
        a[j] = b[i];
        j++;
        a[j] = b[i] * 2;
    }
    return j;
}

static long moved_first_inside(float *a, const float *b, int n, int k) {
    int at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) {
            at++;
            a[at] += b[j] * (float)i;
        }
    return at;
}

static long moved_first_by(float *a, const float *b, int n, int by) {
    int k = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i += 2) {
        k += by;
        a[i] += b[N - k];
    }
    return k;
}

static long moved_first_down(float *a, const float *b, int n) {
    int j = n;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        if (b[i] > .5f) {
            j--;
            a[i] += b[j];
        } else {
            --j;
            a[i] -= b[j];
        }
    }
    return j;
}

static long factor(const struct rating *r, long n, float *w, float *h, int k) {
    const struct rating *start = r;
#pragma orrery parallel unordered grid(1, 1)
    for (; n > 0; n--, r++) {
        float *u = w + r->user * k, *v = h + r->item * k, e = r->value;
        for (int j = 0; j < k; j++)
            e -= u[j] * v[j];
        for (int j = 0; j < k; j++) {
            float t = u[j];
            u[j] += .01f * e * v[j];
            v[j] += .01f * e * t;
        }
    }
    return r - start;
}

static long factor_pointer(const struct rating *r, long n, float *w, float *h, int k) {
#pragma orrery parallel unordered grid(1, 1)
    for (const struct rating *p = r; p < r + n; p++) {
        float *u = w + p->user * k, *v = h + p->item * k;
        for (int j = 0; j < k; j++) {
            u[j] += .01f * p->value;
            v[j] -= .01f * p->value * u[j];
        }
    }
    return 0;
}

static long triples(const int *t, long n, float *w) {
    const int *start = t;
#pragma orrery parallel
    while (n-- > 0) {
        int u = *t++, k = *t++, sign = *t++;
        w[u] += (float)(k % 7) * (float)sign;
    }
    return t - start;
}

static long tail(float *a, int n) {
    int last = -1, sum = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[i] += 1;
        last = i * 2;
        sum += i;
    }
    return last + sum;
}

static long inner_pointers(float *a, const float *b, int n, int k) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        float *row = a + i * k;
        const float *p;
        for (p = b; p < b + k; p++)
            row[p - b] += *p;
        for (float *q = row; q != row + k; ++q)
            *q *= 2;
    }
    return 0;
}

static long inner_down(float *a, int n, int k) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        float *p = a + i * k;
        int left = k;
        while (left--)
            *p++ += (float)left;
    }
    return 0;
}

static float table[N][K];

static long flat_rows(int n) {
    float(*p)[K] = table;
#pragma orrery parallel
    for (int i = 0; i < n; i++, p++)
        for (int j = 0; j < K; j++)
            (*p)[j] += (float)(i + j);
    return p - table;
}

int main(void) {
    float *a = malloc(sizeof *a * (N * K * K + 9)), *b = malloc(sizeof *b * (N * K * K + 9));
    struct rating *r = malloc(sizeof *r * N * 4);
    int *t = malloc(sizeof *t * 3 * N);
    for (int i = 0; i < N * K * K + 9; i++) {
        a[i] = (float)(i * 7 % 101) / 101;
        b[i] = (float)(i * 11 % 97) / 97;
    }
    for (int i = 0; i < 4 * N; i++)
        r[i] = (struct rating){i * 13 % 50, i * 17 % 40, (float)(i % 5)};
    for (int i = 0; i < 3 * N; i++)
        t[i] = i % 3 == 2 ? i % 2 * 2 - 1 : i * 5 % 60;
    const long all = N * K * K;
    for (int pass = 0; pass < 2; pass++) {
        show("one_index", a, all, one_index(a, b, N));
        show("early", a, all, early(a, b, N, K));
        show("dense", a, all, dense(a, b, N, K));
        show("dense_from", a, all, dense_from(a, b, N, K, pass));
        show("walk", a, all, walk(a, b, N));
        show("rows", a, all, rows(a, b, N, K));
        show("rows_in_body", a, all, rows_in_body(a, b, N, K, K + pass));
        show("pairs", a, all, pairs(a, b, N));
        show("by_twos", a, all, by_twos(a, b, N, K));
        show("nested", a, all, nested(a, N, K));
        show("backwards", a, all, backwards(a, b, N));
        show("two_steps", a, all, two_steps(a, b, N));
        show("with_continue", a, all, with_continue(a, b, N));
        show("both_ways", a, all, both_ways(a, b, N));
        show("counted_size", a, all, counted_size(a, b, N));
        show("moved_first", a, all, moved_first(a, b, N));
        show("moved_first_inside", a, all, moved_first_inside(a, b, N, K));
        show("moved_first_by", a, all, moved_first_by(a, b, N, 1));
        show("moved_first_down", a, all, moved_first_down(a, b, N));
        show("factor", a, all, factor(r, 4 * N, a, b, K));
        show("factor_pointer", b, all, factor_pointer(r, 4 * N, a, b, K));
        show("triples", a, all, triples(t, N, a));
        show("tail", a, all, tail(a, N));
        show("inner_pointers", a, all, inner_pointers(a, b, N, K));
        show("inner_down", a, all, inner_down(a, N, K));
        show("flat_rows", *table, N * K, flat_rows(N));
    }
    free(a);
    free(b);
    free(r);
    free(t);
    return 0;
}
