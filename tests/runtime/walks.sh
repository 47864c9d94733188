#!/usr/bin/env bash
# Inspection asks each record at most three times (ranges and counts, blocks, packing), never one by one; later passes do
# not ask at all. Keys that lie far apart cost one walk more. Bits stay those of one thread.
. "$(dirname "$0")/common.sh"

asked() {
    ASKED=1 "$tools/hand_mf" 3 20000 "$@" | sed -n 's/^asked //p'
}

for threads in 1 4; do
    export ORRERY_THREADS=$threads
    same "0 alone, 60000 together" "$(asked 500 300)" "$threads threads"
    same "0 alone, 80000 together" "$(asked 900000 300 1)" "keys far apart, $threads threads"
done
model() {
    ORRERY_THREADS=$1 "$tools/hand_mf" 2 20000 900000 300 1
}
same "$(model 1)" "$(model 4)" "keys far apart"
