#!/bin/bash
# A check whose bound is a choice holds or stops the run: without parentheses it said nothing, and
# iterations that meet ran together.
. "$(dirname "$0")/common.sh"
gcc -O2 -w "$source/tests/programs/samples/choice_guard.c" -o "$work/serial"
"$orrery_cc" -O2 -Werror=serial "$source/tests/programs/samples/choice_guard.c" -o "$work/fold" || fail "orrery-cc"
for threads in 1 3; do
    [ "$(ORRERY_THREADS=$threads "$work/fold" 200)" = "$("$work/serial" 200)" ] || fail "$threads threads"
done
status=0
ORRERY_THREADS=2 timeout 300 "$work/fold" 4 > "$work/out" 2> "$work/err" || status=$?
if [ $status -eq 0 ] || [ $status -ge 124 ]; then
    fail "rows of 4: status $status: $(cat "$work/out" "$work/err")"
fi
grep -q 'choice_guard.c:.*width >= (' "$work/err" || { cat "$work/err"; fail "rows of 4: what?"; }
