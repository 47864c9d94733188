#!/bin/bash
# Bad input of mf: a message with its place, never a signal. MF: the program (default: plain build).
. "$(dirname "$0")/common.sh"
make_small
mf=${MF:-$build/samples/mf}

bad() {
    printf "$1" > "$work/bad.mtx"
    refuses 1 "$work/bad.mtx:$2: error: $3" "$mf" "$work/bad.mtx"
}

refuses 1 "$work/none: error: cannot open" "$mf" "$work/none"
refuses 1 "error: cannot" "$mf" "$work"
bad '' 1:1 'the file holds no ratings'
bad '%% only a comment\n\n' 3:1 'the file holds no ratings'
bad '1 2 3\n1 x 3\n' 2:3 'expected item id, a whole number'
bad '1 2 3\n  1 2.5 3\n' 2:5 'expected item id, a whole number'
bad '1 2 3\n1 2\n' 2:4 'expected rating before the line ends'
bad '1 2 3\n1\n' 2:2 'expected item id before the line ends'
bad '1 2 3\n1 2 3 4\n' 2:7 'expected the end of the line'
bad '1 2 3\n1 2 3x\n' 2:5 'expected rating, a number'
bad '1 2 3\n0 2 3\n' 2:1 'user id 0 is out of range'
bad '1 2 3\n1 -2 3\n' 2:3 'item id -2 is out of range'
bad '1 2 3\n99999999999999999999 2 3\n' 2:1 'user id 99999999999999999999 is out of range'
bad '1 2 3\n1 2 nan\n' 2:5 'rating nan is not a finite number'
bad '1 2 3\n1 2 inf\n' 2:5 'rating inf is not a finite number'
bad '1 2 3\n1 2 1e99\n' 2:5 'rating 1e99 is not a finite number'
bad '%%%%MatrixMarket matrix array real general\n' 1:1 'expected `%%MatrixMarket matrix coord'
bad '%%%%MatrixMarket matrix coordinate real general\n' 2:1 'expected the size line'
bad '%%%%MatrixMarket matrix coordinate real general\n2 2\n' 2:4 'expected the number of entries'
bad '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 5\n' 3:1 'user id 3 is out of range 1 to 2'
bad '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 5\n' 4:1 'the file ends after 1 entries'
bad '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 5\n1 2 4\n' 5:1 'the file ends after 2 entries'
bad "$(printf '%600s' 1) 2 3\n" 1:1 'the line is longer than'

printf '1 1 1\n2 2 2\n3 1 1\n' > "$work/train"
printf '1 1 1\n4 1 1\n' > "$work/test"
refuses 1 "$work/test:2:1: error: user id 4 is out of range 1 to 3" "$mf" --test "$work/test" "$work/train"
refuses 1 "the model diverged" "$mf" --rate 1e5 --epochs 5 "$small"
refuses 1 "cannot write" "$mf" --epochs 0 --output "$work/no/where" "$work/train"
refuses 2 "unknown option \`--rnak\`" "$mf" --rnak 3 "$small"
refuses 2 "--rank \`0\`: expected a whole number from 1" "$mf" --rank 0 "$small"
refuses 2 "--rank \`many\`: expected" "$mf" --rank many "$small"
refuses 2 "--seed needs a value" "$mf" "$small" --seed
refuses 2 "usage:" "$mf"

printf '7 9 4.5\n' > "$work/one"
"$mf" --epochs 2 "$work/one" > "$work/out" || fail "one rating"
printf '1 1 1\r\n2 1 2\r\n' > "$work/crlf"
"$mf" --epochs 2 "$work/crlf" > "$work/out" || fail "lines that end as on Windows"
printf '1 1 1\n1 2 2\n2 1 1' > "$work/open"
"$mf" --epochs 2 "$work/open" > "$work/out" 2> "$work/err" || fail "no newline at the end"
grep -Fq "the ratings are sorted" "$work/err" || fail "a sorted file is not pointed out"
