#!/bin/bash
# Sums into rows behind a table of pointers: rows that share elements stop the program, and so do
# rows of unknown length, unless -allow-fallback leaves the loop to its serial text, also when only the end tells.
. "$(dirname "$0")/common.sh"
program=$source/tests/programs/samples/rows_folded.c

gcc -O2 "$program" -o "$work/serial"
"$orrery_cc" -O2 -Werror=serial "$program" -o "$work/rows" || fail "orrery-cc"
[ "$("$work/rows" 5)" = "$("$work/serial" 5)" ] || fail "wrong sums"
for apart in 2 0; do
    refuses 1 "elements of row 0 of g that are not its own" "$work/rows" $apart
done
"$orrery_cc" -O2 -Werror=serial -allow-fallback "$program" -o "$work/either" || fail "orrery-cc"
for apart in 2 0; do
    [ "$("$work/either" $apart 2> "$work/said")" = "$("$work/serial" $apart)" ] || fail "-allow-fallback, $apart apart: wrong sums"
    grep -q 'runs serially: .*of row 0 of g that are not its own' "$work/said" || fail "-allow-fallback, $apart apart: $(cat "$work/said")"
done

from_one=$source/tests/programs/samples/rows_from_one.c
gcc -O1 "$from_one" -o "$work/serial"
"$orrery_cc" -O1 -Werror=serial "$from_one" -o "$work/rows" || fail "orrery-cc"
refuses 1 "in front of it to be counted from 1" "$work/rows"
"$orrery_cc" -O1 -Werror=serial -allow-fallback "$from_one" -o "$work/rows" || fail "orrery-cc"
"$work/rows" > "$work/found" 2> "$work/said" || fail "-allow-fallback: status $?"
[ "$(cat "$work/found")" = "$("$work/serial")" ] || fail "-allow-fallback: wrong sums"
[ "$(grep -c 'rows_from_one.c:18: runs serially: the size of the rows of counts' "$work/said")" = 1 ] ||
    fail "-allow-fallback: it does not say so once: $(cat "$work/said")"
"$orrery" run -n 2 --oversubscribe "$work/rows" > "$work/found" 2> "$work/said" || fail "-allow-fallback, two ranks: status $?"
[ "$(cat "$work/found")" = "$("$work/serial")" ] || fail "-allow-fallback, two ranks: wrong sums"
grep -q 'runs serially: .*of counts that are not its own' "$work/said" || fail "-allow-fallback, two ranks: $(cat "$work/said")"

# Large sums go from rank to rank in the order of the rows: the bits of one thread, and rank 0 gets one copy of them in
# each pass (3.6 MB), not one per row of the grid. With a sanitizer ($SANITIZE) only with late messages.
"$orrery_cc" -O2 -Werror=serial "$source/tests/programs/samples/large_sums.c" -o "$work/large" || fail "orrery-cc"
expected=$(ORRERY_THREADS=1 "$work/large")
settings=("2 2 0" "3 1 0" "4 1 5")
[ -z "${SANITIZE:-}" ] || settings=("4 1 5")
for setting in "${settings[@]}"; do
    read -r ranks threads torture <<< "$setting"
    found=$(ORRERY_STATS=1 ORRERY_DEBUG=torture=$torture timeout -k 2 300 "$orrery" run -n "$ranks" --threads "$threads" \
        --oversubscribe "$work/large" 2> "$work/said") || fail "large sums on $ranks ranks: $(cat "$work/said")"
    [ "$found" = "$expected" ] || fail "large sums on $ranks ranks of $threads threads: $found, not $expected"
    sed -n 's/^orrery: rank 0 .* received-mb \([0-9.]*\) .*/\1/p' "$work/said" |
        awk '{ sum += $1 } END { exit !(sum > 10 && sum < 12) }' || fail "rank 0 gets more: $(cat "$work/said")"
done
