#!/bin/bash
# A compiler like any other: pieces, several files, archives, shared libraries, -S, -MD, questions;
# what cannot be watched is built all the same.
. "$(dirname "$0")/accesses.sh"
cat >main.c <<'EOF'
#include "part.h"
#include <stdio.h>
int main(void) {
    static double a[50];
    for (int i = 0; i < 50; i++)
        a[i] = get(i) + far(i);
    printf("%g\n", a[49]);
    return 0;
}
EOF
cat >part.h <<'EOF'
double get(int i);
double far(int i);
EOF
cat >part.c <<'EOF'
#include "part.h"
static double v[50];
static int calls;
double get(int i) {
    double s = 0;
    calls++;
    for (int k = 0; k < 50; k++)
        s += v[k] * i;
    return s + calls;
}
EOF
cat >far.c <<'EOF'
#include "part.h"
double far(int i) {
    double t[4] = {0};
    for (int k = 0; k < 4; k++)
        t[k] += k * i;
    return t[3];
}
EOF
ulimit -c 0
"$cc" -accesses -c -MD -MF main.d -O2 main.c
says main.d 'main.o: main.c' 'part.h'
"$cc" -accesses -O2 -c part.c -o part.o
"$cc" -accesses -O2 -fPIC -c far.c
ar rcs libpart.a part.o
"$cc" -accesses -shared far.o -o libfar.so
"$cc" -accesses main.o libpart.a ./libfar.so -o prog
[ "$(./prog)" = 197 ] || fail "it does not run as it should"
"$orrery" verify --accesses --format=json ./prog >out
[ "$(python3 -c 'import json; print(sorted((l["file"], l["line"], l["answer"]) for l in json.load(open("out"))["loops"]))')" = \
    "[('far.c', 4, 'confirmed'), ('main.c', 5, 'serial'), ('part.c', 7, 'confirmed')]" ] ||
    fail "$(cat out)"
says out '"memory":"calls"'

# All in one command, statically linked.
"$cc" -accesses -static main.c part.c far.c -o prog
[ "$(./prog)" = 197 ] || fail "it does not run as it should"
expect 0 "$orrery" verify --accesses ./prog
says out '^3 loops: 3 ran two iterations, 0 contradicted, 2 confirmed, 1 serial'

# Its processes are told apart and counted together; one that was not built so records nothing.
printf './prog; ./prog; true\n' >twice
expect 0 "$orrery" verify --accesses sh twice
says out '2 processes'
mkdir folder
ORRERY_ACCESSES=folder ./prog >/dev/null
expect 0 "$orrery" verify --accesses --from folder
expect 1 "$orrery" verify --accesses true
says err 'built by'
expect 2 "$orrery" verify --accesses

# Questions, assembly, preprocessing, standard input, a program of no loops; what fails must fail.
expect 0 "$cc" -accesses -dumpversion
"$cc" -accesses -S main.c -o main.s
says main.s '__tsan_write8'
"$cc" -accesses -E main.c | grep -q 'int main'
echo 'int main(void) { return 0; }' | "$cc" -accesses -x c - -o none
./none
echo 'int main(void) { return x; }' >wrong.c
expect 1 "$cc" -accesses wrong.c -o wrong
says err "wrong.c:1:.*undeclared"
[ "$(grep -c 'error:' err)" = 1 ] || fail "said twice"

# Conflicting with another sanitizer: built as it is.
"$cc" -accesses -fsanitize=address -c part.c -o asan.o 2>err || fail "not built"
says err 'note: part.c: its accesses are not seen'

# Old C, register variables, K&R, attributes, own #line directives, pedantry.
cat >pragma.c <<'EOF'
int main(void) {
    int a[8];
#if 1
    int s = 1;
#else
    long s = 1;
#endif
#pragma GCC unroll 4
    for (int i = 0; i < 8; i++)
#pragma GCC ivdep
        for (int k = 0; k < 8; k++)
            a[k] = i;
    if (s)
#ifdef __STDC__
#pragma GCC unroll 2
#endif
        while (s++ < 8)
            a[0] = s;
    return a[7] - 7;
}
EOF
"$cc" -accesses -Wall pragma.c -o prog 2>err || fail "pragmas"
[ ! -s err ] || fail "it complains"
expect 0 "$orrery" verify --accesses --format=json ./prog
is 9 confirmed 11 confirmed 17 confirmed
# `do ... while (0)` is no loop, and those inside of it stay inside of the loop around it.
cat >once.c <<'EOF'
static int a[8];
int main(void) {
    for (int i = 0; i < 4; i++)
        do {
            for (int k = 0; k < 8; k++)
                a[k] += i;
        } while (0);
    return a[7] - 6;
}
EOF
"$cc" -accesses once.c -o prog
expect 0 "$orrery" verify --accesses --format=json ./prog
[ "$(field 3 'loop["iterations"], len(loop["conflicts"]) > 0')" = '(4, True)' ] || fail "once"
[ -z "$(answer 4)" ] || fail "it is no loop"
cat >old.c <<'EOF'
#line 100 "gen.y"
int sum(n, p) int n; int *p; {
    register int i, s = 0;
    for (i = 0; i < n; i++)
        s += p[i];
    return s;
}
int main() {
    static int a[9];
    register int k;
    for (k = 0; k < 9; k++) a[k] = k;
    return sum(9, a) - 36;
}
EOF
"$cc" -accesses -std=c89 -pedantic-errors -Wall -Werror old.c -o prog 2>err || fail "old C"
[ ! -s err ] || fail "it complains"
expect 0 "$orrery" verify --accesses --format=json ./prog
is 4 confirmed 11 confirmed
