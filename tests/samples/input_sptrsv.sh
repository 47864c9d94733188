#!/bin/bash
# Bad input of sptrsv: a message with its place, never a signal. SPTRSV: the program.
. "$(dirname "$0")/common.sh"
sptrsv=${SPTRSV:-$build/samples/sptrsv}
head='%%%%MatrixMarket matrix coordinate real symmetric\n'

bad() {
    # shellcheck disable=SC2059
    printf "$1" > "$work/bad.mtx"
    refuses 1 "$work/bad.mtx:$2: error: $3" "$sptrsv" "$work/bad.mtx"
}

refuses 1 "$work/none: error: cannot open" "$sptrsv" "$work/none"
bad '' 1 'expected `%%MatrixMarket'
bad "$head" 1 'the file ends before its sizes'
bad "$head"'%% words\n2 3 1\n' 3 'expected the sizes of a square matrix'
bad "$head"'2 2 3\n1 1 1\n2 x 1\n' 4 'expected a number'
bad "$head"'2 2 3\n1 1 1\n3 1 1\n' 4 'expected a row and a column'
bad "$head"'2 2 3\n1 1 1\n1 2 1\n' 4 'expected entries of the lower triangle only'
bad "$head"'2 2 3\n1 1 1\n2 1 1\n' 4 'the file ends before its last entry'
bad "$head"'2 2 2\n1 1 1\n2 1 1\n' 4 'the diagonal is not positive'
refuses 2 "unknown option \`--grit\`" "$sptrsv" --grit 2
refuses 2 "expected a whole number from 1" "$sptrsv" --grid 0

# shellcheck disable=SC2059
printf "$head"'2 2 3\n1 1 2\n2 2 2\n2 1 1\n' > "$work/two.mtx"
"$sptrsv" --output "$work/x" "$work/two.mtx" > "$work/out" || fail "two rows"
# 2 x + y = 1, x + 2 y = 2
od -An -t f8 "$work/x" | awk '{ good = $1 < 1e-7 && $1 > -1e-7 && $2 > 1 - 1e-7 && $2 < 1 + 1e-7 } END { exit !good }' ||
    fail "the solution is $(od -An -t f8 "$work/x")"
