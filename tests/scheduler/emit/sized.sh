#!/bin/bash
# sized.sh BINDIR INCLUDE: bodies made for trip counts. Which of them there are, by level of optimization, by what the
# text and -DORRERY_SIZE tell; and that each has the bits of the body for all counts. With a sanitizer ($SANITIZE): of one build.
. "$(dirname "$0")/../../lib.sh"

bin=$1 include=$2 program=$tree/tests/programs/sized/counts.c
dir=$work

# Versions of the loop in a function: their suffixes.
versions() {
    "$bin/orrery" emit "$program" -o "$dir/out.c" >"$dir/said" 2>&1 || { cat "$dir/said"; fail "emit failed"; }
    number=$(awk -v name="$1" '/^\/\* Orrery: the loop in line/ { loop = $NF == "*/" ? $(NF - 1) : $NF }
        loop == name && /^struct orrery_env_[0-9]+ {/ { sub(/.*_/, "", $2); print $2; exit }' "$dir/out.c")
    sed -n "s/.* orrery_body_${number}_\([a-z0-9]*\)($/\1/p" "$dir/out.c" | tr '\n' ' '
}
same() {
    [ "$1" = "$2" ] || fail "$3: '$2' instead of '$1'"
}
same "16 32 64 128 size " "$(versions rotate)" "a rank that the run tells"
same "24 size " "$(versions told)" "a rank that the text tells"
same "" "$(versions jumps)" "a body with labels"
same "" "$(versions alone)" "a body without loops"

# clang's warnings come before it optimizes; gcc gives them where the program is built.
warnings="-std=gnu11 -Wall -Wextra -Werror -Wshadow -Wno-unknown-pragmas"
builds=("-O3 -march=native" "-O3 -march=native -DORRERY_SIZE=40 -DORRERY_NO_JAM")
[ -z "${SANITIZE:-}" ] || warnings=-w builds=("-O1 -DORRERY_SIZES -DORRERY_SIZE=40")
# shellcheck disable=SC2086
[ -n "${SANITIZE:-}" ] || ! command -v clang-19 >/dev/null ||
    clang-19 $warnings -DORRERY_SIZES -DORRERY_SIZE=40 -I "$include" -fsyntax-only "$dir/out.c" ||
    fail "clang-19 does not accept the text"

# The program's functions: with -O3 there are versions, below there are none.
built() {
    "$bin/orrery-cc" "$@" -w -c "$program" -o "$dir/object.o"
    nm "$dir/object.o" | grep -cE 'orrery_(body|unroll)_[0-9]+_(64|size)' || true
}
if [ -z "${SANITIZE:-}" ]; then
    same 0 "$(built -O2)" "versions at -O2"
    [ "$(built -O3)" -gt 0 ] || fail "no versions at -O3"
    [ "$(built -O3 -DORRERY_SIZE=40)" -gt "$(built -O3)" ] || fail "no version for -DORRERY_SIZE"
fi

"$bin/orrery-cc" -O1 -w "$program" -o "$dir/plain" -lm
for flags in "${builds[@]}"; do
    # shellcheck disable=SC2086
    "$bin/orrery-cc" $flags $warnings "$program" -o "$dir/sized" -lm || fail "$flags: not built without a warning"
    for K in 3 16 24 32 40 64 100 128; do
        ORRERY_THREADS=1 "$dir/plain" $K >"$dir/expected"
        for threads in 1 3; do
            ORRERY_THREADS=$threads "$dir/sized" $K >"$dir/actual" || fail "status $? with $threads threads"
            diff "$dir/expected" "$dir/actual" || fail "$flags, $threads threads, $K columns: other bits"
        done
    done
done
