#!/bin/bash
# A rank is killed, a host falls silent, while it computes and before its daemon is up, all but the launcher's do, a
# daemon cannot start: the job ends within seconds, not with status 0, and what is said names the rank, the host, or
# what is wrong there.
# shellcheck source=tests/cluster/hosts.sh
. "$(dirname "$0")/hosts.sh"
cluster 3
"$cc" -O2 -I"$tree/samples/common" "$tree/samples/mf/mf.c" -o "$work/mf" -lm

# A job that would run for minutes, some passes on its way.
start() {
    rm -f "$work/out"
    ranks 3 "$work/mf" --rank 16 --epochs 9000 "$BIN/../samples/data/names.mtx" >"$work/out" \
        2>"$work/err" &
    job=$! begun=$EPOCHREALTIME
    while kill -0 $job 2>/dev/null; do
        if grep -qs 'epoch *3' "$work/out"; then
            from=$EPOCHREALTIME
            return
        fi
        sleep .1
    done
    cat "$work/err"
    fail "it ends before its third pass"
}

# ends STATUS SECONDS WORDS: how the job ended. A busy machine gets ten times as long again as three passes took.
ends() {
    local status=0 took
    wait "$job" || status=$?
    took=$(awk -v a="$from" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')
    echo "status $status after $took s"
    grep -qE "$3" "$work/err" || { cat "$work/err"; fail "it does not say: $3"; }
    [ "$status" -eq "$1" ] || fail "status $status, not $1"
    awk -v took="$took" -v most="$2" -v a="$begun" -v b="$from" 'BEGIN { exit !(took < most + 10 * (b - a)) }' || fail "that took $took s"
    if pgrep -x mf >/dev/null; then fail "a rank lives on"; fi
}

start
kill -9 "$(process_of 1 mf)"
ends 137 30 '^orrery run: rank [0-2] on .*signal 9'

start
ip -n orrery-sw link set p1 down
ends 205 60 '^orrery run: host 10.77.0.2 is lost: rank [0-2] on orrery-h1'

# The launcher's own.
ip -n orrery-sw link set p1 up
start
ip -n orrery-sw link set p0 down
ends 205 60 '^orrery run: this host is cut off from all others'
ip -n orrery-sw link set p0 up
ip -n orrery-sw link set p1 down

# Before it is up: it hung for ever. Both ends give up: the daemon, or nobody has come up.
expect_cut() {
    status=0
    ranks 3 --patience 10 "$work/mf" --rank 16 --epochs 9000 "$BIN/../samples/data/names.mtx" >"$work/out" 2>"$work/err" || status=$?
    [ $status != 0 ] && [ $status != 124 ] || fail "cut off before it is up: status $status"
}
expect_cut
ip -n orrery-sw link set p1 up

rm -rf "$work/mpi/ompi.orrery-h1.0"
touch "$work/mpi/ompi.orrery-h1.0"
expect 213 ranks 3 "$work/mf" --rank 16 --epochs 9000 "$BIN/../samples/data/names.mtx"
says "$work/err" 'unable to create the desired directory' 'orrery-h1'
