#!/bin/bash
# Samples have the bits of one rank without a budget when each of four ranks may have half of what the loops' arrays
# take, in one host and on four.
# shellcheck source=tests/cluster/hosts.sh
. "$(dirname "$0")/hosts.sh"
cluster 4
network=$work
export TREE_SOURCE=$tree TREE_BUILD=$BIN/..
# shellcheck source=tests/samples/common.sh
. "$tree/tests/samples/common.sh"
trap 'rm -rf "$work" "$network"' EXIT

# first N FILE: a shorter one
first() {
    head -n "$1" "$build/samples/data/$2" >"$work/$2"
}

# The arrays of its loops take some megabytes; few passes over little.
budget_arguments() {
    case $1 in
    mf) first 2000 names.mtx && sed -i '4s/[0-9]*$/1996/' "$work/names.mtx" && arguments=(--rank 500 --epochs 1 "$work/names.mtx") ;;
    lda) first 60 specs.ldac && arguments=(--epochs 1 "$work/specs.ldac") ;;
    cp) first 3000 names.tns && arguments=(--rank 1000 --epochs 1 "$work/names.tns") ;;
    slr) arguments=(--epochs 1 --adagrad --examples 1000 --features 400000 --length 8) ;;
    glove) first 40 words.txt && arguments=(--rank 900 --epochs 1 --least 1 --window 4 "$work/words.txt") ;;
    embed) arguments=(--rank 1000 --epochs 1 --nodes 2500 --edges 1500 --communities 10 --negatives 1) ;;
    gbt) first 9000 covtype20k.csv && arguments=(--trees 1 --depth 4 "$work/covtype20k.csv") ;;
    esac
}

# bits COMMAND ...: a number of all files that it saves; what it says in err.
bits() {
    rm -rf "$work/saved"
    mkdir "$work/saved"
    "$@" "$work/$name" "${arguments[@]}" --output "$work/saved/model" >"$work/out" 2>"$work/err" || fail "$name: $*"
    cat "$work/saved"/model* >"$work/all" && [ -s "$work/all" ] || fail "$name saves nothing"
    cksum <"$work/all"
}

for name in mf lda cp slr glove embed gbt; do
    budget_arguments "$name"
    compile "$orrery_cc" "$name" "$work/$name"
    unset ORRERY_GRID
    [ "$name" != cp ] || export ORRERY_GRID=8x4 # so few cells would be two rows, and two ranks had all of A
    expected=$(ORRERY_STATS=1 bits env ORRERY_THREADS=1)
    half=$(awk '{ for (i = 1; i < NF; ++i) if ($i == "rank" && $(i - 1) == "a" && $(i + 1) + 0 > most) most = $(i + 1) } END { print int(most / 2) }' "$work/err")
    [ "$half" -ge 2 ] || fail "$name: half of what it has is $half MB"
    export ORRERY_MEMORY=$half
    [ "$(bits on 0 "$orrery" run -n 4 --oversubscribe --threads 1 --timeout 200 --)" = "$expected" ] ||
        fail "$name: other bits on four ranks of $half MB"
    [ "$(bits ranks 4)" = "$expected" ] || fail "$name: other bits on four hosts of $half MB"
    unset ORRERY_MEMORY
    if [ "$name" = slr ]; then # what is merged is among the loop's arrays, too, and counts once
        expect 1 env ORRERY_MEMORY=2 ORRERY_THREADS=1 "$work/slr" "${arguments[@]}"
        says "$work/err" 'w 1\.6 MB and 5\.[0-9] MB of copies, feature .*\[ORR9232\]'
        lacks 'copies, .*w 1\.6 MB' "$work/err" || fail "w counts twice"
    fi
    echo "$name: $half MB"
done
