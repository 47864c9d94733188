#!/bin/bash
# A link knows objects of ours by a note, also when the compiler has dropped the only parallel loop:
# such an object needs our libraries' way of linking, and the program prints what gcc's prints.
. "$(dirname "$0")/lib.sh"

cat >dead.c <<'EOF'
#include <stdio.h>
static int a[5000];
static void never(int n) {
    for (int i = 0; i < n; i++) a[i] = a[i] * 3 + 1;
}
int main_of(void) {
    static const int off = 0;
    if (off) never(5000);
    printf("%d %p\n", a[7], (void *)0);
    return 0;
}
#ifndef PART
int main(void) { return main_of(); }
#endif
EOF
echo 'int main_of(void); int main(void) { return main_of(); }' >main.c
gcc -w dead.c -o plain
./plain >wanted

# same PROGRAM
same() {
    "./$1" >got || fail "$1 ends with status $?"
    diff wanted got || fail "$1 prints something else"
    rm "$1"
}

# ways AR FLAGS...: from the source to the program
ways() {
    ar=$1
    shift
    expect 0 "$cc" -auto "$@" dead.c -o p && same p
    expect 0 "$cc" -auto "$@" -c dead.c -o d.o
    expect 0 "$cc" "$@" d.o -o p && same p
    expect 0 "$cc" -auto "$@" -S dead.c -o d.s
    expect 0 "$cc" "$@" -x assembler d.s -x none -o p && same p
    expect 0 "$cc" -auto "$@" -DPART -c dead.c -o a_name_of_more_than_16_bytes.o
    rm -f libl.a thin.a
    "$ar" rcs libl.a a_name_of_more_than_16_bytes.o
    "$ar" rcsT thin.a a_name_of_more_than_16_bytes.o
    for library in thin.a "-L. -ll" "-L. -l:libl.a" "-Wl,--whole-archive,libl.a,--no-whole-archive" "-Xlinker libl.a"; do
        # shellcheck disable=SC2086
        expect 0 "$cc" "$@" main.c $library -o p && same p
    done
}

ways ar -O0
ways ar -O1
ways ar -O3 -ffunction-sections -fdata-sections -Wl,--gc-sections
ways gcc-ar -O2 -flto
ways gcc-ar -O2 -flto -ffat-lto-objects

expect 0 "$cc" -auto -O1 -c dead.c -o d.o
expect 0 "$cc" -r d.o -o r.o
expect 0 "$cc" r.o -o p && same p
objcopy --strip-unneeded d.o s.o
expect 0 "$cc" s.o -o p && same p
expect 0 "$cc" -auto -O1 -E dead.c -o d.i
expect 0 "$cc" -O1 d.i -o p && same p

if command -v clang-19 >/dev/null; then
    export ORRERY_CC=clang-19
    ways ar -O1
    expect 0 "$cc" -auto -O1 -flto -c dead.c -o d.o
    expect 0 "$cc" -showme d.o -o p
    says out 'liborrery\.a'
    unset ORRERY_CC
fi

echo 'int main(void) { return 0; }' >none.c
expect 0 "$cc" -auto -O1 -c none.c
expect 0 "$cc" -showme none.o -o p
lacks liborrery out || fail "an object without a loop is linked as ours"
