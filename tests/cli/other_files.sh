#!/bin/bash
# Loops that call functions of other files: found, built, the same on threads and ranks; tied to the other
# file's text; refused where that text cannot be used.
. "$(dirname "$0")/lib.sh"

cat >matrix.h <<'EOT'
#ifndef MATRIX_H
#define MATRIX_H
typedef struct matrix {
    long rows, cols;
    double *data;
} matrix;
double get(const matrix *m, long i, long j);
void add(matrix *m, long i, long j, double v);
double sigmoid(double x);
#endif
EOT
cat >matrix.c <<'EOT'
#include "matrix.h"
#include <math.h>
#define SCALE 1
static long at(const matrix *m, long i, long j) {
    return i * m->cols + j;
}
double get(const matrix *m, long i, long j) {
    return m->data[at(m, i, j)] * SCALE;
}
void add(matrix *m, long i, long j, double v) {
    m->data[at(m, i, j)] += v;
}
double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}
EOT
cat >train.c <<'EOT'
#include "matrix.h"
#include <stdio.h>
#include <stdlib.h>
#define SCALE 100 /* not that of matrix.c */
struct rating {
    int u, i;
    double v;
};
static long at(long i) { /* not that of matrix.c either */
    return i % 7;
}
static void train(matrix *W, matrix *H, const struct rating *r, long n, int K) {
#pragma orrery parallel unordered
    for (long x = 0; x < n; ++x) {
        double e = 0;
        for (int k = 0; k < K; ++k)
            e += get(W, r[x].u, k) * get(H, r[x].i, k);
        e = r[x].v - 5 * sigmoid(e);
        for (int k = 0; k < K; ++k) {
            double w = get(W, r[x].u, k), h = get(H, r[x].i, k);
            add(W, r[x].u, k, 0.01 * e * h);
            add(H, r[x].i, k, 0.01 * e * w);
        }
    }
}
static matrix make(long rows, long cols) {
    matrix m = {rows, cols, malloc(sizeof(double) * (size_t)(rows * cols))};
    for (long i = 0; i < rows * cols; ++i)
        m.data[i] = 0.1 + (double)at(i) * 0.01;
    return m;
}
int main(void) {
    enum { N = 20000 };
    matrix W = make(300, 8), H = make(200, 8);
    struct rating *r = malloc(N * sizeof *r);
    unsigned s = 1;
    double sum = SCALE - SCALE;
    for (int i = 0; i < N; ++i) {
        r[i].u = (int)((s = s * 1664525u + 1013904223u) >> 8) % 300;
        r[i].i = (int)((s = s * 1664525u + 1013904223u) >> 8) % 200;
        r[i].v = 1 + (r[i].u * 7 + r[i].i * 3) % 5;
    }
    for (int p = 0; p < 4; ++p)
        train(&W, &H, r, N, 8);
    for (long i = 0; i < 300 * 8; ++i)
        sum += W.data[i];
    printf("%.6f\n", sum);
    free(r), free(W.data), free(H.data);
    return 0;
}
EOT

# One file alone is refused, with the edit; with the other it is as if the functions stood in it.
expect 0 "$orrery" analyze train.c
says out 'ORR2213' 'orrery-cc -with b\.c'
expect 0 "$orrery" analyze train.c matrix.c
says out '^train\.c:[0-9]+:5: remark: parallel by rotation.*r\[x\]\.u nor r\[x\]\.i \[ORR1201\]$' \
    'W->data resident by r\[x\]\.u' 'H->data rotating by r\[x\]\.i'
expect 0 "$orrery" analyze matrix.c train.c --format=json
says out '"strategy":"rotation-2d"' '"text":"m->data\[at\(m, i, j\)\]","file":"matrix\.c"'

# Built at once: the unmodified serial loop's result, on threads and ranks.
expect 0 "$cc" -O2 -Wall -Wextra -Werror -Werror=serial train.c matrix.c -o at_once -lm
expect 0 "$orrery" verify --threads 1,2,4 --ranks 1,2 --runs 1 ./at_once
says out '^verified'
./at_once >with_once

