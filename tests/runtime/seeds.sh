#!/usr/bin/env bash
# Keys of many seeds: four threads give the bits of one thread, and every run is some serial order of the iterations (the
# program proves it itself).
. "$(dirname "$0")/common.sh"
for seed in $(seq 20 45); do
    expected=$(ORRERY_THREADS=1 "$tools/keyed" seed="$seed" check=1 passes=2)
    same "$expected" "$(ORRERY_THREADS=4 "$tools/keyed" seed="$seed" check=1 passes=2)" "seed $seed"
done
