#!/bin/bash
# Served arrays (docs/served.md) against the model of relaxed and buffered ones (relaxed/model.h), on
# ranks and threads; lists that have to be made anew and lists that
# must not be.
. "$(dirname "$0")/../../lib.sh"

build=${TREE_BUILD:?}
cc=$build/bin/orrery-cc

[ -e "$build/lib/liborrery-mpi.so" ] || ls "$build"/*/liborrery-mpi.so > /dev/null 2>&1 ||
    { echo "no MPI here"; exit 77; }

# FOLDER NAME ROWS ITERATIONS CLAUSES: builds it, the clauses in place of CLAUSES.
make() {
    sed "s/^\(#pragma.*\)CLAUSES/\1$5/" "$tree/tests/programs/$1/$2.c" > "$work/$2.c"
    "$cc" -O1 -Wall -Wextra -Werror=serial -ffp-contract=off "-DROWS=$3" -DSTEPS=0 \
        "-DITERATIONS=$4" -I "$tree/tests/programs/relaxed" "$work/$2.c" -o "$work/$2" -lm > "$work/said" 2>&1 ||
        { cat "$work/said" >&2; fail "$2 $5 does not build"; }
}

# NAME SERVE RANKS THREADS: as the model says, and as one rank does.
run() {
    found=$(ORRERY_DEBUG=serve=$2 ORRERY_STATS=1 timeout -k 2 300 "$build/bin/orrery" run -n "$3" \
        --threads "$4" "$work/$1" 2> "$work/err") ||
        { echo "$found"; cat "$work/err"; fail "$1 on $3 ranks of $4 threads, $2"; }
    [ "$found" = "${wanted:=$found}" ] || fail "$1: other bits on $3 ranks of $4 threads, $2"
}

# The lists of NAME's loop have been made so often on rank 0.
lists() {
    grep -q "$1.c:[0-9]* inspections $2 " "$work/err" ||
        { grep inspections "$work/err"; fail "$1: not $2 lists"; }
}

for setting in "13 0 grid(13, 1)" "16 20 sync(iterations=20)"; do
    read -r rows iterations clauses <<< "$setting"
    for name in served/changes served/rows relaxed/regression relaxed/dense relaxed/adagrad; do
        folder=$(dirname "$name") name=$(basename "$name") wanted=
        make "$folder" "$name" "$rows" "$iterations" "$clauses"
        run "$name" always 1 3
        [ "$rows" = 16 ] || run "$name" never 2 1
        run "$name" always 2 2
        case $name in
        changes) lists "$name" 8 ;;
        rows | regression) lists "$name" 1 ;;
        esac
        [ "$rows" = 13 ] || run "$name" always 3 1
        run "$name" always 4 2
    done
done
for name in changes rows; do
    make served $name 5 60 "grid(5, 1) sync(iterations=60)"
    wanted=
    run $name auto 1 1
    run $name always 3 1
done

# Loops around an element that call their variable alike: lists have names of their own.
make served names 13 20 "grid(13, 1) sync(iterations=20)"
wanted=
run names never 1 1
run names always 2 2
run names always 3 1
