#!/bin/bash
# text.sh BINDIR INCLUDE: what the emitted text promises beside its results: bytes outside of loops,
# the user's lines in messages and debuggers, packed records, the serial loop kept on demand.
. "$(dirname "$0")/../../lib.sh"

bin=$1 include=$2
dir=$work
cd "$dir"

cat >mf.c <<'END'
#include <stddef.h>
struct rating { int user, item; float value; };
/* a comment */	void train(const struct rating *r, long nnz, float *W, float *H, int K, float rate)
{
    double loss = 0; (void)loss;
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n) {
        float *w = W + (size_t)r[n].user * K, *h = H + (size_t)r[n].item * K;
        float e = r[n]
                      .value;
        unsigned odd = K < sizeof(int);
        for (int k = 0; k < K; ++k) {
            float wk = w[k];
            w[k] += rate * e * h[k] + odd;
            h[k] += rate * e * wk;
        }
    } int here = __LINE__;
    (void)here; int unused_one;
}
END
"$bin/orrery" emit mf.c -o out.c

# The record: two keys and a value, 12 bytes.
sed -n '/^struct orrery_record_0/,/^};/p' out.c >record
printf 'struct orrery_record_0 {\n    int k0;\n    int k1;\n    float f2;\n};\n' | diff - record
grep -q '(size_t)(orrery_r->k0) \* K' out.c || fail "the first key's site was not replaced"
grep -q 'float \*__restrict__ W' out.c || fail "W is not restricted"
grep -q 'ORRERY_ROTATION,' out.c || fail "no rotation"

# Text outside of the loop is the user's, byte for byte: what is left when ours is cut out.
sed -n '/^#line 1 "mf.c"$/,/^#line 1 "<orrery loop 0>"/p' out.c | sed '1d;$d' >before
head -2 mf.c | diff - <(head -2 before) || fail "text in front of the function differs"
sed -n '/^    } int here/,$p' mf.c | sed 's/^    }//' >tail.expected
tail -n "$(wc -l <tail.expected)" out.c | diff - tail.expected || fail "text behind the loop differs"

# Messages name the user's lines: line 10 for the comparison, line 17 for the unused variable.
gcc -Wall -Wextra -I "$include" -c out.c -o out.o 2>said
gcc -Wall -Wextra -Wno-unknown-pragmas -c mf.c -o plain.o 2>said.plain
grep -o '^mf.c:[0-9]*:[0-9]*: warning' said | sort >places
grep -o '^mf.c:[0-9]*:[0-9]*: warning' said.plain | sort | diff - places || fail "other places"
lacks '^<orrery' said || fail "warnings about generated text"

# The line behind the loop is itself.
gcc -E -I "$include" out.c | grep -q 'int here = 17' || fail "__LINE__ is wrong behind the loop"

# The debugger finds the body's lines.
gcc -g -I "$include" -c out.c -o out.o
objdump --dwarf=decodedline out.o | grep -q '^mf.c *14 ' || fail "no code on line 14"

# The inner loop is vectorized as in the plain program, and without a check for overlap, in body(); in serial(), which is
# cold, it is not.
if [ "$(uname -m)" = x86_64 ]; then
    gcc -O3 -mavx2 -ffast-math -fopt-info-vec -I "$include" -c out.c -o out.o 2>vectors
    [ "$(grep -c '^mf.c:12:.*loop vectorized using 32' vectors)" = 1 ] || fail "not vectorized"
    [ "$(grep -c '^mf.c:12:.*versioned' vectors)" = 0 ] || fail "checks for overlap in the block"
fi

# With fallback the loop itself stays, as the other branch.
"$bin/orrery" emit -allow-fallback mf.c -o kept.c
grep -q '} else for (long n = 0; n < nnz; ++n) {' kept.c || fail "the loop is not kept"
gcc -Wall -I "$include" -c kept.c -o kept.o
gcc -E -I "$include" kept.c | grep -q 'int here = 17' || fail "__LINE__ is wrong with fallback"

