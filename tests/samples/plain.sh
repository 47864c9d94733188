#!/bin/bash
# Every sample builds without a warning and without Orrery, with each compiler there is, and runs.
# The three programs of mf write the same model, bit for bit.
. "$(dirname "$0")/common.sh"
make_small

for compiler in gcc clang-19; do
    command -v $compiler > "$work/found" || continue
    for file in "$source"/samples/*/*.c; do
        name=$(basename "$file" .c)
        case $compiler-$name in
        gcc-* | *-mf | *-mf_rows | *-mf_structs) compile $compiler "$name" "$work/$name" ;;
        *)
            # shellcheck disable=SC2086
            $compiler -fsyntax-only $warnings -I "$source/include" "$file" || fail "$compiler does not take $name"
            ;;
        esac
    done
    for rule in "" --adaptive; do
        for name in mf mf_rows mf_structs; do
            # shellcheck disable=SC2086
            "$work/$name" --rank 12 --epochs 3 $rule --output "$work/$name.model" "$small" \
                > "$work/$name.txt"
            cmp "$work/mf.model" "$work/$name.model" || fail "$compiler $rule: models differ"
        done
        grep -q '^epoch   3  train 0\|^epoch   3  train 1' "$work/mf.txt" ||
            fail "no third epoch: $(cat "$work/mf.txt")"
    done
    awk '/^%/ || !size++ { print; next } { print $1, $2, 5 * $3 }' "$small" > "$work/five"
    "$work/mf" --rank 12 --epochs 3 --adaptive "$work/five" > "$work/five.txt" || fail "ratings of another unit"
    awk 'FNR == NR { wanted = 5 * $NF; next } { got = $NF } END { exit !(got < 1.1 * wanted) }' "$work/mf.txt" "$work/five.txt" ||
        fail "in another unit the rates learn less: $(tail -n 1 "$work/five.txt")"
    # What it learns is the program's, not the compiler's.
    [ $compiler = gcc ] || continue
    "$work/kmeans" --label --clusters 64 --seed 2 "$build/samples/data/covtype20k.csv" > "$work/kmeans.txt"
    awk '/^round/ { if (seen && $4 > last * 1.000001) exit 1; last = $4; seen = 1 }' \
        "$work/kmeans.txt" || fail "the inertia grows"
    awk '{ last = $NF } END { exit !(last > 0 && last < 113000) }' "$work/kmeans.txt" ||
        fail "scikit-learn's clusters are 4 % tighter: $(tail -n 1 "$work/kmeans.txt")"
done
