#!/bin/bash
# Bytes that ranks of two hosts send each other in a pass, counted by a run, against those that the model counts; and
# the links of the two hosts, measured. Of a pass: what eight passes send more than four, a quarter of it.
# shellcheck source=tests/cluster/hosts.sh
. "$(dirname "$0")/hosts.sh"
cluster 2

data=$BIN/../samples/data

# sent NAME EPOCHS WORD ...: megabytes that all ranks sent.
sent() {
    local name=$1 epochs=$2
    shift 2
    ORRERY_DEBUG=deal=never ORRERY_STATS=1 ranks 2 "$work/$name" --epochs "$epochs" "$@" >"$work/out" 2>"$work/err" ||
        { cat "$work/err"; fail "$name on 2 hosts: status $?"; }
    awk '/^orrery: rank/ { for (i = 3; i < NF; ++i) if ($i == "sent-mb") sum += $(i + 1) } END { print sum }' "$work/err"
}

printf '{"schema": "orrery-cluster/1", "nodes": 2, "cores_per_node": 1}\n' >"$work/cluster"
{ sed -n '1,3p' "$data/names.mtx"; sed -n 4p "$data/names.mtx" | sed 's/[0-9]*$/20000/'
    sed -n '5,20004p' "$data/names.mtx"; } >"$work/sparse.mtx"
for name in mf/mf mf/mf_rows mf/mf_structs cp/cp mf/mf+sparse; do
    input=$data/names.mtx
    [ "$name" = "${name%+*}" ] || input=$work/sparse.mtx name=${name%+*}
    source=$tree/samples/$name.c name=${name#*/}
    [ "$name" != cp ] || input=$data/names.tns
    words="--quiet --no-eval-each-epoch $input"
    [ "$name" = cp ] || words="--plain $words"
    "$cc" -O2 -I"$tree/samples/common" "$source" -o "$work/$name" -lm
    # shellcheck disable=SC2086
    ORRERY_PROFILE=$work/profile ORRERY_THREADS=1 timeout 300 "$work/$name" --epochs 2 $words >"$work/out"
    model=$("$orrery" simulate --cluster "$work/cluster" --format=json --ranks 2 "$work/profile" |
        sed -n 's/.*"bytes_moved": \([0-9.e+]*\).*/\1/p')
    # shellcheck disable=SC2086
    few=$(sent $name 4 $words) many=$(sent $name 8 $words)
    awk -v few="$few" -v many="$many" -v model="$model" -v name="$name" 'BEGIN {
        counted = (many - few) / 4 * 1e6; off = counted - model; most = 0.02 * counted + 6000
        printf "%s: %.0f bytes a pass, by the model %.0f\n", name, counted, model
        exit off > most || -off > most }' || fail "$name: the model counts other bytes"
done

# Four ranks, dealt to two hosts in turn: what all read, 8 MB, goes to the other host once.
cat >"$work/look.c" <<'END'
#include <stdio.h>
enum { N = 2000000, M = 20000 };
static float x[N], y[M];
static int at[M];
int main(void) {
    for (int i = 0; i < N; ++i)
        x[i] = (float)(i % 1001);
    for (int i = 0; i < M; ++i)
        at[i] = (int)(i * 7919L % N);
#pragma orrery parallel
    for (int i = 0; i < M; ++i)
        y[i] = 2 * x[at[i]];
    double sum = 0;
    for (int i = 0; i < M; ++i)
        sum += y[i];
    printf("%.3f\n", sum);
}
END
"$cc" -O2 "$work/look.c" -o "$work/look"
ORRERY_STATS=1 ranks 4 "$work/look" >"$work/out" 2>"$work/err" || { cat "$work/err"; fail "look on 4 ranks"; }
"$work/look" | cmp - "$work/out" || fail "look: other results on 4 ranks"
awk '/^orrery: rank/ { for (i = 3; i < NF; ++i) if ($i == "sent-far-mb") sum += $(i + 1) }
    END { printf "look: %.2f MB to the other host\n", sum; exit !(sum > 7.9 && sum < 9) }' "$work/err" ||
    { cat "$work/err"; fail "what all read does not go to the other host once"; }

ORRERY_LINKS=$work/links ranks 2 "$work/mf" --epochs 1 --quiet "$data/names.mtx" >"$work/out"
cat "$work/links"
"$orrery" simulate --cluster "$work/links" --ranks 1,2 "$work/profile" >"$work/out" || fail "measured links are not read"
grep -q 'on measured: 2 nodes of 1 cores' "$work/out" || { cat "$work/out"; fail "other nodes than there are"; }
grep -q '"between_nodes": {"latency_us": [0-9.]*, "gigabytes_per_s": [0-9.]*[1-9]' "$work/links" || fail "no link"
status=0
ORRERY_LINKS=$work/links "$work/mf" "$data/names.mtx" >"$work/out" 2>"$work/err" || status=$?
[ $status -eq 2 ] && grep -q 'ORRERY_LINKS measures between ranks' "$work/err" || fail "links of one rank: status $status"
