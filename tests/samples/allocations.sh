#!/bin/bash
# The Nth allocation of the runtime fails (ORRERY_DEBUG=torture=alloc:N), N from 1 on until the program succeeds: it ends
# with a message and a status, by no signal, and hangs nowhere. Two threads: every N. Two ranks: one of the two fails,
# every N up to 12 and then one out of STEP (ALLOCATIONS=1: every N).
. "$(dirname "$0")/common.sh"
step=${ALLOCATIONS:-47}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

"$orrery_cc" -O1 -Werror=serial "$source/tests/programs/samples/allocations.c" -o "$work/program" > "$work/err" 2>&1 ||
    fail "it does not build: $(cat "$work/err")"
ORRERY_THREADS=1 "$work/program" > "$work/expected"

# once SETTING COMMAND ...: true when it succeeds.
once() {
    local setting=$1 status=0
    shift
    ORRERY_DEBUG=torture=$setting timeout -k 2 300 "$@" > "$work/out" 2> "$work/err" || status=$?
    if [ $status -eq 0 ]; then
        cmp -s "$work/out" "$work/expected" || fail "$setting: another result"
        return 0
    fi
    [ $status -eq 71 ] || [ $status -eq 1 ] || fail "$setting: status $status, $(cat "$work/err")"
    grep -q '^orrery: rank [01]: .*\(memory\|address space\)' "$work/err" ||
        fail "$setting: no message, $(cat "$work/err")"
    return 1
}

# walk STEP SUFFIX COMMAND ...: until six in a row are past the last allocation.
walk() {
    local stride=$1 suffix=$2 nth=1 good=0 bad=0
    shift 2
    while [ $good -lt 6 ]; do
        if once "alloc:$nth$suffix" "$@"; then
            good=$((good + 1)) nth=$((nth + (good > 2 ? 100 : 1)))
        else
            good=0 bad=$((bad + 1)) nth=$((nth + (nth < 12 ? 1 : stride)))
        fi
    done
    echo "${*: -1}: $bad allocations failed, the last before $nth"
    [ $bad -gt 20 ] || fail "only $bad allocations: this shows nothing"
}

ORRERY_THREADS=2 walk 1 "" "$work/program"
for rank in 0 1; do
    walk "$step" "@$rank" "$orrery" run -n 2 --oversubscribe --threads 1 -- "$work/program"
done
