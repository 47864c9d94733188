#!/bin/bash
# Names that a program may use: every one but those that begin with orrery_ or ORRERY_, where its
# loops stay serial with a message. Either way the program prints what gcc's prints.
. "$(dirname "$0")/lib.sh"

# program NAME LINES-AT-FILE-SCOPE LINES-IN-MAIN BODY
program() {
    printf '#include <stdio.h>\n%s\nint x[5000];\nint main(void) {\n%s\n#pragma orrery parallel\n' "$2" "$3" >"$1"
    printf '    for (int i = 0; i < 5000; i++) { %s; }\n    printf("%%d %%d\\n", x[0], x[4999]);\n    return 0;\n}\n' "$4" >>"$1"
}

# same SOURCES AND FLAGS...: as gcc's program
same() {
    gcc -w "$@" -o plain
    ./plain >wanted
    expect 0 "$cc" -O1 -w "$@" -o parallel
    cp err said
    for threads in 1 3; do
        ORRERY_THREADS=$threads ./parallel >got || fail "$* ends with status $?"
        diff wanted got || fail "$* prints something else"
    done
}

# ours NAME ...: a name of ours, which is said with its place; an error under -Werror=serial
ours() {
    name=$1
    shift
    program a.c "$@"
    same a.c
    says said "warning: the loop stays serial: the program has a name \`$name\` \\(.*:[0-9]+:[0-9]+\\).*\\[ORR2291\\]"
    expect 1 "$cc" -Werror=serial -c a.c
    says err "error: .*\`$name\`.*\\[ORR2291\\]"
}
ours orrery_i '' 'int orrery_i = 5;' 'x[i] = i + orrery_i'
ours orrery_run 'static int orrery_run(int a) { return a + 1; }' '' 'x[i] = orrery_run(i)'
ours orrery_run 'int orrery_run(int a) { return a + 1; }' '' 'x[i] = orrery_run(i)'
ours orrery_env 'struct orrery_env { int v; } e = {3};' '' 'x[i] = i + e.v'
ours orrery_block 'typedef int orrery_block;' 'orrery_block b = 3;' 'x[i] = i + b'
ours orrery_end '#define orrery_end 7' '' 'x[i] = i + orrery_end'
ours orrery_body 'static int f(int orrery_body) { return orrery_body * 2; }' '' 'x[i] = f(i)'
ours orrery_lower 'enum { orrery_lower = 4 };' '' 'x[i] = i + orrery_lower'
ours ORRERY_ADD 'enum { ORRERY_ADD = 4 };' '' 'x[i] = i + ORRERY_ADD'
ours orrery_b 'struct s { int orrery_b; } s = {2};' '' 'x[i] = i + s.orrery_b'
ours orrery_again '' 'int k = 0; orrery_again: if (k++ < 2) goto orrery_again;' 'x[i] = i + k'
ours orrery_object 'const char orrery_object = 3;' '' 'x[i] = i + orrery_object'
echo 'static int orrery_count = 6;' >name.h
ours orrery_count '#include "name.h"' '' 'x[i] = i + orrery_count'

# free ...: another name, and the loop is parallel
free() {
    program a.c "$@"
    same a.c $sources
    silent said
    expect 0 "$cc" -Werror=serial -Rorrery -c a.c
    says err 'remark: parallel'
}
sources=
echo 'static int user_count = 6;' >orrery_user.h
free '#include "orrery_user.h"' '' 'x[i] = i + user_count'
printf '#if 0\nint orrery_i;\n#endif\n' >out.h
free '#include "out.h"' '' 'x[i] = i'
free '/* orrery_i */ const char *text = "orrery_i";' '' 'x[i] = i + text[0]'
free 'static int dsm_alloc(int n) { return n + 1; }' 'int dsm_rank = 3;' 'x[i] = dsm_alloc(i) + dsm_rank'
free "#include \"$tree/include/orrery.h\"" '' 'x[i] = (int)(orrery_random(3, i) % 100)'
# Names of files.
mkdir '*'
for file in '*/a.c' 'it"s ??= not.c'; do
    program "$file" '' '' 'x[i] = i'
    same "$file" -std=c99
    [ ! -s said ] || { cat said; fail "$file: a loop stays serial"; }
    "$orrery" emit --openmp "$file" -o standing.c
    gcc -std=c99 -D_GNU_SOURCE -fopenmp standing.c -o standing
    ./standing | diff wanted - || fail "$file: with OpenMP it prints something else"
    ORRERY_STATS=1 ./parallel 2>err >/dev/null
    grep -qF " $file:7 independent" err || { cat err; fail "$file: has another name"; }
done
# Names of the run-time library, which links see.
cat >names.c <<'EOF'
int dsm_alloc(int n) { return n + 100; }
void dsm_fail(void) {}
int dsm_start, run_free, heap_spans = 3, load_count = 4;
int run_start(int a) { return a + 1; }
int heap_lock(int a) { return a + 2; }
int load_read(int a) { return a * 2; }
EOF
sources=names.c
free 'int dsm_alloc(int), run_start(int); extern int heap_spans, load_count;' 'int k = dsm_alloc(1) + run_start(2) + heap_spans + load_count;' 'x[i] = i + k'
sources=

# Macros of headers and flags that replace words of emitted text.
macro() {
    program a.c "$1" "$2" "$3"
    shift 3
    same a.c "$@"
    says said 'warning: the loop stays serial: the macro .* \[ORR2290\]'
}
for word in base begin step strategy file block; do
    echo "#define $word 3" >macro.h
    macro '#include "macro.h"' '' "x[i] = i + 1"
    macro '' '' 'x[i] = i + 1' "-D$word=3"
done
echo '#define column 3' >macro.h
program a.c '#include "macro.h"' '' 'x[i] = i + column'
same a.c
echo '#define A (r->A)' >macro.h
macro 'struct r { int A[5000]; } all, *r = &all;
#include "macro.h"' '' 'A[i] = i; x[i] = A[i] * 2'
printf '#define base 3\n#undef base\n' >macro.h
sources=
free '#include "macro.h"' '' 'x[i] = i'
