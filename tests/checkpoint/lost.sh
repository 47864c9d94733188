#!/bin/bash
# Ranks that are lost: one that is silent is found; without restarts the job ends within seconds and the first
# error stands last; what the program says itself starts nothing again; SIGTERM to orrery run ends a job on
# ranks with a checkpoint. Within seconds: 20, and as many as three such jobs take here that nothing happens to.
. "$(dirname "$0")/lib.sh"

# Small passes, and time to be struck between them, in which nothing computes.
passes=(5000 40 name)
features "${passes[@]}"
export PAUSE=30000
run=("$orrery" run -n 2 --oversubscribe --threads 1 --checkpoint saved)
start() {
    rm -rf saved
    "$@" >out 2>err &
    job=$!
}
ends() {
    local status=0
    wait $job || status=$?
    [ $status = "$1" ] || fail "status $status, not $1"
}

first=$SECONDS
rm -rf saved
expect 0 "${run[@]}" ./features "${passes[@]}"
soon=$((20 + 3 * (SECONDS - first)))

# Silent.
start "${run[@]}" --max-restarts 1 ./features "${passes[@]}"
"$tools/checkpoint-strike" saved 1 5 3 19
from=$SECONDS
until grep -q 'nothing was heard' err || ! kill -0 $job; do sleep .1; done
[ $((SECONDS - from)) -le $soon ] || fail "a silent rank was found after $((SECONDS - from)) s"
ends 0
same out
says err 'orrery run: rank 1 on .*: nothing was heard of it for 5 s; starting again \(1 of 1\)' 'going on from .*saved'

# No restarts.
start "${run[@]}" ./features "${passes[@]}"
"$tools/checkpoint-strike" saved 1 5 3 9
from=$SECONDS
ends 137
[ $((SECONDS - from)) -le $soon ] || fail "the job ended after $((SECONDS - from)) s"
tail -n 1 err | grep -Eq '^orrery run: rank 1 on .*: killed by signal 9' || fail "the last line is another"

# No restart is left.
PAUSE=100000 start "${run[@]}" --max-restarts 1 ./features "${passes[@]}"
"$tools/checkpoint-strike" saved 1 5 2 9
until grep -q 'starting again' err || ! kill -0 $job; do sleep .05; done
# The heartbeats of the ranks before may still be there.
until timeout 5 "$tools/checkpoint-strike" saved 0 0 5 9 || ! kill -0 $job; do sleep .05; done
ends 137
says err 'rank 1 .*starting again \(1 of 1\)' 'rank 0 on .*killed by signal 9.*; no restart is left'

# A signal: ends with a checkpoint.
PAUSE=0 ./features 5000 100 name >reference.txt
for signal in TERM USR1; do
    PAUSE=30000 start "${run[@]}" --every 100000passes --max-restarts 3 ./features 5000 100 name
    "$tools/checkpoint-strike" saved 0 0 3 0
    kill -$signal $job
    ends 75
    says err 'ended by a signal in front of pass'
    [ "$(find saved -name 'checkpoint-*.h5' | wc -l)" = 1 ] || fail "no checkpoint: $(ls -a saved)"
    PAUSE=0 expect 0 "${run[@]}" ./features 5000 100 name
    same out
done

# The program's own no.
cat >no.c <<'EOF'
#include <stdio.h>
int main(void) {
    static double w[1000];
    for (int pass = 0; pass < 5; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < 1000; ++i)
            w[i] += i;
        if (pass == 3)
            return 5;
    }
    return 0;
}
EOF
"$cc" -O2 no.c -o no
expect 5 "$orrery" run -n 2 --oversubscribe --threads 1 --checkpoint saved4 --max-restarts 2 ./no
lacks 'starting again' err || fail "status 5 is no reason to start again"
expect 2 "$orrery" run --max-restarts 2 ./no
says err '--max-restarts needs --checkpoint'

# A rank that cannot be watched says so.
mkdir -p odd/rank-0
ORRERY_BOARD=$PWD/odd expect 1 ./no
says err "cannot write $PWD/odd/rank-0, by which orrery run watches this rank: Is a directory"

# A rank is killed at the end, and the launcher, having seen it or not, does not end: the first time.
cat >late.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((destructor)) static void late(void) {
    if (getenv("LATE") && access("late", F_OK) != 0 && fclose(fopen("late", "w")) == 0)
        raise(SIGKILL);
}
int main(void) {
    static double w[1000];
    for (int pass = 0; pass < 5; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < 1000; ++i)
            w[i] += i;
    }
    printf("result %g\n", w[10]);
    return 0;
}
END
"$cc" -O2 late.c -o late-program
stuck() {
    cat >stuck.sh <<END
#!/bin/bash
[ "\$1" != --version ] || exec mpiexec --version
mpiexec "\$@" $1 || { status=\$?; [ ! -e stuck ] || exit \$status; touch stuck; exec sleep 1000; }
END
    chmod +x stuck.sh
    rm -f stuck late
}
export ORRERY_MPIRUN="$work/stuck.sh"
stuck '2>/dev/null'
for attempt in 1 2 3 4 5 6 7 8 9 10; do
    start "${run[@]}" --max-restarts 2 ./late-program
    "$tools/checkpoint-strike" saved 0 6 0 9 || true
    from=$SECONDS
    ends 0
    [ ! -e stuck ] || break
done
[ -e stuck ] || fail "no rank was killed at the end in $attempt runs"
[ $((SECONDS - from)) -le $soon ] || fail "a stuck launcher was ended after $((SECONDS - from)) s"
says err 'orrery run: rank 0 on .*starting again \(1 of 2\)'
says out '^result 50'
stuck ''
from=$SECONDS
LATE=1 expect 0 timeout 300 "${run[@]}" --max-restarts 2 ./late-program
[ -e stuck ] || fail "no rank was killed after the end"
[ $((SECONDS - from)) -le $soon ] || fail "a stuck launcher was ended after $((SECONDS - from)) s"
says err 'orrery run: rank [01] on .*killed by signal 9.*starting again \(1 of 2\)'

# All is done, and the launcher does not end: it is ended, the status is the program's.
cat >stuck.sh <<'END'
#!/bin/bash
[ "$1" != --version ] || exec mpiexec --version
mpiexec "$@"
exec sleep 1000
END
from=$SECONDS
expect 0 timeout 300 "$orrery" run -n 2 --oversubscribe --threads 1 ./late-program
[ $((SECONDS - from)) -le $soon ] || fail "a launcher that does not end was ended after $((SECONDS - from)) s"
says err 'the ranks are done, and their launcher does not end'
says out '^result 50'
unset ORRERY_MPIRUN
