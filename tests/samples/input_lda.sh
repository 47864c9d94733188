#!/bin/bash
# Bad input of lda: a message with its place, never a signal. LDA: the program.
. "$(dirname "$0")/common.sh"
lda=${LDA:-$build/samples/lda}

bad() {
    printf "$1" > "$work/bad"
    refuses 1 "$work/bad:$2: error: $3" "$lda" "$work/bad"
}

refuses 1 "$work/none: error: cannot open" "$lda" "$work/none"
bad 'x 1:1\n' 1:1 'expected how many words follow'
bad '2 1:1\n' 1:7 'expected a word and a colon'
bad '1 1:1 2:1\n' 1:7 'expected the end of the line'
bad '1 -1:1\n' 1:3 'expected a word and a colon'
bad '1 5\n' 1:3 'expected a word and a colon'
bad '1 5:x\n' 1:5 'expected how often'
bad '1 5:9999999\n' 1:5 'expected how often'
printf '\n# nothing\n' > "$work/empty"
refuses 1 "$work/empty: error: no words" "$lda" "$work/empty"
refuses 2 "usage: lda" "$lda"
printf '1 2:3\n2 0:1 1:2\n' > "$work/good"
"$lda" --held-out 0 --epochs 2 --output "$work/model" "$work/good" > "$work/out" || fail "two documents"
[ "$(head -n 1 "$work/model")" = "lda-model 3 100" ] || fail "not three words"
