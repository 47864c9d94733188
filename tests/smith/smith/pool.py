"""The arrays that all nests of a program share, how to fill them, and their digest."""

SIZE = 2048
ROWS, WIDTH = 64, 48

# Element types: C type, suffix of the names.
TYPES = {"u": "unsigned", "i": "int", "c": "unsigned char", "h": "short", "l": "long", "d": "double"}

PRELUDE = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <orrery.h>

struct pair { unsigned x, y; };
struct row { unsigned x; unsigned char tag, more[3]; int y; unsigned z[4]; struct pair in; };
struct rating { int user, item; unsigned value; short third, fourth; };
struct model { unsigned *W, *H; int *count; struct pair *pairs; unsigned bias[64]; int n, k; };
union word { unsigned whole; unsigned char byte[4]; };

"""

INDICES = ["k0", "k1", "k2", "perm", "ptr", "col"]

FILL = """
static unsigned draw;

@__attribute__((no_sanitize("thread")))
static unsigned next(void) {
    draw = draw * 1664525u + 1013904223u;
    return draw >> 8;
}

@__attribute__((no_sanitize("thread")))
static void fill(unsigned seed, int rows) {
@    if (smith_image_take(seed)) return;
    draw = seed;
#pragma orrery serial
    for (int i = 0; i < 2048; ++i) {
        unsigned x = next();
        uA[i] = x, uB[i] = x * 3, uC[i] = x * 5, uD[i] = x * 7;
        iA[i] = (int)(x & 1023), iB[i] = (int)(x >> 4 & 1023), iC[i] = (int)(x >> 8 & 1023);
        cA[i] = (unsigned char)x, cB[i] = (unsigned char)(x >> 4);
        hA[i] = (short)(x & 1023), hB[i] = (short)(x >> 3 & 1023);
        lA[i] = x & 1023, lB[i] = x >> 5 & 1023;
        dA[i] = x & 255, dB[i] = (x >> 2 & 255) * 0.5, dC[i] = x >> 7 & 255;
    }
#pragma orrery serial
    for (int i = 0; i < 64; ++i)
        for (int j = 0; j < 48; ++j)
            uM[i][j] = next(), uN[i][j] = next(), dM[i][j] = next() & 255, iM[i][j] = (int)(next() & 1023);
#pragma orrery serial
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j)
            for (int k = 0; k < 16; ++k)
                uT[i][j][k] = next();
#pragma orrery serial
    for (int i = 0; i < 128; ++i) {
        unsigned x = next();
        R[i] = (struct row){.x = x, .tag = (unsigned char)x, .y = (int)(x & 1023), .in = {x * 3, x * 5}};
        Q[i] = R[i];
#pragma orrery serial
        for (int j = 0; j < 4; ++j)
            R[i].z[j] = x + (unsigned)j, Q[i].z[j] = x - (unsigned)j;
        pairs[i] = (struct pair){x, x * 3};
        words[i].whole = x;
        k0[i] = (int)(next() % 12), k1[i] = (int)(next() % 12), k2[i] = (int)(next() % 10);
        r[i] = (struct rating){(int)(next() % 12), (int)(next() % 12), next(), (short)(next() % 10)};
        v[i] = next();
        perm[i] = (i * 29 + 3) % 128;
        col[i] = (int)(next() % 48);
    }
#pragma orrery serial
    for (int i = 0, at = 0; i < 66; ++i) {
        ptr[i] = at;
        at += at < 120 ? (int)(next() % 4) : 0;
    }
#pragma orrery serial
    for (int i = 0; i < 64; ++i) {
        tab2[i] = store2[i];
        tabi[i] = storei[i];
        for (int j = 0; j < 48; ++j)
            store[i][j] = next(), store2[i][j] = next(), storei[i][j] = (int)(next() & 1023);
        model.bias[i] = next();
    }
#pragma orrery serial
    for (int i = 0; i < 64; ++i)
        tab[i] = store[(i * 29 + 3) % 64];
    model.W = mW, model.H = mH, model.count = mC, model.pairs = pairs, model.n = rows, model.k = 4;
#pragma orrery serial
    for (int i = 0; i < 2048; ++i)
        mW[i] = next(), mH[i] = next(), mC[i] = (int)(next() & 1023);
@    smith_image_keep(seed);
}

