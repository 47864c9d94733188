#!/bin/bash
# A run whose memory goes to files is saved, killed and goes on, on one rank and on several, with the same bits.
. "$(dirname "$0")/lib.sh"
mkdir scratch
"$cc" -O2 -Werror=serial "$tree/tests/programs/checkpoint/spill.c" -o spill -lm
export ORRERY_THREADS=1

# goes ENVIRONMENT USERS RANKS RANKS: it is killed in the third of four passes on some ranks, and goes on, on others (0: one
# process).
goes() {
    local ranks
    rm -rf saved out.* got
    ./spill "$2" 4 got >out.whole
    mv got want
    for ranks in "$3" "$4"; do
        local how=("$orrery" run --spill scratch --checkpoint saved --timeout 150)
        [ "$ranks" = 0 ] || how+=(-n "$ranks" --oversubscribe --threads 1)
        [ -e out.half ] && export DIE=-1 || export DIE=2
        env "$1" ORRERY_STATS=1 "${how[@]}" ./spill "$2" 4 got >out.half 2>err || [ $DIE = 2 ] || fail "$*: does not go on"
    done
    unset DIE
    says err 'going on from .*saved/checkpoint-00000002.h5'
    says err 'spill .* evicted-mb'
    cmp -s want got || fail "$*: another file"
    [ "$(tail -n 2 out.whole)" = "$(cat out.half)" ] || fail "$*: other lines: $(cat out.half)"
}
goes ORRERY_DEBUG=evict=1 6000 0 0
goes ORRERY_MEMORY=16 100000 0 0
command -v mpiexec >/dev/null || exit 0
goes ORRERY_DEBUG=evict=1 3000 2 3
# What grows by realloc is needed whole on rank 0 where several run.
goes ORRERY_MEMORY=60 100000 2 0
goes ORRERY_MEMORY=60 100000 0 2
