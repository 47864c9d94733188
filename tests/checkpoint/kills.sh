#!/bin/bash
# SIGKILL in front of every system call of a checkpoint's writing: a whole one is always left, and
# the run goes on from it.
. "$(dirname "$0")/lib.sh"

features 20 6 name
calls=0
while :; do
    calls=$((calls + 1))
    rm -rf saved
    status=0
    ORRERY_CHECKPOINT=saved timeout 300 "$tools/checkpoint-killer" 4 $calls ./features 20 6 name >killed.txt || status=$?
    [ "$status" = 77 ] && exit 77
    [ "$status" = 3 ] && break
    [ "$status" = 0 ] || fail "status $status"
    ORRERY_CHECKPOINT=saved timeout 300 ./features 20 6 name >out 2>err || fail "killed at call $calls: status $?"
    says err 'going on from .*saved/checkpoint-0000000[345].h5'
    grep -q refused err && fail "killed at call $calls: a checkpoint was not whole"
    same out
done
echo "killed at $((calls - 1)) calls"
[ $calls -gt 20 ] || fail "only $calls calls"
