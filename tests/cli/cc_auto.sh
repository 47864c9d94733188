#!/bin/bash
# -auto: every outermost loop that is provably parallel in its own order, nothing inside of one, and
# the same answer.
. "$(dirname "$0")/lib.sh"

cat >a.c <<'EOF'
#include <stdio.h>

static double square(const double *a, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * 2;
    return sum;
}

int main(void) {
    static double a[200][50], s[200], chain[200];
    for (int i = 0; i < 200; i++)
        for (int j = 0; j < 50; j++)
            a[i][j] = i + 0.5 * j;
    for (int i = 0; i < 200; i++)
        s[i] = square(a[i], 50);
    for (int i = 1; i < 200; i++)
        chain[i] = chain[i - 1] * 0.5 + s[i];
    for (int i = 0; i < 200; i += 20)
        printf("%g %g\n", s[i], chain[i]);
    return 0;
}
EOF
cc -O2 -ffp-contract=off a.c -o serial
./serial >want
expect 0 "$cc" -O2 -Wall -Wextra -Werror -auto -Rorrery a.c -o parallel
says err '^a\.c:12:5: remark: parallel' '^a\.c:15:5: remark: parallel'
[ "$(grep -c 'remark:' err)" = 2 ] || fail "two loops are outermost and parallel"
for threads in 1 2 3; do
    ORRERY_AUTO_US=0 ORRERY_THREADS=$threads ./parallel >got
    cmp -s want got || fail "$threads threads print something else"
done
expect 0 "$orrery" verify --threads 1,2,3 --ranks 2 --runs 1 ./parallel

# regions N COMMAND...: that many regions start
regions() {
    wanted=$1
    shift
    ORRERY_THREADS=2 ORRERY_STATS=1 "$@" >got 2>stats || fail "status: $*"
    found=$(sed -n 's/^orrery: .* passes \([0-9]*\) .*/\1/p' stats | awk '{ n += $1 } END { print n + 0 }')
    [ "$found" = "$wanted" ] || { cat stats; fail "$found regions, not $wanted: $*"; }
}
# Small loops stay serial: 200 iterations are not worth a region. The border can be moved.
regions 0 ./parallel
cmp -s want got || fail "the serial loops print something else"
regions 2 env ORRERY_AUTO_US=0 ./parallel
cmp -s want got || fail "always parallel: another result"
# Libraries that would be loaded take longer than such a program.
ORRERY_AUTO_US=0 ORRERY_THREADS=2 LD_DEBUG=files LD_DEBUG_OUTPUT=loaded ./parallel >got
grep -qs 'file=' loaded.* || fail "LD_DEBUG says nothing"
lacks -E 'file=(.*/)?lib(hwloc|mpi|hdf5)' loaded.* || fail "libraries were loaded that the program does not use"

# The same loop, short and long; a length that is known when it starts counts, that of an inner loop too.
cat >b.c <<'EOF2'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static void work(double *a, const double *b, long rows, int columns) {
    for (long i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            a[i * columns + j] = sqrt(b[i * columns + j]) * 0.5 + a[i * columns + j];
}
int main(int argc, char **argv) {
    long rows = atol(argv[1]);
    int columns = argc > 2 ? atoi(argv[2]) : 1;
    int times = argc > 3 ? atoi(argv[3]) : 40;
    double *a = calloc((size_t)(rows * columns) + 1, sizeof *a), *b = malloc((size_t)(rows * columns + 1) * sizeof *b);
    b[0] = 2;
    for (long i = 1; i < rows * columns; i++)
        b[i] = b[i - 1] * 1.0001;
    for (int t = 0; t < times; t++)
        work(a, b, rows, columns);
    printf("%.17g\n", a[rows * columns / 2]);
    free(a);
    free(b);
    return 0;
}
EOF2
cc -O2 -ffp-contract=off b.c -o serial_b -lm
expect 0 "$cc" -O2 -Wall -Wextra -Werror -auto -Rorrery b.c -o auto_b -lm
says err '^b\.c:5:5: remark: parallel'
# Each way is timed where there is enough work, the serial one first; what is chosen then is the clock's business.
for size in "0" "1" "20" "100000" "20 20000" "100000 10"; do
    # shellcheck disable=SC2086
    ./serial_b $size >want
    # shellcheck disable=SC2086
    expect 0 env ORRERY_THREADS=2 ORRERY_STATS=1 ./auto_b $size
    case $size in
    0 | 1 | 20) ! grep automatic err || fail "a small loop was timed" ;;
    *) says err '^orrery: b\.c:5 automatic .* timed-serial [1-9][0-9]* timed-parallel [1-9]' ;;
    esac
    cmp -s want out || fail "size $size: another result"
    # shellcheck disable=SC2086
    regions 0 env ORRERY_AUTO_US=60000 ./auto_b $size
    cmp -s want got || fail "size $size: another result without trials"
