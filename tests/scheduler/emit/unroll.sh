#!/bin/bash
# unroll.sh BINDIR INCLUDE: loops whose iterations run interleaved have the bits of the same build without
# that, on any number of threads; and just those loops do that the program's first line names. With a sanitizer ($SANITIZE) one build.
. "$(dirname "$0")/../../lib.sh"

bin=$1 include=$2 program=$tree/tests/programs/unroll/bodies.c
dir=$work

"$bin/orrery" emit "$program" -o "$dir/out.c" >"$dir/said" 2>&1 || { cat "$dir/said"; fail "emit failed"; }
interleaved() {
    awk '/^\/\* Orrery: the loop in line/ { name = $NF == "*/" ? $(NF - 1) : $NF }
         /orrery_unroll_[0-9]+\($/ { print name }' "$dir/out.c" | tr '\n' ' '
}
wanted=$(sed -n '1s|/\* interleaved: \(.*\);.*|\1|p' "$program")
[ "$(interleaved)" = "$wanted" ] || fail "the loops of $(interleaved)are interleaved, of $wanted should be"

# clang's warnings come before it optimizes; gcc gives them where the program is built.
warnings="-std=gnu11 -Wall -Wextra -Werror -Wshadow -Wno-unknown-pragmas" builds=("-O1" "-O3 -march=native")
[ -z "${SANITIZE:-}" ] || warnings=-w builds=("-O1")
# shellcheck disable=SC2086
[ -n "${SANITIZE:-}" ] || ! command -v clang-19 >/dev/null ||
    clang-19 $warnings -I "$include" -fsyntax-only "$dir/out.c" || fail "clang-19 does not accept the text"

for flags in "${builds[@]}"; do
    # shellcheck disable=SC2086
    "$bin/orrery-cc" $flags $warnings "$program" -o "$dir/with" -lm || fail "$flags: not built without a warning"
    # shellcheck disable=SC2086
    "$bin/orrery-cc" $flags -w -DORRERY_NO_JAM "$program" -o "$dir/without" -lm
    for K in 1 4 6 13; do
        ORRERY_THREADS=1 "$dir/without" $K >"$dir/expected"
        for threads in 1 2 3; do
            ORRERY_THREADS=$threads "$dir/with" $K >"$dir/actual" || fail "status $? with $threads threads"
            diff "$dir/expected" "$dir/actual" || fail "$flags, $threads threads, $K columns: other bits"
        done
    done
done
