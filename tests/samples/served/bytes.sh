#!/bin/bash
# Bytes of served weights in a pass, and what a rank has of them: by the model, from the profile of one rank, and by
# runs. Of a pass: what eight passes send more than four, a quarter of it.
# shellcheck source=tests/samples/served/common.sh
. "$(dirname "$0")/common.sh"
export ORRERY_DEBUG=serve=always,shared=0

"$build/bin/orrery-cc" -O2 -I"$here/../../../samples/common" "$here/../../../samples/slr/slr.c" -o "$work/slr" -lm
words="--quiet --no-eval-each-epoch --examples 3000 --features 20000"
printf '{"schema": "orrery-cluster/1", "nodes": 4, "cores_per_node": 1}\n' > "$work/cluster"
# shellcheck disable=SC2086
ORRERY_PROFILE=$work/profile "$work/slr" $words --epochs 2 > "$work/out"

# figure RANKS MEMBER: of the model
figure() {
    "$build/bin/orrery" simulate --cluster "$work/cluster" --format=json --ranks "$1" "$work/profile" |
        sed -n "s/.*\"$2\": \([0-9.e+]*\).*/\1/p" | head -n 1
}

# sent RANKS EPOCHS: megabytes that all ranks sent
sent() {
    # shellcheck disable=SC2086
    ORRERY_STATS=1 ORRERY_TRACE=$work/trace timeout -k 2 300 "$build/bin/orrery" run -n "$1" --oversubscribe --threads 1 -- \
        "$work/slr" $words --epochs "$2" > "$work/out" 2> "$work/err" || { cat "$work/err" >&2; exit 1; }
    awk '/^orrery: rank/ { for (i = 3; i < NF; ++i) if ($i == "sent-mb") sum += $(i + 1) } END { print sum }' "$work/err"
}

for ranks in 2 3; do
    few=$(sent $ranks 4) many=$(sent $ranks 8) model=$(figure $ranks bytes_moved)
    awk -v few="$few" -v many="$many" -v model="$model" -v ranks=$ranks 'BEGIN {
        counted = (many - few) / 4 * 1e6; off = counted - model; most = 0.03 * counted + 6000
        printf "%d ranks: %.0f bytes a pass, by the model %.0f\n", ranks, counted, model
        exit off > most || -off > most }' || { echo "FAILED: the model counts other bytes"; exit 1; }
    # What the chunk before has is not sent again; that is said by every rank.
    awk -v ranks=$ranks '{ for (i = 1; i < NF; ++i) if ($i == "hits") { ++lines; hits += $(i + 1); asked += $(i + 3) } }
        END { printf "cache: %d hits of %d\n", hits, asked; exit lines != ranks || hits <= 0 || hits >= asked }' "$work/err" ||
        { echo "FAILED: no figures of the cache"; exit 1; }
    python3 - "$work/trace" "$work/err" <<'END' || { echo "FAILED: the trace has others"; exit 1; }
import json, re, sys
said = re.findall(r"rank (\d+) served-cache-mb ([\d.]+) hits (\d+) of (\d+)", open(sys.argv[2]).read())
events = [e for e in json.load(open(sys.argv[1]))["traceEvents"] if e["name"] == "served_cache"]
traced = [(str(e["pid"]), "%.3f" % (e["args"]["bytes"] / 1e6), str(e["args"]["hits"]), str(e["args"]["asked"])) for e in events]
sys.exit(not said or sorted(said) != sorted(traced))
END
    have=$(sed -n 's/.*copies-mb \([0-9.]*\) .*/\1/p' "$work/err" | head -n 1)
    awk -v have="$have" -v model="$(figure $ranks bytes_per_rank)" 'BEGIN {
        printf "copies of %.2f MB, all by the model %.2f\n", have, model / 1e6
        exit have > model / 1e6 || have < model / 1e6 * 0.4 }' || { echo "FAILED: a rank has more"; exit 1; }
done
