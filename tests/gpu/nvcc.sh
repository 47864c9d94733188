#!/bin/bash
# nvcc.sh BINDIR PROGRAM.c...: nvcc takes every kernel of the programs without a warning, for sm_80 and sm_90, of one
# intermediate code (gpu.run builds with the flags of orrery-cc). A loop that cannot run on a GPU leaves its program
# out, unless the program is named without `?`.
. "$(dirname "$0")/../lib.sh"
bin=$1
shift
nvcc=${ORRERY_NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || exit 77
dir=$work
for program in "$@"; do
    may=${program#\?}
    name=$(basename "$may" .c)
    if ! "$bin/orrery" emit -target gpu --kernels "$dir/$name.cu" -o "$dir/$name.c" "$may" 2>"$dir/said"; then
        [ "$may" != "$program" ] || { cat "$dir/said" >&2; exit 1; }
        grep -q 'ORR24[67][0-9]' "$dir/said" || { cat "$dir/said" >&2; exit 1; }
        echo "$name: $(grep -c 'error:' "$dir/said") loops are not for a GPU"
    fi
    [ -s "$dir/$name.cu" ] || continue
    "$nvcc" -std=c++17 -fatbin -gencode 'arch=compute_80,code=[sm_80,sm_90]' \
        -Werror all-warnings -fmad=false -I "$bin/../lib/orrery/include" "$dir/$name.cu" -o "$dir/$name.fatbin" ||
        { echo "$name: nvcc refuses its kernels" >&2; exit 1; }
done
# What a lane takes four of is loaded and stored by 16 bytes.
if [ -s "$dir/mf.cu" ]; then
    "$nvcc" -std=c++17 -ptx -arch=sm_90 -I "$bin/../lib/orrery/include" "$dir/mf.cu" -o "$dir/mf.ptx"
    for access in ld st; do
        grep -q "${access}[.a-z]*\.v4\.[a-z]*32" "$dir/mf.ptx" || { echo "mf: no $access of 16 bytes" >&2; exit 1; }
    done
    # Other blocks write what a kernel reads: nothing comes by the read-only cache.
    ! grep -q 'ld\.global\.nc' "$dir/mf.ptx" || { echo "mf: loads by the read-only cache" >&2; exit 1; }
    # Rows that are kept are in registers.
    ! grep -q '\.local' "$dir/mf.ptx" || { echo "mf: its rows are in memory" >&2; exit 1; }
fi
