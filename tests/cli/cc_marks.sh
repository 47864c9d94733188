#!/bin/bash
# No mark is ignored in silence: where the text is not rewritten, orrery-cc says so with place and
# reason; under -Werror=serial that is an error. What the preprocessor leaves out is no mark.
. "$(dirname "$0")/lib.sh"

mkdir user system
cat >user/loop.h <<'EOF'
#ifndef LOOP_H
#define LOOP_H
static inline void scale(float *x, int n) {
    #pragma orrery parallel
    for (int i = 0; i < n; i++) x[i] *= 2;
}
#endif
EOF
cp user/loop.h system/far.h
sed -i 's/LOOP_H/FAR_H/' system/far.h
echo '#include "loop.h"' >user/again.h
marked='    for (int i = 0; i < n; i++) x[i] = 1;'

# ignored PLACE CODE ARGUMENTS...: a warning, once; under -Werror=serial an error and nothing built
ignored() {
    place=$1 code=$2
    shift 2
    rm -f made
    expect 0 "$cc" "$@" -o made
    says err "^(\./)?${place//+/\\+}: warning: .*serial.* \\[$code\\]"
    [ "$(grep -c "\\[$code\\]" err)" = 1 ] || fail "$code is said more than once"
    [ -e made ] || fail "nothing is built: $*"
    rm -f made
    expect 1 "$cc" -Werror=serial "$@" -o made
    says err "^(\./)?${place//+/\\+}: error: .*serial.* \\[$code\\]"
    [ ! -e made ] || fail "built in spite of -Werror=serial: $*"
}

# unmarked ARGUMENTS...: built without a word
unmarked() {
    expect 0 "$cc" -Werror=serial "$@" -o made
    silent err
}

