#!/bin/bash
# levels_ranks.sh BINDIR: loops by levels on several ranks have the bits of the serial program.
. "$(dirname "$0")/../lib.sh"
bin=$1
here=$tree/tests/programs/levels
dir=$work

gcc -O1 -w -ffp-contract=off "$here/by_levels.c" -o "$dir/plain"
"$dir/plain" > "$dir/expected"
"$bin/orrery-cc" -O2 -Werror=serial "$here/by_levels.c" -o "$dir/levels"
[ "$("$bin/orrery" analyze "$here/by_levels.c" 2>&1 | grep -c 'ORR1401')" = 6 ] || fail "not all are by levels"
runs=("1 2 0x0" "2 1 1x1" "2 2 5x1" "3 1 0x0" "4 2 1x1" "3 2 5x1")
[ -z "${SANITIZE:-}" ] || runs=("3 2 5x1")
for run in "${runs[@]}"; do
    read -r ranks threads rows <<< "$run"
    ORRERY_GRID=$rows timeout 300 "$bin/orrery" run -n "$ranks" --oversubscribe --threads "$threads" -- "$dir/levels" \
        > "$dir/out" 2> "$dir/err" || { cat "$dir/err"; fail "$ranks ranks, $threads threads, grid $rows"; }
    diff "$dir/expected" "$dir/out" || fail "$ranks ranks, $threads threads, grid $rows: other results"
done
timeout 300 "$bin/orrery" verify --threads 1,2 --ranks 2,3 --runs 1 -- "$dir/levels" > "$dir/out" 2>&1 ||
    { cat "$dir/out"; fail "verify"; }

# What an iteration changes beside what it is listed by cannot be told to the others.
cat > "$dir/beside.c" << 'END'
#include <stdlib.h>
int main(void) {
    int n = 1000, *to = malloc(n * sizeof *to);
    double *x = calloc(n, sizeof *x), *last = calloc(n, sizeof *last);
    for (int i = 0; i < n; ++i)
        to[i] = i * 7919 % 90;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        x[to[i]] = x[to[i]] * .5 + x[to[i] + 1];
        last[i] = x[to[i]];
    }
    return last[n - 1] > 1;
}
END
"$bin/orrery-cc" -Werror=serial "$dir/beside.c" -o "$dir/beside"
ORRERY_THREADS=2 "$dir/beside" || fail "threads"
! timeout 300 "$bin/orrery" run -n 2 -- "$dir/beside" > "$dir/out" 2>&1 || fail "ranks lose what is written beside"
grep -q 'by levels on several ranks .*; last (.*beside.c:[0-9]*) is not' "$dir/out" || { cat "$dir/out"; fail "does not name it"; }
