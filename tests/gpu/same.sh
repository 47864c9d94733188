#!/bin/bash
# same.sh BINDIR: the same kernels, byte for byte, whenever they are printed: nothing in them comes from an
# address. Programs with types that have no name.
. "$(dirname "$0")/../lib.sh"
bin=$1
dir=$work

for program in emit/wave_sums shapes/pagerank_push; do
    for run in 1 2 3; do
        "$bin/orrery" emit -target gpu --kernels "$dir/$run.cu" -o "$dir/$run.c" "$here/../programs/$program.c" 2>/dev/null
        cmp "$dir/1.cu" "$dir/$run.cu" && cmp "$dir/1.c" "$dir/$run.c"
    done
    grep -q 'orrery_type_0 {' "$dir/1.cu" || { echo "same: $program has no type without a name" >&2; exit 1; }
done