# ... unless its header does not say the same the second time.
cat >twice.c <<'END'
int *next_block(void);
void fill(int n, int *a) {
    int i, *p;
#pragma orrery parallel
    for (i = 0, p = next_block(); i < n; ++i, ++p)
        *p = i;
#pragma orrery parallel
    for (i = 0, p = a; i < n; ++i, ++p)
        *p = i;
#pragma orrery parallel
    for (n = n / 2, i = 0; i < n; ++i)
        a[i] = i;
}
END
"$bin/orrery" emit -allow-fallback twice.c -o twice_out.c >said 2>&1
[ "$(grep -c 'ORR2318' said)" = 2 ] || { cat said; fail "a header may run twice"; }
[ "$(grep -c 'orrery_run(&' twice_out.c)" = 1 ] || fail "a header runs twice"
gcc -Wall -I "$include" -c twice_out.c -o twice.o
"$bin/orrery" emit twice.c -o twice_out.c >said 2>&1
[ "$(grep -c 'orrery_run(&' twice_out.c)" = 3 ] || { cat said; fail "a header that runs once is refused"; }

# What only the end of a run tells has to be taken back: not where the loop has changed what it reads.
cat >late.c <<'END'
double least(double *restrict y, const double *restrict x, double *restrict z, int n) {
    double m = 1e9, l = 1e9;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        y[i] = y[i] * .5 + x[i];
        m = m < y[i] ? m : y[i];
    }
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        z[i] = x[i] * 2;
        l = l < x[i] ? l : x[i];
    }
    return m + l;
}
END
"$bin/orrery" emit -allow-fallback late.c -o late_out.c >said 2>&1
[ "$(grep -c 'late.c:5:16: .*ORR2319' said)" = 1 ] || { cat said; fail "y is changed and read again"; }
[ "$(grep -c 'orrery_run(&' late_out.c)" = 1 ] && [ "$(grep -c '[.]reruns = 1' late_out.c)" = 1 ] || fail "the second loop can begin again"
"$bin/orrery" emit late.c -o late_out.c >said 2>&1
[ "$(grep -c 'orrery_nan_stop(' late_out.c)" -ge 4 ] || fail "without -allow-fallback a NaN stops the program"

# Without a parallel loop the text is the user's.
printf 'int main(void) { return 0; }\n' >empty.c
"$bin/orrery" emit empty.c | sed '1d' | diff - empty.c || fail "an empty program changed"

# A path with a space and a quote.
cp mf.c 'a "b.c'
"$bin/orrery" emit 'a "b.c' -o q.c
gcc -I "$include" -c q.c -o q.o

# Old dialects and pedantry.
cat >old.c <<'END'
void scale(float *x, int n);
void scale(float *x, int n)
{
    int i;
#pragma orrery parallel
    for (i = 0; i < n; ++i)
        x[i] = x[i] * 2;
}
END
"$bin/orrery" emit old.c -std=gnu89 -o old.out.c
for compiler in gcc clang-19; do
    command -v $compiler >/dev/null || continue
    $compiler -std=gnu89 -Wall -Wextra -Werror -I "$include" -c old.out.c -o old.o || fail "gnu89"
    $compiler -std=c11 -Wpedantic -Wall -Wno-unused-variable -Werror -I "$include" -c out.c \
        -o out.o || fail "$compiler -Wpedantic"
done

# Every loop of the text declares what it counts with in front of it: wavefronts, lists of keys, lanes.
cat >old_loops.c <<'END'
double u[64][64];
void sweep(int n, float *table, const int *keys, float *x)
{
    int i, j;
#pragma orrery parallel
    for (i = 1; i < n - 1; ++i)
        for (j = 1; j < n - 1; ++j)
            u[i][j] = .25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
#pragma orrery parallel unordered
    for (i = 0; i < n; ++i)
        for (j = 0; j < 4; ++j)
            table[keys[4 * i + j]] += 1;
#pragma orrery parallel
    for (i = 0; i < n; ++i) {
        float z = 0;
        for (j = 0; j < 100 && z * z < 4; ++j)
            z = z * z + x[i];
        x[i] = z;
    }
}
END
"$bin/orrery" emit old_loops.c -std=gnu89 -o old_loops.out.c
gcc -O3 -march=native -std=gnu89 -Wall -Werror -I "$include" -c old_loops.out.c -o old.o || fail "gnu89 loops"

