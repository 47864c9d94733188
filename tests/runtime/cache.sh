#!/usr/bin/env bash
# An inspection is kept while its inputs stay as they are, and made again when they change.
. "$(dirname "$0")/common.sh"
inspections() {
    ORRERY_STATS=1 "$@" 2>&1 >"$work/out" | sed -n 's/.* inspections \([0-9]*\).*/\1/p'
}
same 1 "$(inspections "$tools/hand_mf" 6)" "a changing rate or model is no input"
same 1 "$(inspections "$tools/keyed" passes=6)" "one inspection for six passes"
same 2 "$(inspections "$tools/keyed" passes=6 change=3)" "changed keys are seen"
same 2 "$(inspections "$tools/keyed" passes=6 change=3 count=20)" "changed keys within a page"
same 2 "$(inspections "$tools/keyed" passes=6 change=3 count=200000 users=900)" "on many pages"
