#!/bin/bash
# The other shapes of mf built by orrery-cc: those with mf's arithmetic write the model that mf
# writes, on threads and on ranks.
. "$(dirname "$0")/common.sh"
make_small

compile "$orrery_cc" mf "$work/mf"
ORRERY_GRID=5x5 ORRERY_THREADS=2 "$work/mf" --plain --rank 12 --epochs 3 --output "$work/mf.model" "$small" \
    > "$work/out"
for name in permutation columns transposed table_columns double; do
    compile "$orrery_cc" $name "$work/$name"
    for threads in 1 3; do
        ORRERY_GRID=5x5 ORRERY_THREADS=$threads timeout 300 "$work/$name" --rank 12 --epochs 3 \
            --output "$work/$name.$threads" "$small" > "$work/out"
    done
    ORRERY_GRID=5x5 timeout 300 "$orrery" run -n 2 --threads 1 -- "$work/$name" --rank 12 \
        --epochs 3 --output "$work/$name.ranks" "$small" > "$work/out"
    cmp "$work/$name.1" "$work/$name.3" || fail "$name: threads differ"
    cmp "$work/$name.1" "$work/$name.ranks" || fail "$name: ranks differ"
    [ $name = double ] || cmp "$work/mf.model" "$work/$name.1" || fail "$name: not the model of mf"
done
