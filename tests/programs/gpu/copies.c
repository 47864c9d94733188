/* What the device itself folds and merges: sums, minima and bits of all types into arrays, and relaxed
 * arrays by each rule, of as many rows as are loaded at once, and one more. */
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 800, WIDE = 37 };

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static double x[COUNT];
static int at[COUNT];

/* Into elements of one type: a sum, the least, the greatest. */
#define NUMBERS(name, type, less)                                                                  \
    static void name(type *sum, type *least, type *most) {                                         \
        _Pragma("orrery parallel unordered grid(17, 1)") for (long i = 0; i < COUNT; ++i) {        \
            type value = (type)(x[i] - less);                                                      \
            sum[at[i]] += value;                                                                   \
            least[at[i]] = value < least[at[i]] ? value : least[at[i]];                            \
            most[at[i]] = value > most[at[i]] ? value : most[at[i]];                               \
        }                                                                                          \
    }
NUMBERS(bytes, signed char, 60)
NUMBERS(letters, unsigned char, 0)
NUMBERS(shorts, short, 60)
NUMBERS(words, unsigned short, 0)
NUMBERS(ints, int, 60)
NUMBERS(counts, unsigned, 0)
NUMBERS(longs, long, 60)
NUMBERS(sizes, unsigned long, 0)
NUMBERS(floats, float, 60)
NUMBERS(doubles, double, 60)

static void bits(unsigned *all, unsigned *some, unsigned *odd) {
#pragma orrery parallel unordered grid(16, 1)
    for (long i = 0; i < COUNT; ++i) {
        unsigned value = (unsigned)(x[i] * 37);
        all[at[i]] &= value | 15;
        some[at[i]] |= value & 1023;
        odd[at[i]] ^= value;
    }
}

/* Totals of whole numbers that wrap, and of real ones. */
static void add(short *small, long *large, double *real) {
#pragma orrery parallel unordered relax(small, large, real) sync(steps = 3) grid(17, 1)
    for (long i = 0; i < COUNT; ++i) {
        small[at[i]] += (short)(x[i] * 200);
        large[at[i]] -= (long)(x[i] * 1e13);
        real[at[i]] += x[i] * .1;
    }
}

/* Each element towards what the iterations have, and what `w` is then decides what comes next. */
#define TOWARDS(name, type, rule)                                                                  \
    static double name(type *w) {                                                                  \
        double loss = 0;                                                                           \
        _Pragma(rule) for (long i = 0; i < COUNT; ++i) {                                           \
            type off = (type)x[i] - w[at[i]];                                                      \
            loss += off * off;                                                                     \
            w[at[i]] += (type).3 * off;                                                            \
            w[(at[i] * 5 + 1) % WIDE] *= (type).999;                                               \
        }                                                                                          \
        return loss;                                                                               \
    }
TOWARDS(average, float, "orrery parallel unordered relax(average : w) sync(steps = 4) grid(33, 1)")
TOWARDS(scale, float, "orrery parallel unordered relax(scale : w) sync(steps = 17) grid(33, 1)")
TOWARDS(scale_doubles, double, "orrery parallel unordered relax(w) grid(20, 1)")

#define SHOW(name, type)                                                                           \
    static type name##_sum[WIDE], name##_least[WIDE], name##_most[WIDE];                           \
    name(name##_sum, name##_least, name##_most);                                                   \
    for (int k = 0; k < WIDE; k += 9)                                                              \
        printf("%.9g %.9g %.9g\n", (double)name##_sum[k], (double)name##_least[k],                 \
               (double)name##_most[k]);

int main(void) {
    for (int i = 0; i < COUNT; ++i) {
        x[i] = (double)((i * 7919u) % 2001) / 17;
        at[i] = (int)((i * 104729u) % WIDE);
    }
    SHOW(bytes, signed char)
    SHOW(letters, unsigned char)
    SHOW(shorts, short)
    SHOW(words, unsigned short)
    SHOW(ints, int)
    SHOW(counts, unsigned)
    SHOW(longs, long)
    SHOW(sizes, unsigned long)
    SHOW(floats, float)
    SHOW(doubles, double)
    static unsigned all[WIDE], some[WIDE], odd[WIDE];
    static short small[WIDE];
    static long large[WIDE];
    static double real[WIDE], w_doubles[WIDE];
    static float w[WIDE], v[WIDE];
    for (int k = 0; k < WIDE; ++k)
        all[k] = ~0u;
    bits(all, some, odd);
    for (int pass = 0; pass < 2; ++pass) {
        add(small, large, real);
        printf("%g %g %g\n", average(w), scale(v), scale_doubles(w_doubles));
    }
    for (int k = 0; k < WIDE; k += 5)
        printf("%u %u %u %d %ld %g %g %g %g\n", all[k], some[k], odd[k], small[k], large[k],
               real[k], (double)w[k], (double)v[k], w_doubles[k]);
    return 0;
}
