#!/bin/bash
# Bad input of gauss_seidel and lcs: a message with its place, never a signal; and known answers.
. "$(dirname "$0")/common.sh"
lcs=$build/samples/lcs seidel=$build/samples/gauss_seidel

refuses 2 "unknown option \`--grit\`" "$seidel" --grit 2
refuses 2 "expected a whole number from 3" "$seidel" --grid 2
refuses 2 "expected a number from 0 to 2" "$seidel" --factor x
refuses 1 "cannot write" "$seidel" --grid 10 --output "$work"
refuses 2 "unexpected \`--edited\`" "$lcs" --edited
refuses 2 "one file; two texts" "$lcs" "$work/one"
refuses 1 "$work/none: error: cannot open" "$lcs" "$work/none" "$work/none"
: > "$work/empty"
refuses 1 "$work/empty:1: error: no letters" "$lcs" "$work/empty" "$work/empty"

# The textbooks' examples.
printf '>one\nABCB\nDAB\n' > "$work/a"
printf 'BDCABA' > "$work/b"
"$lcs" --output "$work/common" "$work/a" "$work/b" | grep -q 'subsequence 4, 4 letters' || fail "ABCBDAB, BDCABA"
[ "$(wc -c < "$work/common")" -eq 5 ] || fail "not four letters: $(cat "$work/common")"
printf 'kitten' > "$work/a"
printf 'sitting' > "$work/b"
"$lcs" --edit "$work/a" "$work/b" | grep -q 'distance 3,' || fail "kitten, sitting"
printf 'TTTACGTACGTTT' > "$work/a"
printf 'GGACGTACGGG' > "$work/b"
"$lcs" --local --output "$work/common" "$work/a" "$work/b" | grep -q 'alignment 14, 7 letters' || fail "ACGTACG"
[ "$(cat "$work/common")" = ACGTACG ] || fail "not ACGTACG: $(cat "$work/common")"
exit 0
