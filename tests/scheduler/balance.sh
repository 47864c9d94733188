#!/bin/bash
# balance.sh BINDIR: blocks of loops whose iterations are of different lengths carry equal work, and are cut anew when
# the lengths change; the same bits on threads and ranks.
. "$(dirname "$0")/../lib.sh"

bin=$1
dir=$work
cd "$dir"

cat > rows.c << 'END'
#include <stdio.h>
#include <stdlib.h>

enum { N = 4000 };

static void product(const long *ptr, const int *col, const double *val, const double *x, double *y, double *norm) {
    double sum = 0;
#pragma orrery parallel
    for (long i = 0; i < N; ++i) {
        double dot = 0;
        for (long p = ptr[i]; p < ptr[i + 1]; ++p)
            dot += val[p] * x[col[p]];
        y[i] = dot;
        sum += dot * dot;
    }
    *norm = sum;
}

/* Rows of other lengths, from the last to the first, each second one. */
static void triangle(double *t) {
#pragma orrery parallel
    for (long i = N - 1; i > 0; i -= 2) {
        double last = 1;
        for (long j = 0; j <= i; ++j)
            last = last * 0.5 + (double)j;
        t[i] += last;
    }
}

/* By key: half of the keys have all the work. */
static void keyed(const int *key, const long *ptr, const double *val, double *w) {
#pragma orrery parallel
    for (long i = 0; i < N; ++i)
        for (long p = ptr[i]; p < ptr[i + 1]; ++p)
            w[key[i]] = w[key[i]] * 0.999 + val[p];
}

int main(int argc, char **argv) {
    long passes = argc > 1 ? atol(argv[1]) : 4;
    long *ptr = malloc((N + 1) * sizeof *ptr), most = 3500 * 3 + 500 * 300;
    int *col = malloc((size_t)most * sizeof *col), *key = malloc(N * sizeof *key);
    double *val = malloc((size_t)most * sizeof *val), *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y),
           *w = calloc(N, sizeof *w), norm = 0;
    for (long p = 0; p < most; ++p) {
        col[p] = (int)(p * 7919 % N);
        val[p] = 1.0 / (double)(1 + p % 13);
    }
    for (long i = 0; i < N; ++i) {
        x[i] = 1;
        key[i] = (int)(i / 4);
    }
    for (long pass = 0; pass < passes; ++pass) {
        if (pass % 2 == 0) /* long rows at the end, then at the beginning */
            for (long i = 0; i < N; ++i) {
                if (i == 0)
                    ptr[0] = 0;
                ptr[i + 1] = ptr[i] + ((pass % 4 == 0 ? N - 1 - i : i) < 500 ? 300 : 3);
            }
        product(ptr, col, val, x, y, &norm);
        triangle(y);
        keyed(key, ptr, val, w);
        for (long i = 0; i < N; ++i)
            x[i] = y[i] / N;
        printf("%ld %.10g %.17g %.17g\n", pass, norm, y[N - 1], w[N / 4 - 1]);
    }
    free(ptr), free(col), free(key), free(val), free(x), free(y), free(w);
    return 0;
}
END
"$bin/orrery-cc" -O2 rows.c -o rows -lm
cc -O2 -ffp-contract=off rows.c -o serial -lm
./serial > expected

for threads in 1 2 3; do
    ORRERY_THREADS=$threads ./rows > "out.$threads"
    cmp -s expected "out.$threads" || { diff expected "out.$threads" >&2; fail "other results with $threads threads"; }
done
for ranks in 2 3; do
    "$bin/orrery" run -n $ranks --threads 1 ./rows > out.ranks 2> err || { cat err >&2; fail "status with $ranks ranks"; }
    cmp -s expected out.ranks || { diff expected out.ranks >&2; fail "other results with $ranks ranks"; }
done
"$bin/orrery" verify --threads 1,2 --ranks 2 --runs 1 ./rows 2 > out.verify 2>&1 || { cat out.verify >&2; fail "orrery verify"; }

# Work of the rows of the grid, by the program's own lengths: the first and the second shape of the data.
for passes in 1 3; do
    ORRERY_GRID=8x8 ORRERY_THREADS=1 ORRERY_PROFILE=profile ./rows $passes > out.profile
    python3 - $passes << 'END' || fail "work of the rows after $passes passes"
import json, sys
passes, n = int(sys.argv[1]), 4000
long_ones = range(3500, 4000) if passes == 1 else range(500)
lengths = [300 if i in long_ones else 3 for i in range(n)]
loops = json.load(open("profile"))["loops"]
product, triangle, keyed = [[s[2] for s in sorted(loop["steps"])] for loop in loops]
assert len(product) == len(triangle) == 8, loops
def works(counts, lengths):
    at, sums = 0, []
    for count in counts:
        sums.append(sum(lengths[at:at + count]))
        at += count
    assert at == len(lengths), counts
    return sums
for what, sums in (("product", works(product, lengths)), ("triangle", works(triangle, list(range(n, 0, -2))))):
    assert max(sums) * 8 < 1.1 * sum(sums), (what, sums)
# Of the eight parts of the keys one or two have the many short rows.
assert max(keyed) > 4 * min(keyed), keyed
END
done
exit 0
