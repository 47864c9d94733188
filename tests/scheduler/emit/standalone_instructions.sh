#!/bin/bash
# standalone_instructions.sh BINDIR SOURCE BUILD: samples as files that stand alone need at most a ninth more
# instructions on one thread than orrery-cc's programs, with the same results: iterations in lanes (kmeans), bodies made
# for their sizes and rows behind tables (mf_rows), merges (fm). Counted by valgrind.
. "$(dirname "$0")/../../lib.sh"

bin=$1 source=$2 build=$3 data=$3/samples/data
command -v valgrind >"$work/found" || { echo "no valgrind" && exit 77; }
grep -q '^ORRERY_SANITIZE:STRING=.' "$build/CMakeCache.txt" && echo "not with a sanitizer" && exit 77
[ "$(uname -m)" = x86_64 ] || { echo "not on this machine" && exit 77; }

head -1500 "$data/covtype20k.csv" >"$work/rows.csv"
head -2000 "$data/a9a" >"$work/examples"
{ sed -n 1,3p "$data/names.mtx" && sed -n 4p "$data/names.mtx" | sed 's/[0-9]*$/40000/' && sed -n 5,40004p "$data/names.mtx"; } >"$work/ratings.mtx"

# instructions PROGRAM ARGUMENT...: their number
instructions() {
    ORRERY_THREADS=1 OMP_NUM_THREADS=1 valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file="$work/counts" \
        "$@" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2 && fail "$*: status $?"; }
    sed 's/  *[0-9.]* s.*//' "$work/out" >"$1.out"
    sed -n 's/.*I *refs: *//p' "$work/err" | tr -d ,
}

# compare FILE ARGUMENT...
compare() {
    local flags="-O3 -march=x86-64-v3 -ffp-contract=off" name library alone
    name=$(basename "$1" .c)
    # shellcheck disable=SC2086
    "$bin/orrery-cc" $flags -I "$source/include" "$source/samples/$1" -o "$work/library" -L "$build/lib" -lorrery-load -lm &&
        "$bin/orrery" emit --openmp $flags -I "$source/include" "$source/samples/$1" -o "$work/alone.c" &&
        gcc $flags -fopenmp -Wno-unknown-pragmas -iquote "$(dirname "$source/samples/$1")" -I "$source/include" \
            "$work/alone.c" -o "$work/alone" -L "$build/lib" -lorrery-load -lm || fail "$name: not built"
    library=$(instructions "$work/library" "${@:2}") alone=$(instructions "$work/alone" "${@:2}")
    cmp "$work/library.out" "$work/alone.out" || fail "$name: other results"
    echo "$name: library $library, alone $alone"
    [ $((alone * 9)) -le $((library * 10)) ] || fail "$name: $alone instructions, orrery-cc's program $library"
}

compare kmeans/kmeans.c --label --clusters 32 --iterations 4 "$work/rows.csv"
compare fm/fm.c --epochs 4 "$work/examples"
compare mf/mf_rows.c --rank 16 --epochs 24 "$work/ratings.mtx"
