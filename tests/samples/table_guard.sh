#!/bin/bash
# Columns behind a table of pointers: lines that lie apart run on threads and on ranks with one
# result; lines that share memory, and keys behind the end of every line, stop the run by name.
. "$(dirname "$0")/common.sh"
"$orrery_cc" -O2 "$source/tests/programs/samples/table_lines.c" -o "$work/lines" || fail "orrery-cc"
export ORRERY_GRID=4x4

for how in own block from1; do
    one=$(ORRERY_THREADS=1 "$work/lines" $how)
    [ "$(ORRERY_THREADS=3 "$work/lines" $how)" = "$one" ] || fail "$how: threads differ"
    ranks=$(timeout 300 "$orrery" run -n 2 --threads 1 -- "$work/lines" $how)
    [ "$ranks" = "$one" ] || fail "$how: ranks differ"
done
for how in twice overlapping far; do
    status=0
    ORRERY_THREADS=2 timeout 300 "$work/lines" $how > "$work/out" 2> "$work/err" || status=$?
    if [ $status -eq 0 ] || [ $status -ge 124 ]; then
        fail "$how: status $status: $(cat "$work/out" "$work/err")"
    fi
    grep -q 'table_lines.c:.*\bH\b' "$work/err" || { cat "$work/err"; fail "$how: who and where?"; }
done

gcc -O2 "$source/tests/programs/samples/table_lines.c" -o "$work/serial" -w
[ "$(ORRERY_THREADS=2 "$work/lines" triangle)" = "$("$work/serial" triangle)" ] || fail "triangle"
"$orrery" verify --threads 1,2 --ranks 1 --runs 1 -- "$work/lines" triangle > "$work/out" 2>&1 ||
    { cat "$work/out"; fail "verify triangle"; }
