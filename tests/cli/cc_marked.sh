#!/bin/bash
# orrery-cc on a program with a marked loop: builds in every usual way, runs, and everything that
# names a file names the user's.
. "$(dirname "$0")/lib.sh"

mkdir 'a dir'
mf_program 'a dir/mf.c'
cc -O2 -ffp-contract=off -Wno-unknown-pragmas 'a dir/mf.c' -o serial -lm
./serial >serial.out

# compile and link at once; in two steps; from an archive; from standard input; by a response file
expect 0 "$cc" -O2 'a dir/mf.c' -o one -lm
silent err
./one >one.out
[ "$(wc -l <one.out)" = 4 ] || fail "no output of the program"
# The rmse of the first epochs is near the serial one's: another order of the same iterations.
paste -d' ' serial.out one.out | awk '
    { d = $4 - $8; if (d < 0) d = -d; if (d > 0.05 * $4) exit 1 }' || fail "far from serial"
for threads in 1 2 3; do
    ORRERY_THREADS=$threads ./one >t.out
    cmp -s one.out t.out || fail "$threads threads print something else"
done
same() { "./$1" >other.out && cmp -s one.out other.out || fail "$1 prints something else"; }
expect 0 "$cc" -O2 -c 'a dir/mf.c'
expect 0 "$cc" mf.o -lm -o two
same two
ar rc libmf.a mf.o
expect 0 "$cc" -Wl,--whole-archive -L. -lmf -Wl,--no-whole-archive -lm -o three
same three
"$cc" -O2 -x c -c - -o stdin.o <'a dir/mf.c'
expect 0 "$cc" stdin.o -lm -o four
same four
echo "-O2 'a dir/mf.c' -o five -lm" >response
expect 0 "$cc" @response
same five
expect 0 "$cc" -O2 -x c 'a dir/mf.c' -x none -o six -lm
same six
expect 0 "$cc" -O2 -S 'a dir/mf.c' -o mf.s
expect 0 "$cc" mf.s -lm -o seven
same seven
if [ -z "${SANITIZE-}" ] && command -v clang-19 >/dev/null; then
    expect 0 env ORRERY_CC=clang-19 "$cc" -O2 -Wall -Wextra -Werror 'a dir/mf.c' -o eight -lm
fi
expect 0 "$cc" -O2 -Wall -Wextra -Werror -c 'a dir/mf.c' -o strict.o
silent err

# Depfiles name the user's file and headers, as cc's do.
echo '#define TWO 2' >'a dir/two.h'
sed -i '1i #include "two.h"' 'a dir/mf.c'
for flags in "-MMD" "-MMD -MP" "-MMD -MF d.d" "-MMD -MT target -MF d.d"; do
    rm -f ./*.d
    # shellcheck disable=SC2086
    cc $flags -Wno-unknown-pragmas -c 'a dir/mf.c' -o o.o && mkdir -p want && mv ./*.d want/
    # shellcheck disable=SC2086
    expect 0 "$cc" $flags -c 'a dir/mf.c' -o o.o
    for file in want/*; do
        diff "$file" "$(basename "$file")" || fail "depfile of $flags"
    done
    rm -rf want
done
expect 0 "$cc" -MD -c 'a dir/mf.c' -o o.o
says o.d 'two\.h' 'stdio\.h'
lacks 'orrery-cc\.' o.d || fail "a depfile names a temporary file"
expect 0 "$cc" -MM 'a dir/mf.c'
says out 'two\.h'

# Debug information, __FILE__ and messages name the user's file.
expect 0 "$cc" -g -O1 -c 'a dir/mf.c' -o g.o
readelf --debug-dump=info,line g.o >dwarf 2>/dev/null
says dwarf 'a dir/mf\.c|mf\.c'
lacks 'orrery-cc\.' dwarf || fail "debug information names a temporary file"
mkdir sub && printf 'const char *name(void) { return __FILE__; } /* orrery */\n' >sub/file.c
mf_program whole.c
cat sub/file.c >>whole.c
expect 0 "$cc" -c whole.c -o w.o
strings -a w.o | grep -qx 'whole\.c' || fail "__FILE__ is not whole.c"
mf_program warn.c
echo 'static int unused_thing;' >>warn.c
last=$(wc -l <warn.c)
expect 0 "$cc" -Wall -c warn.c
says err "^warn\.c:$last:[0-9]+: warning: "

