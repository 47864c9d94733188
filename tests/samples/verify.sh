#!/bin/bash
# `orrery verify` on one sample or shape: threads and ranks give the same bits, and the unmodified
# serial loops replayed in plan order give them too.
# usage: verify.sh NAME     VERIFY_RUNS: runs of each configuration (1)
. "$(dirname "$0")/common.sh"
name=$1 ranks=1,2,3,4
make_small

compile "$orrery_cc" "$name" "$work/$name"
case $name in
kmeans) set -- --label --clusters 6 --iterations 3 "$build/samples/data/covtype20k.csv" ;;
gauss_seidel) ranks=0 && set -- --nine --grid 120 --sweeps 12 --every 5 ;;
stream) set -- --records 3000 ;;
lcs) ranks=0 && set -- --local --letters 700 ;;
sptrsv) ranks=1,2,3 && set -- --grid 70 --steps 6 ;;
cp)
    head -20000 "$build/samples/data/names.tns" > "$work/small.tns"
    set -- --rank 6 --epochs 2 "$work/small.tns"
    ;;
lda) head -150 "$build/samples/data/specs.ldac" > "$work/small.ldac" && set -- --epochs 2 "$work/small.ldac" ;;
pagerank) set -- --scale 10 --passes 4 ;;
groups) head -20000 "$build/samples/data/names.tns" > "$work/small.tns" && set -- --rounds 2 "$work/small.tns" ;;
fm) head -2000 "$build/samples/data/a9a" > "$work/small" && set -- --epochs 2 "$work/small" ;;
slr) set -- --epochs 2 --adagrad --examples 3000 --features 30000 --length 10 ;;
glove)
    head -300 "$build/samples/data/words.txt" > "$work/small.txt"
    set -- --rank 6 --epochs 2 "$work/small.txt"
    ;;
embed) set -- --rank 6 --epochs 2 --nodes 2000 --edges 10000 --communities 10 ;;
mlp) head -1500 "$build/samples/data/covtype20k.csv" > "$work/small" && set -- --epochs 1 --greedy "$work/small" ;;
gbt) head -1500 "$build/samples/data/covtype20k.csv" > "$work/small" && set -- --trees 3 "$work/small" ;;
mf_adarev) set -- --rank 4 --epochs 1 --delayed --batches 3 "$small" ;;
mf*) set -- --rank 6 --epochs 2 --adaptive "$small" ;;
*) set -- --rank 6 --epochs 2 "$small" ;;
esac
"$orrery" verify --runs "${VERIFY_RUNS:-1}" --timeout 120 --ranks $ranks -- "$work/$name" "$@" > "$work/out" 2>&1 ||
    { cat "$work/out"; fail "verify $name"; }
cat "$work/out"
grep -q '^verified: ' "$work/out" || fail "verify did not say so"
grep -q 'the serial text was not replayed' "$work/out" && fail "the serial loop was not replayed"
exit 0
