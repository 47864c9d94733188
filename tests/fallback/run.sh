#!/bin/bash
# run.sh BINDIR PROGRAM.c: the results of gcc's program on 1 to 3 threads and on two ranks, with -auto, or with
# -allow-fallback when its loops are marked. Lines ` * says: PATTERN` in its first comment: what a run says that is asked;
# ` * one rank`: not on two; ` * ranks: PATTERN`: what two ranks say; ` * marked: PATTERN`: what a marked program ends with.
. "$(dirname "$0")/../lib.sh"
bin=$1 program=$2 name=$(basename "$2" .c)
dir=$work
export ORRERY_AUTO_US=0

# Runs "$@" and holds what it prints against gcc's.
agrees() {
    ORRERY_STATS=1 timeout 300 "$@" >"$dir/out" 2>"$dir/err" || fail "status $?: $*"
    diff "$dir/expected" "$dir/out" >&2 || fail "other results: $*"
}

# All patterns of the lines that begin with $1 have been said.
says() {
    sed -n "1,/[*]\//s/^ [*] $1: \(.*\)/\1/p" "$program" | while read -r pattern; do
        grep -q -- "$pattern" "$dir/err" || fail "it does not say: $pattern"
    done
}

: >"$dir/err"
gcc -std=gnu11 -O1 -ffp-contract=off -w "$program" -o "$dir/plain" -lm -lpthread
"$dir/plain" >"$dir/expected"
how="-auto -DORRERY_SHORT_LOOPS"
! grep -q '#pragma orrery parallel' "$program" || how=-allow-fallback
# shellcheck disable=SC2086 # words
"$bin/orrery-cc" $how -std=gnu11 -O1 -ffp-contract=off -w "$program" -o "$dir/built" -lm -lpthread >"$dir/err" 2>&1 || fail "orrery-cc"
for threads in 1 2 3; do
    ORRERY_THREADS=$threads agrees "$dir/built"
    says says
done
grep -q '^ [*] one rank$' "$program" || agrees "$bin/orrery" run -n 2 --oversubscribe --threads 1 -- "$dir/built"
says ranks
if [ "$how" != -allow-fallback ]; then
    "$dir/built" >"$dir/out" 2>"$dir/err" || fail "status $?, without figures"
    [ ! -s "$dir/err" ] || fail "it is not silent"
elif grep -q '^ [*] marked: ' "$program"; then
    "$bin/orrery-cc" -std=gnu11 -O1 -ffp-contract=off -w "$program" -o "$dir/marked" -lm -lpthread >"$dir/err" 2>&1 || fail "orrery-cc"
    ! timeout 300 "$dir/marked" >"$dir/out" 2>"$dir/err" || fail "marked, and nothing stops it"
    says marked
fi