# Built piece by piece: the object says what it relies on, and only an object with that text has it.
export CFLAGS=-O2
expect 0 "$cc" -O2 -Werror=serial -with matrix.c -MD -c train.c
says train.d 'train\.o:.*' 'matrix\.c'
expect 0 "$cc" -O2 -with matrix.c -MMD -MF m.d -c matrix.c
says m.d '^matrix\.o: matrix\.c matrix\.h'
expect 0 "$cc" train.o matrix.o -o pieces -lm
[ "$(./pieces)" = "$(cat with_once)" ] || fail "another result"
cp matrix.o first.o
gcc -O2 -c matrix.c -o plain.o
expect 1 "$cc" train.o plain.o -o stale -lm
says err "undefined reference to .orrery_get_as_analyzed_[0-9a-f]{16}'"
cp matrix.c saved.c
for edit in 's/i \* m->cols/2 * i * m->cols/' 's/#define SCALE 1/#define SCALE 2/' 's/+= v/-= v/'; do
    sed "$edit" saved.c >matrix.c
    expect 0 "$cc" -O2 -with matrix.c -c matrix.c -o changed.o
    expect 1 "$cc" train.o changed.o -o stale -lm
    says err 'as_analyzed'
done
sed 's/^#define SCALE 1$/#define SCALE 1 \/* as it is *\//' saved.c >matrix.c
expect 0 "$cc" -O2 -with matrix.c -c matrix.c -o changed.o
expect 0 "$cc" train.o changed.o -o same -lm
cp saved.c matrix.c

# A database gives each file its own flags, and two programs that define one name are told apart by no one.
mkdir -p other db
sed 's/+= v/= v/' matrix.c >other/matrix2.c
cat >db/compile_commands.json <<EOT
[{"directory": "$work", "file": "train.c", "command": "cc -c train.c"},
 {"directory": "$work/other", "file": "../matrix.c", "command": "cc -I.. -c ../matrix.c"}]
EOT
expect 0 "$orrery" analyze -p db
says out 'ORR1201' '^total +1 +1 +1 +0'
expect 0 "$orrery" analyze -I. train.c matrix.c other/matrix2.c
says out 'defined in another file, and that cannot be used: matrix\.c and other/matrix2\.c both define it \[ORR2260\]'

# refused CODE WORDS [STATUS]: main.c with a loop that calls f, and b.c
refused() {
    expect "${3-0}" "$orrery" analyze main.c b.c
    says out "^(main|b)\.c:[0-9]+:[0-9]+: warning: .*\[$1\]$" "$2"
    grep -q '^  fix: .' out || [ "$1" = ORR2314 ] || fail "no edit that would help"
    grep -q '^main\.c: 1 loop considered, 0 parallel, 1 serial$' out || fail "not serial"
}
cat >main.c <<'EOT'
#include "types.h"
void run(struct table *t, double *out, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        f(t, out, i);
}
EOT
cat >types.h <<'EOT'
struct table {
    long length;
    double *data;
};
extern double shared[64];
void f(struct table *t, double *out, long i);
EOT
b() {
    cat >b.c
}
b <<<'#include "types.h"
void f(struct table *t, double *out, long i) { out[i] = t->data[i] + shared[i % 64]; }'
expect 0 "$orrery" analyze -Werror=serial main.c b.c
b <<<'#include "types.h"
static double weight[64];
void f(struct table *t, double *out, long i) { out[i] = t->data[i] * weight[i % 64]; }'
refused ORR2261 'uses `weight`, which only that file can name'
b <<<'#include "types.h"
double weight[64];
void f(struct table *t, double *out, long i) { out[i] = t->data[i] * weight[i % 64]; }'
refused ORR2261 'uses `weight`, which this file does not declare'
b <<<'#include "types.h"
void f(struct table *t, double *out, long i) { static int calls; out[i] = t->data[i] + ++calls; }'
refused ORR2261 'uses `calls`'
b <<<'struct table { double *data; long length; };
void f(struct table *t, double *out, long i) { out[i] = t->data[i]; }'
refused ORR2262 'struct table. is not the same in this file'
b <<<'struct table { long length; double *data; };
void f(struct table *t, float *out, long i) { out[i] = t->data[i]; }'
refused ORR2262 'another type'
b <<<'#include "types.h"
__attribute__((weak)) void f(struct table *t, double *out, long i) { out[i] = t->data[i]; }'
refused ORR2263 'the linker may take another definition'
b <<<'#include "types.h"
inline void f(struct table *t, double *out, long i) { out[i] = t->data[i]; }'
refused ORR2263 'the linker may take another definition'
b <<<'#include "types.h"
void f(struct table *t, double *out, long i) { out[i] = t->date[i]; }'
refused ORR2264 'b\.c: no member named' 1
b <<<'#include "types.h"
#include <stdlib.h>
void f(struct table *t, double *out, long i) { out[i] = t->data[i] + rand(); }'
refused ORR2210 'rand'
b <<<'#include "types.h"
void elsewhere(double *);
void f(struct table *t, double *out, long i) { elsewhere(out + i); out[i] += t->data[i]; }'
refused ORR2213 'elsewhere'
b <<<'#include "types.h"
void f(struct table *t, double *out, long i) { out[i] = t->data[i]; if (i) out[i] += out[i - 1]; }'
refused ORR2104 'an iteration needs what an earlier one wrote'
says out "^b\\.c:2:[0-9]+: note: .out\\[i - 1\\]. is read here by another$" "^main\\.c:5:9: note: called from the loop here$"
b <<<'#include "types.h"
void f(struct table *t, double *out, long i) { if (i > 1) f(t, out, i - 1); out[i] = 0; }'
refused ORR2215 'recursive'
b <<<'#include "types.h"
void f(struct table *t, double *out, long i) {
#ifdef __clang__
    out[i] = t->data[i];
#else
    out[0] = t->data[i];
#endif
}'
refused ORR2314 '__clang__'

