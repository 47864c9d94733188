#!/bin/bash
# Flags that let signed integers wrap around: what a wrapped subscript is divided by says nothing about its elements.
. "$(dirname "$0")/common.sh"
cat > "$work/remainders.c" << 'C'
#include <stdio.h>
static int b[200], x[4000];
static void f(int n) {
    #pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        b[(i * 47700045) % 45 + 45] += i;
        x[i] = b[(i * 47700045 + 1) % 45 + 45];
    }
}
int main(void) {
    f(4000);
    long s = 0;
    for (int i = 0; i < 4000; ++i)
        s = s * 7 + x[i];
    printf("%ld\n", s);
}
C
by() {
    "$orrery" analyze "${@:2}" "$work/remainders.c" > "$work/out" 2>&1 || { cat "$work/out"; fail "not parallel"; }
    grep -q "parallel by $1" "$work/out" || { cat "$work/out"; fail "${*:2}: not by $1"; }
}
by 'i \* 47700045 % 45' -O2
by 'i \* 47700045 % 45' -fwrapv -fno-wrapv
for flag in -fwrapv -fno-strict-overflow; do
    by levels $flag
    gcc -O1 -w $flag "$work/remainders.c" -o "$work/plain"
    "$orrery_cc" -O1 -w $flag "$work/remainders.c" -o "$work/parallel"
    for threads in 1 2 3 4; do
        [ "$(ORRERY_THREADS=$threads "$work/parallel")" = "$("$work/plain")" ] || fail "$flag, $threads threads: other results"
    done
done
