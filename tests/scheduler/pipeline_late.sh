#!/bin/bash
# Statements that run late in a pipeline, since relax() names what they change: the bits of a plain program that runs
# them late by hand, on any number of threads and ranks and in two other orders of the blocks; nearly the serial
# program's loss; refused without the clause. With a sanitizer ($SANITIZE): fewer of them.
. "$(dirname "$0")/../lib.sh"

bin=$1
source=$tree/tests/programs/late/mlp.c
dir=$work
settings=("0x0 1" "0x0 3" "2x1 2" "2x3 3" "2x700 1" "2x700 2")
[ -z "${SANITIZE:-}" ] || settings=("0x0 1" "0x0 3" "2x3 3")

sed 's/relax(V)/relax(V, W)/' "$source" > "$dir/two.c"
cp "$source" "$dir/one.c"
gcc -O2 -ffp-contract=off -w "$dir/one.c" -o "$dir/plain" -lm
loss_of() {
    sed -n 's/^epoch 7 loss //p' "$1"
}

"$bin/orrery" analyze --dump=plan "$dir/one.c" | grep -q '^  late with stage 1, after 1 rounds: lines 140$' ||
    fail "the dump does not say what is late"

for name in one two; do
    drained=4 words=
    [ $name = one ] || drained=8 words=-DW_TOO
    "$bin/orrery-cc" -O2 -ffp-contract=off -Werror=serial "$dir/$name.c" -o "$dir/$name" -lm
    # shellcheck disable=SC2086
    gcc -O2 -ffp-contract=off -w -DBY_HAND $words "$dir/$name.c" -o "$dir/hand" -lm
    for setting in "${settings[@]}"; do
        read -r grid threads <<< "$setting"
        ORRERY_GRID=$grid ORRERY_STATS=1 ORRERY_THREADS=$threads "$dir/$name" > "$dir/actual" 2> "$dir/stats"
        ranges=$(sed -n 's/.*pipeline grid 2x\([0-9]*\) .*/\1/p' "$dir/stats" | head -n 1)
        RANGES=$((ranges - drained)) "$dir/hand" > "$dir/expected"
        cmp "$dir/expected" "$dir/actual" || fail "$name, grid $grid, $threads threads: not as by hand"
        [ "$setting" = "0x0 1" ] || [ "$grid" = 2x3 ] || continue
        ORRERY_GRID=$grid "$bin/orrery" run -n 2 --threads 1 --oversubscribe -- "$dir/$name" > "$dir/actual"
        cmp "$dir/expected" "$dir/actual" || fail "$name, grid $grid, two ranks: not as by hand"
    done
    ORRERY_THREADS=2 "$dir/$name" > "$dir/actual"
    "$dir/plain" > "$dir/serial"
    awk -v a="$(loss_of "$dir/actual")" -v b="$(loss_of "$dir/serial")" 'BEGIN { exit !(a > 0 && a < 1.05 * b) }' ||
        fail "$name: the loss is $(loss_of "$dir/actual"), serially $(loss_of "$dir/serial")"
    timeout 300 "$bin/orrery" verify --threads 1,2,3 --ranks 2 --runs 1 "$dir/$name" > "$dir/said" 2>&1 ||
        { cat "$dir/said"; fail "$name: not the same everywhere"; }
    grep -q 'the first is V' "$dir/said" || { cat "$dir/said"; fail "$name: verify does not say what is late"; }
done

"$bin/orrery" analyze "$dir/two.c" > "$dir/said"
grep -q 'by relax() line 43 runs 4 ranges of iterations late, with stage 2; by relax() line 48 runs 8 ranges' "$dir/said" ||
    grep -Eq 'by relax\(\) line [0-9]+ runs 4 ranges of iterations late, with stage 2; by relax\(\) line [0-9]+ runs 8 ranges of iterations late, with stage 1' "$dir/said" ||
    { cat "$dir/said"; fail "the plan does not say how late"; }
grep -Eq 'late by 8 ranges of iterations, with stage 1: lines [0-9]+' "$dir/said" || fail "the stages do not"
"$bin/orrery" analyze --format=json "$dir/two.c" > "$dir/said"
tr -d ' \n' < "$dir/said" | grep -Eq '"late":\[\{"lines":\[[0-9]+\],"stage":2,"ranges_late":4\},\{"lines":\[[0-9]+\],"stage":1,"ranges_late":8\}\]' ||
    fail "the JSON does not"

# Without the clause the loop is serial, and the way out is named.
sed 's/ relax(V)//' "$source" > "$dir/none.c"
"$bin/orrery" analyze "$dir/none.c" > "$dir/said"
grep -q 'ORR2470' "$dir/said" && grep -q 'add relax(V)' "$dir/said" || { cat "$dir/said"; fail "no clause: not refused"; }

# Three stages of which two have late statements, one of them two rounds late: what travels goes round twice.
"$bin/orrery-cc" -O2 -Werror=serial "$(dirname "$source")/chain.c" -o "$dir/chain" -lm
timeout 300 "$bin/orrery" verify --threads 2 --ranks 2,3 --runs 1 "$dir/chain" > "$dir/said" 2>&1 ||
    { cat "$dir/said"; fail "chain: not the same everywhere"; }
"$bin/orrery" analyze "$dir/one.c" > "$dir/said"
grep -q 'array: V resident' "$dir/said" || { cat "$dir/said"; fail "V does not live with its stage"; }
