#!/bin/bash
# orrery-cc on files that have nothing to do with Orrery: does what cc does, bit by bit.
. "$(dirname "$0")/lib.sh"

export TMPDIR=$work/temporary
mkdir "$TMPDIR"
cat >a.c <<'EOF'
#include "a.h"
#include <stdio.h>
int main(void) { printf("%d\n", VALUE + other()); return 3; }
EOF
echo 'int other(void);' >a.h
echo 'int other(void) { return 40; }' >'b c.c'

# same NAME ARGS...: both compilers, same status, output, messages and files
same() {
    name=$1
    shift
    for compiler in cc "$cc"; do
        rm -rf tmp && mkdir tmp && cp a.c a.h 'b c.c' tmp/
        (cd tmp && status=0 && "$compiler" "$@" <"$work/in" >stdout 2>stderr || status=$?
            echo "$status" >status
            sed -i -E 's,/cc[A-Za-z0-9]{6}\.,/ccXXXXXX.,g; s/^[^ ]*collect2/collect2/' stderr)
        rm -rf "of-$(basename "$compiler")" && mv tmp "of-$(basename "$compiler")"
    done
    diff -r of-cc of-orrery-cc || fail "$name: not what cc does"
}
: >in
same compile -c a.c -DVALUE=2 -o x.o
same default-name -c a.c -D VALUE=2
same several -c a.c 'b c.c' -DVALUE=1
same assembly -S -O2 a.c -DVALUE=2
same preprocess -E a.c
same link -DVALUE=2 a.c 'b c.c' -o prog -Wl,--build-id=none
same depends -MMD -MP -MF deps -c a.c -DVALUE=1
same only-depends -MM a.c
same macros -dM -E a.c
same warnings -Wall -Wextra -c a.c -DVALUE=x
same syntax -fsyntax-only a.c -DVALUE=1
same missing -c nothing.c
same no-input
same dumpmachine -dumpmachine
same dumpversion -dumpversion
same search -print-search-dirs
same two-outputs -c a.c 'b c.c' -o x.o
same unknown-option -c a.c -fno-such-thing
same pic -shared -fPIC -DVALUE=1 a.c 'b c.c' -o lib.so -Wl,--build-id=none
same static-pie -pie -fPIE -DVALUE=1 a.c 'b c.c' -o p -Wl,--build-id=none
echo 'int y;' >in
same stdin -x c -c - -o y.o
same stdin-macros -E -dM -
: >in
echo "-c \"b c.c\" -o 'b c.o' -DX=\\\"q\\\"" >response
same response @"$work/response"
same language -x c a.h -c -o h.o

# --version: the compiler's, with our name in front of it and a line of ours behind it.
cc --version >wanted
expect 0 "$cc" --version
[ "$(sed '1s/^orrery-cc: //;$d' out)" = "$(cat wanted)" ] || fail "--version: not the compiler's words"
[ "$(sed -n '1s/^\(orrery-cc: \).*/\1/p;$p' out)" = "orrery-cc: 
orrery-cc $("$orrery" --version | sed -n 's/^orrery //p'), in front of cc" ] || fail "--version: does not name us"
ORRERY_CC=./nothing expect 127 "$cc" --version
says err 'nothing'

# Objects, archives, libraries, other languages.
"$cc" -c 'b c.c' -o b.o && ar rc libb.a b.o
"$cc" -DVALUE=2 a.c -L. -lb -o prog
status=0
./prog >out || status=$?
[ "$status" = 3 ] && says out '^42$'

# The host compiler is ORRERY_CC, with words; a wrong one is named.
ORRERY_CC="cc -DVALUE=100" "$cc" a.c b.o -o prog
./prog >out || true
says out '^140$'
expect 127 env ORRERY_CC=/nowhere/cc "$cc" -c a.c -DVALUE=1
says err '/nowhere/cc' 'ORRERY_CC'

# -showme runs nothing.
rm -f a.o
expect 0 "$cc" -showme -c a.c -DVALUE=1
says out '^cc -c a\.c -DVALUE=1$'
[ ! -e a.o ] || fail "-showme compiled"

# "orrery" in a comment alone changes nothing but time.
sed '1i /* an orrery shows planets */' a.c >planets.c
"$cc" -c -O2 -DVALUE=2 planets.c -o 1.o
cc -c -O2 -DVALUE=2 planets.c -o 2.o
cmp 1.o 2.o || fail "a comment changed the object"
[ -z "$(ls -A "$TMPDIR")" ] || fail "temporary files are left: $(ls "$TMPDIR")"
