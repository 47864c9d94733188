/* emit: 26 */
/* Loops that count, however they are written. Each says what its variables hold afterwards. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 500 };

static void fill(int *a, int n, int seed) {
    for (int i = 0; i < n; i++)
        a[i] = (i * 37 + seed) % 1009;
}

static long mixed;

static void mix(const char *name, const int *a, int n, long after) {
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum = (sum * 31 + a[i]) % 1000003;
    mixed = (mixed * 7 + sum) % 1000003;
    printf("%s %ld after %ld\n", name, sum, after);
}

static long while_up(int *a, const int *b, int n) {
    int i = 0;
#pragma orrery parallel
    while (i < n) {
        a[i] = b[i] + i;
        i++;
    }
    return i;
}

static long while_entry(int *a, const int *b, int from, int n) {
#pragma orrery parallel
    while (from <= n) {
        a[from] = b[from] - from;
        from += 3;
        a[from - 3] += from;
    }
    return from;
}

static long while_down(int *a, const int *b, int n) {
#pragma orrery parallel
    while (n--)
        a[n] = b[n] * 2;
    return n;
}

static long while_down_size(int *a, const int *b, size_t n) {
#pragma orrery parallel
    while (n-- > 0)
        a[n] = b[n] * 3 + (int)n;
    return (long)n;
}

static long while_before(int *a, const int *b, int n) {
#pragma orrery parallel
    while (--n >= 0)
        a[n] ^= b[n];
    return n;
}

static long for_moving(int *a, const int *b, unsigned n) {
    unsigned i;
#pragma orrery parallel
    for (i = n; i-- > 0;)
        a[i] += b[i];
    return (int)i;
}

static long do_while(int *a, const int *b, int n) {
    int i = 0;
#pragma orrery parallel
    do {
        a[i] = b[i] + 5;
        i += 2;
    } while (i < n);
    return i;
}

static long do_down(int *a, const int *b, unsigned n) {
#pragma orrery parallel
    do
        a[n] = b[n] + 9;
    while (--n);
    return n;
}

static long no_step(int *a, const int *b, int n) {
    int i = 1;
#pragma orrery parallel
    for (; i < n;) {
        int k = i++;
        a[k] = b[k] + b[i];
    }
    return i;
}

static long pointer_up(int *a, int n) {
    int *p;
#pragma orrery parallel
    for (p = a; p < a + n; p++)
        *p = *p * 2 + (int)(p - a);
    return p - a;
}

static long pointer_equal(int *a, int *end) {
    int *p = a;
#pragma orrery parallel
    for (; p != end; ++p)
        *p += 3;
    return p - a;
}

static long pointer_down(int *a, int n) {
    int *p;
#pragma orrery parallel
    for (p = a + n - 1; p >= a; p -= 2)
        *p += (int)(p - a);
    return p - a;
}

static long pointer_while(int *p, const int *end, const int *b) {
    int *start = p;
#pragma orrery parallel
    while (p < end)
        *p++ = *b++ + 1;
    return p - start;
}

struct pair {
    int a, b[3];
};

static long pointer_struct(struct pair *pairs, int n) {
    const struct pair *end = pairs + n;
#pragma orrery parallel
    for (struct pair *p = pairs; p < end; p++) {
        p->a += p->b[1];
        p->b[2] = p->a;
    }
    return 0;
}

static long pointer_row(int (*rows)[7], int n) {
    int(*r)[7] = rows;
#pragma orrery parallel
    for (; r < rows + n; r++)
        for (int k = 0; k < 7; k++)
            (*r)[k] += k;
    return r - rows;
}

static long two_variables(int *a, const int *b, int n) {
    int i, j;
#pragma orrery parallel
    for (i = 0, j = n; i < n; i++, j -= 2)
        a[i] = b[n + j] + j;
    return i * 1000L + j;
}

static long two_declared(int *a, const int *b, int n) {
#pragma orrery parallel
    for (int i = 0, j = 3, m = n / 2; i < m; i += 2, j++)
        a[i] = b[j] - m;
    return 0;
}

static long pointer_and_index(int *a, const int *b, int n) {
    const int *p;
    int i;
#pragma orrery parallel
    for (i = 0, p = b; i < n; ++i, ++p)
        a[i] = *p + p[1];
    return p - b + i;
}

static long chained(int *a, const int *b, int n) {
    int i, j;
#pragma orrery parallel
    for (i = j = 2; i < n; ++i, ++j)
        a[i] = b[j] + j;
    return i + j;
}

static long symbolic_step(int *a, const int *b, int n, int s) {
    int i;
#pragma orrery parallel
    for (i = 1; i < n; i += s)
        a[i] = b[i] + s;
    return i;
}

static long symbolic_down(int *a, const int *b, long n, unsigned s) {
    long i;
#pragma orrery parallel
    for (i = n - 1; i >= 0; i -= s)
        a[i] = b[i] - (int)s;
    return i;
}

static long narrow(int *a, const int *b, uint16_t n) {
    uint16_t i;
#pragma orrery parallel
    for (i = 0; i < n; i++)
        a[i] = b[i] + 11;
    return i;
}

static long bytes(int *a, const int *b) {
    unsigned char i;
#pragma orrery parallel
    for (i = 7; i < 255; ++i)
        a[i] = b[i] + 13;
    return i;
}

static long no_trip(int *a, const int *b, int n) {
    int i = n, j = 5;
#pragma orrery parallel
    for (; i < n; i++, j += 7)
        a[i] = b[j];
    return i + j;
}

static long parameter(int *a, int i, int n) {
#pragma orrery parallel
    for (; i < n; ++i)
        a[i] += 2;
    return i;
}

static long narrow_while(int *a, const int *b) {
    short i = 100;
#pragma orrery parallel
    while (i > 0) {
        i -= 4;
        a[i] = b[i] + i;
    }
    return i;
}

int main(void) {
    int *a = malloc((2 * N + 8) * sizeof *a), *b = malloc((3 * N + 8) * sizeof *b);
    struct pair *pairs = malloc(N * sizeof *pairs);
    int(*rows)[7] = malloc(N * sizeof *rows);
    fill(a, 2 * N + 8, 1);
    fill(b, 3 * N + 8, 2);
    for (int i = 0; i < N; i++)
        pairs[i] = (struct pair){i, {i * 2, i * 3, 0}};
    for (int i = 0; i < N; i++)
        fill(rows[i], 7, i);
    for (int pass = 0; pass < 2; pass++) {
        mix("while_up", a, 2 * N, while_up(a, b, N - pass));
        mix("while_entry", a, 2 * N, while_entry(a, b, pass, N));
        mix("while_down", a, 2 * N, while_down(a, b, N));
        mix("while_down_size", a, 2 * N, while_down_size(a, b, N));
        mix("while_before", a, 2 * N, while_before(a, b, N));
        mix("for_moving", a, 2 * N, for_moving(a, b, N));
        mix("do_while", a, 2 * N, do_while(a, b, N - pass));
        mix("do_once", a, 2 * N, do_while(a, b, -3));
        mix("do_down", a, 2 * N, do_down(a, b, N));
        mix("no_step", a, 2 * N, no_step(a, b, N));
        mix("pointer_up", a, 2 * N, pointer_up(a, N));
        mix("pointer_equal", a, 2 * N, pointer_equal(a, a + N));
        mix("pointer_down", a + 1, 2 * N, pointer_down(a + 1, N + pass));
        mix("pointer_while", a, 2 * N, pointer_while(a, a + N, b));
        mix("pointer_struct", &pairs->a, 4 * N, pointer_struct(pairs, N));
        mix("pointer_row", *rows, 7 * N, pointer_row(rows, N));
        mix("two_variables", a, 2 * N, two_variables(a, b, N));
        mix("two_declared", a, 2 * N, two_declared(a, b, N));
        mix("pointer_and_index", a, 2 * N, pointer_and_index(a, b, N));
        mix("chained", a, 2 * N, chained(a, b, N));
        mix("symbolic_step", a, 2 * N, symbolic_step(a, b, N, 3 + pass));
        mix("symbolic_down", a, 2 * N, symbolic_down(a, b, N, 5 + pass));
        mix("narrow", a, 2 * N, narrow(a, b, 400));
        mix("bytes", a, 2 * N, bytes(a, b));
        mix("no_trip", a, 2 * N, no_trip(a, b, N));
        mix("parameter", a, 2 * N, parameter(a, 4, N));
        mix("narrow_while", a, 2 * N, narrow_while(a, b));
    }
    printf("%ld\n", mixed);
    free(a);
    free(b);
    free(pairs);
    free(rows);
    return 0;
}
