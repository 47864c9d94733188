#!/bin/bash
# A loop is inspected as often as the program's first comment says, and not for what it writes itself.
# usage: inspections.sh PROGRAM.c WAY...     WAY: threads, ranks, gpu-shim
. "$(dirname "$0")/lib.sh"
[ $# -gt 1 ] || fail "usage: inspections.sh PROGRAM.c WAY..."
export ORRERY_STATS=1
IFS=, read -r passes inspections < <(expected inspected)

# inspected WORD... : the program, run by these words, on the target that it was built for
inspected() {
    "$@" "$work/parallel" > "$work/out" 2> "$work/err" || { cat "$work/err"; fail "it does not run"; }
    grep -q " $passes " "$work/err" || { cat "$work/err"; fail "other passes"; }
    grep -q "$inspections " "$work/err" || { cat "$work/err"; fail "not$inspections ($*)"; }
}

for way in "${@:2}"; do
    target=cpu
    [ "$way" != gpu-shim ] || target=gpu-shim
    "$orrery_cc" -O1 -w -target $target "$program" -o "$work/parallel" -lm || fail "orrery-cc does not build it"
    # ThreadSanitizer's shadow leaves no range of addresses that two ranks could share.
    if [ "$way" != ranks ]; then
        inspected env ORRERY_THREADS=2
    elif [ "${SANITIZER:-}" != thread ]; then
        inspected timeout 300 "$orrery" run -n 2 --threads 1 --
    fi
done
