#!/bin/bash
# orrery_random() gives Random123's numbers under cc and in a parallel loop.
# usage: random.sh BIN INCLUDE
. "$(dirname "$0")/../lib.sh"
bin=$1 include=$2

for standard in c99 c11 gnu17; do
    cc -std=$standard -Wall -Wextra -Wpedantic -Werror -I "$include" "$tree/tests/programs/samples/random.c" -o "$work/plain"
done
cc -std=c89 -Wall -Wextra -Werror -I "$include" -fsyntax-only -x c - <<< '#include <orrery.h>'
"$bin/orrery-cc" -Werror=serial -O2 "$tree/tests/programs/samples/random.c" -o "$work/parallel"
"$work/plain" > "$work/want"
ORRERY_THREADS=3 "$work/parallel" > "$work/have"
cmp "$work/want" "$work/have"
# Random123, tests/kat_vectors: philox4x32 10, counter 0, key 0: 6627e8d5 e169c58d ...
grep -q '^e169c58d6627e8d5 ' "$work/want" || { cat "$work/want"; exit 1; }
