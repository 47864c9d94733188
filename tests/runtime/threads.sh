#!/usr/bin/env bash
# Any number of threads gives the bits of one thread, and every run is some serial order of the
# iterations (the program proves it itself).
. "$(dirname "$0")/common.sh"
# The race detector needs two numbers of them.
few="2 3 4 8" many="1 2 3 5 8"
[ "${SANITIZER:-}" != thread ] || few="3 8" many="3 8"
for program in hand_mf hand_kmeans; do
    expected=$(ORRERY_THREADS=1 "$tools/$program")
    for threads in $few; do
        same "$expected" "$(ORRERY_THREADS=$threads "$tools/$program")" "$program on $threads threads"
    done
done
keyed_variants | while read -r variant; do
    # shellcheck disable=SC2086
    expected=$(ORRERY_THREADS=1 "$tools/keyed" $variant)
    for threads in $many; do
        # shellcheck disable=SC2086
        same "$expected" "$(ORRERY_THREADS=$threads "$tools/keyed" check=1 $variant)" \
            "keyed $variant on $threads threads"
    done
done
