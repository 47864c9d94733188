#!/bin/bash
# What meets is told by the byte, however large accesses are and in whatever order a word is used as
# a whole, by halves and by bytes; and a read stays known beside later ones of other loops.
. "$(dirname "$0")/accesses.sh"
cat >grain.c <<'EOP'
#include <stdio.h>
#include <string.h>
static union { double whole[8]; int half[16]; short quarter[32]; char byte[64]; } u;
static int next[65], sum;
static char from[64];
int main(void) {
    for (int i = 0; i < 64; i++) next[i] = i;
    for (int i = 0; i < 64; i++) u.byte[next[i]] = (char)i;
    for (int i = 0; i < 32; i++) u.quarter[next[i]] = (short)i;
    for (int i = 0; i < 16; i++) u.half[next[i]] = i;
    for (int i = 0; i < 8; i++) u.whole[next[i]] = i;
    for (int i = 0; i < 15; i++) memcpy(u.byte + 4 * next[i] + 1, from, 4);
    for (int i = 1; i < 8; i++) { u.whole[next[i]] = 1; u.byte[8 * next[i] - 1] = 2; }
    for (int i = 0; i < 15; i++) { u.byte[4 * next[i] + 1] = 1; u.half[next[i + 1]] = 2; }
    for (int i = 0; i < 7; i++) { u.half[2 * next[i]] = 1; memcpy(from, u.byte + 8 * next[i] + 4, 4); }
    for (int i = 0; i < 7; i++) { u.half[2 * next[i]] = 1; memcpy(from, u.byte + 8 * next[i] + 4, 5); }
    for (int i = 0; i < 9; i++) {
        sum += next[0];
        for (int k = 0; k < 3; k++) sum += next[0];
        if (i == 8) next[0] = 1;
    }
    printf("%d %d\n", u.half[3], sum + from[2]);
    return 0;
}
EOP
# met LINE NAME: kinds of what met in a global variable there
met() { field "$1" '"".join(sorted(set(m["kind"][0] for m in loop["conflicts"] if m["memory"].split(" ")[0] == "'"$2"'")))'; }
for compiler in $(compilers); do
    export ORRERY_CC=$compiler
    watch grain.c
    for line in 8 9 10 11 12 15; do
        [ -z "$(met $line u)" ] || fail "$compiler: line $line: '$(met $line u)' met in u"
    done
    [ "$(met 13 u)" = o ] || fail "$compiler: line 13: '$(met 13 u)' met in u"
    [ "$(met 14 u)" = o ] || fail "$compiler: line 14: '$(met 14 u)' met in u"
    [ "$(met 16 u)" = a ] || fail "$compiler: line 16: '$(met 16 u)' met in u"
    [ "$(met 17 next)" = a ] || fail "$compiler: line 17: '$(met 17 next)' met in next"
    # How many iterations lie between those that met.
    [ "$(field 17 '[m["distances"] for m in loop["conflicts"] if m["memory"] == "next"]')" = "[[[1, 1]]]" ] || fail "$compiler: distances"
done
