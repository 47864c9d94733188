#!/bin/bash
# Loops that become several (ORR1709), found without an object's dependences: the proof turns them down, and `orrery verify`
# finds those that are used all the same.
# usage: planted.sh BIN
. "$(dirname "$0")/../lib.sh"
bin=$1
cd "$work"

head='#include <stdio.h>
enum { N = 70000 };
static double a[N + 8], b[N + 8], c[N + 8], d[N + 8], e[N + 8];
static void step(int n) {
    for (int i = 2; i < n; i++) {'
tail='    }
}
int main(void) {
    for (int i = 0; i < N + 8; i++)
        a[i] = i % 7, b[i] = i % 5 * .25, c[i] = i % 11, d[i] = i % 3;
    for (int t = 0; t < 3; t++)
        step(N);
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] * (i % 5) + b[i] * (i % 3) + e[i];
    printf("%a\n", sum);
}'

# remarks FLAGS: what is said of loops in other orders
remarks() {
    # shellcheck disable=SC2086 # a list of flags
    "$bin/orrery" emit -auto -O3 -Rorrery $1 loop.c -o /dev/null 2>&1 | grep 'ORR1709' || true
}

# planted NAME: without the object's dependences the proof turns the loops down, and the loop is left alone
planted() {
    remarks "--debug-forget-dependences $1" > said
    grep -q '^loop.c:5:5: remark: .*a dependence would not hold' said || fail "the proof missed $1: $(cat said)"
    "$bin/orrery" emit -auto -O3 --dump=transform --debug-forget-dependences "$1" loop.c > left.c
    ! grep -q tile_next left.c || fail "loops that break a dependence of $1 are used"
}

# found NAME: `orrery verify` finds the loops that the proof turned down
found() {
    "$bin/orrery" emit -auto -O3 --dump=transform --debug-forget-dependences "$1" --debug-unproved loop.c > broken.c
    grep -q tile_next broken.c || fail "nothing is planted for $1"
    "$bin/orrery-cc" -auto -no-transform -O3 -ffp-contract=off broken.c -o broken
    "$bin/orrery" verify --threads 2 --ranks 0 --runs 1 ./broken > verify.out 2>&1 && fail "$1 is not found: $(cat verify.out)"
    grep -q 'prints something else when its unmarked loops run as they are written' verify.out || fail "$1: $(cat verify.out)"
}

# A read of the element that the next iteration writes, in a statement that has to come behind.
printf '%s\n' "$head" '        a[i] = b[i] + c[i] * d[i];' '        b[i] = a[i] + b[i - 1] * .5;' '        e[i] = a[i + 1] * b[i];' "$tail" > loop.c
[ -z "$(remarks '')" ] || fail "statements that need each other are taken apart"
planted a
found a

# What the next iteration reads, and a store in front of a read of the same iteration.
printf '%s\n' "$head" '        a[i] = b[i - 1] * .25 + c[i];' '        d[i] = d[i - 1] * .5 + a[i];' '        b[i] = d[i] * .125;' "$tail" > loop.c
[ -z "$(remarks '')" ] || fail "a ring through the next iteration is taken apart"
planted b
found b

# A condition that a later statement changes for the next iteration.
printf '%s\n' "$head" '        if (c[i - 1] > 3) a[i] += d[i] * 2;' '        b[i] = b[i - 1] * .5 + a[i];' '        c[i] = b[i] * 4;' "$tail" > loop.c
[ -z "$(remarks '')" ] || fail "a condition that waits is taken away from its statement"
planted c
found c

# The neighbours: all of it holds, the proof says so, and `verify` has nothing to say.
printf '%s\n' "$head" '        a[i] = b[i] + c[i] * d[i];' '        b[i] = a[i] + b[i - 1] * .5;' '        e[i] = a[i] * b[i];' "$tail" > loop.c
remarks '' | grep -q 'the loop runs as 3 loops, by lines: 6 | 7 | 8' || fail "not taken apart: $(remarks '')"
remarks '--debug-forget-dependences e' | grep -q 'by lines: 6 | 7 | 8' || fail "an object without dependences is missed"
"$bin/orrery-cc" -auto -O3 -ffp-contract=off loop.c -o loop
"$bin/orrery" verify --threads 2 --ranks 0 --runs 1 ./loop > verify.out 2>&1 || fail "not verified: $(cat verify.out)"
grep -q 'unmarked loops as they are written: the same is printed' verify.out || fail "not as written: $(cat verify.out)"
gcc -O3 -ffp-contract=off loop.c -o serial
[ "$(./serial)" = "$(ORRERY_AUTO_US=0 ORRERY_THREADS=2 ./loop)" ] || fail "other bits"

# What is printed anew each time tells nothing.
sed 's/printf(/printf("%ld ", (long)getpid()); printf(/; 1i #include <unistd.h>' loop.c > new.c
"$bin/orrery-cc" -auto -O3 -ffp-contract=off new.c -o new
"$bin/orrery" verify --threads 2 --ranks 0 --runs 1 ./new > verify.out 2>&1 || fail "not verified: $(cat verify.out)"
grep -q 'NOT compared with unmarked loops as they are written' verify.out || fail "compared: $(cat verify.out)"
