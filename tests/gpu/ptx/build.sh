# Sourced by tests of PTX: kernels go through nvcc and translate.py and are linked with machine.c. What nvcc and the
# compiler made is kept in $PTX_CACHE (CMake's build tree), by the hash of what it was made of.
#   bin   where orrery is
nvcc=${ORRERY_NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "skipped: there is no nvcc"; exit 77; }
need python3
ptx=$tree/tests/gpu/ptx
include=$bin/../lib/orrery/include
cache=${PTX_CACHE:-$work/cache}
mkdir -p "$cache"
find "$cache" -type f -mtime +14 -delete

# made OUTPUT WORD... : FILE... : COMMAND...: the command, which writes to `made` of this folder, where the output of these
# words and files is not there yet.
made() {
    local output=$1 key words=() files=()
    shift
    while [ "$1" != : ]; do words+=("$1") && shift; done
    shift
    while [ "$1" != : ]; do files+=("$1") && shift; done
    shift
    key=$cache/$({ echo "${words[@]}"; cat "${files[@]}"; } | sha256sum | cut -c1-32)
    if [ ! -e "$key" ]; then
        "$@" >log 2>&1 || fail "it is not built: $*"
        mv made "$key.$$" && mv "$key.$$" "$key"
    fi
    touch "$key"
    cp "$key" "$output"
}

# The program's own memory has hooks; this is none of it.
machine_flags=(-O3 -g -Wall -Wextra -Werror -Dcalloc=__libc_calloc -Drealloc=__libc_realloc -Dfree=__libc_free
    -Daligned_alloc=__libc_memalign -Ddsm_fail=orrery_for_dsm_fail -I"$tree" -I"$tree/include")
machine_make() {
    local file
    for file in "$ptx/machine" "$ptx/order" "$tree/runtime/device/fiber"; do
        gcc "${machine_flags[@]}" -c "$file.c" -o "$(basename "$file").part.o" || return 1
    done
    ld -r ./*.part.o -o made
}

# ptx_machine: machine.o, for all programs
ptx_machine() {
    made machine.o "${machine_flags[@]}" : "$ptx"/*.[ch] "$tree"/runtime/device/*.[ch] "$tree"/runtime/orrery_device.h : machine_make
}

# ptx_emit FILE.c NAME [options]: NAME.c and NAME.cu
ptx_emit() {
    "$bin/orrery" emit -target gpu --kernels "$2.cu" -o "$2.c" "${@:3}" "$1" 2>said || fail "$2 is not emitted"
}

# ptx_compile NAME: NAME.ptx as orrery-cc has it made, but for calls of mathematical functions; no warning is said.
ptx_compile() {
    local flags=(-O3 -std=c++17 -arch=compute_80 -fmad=false -rdc=true -Werror all-warnings -ptx)
    printf '#include "%s"\n#include "%s"\n' "$ptx/math.cuh" "$1.cu" >"$1.math.cu"
    made "$1.ptx" "${flags[@]}" "$("$nvcc" --version | tail -n 1)" : "$1.cu" "$ptx/math.cuh" "$include"/orrery_device*.h "$include"/*.def : \
        "$nvcc" "${flags[@]}" -I "$include" -I . "$1.math.cu" -o made
}

# ptx_accepted NAME: the assembler takes NAME.ptx for sm_80, and nvcc CUDA's own mathematical functions, without a warning.
# What is assembled for sm_80 is so for sm_90; gpu.run does both as orrery-cc has it done, which optimizes.
ptx_accepted() {
    local assembler flags=(-std=c++17 -arch=sm_80 -fmad=false -rdc=true -Werror all-warnings -Xptxas -O0 -fatbin)
    assembler=$(dirname "$(readlink -f "$nvcc")")/ptxas
    made "$1.cubin" ptxas -O0 : "$1.ptx" : "$assembler" -c -O0 -Werror -arch=sm_80 "$1.ptx" -o made
    ! grep -q 'call.*orrery_host_' "$1.ptx" ||
        made "$1.fatbin" "${flags[@]}" : "$1.ptx" "$1.cu" : "$nvcc" "${flags[@]}" -I "$include" "$1.cu" -o made
}

# ptx_object NAME: NAME.o, of NAME.ptx
ptx_object() {
    local flags=(-w -fno-pie -ffp-contract=off -std=gnu17)
    python3 "$ptx/translate.py" "$1.ptx" >"$1.ptx.c" 2>log || fail "$1 is not translated"
    # The compiler takes longer than a long kernel runs.
    [ "$(wc -l <"$1.ptx.c")" -gt 4000 ] || flags+=(-O1)
    made "$1.o" "${flags[@]}" : "$1.ptx.c" "$ptx/ptx.h" : gcc "${flags[@]}" -I"$ptx" -c "$1.ptx.c" -o made
}

# ptx_main FILE.c NAME: NAME.main.o, all but the translated kernels
ptx_main() {
    local flags=(-O0 -w -fno-pie -ffp-contract=off -std=gnu17 -D__ORRERY__=1 -DORRERY_CONTRACTION=0 -Dorrery_device_host=orrery_device_ptx)
    python3 "$ptx/translate.py" --table "$2.ptx" "$2.cu" >"$2.table.c" 2>log || fail "$2 is not translated"
    [ -e "$2.plain.o" ] || gcc "${flags[@]}" -I"$include" -iquote "$(dirname "$1")" -c "$2.c" -o "$2.plain.o" 2>log || fail "$2 is not built"
    gcc "${flags[@]}" -I"$include" -I"$ptx" -I. -c "$2.table.c" -o "$2.table.o" 2>log || fail "$2's table is not built"
    ld -r "$2.plain.o" "$2.table.o" machine.o -o "$2.main.o"
}

# ptx_narrow FILE.c NAME 'ARGUMENTS' ... : kernels for rows in registers are the same text for six widths: NAME.cu keeps those
# that are launched when the program runs with these arguments on the host.
ptx_narrow() {
    local arguments
    grep -q '^ORRERY_ENTRY' "$2.cu" || return 0
    : >"$2.ptx"
    ptx_main "$1" "$2"
    "$bin/orrery-cc" "$2.main.o" -o "$2.host" -lm -pthread 2>log || fail "$2 is not linked"
    for arguments in "${@:3}"; do
        # shellcheck disable=SC2086
        PTX_KERNELS=host PTX_TRACE=at "./$2.host" $arguments >out 2>err </dev/null || fail "status $?: $arguments"
        cat at >>launched
    done
    nm "$2.host" | awk 'FILENAME == "launched" { launched[$1] = 1 } $1 in launched { print $3 }' launched - >kernels
    awk -F'[(,]' 'FILENAME == "kernels" { kept[$1] = 1; next }
        /^ORRERY_ENTRY/ && $2 !~ /_entry$/ && !($2 in kept) { gone[$2] = 1; next }
        { for (name in gone) gsub("\\(const void \\*\\)" name ",", "0,"); print }' kernels "$2.cu" >narrow
    mv narrow "$2.cu"
}

# ptx_link NAME OBJECT... : NAME, with these objects besides its own
ptx_link() {
    "$bin/orrery-cc" "$1.main.o" "$1.o" "${@:2}" -o "$1" -lm -pthread 2>log || fail "$1 is not linked"
}

# ptx_build FILE.c NAME [options]: the program NAME
ptx_build() {
    ptx_machine
    ptx_emit "$@"
    ptx_compile "$2"
    ptx_main "$1" "$2"
    ptx_object "$2"
    ptx_link "$2"
}
