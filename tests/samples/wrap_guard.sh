#!/bin/bash
# 32-bit subscripts without a sign: the serial program's result where they do not wrap around, on any
# number of threads; where one does, the run stops and says which.
. "$(dirname "$0")/common.sh"
gcc -O2 -ffp-contract=off -w "$source/tests/programs/samples/wrap_guard.c" -o "$work/serial"
"$orrery_cc" -O2 "$source/tests/programs/samples/wrap_guard.c" -o "$work/rows" || fail "orrery-cc"
for how in fits none; do
    for threads in 1 3; do
        [ "$(ORRERY_THREADS=$threads "$work/rows" $how)" = "$("$work/serial" $how)" ] || fail "$how, $threads threads"
    done
done
stops() {
    local status=0
    ORRERY_THREADS=2 timeout 300 "$work/rows" "$1" > "$work/out" 2> "$work/err" || status=$?
    if [ $status -eq 0 ] || [ $status -ge 124 ]; then
        fail "$1: status $status: $(cat "$work/out" "$work/err")"
    fi
    grep -q "wrap_guard.c:.*$2" "$work/err" || { cat "$work/err"; fail "$1: what and where?"; }
}
stops wraps 4294967296
stops around 'from <='
stops behind '<= (unsigned char)254'
stops narrow 'n = 254'
stops low 'low = -128'
