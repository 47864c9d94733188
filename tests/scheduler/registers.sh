#!/bin/bash
# A loop that may run in parallel has the host compiler's registers when it runs serially: calls beside it are rare.
# So it has what it knows of variables: no checkpoint is written around loops that nobody marked.
# usage: registers.sh BIN
. "$(dirname "$0")/../lib.sh"
bin=$1
cd "$work"

[ "$(uname -m)" = x86_64 ] || { echo "skipped: no vector instructions that this test knows"; exit 77; }

# What turns b's vectors round is a constant: it stays in a register unless calls may need that too often.
cat > turned.c << 'END'
enum { N = 32000 };
extern __attribute__((aligned(64))) float a[N], b[N];
int next(float *x, float *y);
void turned(int rounds, int first, int step) {
    int j, k;
    for (int round = 0; round < rounds; round++) {
        j = 1;
        k = 0;
        for (int i = first - 1; i < N; i += step) {
            k += j;
            a[i] += b[N - k];
        }
        next(a, b);
    }
}
END
flags='-O3 -mavx2 -ffp-contract=off'

# loop FILE.s: how many instructions the loop has that turns vectors round in the function that was written
loop() {
    awk '/^turned:/ { inside = 1 }
         /^\.L[0-9]+:/ { count = 0; turns = 0 }
         inside && /^\t[a-z]/ { ++count; turns += /vpermd|vpermps/ }
         inside && turns && /^\tj[a-z]+\t\.L/ { print count; exit }' "$1"
}
# shellcheck disable=SC2086 # a list of flags
gcc $flags -S turned.c -o serial.s
# shellcheck disable=SC2086
"$bin/orrery-cc" -auto $flags -Rorrery -S turned.c -o auto.s 2> remarks
grep -q 'parallel: no two iterations conflict' remarks || fail "not parallel: $(cat remarks)"
[ -n "$(loop serial.s)" ] || { echo "skipped: this compiler turns no vectors round"; exit 77; }
[ "$(loop auto.s)" = "$(loop serial.s)" ] || fail "$(loop auto.s) instructions in place of $(loop serial.s)"

# Constants of main are known in what it calls, and memory of malloc is apart from other memory.
cat > filter.c << 'END'
#include <stdio.h>
#include <stdlib.h>
static void filter(const float *in, float *out, int n, int width) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < width; k++)
            sum += in[i + k] / (float)width;
        out[i] = sum;
    }
}
int main(void) {
    int n = 100000, width = 4;
    float *a = malloc(sizeof(float) * (n + width)), *b = malloc(sizeof(float) * n);
    for (int i = 0; i < n + width; i++)
        a[i] = (float)i;
    for (int round = 0; round < 5; round++)
        filter(a, b, n, width);
    return printf("%g\n", b[5]) < 0;
}
END
"$bin/orrery" emit -auto filter.c -o filter.orrery.c -- -O3 || fail "emit"
grep -q 'orrery_worth' filter.orrery.c || fail "no loop to choose for"
lacks 'orrery_ckpt_point' filter.orrery.c || fail "a checkpoint where nobody marked a loop"
sed 's/^    for (int i = 0; i < n; i++) {/#pragma orrery parallel\n&/' filter.c > marked.c
"$bin/orrery" emit -auto marked.c -o marked.orrery.c -- -O3 || fail "emit of the marked loop"
grep -q 'orrery_ckpt_point_reached' marked.orrery.c || fail "no checkpoint around a marked loop"

# Replay takes the region's body where nobody asked for one of its own: the host compiler reads two copies, not three.
lacks 'orrery_serial_' filter.orrery.c || fail "a copy of the body for replay alone"
grep -q 'orrery_serial_' marked.orrery.c || fail "a marked loop is replayed by no text of its own"
