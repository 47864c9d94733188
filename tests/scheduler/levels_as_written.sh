#!/bin/bash
# levels_as_written.sh BINDIR: an iteration waits for elements that it touches in this run, not for those it might have;
# where every iteration waits for the one before it, the loop runs as it is written, and says so once.
. "$(dirname "$0")/../lib.sh"
bin=$1
dir=$work

cat > "$dir/loop.c" << 'END'
#include <stdio.h>
enum { N = 20000, ROWS = 5000, K = 16 };
static float w[ROWS][K], h[K];
static int key[N], flag[N];
int main(void) {
    for (int i = 0; i < N; ++i)
        key[i] = (int)(i * 7919L % ROWS), flag[i] = i % 4000;
    for (int i = 0; i < ROWS; ++i)
        for (int k = 0; k < K; ++k)
            w[i][k] = .01f * (float)((i + k) % 9);
    for (int pass = 0; pass < 3; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < N; ++i) {
            if (flag[i] >= LEAST)
                for (int k = 0; k < K; ++k)
                    h[k] = .9f * h[k] + w[key[i]][k];
            for (int k = 0; k < K; ++k)
                w[key[i]][k] -= .001f * h[k];
        }
    }
    float sum = 0;
    for (int i = 0; i < ROWS; ++i)
        for (int k = 0; k < K; ++k)
            sum = .99f * sum + w[i][k];
    printf("%.9g %.9g\n", sum, h[3]);
    return 0;
}
END

build() {
    sed "s/LEAST/$1/" "$dir/loop.c" > "$dir/$2.c"
    gcc -O1 -ffp-contract=off "$dir/$2.c" -o "$dir/plain" && "$dir/plain" > "$dir/expected"
    "$bin/orrery-cc" -O2 -Werror=serial "$dir/$2.c" -o "$dir/$2" || fail "$2 stays serial"
}

# Five iterations of 20,000 write h: before and behind them all may run at once.
build 3999 seldom
ORRERY_THREADS=2 ORRERY_STATS=1 "$dir/seldom" > "$dir/out" 2> "$dir/err"
diff "$dir/expected" "$dir/out" || fail "other results"
read -r rows columns <<< "$(sed -n 's/.*levels grid \([0-9]*\)x\([0-9]*\) .*/\1 \2/p' "$dir/err")"
[ "$rows" -ge 8 ] && [ "$columns" -le 60 ] || { cat "$dir/err"; fail "iterations wait that touch nothing in common"; }

# All do.
build 0 always
for run in "--threads 1" "--threads 3" "-n 2 --oversubscribe"; do
    # shellcheck disable=SC2086
    timeout 300 "$bin/orrery" run $run -- "$dir/always" > "$dir/out" 2> "$dir/err" || { cat "$dir/err"; fail "$run"; }
    diff "$dir/expected" "$dir/out" || fail "$run: other results"
    [ "$(grep -c "always.c:13: runs serially: .*same element of 'h'.*(said once)" "$dir/err")" = 1 ] ||
        { cat "$dir/err"; fail "$run: not said once"; }
done
timeout 300 "$bin/orrery" verify --threads 1,2 --runs 1 -- "$dir/always" > "$dir/out" 2>&1 || { cat "$dir/out"; fail "verify"; }

# A nest that became one loop over records does what was written only where its arrays are apart: it is not tried as it is
# written, so that arrays which share memory in a late call are found.
cat > "$dir/records.c" << 'END'
#include <stdio.h>
#include <stdlib.h>
static void nest(long *ptr, int *col, unsigned *val, unsigned *X, unsigned *Y, unsigned *B, int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u) {
        unsigned b = B[u];
        for (int p = ptr[u]; p < ptr[u + 1]; p++) {
            X[u + 1] += b;
            unsigned x = X[u + 1] * 3u + Y[col[p]] + val[p];
            X[u + 1] = x;
            Y[col[p]] = Y[col[p]] * 5u + x;
        }
    }
}
int main(void) {
    static long ptr[61]; static int col[400]; static unsigned val[400], X[70], Y[50], Z[70];
    for (int i = 0; i < 400; ++i) { col[i] = (i * 7) % 50; val[i] = i * 13; }
    for (int i = 0; i <= 60; ++i) ptr[i] = i * 4;
    for (int r = 0; r < 30; ++r) nest(ptr, col, val, X, Y, Z, 60);
    nest(ptr, col, val, X, Y, X, 60);
    nest(ptr, col, val, X, Y, X + 1, 60);
    unsigned h = 0;
    for (int i = 0; i < 61; ++i) h = h * 31 + X[i];
    printf("%u\n", h);
}
END
gcc -O1 -w "$dir/records.c" -o "$dir/plain" && "$dir/plain" > "$dir/expected"
"$bin/orrery-cc" -O1 -w -Rorrery "$dir/records.c" -o "$dir/records" 2> "$dir/said"
grep -q 'ORR1703' "$dir/said" || { cat "$dir/said"; fail "it is no loop over records"; }
! ORRERY_THREADS=2 "$dir/records" > "$dir/out" 2> "$dir/err" || fail "shared memory is not found: $(cat "$dir/out")"
grep -Eq 'share memory|overlap' "$dir/err" || { cat "$dir/err"; fail "another reason"; }

