#!/bin/bash
# The other shapes of mf build anywhere; those with mf's arithmetic write mf's model.
. "$(dirname "$0")/common.sh"
make_small

for name in mf permutation columns transposed table_columns double; do
    compile gcc $name "$work/$name"
done
for shuffle in "" --shuffle; do
    for name in mf permutation columns transposed table_columns double; do
        # shellcheck disable=SC2086
        "$work/$name" --plain --rank 12 --epochs 3 --quiet $shuffle --output "$work/$name.model" "$small" \
            > "$work/$name.txt"
    done
    for name in permutation columns transposed table_columns; do
        cmp "$work/mf.model" "$work/$name.model" || fail "$name $shuffle: another model"
    done
    for name in mf double; do
        sed 's/.*held-out //' "$work/$name.txt"
    done | awk '{ a[NR] = $1 } END { d = a[1] - a[2]; exit !(NR == 2 && a[1] > 0 && d < 1e-3 && d > -1e-3) }' ||
        fail "double learns something else"
done