# What is printed by default, and on demand.
expect 0 "$cc" -Rorrery -c 'a dir/mf.c' -o o.o
says err 'a dir/mf\.c:[0-9]+:[0-9]+: remark: .*\[ORR1'
expect 0 "$cc" --keep -c 'a dir/mf.c' -o kept.o
says mf.orrery.c 'orrery_run\(&' '^#line [0-9]+ "a dir/mf\.c"'
rm -f kept.o
expect 0 "$cc" -showme 'a dir/mf.c' -o shown -lm
says out 'orrery emit' 'liborrery\.a' '--wrap=main' '-no-pie' '-ffp-contract=off'
[ ! -e shown ] || fail "-showme built something"
expect 0 "$cc" -E 'a dir/mf.c'
says out 'orrery_run'
expect 0 "$cc" -fsyntax-only 'a dir/mf.c'

# A marked loop that stays serial: a warning, an error on demand; the program is cc's.
cat >serial.c <<'EOF'
#include <stdio.h>
int main(void) {
    double a[100] = {1};
#pragma orrery parallel
    for (int i = 1; i < 100; i++)
        a[i] = a[i - 1] * 0.5;
    printf("%g\n", a[99]);
    return 0;
}
EOF
expect 0 "$cc" serial.c -o s
says err '^serial\.c:[0-9]+:[0-9]+: warning: .*\[ORR2'
nm s >symbols
lacks orrery symbols || fail "a serial program holds the runtime"
expect 1 "$cc" -Werror=serial -c serial.c
says err '^serial\.c:[0-9]+:[0-9]+: error: '

# What cannot be had is refused, and why.
expect 0 "$cc" -fPIC -c 'a dir/mf.c' -o pic.o
expect 0 "$cc" -shared pic.o -o lib.so
expect 1 "$cc" -static mf.o -o st -lm
says err '-static'
expect 1 "$cc" -pie mf.o -o pi -lm
says err '-pie'
ORRERY_NVCC=/nowhere/nvcc expect 127 "$cc" -target gpu -c 'a dir/mf.c'
says err 'nowhere/nvcc'
expect 2 "$cc" -target gpux -c 'a dir/mf.c'
says err 'cpu, gpu or gpu-shim'
expect 0 "$cc" -target cpu -c 'a dir/mf.c' -o o.o
expect 0 "$cc" -r mf.o -o relocatable.o
expect 2 "$cc" -plan
says err 'needs a file'
expect 1 "$cc" -c -plan nowhere.json 'a dir/mf.c'
says err 'nowhere\.json'
printf '#pragma orrery paralel\n' >bad.c
expect 1 "$cc" -c bad.c
says err '^bad\.c:1:[0-9]+: error: ' 'parallel'

# A plan written, used, and one that is wrong.
expect 0 "$orrery" plan 'a dir/mf.c' -o mf.plan.json
says mf.plan.json 'orrery-plan/1' 'rotation-2d'
expect 0 "$cc" -O2 -plan mf.plan.json 'a dir/mf.c' -o planned -lm
same planned
expect 1 "$cc" -c -plan mf.plan.json serial.c
echo '{' >broken.json
expect 1 "$cc" -c -plan broken.json 'a dir/mf.c'
says err 'broken\.json'

# A mark of UTF-8 in front of the text: nothing may stand in front of it, so it goes.
{ printf '\357\273\277' && cat 'a dir/mf.c'; } >marked.c
cp 'a dir'/*.h .
expect 0 "$cc" -O1 -Werror=serial marked.c -o marked -lm
"$orrery" emit marked.c -o emitted.c
lacks $'\357\273\277' emitted.c || fail "the mark is behind other text"
