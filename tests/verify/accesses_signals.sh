#!/bin/bash
# A program that a signal ends reports what it did until then: its own fault, a full stack, another's signal.
. "$(dirname "$0")/accesses.sh"
cat >ends.c <<'EOF'
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static double x[100], y[100], *none;
static int deep(int n) {
    volatile char room[4096];
    room[n % 4096] = 1;
    return deep(n + 1) + room[(n + 1) % 4096];
}
static void end(int how, int i) {
    switch (how) {
    case 1: *none = 1; break;
    case 2: deep(i); break;
    case 3: assert(i < 60); break;
    case 4: abort();
    case 5: raise(SIGFPE); break;
    case 6: kill(getpid(), SIGTERM); pause(); break;
    default: kill(getpid(), SIGINT); pause();
    }
}
int main(int argc, char **argv) {
    for (int i = 0; i < 100; i++)
        x[i] = i;
    for (int i = 1; i < 100; i++) {
        y[i] = y[i - 1] + x[i];
        if (i == 60)
            end(atoi(argv[1]), i);
    }
    return 0;
}
EOF

"$cc" -accesses -w ends.c -o prog

# ends SIGNAL HOW [LINE ANSWER...]: what is said all the same
ends() {
    status=0
    "$orrery" verify --accesses --format=json ./prog "$2" >out 2>err </dev/null || status=$?
    [ "$status" -eq $((128 + $1)) ] || { cat err; fail "case $2: status $status"; }
    [ "$(python3 -c 'import json; print(json.load(open("out"))["signal"])')" = "$1" ] || fail "case $2: other signal"
    is 23 confirmed "${@:3}"
}

for how in 1 2; do ends 11 $how 25 serial; done
for how in 3 4; do ends 6 $how 25 serial; done
ends 8 5
ends 15 6
ends 2 7
"$orrery" verify --accesses ./prog 7 >out 2>err </dev/null || true
grep -q 'signal 2 (Interrupt) ended a process' out || fail "the text does not say it"
