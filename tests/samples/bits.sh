#!/bin/bash
# A sample has the same bits for 1, 2, 3, 4 and 8 workers, as threads and as ranks, with and without torture (messages
# and blocks that come late, ORRERY_TORTURE), and served arrays wherever they can be (ORRERY_SERVE=always).
# usage: bits.sh NAME
. "$(dirname "$0")/common.sh"
name=$1 seed=0
make_small
small_arguments "$name"
[ "$name" != sptrsv ] || arguments=(--grid 40 --steps 2)
[ "$name" != gbt ] || arguments=(--trees 1 --depth 3 "$work/small")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ORRERY_SERVE=always
compile "$orrery_cc" "$name" "$work/program" -Werror=serial

# bits COMMAND ...: a number of all files that it saves.
bits() {
    rm -rf "$work/saved"
    mkdir "$work/saved"
    timeout -k 2 120 "$@" "$work/program" "${arguments[@]}" --output "$work/saved/model" > "$work/out" 2> "$work/err" ||
        { cat "$work/err" >&2; fail "$name: $*, seed ${ORRERY_TORTURE:-none}"; }
    cat "$work/saved"/model* > "$work/all" && [ -s "$work/all" ] || fail "$name saves nothing"
    cksum < "$work/all"
}

expected=$(bits env ORRERY_THREADS=1)
for workers in 1 2 3 4 8; do
    for torture in 0 1; do
        seed=$((seed + torture))
        export ORRERY_TORTURE=$((torture * (100 * workers + seed)))
        [ "$(bits env ORRERY_THREADS=$workers)" = "$expected" ] ||
            fail "$name: other bits on $workers threads, seed $ORRERY_TORTURE"
        [ $workers -gt 1 ] || continue
        [ "$(bits "$orrery" run -n $workers --oversubscribe --threads 1 --)" = "$expected" ] ||
            fail "$name: other bits on $workers ranks, seed $ORRERY_TORTURE"
    done
done
echo "$name: the same bits in 18 runs"
