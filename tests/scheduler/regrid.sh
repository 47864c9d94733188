#!/bin/bash
# regrid.sh BINDIR: a profile cut anew for another grid has the blocks, the clocks and the messages between ranks that a
# run on that grid has: three keys, a table through two keys, two keys.
. "$(dirname "$0")/../lib.sh"

bin=$1
dir=$work

# members NAMES RANKS PROFILE OPTION...: the values of NAME|NAME...
members() {
    local names=$1 ranks=$2 profile=$3
    shift 3
    "$bin/orrery" simulate --cluster "$dir/cluster" --format=json --ranks "$ranks" "$@" "$profile" |
        sed -nE "s/.*\"($names)\": ([-0-9.e+]*),*$/\1 \2/p" | awk '!seen[$1]++'
}

printf '{"schema": "orrery-cluster/1", "nodes": 16, "cores_per_node": 1}\n' > "$dir/cluster"
words_of() {
    case $1 in
    cp) echo "--epochs 2 --quiet $bin/../samples/data/names.tns" ;;
    embed) echo "--epochs 2 --nodes 1000 --edges 20000 --communities 20 --rank 8 --quiet" ;;
    mf) echo "--rank 4 --epochs 2 --quiet $dir/small.mtx" ;;
    esac
}
{ sed -n '1,3p' "$bin/../samples/data/names.mtx"; sed -n 4p "$bin/../samples/data/names.mtx" | sed 's/[0-9]*$/20000/'
    sed -n '5,20004p' "$bin/../samples/data/names.mtx"; } > "$dir/small.mtx"

# A profile cut anew does not know which rows its blocks touch: batons move whole in both.
export ORRERY_DEBUG=rotate=whole
for name in cp embed mf; do
    "$bin/orrery-cc" -O2 "$tree/samples/$name/$name.c" -o "$dir/$name" -lm
    for grid in 8x8 4x4 3x5 8x2; do
        # shellcheck disable=SC2046
        ORRERY_GRID=$grid ORRERY_THREADS=1 ORRERY_PROFILE="$dir/$name.$grid" "$dir/$name" $(words_of $name) > "$dir/out"
    done
    for grid in 4x4 3x5 8x2; do
        for ranks in 2 3; do
            ran=$(members 'baton_messages|rows|columns' $ranks "$dir/$name.$grid" --grid "$(sed -n 's/.*"parts": \[\(.*\)\],/\1/p' "$dir/$name.$grid" |
                awk -F', ' -v pairs="$(grep -c '"tournament"' "$dir/$name.$grid")" \
                    '{ print (pairs ? $1 / 2 : $1) "x" (NF > 1 ? $2 : 1) }')")
            cut=$(members 'baton_messages|rows|columns' $ranks "$dir/$name.8x8" --grid $grid)
            [ "$(echo "$ran" | wc -l)" = 3 ] && [ "$ran" = "$cut" ] ||
                fail "$name on $grid, $ranks ranks: $cut by the cut, $ran by the run"
        done
    done
    # Nothing is lost: the blocks' iterations and seconds are those that were measured.
    [ "$(members seconds_per_pass 1 "$dir/$name.8x8" --grid 8x8)" ] || fail "$name: no time"
done

# The search has other grids than the measured one for each of them, within its bounds, and the same again.
for name in cp embed; do
    sed -i -E 's/\[([0-9]+), [-0-9.e+]+, [0-9]+, /[\1, 1e-7, 100000, /g; s/"(gap|start)_seconds": [-0-9.e+]+/"\1_seconds": 0/g' "$dir/$name.8x8"
    "$bin/orrery" simulate --ranks 1 "$dir/$name.8x8" > "$dir/first"
    "$bin/orrery" simulate --ranks 1 "$dir/$name.8x8" > "$dir/again"
    cmp "$dir/first" "$dir/again" || fail "$name: another grid the second time"
    grep -Eq '^best grid: .*there the measured grid of 8 x (1|8) takes [0-9.]+ times as long \(([5-9]|[1-6][0-9]) grids tried' \
        "$dir/first" || { cat "$dir/first" >&2; fail "$name: no coarser grid"; }
done

# What it chooses is within 2 % of the least that it says of any grid, with links that are slow.
printf '{"schema": "orrery-cluster/1", "nodes": 16, "cores_per_node": 4, "between_nodes": {"latency_us": 200, "gigabytes_per_s": 0.12}}\n' > "$dir/cluster"
sed -i -E 's/\[([0-9]+), [-0-9.e+]+, [0-9]+, /[\1, 2e-3, 100000, /g; s/"(gap|start)_seconds": [-0-9.e+]+/"\1_seconds": 0/g' "$dir/mf.8x8"
for ranks in 5 6; do
    chosen=$("$bin/orrery" simulate --cluster "$dir/cluster" --ranks $ranks "$dir/mf.8x8" | sed -n 's/^best grid: .* ranks, \([0-9.e-]*\) s per pass.*/\1/p')
    least=$(for rows in 1 3 5 6 10; do for parts in 1 3 5 6 10 20; do
        members seconds_per_pass $ranks "$dir/mf.8x8" --grid ${rows}x$parts
    done; done | awk '{ print $2 }' | sort -g | sed -n 1p)
    echo "$ranks ranks: chosen $chosen s, least $least s"
    awk -v chosen="$chosen" -v least="$least" 'BEGIN { exit !(chosen > 0 && least > 0 && chosen <= 1.02 * least) }' || fail "a better grid than $chosen s: $least s"
done
