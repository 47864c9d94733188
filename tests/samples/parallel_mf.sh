#!/bin/bash
# mf built by orrery-cc: the same model for any number of threads and ranks, in all three shapes; it
# learns as well as the serial program; a 1 x 1 grid is the serial program.
. "$(dirname "$0")/common.sh"
make_small

rmse() {
    sed -n 's/.*held-out \([0-9.]*\)$/\1/p' "$1" | tail -n 1
}

compile gcc mf "$work/serial"
"$work/serial" --rank 12 --epochs 6 --output "$work/serial.model" "$small" > "$work/serial.txt"

for name in mf mf_rows mf_structs; do
    compile "$orrery_cc" $name "$work/$name"
    for threads in 1 2 3 5; do
        ORRERY_GRID=6x6 ORRERY_THREADS=$threads timeout 300 "$work/$name" --rank 12 --epochs 6 \
            --output "$work/model" "$small" > "$work/$name.$threads.txt"
        [ $threads -gt 1 ] || mv "$work/model" "$work/$name.model"
        [ $threads -eq 1 ] || cmp "$work/$name.model" "$work/model" || fail "$name: $threads threads"
    done
    cmp "$work/mf.model" "$work/$name.model" || fail "$name: not the model of mf"
    for ranks in 2 3; do
        ORRERY_GRID=6x6 timeout 300 "$orrery" run -n $ranks --threads 1 -- "$work/$name" --rank 12 \
            --epochs 6 --output "$work/model" "$small" > "$work/ranks.txt"
        cmp "$work/$name.model" "$work/model" || fail "$name: $ranks ranks"
        [ "$(grep -c '^epoch' "$work/ranks.txt")" -eq 6 ] || fail "$name: lines are not printed once"
    done
done

ORRERY_GRID=1x1 ORRERY_THREADS=2 "$work/mf" --rank 12 --epochs 6 --output "$work/model" "$small" \
    > "$work/one.txt"
cmp "$work/serial.model" "$work/model" || fail "a grid of one block is not the serial program"

awk -v serial="$(rmse "$work/serial.txt")" -v ours="$(rmse "$work/mf.1.txt")" \
    'BEGIN { exit !(ours < serial * 1.03 && ours > serial * .97) }' ||
    fail "held-out error $(rmse "$work/mf.1.txt"), serial $(rmse "$work/serial.txt")"
