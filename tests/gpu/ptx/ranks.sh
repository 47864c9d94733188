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
PTX_TRACE=trace ./rotation 5 40 300 >one 2>err || fail "status $?"
run || fail "status $? on two ranks"
cmp one out || fail "other output on two ranks"

# Only the kernels that run are translated again, and take the others' place.
awk 'FILENAME == "trace" { ran[$1] = 1; next } /\.entry/ { kernel = $3 } FNR in ran { used[kernel] = 1 }
    END { for (kernel in used) print kernel }' trace rotation.ptx >used
awk 'FILENAME == "used" { used[$1] = 1; next } /\.entry/ { left = !($3 in used) } !left { print } /^}/ { left = 0 }' \
    used rotation.ptx >used.ptx
objcopy --weaken rotation.o

# found WEAKER: what sed makes of the PTX
found() {
    sed "$1" used.ptx >weaker.ptx
    ! cmp -s used.ptx weaker.ptx || fail "nothing is changed: $1"
    ptx_object weaker
    ptx_link rotation weaker.o
    ! run || fail "not found: $1"
    says err 'a race: '
}
found 's/ld\.acquire\.sys/ld.relaxed.sys/'
found 's/ld\.acquire\.sys/ld.acquire.gpu/'
found 's/membar\.sys;//; s/st\.release\.sys/st.relaxed.sys/'
