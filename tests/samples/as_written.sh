#!/bin/bash
# A marked loop that runs as it is written, since a condition of its text leads to what only the serial
# loop may do, says so once, at compile time and in reports; it may end the program, as gcc's does.
. "$(dirname "$0")/common.sh"
program=$source/tests/programs/bugs/as_written.c
gcc -O1 -w -ffp-contract=off "$program" -o "$work/serial"
"$orrery_cc" -O1 -w -Rorrery "$program" -o "$work/marked" 2> "$work/said" || fail "orrery-cc"
says "$work/said" "the loop runs serially, as it is written, where every && epoch % every == 2" \
    "the loop runs serially, as it is written, where n > 2500"
"$orrery" analyze "$program" > "$work/report"
says "$work/report" "runs serially, as it is written, where: epoch == 5"
# What a loop prints itself is collected by the run library.
"$orrery" emit --pthreads "$program" -o "$work/alone.c" 2> "$work/err" && fail "output stands alone"
says "$work/err" "prints is collected, for which it needs the run library"
sed '/n % 2000/,+1d' "$program" > "$work/silent.c"
gcc -O1 -w -ffp-contract=off "$work/silent.c" -o "$work/silent"
"$orrery" emit --pthreads "$work/silent.c" -o "$work/alone.c" || fail "emit --pthreads"
gcc -O1 -w -ffp-contract=off -pthread "$work/alone.c" -o "$work/alone" || fail "it does not stand alone"

# SERIAL NAME ARGUMENT THREADS: as the serial program, with its status.
compare() {
    local serial=$1 name=$2 argument=$3 wanted=0 got=0
    "$work/$serial" $argument > "$work/expected" 2> "$work/expected.err" || wanted=$?
    ORRERY_THREADS=$4 "$work/$name" $argument > "$work/out" 2> "$work/err" || got=$?
    [ "$got" = "$wanted" ] || { cat "$work/err"; fail "$name $argument: status $got, not $wanted"; }
    cmp "$work/expected" "$work/out" || fail "$name $argument: another result"
    grep -v 'runs serially' "$work/err" | cmp "$work/expected.err" - || fail "$name $argument: other errors"
}
for argument in "" 3 7; do
    compare serial marked "$argument" 2
    compare silent alone "$argument" 2
done
compare serial marked 3 1
line=$(($(grep -n 'static void limited' "$program" | cut -d: -f1) + 2))
count=$(grep -c "as_written.c:$line: runs serially: as it is written, where n > 2500 (said once)" "$work/err" || true)
[ "$count" = 1 ] || fail "said $count times"
"$work/serial" > "$work/expected"
"$orrery" run -n 2 -- "$work/marked" > "$work/out" 2> "$work/err" || { cat "$work/err"; fail "on ranks"; }
cmp "$work/expected" "$work/out" || fail "two ranks: another result"
