#!/bin/bash
# emit_program.sh BINDIR INCLUDE PROGRAM.c: emits the program, compiles the text with gcc and clang in
# several dialects with warnings as errors, and runs it against the program as plain C. The program's
# first line says how many of its loops become parallel: /* emit: N */, or /* emit: N, one rank */ when
# one of them cannot be divided among ranks and has to say so.
set -eu

bin=$1 include=$2 program=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
warnings="-Wall -Wextra -Werror -Wshadow -Wno-unknown-pragmas"
wanted=$(sed -n '1s|/\* emit: \([0-9]*\).*|\1|p' "$program")

fail() {
    echo "$(basename "$program"): $*" >&2
    exit 1
}

"$bin/orrery" emit "$program" -o "$dir/out.c" >"$dir/said" 2>&1 || { cat "$dir/said"; fail "emit failed"; }
got=$(grep -Eo 'orrery_run(_later)?\(&orrery_loop_' "$dir/out.c" | wc -l)
[ "$got" = "$wanted" ] || { cat "$dir/said"; fail "$got loops are parallel, $wanted should be"; }

gcc -std=gnu11 -O2 -ffp-contract=off -w "$program" -o "$dir/plain" -lm
"$dir/plain" >"$dir/expected"

for compiler in gcc clang-19 clang; do
    command -v "$compiler" >/dev/null || continue
    [ "$compiler" != clang ] || [ "$(readlink -f "$(command -v clang)")" != "$(readlink -f "$(command -v clang-19)")" ] || continue
    for std in c99 gnu99 c11 c17; do
        $compiler -std=$std $warnings -fsyntax-only -I "$include" "$dir/out.c" ||
            fail "$compiler -std=$std does not accept the emitted text"
    done
    $compiler -std=gnu11 $warnings -O1 -I "$include" -c "$dir/out.c" -o "$dir/out.o" ||
        fail "$compiler -std=gnu11 does not accept the emitted text"
done

for flags in "-O0" "-O3 -march=native -ffp-contract=off"; do
    gcc -std=gnu11 $flags -w -DORRERY_CONTRACTION=0 -I "$include" -c "$dir/out.c" -o "$dir/out.o"
    "$bin/orrery-cc" "$dir/out.o" -o "$dir/parallel" -lm
    for threads in 1 2 3; do
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
