#!/bin/bash
# SIGKILL in front of every system call of a checkpoint's writing: a whole one is always left, and
# the run goes on from it. What a kill leaves are the files of that moment; the program is killed in
# front of some calls, and of all of them the files are copied; it goes on from each state once.
. "$(dirname "$0")/lib.sh"

features 20 6 name
export ORRERY_CHECKPOINT=saved

# goes_on WHERE: from the folder `saved`
goes_on() {
    timeout 300 ./features 20 6 name >out 2>err || fail "killed at call $1: status $?"
    says err 'going on from .*saved/checkpoint-0000000[345].h5'
    lacks refused err || fail "killed at call $1: a checkpoint was not whole"
    same out
}

status=0
timeout 300 "$tools/checkpoint-killer" 4 copy ./features 20 6 name >whole.txt || status=$?
[ $status != 77 ] || exit 77
[ $status = 3 ] || fail "status $status"
same whole.txt
calls=$(find . -maxdepth 1 -name 'copy-*' | wc -l)
[ "$calls" -gt 20 ] || fail "only $calls calls"

states=0
for ((call = 1; call <= calls; ++call)); do
    [ $call = 1 ] || ! diff -rq copy-$((call - 1)) copy-$call >differs || continue
    states=$((states + 1))
    rm -rf saved
    cp -a copy-$call saved
    goes_on $call
done
[ $states -gt 10 ] || fail "only $states states of $calls calls"

# Killed itself, in front of some calls, until it ends before: how often it yields and waits differs.
kills=0
for call in 1 11 31 61 101 151 201 100000; do
    status=0
    rm -rf saved
    timeout 300 "$tools/checkpoint-killer" 4 $call ./features 20 6 name >killed.txt || status=$?
    [ $status != 3 ] || break
    [ $status = 0 ] || fail "killed at call $call: status $status"
    kills=$((kills + 1))
    goes_on $call
done
[ $status = 3 ] && [ $kills -gt 2 ] || fail "killed $kills times, at last status $status"
echo "$states states at $calls calls, killed $kills times"
