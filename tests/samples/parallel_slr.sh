#!/bin/bash
# slr built by orrery-cc: the same weights on threads and on ranks, with relax() and with
# buffer(); as good on held-out examples as the serial program; one row of the grid is the serial
# program.
. "$(dirname "$0")/common.sh"
a9a="--test $build/samples/data/a9a.t $build/samples/data/a9a"
made="--examples 20000 --features 50000 --length 12"

held_out() {
    sed -n 's/.*held-out \([0-9.]*\)$/\1/p' "$1" | tail -n 1
}

# WHAT SERIAL OURS FACTOR
no_worse() {
    awk -v serial="$2" -v ours="$3" -v factor="$4" \
        'BEGIN { exit !(ours > 0 && ours < serial * factor) }' ||
        fail "$1: held-out $3, serial $2"
}

compile gcc slr "$work/serial"
compile "$orrery_cc" slr "$work/slr"
for options in "$a9a" "--adagrad $a9a" "$made" "--adagrad $made"; do
    for threads in 1 3; do
        # shellcheck disable=SC2086
        ORRERY_THREADS=$threads timeout 300 "$work/slr" --epochs 3 --quiet --output "$work/model" $options \
            > "$work/out.txt" || fail "$options: $threads threads"
        [ "$threads" -gt 1 ] || mv "$work/model.w.npy" "$work/one.npy"
        [ "$threads" -eq 1 ] || cmp "$work/one.npy" "$work/model.w.npy" || fail "$options: $threads threads"
    done
    # shellcheck disable=SC2086
    timeout 300 "$orrery" run -n 2 --threads 1 -- "$work/slr" --epochs 3 --quiet \
        --output "$work/model" $options > "$work/out.txt" 2> "$work/err.txt" ||
        { cat "$work/err.txt"; fail "$options: 2 ranks"; }
    cmp "$work/one.npy" "$work/model.w.npy" || fail "$options: 2 ranks"
done
# shellcheck disable=SC2086
{
    "$work/serial" --quiet --output "$work/serial" $a9a > "$work/serial.txt"
    "$work/slr" --quiet $a9a > "$work/relaxed.txt"
    "$work/slr" --quiet --adagrad $a9a > "$work/adagrad.txt"
    ORRERY_GRID=1x1 "$work/slr" --quiet --output "$work/model" $a9a > "$work/out.txt"
}
no_worse relax "$(held_out "$work/serial.txt")" "$(held_out "$work/relaxed.txt")" 1.01
no_worse buffer "$(held_out "$work/serial.txt")" "$(held_out "$work/adagrad.txt")" 1.01
cmp "$work/serial.w.npy" "$work/model.w.npy" || fail "one row is not the serial program"
# shellcheck disable=SC2086
refuses 1 "infinite or not a number, on rank 0; it is not merged" "$work/slr" --quiet --rate 1e6 --lambda 1e6 $made

"$orrery" analyze "$(source_of slr)" > "$work/said" 2>&1
grep -q 'parallel with relaxed w: .*\[ORR1501\]' "$work/said" || fail "no ORR1501"
