#!/bin/bash
# The first thread of a rank stops while its heartbeat goes on: in a pass, between passes, and behind the end; or it
# runs and does not advance. It is named, and the job starts again from its checkpoint. A rank 0 that waits in the
# program's code is none.
. "$(dirname "$0")/lib.sh"

features 100000 40 name
hangs() {
    local rank=$1 phase=$2 pass=$3 how=$4 words=$5 status=0
    rm -rf saved
    "$orrery" run -n 2 --oversubscribe --threads 1 --checkpoint saved --max-restarts 1 --patience "${6-60}" ./features 100000 40 name >out 2>err &
    job=$!
    "$tools/checkpoint-strike" saved "$rank" "$phase" "$pass" "$how" || { status=$?; [ $status = 4 ] && exit 77; }
    wait $job || fail "rank $rank $words: status $?"
    tail -n 2 out >last
    same last
    [ $status != 0 ] || says err "orrery run: rank $rank on .*, $words; starting again \(1 of 1\)"
}
still='it hangs: it neither computed nor asked for messages for [35] s'
hangs 1 2 3 hang "in a pass.*: $still"
hangs 1 5 7 hang "between two passes.*: $still"
hangs 1 6 0 hang "at the end of it.*: $still"
hangs 1 2 3 spin 'in a pass.*: it has not advanced for 1[0-9] s, and others wait for it' 15

cat >slow.c <<'END'
#include <stdio.h>
#include <unistd.h>
int main(void) {
    static double w[1000];
    for (int pass = 0; pass < 3; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < 1000; ++i)
            w[i] += i;
        if (pass == 1)
            sleep(8);
    }
    printf("result %g\n", w[10]);
    return 0;
}
END
"$cc" -O2 slow.c -o slow
expect 0 "$orrery" run -n 2 --oversubscribe --threads 1 --checkpoint slow-saved ./slow
lacks hangs err || fail "code that waits is no rank that hangs"
says out '^result 30'
