#!/bin/bash
# Pipelines have the bits of the serial loop on 1 to 8 threads and 1 to 4 ranks, in several passes, and in two other
# orders of their blocks; on a grid of one's own; and what two stages touch is refused by several ranks.
. "$(dirname "$0")/../lib.sh"

bin=$1
dir=$work

"$bin/orrery-cc" -O2 -ffp-contract=off -Werror=serial "$here/../programs/emit/pipeline.c" -o "$dir/stages" -lm
timeout 300 "$bin/orrery" verify --threads 1,2,3,5,8 --ranks 1,2,3,4 --runs 1 "$dir/stages" > "$dir/said" 2>&1 ||
    { cat "$dir/said"; fail "not the same everywhere"; }
grep -q 'same bits' "$dir/said" || { cat "$dir/said"; fail "nothing was compared"; }

gcc -O2 -ffp-contract=off -w "$here/../programs/emit/pipeline.c" -o "$dir/plain" -lm
"$dir/plain" > "$dir/expected"
for grid in 1x1 2x7 9x300; do
    ORRERY_GRID=$grid ORRERY_THREADS=3 "$dir/stages" > "$dir/actual"
    cmp "$dir/expected" "$dir/actual" || fail "grid $grid: another result"
done
ORRERY_STATS=1 ORRERY_THREADS=2 "$dir/stages" 2>&1 > /dev/null | grep -q 'pipeline grid 3x' || fail "no stages"

"$bin/orrery" plan "$here/../programs/emit/pipeline.c" -o "$dir/plan.json"
python3 -c 'import json, sys
plan = json.load(open(sys.argv[1]))
for loop in plan["loops"]:
    if loop["strategy"] == "pipeline":
        loop["grid"] = [2, 10]
json.dump(plan, open(sys.argv[2], "w"))' "$dir/plan.json" "$dir/edited.json"
"$bin/orrery-cc" -O2 -ffp-contract=off -plan "$dir/edited.json" -Werror=serial "$here/../programs/emit/pipeline.c" -o "$dir/planned" -lm
ORRERY_STATS=1 ORRERY_THREADS=2 "$dir/planned" > "$dir/actual" 2> "$dir/said"
grep -q 'pipeline grid 2x10' "$dir/said" || { cat "$dir/said"; fail "the plan file's grid is not taken"; }
cmp "$dir/expected" "$dir/actual" || fail "with a plan file: another result"

"$bin/orrery" analyze "$here/../programs/emit/pipeline.c" > "$dir/said"
grep -q '    stage 1, [0-9]* ns counted: lines ' "$dir/said" || { cat "$dir/said"; fail "no stages in the report"; }
grep -q '    travels: x, stages 1 2$' "$dir/said" || { cat "$dir/said"; fail "the report does not say what travels"; }
"$bin/orrery" analyze --dump=plan "$here/../programs/emit/pipeline.c" > "$dir/said"
for line in '  every stage: lines 23' '  stage 2, [0-9]* ns: lines 24 32 34 35' '  own x: stages 1w 2' '  carried last: stages 3w'; do
    grep -q "^$line\$" "$dir/said" || { cat "$dir/said"; fail "the dump does not say: $line"; }
done
"$bin/orrery" analyze --format=json "$here/../programs/emit/pipeline.c" | python3 -c 'import json, sys
loop = json.load(sys.stdin)["loops"][0]
assert loop["strategy"] == "pipeline" and len(loop["stages"]) == 3, loop["stages"]
assert {"name": "x", "stages": [1, 2], "written": [1], "carried": False} in loop["travels"], loop["travels"]'

ORRERY_PROFILE="$dir/profile" ORRERY_THREADS=1 "$dir/stages" > "$dir/actual" 2>&1
"$bin/orrery" simulate --ranks 1,2 --loop pipeline.c:"$(sed -n 's/.*"loop": ".*:\([0-9]*\)", "strategy": "pipeline".*/\1/p' "$dir/profile" | head -n 1)" \
    "$dir/profile" > "$dir/said" 2>&1 || { cat "$dir/said"; fail "it cannot be simulated"; }
grep -q 'pipeline, grid 3 x' "$dir/said" || { cat "$dir/said"; fail "another loop is simulated"; }
"$bin/orrery" report "$here/../programs/emit/pipeline.c" -o "$dir/page.html" || fail "no page"
grep -q 'pipeline' "$dir/page.html" || fail "the page does not name the pipeline"
