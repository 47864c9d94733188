#!/bin/bash
# faults.sh BINDIR: every fault that faults.py plants in the PTX of flags.c is found: the machine says so, the bits are others,
# or it does not end. What PTX allows is not.
. "$(dirname "$0")/../../lib.sh"
bin=$1
cd "$work"
. "$here/build.sh"
name=flags
ptx_build "$here/flags.c" "$name"

# run TO SEED [SUMS]
run() {
    ORRERY_VERIFY=$1 ORRERY_DEBUG=gpu_sums=${3:-serial},gpu_blocks=3,gpu_shuffle=$2 timeout 20 "./$name" >out 2>err </dev/null
}
ORRERY_VERIFY=replay ORRERY_REPLAY=forward "./$name" >out 2>err || fail "status $?"
PTX_TRACE=trace run serial 1 || fail "status $?"
cmp replay serial || fail "other bits"

# Rows are copied ahead where sums are taken by tree.
PTX_TRACE=copies run tree 1 tree || fail "status $?"
awk 'FILENAME != "copies" { if (/cp.async.wait_group/) waits[FNR]; next } $1 in waits' "$name.ptx" copies >waits
[ -s waits ] || fail "no rows are copied ahead"
cat waits >>trace

python3 "$here/faults.py" "$name.ptx" trace >faults.ptx
ptx_object faults
python3 "$here/translate.py" --table faults.ptx >table.c
gcc -w -std=gnu17 -fno-pie -I"$include" -I"$here" -c table.c -o table.o
ptx_link "$name" faults.o table.o

# found FAULT: how, in one of several orders of lanes
found() {
    local seed right=replay sums=serial
    [[ $1 != copies_* ]] || right=tree sums=tree
    for seed in 1 2 3 4; do
        if ! PTX_FAULT=$1 run bits $seed $sums; then
            tail -n 1 err
            return
        elif ! cmp -s $right bits; then
            echo 'other bits'
            return
        fi
    done
    echo missed
}
for fault in $(sed -n 's/.*\.entry .*__\([a-z_]*_[0-9]*\)(.*/\1/p' faults.ptx | sort -u); do
    echo "$fault: $(found "$fault")" | tee -a said
done
! grep -v '^allowed' said | grep 'missed$' || fail "faults were missed"
! grep '^allowed' said | grep -v 'missed$' || fail "what PTX allows is refused"