done
./serial_b 100000 1 1 >want
regions 0 ./auto_b 100000 1 1
cc -O2 -ffp-contract=fast b.c -o serial_b -lm
expect 0 "$cc" -O2 -ffp-contract=fast -Wall -Wextra -Werror -auto b.c -o auto_b -lm
regions 1 ./auto_b 100000 1 1
regions 40 ./auto_b 100000
lacks automatic stats || fail "the clock decided where bits may differ"

# Nobody asked for these loops: no guard may stop the program, no sum may get other bits, none may start
# where it must not (inside of another parallel loop, in a child of fork).
cat >c.c <<'EOF2'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void __attribute__((noinline)) copy(double *to, const double *from, long n) {
    for (long i = 0; i < n; i++)
        to[i] = from[i] + 1;
}
static double __attribute__((noinline)) sum(const double *a, long n) {
    double s = 0;
    for (long i = 0; i < n; i++)
        s += a[i] / 3;
    return s;
}
void each(double *a, long rows, long n) {
#pragma orrery parallel
    for (long r = 0; r < rows; r++)
        copy(a + r * n, a + r * n, n);
}
int main(void) {
    long n = 200000;
    double *a = calloc((size_t)n + 1, sizeof *a);
    copy(a + 1, a, n);
    each(a, 4, n / 4);
    printf("%.17g %.17g\n", a[n], sum(a, n));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        copy(a, a, n);
        printf("%.17g\n", a[7]);
        fflush(stdout);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    free(a);
    return status != 0;
}
EOF2
cc -O2 -ffp-contract=off -w c.c -o serial_c
./serial_c >want
expect 0 "$cc" -O2 -auto -Rorrery -Wno-unknown-pragmas c.c -o auto_c
lacks 'reduction' err || fail "a floating-point sum would get other bits"
for us in 0 1 5 60000; do
    ORRERY_AUTO_US=$us ORRERY_THREADS=3 timeout 300 ./auto_c >got || fail "status of auto_c"
    cmp -s want got || { cat got want; fail "limit $us: another result"; }
done
expect 0 "$cc" -O2 -ffast-math -auto -Rorrery -Wno-unknown-pragmas c.c -o fast_c
says err 'reduction of s'

# Three iterations around 238,328: the loop that can be divided is taken, not the outermost; ten small ones stay as they are.
cat >s.c <<'EOF2'
double rhs[5][64][64][64], row[10][100];
void scale(double d) {
    for (int m = 0; m < 3; m++)
        for (int i = 1; i < 63; i++)
            for (int j = 1; j < 63; j++)
                for (int k = 1; k < 63; k++)
                    rhs[m][i][j][k] *= d;
}
void rows(double d) {
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 100; j++)
            row[i][j] *= d;
}
EOF2
expect 0 "$cc" -O2 -auto -Rorrery -c s.c
says err '^s\.c:4:9: remark: parallel' '^s\.c:10:5: remark: parallel'
[ "$(grep -c 'remark:' err)" = 2 ] || { cat err; fail "one loop of each nest is taken"; }
expect 0 "$orrery" analyze --all s.c
says out 'the loop at line 4 inside has more iterations to divide'

# Where a check fails the loop runs serially, without a word: counters on the caller's stack, whose size nobody
# knows; arrays that overlap. ORRERY_STATS tells.
cat >f.c <<'EOF2'
#include <stdio.h>
static int kind[300001];
static void count(const double *x, long n, long *found) {
    for (long i = 0; i < n; i++)
        if (x[i] > 0)
            ++found[kind[i]];
}
static void add(double *a, const double *b, long n) {
    for (long i = 0; i < n; i++)
        a[i] = b[i] + 1;
}
int main(void) {
    static double x[300001];
    long found[2] = {0};
    add(x + 1, x, 300000);
    count(x, 300000, found);
    printf("%ld %g\n", found[0], x[300000]);
    return 0;
}
EOF2
expect 0 "$cc" -O2 -auto -Rorrery f.c -o fails
says err '^f\.c:4:5: remark: parallel' '^f\.c:9:5: remark: parallel'
for least in 0 5; do
    expect 0 env ORRERY_THREADS=2 ORRERY_AUTO_US=$least ./fails
    [ "$(cat out)" = '299999 300000' ] || fail "another result: $(cat out)"
    silent err
