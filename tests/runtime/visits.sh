#!/bin/bash
# visits.sh BINDIR: a pass that goes round the grid four times learns as the serial pass does, one that goes round it once does
# not; the bits are those of the plan's order for any number of visits, of threads and of ranks, and on the GPU shim.
. "$(dirname "$0")/../lib.sh"
bin=$1
dir=$work
program=$here/../programs/visits.c

gcc -O2 -w "$program" -o "$dir/serial" -lm
"$bin/orrery-cc" -O2 -w "$program" -o "$dir/parallel" -lm 2>"$dir/said" || fail "it is not built"

# within FACTOR FILE: after each pass the error is at most so many times the serial program's.
within() {
    paste "$dir/expected" "$2" | awk -v most="$1" '$4 > most * $2 { bad = 1 } END { exit bad || NR == 0 }'
}
"$dir/serial" 6 >"$dir/expected"
ORRERY_STATS=1 "$dir/parallel" 6 >"$dir/out" 2>"$dir/err" || fail "status $?"
grep -q ' visits 4 ' "$dir/err" || fail "the pass does not go round the grid four times"
within 1.01 "$dir/out" || fail "it learns more slowly than the serial program: $(paste "$dir/expected" "$dir/out")"
ORRERY_VISITS=1 "$dir/parallel" 6 >"$dir/once"
! within 1.1 "$dir/once" || fail "one visit learns as well: this test cannot fail"

for visits in 1 3 4; do
    ORRERY_VISITS=$visits "$dir/parallel" 2 >"$dir/one"
    for threads in 1 3; do
        ORRERY_VISITS=$visits ORRERY_THREADS=$threads "$dir/parallel" 2 >"$dir/out"
        cmp "$dir/one" "$dir/out" || fail "$visits visits, $threads threads: other bits"
    done
    ORRERY_VISITS=$visits "$bin/orrery" verify --runs 1 "$dir/parallel" 2 >"$dir/said" 2>&1 || fail "$visits visits: not verified"
    if command -v mpirun >/dev/null; then
        ORRERY_VISITS=$visits timeout -k 2 120 "$bin/orrery" run -n 3 --oversubscribe "$dir/parallel" 2 >"$dir/out" 2>"$dir/err" ||
            fail "$visits visits, 3 ranks: status $?"
        cmp "$dir/one" "$dir/out" || fail "$visits visits, 3 ranks: other bits"
    fi
done

# What some iterations set is the last one's, in one order of all visits.
"$bin/orrery-cc" -O1 -w "$here/../programs/visits_last.c" -o "$dir/last" 2>"$dir/said" || fail "visits_last is not built"
for visits in 1 2 4; do
    ORRERY_GRID=6x6 ORRERY_VISITS=$visits "$dir/last" >"$dir/out" || fail "what is set last, $visits visits: $(cat "$dir/out")"
done

sed 's/COUNT = 300000/COUNT = 700/; s/USERS = 4000, ITEMS = 900/USERS = 40, ITEMS = 30/' "$program" >"$dir/small.c"
"$bin/orrery-cc" -O1 -w -target gpu-shim "$dir/small.c" -o "$dir/shim" -lm 2>"$dir/said" || fail "it is not built for the shim"
for visits in 1 3; do
    ORRERY_GRID=4x4 ORRERY_VISITS=$visits "$bin/orrery" verify -target gpu --threads 2,3 --runs 1 "$dir/shim" 2 >"$dir/said" 2>&1 ||
        fail "$visits visits on the shim: not verified"
done
