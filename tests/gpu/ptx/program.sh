#!/bin/bash
# program.sh BINDIR PROGRAM.c [arguments], program.sh BINDIR sample NAME: nvcc's PTX of all its kernels, executed by machine.c.
# With serial sums it has the bits of the serial loop replayed; with sums by tree those of the kernels' C text on the host.
. "$(dirname "$0")/../../lib.sh"
bin=$1 program=$2 also=()
shift 2
cd "$work"
. "$here/build.sh"
if [ "$program" = sample ]; then
    . "$here/../sample_data.sh"
    sample_data "$tree" "$1"
    program=$sample
    set -- "${arguments[@]}"
fi
name=$(basename "$program" .c)
# A sample that is refused is gpu.sample_NAME's.
row=$(grep "^| \`$name\` | yes |" "$tree/samples/README.md" || true)
[[ $row != *ORR24* ]] || { echo "it does not run on a GPU"; exit 0; }
ptx_machine
ptx_emit "$program" "$name"
# One program has all its kernels.
[ "$name" = kept ] || ptx_narrow "$program" "$name" "$*" "${also[@]/%/ $*}"
ptx_compile "$name"
ptx_main "$program" "$name"
ptx_object "$name"
ptx_link "$name"
ptx_accepted "$name"

# What a lane takes four of is loaded and stored by 16 bytes; other blocks write what a kernel reads, so nothing comes by the
# read-only cache; rows that are kept are in registers.
if [ "$name" = mf ]; then
    says mf.ptx 'ld[.a-z]*\.v4\.[a-z]*32' 'st[.a-z]*\.v4\.[a-z]*32'
    lacks -E 'ld\.global\.nc|\.local' mf.ptx || fail "mf: loads by the read-only cache, or its rows are in memory"
fi

# record TO SETTINGS... : a run, all of whose arrays are in TO
record() {
    local to=$1
    shift
    env MALLOC_PERTURB_=255 ORRERY_VERIFY="$to" "$@" timeout 300 "./$name" "${args[@]}" >out 2>err </dev/null ||
        fail "status $?: $*"
}

check() {
    args=("$@")
    record replay ORRERY_REPLAY=forward
    record serial ORRERY_DEBUG=gpu_sums=serial,gpu_shuffle=1 PTX_TRACE=traced
    cmp replay serial || fail "serial sums: other bits than the serial loop's"
    cat traced >>trace
    record host PTX_KERNELS=host
    for seed in 2 3; do
        record tree ORRERY_DEBUG=gpu_blocks=3,gpu_shuffle=$seed
        cmp host tree || fail "sums by tree, gpu_shuffle=$seed: other bits than on the host"
    done
}
check "$@"
for option in "${also[@]}"; do check "$option" "$@"; done

# Every loop's kernels ran, that of its copies, too; those for rows in registers are of other widths.
awk 'FILENAME == "trace" { ran[$1] = 1; next }
    /\.entry/ { kernel = $3 }
    FNR in ran { delete never[kernel]; seen[kernel] = 1 }
    !(kernel in seen) && kernel ~ /_(entry|copies)\($/ { never[kernel] = 1 }
    END { for (kernel in never) print kernel, "did not run" }' trace "$name.ptx" >never
[ ! -s never ] || fail "$(cat never)"
