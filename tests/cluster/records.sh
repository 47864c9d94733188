#!/bin/bash
# Records that four ranks have no room for twice: what is in the way leaves rank 0's window when they are dealt, or the
# loop is refused with how many ranks do. In memory groups no rank is killed: a budget keeps to its group.
. "$(dirname "$0")/../lib.sh"
bin=$(realpath "$1")
cd "$work"
"$bin/orrery-cc" -O2 -DK=8 "$tree/tests/bench/memory.c" "$here/model.c" -o program -lm
records=(./program 1000 1000 11000000 1 s) # 132 MB
ranks() {
    timeout -k 2 300 "$bin/orrery" run -n "$1" --memory "$2" --oversubscribe --threads 1 "${records[@]}" >out 2>err
}
ORRERY_THREADS=1 "${records[@]}" >want.out
ranks 4 100M || fail "four ranks of 100 MB"
cmp -s want.out out || fail "four ranks of 100 MB: other lines"
! ranks 4 60M || fail "four ranks of 60 MB have 132 MB twice"
says err 'the arrays of this loop need 132.* on a rank, which may have 60 .*: r 132.*; run it on ([7-9]|1[0-4]) ranks, or with --spill DIR \[ORR9232\]'
enough=$(sed -n 's/.*run it on \([0-9]*\) ranks, or.*/\1/p' err)
ranks "$enough" 60M || fail "$enough ranks of 60 MB, which it asks for"
cmp -s want.out out || fail "$enough ranks of 60 MB: other lines"

cc -O2 "$tree/tests/bench/peak.c" -o peak
mkdir groups
status=0
ORRERY_MEMORY=120 "$tree/tests/bench/memory_groups" groups 4 120 ./peak "${records[@]}" >out 2>err || status=$?
[ ! -e groups/free ] || { echo "no memory groups here"; exit 0; }
[ "$(cat groups/killed)" = 0 ] || fail "$(cat groups/killed) ranks were killed"
says err 'of 120 MB \(ORRERY_MEMORY\) a rank can have 95: its memory group has no more'
[ $status = 0 ] || says err 'ORR923[23]'