done
expect 0 env ORRERY_THREADS=2 ORRERY_AUTO_US=0 ORRERY_STATS=1 ./fails
says err 'f\.c:4: runs serially: the size of found is not known' 'f\.c:9: runs serially: .* share memory'

# A loop that is too short costs no system call, however often it is met.
cat >e.c <<'EOF2'
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static long asked;
pid_t getpid(void) {
    ++asked;
    return (pid_t)syscall(SYS_getpid);
}
static void add(double *restrict a, const double *restrict b, int n) {
    for (int i = 0; i < n; i++)
        a[i] += b[i];
}
int main(int argc, char **argv) {
    (void)argv;
    double a[8] = {0}, b[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int turn = 0; turn < 1000; turn++)
        add(a, b, 7 + argc % 2);
    printf("%g %d\n", a[6], asked < 100);
    return 0;
}
EOF2
expect 0 "$cc" -O2 -auto -Rorrery e.c -o short_loops
says err '^e\.c:11:5: remark: parallel'
regions 0 ./short_loops
[ "$(cat got)" = '7000 1' ] || fail "short loops ask the kernel: $(cat got)"

# What -auto will do is what `orrery analyze --all` says: inside of a serial loop, inside of a parallel one.
cat >d.c <<'EOF2'
#include <stdio.h>
void f(double *restrict a, const double *restrict b, long n, int K) {
    for (int t = 0; t < 10; t++) {
        for (long i = 0; i < n; i++)
            for (int k = 0; k < K; k++)
                a[i * K + k] += b[i * K + k] * t;
        printf("%d\n", t);
    }
}
double g(const double *a, long n) {
    double s = 0;
    for (long i = 0; i < n; i++)
        s += a[i];
    return s;
}
EOF2
expect 0 "$orrery" analyze --all d.c
[ "$(grep -E '^d\.c:.*remark|-auto:' out | sed 's/: remark.*\[/ /; s/\]$//' | tr '\n' ';')" = \
"d.c:7:9 ORR2211;d.c:4:9 ORR1001;    orrery-cc -auto: runs in parallel;d.c:5:13 ORR1001;\
    orrery-cc -auto: is part of the loop at line 4, which is parallel;d.c:12:5 ORR1051;\
    orrery-cc -auto: stays serial: a sum in another order has other bits (-ffast-math allows them);" ] ||
    fail "what --all says of -auto"
expect 0 "$orrery" analyze --all --format=json d.c -- -ffast-math
[ "$(grep -o '"auto":[a-z]*' out | tr '\n' ' ')" = '"auto":false "auto":true "auto":false "auto":true ' ] ||
    fail "auto in JSON"
expect 0 "$cc" -O2 -auto -Rorrery -c d.c
says err '^d\.c:4:9: remark'
[ "$(grep -c 'remark:' err)" = 1 ] || fail "one loop is outermost and parallel"

# Rows behind a table of pointers are copied before anything can be asked: not for loops that nobody marked.
cat >g.c <<'EOF2'
void tally(long **rows, const long *x, int n, int k) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++)
            rows[j][0] += x[i * k + j];
}
EOF2
expect 0 "$orrery" analyze --all g.c
says out 'orrery-cc -auto: stays serial: the rows that it adds to would be copied first'
expect 0 "$orrery" emit -auto g.c
lacks orrery_rows_open out || fail "rows are copied for a loop that nobody marked"

# What is marked is not asked about.
mf_program mf.c
expect 0 "$cc" -O2 -auto mf.c -o mf -lm
regions 4 ./mf 200

expect 0 "$cc" -O2 a.c -o plain
! nm plain | grep -q orrery || fail "without -auto nothing is ours"