# A structure that the loop's own file does not know: nothing could be named in emitted text.
cat >types.h <<'EOT'
struct table;
void f(struct table *t, double *out, long i);
EOT
b <<<'#include "types.h"
struct table { long length; double *data; };
void f(struct table *t, double *out, long i) { out[i] = t->data[i]; }'
refused ORR2262 'struct table. is not defined in this file'

# Over three files and back; a constant row length behind a function; values in a structure.
cat >types.h <<'EOT'
struct pair {
    double a, b;
};
struct table {
    long length;
    double (*data)[4];
};
long index_of(long i);
long clamp(long i);
struct pair pair_of(const struct table *t, long i);
double both(struct pair p);
void f(struct table *t, double *out, long i);
EOT
b <<<'#include "types.h"
void f(struct table *t, double *out, long i) {
    struct pair p = pair_of(t, i);
    out[clamp(index_of(i))] = both(p);
}'
cat >c.c <<'EOT'
#include "types.h"
long index_of(long i) { return 3 * i + 1; }
struct pair pair_of(const struct table *const t, const long i) { return (struct pair){t->data[i][0], t->data[i][3]}; }
double both(const struct pair p) { return p.a + p.b; } /* qualifiers of parameters are no part of the type */
EOT
echo 'long clamp(long i) { return i; }' >>main.c
expect 0 "$orrery" analyze -Werror=serial main.c b.c c.c
expect 1 "$orrery" analyze -Werror=serial main.c b.c
sed -i 's/3 \* i + 1/i \/ 2/' c.c
expect 0 "$orrery" analyze main.c b.c c.c
says out 'iterations with the same i / 2 stay together'

# A static function of one file does not answer to its name in another.
cat >main.c <<'EOT'
int fb(int), fc(int);
void run(float *restrict a, float *restrict b, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        a[i] += fb(i);
        b[fc(i)] = a[i];
    }
}
EOT
echo 'static int place(int i) { return i; } int fb(int i) { return place(i); }' >b.c
echo 'int place(int); int fc(int i) { return place(i); }' >c.c
echo 'int place(int i) { return i / 2; }' >d.c
expect 0 "$orrery" analyze main.c b.c c.c d.c
says out '^main\.c:4:5: remark: parallel by i / 2: .*\[ORR1101\]$'
rm d.c
expect 0 "$orrery" analyze main.c b.c c.c
says out '`place` is defined elsewhere'

# A definition that a file includes has its symbol in the object, too.
echo 'int NAMED(scaled)(int x) { return 3 * x; }' >scaled.h
printf 'int one(int x) { return x + 1; }\n#define NAMED(x) x\n#include "scaled.h"\n' >b.c
cat >main.c <<'EOT'
#include <stdio.h>
int scaled(int x), one(int x);
int main(void) {
    static int a[1000];
#pragma orrery parallel
    for (int i = 0; i < 1000; ++i)
        a[i] = one(scaled(i));
    printf("%d\n", a[999]);
    return 0;
}
EOT
expect 0 "$cc" -O2 -Werror=serial main.c b.c -o included
[ "$(./included)" = 2998 ] || fail "another result"