!static unsigned digest(void) {
!    unsigned long sums[4] = {1, 2, 3, 4};
!#pragma orrery serial
!    for (unsigned long i = 0; i < sizeof pool_table / sizeof *pool_table; ++i) {
!        const char *at = pool_table[i].at;
!        for (unsigned long j = 0; j < pool_table[i].size; j += 32) {
!            unsigned long words[4] = {0}, left = pool_table[i].size - j;
!            memcpy(words, at + j, left < 32 ? left : 32);
!#pragma orrery serial
!            for (int k = 0; k < 4; ++k) {
!                sums[k] = (sums[k] ^ words[k]) * 0x9e3779b97f4a7c15ul;
!                sums[k] ^= sums[k] >> 29;
!            }
!        }
!    }
!    unsigned long sum = (sums[0] * 31 + sums[1]) * 31 + sums[2] * 7 + sums[3];
!    return (unsigned)(sum ^ sum >> 32);
!}
"""

# Name, element type, dimensions. Nests use 2048 elements; the larger arrays have whole pages that stay on a device
# (dsm/arrays/debt.c), more than 16 KiB wherever they begin.
ARRAYS = [
    ("uA", "unsigned", "[5200]"), ("uB", "unsigned", "[5200]"), ("uC", "unsigned", "[5200]"),
    ("uD", "unsigned", "[5200]"), ("iA", "int", "[2048]"), ("iB", "int", "[2048]"),
    ("iC", "int", "[2048]"), ("cA", "unsigned char", "[2048]"), ("cB", "unsigned char", "[2048]"),
    ("hA", "short", "[2048]"), ("hB", "short", "[2048]"), ("lA", "long", "[2600]"),
    ("lB", "long", "[2600]"), ("dA", "double", "[2600]"), ("dB", "double", "[2600]"),
    ("dC", "double", "[2600]"), ("uM", "unsigned", "[64][48]"), ("uN", "unsigned", "[64][48]"),
    ("dM", "double", "[64][48]"), ("iM", "int", "[64][48]"), ("uT", "unsigned", "[16][16][16]"),
    ("R", "struct row", "[128]"), ("Q", "struct row", "[128]"), ("pairs", "struct pair", "[128]"),
    ("words", "union word", "[128]"), ("r", "struct rating", "[128]"), ("v", "unsigned", "[128]"),
    ("k0", "int", "[128]"), ("k1", "int", "[128]"), ("k2", "int", "[128]"),
    ("perm", "int", "[128]"), ("ptr", "int", "[66]"), ("col", "int", "[128]"),
    ("store", "unsigned", "[64][48]"), ("store2", "unsigned", "[64][48]"),
    ("storei", "int", "[64][48]"), ("mW", "unsigned", "[2048]"), ("mH", "unsigned", "[2048]"),
    ("mC", "int", "[2048]"),
]

TABLES = """static int hidden = 2;
static unsigned *tab[64], *tab2[64];
static int *tabi[64];
static struct model model;
"""

HELPERS = """
static unsigned mix(unsigned a, unsigned b) { return a * 3u + (b ^ 5u); }
static int low(int a) { return a < 5 ? a : 5; }
static inline double mean(double a, double b) { return 0.5 * (a + b); }
static void bump(unsigned *at, unsigned by) { *at = *at * 3u + by; }
static void add_to(unsigned *at, unsigned by) { *at += by; }
static void place(int *at, int to) { *at = to; }
static void copy_row(unsigned *to, const unsigned *from, int count) {
    for (int q = 0; q < count; ++q) to[q] = from[q] * 3u + 1u;
}
static void scale(unsigned *row, int count, unsigned by) {
    for (int q = 0; q < count; ++q) row[q] = row[q] * by + 1u;
}
static unsigned dot(const unsigned *a, const unsigned *b, int count) {
    unsigned sum = 0;
    for (int q = 0; q < count; ++q) sum += a[q] * b[q];
    return sum;
}
static unsigned *at_row(unsigned *base, int row, int width) { return base + row * width; }
static unsigned *element(struct row *rows, int i) { return &rows[i].x; }
static int user_of(const struct rating *one) { return one->user; }
static unsigned total(struct pair p) { return p.x + p.y; }
static struct pair twice(struct pair p) { p.x *= 2u; p.y += p.x; return p; }
static void set_pair(struct pair *p, unsigned x) { p->x = x; p->y = x ^ 3u; }
static void put_at(unsigned *base, int at, unsigned x) { base[at] = x; }
static unsigned get_at(const unsigned *base, int at) { return base[at]; }
static void put_twice(unsigned *base, int at, unsigned x) { put_at(base, at, x); put_at(base + 64, at, x + 1u); }
static void put_cell(unsigned (*m)[48], int i, int j, unsigned x) { m[i][j] = x; }
static void exchange(unsigned *a, unsigned *b) { unsigned t = *a; *a = *b; *b = t; }
static void set_in(struct row *rows, int at, struct pair p) { rows[at].in = p; }
static void scatter(unsigned *out, const int *key, int i, unsigned by) { out[key[i]] += by; }
"""


RESET = """
@static void smith_reset(unsigned *scratch) {
@    static const unsigned start[16] = {3, 1, 4, 1, 5};
@    memcpy(scratch, start, sizeof start);
@}
"""


def text():
    """Everything in front of the nests."""
    lines = [PRELUDE]
    lines += [f"static {kind} {name}{dims};\n" for name, kind, dims in ARRAYS]
    lines.append(TABLES)
    lines.append("static const struct { const void *at; unsigned long size; const char *name; } pool_table[] = {\n")
    lines += [f'    {{{name}, sizeof {name}, "{name}"}},\n' for name, _, _ in ARRAYS]
    lines.append('    {model.bias, sizeof model.bias, "bias"},\n};\n')
    lines += [FILL, HELPERS, RESET]
    return "".join(lines)
