#!/bin/bash
# Ranks of three hosts with a device each, which the host plays: the output of one rank, of rotations, levels, wavefronts
# and relaxed arrays.
# shellcheck source=tests/cluster/hosts.sh
. "$(dirname "$0")/hosts.sh"
cluster 3

# check NAME [arguments]: a program of tests/programs/gpu
check() {
    name=$1
    shift
    "$cc" -O1 -w -target gpu-shim "$tree/tests/programs/gpu/$name.c" -o "$work/$name" -lm || fail "$name is not built"
    "$work/$name" "$@" >"$work/expected"
    ORRERY_STATS=1 ranks 3 "$work/$name" "$@" >"$work/out" 2>"$work/err" || { cat "$work/err"; fail "$name: status $?"; }
    cmp "$work/expected" "$work/out" || fail "$name: other output on three hosts"
    [ "$(grep -c 'rank [0-2]: kernels ran for' "$work/err")" = 3 ] || { cat "$work/err"; fail "$name: not three devices"; }
}
check rotation 12 20
check waves 5
check relaxed 400
