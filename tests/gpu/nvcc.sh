#!/bin/bash
# nvcc.sh BINDIR PROGRAM.c...: nvcc takes every kernel of the programs without a warning.
set -eu
bin=$1
shift
nvcc=${ORRERY_NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for program in "$@"; do
    name=$(basename "$program" .c)
    "$bin/orrery" emit -target gpu --kernels "$dir/$name.cu" -o "$dir/$name.c" "$program"
    "$nvcc" -std=c++17 -arch=sm_90 -cubin -Werror all-warnings -fmad=false -I "$bin/../lib/orrery/include" \
        "$dir/$name.cu" -o "$dir/$name.cubin" || { echo "$name: nvcc refuses its kernels" >&2; exit 1; }
done
