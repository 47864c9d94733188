#!/bin/bash
# cp (three keys), embed (one table, two keys) and glove (two keys) built by orrery-cc: the same model on threads and on
# ranks (other numbers of them: samples.bits_*); they learn as well as the serial program on coarse and on fine grids; a grid
# of one block is the serial program.
. "$(dirname "$0")/common.sh"

held_out() {
    sed -n 's/.*held-out \([0-9.]*\)$/\1/p' "$1" | tail -n 1
}

options_of() {
    case $1 in
    cp) echo "--epochs 8 --quiet $build/samples/data/names.tns" ;;
    glove) echo "--rank 8 --epochs 15 --quiet $work/small.txt" ;;
    embed) echo "--epochs 5 --nodes 4000 --edges 40000 --communities 20 --rank 16 --quiet" ;;
    esac
}

head -120 "$build/samples/data/words.txt" > "$work/small.txt"
for name in cp embed glove; do
    compile gcc $name "$work/serial"
    compile "$orrery_cc" $name "$work/$name"
    # shellcheck disable=SC2046
    set -- $(options_of $name)
    "$work/serial" --output "$work/serial.model" "$@" > "$work/serial.txt"
    one_file "$work/serial.model"
    for threads in 1 3; do
        ORRERY_THREADS=$threads timeout 300 "$work/$name" --output "$work/model" "$@" > "$work/out.txt"
        one_file "$work/model"
        [ $threads -gt 1 ] || mv "$work/model" "$work/one.model"
        [ $threads -eq 1 ] || cmp "$work/one.model" "$work/model" || fail "$name: $threads threads"
    done
    timeout 300 "$orrery" run -n 2 --threads 1 -- "$work/$name" --output "$work/model" "$@" \
        > "$work/out.txt" 2> "$work/err.txt" || { cat "$work/err.txt"; fail "$name: 2 ranks"; }
    one_file "$work/model"
    cmp "$work/one.model" "$work/model" || fail "$name: 2 ranks"
    [ "$(grep -c passes "$work/out.txt")" -eq 1 ] || fail "$name: lines are not printed once"
    ORRERY_GRID=1x1 "$work/$name" --output "$work/model" "$@" > "$work/out.txt"
    one_file "$work/model"
    cmp "$work/serial.model" "$work/model" || fail "$name: one block is not the serial program"
    for grid in 2x2 16x16; do
        ORRERY_GRID=$grid ORRERY_THREADS=2 "$work/$name" "$@" > "$work/out.txt"
        awk -v serial="$(held_out "$work/serial.txt")" -v ours="$(held_out "$work/out.txt")" \
            'BEGIN { exit !(ours > 0 && ours < serial * 1.015) }' ||
            fail "$name on $grid: held-out $(held_out "$work/out.txt"), serial $(held_out "$work/serial.txt")"
    done
done
