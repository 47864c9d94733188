#!/bin/bash
# SIGTERM and SIGUSR1 lead to a checkpoint at the next head and a clean end, status 75.
. "$(dirname "$0")/lib.sh"

features 200000 90 name
for signal in TERM USR1; do
    rm -rf saved
    ORRERY_CHECKPOINT=saved ./features 200000 90 name >out 2>err &
    child=$!
    until ls saved/checkpoint-* >ls.txt 2>&1; do sleep 0.01; done
    kill -$signal $child
    status=0
    wait $child || status=$?
    [ $status = 75 ] || fail "status $status, not 75, of SIG$signal"
    says err 'ended by a signal in front of pass' 'the same command goes on'
    lacks '^end' out || fail "the run was not ended"
    expect 0 "$orrery" run --checkpoint saved ./features 200000 90 name
    same out
done
