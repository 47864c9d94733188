#!/bin/bash
# predict_hosts.sh BIN JOBS: runs programs on two emulated hosts whose links are shaped to 1 Gbit/s, one rank of one
# thread on each. JOBS: a line per run, OUT PROGRAM WORD ...; what a run says of itself (ORRERY_STATS) goes to OUT.
# Status 77 where hosts cannot be emulated.
# shellcheck source=tests/cluster/hosts.sh
. "$(cd "$(dirname "$0")/../cluster" && pwd)/hosts.sh"
here=$tree/tests/cluster
cluster 2 1gbit
export ORRERY_STATS=1
while read -r out program words; do
    # shellcheck disable=SC2086
    ranks 2 "$program" $words 2> "$out" > "$work/said" < /dev/null || { tail -n 3 "$out" >&2; fail "$program on two hosts"; }
done < "$2"
