#!/usr/bin/env bash
# Any number of ranks gives the bits of one rank. A sanitizer's build ($SANITIZE) runs three.
. "$(dirname "$0")/common.sh"
have_ranks || exit 77
settings=("1 2" "2 1" "2 2" "3 2" "4 1")
[ -z "${SANITIZE:-}" ] || settings=("3 2")
for program in hand_mf hand_kmeans ranged two_loops; do
    expected=$(ORRERY_THREADS=1 "$tools/$program")
    for setting in "${settings[@]}"; do
        read -r n threads <<<"$setting"
        got=$(ORRERY_THREADS=$threads ranks "$n" "$tools/$program")
        same "$expected" "$got" "$program on $n ranks of $threads threads"
    done
done

# Under torture a block that touches rows of another part of its own rank is caught; without, nobody sees it.
export ORRERY_GRID=4x4 ORRERY_THREADS=1
expected=$("$tools/hand_mf" 2 20000 2000 300 16)
for threads in 1 2; do
    same "$expected" "$(ORRERY_DEBUG=torture=3 ORRERY_THREADS=$threads ranks 2 "$tools/hand_mf" 2 20000 2000 300 16)" "torture"
done
same "$expected" "$(STRAY=600 ranks 2 "$tools/hand_mf" 2 20000 2000 300 16)" "stray"
STRAY=600 ORRERY_DEBUG=torture=3 refuses 70 "which no block that runs now has" ranks 2 "$tools/hand_mf" 2 20000 2000 300 16
