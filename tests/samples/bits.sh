#!/bin/bash
# A sample has the same bits for 1, 2, 3, 4 and 8 workers, as threads and as ranks, under torture (messages and blocks
# that come late), with served arrays wherever they can be. Without torture
# verify.NAME has fewer workers do the same; here they are 8, and two ranks of two threads.
# usage: bits.sh NAME
. "$(dirname "$0")/common.sh"
name=$1 seed=0
make_small
small_arguments "$name"
[ "$name" != sptrsv ] || arguments=(--grid 40 --steps 2)
[ "$name" != gbt ] || arguments=(--trees 1 --depth 3 "$work/small")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ORRERY_DEBUG=serve=always
compile "$orrery_cc" "$name" "$work/program"

# bits COMMAND ...: a number of all files that it saves.
bits() {
    rm -rf "$work/saved"
    mkdir "$work/saved"
    timeout -k 2 600 "$@" "$work/program" "${arguments[@]}" --output "$work/saved/model" > "$work/out" 2> "$work/err" ||
        { cat "$work/err" >&2; fail "$name: $*, $ORRERY_DEBUG"; }
    cat "$work/saved"/model* > "$work/all" && [ -s "$work/all" ] || fail "$name saves nothing"
    cksum < "$work/all"
}

expected=$(bits env ORRERY_THREADS=1)
# same RANKS THREADS SEED
same() {
    local launch=("$orrery" run -n "$1" --oversubscribe --threads "$2" --)
    [ "$1" -gt 1 ] || launch=(env ORRERY_THREADS="$2")
    [ "$(ORRERY_DEBUG=$ORRERY_DEBUG,torture=$3 bits "${launch[@]}")" = "$expected" ] ||
        fail "$name: other bits on $1 ranks of $2 threads, seed $3"
}
for workers in 1 2 3 4 8; do
    seed=$((seed + 1))
    same 1 $workers $((100 * workers + seed))
    [ $workers -eq 1 ] || same $workers 1 $((100 * workers + seed))
done
same 2 2 7
