#!/bin/bash
# `orrery run`: threads, ranks, statuses, and clear errors.
. "$(dirname "$0")/lib.sh"

mf_program mf.c
"$cc" -O2 mf.c -o mf -lm
./mf >one.out

expect 0 "$orrery" run ./mf
cmp -s out one.out || fail "run prints something else"
expect 0 "$orrery" run --threads 3 ./mf
cmp -s out one.out || fail "3 threads print something else"
expect 7 "$orrery" run ./mf 1000 7
expect 7 "$orrery" run -- ./mf 1000 7
expect 0 env PATH="$work:$PATH" "$orrery" run mf
expect 0 "$orrery" run -n 1 ./mf
cmp -s out one.out || fail "1 rank prints something else"
for ranks in 2 3; do
    expect 0 "$orrery" run -n $ranks --oversubscribe --threads 1 --timeout 280 ./mf
    cmp -s out one.out || fail "$ranks ranks print something else"
done
expect 7 "$orrery" run -n 2 --oversubscribe --threads 1 ./mf 1000 7
expect 2 "$orrery" run -n 4096 ./mf
says err '4096 ranks on [0-9]+ cores?' '--oversubscribe' '--hostfile'

expect 0 "$orrery" run --memory 2G ./mf
expect 1 "$orrery" run --memory 1M ./mf
says err '1 .*ORRERY_MEMORY.*\[ORR923[23]\]'
# Each of several ranks may have 30 MB beside it, for the program and its buffers.
cat >large.c <<'END'
#include <string.h>
static char text[50000000];
static float w[1000];
int main(void) {
    memset(text, 'a', sizeof text);
#pragma orrery parallel
    for (int i = 0; i < 1000; ++i)
        w[i] = .1f;
    return text[5] + w[0] < 1;
}
END
expect 0 "$cc" -O2 large.c -o large
expect 1 "$orrery" run -n 2 --oversubscribe --memory 1MB ./large
says err 'ORR923[23]'
for size in 0 12 -1G 3K 2e9T G 1.5Gi; do
    expect 2 "$orrery" run --memory=$size ./mf
    says err "'$size' is no size of memory" '500M'
done

expect 2 "$orrery" run ./nothing
says err "no such program: './nothing'"
expect 2 "$orrery" run no-such-program-anywhere
says err "no such program"
expect 2 "$orrery" run ./mf.c
says err 'not a program'
cc -O2 -Wno-unknown-pragmas mf.c -o plain -lm
expect 2 "$orrery" run ./plain
says err 'holds no parallel loop' 'orrery-cc'
expect 2 "$orrery" run --hostfile hosts ./mf
says err '--hostfile needs -n'
expect 2 "$orrery" run -n 2 --hostfile hosts ./mf
says err "host file 'hosts'"
expect 127 env ORRERY_MPIRUN=/nowhere/mpirun "$orrery" run -n 2 --oversubscribe ./mf
says err '/nowhere/mpirun'
strip -o stripped mf
expect 0 "$orrery" run ./stripped

# Processes of the job are gone soon.
none_left() {
    for _ in $(seq 600); do
        pgrep -f "slow-$$" >left 2>/dev/null || return 0
        sleep 0.1
    done
    fail "processes are left after a minute: $(cat left)"
}

# A job that does not end is ended, with everything that it started.
cat >slow.c <<'EOF'
#include <unistd.h>
int main(void) {
    static double a[1000];
#pragma orrery parallel
    for (int i = 0; i < 1000; i++)
        a[i] = i;
    for (;;)
        sleep((unsigned)a[1]);
}
EOF
"$cc" -O2 slow.c -o "slow-$$" -lm
expect 124 "$orrery" run --timeout 1 "./slow-$$"
says err 'still running after 1 s'
expect 124 "$orrery" run -n 2 --oversubscribe --threads 1 --timeout 3 "./slow-$$"
none_left
# Interrupted: the same.
"$orrery" run -n 2 --oversubscribe --threads 1 "./slow-$$" >/dev/null 2>&1 &
job=$!
until [ "$(pgrep -fc "^\./slow-$$")" = 2 ]; do sleep .05; done
kill -TERM $job
status=0
wait $job || status=$?
[ $status -ne 0 ] || fail "an interrupted job ended with 0"
none_left
exit 0
