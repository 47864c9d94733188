#!/bin/bash
# With --max-restarts: a rank is killed, then a host is cut off. The job names it, starts again from
# the newest checkpoint on what is left, with fewer ranks, and ends with the bits of an undisturbed run.
# shellcheck source=tests/cluster/hosts.sh
. "$(dirname "$0")/hosts.sh"
[ -e "$BIN/../lib/orrery/liborrery-hdf5.so" ] || { echo "no HDF5, no checkpoints"; exit 77; }
cluster 3
sed -i 's/slots=8/slots=1/' "$hostfile"
cd "$work"
"$cc" -O2 -I"$tree/samples/common" "$tree/samples/mf/mf.c" -o mf -lm
# A tenth of the ratings: what takes long is to find out who is lost.
zcat "$tree/samples/data/names.mtx.gz" | awk '/^%/ { print; next } !n++ { print $1, $2, 120000; next } n < 120002 { print; next } { exit }' >names.mtx
# Each pass is saved, however short it is.
export ORRERY_DEBUG=writer=0
arguments=(--rank 8 --epochs 200 names.mtx)
ORRERY_THREADS=1 ./mf "${arguments[@]}" --output undisturbed >reference.txt

# newest: the pass of the newest checkpoint, 0 without one. Older ones go as newer ones come.
newest() {
    find saved -name 'checkpoint-*.h5' 2>/dev/null | sort | sed -n '$s/.*checkpoint-0*\([0-9]*\)\.h5/\1/p' | grep . || echo 0
}

start() {
    rm -rf saved result
    timeout -k 2 300 bash -c 'on "$@"' bash 0 "$orrery" run -n 3 --hostfile "$hostfile" --threads 1 \
        --checkpoint saved --max-restarts 2 --timeout 280 -- ./mf "${arguments[@]}" --output result >out 2>err &
    job=$! begun=$EPOCHREALTIME
    while true; do
        if [ "$(newest)" -ge 4 ]; then
            from=$EPOCHREALTIME began=$EPOCHREALTIME
            return
        fi
        kill -0 $job 2>/dev/null || { cat out err; fail "the job ended before its fourth pass"; }
        sleep .02
    done
}

# again SECONDS WORDS: started again within so many seconds (and ten times what four passes took), said why, same bits
again() {
    local status=0 took
    until grep -q 'starting again' err || ! kill -0 $job 2>/dev/null; do sleep .02; done
    took=$(awk -v a="$from" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')
    until grep -q 'going on from' err || ! kill -0 $job 2>/dev/null; do sleep .02; done
    echo "started again after $took s, went on after $(awk -v a="$from" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }') s"
    wait "$job" || status=$?
    [ $status -eq 0 ] || { cat err; fail "status $status"; }
    grep -qE "$2" err || { cat err; fail "it does not say: $2"; }
    grep -q 'going on from' err || { cat err; fail "it began anew"; }
    awk -v took="$took" -v most="$1" -v a="$begun" -v b="$began" 'BEGIN { exit !(took < most + 10 * (b - a)) }' || fail "that took $took s"
    cmp undisturbed result || fail "other bits"
}

start
kill -9 "$(process_of 1 mf)"
again 30 'orrery run: rank [0-2] on .*, loop .*mf.c:[0-9]+, pass [0-9]+, clock [0-9]+, block .*killed by signal 9.*starting again \(1 of 2\)'

start
ip -n orrery-sw link set p1 down
again 30 'orrery run: host 10.77.0.2 is lost: rank [0-2] on orrery-h1, .*; starting again \(1 of 2\), on 2 ranks'
