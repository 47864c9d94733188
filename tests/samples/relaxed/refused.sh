#!/bin/bash
# What only a run can tell of relax() and buffer(): it stops with the array and the reason.
. "$(dirname "$0")/../../lib.sh"

build=${TREE_BUILD:?}

# WORDS DECLARATIONS SETUP: the loop over w, a float *, stops and says the words.
refuses() {
    cat > "$work/t.c" << TEXT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 1000 };
static float other[N], *beside = other;
$2
static void pass(float *w, const float *x, const int *j) {
$PRAGMA
    for (long i = 0; i < N; ++i)
        w[j[i]] += x[i] - w[j[i]] * w[0];
}
int main(void) {
    float *w = calloc(N, sizeof *w), *x = calloc(N, sizeof *x);
    int *j = calloc(N, sizeof *j);
    for (int i = 0; i < N; ++i)
        x[i] = 1, j[i] = i % 10;
    $3
    printf("%g\n", (double)w[0] + other[0] + beside[0]);
}
TEXT
    "$build/bin/orrery-cc" -O1 -w -Werror=serial "$work/t.c" -o "$work/t" -lm > "$work/said" 2>&1 ||
        { cat "$work/said"; echo "FAILED: $1: does not build"; exit 1; }
    status=0
    ORRERY_THREADS=2 timeout 300 "$work/t" > "$work/out" 2> "$work/err" || status=$?
    if [ -z "$1" ]; then
        [ $status -eq 0 ] || { cat "$work/err"; echo "FAILED: refused"; exit 1; }
    elif [ $status -ne 1 ] || ! grep -qF -- "$1" "$work/err"; then
        cat "$work/err"
        echo "FAILED: status $status, wanted 1 and: $1"
        exit 1
    fi
}

apply='static void apply(float *w, float u, long i) { beside[i] += u; *w += u * .01f; }'
PRAGMA='#pragma orrery parallel unordered relax(w)'
refuses '' '' 'x[5] = 2; pass(w, x, j);'
refuses 'grid row 8 made w[7] infinite or not a number' '' 'x[507] = NAN; pass(w, x, j);'
refuses 'grid row 8 made w[7] infinite or not a number, on rank 0' '' 'x[507] = NAN; pass(w, x, j);'
export ORRERY_MOST_CHANGE=1000
refuses '' '' 'x[557] = 900; pass(w, x, j);'
refuses 'grid row 8 made w[7] other by more than 1000 (ORRERY_MOST_CHANGE), on rank 0' '' 'x[557] = 1100; pass(w, x, j);'
refuses 'grid row 8 made w[7] other by more than 1000 (ORRERY_MOST_CHANGE), on rank 0' '' 'x[557] = -1100; pass(w, x, j);'
unset ORRERY_MOST_CHANGE
refuses 'w points 40 bytes behind the start of its memory' '' 'pass(w + 10, x, j);'
refuses 'w and x' '' 'pass(w, w, j);'
PRAGMA='#pragma orrery parallel unordered relax(w) extent(w : 10)'
refuses '' '' 'pass(w + 10, x, j);'
PRAGMA='#pragma orrery parallel unordered buffer(w : apply)'
refuses '' "$apply" 'pass(w, x, j);'
refuses 'grid row 8 made w[7] infinite or not a number' "$apply" 'x[507] = INFINITY; pass(w, x, j);'
refuses 'beside, which the buffer() function of w touches, overlaps w' "$apply" 'beside = w; pass(w, x, j);'
refuses 'beside, which the buffer() function of w touches, overlaps x' "$apply" 'beside = x; pass(w, x, j);'
refuses 'beside has less elements than w' "$apply" 'beside = other + 1; pass(w, x, j);'
refuses 'beside has less elements than w' "$apply" 'beside = 0; pass(w, x, j);'
both='static float third[2 * N];
static void apply(float *w, float u, long i) { third[i] += u; beside[i] += u; *w += u; }'
refuses 'touches, overlaps' "$both" 'beside = third + 5; pass(w, x, j);'
refuses '' "$both" 'beside = third + N; pass(w, x, j);'

# Sixteen rows correct one error sixteen times when they are added up: this is said once, and not of other rules.
grows() {
    cat > "$work/g.c" << TEXT
#include <stdio.h>
enum { N = 1600 };
static float w[10];
static void pass(void) {
#pragma orrery parallel unordered relax($1w)
    for (int i = 0; i < N; ++i)
        w[i % 10] += .1f * (1 - w[i % 10]);
}
int main(void) {
    for (int p = 0; p < 8; ++p)
        pass();
    printf("%d\n", w[3] > .9f && w[3] < 1.1f);
}
TEXT
    "$build/bin/orrery-cc" -O1 -w -Werror=serial "$work/g.c" -o "$work/g" > "$work/said" 2>&1 ||
        { cat "$work/said"; echo "FAILED: g.c does not build"; exit 1; }
    [ "$(ORRERY_THREADS=2 timeout 300 "$work/g" 2> "$work/err")" = "$2" ] && [ "$(grep -c 'g.c:6: relaxed w may diverge: .*leave out `add`' "$work/err")" = "$3" ] ||
        { cat "$work/err"; echo "FAILED: relax($1w)"; exit 1; }
}

grows 'add : ' 0 1
grows 'average : ' 1 0
grows '' 1 0
