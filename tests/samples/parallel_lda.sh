#!/bin/bash
# lda built by orrery-cc: the same counts on threads and on ranks (other numbers of them: samples.bits_lda); topics as good
# as the serial program's on coarse and on fine grids; a grid of one block is the serial program.
. "$(dirname "$0")/common.sh"
head -400 "$build/samples/data/specs.ldac" > "$work/part.ldac"

held_out() {
    sed -n 's/.*held-out \([0-9.]*\)$/\1/p' "$1" | tail -n 1
}

compile gcc lda "$work/serial"
compile "$orrery_cc" lda "$work/lda"
set -- --epochs 12 --quiet --no-eval-each-epoch "$work/part.ldac"
"$work/serial" --output "$work/serial.model" "$@" > "$work/serial.txt"
for threads in 1 3; do
    ORRERY_THREADS=$threads timeout 300 "$work/lda" --output "$work/model" "$@" > "$work/out.txt" ||
        fail "$threads threads"
    [ $threads -gt 1 ] || mv "$work/model.of_word.npy" "$work/one.model"
    [ $threads -eq 1 ] || cmp "$work/one.model" "$work/model.of_word.npy" || fail "$threads threads"
done
timeout 300 "$orrery" run -n 2 --threads 1 -- "$work/lda" --output "$work/model" "$@" \
    > "$work/out.txt" 2> "$work/err.txt" || { cat "$work/err.txt"; fail "2 ranks"; }
cmp "$work/one.model" "$work/model.of_word.npy" || fail "2 ranks"
ORRERY_GRID=1x1 "$work/lda" --output "$work/model" "$@" > "$work/out.txt"
cmp "$work/serial.model.of_word.npy" "$work/model.of_word.npy" || fail "one block is not the serial program"
for grid in 2x2 32x32; do
    ORRERY_GRID=$grid ORRERY_THREADS=2 "$work/lda" "$@" > "$work/out.txt"
    awk -v serial="$(held_out "$work/serial.txt")" -v ours="$(held_out "$work/out.txt")" \
        'BEGIN { exit !(ours > 0 && ours < serial * 1.01) }' ||
        fail "$grid: held-out $(held_out "$work/out.txt"), serial $(held_out "$work/serial.txt")"
done
