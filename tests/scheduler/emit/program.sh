#!/bin/bash
# program.sh BINDIR INCLUDE PROGRAM.c: emits the program, compiles the text with gcc and clang in
# several dialects with warnings as errors, and runs it against the program as plain C. The program's
# first line says how many of its loops become parallel: /* emit: N */, or /* emit: N, one rank */ when
# one of them cannot be divided among ranks and has to say so. A build with a sanitizer ($SANITIZE)
# looks at what is ours: one dialect, three threads.
. "$(dirname "$0")/../../lib.sh"

bin=$1 include=$2 program=$3
dir=$work
warnings="-Wall -Wextra -Werror -Wshadow -Wno-unknown-pragmas"
wanted=$(sed -n '1s|/\* emit: \([0-9]*\).*|\1|p' "$program")

"$bin/orrery" emit "$program" -o "$dir/out.c" >"$dir/said" 2>&1 || { cat "$dir/said"; fail "emit failed"; }
got=$(grep -Eo 'orrery_run(_later)?\(&orrery_loop_' "$dir/out.c" | wc -l)
[ "$got" = "$wanted" ] || { cat "$dir/said"; fail "$got loops are parallel, $wanted should be"; }

gcc -std=gnu11 -O1 -ffp-contract=off -w "$program" -o "$dir/plain" -lm
"$dir/plain" >"$dir/expected"

# Each dialect is accepted once by each kind of compiler, in the compilation that has another use, too. All that clang says
# is said before it makes code.
# shellcheck disable=SC2086
accepts() {
    "$@" $warnings -I "$include" "$dir/out.c" || fail "the emitted text is not accepted: $*"
}
dialects=("-std=c17 -O0" "-std=gnu11 -O3 -march=native -ffp-contract=off") others="clang-19 clang" workers=("1 3" 2)
[ -z "${SANITIZE:-}" ] || dialects=("-std=c17 -O0") others="" workers=(3)
[ -n "${SANITIZE:-}" ] || accepts gcc -std=c99 -fsyntax-only
standards="c99 c17"
for compiler in $others; do
    command -v "$compiler" >/dev/null || continue
    [ "$compiler" != clang ] || [ "$(readlink -f "$(command -v clang)")" != "$(readlink -f "$(command -v clang-19)")" ] || continue
    for standard in $standards; do accepts $compiler -std=$standard -fsyntax-only; done
    standards=c17
done

for i in "${!dialects[@]}"; do
    flags=${dialects[i]}
    # shellcheck disable=SC2086
    accepts gcc $flags -DORRERY_CONTRACTION=0 -c -o "$dir/out.o"
    "$bin/orrery-cc" "$dir/out.o" -o "$dir/parallel" -lm
    for threads in ${workers[i]}; do
        ORRERY_THREADS=$threads "$dir/parallel" >"$dir/actual" || fail "status $? with $threads threads"
        diff "$dir/expected" "$dir/actual" || fail "$threads threads, $flags: other results"
    done
done

ranks="$bin/orrery run -n 2 --oversubscribe --threads 1 -- $dir/parallel"
if head -n 1 "$program" | grep -q 'one rank'; then
    ! $ranks >/dev/null 2>"$dir/said" || fail "two ranks run it after all"
    grep -q 'on one rank' "$dir/said" || { cat "$dir/said"; fail "two ranks fail in another way"; }
else
    $ranks >"$dir/actual" || fail "status $? with two ranks"
    diff "$dir/expected" "$dir/actual" || fail "two ranks: other results"
fi