# What a loop alone calls was a part of it, and stays one; what others call, too, was a function.
cat >callees.c <<'END'
static double alone(double x) {
    for (int k = 0; k < 8; ++k)
        x = x * x + .5;
    return x;
}
static double shared(double x) {
    for (int k = 0; k < 8; ++k)
        x = x * x - .5;
    return x;
}
void first(double *restrict a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = alone(a[i]);
}
void others(double *restrict a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = shared(a[i]);
    a[0] = shared(a[0]);
}
END
"$bin/orrery" emit callees.c -o callees.out.c
[ "$(grep -c '__flatten__.*orrery_body' callees.out.c)" = 1 ] || fail "callees that are inlined"

# A check that failed once is made again: the loop runs serially every time, or the run ends.
cat >lap.c <<'END'
#include <stdio.h>
static double b[4000];
static void add(double *x, const double *y, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        x[i] = x[i] * .5 + y[i] + 1;
}
static void spread(long *W, const int *u, int n, int M) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            W[k * M + u[i]] = W[k * M + u[i]] * 3 + i;
}
int main(void) {
    static long W[400];
    static int u[3000];
    for (int i = 0; i < 3000; i++)
        u[i] = i % 50;
    for (int pass = 0; pass < 3; pass++) {
        add(b + 1, b, 3500);
        u[1700] = pass == 1 ? 100 : 99;
        spread(W, u, 3000, 100);
    }
    printf("%.17g %ld %ld\n", b[3000], W[99], W[100]);
    return 0;
}
END
gcc -w -O1 -ffp-contract=off lap.c -o plain && ./plain >expected
"$bin/orrery-cc" -O1 -ffp-contract=off -allow-fallback lap.c -o lap 2>/dev/null
ORRERY_THREADS=4 ./lap >actual 2>said && diff expected actual || fail "other results with fallback"
[ "$(grep -c 'share memory' said)" = 3 ] || { cat said; fail "a failed check was not repeated"; }
[ "$(grep -c 'is false for iteration 1700' said)" = 1 ] || { cat said; fail "a bad key passed"; }
"$bin/orrery-cc" -O1 lap.c -o lap 2>/dev/null
! ./lap >/dev/null 2>said || fail "memory that is shared was not noticed"
grep -q 'cannot run in parallel on these data' said || { cat said; fail "said otherwise"; }

# Each loop says what of it is an address, and one that compares within a row says nothing.
told() {
    "$bin/orrery" emit "$here/../../programs/emit/$1.c" -o told.c >told 2>&1 || { cat told; fail "$1 is not emitted"; }
    [ "$(grep -oE '\.(addresses|compared) = "[^"]*"' told.c | cut -d'"' -f2 | tr '\n' '|')" = "$2" ] ||
        fail "$1: $(grep -E '\.(addresses|compared) =' told.c)"
}
told addresses 'of[i]|rows[i].at|least, best|p|an address as a number|'
# That in a row of the same array, also in a function that is handed both ends, holds anywhere.
told addresses_compared 'p == mark|p < end|p >= stop|p == r|m.first + i * K >= m.second|'

# The loop in its own order, for `orrery verify`, costs compilers little: no vectors are made of it.
printf '%s\n' 'void f(double *restrict v, const double *restrict w, long n) {' \
    'for (long i = 0; i < n; ++i)' 'v[i] = w[i] * 3;' '}' >cold.c
"$bin/orrery-cc" -auto -O3 -c cold.c -o cold.o || fail "cold.c is not built"
# vectors NAME: how many of a function's instructions multiply two numbers at once
vectors() {
    objdump -d --no-show-raw-insn cold.o | sed -n "/<$1.*>:/,/^\$/p" | grep -c mulpd
}
[ "$(vectors orrery_body)" -gt 0 ] || fail "workers multiply one number at a time"
[ "$(vectors orrery_serial)" -eq 0 ] || fail "vectors in what only orrery verify runs"
