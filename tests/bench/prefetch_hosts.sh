#!/bin/bash
# prefetch_hosts.sh BIN JOBS: runs programs on two emulated hosts joined by 1 Gbit/s and 0.2 ms, one rank of one
# thread on each. JOBS: a line per run, SERVE OUT PROGRAM WORD ...; what it prints goes to OUT, what a run says of
# itself to OUT.stats. Status 77 where hosts cannot be emulated.
# shellcheck source=tests/cluster/hosts.sh
. "$(cd "$(dirname "$0")/../cluster" && pwd)/hosts.sh"
here=$tree/tests/cluster
delayed_cluster 2 1000000000 200
export ORRERY_STATS=1
while read -r serve out program words; do
    export ORRERY_DEBUG=serve=$serve
    # shellcheck disable=SC2086
    on 0 timeout -k 2 500 "$orrery" run -n 2 --hostfile "$hostfile" --oversubscribe --threads 1 --timeout 490 -- \
        "$program" $words < /dev/null > "$out" 2> "$out.stats" || { tail -n 3 "$out.stats" >&2; fail "$program on two hosts"; }
done < "$2"
