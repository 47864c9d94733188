#!/bin/bash
# refused.sh BINDIR: every program of refused/ keeps its loop, and the code of its first line is given.
# Flags of the compiler stand in its third line: /* flags: -fopenmp */
. "$(dirname "$0")/../../lib.sh"

bin=$1
dir=$work
bad=0

for program in "$here"/../../programs/emit_refused/*.c; do
    code=$(sed -n '1s|/\* \(ORR[0-9]*\) \*/|\1|p' "$program")
    [ -n "$code" ] || fail "$program: no code in its first line"
    rm -f "$dir/out.c"
    flags=$(sed -n '3s|^/\* flags: \(.*\) \*/$|\1|p' "$program")
    # shellcheck disable=SC2086
    set -- $flags
    "$bin/orrery" emit "$program" -o "$dir/out.c" -- "$@" >"$dir/said" 2>&1 || true
    if ! grep -q "$code" "$dir/said"; then
        echo "$(basename "$program"): $code was not said:" && cat "$dir/said"
        bad=1
    fi
    "$bin/orrery" analyze "$program" -- "$@" >"$dir/text"
    "$bin/orrery" analyze --format=json "$program" -- "$@" >"$dir/json"
    if ! grep -q "$code" "$dir/text" || ! grep -q "\"code\":\"$code\"" "$dir/json" ||
        ! grep -q ' 0 parallel' "$dir/text" || grep -q '"verdict":"parallel"' "$dir/json"; then
        echo "$(basename "$program"): analyze says something else:" && cat "$dir/text"
        bad=1
    fi
    says=$(sed -n '2s|^/\* says: \(.*\) \*/$|\1|p' "$program")
    if ! grep -Fq -- "$says" "$dir/text" || { [ -n "$says" ] && ! grep -q '^  fix: .' "$dir/text"; }; then
        echo "$(basename "$program"): analyze does not say: $says, or no edit" && cat "$dir/text"
        bad=1
    fi
    loops=$(grep -Ec 'orrery_run(_later)?\(' "$dir/out.c" || true)
    [ "$loops" = 0 ] || { echo "$(basename "$program"): the loop was rewritten"; bad=1; }
    gcc "$@" -Wall -Wno-unknown-pragmas -I "$here/../../../runtime" -I "$here/../../programs/emit_refused" -c "$dir/out.c" -o "$dir/out.o" || bad=1
done
exit $bad
