#!/bin/bash
# Bad input of cp, embed and glove: a message with its place, never a signal.
. "$(dirname "$0")/common.sh"
cp=$build/samples/cp embed=$build/samples/embed

bad() {
    printf -- "$2" > "$work/bad"
    refuses 1 "$work/bad:$3: error: $4" "$1" "$work/bad"
}

refuses 1 "$work/none: cannot open" "$cp" "$work/none"
refuses 1 "$work/none: cannot open" "$embed" "$work/none"
for text in '' '%%%% a comment\n\n'; do
    printf "$text" > "$work/bad"
    refuses 1 "$work/bad: error: no cells" "$cp" "$work/bad"
    refuses 1 "$work/bad: error: no edges" "$embed" "$work/bad"
done
bad "$cp" '1 2 3 4\n1 x 3 4\n' 2:3 'expected an index, a whole number'
bad "$cp" '1 2 3.5 4\n' 1:5 'expected an index, a whole number'
bad "$cp" '-1 2 3 4\n' 1:1 'an index is -1'
bad "$cp" '1 2 99999999999 4\n' 1:5 'an index is 99999999999'
bad "$cp" '1 2 3 4\n1 2 3\n' 2:6 'the line ends before column 4 of 4'
bad "$cp" '1 2 3 4\n1 2 3 x\n' 2:7 'expected a number in column 4'
bad "$cp" '1 2 3 4\n1 2 3 nan\n' 2:7 'column 4 is not a finite number'
bad "$cp" '1 2 3 4\n1 2 3 4 5\n' 2:9 'expected the end of the line'
printf '1 2 3\n' > "$work/bad"
refuses 1 "$work/bad: error: cells of 2 ways, expected three" "$cp" "$work/bad"
bad "$embed" '1 2\n1\n' 2:2 "expected the column's id"
bad "$embed" '1 -2\n' 1:3 "the column's id is -2"
bad "$embed" '1 2\n1 2 x\n' 2:5 'expected the end of the line'

printf '1 1 1 2\n2 2 2 4\n' > "$work/two"
"$cp" --epochs 2 "$work/two" > "$work/out" || fail "two cells"
printf '1 2\n2 1\n1 1' > "$work/graph"
"$embed" --epochs 2 "$work/graph" > "$work/out" || fail "three edges"
refuses 1 "the model diverged" "$cp" --rate 1e5 "$work/two"
refuses 1 "cannot write" "$cp" --epochs 0 --output "$work/no/where" "$work/two"
refuses 1 "cannot write" "$embed" --epochs 0 --output "$work/no/where" "$work/graph"
refuses 2 "unknown option \`--rnak\`" "$cp" --rnak 3 "$work/two"
refuses 2 "--rank \`0\`: expected a whole number from 1" "$embed" --rank 0
refuses 2 "--seed needs a value" "$cp" "$work/two" --seed
glove=$build/samples/glove
refuses 1 "$work/none: error: cannot open" "$glove" "$work/none"
printf 'one two three\n' > "$work/words"
refuses 1 "error: no two words that occur 5 times" "$glove" "$work/words"
: > "$work/words"
refuses 1 "error: no two words that occur 1 times" "$glove" --least 1 "$work/words"
refuses 2 "no text to read" "$glove"
printf 'a b\na b a\0c %2000s b' x > "$work/words"
"$glove" --least 1 --epochs 2 --vectors "$work/vectors" "$work/words" > "$work/out" || fail "a short text"
grep -q '^b -\?0\.' "$work/vectors" || fail "no vector of b"
refuses 2 "usage:" "$cp"
