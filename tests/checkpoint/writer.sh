#!/bin/bash
# Checkpoints that a child writes while the passes go on: what is saved is the memory of one moment; a child that is lost
# costs one checkpoint; the program waits for it at its end and when a signal ends it, and it dies with the program.
. "$(dirname "$0")/lib.sh"
meanwhile
"$cc" -O2 "$tree/tests/programs/checkpoint/passes.c" -o passes
size=(8 60 15000)
./passes "${size[@]}" >reference.txt
begin() {
    : >err
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

# children COMMAND...: of each process that writes.
children() {
    local keeper child
    for keeper in $(pgrep -P $job); do
        for child in $(pgrep -P "$keeper"); do "$@" "$child" 2>/dev/null && struck=$child || true; done
    done
}

# It ends with the program, however long it would have written.
struck=
begin
until [ -n "$struck" ]; do
    kill -0 $job || begin
    children kill -STOP
done
kill -9 $job
ends 137
for ((i = 0; i < 1000; ++i)); do
    [ -e "/proc/$struck" ] || break
    sleep .02
done
[ ! -e "/proc/$struck" ] || { kill -9 "$struck"; fail "the process that writes outlives the program"; }

# Signals that ask the program for something are not the child's, as those that a terminal sends to all.
size[1]=120
./passes 8 120 0 >reference.txt
struck=
begin
most=0
while kill -0 $job 2>/dev/null; do
    children kill -TERM
    children kill -INT
    ended=$(ps -o stat= --ppid $job | grep -c '^Z' || true)
    most=$((ended > most ? ended : most))
    sleep .001
done
ends 0
[ -n "$struck" ] || fail "no process that writes was met"
[ "$most" -le 1 ] || fail "$most processes that wrote have ended, and nobody waited for them"
! grep -q 'was not saved' err || fail "a signal ended the process that writes: $(cat err)"
same out

# strikes HOW LINE...: HOW is done until the program says that a pass was not saved; then it says these lines. On a busy
# machine that may take more passes.
strikes() {
    local how=$1 passes line all
    shift
    for passes in 120 400 1200; do
        size[1]=$passes
        ./passes 8 "$passes" 0 >reference.txt
        begin
        until grep -q 'was not saved' err || ! kill -0 $job; do
            $how
            sleep .002
        done
        ends 0
        same out
        all=1
        for line in "$@"; do grep -Eq -- "$line" err || all=; done
        [ -z "$all" ] || return 0
    done
    fail "it does not say: $* but: $(cat err)"
}
kill_child() {
    local keeper
    for keeper in $(pgrep -P $job); do pkill -9 -P "$keeper" || true; done
}
kill_keeper() {
    pkill -9 -P $job || true
}

# The child is killed: said, and the run is protected again. So it is when the one who waits for it is killed.
strikes kill_child 'was not saved: the process that wrote it was ended by signal 9 .*; the run goes on, and is not protected' \
    'the run is protected again'
strikes kill_keeper 'was not saved: the process that wrote it ended before it was done'

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

# The child is not the program's: no wait() of its gets it, no handler of SIGCHLD hears of it.
cat >waits.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile sig_atomic_t told;
static double a[1000000];
static void tell(int number) {
    (void)number;
    ++told;
}
int main(void) {
    int own = 0, others = 0;
    signal(SIGCHLD, tell);
    pid_t child = fork(), got;
    if (child == 0) {
        pause();
        _exit(0);
    }
    for (int pass = 0; pass < 40; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < 1000000; ++i)
            a[i] = a[i] * .5 + i + pass;
    }
    int before = told;
    others += waitpid(-1, NULL, WNOHANG) != 0;
    kill(child, SIGKILL);
    while ((got = wait(NULL)) > 0)
        got == child ? ++own : ++others;
    printf("result %g\nend: %d signals before, %d after, %d children of its own, %d others\n", a[7], before, told, own, others);
    return 0;
}
END
"$cc" -O2 waits.c -o waits
rm -rf saved
expect 0 env ORRERY_CHECKPOINT=saved ./waits
says out '^end: 0 signals before, 1 after, 1 children of its own, 0 others$'
find saved -name 'checkpoint-*.h5' | grep -q . || fail "nothing was saved"
