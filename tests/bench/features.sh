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
    timeout 60 clang-19 -O3 -w -Rpass-analysis=polly-scops -mllvm -polly -mllvm -polly-parallel -mllvm -polly-process-unprofitable \
        -mllvm -polly-parallel-force -S -emit-llvm "$1" -o "$work/out.ll" 2> "$work/log" || { echo failed; return; }
    grep -q 'define.*polly_subfn' "$work/out.ll" &&
        grep -q ":$line:.*SCoP begins here" "$work/log" && echo parallel || echo serial
}

printf '%-16s%-16s%-12s%-12s%-12s\n' loop orrery gcc graphite polly
for file in "$here"/features/*.c; do
    printf '%-16s%-16s%-12s%-12s%-12s\n' "$(basename "$file" .c)" "$(by_orrery "$file" | head -1)" \
        "$(by_gcc "$file")" "$(by_gcc -floop-parallelize-all -fgraphite-identity "$file")" "$(by_polly "$file")"
done