# Loops begin at a cache line, wherever the new text has moved them; the user's word goes first.
aligned() {
    expect 0 "$cc" "$@" -auto -S a.c -o a.s
    grep -c '\.p2align 6' a.s || true
}
[ "$(aligned -O2)" -gt 0 ] || fail "loops stand anywhere"
[ "$(aligned -Os)" = 0 ] || fail "-Os does not want space between loops"
[ "$(aligned -O2 -fno-align-loops -fno-align-jumps)" = 0 ] || fail "-fno-align-loops was not heard"
cat >a.c <<'EOF2'
static double x[100000], y[100000];
int main(void) {
    for (int i = 0; i < 100000; i++)
        if (x[i] < 0)
            if (y[i] > x[i])
                x[i] = y[i] * y[i] / x[i];
    return x[5] > 0;
}
EOF2
[ "$(aligned -O2)" -gt "$(aligned -O2 -fno-align-jumps)" ] || fail "loops that are jumped into stand anywhere"

# Variables that the body moves leave a loop as fast as it was, and all values as they were.
cat >moved.c <<'EOF2'
#include <stdio.h>
#include <stdlib.h>
enum { N = 4000 };
static float a[4 * N], b[4 * N], c[4 * N];
static long at[N], to[N];
static void dense(void) {
    int j = -1;
    for (int i = 0; i < N; i++) {
        j++;
        a[j] = b[i] * c[i];
    }
}
static void many(int step, long wide, long most) {
    int k = 3 * N, n = 0;
    long w = most, m = 0;
    float *p = a, *q = b + N;
    for (int i = 0; i < N; i += step) {
        k -= 3;
        p += 2;
        m += wide;
        w += n & 1 ? 0 : 1;
        *p = b[k] + *q++;
        at[i] = m;
        to[i] = k + (q - b);
    }
    printf("%d %ld %ld %ld\n", k, (long)(p - a), m, w);
}
int main(void) {
    for (int i = 0; i < 4 * N; i++)
        b[i] = rand() % 100, c[i] = rand() % 10;
    dense();
    many(1, 1L << 40, 5);
    many(3, -7, 1);
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] * (i % 7) + (double)at[i] + to[i] * 1e-3;
    printf("%.17g\n", sum);
    return 0;
}
EOF2
cc -O2 -ffp-contract=off moved.c -o serial && ./serial >want
expect 0 "$cc" -O2 -ftree-vectorize -fopt-info-vec-optimized -auto moved.c -o moved
says err '<orrery loop 0>:[0-9:]* optimized: loop vectorized'
for threads in 1 2 3; do
    ORRERY_AUTO_US=0 ORRERY_THREADS=$threads ./moved >got
    cmp -s want got || fail "$threads threads: variables that the body moves have other values"
done

# Where the run's check holds no iteration leaves the loop, but its text does; and it names what is not set yet.
cat >leaves.c <<'EOF2'
#include <stdio.h>
#define LEAVE return status
int coefficients(int order, double q, double *c);
int coefficients(int order, double q, double *c) {
    for (int k = 0; k < 8; k++)
        c[k] = q * k + order;
    return order > 15 && q > 1 ? order : 0;
}
static int returns(int most, double q, double *result) {
    double c[8];
    int k, status;
    for (int i = 0; i <= most; i++) {
        if (q == 0.0) {
            result[i] = i * .5;
            continue;
        }
        status = coefficients(i, q, c);
        if (status != 0)
            return status;
        for (k = 0; k < 8; k++)
            result[i] += c[k];
    }
    return 0;
}
static int by_macro(int most, double q, double *result) {
    double c[8];
    int k, status;
    for (int i = 0; i <= most; i++) {
        if (q == 0.0) {
            result[i] = i * .25;
            continue;
        }
        status = coefficients(i, q, c);
        if (status != 0)
            LEAVE;
        for (k = 0; k < 8; k++)
            result[i] += c[k];
    }
    return 0;
}
static int jumps(int most, double q, double *result) {
    double c[8];
    int k, status = 0;
    for (int i = 0; i <= most; i++) {
        if (q == 0.0) {
            result[i] = i * .125;
            continue;
        }
        status = coefficients(i, q, c);
        if (status != 0)
            goto out;
        for (k = 0; k < 8; k++)
            result[i] += c[k];
    }
out:
    return status;
}
int main(void) {
    static double result[20];
    int (*const all[])(int, double, double *) = {returns, by_macro, jumps};
    for (int f = 0; f < 3; f++)
        for (int q = 0; q < 3; q++) {
            int status = all[f](19, q, result);
            printf("%d %g %g\n", status, result[3], result[19]);
        }
    return 0;
}
EOF2
cc -O2 -ffp-contract=off leaves.c -o serial && ./serial >want
expect 0 "$cc" -O2 -Wall -Wextra -Werror -Rorrery -auto leaves.c -o leaves
for threads in 1 3; do
    ORRERY_AUTO_US=0 ORRERY_THREADS=$threads ./leaves >got
    cmp -s want got || fail "$threads threads: loops that leave have other values"
