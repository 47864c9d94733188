#!/bin/bash
# A rank is killed in each phase of a run (loading, inspection, pass, merge, checkpoint, between
# passes, end): orrery run names it, starts again, and the result has the bits of the undisturbed run.
# usage: phases.sh BIN TOOLS SAMPLE RANKS [SERVE]     SERVE: a value of ORRERY_DEBUG=serve
. "$(dirname "$0")/lib.sh"
sample=$3 ranks=$4
meanwhile
[ $# -lt 5 ] || export ORRERY_DEBUG=serve=$5
data=$tree/samples/data
case $sample in
mf) arguments=(--rank 8 --epochs 6 names.mtx) && zcat "$data/names.mtx.gz" | head -n 200004 | sed '4s/.*/11362 5172 200000/' >names.mtx ;;
slr) arguments=(--epochs 60 a9a) && zcat "$data/a9a.gz" | head -n 5000 >a9a ;;
kmeans) arguments=(--iterations 8 --clusters 8 cov.csv) && zcat "$data/covtype20k.csv.gz" | head -n 5000 >cov.csv ;;
lda) arguments=(--epochs 4 specs) && zcat "$data/specs.ldac.gz" | head -n 300 >specs ;;
esac
if [ "$sample" = mf ]; then
    zcat "$data/names.mtx.gz" | grep -v '^%' | head -n 1 >size.txt
    zcat "$data/names.mtx.gz" | grep '^%' >names.mtx
    awk '{print $1, $2, 200000}' size.txt >>names.mtx
    zcat "$data/names.mtx.gz" | grep -v '^%' | sed 1d | head -n 200000 >>names.mtx
fi
"$cc" -O2 "$tree/samples/$sample/$sample.c" -o "$sample" -lm
"./$sample" "${arguments[@]}" --output undisturbed >reference.txt

# A model may be of several arrays.
same_model() {
    local file
    for file in undisturbed*; do
        cmp "$file" "result${file#undisturbed}" || return 1
    done
}

# Phases as runtime/base/heartbeat_format.h numbers them.
names=("loading" "inspection" "a pass" "a merge" "a checkpoint" "between passes" "the end")
strike() {
    local rank=$1 phase=$2 pass=$3 from took status=0
    rm -rf saved result*
    "$orrery" run -n "$ranks" --oversubscribe --threads 1 --checkpoint saved --max-restarts 3 -- "./$sample" \
        "${arguments[@]}" --output result >out 2>err &
    job=$!
    begun=$SECONDS
    "$tools/checkpoint-strike" saved "$rank" "$phase" "$pass" 9 || { until is_over; do sleep .01; done; wait $job; return 0; }
    from=$EPOCHREALTIME
    until grep -q 'starting again' err || is_over; do sleep .01; done
    took=$(awk -v a="$from" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }')
    until is_over; do sleep .01; done
    wait $job || status=$?
    [ $status = 0 ] || fail "rank $rank killed in ${names[$phase]}: status $status"
    same_model || fail "rank $rank killed in ${names[$phase]}: other bits"
    if grep -q 'starting again' err; then
        says err "orrery run: rank $rank on .*killed by signal 9"
        echo "rank $rank killed in ${names[$phase]}: started again after $took s"
        struck=$((struck + 1))
    fi
}

struck=0
strike 0 1 0
strike 0 2 3
strike 0 4 3
strike 1 5 3
least=3
# Where other ranks and other moments are no matter of the sample.
if [ "$sample" = mf ]; then
    strike 0 0 0
    strike 0 0 3
    strike 1 5 0
    strike 1 2 2
    least=6
fi
if [ "$sample" = slr ] || [ "$sample" = lda ]; then strike 1 3 2; fi
strike 0 6 0
[ $struck -ge $least ] || fail "only $struck ranks were killed"
