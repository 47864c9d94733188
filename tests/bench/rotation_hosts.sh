#!/bin/bash
# rotation_hosts.sh BIN JOBS: runs programs on two emulated hosts joined by 1 Gbit/s and 0.2 ms, one rank of one
# thread on each. JOBS: a line per run, OUT TRACE PROGRAM WORD ...; what a run says of itself goes to OUT, and behind
# it the processor seconds of the switch that plays the links; TRACE is - or a file for ORRERY_TRACE.
# Status 77 where hosts cannot be emulated.
# shellcheck source=tests/cluster/hosts.sh
. "$(cd "$(dirname "$0")/../cluster" && pwd)/hosts.sh"
here=$tree/tests/cluster
delayed_cluster 2 1000000000 200
export ORRERY_STATS=1

switch_ticks() {
    awk '{ print $14 + $15 }' "/proc/$switch/stat"
}

while read -r out trace program words; do
    unset ORRERY_TRACE
    [ "$trace" = - ] || export ORRERY_TRACE=$trace
    before=$(switch_ticks)
    # shellcheck disable=SC2086
    ranks 2 "$program" $words 2> "$out" > "$work/said" < /dev/null || { tail -n 3 "$out" >&2; fail "$program on two hosts"; }
    echo "switch $(($(switch_ticks) - before)) $(getconf CLK_TCK)" >> "$out"
done < "$2"
