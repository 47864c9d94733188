#!/usr/bin/env bash
# On grids of any shape threads give the bits of the serial body in the plan's order; the seed chooses the order.
. "$(dirname "$0")/common.sh"
for grid in 2x2 16x16 32x32 7x40 40x7; do
    expected=$(ORRERY_GRID=$grid ORRERY_REPLAY=reverse "$tools/hand_mf")
    same "$expected" "$(ORRERY_GRID=$grid ORRERY_THREADS=3 "$tools/hand_mf")" "hand_mf on $grid"
done
same "$(ORRERY_SEED=7 "$tools/hand_mf")" "$(ORRERY_SEED=7 ORRERY_THREADS=3 "$tools/hand_mf")" seed
if [ "$(ORRERY_SEED=7 "$tools/hand_mf")" = "$("$tools/hand_mf")" ]; then
    echo "FAILED: the seed changes nothing" >&2
    exit 1
fi
