#!/usr/bin/env bash
# What cannot be done is said, with a place, and ends with a status; nothing ends by a signal.
. "$(dirname "$0")/common.sh"
keyed=$tools/keyed
refused 1 "keyed.c:9: iteration 1500: r[n].item = 3049 is out of range: H (keyed.c:11)" \
    "$keyed" bad=3000
refused 1 "r[n].item = 0 to 50 runs over the end of a line of H" "$keyed" shape=columns bad=1
refused 1 "item stays inside a line of H is false for iteration 1500" "$keyed" strategy=1 bad=1
refused 1 "W (keyed.c:10) and H (keyed.c:11) share memory" "$keyed" overlap=1
refused 0 "keyed.c:9: runs serially" "$keyed" overlap=1 fallback=1 passes=1
refused 1 "inside of another one" "$keyed" nest=1
refused 1 "only the thread of main may" "$keyed" thread=1
refused 2 "ORRERY_TREADS; the nearest known one is ORRERY_THREADS" env ORRERY_TREADS=2 "$keyed"
refused 2 "ORRERY_THREADS=two cannot be understood" env ORRERY_THREADS=two "$keyed"
refused 2 "ORRERY_GRID=16 cannot be understood" env ORRERY_GRID=16 "$keyed"
refused 2 "ORRERY_REPLAY=backward cannot" env ORRERY_REPLAY=backward "$keyed"
refused 1 "cannot write the trace" env ORRERY_TRACE="$here/no/trace" "$keyed"
refused 1 "cannot write ORRERY_VERIFY" env ORRERY_VERIFY="$here/no/file" "$keyed"
status=0
"$keyed" quit=7 >"$here/out" || status=$?
same 7 "$status" "exit(7) keeps its status"
have_ranks || exit 0
status=0
ranks 2 "$keyed" quit=7 >"$here/out" 2>"$here/err" || status=$?
same 7 "$status" "exit(7) on two ranks keeps its status"
status=0
ranks 2 "$keyed" bad=3000 >"$here/out" 2>"$here/err" || status=$?
same 1 "$status" "a bad key on two ranks"
grep -q "is out of range" "$here/err"
status=0
ORRERY_THREADS=two ranks 2 "$keyed" >"$here/out" 2>"$here/err" || status=$?
same 2 "$status" "a bad variable on two ranks"
