#!/usr/bin/env bash
# What cannot be done is said, with a place, and ends with a status; nothing ends by a signal.
. "$(dirname "$0")/common.sh"
keyed=$tools/keyed
refuses 1 "keyed.c:9: iteration 1500: r[n].item = 3049 is out of range: H (keyed.c:11)" \
    "$keyed" bad=3000
refuses 1 "r[n].item = 0 to 50 runs over the end of a line of H" "$keyed" shape=columns bad=1
refuses 1 "item stays inside a line of H is false for iteration 1500" "$keyed" strategy=1 bad=1
refuses 1 "W (keyed.c:10) and H (keyed.c:11) share memory" "$keyed" overlap=1
refuses 0 "keyed.c:9: runs serially" "$keyed" overlap=1 fallback=1 passes=1
refuses 1 "inside of another one" "$keyed" nest=1
refuses 1 "only the thread of main may" "$keyed" thread=1
refuses 1 "keyed.c:9: the loop is reached before main begins" "$keyed" early=1
refuses 2 "ORRERY_TREADS; the nearest known one is ORRERY_THREADS" env ORRERY_TREADS=2 "$keyed"
refuses 2 "ORRERY_THREADS=two cannot be understood" env ORRERY_THREADS=two "$keyed"
refuses 2 "ORRERY_GRID=16 cannot be understood" env ORRERY_GRID=16 "$keyed"
refuses 2 "ORRERY_REPLAY=backward cannot" env ORRERY_REPLAY=backward "$keyed"
refuses 1 "cannot write the trace" env ORRERY_TRACE="$work/no/trace" "$keyed"
refuses 1 "cannot write ORRERY_VERIFY" env ORRERY_VERIFY="$work/no/file" "$keyed"
status=0
"$keyed" quit=7 >"$work/out" || status=$?
same 7 "$status" "exit(7) keeps its status"
have_ranks || exit 0
status=0
ranks 2 "$keyed" quit=7 >"$work/out" 2>"$work/err" || status=$?
same 7 "$status" "exit(7) on two ranks keeps its status"
status=0
ranks 2 "$keyed" bad=3000 >"$work/out" 2>"$work/err" || status=$?
same 1 "$status" "a bad key on two ranks"
grep -q "is out of range" "$work/err"
status=0
ORRERY_THREADS=two ranks 2 "$keyed" >"$work/out" 2>"$work/err" || status=$?
same 2 "$status" "a bad variable on two ranks"
