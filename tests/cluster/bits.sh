#!/bin/bash
# All samples have the bits of one thread on ranks of three hosts, with torture; a part of them on two hosts or four, too.
# shellcheck source=tests/cluster/hosts.sh
. "$(dirname "$0")/hosts.sh"
cluster 4
network=$work
export TREE_SOURCE=$tree TREE_BUILD=$BIN/..
# shellcheck source=tests/samples/common.sh
. "$tree/tests/samples/common.sh"
trap 'rm -rf "$work" "$network"' EXIT
make_small
export ORRERY_DEBUG=serve=always

# bits COMMAND ...: a number of all files that it saves.
bits() {
    rm -rf "$work/saved"
    mkdir "$work/saved"
    "$@" "$work/$name" "${arguments[@]}" --output "$work/saved/model" > "$work/out" 2> "$work/err" ||
        { cat "$work/err" >&2; fail "$name: $*"; }
    cat "$work/saved"/model* > "$work/all" && [ -s "$work/all" ] || fail "$name saves nothing"
    cksum < "$work/all"
}

other=2
for name in mf mf_rows mf_structs cp embed glove kmeans sptrsv gauss_seidel lcs stream slr lda lda_delayed pagerank groups fm mf_adarev mlp gbt; do
    small_arguments "$name"
    [ "$name" != gbt ] || arguments=(--trees 1 --depth 3 "$work/small")
    compile "$orrery_cc" "$name" "$work/$name"
    expected=$(bits env ORRERY_THREADS=1)
    more=
    case $name in mf | cp | kmeans | sptrsv | gauss_seidel | stream | slr | lda) more=$other ;; esac
    for hosts in 3 $more; do
        seed=$((hosts == 3 ? 77 : 0))
        export ORRERY_DEBUG=serve=always,torture=$seed
        [ "$(bits ranks $hosts)" = "$expected" ] || fail "$name: other bits on $hosts hosts, seed $seed"
    done
    [ -z "$more" ] || other=$((6 - other))
done
