#!/bin/bash
# embed --joint built by orrery-cc, with copies of hot rows: the same model on any number of threads, that of the serial
# text with the same merges, and as good on held-out pairs as the serial program.
. "$(dirname "$0")/common.sh"
set -- --joint --rank 8 --epochs 8 --nodes 400 --edges 40000 --communities 5 --quiet

compile gcc embed "$work/serial"
"$work/serial" "$@" > "$work/serial.txt"
compile "$orrery_cc" embed "$work/embed"
run() {
    env "$1" ORRERY_STATS=1 timeout 300 "$work/embed" "${@:3}" --output "$work/$2.model" > "$work/out" 2> "$work/err" ||
        { cat "$work/err"; fail "$1"; }
    one_file "$work/$2.model"
}
run ORRERY_THREADS=1 one "$@"
cp "$work/out" "$work/one.txt"
grep -q ' hot-rows [1-9]' "$work/err" || { cat "$work/err"; fail "no row is hot"; }
for other in ORRERY_THREADS=2 ORRERY_THREADS=8 ORRERY_REPLAY=forward ORRERY_REPLAY=reverse; do
    run "$other" other "$@"
    cmp "$work/one.model" "$work/other.model" || fail "$other: another model"
done

held_out() { sed -n 's/.*held-out \([0-9.]*\)$/\1/p' "$1"; }
awk -v ours="$(held_out "$work/one.txt")" -v serial="$(held_out "$work/serial.txt")" \
    'BEGIN { exit !(ours > 0 && serial > 0 && ours < serial * 1.03) }' ||
    { cat "$work/one.txt" "$work/serial.txt"; fail "worse than the serial program"; }
