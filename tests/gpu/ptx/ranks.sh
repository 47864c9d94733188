#!/bin/bash
# ranks.sh BINDIR: a rotation's PTX on two ranks: the output of one. A flag between a kernel and the host that is weaker than
# it has to be is found.
. "$(dirname "$0")/../../lib.sh"
bin=$1
cd "$work"
. "$here/build.sh"
need mpirun
ptx_build "$tree/tests/programs/gpu/rotation.c" rotation

# run: on two ranks, in `out`
run() {
    timeout -k 2 200 "$bin/orrery" run -n 2 --oversubscribe ./rotation 5 40 300 >out 2>err </dev/null
}
./rotation 5 40 300 >one 2>err || fail "status $?"
run || fail "status $? on two ranks"
cmp one out || fail "other output on two ranks"

# found WEAKER: what sed makes of the PTX
found() {
    sed "$1" rotation.ptx >weaker.ptx
    ! cmp -s rotation.ptx weaker.ptx || fail "nothing is changed: $1"
    ptx_object weaker
    cp weaker.o rotation.o
    ptx_link rotation
    ! run || fail "not found: $1"
    says err 'a race: '
}
found 's/ld\.acquire\.sys/ld.relaxed.sys/'
found 's/ld\.acquire\.sys/ld.acquire.gpu/'
found 's/membar\.sys;//; s/st\.release\.sys/st.relaxed.sys/'
