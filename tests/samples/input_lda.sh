#!/bin/bash
# Bad input of lda: a message with its place, never a signal. LDA: the program.
. "$(dirname "$0")/common.sh"
lda=${LDA:-$build/samples/lda}

bad() {
    printf "$1" > "$work/bad"
    refuses 1 "$work/bad:$2: error: $3" "$lda" "$work/bad"
}

refuses 1 "$work/none: cannot open" "$lda" "$work/none"
bad 'x 1:1\n' 1:1 'expected the number of words'
bad '2 1:1\n' 1:1 'the line promises 2 words and has 1'
bad '1 1:1 2:1\n' 1:1 'the line promises 1 words and has 2'
bad '1 -1:1\n' 1:3 'a word is -1'
bad '1 5\n' 1:4 'expected `word:count`'
bad '1 5:x\n' 1:5 'expected a count'
: > "$work/empty"
refuses 1 "$work/empty: error: " "$lda" "$work/empty"
refuses 2 "usage: lda" "$lda"
printf '1 2:3\n2 0:1 1:2\n' > "$work/good"
printf '1 5:999999\n' > "$work/long"
"$lda" --epochs 1 "$work/long" > "$work/out" || fail "a long document"
"$lda" --held-out 0 --epochs 2 --output "$work/model" "$work/good" > "$work/out" || fail "two documents"
head -c 128 "$work/model.of_word.npy" | grep -aq "'shape': (3, 100)" || fail "not three words"
