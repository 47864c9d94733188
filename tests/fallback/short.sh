#!/bin/bash
# short.sh BINDIR: no thread is started for loops that are timed and turn out to be short.
. "$(dirname "$0")/../lib.sh"
bin=$1
cat >"$work/short.c" <<'END'
#include <stdio.h>
#include <string.h>
enum { N = 4000 };
static float a[N], b[N];
static __attribute__((noinline)) void step(int n, float s) {
    for (int i = 0; i < n; i++)
        a[i] = b[i] * s + a[i];
}
int main(void) {
    char line[256];
    for (int pass = 0; pass < 200; pass++)
        step(N - pass, (float)pass);
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (!strncmp(line, "Threads:", 8))
            fputs(line, stdout);
    printf("%g\n", a[7]);
}
END
"$bin/orrery-cc" -auto -O3 -ffp-contract=off "$work/short.c" -o "$work/short"
threads() {
    ORRERY_STATS=1 ORRERY_THREADS=2 "$work/short" 2>"$work/err" | awk '/^Threads:/ { print $2 }'
}
[ "$(threads)" = 1 ] || fail "threads were started: $(cat "$work/err")"
grep -q 'short\.c:6 automatic serial .* timed-parallel 0' "$work/err" || fail "not timed: $(cat "$work/err")"
[ "$(ORRERY_AUTO_US=0 threads)" = 2 ] || fail "no thread was started where all run in parallel"
