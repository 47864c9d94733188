#!/bin/bash
# Four hosts in two racks, every other one in the second: broadcasts go along the hosts of a rack, and to the other rack
# once; the model is the one that threads give.
# shellcheck source=tests/cluster/hosts.sh
. "$(dirname "$0")/hosts.sh"
delayed_cluster 4 1000000000 50:20000
"$cc" -O2 -I"$tree/samples/common" "$tree/samples/mf/mf.c" -o "$work/mf" -lm
data=$BIN/../samples/data/names.mtx
export ORRERY_GRID=4x4
ORRERY_THREADS=2 "$work/mf" --plain --epochs 2 --quiet --output "$work/expected" "$data" >"$work/out"
ORRERY_STATS=1 ranks 4 "$work/mf" --plain --epochs 2 --quiet --output "$work/model" "$data" >"$work/out" 2>"$work/err"
cmp "$work/expected" "$work/model" || fail "not the bits of threads"
grep -q '^orrery: hosts-in-line 0 2 1 3$' "$work/err" || { cat "$work/err" >&2; fail "not rack by rack"; }
ORRERY_STATS=1 ranks 2 "$work/mf" --plain --epochs 1 --quiet "$data" >"$work/out" 2>"$work/err"
grep -q '^orrery: hosts-in-line 0 1$' "$work/err" || fail "two hosts"
