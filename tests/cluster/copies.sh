#!/bin/bash
# What all ranks only read is there once on a host beside rank 0's own: as the kernel counts it, with the bits of one
# rank, also when a rank is killed; and nothing is left behind.
# shellcheck source=tests/cluster/hosts.sh
. "$(dirname "$0")/hosts.sh"
cluster 2
mount -t tmpfs tmpfs /dev/shm # of this test alone
sed -i 's/slots=8/slots=3/' "$hostfile"
cd "$work"
"$cc" -O2 -Werror=serial "$here/copies.c" -o copies
touch go end
ORRERY_THREADS=1 ./copies 2000000 6 >want
rm -f go ready end freed

run() {
    on 0 "$orrery" run -n 6 --hostfile "$hostfile" --threads 1 --timeout 200 "$@"
}

# Small tables in many layouts: pages of the host that somebody writes are his own.
ORRERY_THREADS=1 ./copies 30011 8 >small
for debug in torture=3 torture=5 shared=0; do
    ORRERY_DEBUG=$debug run ./copies 30011 8 >out 2>err || fail "$debug"
    cmp -s small out || fail "$debug: other lines"
done

# mapped: kB of files that ranks share, as all of them have mapped them
mapped() {
    local process
    for process in $(pgrep -x copies); do cat "/proc/$process/smaps"; done |
        awk '/^[0-9a-f]+-[0-9a-f]+ / { is = /memfd:orrery-view/ } is && /^Size:/ { n += $2 } END { print n + 0 }'
}

# proportional SIGNAL ENVIRONMENT ...: starts it, and adds up what its ranks have when they all have read two tables of
# 8 MB, in kB, pages of several by their share (proc(5), Pss). Then a rank gets the signal, or they go on. `both`, `left`:
# what is mapped then, and when the tables are free.
proportional() {
    local signal=$1 process
    shift
    rm -f go ready end freed
    env "$@" bash -c 'on "$@"' bash 0 "$orrery" run -n 6 --hostfile "$hostfile" --threads 1 --timeout 200 \
        ./copies 2000000 6 >out 2>err &
    job=$!
    until [ -e ready ]; do kill -0 $job || fail "it ended"; sleep .05; done
    sum=$(for process in $(pgrep -x copies); do cat "/proc/$process/smaps_rollup"; done | awk '/^Pss:/ { n += $2 } END { print n }')
    both=$(mapped)
    if [ "$signal" != 0 ]; then
        kill -"$signal" "$(pgrep -x copies | sed -n 3p)"
    else
        touch go
        until [ -e freed ]; do kill -0 $job || fail "it ended"; sleep .05; done
        left=$(mapped)
        touch end
    fi
    status=0
    wait $job || status=$?
}

proportional 0 ORRERY_DEBUG=shared=0
own=$sum
cmp -s want out || fail "own pages: other lines"
proportional 0 ORRERY_STATS=0
cmp -s want out || fail "other lines"
# Five ranks above 0 have two copies: of two tables and of the static one that is 55 MB less.
echo "own pages $own kB, one copy per host $sum kB"
[ "$sum" -lt $((own - 45000)) ] || fail "ranks of a host do not share what they read"
# Five ranks have mapped the static table, of 2,344 kB, and before two of 7,813 kB.
[ "$both" -gt 85000 ] && [ "$left" -lt 15000 ] || fail "mapped $both kB, and $left kB when the tables are free"
proportional 0 ORRERY_MEMORY=60
cmp -s want out || fail "with a budget: other lines"
echo "with a budget $sum kB"
[ "$sum" -lt $((own - 45000)) ] || fail "ranks of a host do not share what they read, with a budget"
proportional 9 ORRERY_STATS=0
[ "$status" != 0 ] || fail "a rank was killed, and the job went on"
lacks . <(find /dev/shm -mindepth 1) || fail "that is left in /dev/shm: $(find /dev/shm -mindepth 1)"

# A budget counts a copy on every rank: half of what one needs is not enough.
export ORRERY_MEMORY=12
expect 1 run ./copies 4000000 1
says err 'ORR923[23]'
unset ORRERY_MEMORY

[ -e "$BIN/../lib/orrery/liborrery-hdf5.so" ] || { echo "no HDF5, no checkpoints"; exit 0; }
rm -rf saved go ready end freed
bash -c 'on "$@"' bash 0 "$orrery" run -n 6 --hostfile "$hostfile" --threads 1 --timeout 200 --checkpoint saved \
    --max-restarts 1 -- ./copies 2000000 6 >out 2>err &
job=$!
until [ -e ready ]; do kill -0 $job || fail "it ended"; sleep .05; done
touch go end
kill -9 "$(pgrep -x copies | sed -n 3p)"
wait $job || fail "it was not started again"
says err 'starting again'
[ "$(tail -n 3 want)" = "$(tail -n 3 out)" ] || fail "started again: other lines"
