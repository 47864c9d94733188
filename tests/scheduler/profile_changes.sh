#!/bin/bash
# profile_changes.sh BINDIR: what serial code changes between passes is in the profile, and the model counts the bytes
# that ranks then send each other, as the ranks themselves do.
. "$(dirname "$0")/../lib.sh"

bin=$1
dir=$work

cat > "$dir/a.c" << 'END'
#include <stdio.h>
#include <stdlib.h>
enum { N = 20000, M = 50000 };
int main(int argc, char **argv) {
    int passes = argc > 1 ? atoi(argv[1]) : 4;
    int *key = malloc(N * sizeof *key);
    double *table = malloc(M * sizeof *table), *steady = malloc(M * sizeof *steady), *y = calloc(N, sizeof *y);
    for (int i = 0; i < N; ++i)
        key[i] = (int)((long)i * 7919 % M);
    for (int i = 0; i < M; ++i)
        table[i] = steady[i] = i;
    for (int pass = 0; pass < passes; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < N; ++i)
            y[i] += table[key[i]] * 1e-6 + steady[key[i]];
        table[pass] += 1;
    }
    printf("%.17g\n", y[1] + y[N - 1]);
    free(key), free(table), free(steady), free(y);
    return 0;
}
END
"$bin/orrery-cc" -O1 -w -Werror=serial "$dir/a.c" -o "$dir/a" || fail "a.c is not compiled"
ORRERY_THREADS=1 ORRERY_PROFILE=$dir/profile "$dir/a" 6 > "$dir/one"
changed() {
    sed -n "s/.*\"name\": \"$1\".*\"changed_bytes\": \([0-9]*\).*/\1/p" "$dir/profile"
}
[ "$(changed table)" = 400000 ] || fail "table is changed before every pass: $(changed table) of 400000 bytes"
[ "$(changed steady)" = 0 ] && [ "$(changed y)" = 0 ] || fail "steady and y are changed by nobody else"

# A loop that runs once is sent everything.
ORRERY_THREADS=1 ORRERY_PROFILE=$dir/profile "$dir/a" 1 > "$dir/out"
[ "$(changed steady)" = 400000 ] || fail "with one pass steady is sent: $(changed steady) of 400000 bytes"

sent() {
    ORRERY_STATS=1 ORRERY_DEBUG=shared=0 timeout 300 "$bin/orrery" run -n 2 --threads 1 -- "$dir/a" "$1" > "$dir/out" 2> "$dir/err" ||
        { cat "$dir/err" >&2; fail "two ranks: status $?"; }
    awk '/^orrery: rank/ { for (i = 3; i < NF; ++i) if ($i == "sent-mb") sum += $(i + 1) } END { print sum }' "$dir/err"
}
ORRERY_THREADS=1 ORRERY_PROFILE=$dir/profile "$dir/a" 6 > "$dir/out"
printf '{"schema": "orrery-cluster/1", "nodes": 2, "cores_per_node": 1}\n' > "$dir/cluster"
model=$("$bin/orrery" simulate --cluster "$dir/cluster" --format=json --ranks 2 "$dir/profile" |
    sed -n 's/.*"bytes_moved": \([0-9.e+]*\).*/\1/p')
few=$(sent 8)
many=$(sent 40)
awk -v few="$few" -v many="$many" -v model="$model" 'BEGIN {
    counted = (many - few) / 32 * 1e6; off = counted - model; most = 0.03 * counted + 6000
    printf "%.0f bytes a pass, by the model %.0f\n", counted, model
    exit off > most || -off > most }' || fail "the model counts other bytes"