done

# What gcc takes and clang does not is gcc's: the file stays as it is. Not one with a mark, whose loop would be serial.
cat >nested.c <<'EOF2'
#include <stdio.h>
static int a[5000]; /* a word of orrery is no mark */
int main(void) {
    int k = 4;
    int more(int x) { return x * k; }
    for (int i = 0; i < 5000; i++)
        a[i] = more(i);
    printf("%d\n", a[4999]);
    return 0;
}
EOF2
expect 0 "$cc" -auto -O1 nested.c -o nested
says err '^nested\.c: warning: its loops stay serial' '^nested\.c:5:21: warning: .*ORR9001'
[ "$(./nested)" = 19996 ] || fail "the program of gcc prints something else"
sed 's/^    for/#pragma orrery parallel\n&/' nested.c >nested_marked.c
expect 1 "$cc" -auto -O1 nested_marked.c -o nested
says err '^nested_marked\.c:5:21: error: .*ORR9001'
sed "s/int k = 4/int l = 4/" nested.c >nested_wrong.c
expect 1 "$cc" -auto -O1 nested_wrong.c -o nested
says err "nested_wrong\.c:5.*error: .*k"

# Flags of the memory's layout: numbers of the tables stay as wide as the run library's; where structures or
# long double are others than it knows, loops stay as they are, and a mark is ignored aloud.
cat >layout.c <<'EOF2'
#include <stdio.h>
enum few { NONE, ONE, TWO };
static struct row {
    char kind;
    enum few few;
    long double wide;
} rows[5000];
static double cells[8];
static __WCHAR_TYPE__ letters[5000];
int main(void) {
    long total = 0;
    long double wide = 0;
    for (int i = 0; i < 5000; i++)
        letters[i] = (__WCHAR_TYPE__)(i * 70);
    for (int i = 0; i < 5000; i++) {
        rows[i].kind = (char)(i % 7);
        rows[i].few = i % 3;
        rows[i].wide = i % 13;
    }
    for (int i = 0; i < 5000; i++)
        total += rows[i].few;
    for (int i = 0; i < 5000; i++)
        cells[(int)rows[i].kind] = cells[(int)rows[i].kind] * .5 + rows[i].few;
    for (int i = 0; i < 5000; i++)
        wide = wide < rows[i].wide ? rows[i].wide : wide;
    printf("%ld %g %g %d\n", total, (double)wide, cells[3], (int)letters[4000]);
    return 0;
}
EOF2
for flag in -fshort-enums -fshort-wchar -fpack-struct=2 -mlong-double-64 -mlong-double-128; do
    cc "$flag" layout.c -o serial || continue
    expect 0 "$cc" "$flag" -auto layout.c -o parallel
    [ "$(ORRERY_AUTO_US=0 ORRERY_THREADS=2 ./parallel)" = "$(./serial)" ] || fail "$flag: another result"
done
sed 's/^    for/#pragma orrery parallel\n&/' layout.c >layout_marked.c
expect 0 "$cc" -fpack-struct=2 layout_marked.c -o parallel
says err 'layout_marked\.c:13:1: warning: this mark is ignored.*with -fpack-struct=2.*ORR2316'
# Flags that reach the preprocessor by way of others, and words that are none.
printf 'int asm[N];\nint main(void) {\n#pragma orrery parallel\n    for (int i = 0; i < N; i++)\n        asm[i] = i * M;\n    return asm[2];\n}\n' >words.c
expect 0 "$cc" -fno-asm -Wp,-DN=5000,-UM -Xpreprocessor -DM=3 -Xpreprocessor -MD -Xpreprocessor words.d -Rorrery words.c -o parallel
says err 'words\.c:4:5: remark: parallel'
ORRERY_THREADS=2 expect 6 ./parallel
