#!/bin/bash
# A run that is killed goes on from its newest checkpoint, on any number of threads and ranks, to
# the results of the undisturbed run; state in every kind of memory comes back.
. "$(dirname "$0")/lib.sh"

features 5000 12 name
expect 0 "$orrery" run --checkpoint saved ./features 5000 12 name
same out
[ "$(find saved -name 'checkpoint-*.h5' | wc -l)" = 2 ] || fail "not two kept: $(ls saved)"
# The newest is of the last pass: a third run repeats only that one.
expect 0 "$orrery" run --checkpoint saved ./features 5000 12 name
same out
says err 'going on from .*saved/checkpoint-.*in train, pass 12'
[ "$(grep -c '^pass' out)" = 1 ] || fail "more than one pass was repeated"

# Killed at each pass in turn, then on fewer and more threads and ranks.
how=("--threads 1" "--threads 3" "-n 2 --oversubscribe --threads 1" "-n 3 --oversubscribe --threads 1" "--threads 2")
for pass in 1 2 5 8 10; do
    rm -rf saved
    status=0
    ORRERY_CHECKPOINT=saved "$tools/checkpoint-killer" $((pass + 1)) 1 ./features 5000 12 name >killed.txt || status=$?
    [ "$status" = 77 ] && exit 77
    [ "$status" = 0 ] || fail "not killed: $status"
    # shellcheck disable=SC2086
    expect 0 "$orrery" run ${how[0]} --checkpoint saved ./features 5000 12 name
    says err "going on from .*saved/checkpoint-$(printf %08d "$pass").h5: .*pass $((pass + 1))"
    same out
    [ "$(grep -c '^pass' out)" = $((12 - pass)) ] || fail "from pass $pass: $(grep -c '^pass' out) passes"
    how=("${how[@]:1}" "${how[0]}")
done

# From ranks to one thread.
rm -rf saved
expect 0 "$orrery" run -n 2 --oversubscribe --threads 1 --checkpoint saved --every 5passes ./features 5000 12 name
same out
[ "$(find saved -name 'checkpoint-*.h5' | wc -l)" = 2 ] || fail "not two kept: $(ls saved)"
expect 0 "$orrery" run --checkpoint saved ./features 5000 12 name
same out
says err 'pass 11'

# Several times in a row.
rm -rf saved
for pass in 1 1 1 1; do
    ORRERY_CHECKPOINT=saved "$tools/checkpoint-killer" $((pass + 1)) 1 ./features 5000 12 name >killed.txt 2>&1 || fail "not killed"
done
expect 0 "$orrery" run --checkpoint saved ./features 5000 12 name
same out

# Memory that only main sees, with all that the compilers do.
for compiler in gcc clang-19; do
    command -v $compiler >/dev/null || continue
    ORRERY_CC=$compiler "$cc" -O3 "$tree/tests/programs/checkpoint/own.c" -o own
    for pass in 2 3 5; do
        rm -rf saved
        ORRERY_CHECKPOINT=saved "$tools/checkpoint-killer" $pass 1 ./own >killed.txt 2>&1 || fail "not killed"
        expect 0 "$orrery" run --checkpoint saved ./own
        says out '^end 15 6 11 18 18 1 72$'
    done
done
