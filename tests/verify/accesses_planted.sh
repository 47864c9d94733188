#!/bin/bash
# A verdict made wrong on purpose is found, with both places, the memory and the iterations.
. "$(dirname "$0")/accesses.sh"
cat >sum.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
static int table[64];
static int at(int i) { return table[i]; }
int main(void) {
    double *a = malloc(100 * sizeof *a), carry = 0;
    for (int i = 0; i < 100; i++)
        a[i] = i;
    for (int i = 1; i < 100; i++)
        a[i] = a[i - 1] + a[i];
    for (int i = 3; i < 64; i++)
        table[i] = at(i - 3) + 1;
    for (int i = 0; i < 100; i++) {
        a[i] = carry;
        carry = i;
    }
    printf("%g %d %g\n", a[99], table[63], carry);
    return 0;
}
EOF
for compiler in $(compilers); do
    export ORRERY_CC=$compiler
    watch sum.c
    [ "$status" = 0 ] || fail "$compiler: contradicted, and nothing was planted"
    is 7 confirmed 9 serial 11 serial 13 serial

    watch --debug-drop-reads a sum.c
    [ "$status" = 1 ] || fail "$compiler: the planted dependence of a was not found"
    is 7 confirmed 9 contradicted 11 serial
    expect 1 "$orrery" verify --accesses ./prog
    says out 'sum.c:9:5: contradicted, in main: independent, ordered \[ORR1001\]' \
        'a, byte 8 of a heap block of 800 bytes, allocated at sum.c:6: iteration 0 wrote it at sum.c:10, iteration 1 read it at sum.c:10' \
        ', 1 contradicted'

    # In a function that the loop calls, and in a global variable.
    watch --debug-drop-reads table sum.c
    [ "$status" = 1 ] || fail "$compiler: the planted dependence of table was not found"
    is 9 serial 11 contradicted
    expect 1 "$orrery" verify --accesses ./prog
    says out 'table \+ 12: iteration 0 wrote it at sum.c:12, iteration 3 read it at sum.c:4'
done
