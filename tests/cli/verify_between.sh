#!/bin/bash
# `orrery verify` sees what differs between passes and between merges, where the results are the same in the end: the
# programs go wrong on two threads for a while. What it says names loop, pass, region, place and both values.
. "$(dirname "$0")/lib.sh"
cat >common.h <<'EOF2'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 8000, ROWS = 40 };
static int k[N], j[N];
static float e[N], w[ROWS], zero;
static unsigned H[ROWS], W[ROWS];
static unsigned wrong(void) {
    const char *threads = getenv("ORRERY_THREADS");
    return PLANT && threads && strcmp(threads, "2") == 0;
}
static void data(void) {
    for (int i = 0; i < N; i++) {
        k[i] = i * 7 % ROWS;
        j[i] = i * 13 % (ROWS - 1) + (i % 5 > 2);
        e[i] = (float)(i % 3);
        H[i % ROWS] = (unsigned)i;
    }
}
EOF2
# Passes that flow into each other: the sum of the second one is wanted by nobody.
cat >sums.c <<'EOF2'
#include "common.h"
int main(void) {
    unsigned sum = 0, plant = wrong();
    data();
    for (int pass = 0; pass < 4; pass++) {
        unsigned more = pass == 1 ? plant : 0;
        sum = 0;
#pragma orrery parallel
        for (int i = 0; i < N; i++) {
            W[k[i]] = W[k[i]] * 3 + H[j[i]];
            H[j[i]] = H[j[i]] + W[k[i]] % 1000;
            sum += W[k[i]] + more;
        }
    }
    printf("%u\n", sum);
    return 0;
}
EOF2
cat >last.c <<'EOF2'
#include "common.h"
int main(void) {
    data();
    for (int pass = 0; pass < 3; pass++) {
        int last = -1, more = pass == 1 ? (int)wrong() : 0;
#pragma orrery parallel
        for (int i = 0; i < N; i++) {
            e[i] = e[i] * 2 + 1;
            last = k[i] + more;
        }
        printf("%d\n", last - more);
    }
    return 0;
}
EOF2
for clause in 'relax(add : w)' 'buffer(w : apply)'; do
    name=${clause%%(*}
    cat >"$name.c" <<EOF2
#include "common.h"
static void apply(float *element, float update, long i) {
    *element += update * (1 + (float)(i % 2));
}
static void pass(long n) {
#pragma orrery parallel unordered $clause sync(steps=4)
    for (long i = 0; i < n; i++)
        w[k[i]] += e[i] - w[0] * zero;
}
int main(void) {
    data();
    (void)apply;
    if (wrong()) {
        e[27] += 1;
        e[N - ROWS + 27] -= 1;
    }
    pass(N);
    printf("%g\n", (double)w[29]);
    return 0;
}
EOF2
done

"$orrery" analyze sums.c -- -DPLANT=0 | grep -q ORR1404 || fail "the passes of sums.c do not flow into each other"
for name in sums last relax buffer; do
    for plant in 0 1; do
        "$cc" -O1 -w -ffp-contract=off -DPLANT=$plant -Werror=serial $name.c -o $name >out 2>err || fail "$name: orrery-cc"
        ORRERY_THREADS=1 ./$name >one
        ORRERY_THREADS=2 ./$name >two
        cmp one two || fail "$name: the results differ"
        expect $plant "$orrery" verify --threads 1,2,3 --ranks 2 --runs 1 ./$name
    done
    case $name in
    sums) says err 'different: 2 threads \(run 1\): loop sums.c:9, pass 2 \(region 1\), reduction sum$' ;;
    last) says err 'different: 2 threads \(run 1\): loop last.c:7, pass 2 \(region 2\), reduction last$' ;;
    *) says err "different: 2 threads \(run 1\): loop $name.c:7, pass 1 \(region 1\), after merge 1, reduction w, element 29$" ;;
    esac
    says err '^  one thread: 0x' '^  2 threads \(run 1\): 0x'
done

# Rows by keys that are not all there: the row that differs has its own number.
cat >rows.c <<'EOF2'
#include "common.h"
static double A[200][5];
int main(void) {
    data();
    for (int pass = 0; pass < 2; pass++) {
        double more = pass == 0 ? wrong() : -2.0 * wrong();
#pragma orrery parallel
        for (int i = 0; i < N; i++)
            for (int c = 0; c < 5; c++)
                A[k[i] * 3 + 7][c] = A[k[i] * 3 + 7][c] * .5 + (i == N - 31 && c == 3 ? more : c);
    }
    printf("%g\n", A[0][0]);
    return 0;
}
EOF2
"$cc" -O1 -w -ffp-contract=off -DPLANT=1 -Werror=serial rows.c -o rows >out 2>err || fail "rows: orrery-cc"
expect 1 "$orrery" verify --threads 1,2 --ranks 0 --runs 1 ./rows
says err 'loop rows.c:8, pass 1 \(region 1\), array A, row of key 23, column 3$'
