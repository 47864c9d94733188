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

# What an iteration changes beside what it is listed by: a row of its own is told to the others, too; what it may
# change by a fact cannot be.
cat > "$dir/where.c" << 'END'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int n = 1000, *to = malloc(n * sizeof *to), *order = malloc(n * sizeof *order);
    double *x = calloc(n, sizeof *x), *last = calloc(n, sizeof *last), sum = 0;
    for (int i = 0; i < n; ++i)
        x[i] = i, to[i] = i * 7919 % 90, order[i] = i * 7 % n;
#pragma orrery parallel assume(injective(order))
    for (int i = 0; i < n; ++i) {
        x[to[i]] = x[to[i]] * .5 + x[to[i] + 1];
        last[WHERE] = x[to[i]];
    }
    for (int i = 0; i < n; ++i)
        sum = sum * .75 + last[i];
    printf("%.17g\n", sum);
    return 0;
}
END
sed 's/ assume.*//; s/WHERE/i/' "$dir/where.c" > "$dir/beside.c"
"$bin/orrery-cc" -Werror=serial "$dir/beside.c" -o "$dir/beside"
ORRERY_THREADS=2 "$dir/beside" > "$dir/expected" || fail "threads"
timeout 300 "$bin/orrery" run -n 2 -- "$dir/beside" > "$dir/out" 2>&1 || { cat "$dir/out"; fail "rows of their own"; }
diff "$dir/expected" "$dir/out" || fail "ranks lose what is written beside"
sed 's/WHERE/order[i]/' "$dir/where.c" > "$dir/beside.c"
"$bin/orrery-cc" -Werror=serial "$dir/beside.c" -o "$dir/beside"
ORRERY_THREADS=2 "$dir/beside" > "$dir/expected" || fail "threads"
! timeout 300 "$bin/orrery" run -n 2 -- "$dir/beside" > "$dir/out" 2>&1 || fail "ranks run what they cannot tell"
grep -q 'by levels on several ranks .*; last (.*beside.c:[0-9]*) is not' "$dir/out" || { cat "$dir/out"; fail "does not name it"; }
