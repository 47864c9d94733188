#!/bin/bash
# kmeans built by orrery-cc: the same result on any number of threads and ranks; the serial
# program's clusters but for rounding in the sums.
. "$(dirname "$0")/common.sh"
set -- --label --clusters 8 --iterations 6
table=$build/samples/data/covtype20k.csv

compile gcc kmeans "$work/serial"
"$work/serial" "$@" --output "$work/serial.model" "$table" > "$work/serial.txt"
compile "$orrery_cc" kmeans "$work/kmeans"
for threads in 1 2 3; do
    ORRERY_THREADS=$threads timeout 60 "$work/kmeans" "$@" --output "$work/$threads.model" "$table" \
        > "$work/out"
    cmp "$work/1.model" "$work/$threads.model" || fail "$threads threads differ"
done
timeout 120 "$orrery" run -n 2 --threads 1 -- "$work/kmeans" "$@" --output "$work/ranks.model" \
    "$table" > "$work/out"
cmp "$work/1.model" "$work/ranks.model" || fail "ranks differ"

# Rows whose cluster differs: at most one in a thousand, by rounding of the sums.
tail -n 20000 "$work/serial.model" > "$work/a"
tail -n 20000 "$work/1.model" > "$work/b"
moved=$(paste "$work/a" "$work/b" | awk '$1 != $2' | wc -l)
[ "$moved" -le 20 ] || fail "$moved rows in other clusters than in the serial program"
