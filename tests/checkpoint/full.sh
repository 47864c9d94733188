#!/bin/bash
# A full disk, a limit on files, a folder that goes away: the run goes on, says once that it is not protected,
# and ends well with its output. Never a signal.
. "$(dirname "$0")/lib.sh"

features 5000 6 name
once() {
    same out
    [ "$(grep -c 'was not saved: .*; the run goes on, and is not protected until' err)" = 1 ] || fail "not said once: $(cat err)"
    says err "$1"
}
ranks=(-n 2 --oversubscribe --threads 1)

(ulimit -f 40 && expect 0 "$orrery" run --checkpoint small ./features 5000 6 name)
once 'File too large'
[ -z "$(find small -name '*.h5' -o -name '*.tmp')" ] || fail "something is left: $(ls -A small)"

# From pass 4 on there is no folder; then there is one again. On a machine that has no time for the test in between
# the run may have ended before: then it takes longer.
gone() {
    local pause
    for pause in 20000 100000 500000; do
        rm -rf saved "$1"
        PAUSE=$pause "$orrery" run --checkpoint saved ./features 5000 60 name >out 2>err &
        job=$!
        until [ -e saved/checkpoint-00000003.h5 ] || ! kill -0 $job; do sleep .01; done
        mv saved "$1"
        until grep -q 'not protected' err || ! kill -0 $job; do sleep .01; done
        if kill -0 $job; then return; fi
        wait $job || fail "status $?"
    done
    fail "the run ends too soon"
}
./features 5000 60 name >reference.txt
gone aside
mv aside saved
wait $job || fail "status $?"
once 'No such file or directory'
says err 'the run is protected again'
find saved -name 'checkpoint-*.h5' | grep -q . || fail "no checkpoint after the folder came back"

# Disks that are full from the start, or after some bytes.
features 5000 6 name
mkdir disk
for size in 4k 64k; do
    mount -t tmpfs -o size=$size tmpfs disk 2>/dev/null || exit 0
    # shellcheck disable=SC2064
    trap "umount $work/disk; rm -rf $work" EXIT
    for how in "" "${ranks[*]}"; do
        rm -rf disk/saved
        # shellcheck disable=SC2086
        expect 0 "$orrery" run $how --checkpoint disk/saved ./features 5000 6 name
        once 'No space left on device'
    done
    umount disk
    trap 'rm -rf "$work"' EXIT
done
