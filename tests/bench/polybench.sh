#!/bin/bash
# PolyBench/C 4.2.1 (not in this tree): which loops of its 30 kernels are parallel as they stand,
# for orrery, gcc and, where clang has it, Polly. Columns: outermost loops of the kernel that are
# parallel of all outermost ones; all loops that are parallel of all; loops gcc parallelizes, loops
# Polly makes a function of and loops Pluto writes OpenMP for (after transformations of their own); the
# strategies of the loops Orrery runs in parallel where it is asked to by a pragma. SAME=1 also builds the
# kernels with those pragmas and compares what they print with the serial kernels (two threads, MEDIUM).
# usage: polybench.sh DIR [BIN]   (DIR: PolyBench's folder; BIN: folder of orrery)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ ! -f "${1:-}/utilities/polybench.h" ]; then
    sed -n '2,11s/^# //p' "$0" >&2
    exit 2
fi
dir=$1 bin=${2:-$here/../../build/bin}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# "parallel outermost", "outermost", "parallel", "all" of the kernel's loops.
by_orrery() {
    "$bin/orrery" analyze --all --format=json -I "$dir/utilities" "$1" > "$work/json" 2> "$work/log" || true
    sed 's/{"file":/\n&/g' "$work/json" | awk '
        /"function":"kernel_/ {
            match($0, /"depth":[0-9]+/); depth = substr($0, RSTART + 8, RLENGTH - 8)
            parallel = /"verdict":"parallel"/
            ++all; good += parallel
            if (depth == 1) { ++outer; best += parallel }
        }
        END { print best + 0, outer + 0, good + 0, all + 0 }'
}

# Lines of the kernel, as a pattern for "line:" of a message.
kernel_lines() {
    awk '/^void kernel_/ { on = 1 } on { print NR } on && /^}/ { exit }' "$1" > "$work/lines"
}

by_gcc() {
    gcc -O3 -ftree-parallelize-loops=2 -fopt-info-loop "${@:2}" -DPOLYBENCH_USE_RESTRICT -Dstatic= -I "$dir/utilities" -w -c "$1" \
        -o "$work/out.o" 2>&1 | sed -n 's/.*\.c:\([0-9]*\):.*parallelizing.*/\1/p' | sort -u |
        grep -cxF -f "$work/lines" || true
}

by_polly() {
    timeout 300 clang-19 -O3 -w -mllvm -polly -mllvm -polly-parallel -DPOLYBENCH_USE_RESTRICT -Dstatic= \
        -I "$dir/utilities" -S -emit-llvm "$1" -o "$work/out.ll" > "$work/log" 2>&1 || { echo -; return; }
    grep -c 'define.*@kernel_.*polly_subfn' "$work/out.ll" || true
}

# Pluto takes what stands between #pragma scop; what it cannot read is said as "no".
by_pluto() {
    command -v polycc > "$work/found" || { echo -; return; }
    cp "$1" "$work/pluto.c"
    (cd "$work" && timeout 300 polycc --parallel --silent pluto.c -o pluto.out.c) > "$work/log" 2>&1 || { echo no; return; }
    grep -c '#pragma omp parallel' "$work/pluto.out.c" || true
}

marked() {
    command -v python3 > "$work/found" || { echo -; return; }
    cp "$(dirname "$1")"/*.h "$work"
    python3 "$here/polybench_mark.py" "$bin/orrery" "$dir/utilities" "$1" "$work/marked.c" | tr ' ' '\n' | sort | uniq -c |
        awk '{ printf "%s%s%s", sep, $2, ($1 > 1 ? " x" $1 : ""); sep = "," }'
}

# Whether the marked kernel prints what the serial one does: "same", or the number of lines that differ.
same() {
    local flags=(-O2 -ffp-contract=off -w -DMEDIUM_DATASET -DPOLYBENCH_DUMP_ARRAYS -I "$dir/utilities" "$dir/utilities/polybench.c")
    gcc "$1" "${flags[@]}" -I "$(dirname "$1")" -o "$work/serial" -lm 2> "$work/log" || { echo -; return; }
    "$bin/orrery-cc" "$work/marked.c" "${flags[@]}" -o "$work/parallel" -lm 2> "$work/log" || { echo failed; return; }
    "$work/serial" > "$work/a" 2> "$work/expected"
    ORRERY_THREADS=2 "$work/parallel" > "$work/b" 2> "$work/actual" || { echo "status $?"; return; }
    diff "$work/expected" "$work/actual" | grep -c '^<' | sed 's/^0$/same/'
}

printf '%-16s%10s%10s%8s%10s%8s%8s  %s\n' kernel outermost loops gcc graphite polly pluto marked
find "$dir" -path "$dir/utilities" -prune -o -name '*.c' -print | sort | while read -r file; do
    read -r best outer good all <<< "$(by_orrery "$file")"
    kernel_lines "$file"
    strategies=$(marked "$file")
    [ -z "${SAME-}" ] || strategies="$strategies: $(same "$file")"
    printf '%-16s%10s%10s%8s%10s%8s%8s  %s\n' "$(basename "$file" .c)" "$best/$outer" "$good/$all" "$(by_gcc "$file")" \
        "$(by_gcc "$file" -floop-parallelize-all -fgraphite-identity)" "$(by_polly "$file")" "$(by_pluto "$file")" "$strategies"
done