# Data that leave one worker with everything are worth a word, once, where there are many.
cat > "$dir/waits.c" << 'END'
#include <stdio.h>
#include <stdlib.h>
enum { MOST = 70000 };
static int u[MOST], v[MOST];
static unsigned X[MOST], Y[40];
int main(int argc, char **argv) {
    int n = atoi(argv[argc - 1]);
    for (int i = 0; i < n; ++i)
        u[i] = i / 50, v[i] = (int)(i * 7919L % 40);
    for (int pass = 0; pass < 3; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < n; ++i) {
            unsigned x = X[u[i]];
            X[u[i]] = x * 3 + Y[v[i]];
            Y[v[i]] = Y[v[i]] * 5 + x + 1;
        }
    }
    unsigned h = 0;
    for (int i = 0; i < 40; ++i)
        h = h * 31 + X[i] + Y[i];
    printf("%u\n", h);
}
END
gcc -O1 -w "$dir/waits.c" -o "$dir/plain"
"$bin/orrery-cc" -O1 -w "$dir/waits.c" -o "$dir/waits"
for n in 70000 7000; do
    "$dir/plain" $n > "$dir/expected"
    for us in 0 5; do
        ORRERY_AUTO_US=$us ORRERY_THREADS=2 "$dir/waits" $n > "$dir/out" 2> "$dir/err" || { cat "$dir/err"; fail "waits $n"; }
        cmp "$dir/out" "$dir/expected" || fail "waits $n: other results"
        words='waits.c:12: one worker runs it all'
        [ $us = 0 ] || words='waits.c:12: runs serially: as it is written, where in its order iterations wait for each other'
        [ "$(grep -c "$words" "$dir/err")" = $((n == 70000)) ] || { cat "$dir/err"; fail "waits $n: one word"; }
    done
done

# Rows of records whose items come in any order are seen to wait for each other from a part of them,
# and run in the user's own words; sorted ones run by levels, as do rows longer than what is looked at. So do
# chains that are as long as a quarter of that (a row shares an element with the next one, 780 in turn), and
# chains that lie spread (with the row 100 behind).
cat > "$dir/rows.c" << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void train(unsigned *restrict U, unsigned *restrict V, const int *restrict ptr, const int *restrict col, int rows) {
#pragma orrery parallel
    for (int u = 0; u < rows; u++)
        for (int p = ptr[u]; p < ptr[u + 1]; p++) {
            unsigned x = U[u];
            U[u] = x * 3 + V[col[p]];
            V[col[p]] = V[col[p]] * 5 + x + 1;
        }
}
int main(int argc, char **argv) {
    int chains = !strcmp(argv[1], "chains"), spread = !strcmp(argv[1], "spread");
    int rows = chains || spread ? 50000 : argc > 2 ? 50 : 2000, per = 100000 / rows, cols = rows + 20 * per + 200;
    int *ptr = calloc(rows + 1, sizeof *ptr), *col = calloc(rows * per, sizeof *col);
    unsigned *U = calloc(rows, sizeof *U), *V = calloc(cols, sizeof *V), h = 0, s = 7;
    for (int u = 0; u < rows; u++) {
        ptr[u + 1] = ptr[u] + per;
        for (int j = 0; j < per; j++) {
            s = s * 1664525u + 1013904223u;
            int any = strcmp(argv[1], "sorted") ? (int)((s >> 8) % (unsigned)(per / 4 + 1)) : j * 20 + (int)(s >> 8) % 20;
            col[ptr[u] + j] = chains ? u + u / 780 + j : spread ? u + j * 100 : argc > 2 ? (int)(s >> 8) % cols : any;
        }
    }
    for (int pass = 0; pass < 9; pass++)
        train(U, V, ptr, col, rows);
    for (int i = 0; i < cols; i++)
        h = h * 31 + V[i];
    printf("%u\n", h);
}
END
gcc -O1 -w "$dir/rows.c" -o "$dir/plain"
"$bin/orrery-cc" -O1 -w "$dir/rows.c" -o "$dir/rows"
for how in any sorted 'any long' chains spread; do
    "$dir/plain" $how > "$dir/expected"
    ORRERY_STATS=1 ORRERY_THREADS=1 "$dir/rows" $how > "$dir/out" 2> "$dir/err" || { cat "$dir/err"; fail "rows, $how, one thread"; }
    cmp "$dir/out" "$dir/expected" || fail "rows, $how, one thread: other results"
    lacks 'rows.c:6 .*inspections 1 ' "$dir/err" || { cat "$dir/err"; fail "rows, $how: one worker inspects"; }
    ORRERY_STATS=1 ORRERY_THREADS=2 "$dir/rows" $how > "$dir/out" 2> "$dir/err" || { cat "$dir/err"; fail "rows, $how"; }
    cmp "$dir/out" "$dir/expected" || fail "rows, $how: other results"
    [ "$(grep -c 'rows.c:6 .*inspections 1 ' "$dir/err")" = "$([ "$how" = any ]; echo $?)" ] || { cat "$dir/err"; fail "rows, $how: inspected or not"; }
    [ "$(grep -c 'rows.c:6: runs serially: as it is written, where in its order' "$dir/err")" = "$([ "$how" != any ]; echo $?)" ] || { cat "$dir/err"; fail "rows, $how: said or not"; }
done
