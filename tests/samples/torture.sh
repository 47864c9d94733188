#!/bin/bash
# Messages that start late and are seen late, and blocks that begin late (ORRERY_TORTURE): the models
# of the samples have the bits of an untroubled run, on threads and on ranks.
. "$(dirname "$0")/common.sh"
make_small
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ORRERY_SERVE=always

options_of() {
    case $1 in
    mf) echo "--rank 8 --epochs 2 $small" ;;
    slr) echo "--examples 2000 --features 20000 --epochs 2 --quiet" ;;
    embed) echo "--epochs 2 --nodes 1000 --edges 8000 --communities 10 --rank 8 --quiet" ;;
    esac
}

seed=0
for name in mf slr embed; do
    "$orrery_cc" -O2 -I"$source/samples/common" "$source/samples/$name/$name.c" -o "$work/$name" -lm ||
        fail "$name does not build"
    # shellcheck disable=SC2046
    set -- $(options_of $name)
    ORRERY_THREADS=1 "$work/$name" --output "$work/expected" "$@" > "$work/out" || fail "$name"
    [ $name = mf ] || one_file "$work/expected"
    for setting in "1 1" "1 4" "2 2" "3 1" "4 1"; do
        read -r ranks threads <<< "$setting"
        seed=$((seed + 1))
        rm -f "$work/model"
        ORRERY_TORTURE=$seed timeout -k 2 100 "$orrery" run -n "$ranks" --threads "$threads" -- \
            "$work/$name" --output "$work/model" "$@" > "$work/out" 2> "$work/err" ||
            { cat "$work/err"; fail "$name on $ranks ranks of $threads threads, seed $seed"; }
        [ $name = mf ] || one_file "$work/model"
        cmp "$work/expected" "$work/model" || fail "$name: other bits on $ranks ranks of $threads threads, seed $seed"
    done
done
