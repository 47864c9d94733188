#!/bin/bash
# Samples on eight ranks of four hosts: the model has the bits that threads of one host give. On a rank of each host:
# cluster.bits.
# shellcheck source=tests/cluster/hosts.sh
. "$(dirname "$0")/hosts.sh"
cluster 4

data=$BIN/../samples/data
{ sed -n '1,3p' "$data/names.mtx"; sed -n 4p "$data/names.mtx" | sed 's/[0-9]*$/20000/'
    sed -n '5,20004p' "$data/names.mtx"; } >"$work/small.mtx"

options_of() {
    case $1 in
    mf) echo "--rank 12 --epochs 3 $work/small.mtx" ;;
    cp) echo "--epochs 3 --quiet $data/names.tns" ;;
    embed) echo "--epochs 3 --nodes 2000 --edges 20000 --communities 20 --rank 8 --quiet" ;;
    esac
}

# A model of several arrays as one file.
one_file() {
    [ -e "$1" ] || { cat "$1".*.npy >"$1" && rm "$1".*.npy; }
}

for name in mf cp embed; do
    "$cc" -O2 -I"$tree/samples/common" "$tree/samples/$name/$name.c" -o "$work/$name" -lm
    # shellcheck disable=SC2046
    set -- $(options_of $name)
    rm -f "$work/expected"
    ORRERY_THREADS=2 timeout 300 "$work/$name" --output "$work/expected" "$@" >"$work/out"
    one_file "$work/expected"
    # Two ranks of each host share pages, the others exchange messages: whole parts, or rows.
    for rotate in whole touched; do
        rm -f "$work/model"
        ORRERY_DEBUG=rotate=$rotate ranks 8 "$work/$name" --output "$work/model" "$@" >"$work/out" 2>"$work/err" ||
            { cat "$work/err"; fail "$name, 8 ranks on 4 hosts, $rotate: status $?"; }
        one_file "$work/model"
        cmp "$work/expected" "$work/model" || fail "$name, 8 ranks on 4 hosts, $rotate: another model"
        [ "$name" = mf ] || break
    done
done
