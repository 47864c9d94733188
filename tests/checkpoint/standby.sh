#!/bin/bash
# orrery run --standby: a second job waits at the loop over passes, and goes on when a rank is lost, once and again,
# with ranks and without; nothing is left of it; one that ends, or would write what the first uses, is said once.
. "$(dirname "$0")/lib.sh"
passes=(5000 60 name)
features "${passes[@]}"
export PAUSE=50000
saved=(--checkpoint saved --max-restarts 2 --standby)
ranks=(-n 2 --oversubscribe --threads 1)
mkdir second
ln -s ../saved/.board-2 second/.board

# stands_by FOLDER: the heartbeats of the job before may still be there.
stands_by() {
    until timeout 5 "$tools/checkpoint-strike" "$1" 0 9 0 0; do
        kill -0 $job || fail "nobody stands by: $(cat err)"
        sleep .05
    done
}

# start ARGUMENTS: until the standby waits.
start() {
    rm -rf saved
    "$orrery" run "$@" >out 2>err &
    job=$!
    stands_by second
}
ends() {
    local status=0
    wait $job || status=$?
    [ $status = "$1" ] || fail "status $status, not $1: $(cat err)"
    [ -z "$(find saved -name '.board*')" ] || fail "heartbeats are left: $(ls -a saved)"
}

# Lost, and lost again: the standby's standby has the first one's place.
start "${saved[@]}" "${ranks[@]}" ./features "${passes[@]}"
"$tools/checkpoint-strike" saved 1 5 3 9
stands_by saved
"$tools/checkpoint-strike" second 0 0 3 9
ends 0
same out
says err 'rank 1 on .*killed by signal 9.*; the job that stands by goes on \(1 of 2\)' 'going on from .*saved' \
    'rank 0 on .*; the job that stands by goes on \(2 of 2\)'
lacks 'starting again' err || fail "it was started again"
[ "$(grep -c 'going on from' err)" = 2 ] || fail "it went on $(grep -c 'going on from' err) times"

# Without ranks; undisturbed.
start "${saved[@]}" --threads 1 ./features "${passes[@]}"
"$tools/checkpoint-strike" saved 0 0 3 9
ends 0
same out
says err 'the job that stands by goes on \(1 of 2\)'
start "${saved[@]}" "${ranks[@]}" ./features "${passes[@]}"
ends 0
cmp -s reference.txt out || fail "output of the standby: $(diff reference.txt out)"
[ ! -s err ] || fail "it says: $(cat err)"

# The standby is lost first.
start "${saved[@]}" "${ranks[@]}" ./features "${passes[@]}"
"$tools/checkpoint-strike" second 1 5 0 9
until grep -q 'the job that stood by has ended' err || ! kill -0 $job; do sleep .05; done
"$tools/checkpoint-strike" saved 1 5 3 9
ends 0
same out
says err 'should this one be lost, it is started from the beginning' 'starting again \(1 of 2\)'

# A file that a second beginning would empty.
cat >notes.c <<'END'
#include <stdio.h>
#include <unistd.h>
int main(void) {
    static double w[1000];
    fclose(fopen("notes.txt", "w"));
    for (int pass = 0; pass < 40; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < 1000; ++i)
            w[i] += i;
        FILE *notes = fopen("notes.txt", "a");
        fprintf(notes, "pass %d: %g\n", pass, w[10]);
        fclose(notes);
        usleep(50000);
    }
    return 0;
}
END
"$cc" -O2 notes.c -o notes
rm -rf saved
expect 0 "$orrery" run "${saved[@]}" "${ranks[@]}" ./notes
[ "$(wc -l <notes.txt)" = 40 ] || fail "lines are gone: $(cat notes.txt)"
says err "the program writes files, or starts commands, before its loop over passes \('notes.txt'\)" \
    'the job that stood by has ended \(status 78\)'

expect 2 "$orrery" run --checkpoint saved --standby ./features
says err '--standby needs --max-restarts'
expect 2 "$orrery" run "${saved[@]}" --spill . ./features
says err '--standby takes more memory'
