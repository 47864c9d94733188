#!/usr/bin/env bash
# The unmodified serial body in two orders that respect the plan gives the bits of the parallel run,
# and a grid of one block is the serial program.
. "$(dirname "$0")/common.sh"
# A replay has one thread: no race to detect (runtime.threads has the parallel runs).
[ "${SANITIZER:-}" != thread ] || exit 77
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
