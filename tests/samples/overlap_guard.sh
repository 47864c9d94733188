#!/bin/bash
# Two pointers that the analysis cannot tell apart: the run checks them, and stops when they overlap.
. "$(dirname "$0")/common.sh"
sed 's/ ASSUME//' "$source/tests/programs/samples/overlap.c" > "$work/overlap.c"

gcc -O2 "$work/overlap.c" -o "$work/serial"
"$orrery_cc" -O2 "$work/overlap.c" -o "$work/overlap" || fail "orrery-cc"
for shift in 1000 5000; do
    [ "$("$work/overlap" $shift)" = "$("$work/serial" $shift)" ] || fail "wrong sum at $shift"
done
for shift in 1 999; do
    status=0
    "$work/overlap" $shift > "$work/out" 2> "$work/err" || status=$?
    if [ $status -eq 0 ] || [ $status -ge 124 ]; then
        fail "shifted by $shift: status $status: $(cat "$work/out" "$work/err")"
    fi
    grep -q 'overlap.c:' "$work/err" || { cat "$work/err"; fail "the message names no place"; }
    for name in in out; do
        grep -qw "$name" "$work/err" || { cat "$work/err"; fail "the message does not name $name"; }
    done
done

# To the byte: bytes that end where the others begin, and one byte further.
sed 's/float \*/unsigned char */; s/float/unsigned char/g; s/%g/%d/' "$work/overlap.c" > "$work/bytes.c"
gcc -O2 "$work/bytes.c" -o "$work/serial"
"$orrery_cc" -O2 "$work/bytes.c" -o "$work/bytes" || fail "orrery-cc of bytes"
[ "$("$work/bytes" 1000)" = "$("$work/serial" 1000)" ] || fail "wrong sum of bytes"
refuses 1 "share memory" "$work/bytes" 999

# What lies in front of a pointer into the middle of an array, or behind one that was moved out of it.
gcc -O2 -w "$source/tests/programs/samples/overlap_front.c" -o "$work/serial"
"$orrery_cc" -O2 -w "$source/tests/programs/samples/overlap_front.c" -o "$work/front" || fail "orrery-cc of overlap_front.c"
for how in apart behind; do
    [ "$("$work/front" $how)" = "$("$work/serial" $how)" ] || fail "wrong sum: $how"
done
refuses 1 "share memory" "$work/front" front
refuses 1 "share memory" "$work/front" moved

# Memory may take another type: -O2 tells what is stored from what is read, not the two places.
retyped=$source/tests/programs/samples/retyped.c
gcc -O2 "$retyped" -o "$work/serial"
"$orrery_cc" -O2 "$retyped" -o "$work/retyped" || fail "orrery-cc of retyped"
"$orrery_cc" -O2 -allow-fallback "$retyped" -o "$work/falls_back" || fail "orrery-cc of retyped"
[ "$("$work/retyped")" = "$("$work/serial")" ] || fail "wrong sum of memory apart"
for how in 1 2; do
    refuses 1 "share memory" "$work/retyped" $how
    [ "$(ORRERY_THREADS=4 "$work/falls_back" $how 2> /dev/null)" = "$("$work/serial" $how)" ] ||
        fail "retyped $how: wrong sum"
done
