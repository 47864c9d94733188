#!/bin/bash
# Objects with parallel loops that another compiler links: the linker's complaint names who has to.
. "$(dirname "$0")/lib.sh"

cat >scale.c <<'END'
void scale(double *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        x[i] *= 2;
}
END
cat >main.c <<'END'
#include <stdio.h>
void scale(double *x, long n);
int main(void) {
    double x[2] = {1, 2};
    scale(x, 2);
    printf("%g\n", x[1]);
    return 0;
}
END

# named COMMAND...: the link fails, and says it
named() {
    expect 1 "$@"
    says err orrery_cc_has_to_link_this
}
for compiler in gcc clang-19; do
    for flags in -O2 -fPIC -ffunction-sections '-O2 -g' -flto; do
        # One is enough of clang, whose sanitizers need not be there (SANITIZE: the library has one).
        [ "$compiler" = gcc ] || [ "$flags${SANITIZE-}" = -O2 ] || continue
        # shellcheck disable=SC2086 # a list of flags
        ORRERY_CC=$compiler expect 0 "$cc" $flags -c scale.c -o scale.o
        named $compiler main.c scale.o -o main
        named $compiler -no-pie main.c scale.o -o main
        ORRERY_CC=$compiler expect 0 "$cc" main.c scale.o -o main
        expect 0 ./main
        says out '^4$'
    done
done
# A library says it when it is loaded: nothing is undefined at its link.
expect 0 "$cc" -fPIC -c scale.c -o scale.o
expect 0 gcc -shared scale.o -o libscale.so
named gcc main.c -L. -lscale -o main

# A function of the program's own that has the name of one that Orrery looks at keeps its arguments.
cat >own.c <<'EOF'
double write(double x, double y) {
    return 2 * x + y;
}
EOF
cat >caller.c <<'EOF'
#include <stdio.h>
double write(double x, double y);
int main(void) {
    static double w[1000];
#pragma orrery parallel
    for (int i = 0; i < 1000; ++i)
        w[i] = i;
    printf("%g\n", write(w[3], 1));
    return 0;
}
EOF
expect 0 "$cc" -O2 -c own.c -o own.o
expect 0 ar rc libown.a own.o
expect 0 ar rcT libthin.a own.o
for own in own.o own.c libown.a libthin.a; do
    rm -f caller
    expect 0 "$cc" -O2 caller.c $own -o caller
    expect 0 ./caller
    says out '^7$'
done
# It is said once what is wrong with it.
echo 'double write(double x, double y) { return z; }' >wrong.c
expect 1 "$cc" -O2 caller.c wrong.c -o caller
[ "$(grep -c 'error:' err)" = 1 ] || fail "an error of a source is said $(grep -c 'error:' err) times"

# What the compiler writes beside a program is called as gcc calls it, and found again.
for flags in "-O1 --coverage" "-O2 -g -gsplit-dwarf" "-O2 -fprofile-generate"; do
    for how in gcc "$cc"; do
        mkdir beside
        # shellcheck disable=SC2086
        (cd beside && cp ../own.c ../caller.c . && "$how" $flags own.c caller.c -o made && ./made && rm made && ls) >"beside.${how##*/}"
        rm -r beside
    done
    diff beside.gcc beside.orrery-cc || fail "other files beside the program: $flags"
done