# Headers: named by a file that says nothing of Orrery, twice, through others, by -include, -I=, a macro, -isystem.
caller='float x[9]; int main(void) { scale(x, 9); return 0; }'
{ echo '#include "user/loop.h"'; echo "$caller"; } >direct.c
{ echo '#include <again.h>'; echo '#include "loop.h"'; echo "$caller"; } >twice.c
{ echo '#define HEADER <loop.h>'; echo '#include HEADER'; echo "$caller"; } >computed.c
{ echo '#inc\'; echo 'lude <loop.h>'; echo "$caller"; } >spliced.c
{ echo '#include <far.h>'; echo "$caller"; } >far.c
{ echo '#include <orrery.h>'; echo '#include <far.h>'; echo "$caller"; } >own.c
echo "$caller" >forced.c
ignored 'user/loop.h:4:5' ORR2301 -c direct.c
ignored 'user/loop.h:4:5' ORR2301 direct.c
ignored 'user/loop.h:4:5' ORR2301 -S direct.c
ignored 'user/loop.h:4:5' ORR2301 -Iuser -c twice.c
ignored 'user/loop.h:4:5' ORR2301 -Iuser -c computed.c
ignored 'user/loop.h:4:5' ORR2301 -I user -c spliced.c
ignored 'user/loop.h:4:5' ORR2301 -include user/loop.h -c forced.c
ignored 'system/far.h:4:5' ORR2301 -isystem system -c far.c
ignored 'system/far.h:4:5' ORR2301 -isystem system -c own.c
ignored 'user/loop.h:5:5' ORR2301 -auto -c direct.c
ignored 'user/loop.h:4:5' ORR2301 -x c -c direct.c
CPATH=user ignored 'user/loop.h:4:5' ORR2301 -c twice.c
echo '-c direct.c' >response
ignored 'user/loop.h:4:5' ORR2301 @response
expect 0 "$cc" -c direct.c twice.c -Iuser
[ "$(grep -c ORR2301 err)" = 2 ] || fail "not one warning for each source"
expect 0 "$cc" -MM direct.c
silent err

# Other languages, by name, by -x, from standard input; macros, templates.
{ echo 'float x[9];'; echo 'template <class T> void f(T n) {'; echo '#pragma orrery parallel'; echo "$marked"; echo '}'
    echo 'int main() { return 0; }'; } >plain.cc
for suffix in cpp cxx c++ C CPP cp; do
    cp plain.cc plain.$suffix
    ignored "plain.$suffix:3:1" ORR2316 -c plain.$suffix
done
cp plain.cc plain.c
ignored 'plain.c:3:1' ORR2316 -x c++ -c plain.c
expect 0 "$cc" -E plain.cc -o plain.ii
says err '^plain.cc:3:1: warning: .*C\+\+ is not rewritten'
ignored 'plain.cc:3:1' ORR2316 -c plain.ii
status=0
"$cc" -Werror=serial -x c++ -c - -o made <plain.cc 2>err || status=$?
[ "$status" = 1 ] || fail "standard input: status $status"
says err '^<stdin>:3:1: error: .*\[ORR2316\]'
{ echo '#define MARK _Pragma("orrery parallel")'; echo '#define LOOP(n) MARK for (int i = 0; i < n; i++) x[i] = 1'
    echo 'float x[9];'; echo 'int main() {'; echo '    LOOP(9);'; echo '    return 0; }'; } >macro.cc
ignored 'macro.cc:5:5' ORR2316 -c macro.cc
{ echo '#include <orrery.h>'; echo 'void f(float *x, int n) {'; echo '    ORRERY_PARALLEL(unordered)'; echo "$marked"; echo '}'; } >word.cc
ignored 'word.cc:3:5' ORR2316 -I "$tree/include" -c word.cc
{ echo '#include "user/loop.h"'; echo 'int main() { return 0; }'; } >header.cc
ignored 'user/loop.h:4:5' ORR2316 -c header.cc
gcc -E direct.c -o direct.i
ignored 'user/loop.h:4:5' ORR2316 -c direct.i
for source in direct.c user/loop.h header.cc; do
    expect 0 "$cc" -fsyntax-only $source
    says err '^user/loop\.h:4:5: warning: .*ignored'
    expect 1 "$cc" -Werror=serial -fsyntax-only $source
done

# No marks.
{ echo '#if 0'; echo '#pragma orrery parallel'; echo '#endif'; echo '#define UNUSED _Pragma("orrery parallel")'
    echo '#include <vector>'; echo '// orrery'; echo 'void f(float *x, int n) {'; echo '#pragma orrery serial'; echo "$marked"; echo '}'; } >none.cc
unmarked -c none.cc
printf '#if 0\n#include "user/loop.h"\n#endif\n#include <stdio.h>\nint f(void) { return puts(""); }\n' >none.c
unmarked -c none.c
printf '#pragma orrery parallel\n\tnop\n' >none.S
unmarked -c none.S
{ echo '#include <orrery.h>'; echo 'int main() { return 0; }'; } >loaders.cc
unmarked -I "$tree/include" -c loaders.cc

# The other commands say that they do not read C++.
for command in analyze plan emit report; do
    expect 1 "$orrery" $command plain.cc
    says err "plain\\.cc' is C\\+\\+, which is not read.*\\[ORR9003\\]" 'fix: .*\.c file'
done
expect 1 "$orrery" analyze -x c++ plain.c
says err 'ORR9003'
expect 1 "$orrery" analyze --format=json plain.cc
expect 1 "$orrery" analyze --format=sarif plain.cc
expect 1 "$orrery" analyze plain.cc direct.c
expect 0 "$orrery" analyze user/loop.h

# Of two marked loops inside each other one is distributed.
{ echo 'float x[99][99];'; echo 'void f(void) {'; echo '#pragma orrery parallel'; echo '    for (int i = 0; i < 99; i++) {'; echo '#pragma orrery parallel'
    echo '        for (int j = 0; j < 99; j++) x[i][j] = i + j;'; echo '    }'; echo '}'; } >nested.c
ignored 'nested.c:6:9' ORR2312 -c nested.c
