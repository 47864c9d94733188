#!/bin/bash
# The triangular solves keep the loop's own order: the solution has the bits of gcc's program for any
# number of threads, on a grid and on a matrix whose rows stand in no order of levels.
. "$(dirname "$0")/common.sh"

awk 'BEGIN {
    srand(7); n = 3000; print "%%MatrixMarket matrix coordinate real symmetric"
    for (i = 2; i <= n; ++i)
        for (k = 0; k < 3 && k < i - 1; ++k) { j = 1 + int(rand() * (i - 1)); if (!((i, j) in seen)) { seen[i, j] = 1; list[++m] = i " " j " " -rand() } }
    print n, n, m + n
    for (i = 1; i <= n; ++i) print i, i, 60
    for (k = 1; k <= m; ++k) print list[k]
}' > "$work/random.mtx"
compile gcc sptrsv "$work/plain"
compile "$orrery_cc" sptrsv "$work/sptrsv"
for matrix in "--grid 90" "$work/random.mtx"; do
    # shellcheck disable=SC2086
    "$work/plain" --steps 20 --output "$work/plain.x" $matrix > "$work/plain.out"
    for threads in 1 2 3 8; do
        # shellcheck disable=SC2086
        ORRERY_STATS=1 ORRERY_THREADS=$threads timeout 300 "$work/sptrsv" --steps 20 \
            --output "$work/x" $matrix > "$work/out" 2> "$work/err" || fail "$threads threads"
        cmp "$work/plain.x" "$work/x" || fail "$matrix: $threads threads: another solution"
        [ "$(grep -c 'levels grid' "$work/err")" -eq 2 ] || { cat "$work/err"; fail "no levels"; }
        # The right-hand side changes with every step, what the lists read does not.
        [ "$(grep -A1 'levels grid' "$work/err" | grep -c ' inspections 1 ')" -eq 2 ] ||
            { cat "$work/err"; fail "inspected again"; }
    done
done
for ranks in 2 3 4; do
    timeout 300 "$orrery" run -n $ranks --oversubscribe --threads 1 -- "$work/sptrsv" --steps 5 --output "$work/x" \
        --grid 60 > "$work/out" 2> "$work/err" || { cat "$work/err"; fail "$ranks ranks"; }
    "$work/plain" --steps 5 --output "$work/plain.x" --grid 60 > "$work/plain.out"
    cmp "$work/plain.x" "$work/x" || fail "$ranks ranks: another solution"
done
