#!/bin/bash
# lanes.sh BINDIR INCLUDE: nests that groups of iterations run in lanes: which of them, that compilers take the text,
# and that each has the serial bits, for groups that are full, left over and too small, and on vectors of all widths; with a sanitizer ($SANITIZE) in one build.
. "$(dirname "$0")/../../lib.sh"

bin=$1 include=$2 program=$tree/tests/programs/lanes/nests.c
dir=$work

"$bin/orrery" emit "$program" -o "$dir/out.c" >"$dir/said" 2>&1 || { cat "$dir/said"; fail "emit failed"; }
awk '/^\/\* Orrery: the loop in line/ { name = $NF == "*/" ? $(NF - 1) : $NF } /^#ifdef ORRERY_VECTORS/ { print name }' \
    "$dir/out.c" | sort -u | tr '\n' ' ' >"$dir/found"
[ "$(cat "$dir/found")" = "farthest layer nearest " ] || fail "in lanes: '$(cat "$dir/found")'"
compilers="gcc clang-19" warnings="-std=gnu11 -Wall -Wextra -Werror -Wshadow -Wno-unknown-pragmas"
builds=("-O2" "-O3 -march=native" "-O3 -march=native -DORRERY_NO_VECTORS")
[ -z "${SANITIZE:-}" ] || compilers="" warnings=-w builds=("-O2")
for compiler in $compilers; do
    command -v $compiler >/dev/null || continue
    # gcc warns of some things only when it optimizes, as the program is built; vectors of these widths are its back end's.
    for flags in "" "-mavx2" "-mavx512f"; do
        [ "$compiler$flags" != gcc ] || continue
        level=-O0
        [ $compiler != gcc ] || level=-O1
        # shellcheck disable=SC2086
        $compiler $level $flags $warnings -I "$include" -c "$dir/out.c" -o "$dir/out.o" ||
            fail "$compiler $flags does not accept the text"
    done
done

gcc -std=gnu11 -O1 -w "$program" -o "$dir/serial" -lm
build=0
for flags in "${builds[@]}"; do
    # shellcheck disable=SC2086
    "$bin/orrery-cc" $flags $warnings "$program" -o "$dir/lanes" -lm || fail "$flags: not built without a warning"
    for sizes in "200 9 6" "1 9 6" "1000 1 4" "137 0 5" "130 11 0" "130 3 3" "4200 33 7" "70 1500 4"; do
        # shellcheck disable=SC2086
        "$dir/serial" $sizes >"$dir/expected"
        for threads in 1 3; do
            # shellcheck disable=SC2086
            ORRERY_GRID=$((1 + threads))x0 ORRERY_THREADS=$threads "$dir/lanes" $sizes >"$dir/actual" 2>"$dir/err" ||
                { cat "$dir/err"; fail "$sizes: status $?"; }
            diff "$dir/expected" "$dir/actual" || fail "$flags, $sizes, $threads threads: other bits"
        done
        build=$((build + 1))
    done
done
[ "$build" = $((8 * ${#builds[@]})) ] || fail "$build builds"
