#!/bin/bash
# races.sh BINDIR: kernels under the race detector, to which every lane is a thread that meetings and flags alone put in
# order, exchanges do not: no lane reads what another writes without one. With the meetings taken out of a kernel it finds that.
. "$(dirname "$0")/../lib.sh"
bin=$1
include=$bin/../lib/orrery/include
dir=$work
cd "$dir"
export TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1 ORRERY_DEBUG=gpu_blocks=1

# build NAME: NAME and NAME.wrong
build() {
    flags="-O1 -g -w -fsanitize=thread -fno-pie -ffp-contract=off -std=gnu17 -I$include"
    "$bin/orrery" emit -target gpu --kernels "$1.cu" -o "$1.c" "$here/../programs/gpu/$1.c"
    # shellcheck disable=SC2086
    {
        gcc $flags -D__ORRERY__=1 -DORRERY_CONTRACTION=0 -c "$1.c" -o "$1.o"
        gcc $flags -x c -c "$1.cu" -o "$1.k.o"
        sed 's/^ *orrery_meet();$/;/' "$1.cu" | gcc $flags -x c -c - -o "$1.wrong.o"
    }
    "$bin/orrery-cc" "$1.o" "$1.k.o" -o "$1" -lm
    "$bin/orrery-cc" "$1.o" "$1.wrong.o" -o "$1.wrong" -lm
}

# check NAME [arguments]
check() {
    name=$1
    shift
    ORRERY_DEBUG=$ORRERY_DEBUG,gpu_shuffle=1 "./$name" "$@" >out 2>said || { cat said; echo "races: $name: status $?" >&2; exit 1; }
    ! "./$name.wrong" "$@" >out 2>said || { echo "races: $name runs without meetings" >&2; exit 1; }
    grep -q 'data race' said || { cat said; echo "races: $name without meetings is no race" >&2; exit 1; }
}
build rotation
check rotation 5 6 400
