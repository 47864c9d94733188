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
# What links take is measured when the job starts, so a busy machine has three tries. The bits are never another's.
in_line() {
    local count=$1 hosts=$2 try
    shift 2
    for try in 1 2 3; do
        ORRERY_STATS=1 ranks "$count" "$work/mf" --plain --quiet "$@" "$data" >"$work/out" 2>"$work/err"
        [ ! -e "$work/model" ] || cmp "$work/expected" "$work/model" || fail "not the bits of threads"
        grep -q "^orrery: hosts-in-line $hosts\$" "$work/err" && return
        echo "try $try: $(grep hosts-in-line "$work/err")"
    done
    cat "$work/err" >&2
    fail "not rack by rack"
}
in_line 4 "0 2 1 3" --epochs 2 --output "$work/model"
rm "$work/model"
in_line 2 "0 1" --epochs 1
