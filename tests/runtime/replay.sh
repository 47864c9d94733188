#!/usr/bin/env bash
# The unmodified serial body in two orders that respect the plan gives the bits of the parallel run,
# and a grid of one block is the serial program.
. "$(dirname "$0")/common.sh"
for program in hand_mf hand_kmeans; do
    expected=$("$tools/$program")
    for order in forward reverse; do
        same "$expected" "$(ORRERY_REPLAY=$order "$tools/$program")" "$program replayed $order"
    done
    same "$("$tools/$program" serial)" "$(ORRERY_GRID=1x1 "$tools/$program")" "$program on 1x1"
done
keyed_variants | while read -r variant; do
    # shellcheck disable=SC2086
    expected=$("$tools/keyed" $variant)
    for order in forward reverse; do
        # shellcheck disable=SC2086
        got=$(ORRERY_REPLAY=$order "$tools/keyed" check=1 $variant)
        same "$expected" "$got" "keyed $variant replayed $order"
    done
done
for grid in 2x2 16x16 32x32 7x40 40x7; do
    expected=$(ORRERY_GRID=$grid ORRERY_REPLAY=reverse "$tools/hand_mf")
    same "$expected" "$(ORRERY_GRID=$grid ORRERY_THREADS=3 "$tools/hand_mf")" "hand_mf on $grid"
done
same "$(ORRERY_SEED=7 "$tools/hand_mf")" "$(ORRERY_SEED=7 ORRERY_THREADS=3 "$tools/hand_mf")" seed
if [ "$(ORRERY_SEED=7 "$tools/hand_mf")" = "$("$tools/hand_mf")" ]; then
    echo "FAILED: the seed changes nothing" >&2
    exit 1
fi
