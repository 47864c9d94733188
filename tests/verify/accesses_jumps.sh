#!/bin/bash
# Loops that are left by break, goto, return, longjmp and exit end there: what comes behind them does
# not meet what was in them.
. "$(dirname "$0")/accesses.sh"
cat >jump.c <<'EOF'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static int a[64], cell;
static jmp_buf back;
static int leave(int i) {
    for (int k = 0; k < 8; k++) {
        cell = k;
        if (k == i) return k;
    }
    return 0;
}
static void fly(int i) {
    for (int k = 0; k < 8; k++) {
        a[k] = i;
        if (k == 3) longjmp(back, 1);
    }
}
static int again(int depth) {
    int s = 0;
    for (int k = 0; k < 3; k++)
        s += a[k] + (depth > 0 ? again(depth - 1) : 0);
    return s;
}
int main(void) {
    int s = 0;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 8; k++) {
            a[k] = i;
            if (k == 5) goto out;
        }
    out:
        a[0] = a[1];
    }
    leave(3);
    cell = 9, s += cell;
    for (int i = 0; i < 8; i++) {
        if (i == 4) continue;
        if (i == 6) break;
        a[i + 8] = i;
    }
    for (int i = 0; i < 3; i++)
        if (!setjmp(back)) fly(i);
    a[0] = a[3] + 1;
    s += again(4);
    s |= 1;
    switch (s & 1)
        for (; s < 1000; s++) {
            a[40]++;
        case 1:
            a[41]++;
        }
    for (int i = 0; i < 10; i++) {
        a[i] = i;
        if (i == 9) exit(s != 1000);
    }
    return 1;
}
EOF
for compiler in $(compilers); do
    export ORRERY_CC=$compiler
    watch -Wno-switch-unreachable jump.c
    [ "$status" = 0 ] || fail "$compiler: contradicted"
    [ ! -s err ] || fail "$compiler: it fails"
    is 7 missed 14 effects 21 missed 27 missed 28 missed 37 missed 42 missed 53 effects
    [ "$(field 28 'loop["iterations"], loop["instances"]')" = '(24, 4)' ] || fail "goto"
    [ "$(field 14 'loop["iterations"], loop["instances"]')" = '(12, 3)' ] || fail "longjmp"
    [ "$(field 53 'loop["iterations"]')" = 10 ] || fail "exit"
    [ "$(field 21 'loop["instances"]')" = 121 ] || fail "recursion"
done
