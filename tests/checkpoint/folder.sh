#!/bin/bash
# The folder of checkpoints: one run at a time, only its owner's, no links followed; what is refused stays, and
# only --from-scratch begins from the start. Integers that look like addresses behind the program are saved.
. "$(dirname "$0")/lib.sh"

features 5000 6 name
umask 0
expect 0 "$orrery" run -n 2 --oversubscribe --threads 1 --checkpoint saved ./features 5000 6 name
[ "$(stat -c %a saved)" = 700 ] || fail "the folder is open to others: $(stat -c %a saved)"
[ "$(stat -c %a saved/*.h5 | sort -u)" = 600 ] || fail "a checkpoint is open to others: $(ls -l saved)"

# What a killed run had not finished goes, other files stay.
touch saved/.checkpoint-00000009-there-1.tmp saved/.checkpoint.txt
expect 0 "$orrery" run --checkpoint saved ./features 5000 6 name
[ ! -e saved/.checkpoint-00000009-there-1.tmp ] && [ -e saved/.checkpoint.txt ] || fail "not tidy: $(ls -A saved)"

# Nobody writes behind a link.
newest=$(find saved -name '*.h5' | sort | tail -n 1)
mv "$newest" elsewhere && ln -s "$work/elsewhere" "$newest"
expect 0 "$orrery" run --checkpoint saved ./features 5000 6 name
says err "checkpoint .*$newest refused: .*Too many levels of symbolic links" 'going on from .*pass 5'
same out

# Refused again and again, and never begun anew in silence.
for file in saved/*.h5; do [ -L "$file" ] && rm "$file"; truncate -s 1000 "$file"; done
ls saved >before
for _ in 1 2; do
    expect 78 "$orrery" run --checkpoint saved ./features 5000 6 name
    says err 'none of the . checkpoints in .*saved is whole; to begin from the start say --from-scratch'
    ls saved | diff before - || fail "a refused run changed the folder"
done
expect 0 "$orrery" run --checkpoint saved --from-scratch ./features 5000 6 name
same out
lacks 'going on' err || fail "not from the start"
[ -e saved/checkpoint-00000001.h5.old ] || [ -e saved/checkpoint-00000004.h5.old ] || [ -e saved/checkpoint-00000006.h5.old ] ||
    fail "the old ones are not set aside: $(ls saved)"
expect 2 "$orrery" run --from-scratch ./features
says err '--from-scratch needs --checkpoint DIR'

# Two at once.
rm -rf saved
"$orrery" run --checkpoint saved ./features 5000 200000 name >first 2>&1 &
job=$!
until compgen -G "saved/checkpoint-*.h5" >/dev/null; do kill -0 $job || fail "it ended"; sleep .01; done
expect 2 "$orrery" run --checkpoint saved ./features 5000 6 name
says err "another run \(process $job on .*\) uses saved; give each run a folder of its own"
ORRERY_CHECKPOINT=saved expect 2 ./features 5000 6 name
says err "another run \(process $job on .*\) uses"
kill -9 $job
wait $job || true
until "$orrery" run --checkpoint saved --from-scratch ./features 5000 6 name >out 2>err; do
    says err 'another run'
    sleep .1
done
same out

# Two 16-bit integers, and a long, of addresses in the low heap of the C library.
cat >low.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    long *counts = calloc(2048, sizeof *counts);
    static double w[1000];
    for (int pass = 0; pass < 5; ++pass) {
        for (int i = 0; i < 2048; ++i)
            counts[i] = 0x400000 + 4096L * i + pass;
#pragma orrery parallel
        for (int i = 0; i < 1000; ++i)
            w[i] += (double)counts[i];
    }
    printf("end %g\n", w[999]);
    return 0;
}
END
"$cc" -O2 low.c -o low
expect 0 "$orrery" run --checkpoint low-saved ./low
[ "$(find low-saved -name '*.h5' | wc -l)" = 2 ] || fail "not saved: $(cat err)"
expect 0 "$orrery" run --checkpoint low-saved ./low
says err 'going on from .*pass 5'

# The address of a function of the C library, in a structure that the loop changes: the new process has its own.
cat >outside.c <<'END'
#include <stdio.h>
#include <string.h>
static struct {
    size_t (*length)(const char *);
    long passes;
} state;
static double w[1000];
int main(void) {
    size_t (*volatile length)(const char *) = strlen;
    state.length = length;
    for (int pass = 0; pass < 5; ++pass) {
        state.passes += 1;
#pragma orrery parallel
        for (int i = 0; i < 1000; ++i)
            w[i] += i * (double)pass;
    }
    printf("end %g %ld %zu\n", w[999], state.passes, state.length("three"));
    return 0;
}
END
"$cc" -O2 outside.c -o outside
export ORRERY_DEBUG=writer=0
expect 0 "$orrery" run --checkpoint outside-saved ./outside
for _ in 1 2 3; do
    expect 0 "$orrery" run --checkpoint outside-saved ./outside
    says err 'going on from .*pass 5'
    says out '^end 9990 5 5$'
done
