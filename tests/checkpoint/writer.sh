#!/bin/bash
# Checkpoints that a child writes while the passes go on: what is saved is the memory of one moment; a child that is lost
# costs one checkpoint; the program waits for it at its end and when a signal ends it, and it dies with the program.
. "$(dirname "$0")/lib.sh"
meanwhile
"$cc" -O2 "$tree/tests/programs/checkpoint/passes.c" -o passes
size=(8 60 15000)
./passes "${size[@]}" >reference.txt
begin() {
    rm -rf saved
    ORRERY_CHECKPOINT=saved ./passes "${size[@]}" >out 2>err &
    job=$!
}
ends() {
    local status=0
    wait $job || status=$?
    [ $status = "$1" ] || fail "status $status, not $1: $(cat err)"
}
goes_on() {
    expect 0 env ORRERY_CHECKPOINT=saved ./passes "${size[@]}"
    says err 'going on from .*saved/checkpoint-'
    same out
}
writes() {
    until [ -n "$(find saved -name "${1:-.checkpoint-*.tmp}" 2>/dev/null)" ]; do kill -0 $job || fail "it ended: $(cat err)"; sleep .002; done
}

# Killed after a checkpoint, at some place of a pass, and while the next one is written.
begin
writes 'checkpoint-*.h5'
kill -9 $job
ends 137
goes_on
begin
writes 'checkpoint-*.h5'
writes
kill -9 $job
ends 137
until [ -z "$(pgrep -f '^./passes' | grep -vx "$job" || true)" ]; do sleep .01; done
goes_on

# The child is killed: said, and the run is protected again.
size[1]=120
./passes "${size[@]}" >reference.txt
begin
until grep -q 'was not saved' err; do
    kill -0 $job || fail "it ended: $(cat err)"
    for child in $(pgrep -P $job); do kill -9 "$child" || true; done
    sleep .002
done
ends 0
same out
says err 'was not saved: the process that wrote it was ended by signal 9 .*; the run goes on, and is not protected' \
    'the run is protected again'

# A signal while it writes: both are done.
size[1]=60
./passes "${size[@]}" >reference.txt
begin
writes
kill -TERM $job
ends 75
says err 'ended by a signal in front of pass'
goes_on

# The end waits for what has been begun.
rm -rf saved
expect 0 env ORRERY_CHECKPOINT=saved ./passes 8 2 0
[ -z "$(find saved -name '*.tmp')" ] || fail "left behind: $(ls -A saved)"
find saved -name 'checkpoint-*.h5' | grep -q . || fail "nothing was saved"
