#!/bin/bash
# embed --joint built by orrery-cc, and with copies of hot rows: the same model on any number of threads, that of the
# serial text in the plan's order, with the same merges, and as good on held-out pairs as the serial program.
. "$(dirname "$0")/common.sh"
set -- --joint --rank 8 --epochs 8 --nodes 400 --edges 40000 --communities 5 --quiet

compile gcc embed "$work/serial"
"$work/serial" "$@" > "$work/serial.txt"
run() {
    env "$1" ORRERY_STATS=1 timeout 300 "$work/embed" "${@:3}" --output "$work/$2.model" > "$work/out" 2> "$work/err" ||
        { cat "$work/err"; fail "$1"; }
    one_file "$work/$2.model"
}
held_out() { sed -n 's/.*held-out \([0-9.]*\)$/\1/p' "$1"; }

# check: any number of threads, and the serial text.
check() {
    run ORRERY_THREADS=1 one "$@"
    cp "$work/out" "$work/one.txt"
    cp "$work/err" "$work/one.err"
    for other in ORRERY_THREADS=2 ORRERY_THREADS=8 ORRERY_REPLAY=forward ORRERY_REPLAY=reverse; do
        run "$other" other "$@"
        cmp "$work/one.model" "$work/other.model" || fail "$other: another model"
    done
    awk -v ours="$(held_out "$work/one.txt")" -v serial="$(held_out "$work/serial.txt")" \
        'BEGIN { exit !(ours > 0 && serial > 0 && ours < serial * 1.03) }' ||
        { cat "$work/one.txt" "$work/serial.txt"; fail "worse than the serial program"; }
}

compile "$orrery_cc" embed "$work/embed"
check "$@"
cp "$work/one.model" "$work/exact.model"
sed 's/unordered target(cpu)/unordered relax(hot : E) target(cpu)/' "$source/samples/embed/embed.c" > "$work/hot.c"
"$orrery_cc" -O2 -I"$source/samples/common" "$work/hot.c" -o "$work/embed" -lm 2> "$work/err" || { cat "$work/err"; fail "hot"; }
check "$@"
grep -q ' hot-rows [1-9]' "$work/one.err" || { cat "$work/one.err"; fail "no row is hot"; }
! cmp -s "$work/exact.model" "$work/one.model" || fail "no row has copies"
