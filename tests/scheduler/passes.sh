#!/bin/bash
# passes.sh BINDIR: passes that flow into each other. In front of every marked loop of the programs/passes stands
# what the report has to say of it, `flow` or `wait: WORDS`; and whatever the workers, the output is the plain program's.
# With a sanitizer ($SANITIZE): on one number of threads and of ranks, and one grid.
. "$(dirname "$0")/../lib.sh"

bin=$1
here=$tree/tests/programs/passes
export ORRERY_AUTO_US=0 # no loop runs as it is written because that is faster
dir=$work
on_threads="1 3 8" grids="1x1 5x3 3x7" on_ranks="3 4"
[ -z "${SANITIZE:-}" ] || on_threads=3 grids=5x3 on_ranks=3

check_report() {
    "$bin/orrery" analyze --format=json "$1" > "$dir/json"
    python3 - "$1" "$dir/json" << 'END'
import json, re, sys
lines = open(sys.argv[1]).read().split("\n")
bad = 0
for loop in json.load(open(sys.argv[2]))["loops"]:
    at = loop["line"] - 2
    while not re.search(r"/\* (flow|wait)", lines[at]):
        at -= 1
    wanted = re.search(r"/\* (flow|wait: (.*)) \*/", lines[at])
    got = loop.get("passes", {"code": "none", "message": ""})
    code = "ORR1405" if wanted.group(2) else "ORR1404"
    if loop["verdict"] != "parallel" or got["code"] != code or (wanted.group(2) or "") not in got["message"]:
        print(f"{sys.argv[1]}:{loop['line']}: {loop['verdict']}, {got}; expected: {wanted.group(1)}")
        bad = 1
sys.exit(bad)
END
}

same() {
    "${@:2}" > "$dir/actual" 2> "$dir/err" || { cat "$dir/err"; fail "$1: status $? of ${*:2}"; }
    diff "$dir/expected" "$dir/actual" || fail "$1: other results with ${*:2}"
}

check_program() {
    local name=$1 threads ranks grid
    gcc -std=gnu11 -O1 -w -ffp-contract=off "$here/$name.c" -o "$dir/plain" -lm
    "$dir/plain" > "$dir/expected"
    "$bin/orrery-cc" -O1 -Wall -Wextra -Werror -Wno-unknown-pragmas "$here/$name.c" -o "$dir/$name" -lm
    for threads in $on_threads; do
        same "$name" env ORRERY_THREADS=$threads "$dir/$name"
    done
    for grid in $grids; do
        same "$name" env ORRERY_THREADS=3 ORRERY_GRID=$grid "$dir/$name"
    done
    "$bin/orrery-cc" -O0 -w -allow-fallback "$here/$name.c" -o "$dir/fallback" -lm
    same "$name" env ORRERY_THREADS=2 "$dir/fallback"
    "$bin/orrery-cc" -O1 -w -DRANKS "$here/$name.c" -o "$dir/ranked" -lm
    gcc -std=gnu11 -O1 -w -DRANKS -ffp-contract=off "$here/$name.c" -o "$dir/plain" -lm
    "$dir/plain" > "$dir/expected"
    for ranks in $on_ranks; do
        same "$name" timeout 300 "$bin/orrery" run -n $ranks --oversubscribe --threads 2 -- "$dir/ranked"
    done
    timeout 300 "$bin/orrery" verify --threads 1,2 --ranks 2 --runs 1 -- "$dir/ranked" > "$dir/said" 2>&1 ||
        { cat "$dir/said"; fail "verify $name"; }
}

for program in "$here"/*.c; do
    check_report "$program" || fail "the report"
    check_program "$(basename "$program" .c)"
done

# Passes that flow are one region; where the sum is printed there is an end. The report in words names the place.
ORRERY_STATS=1 ORRERY_THREADS=2 "$dir/unordered" 2> "$dir/err" > /dev/null
[ "$(grep -c 'regions 1$' "$dir/err")" = 4 ] || { cat "$dir/err"; fail "not one region each"; }
ORRERY_STATS=1 ORRERY_THREADS=2 "$dir/sums" 2> "$dir/err" > /dev/null
grep -A1 'sums.c:21 .*passes 11 ' "$dir/err" | grep -q 'regions 4$' || { cat "$dir/err"; fail "11 passes, every third printed"; }
"$bin/orrery" analyze "$here/sums.c" > "$dir/said" 2>&1
grep -q 'passes: they flow into each other, inside of the loop in line [0-9]* \[ORR1404\]' "$dir/said" || fail "report: flow"
grep -q 'passes: each is waited for: printf is called, [0-9]*:9; fix: .* \[ORR1405\]' "$dir/said" || fail "report: wait"

# What the model is told of it.
ORRERY_PROFILE=$dir/profile ORRERY_THREADS=1 "$dir/sums" > /dev/null
grep -A3 'sums.c:21' "$dir/profile" | grep -q '"skewed": true' || fail "the profile does not say that passes flow"
grep -A3 'sums.c:52' "$dir/profile" | grep -q '"skewed": false' || fail "the profile says that waiting passes flow"
for how in --skewed --barriers; do
    "$bin/orrery" simulate --format=json --loop sums.c:21 --ranks 4 --passes 20 $how "$dir/profile" > "$dir/said"
    sed -n 's/.*"seconds_per_pass": \([0-9.e-]*\),*/\1/p' "$dir/said" | head -1
done | awk 'NR == 1 { skewed = $1 } END { exit !(NR == 2 && skewed < $1) }' || fail "flowing passes are not predicted faster"

# A parallel loop that is reached from inside of such a pass is refused, before anything is made of the pass.
cat > "$dir/inside.c" << 'EOF'
#include <stdio.h>
enum { N = 4000 };
static double a[N], b[64][64];
static double row(int r) {
    double s = 0;
#pragma orrery parallel
    for (int k = 0; k < 64; ++k)
        s += b[r][k];
    return s;
}
int main(void) {
    for (int pass = 0; pass < 3; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < N; ++i)
            a[i] += row(i % 64);
    }
    printf("%g\n", a[7]);
    return 0;
}
EOF
sed -i 's/int main(void) {/&\n    for (int k = 0; k < 64; ++k)\n        b[7][k] = k;/' "$dir/inside.c"
gcc -w "$dir/inside.c" -o "$dir/plain" && "$dir/plain" > "$dir/expected"
"$bin/orrery-cc" "$dir/inside.c" -o "$dir/inside"
ORRERY_THREADS=2 "$dir/inside" > "$dir/out" 2> "$dir/err" || { cat "$dir/err"; fail "a loop inside of a pass: status $?"; }
cmp "$dir/out" "$dir/expected" || fail "a loop inside of a pass: other results"
