#!/bin/bash
# Which of the loops of tests/bench/features each installed tool runs in parallel. Tools that are
# not there have a column of dashes. For every tool only its own words and its own output count.
# usage: features.sh [BIN]   (BIN: folder of orrery)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=${1:-$here/../../build/bin}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

by_orrery() {
    "$bin/orrery" analyze --all --format=json "$1" |
        sed -n 's/.*"depth":1,[^{]*"strategy":"\([a-z0-9-]*\)".*/\1/p'
}

by_gcc() {
    command -v gcc > "$work/which" || { echo -; return; }
    local line
    line=$(grep -n 'for (long i' "${!#}" | cut -d: -f1)
    gcc -O3 -ftree-parallelize-loops=2 -fopt-info-loop "$@" -w -c -o "$work/out.o" 2>&1 |
        grep -q ":$line:.*parallelizing" && echo parallel || echo serial
}

by_polly() {
    echo 'void f(void) {}' > "$work/empty.c"
    clang-19 -mllvm -polly -c "$work/empty.c" -o "$work/out.o" 2> "$work/log" || { echo -; return; }
    local line
    line=$(grep -n 'for (long i' "$1" | cut -d: -f1)
    timeout 300 clang-19 -O3 -w -Rpass-analysis=polly-scops -mllvm -polly -mllvm -polly-parallel -mllvm -polly-process-unprofitable \
        -mllvm -polly-parallel-force -S -emit-llvm "$1" -o "$work/out.ll" 2> "$work/log" || { echo failed; return; }
    grep -q 'define.*polly_subfn' "$work/out.ll" &&
        grep -q ":$line:.*SCoP begins here" "$work/log" && echo parallel || echo serial
}

# Pluto reads the loop between pragmas, through libpet; it takes all arrays for distinct.
by_pluto() {
    command -v polycc > "$work/which" || { echo -; return; }
    awk '/for \(long i/ && !on { print "#pragma scop"; on = 1 } on && /^}/ { print "#pragma endscop"; on = 0 } { print }' \
        "$1" > "$work/pluto.c"
    (cd "$work" && timeout 300 polycc --pet --parallel --silent pluto.c -o pluto.out.c) > "$work/log" 2>&1 || { echo refused; return; }
    grep -q '#pragma omp parallel' "$work/pluto.out.c" && echo parallel || echo serial
}

# Cetus as it is ($2 empty) or told that pointers do not overlap; only what it says of the outer loop.
by_cetus() {
    command -v cetus > "$work/which" || { echo -; return; }
    cp "$1" "$work/cetus.c"
    (cd "$work" && timeout 300 cetus -parallelize-loops=2 -reduction=2 -privatize=2 -ompGen=1 -profitable-omp=0 ${2:+"$2"} cetus.c) \
        > "$work/log" 2>&1 || { echo failed; return; }
    grep -A 1 '#pragma omp parallel' "$work/cetus_output/cetus.c" | grep -q 'for (i=' && echo parallel || echo serial
}

line='%-16s%-16s%-12s%-12s%-12s%-12s%-12s%-12s\n'
# shellcheck disable=SC2059
printf "$line" loop orrery gcc graphite polly pluto cetus cetus-noalias
for file in "$here"/features/*.c; do
    # shellcheck disable=SC2059
    printf "$line" "$(basename "$file" .c)" "$(by_orrery "$file" | head -1)" \
        "$(by_gcc "$file")" "$(by_gcc -floop-parallelize-all -fgraphite-identity "$file")" "$(by_polly "$file")" \
        "$(by_pluto "$file")" "$(by_cetus "$file" '')" "$(by_cetus "$file" -alias=2)"
done
