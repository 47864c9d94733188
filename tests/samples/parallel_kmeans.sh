#!/bin/bash
# kmeans built by orrery-cc: the same result on any number of threads and ranks; the serial
# program's clusters but for rounding in the sums.
. "$(dirname "$0")/common.sh"
set -- --label --clusters 8 --iterations 6
table=$build/samples/data/covtype20k.csv

compile gcc kmeans "$work/serial"
"$work/serial" "$@" --output "$work/serial" "$table" > "$work/serial.txt"
compile "$orrery_cc" kmeans "$work/kmeans"
for threads in 1 2 3; do
    ORRERY_THREADS=$threads timeout 300 "$work/kmeans" "$@" --output "$work/$threads.model" "$table" \
        > "$work/out"
    cp "$work/$threads.model.cluster.npy" "$work/clusters"
    one_file "$work/$threads.model"
    cmp "$work/1.model" "$work/$threads.model" || fail "$threads threads differ"
done
timeout 300 "$orrery" run -n 2 --threads 1 -- "$work/kmeans" "$@" --output "$work/ranks.model" \
    "$table" > "$work/out"
one_file "$work/ranks.model"
cmp "$work/1.model" "$work/ranks.model" || fail "ranks differ"

# Rows whose cluster differs: at most one in a thousand, by rounding of the sums.
rows_of() {
    tail -c 80000 "$1" | od -An -v -w4 -td4
}
rows_of "$work/serial.cluster.npy" > "$work/a"
rows_of "$work/clusters" > "$work/b"
[ "$(wc -l < "$work/a")" -eq 20000 ] || fail "not a cluster for each row"
moved=$(paste "$work/a" "$work/b" | awk '$1 != $2' | wc -l)
[ "$moved" -le 20 ] || fail "$moved rows in other clusters than in the serial program"
