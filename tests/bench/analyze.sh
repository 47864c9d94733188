# Sourced by run: `analyze`.
clang=$(command -v clang-19 || command -v clang || true)
rounds=21
[ -z "$quick" ] || rounds=3
[ -n "$clang" ] || { echo "analyze ratio=absent"; exit 0; }

# Texts of many lines, and bodies of many accesses, on processor time: how it grows.
processor_ms() {
    local TIMEFORMAT='%U %S'
    { time "$@" > "$work/ms.out" 2>&1; } 2>&1 | awk '{ printf "%.3f\n", ($1 + $2) * 1000 }'
}
# grown NAME AWK-ARGUMENTS...
grown() {
    local name=$1
    shift
    awk "$@" -f "$tree/tests/bench/analyze_text.awk" /dev/null > "$work/$name.c"
    for ((round = 1; round <= (rounds + 6) / 7; ++round)); do
        processor_ms orrery analyze "$work/$name.c" >> "$work/ours.$name"
        processor_ms "$clang" -fsyntax-only -w "$work/$name.c" >> "$work/theirs.$name"
    done
    ours=$(median < "$work/ours.$name") theirs=$(median < "$work/theirs.$name")
    echo "analyze text=$name orrery_ms=$ours clang_ms=$theirs ratio=$(ratio "$ours" "$theirs")"
}
grown lines_1000 -v lines=1000 -v every=14
[ -n "$quick" ] || grown lines_50000 -v lines=50000 -v every=14
[ -n "$quick" ] || grown lines_50000_differing -v lines=50000 -v every=1 -v differing=1
for accesses in 100 200 500 1000; do
    grown accesses_$accesses -v accesses=$accesses
done

for path in mf/mf.c mf/mf_rows.c mf/mf_structs.c kmeans/kmeans.c; do
    key=$(basename $path .c)
    for ((round = 1; round <= rounds; ++round)); do
        milliseconds orrery analyze "$tree/samples/$path" >> "$work/ours.$key"
        milliseconds "$clang" -fsyntax-only -w -I"$tree/include" "$tree/samples/$path" >> "$work/theirs.$key"
    done
    ours=$(median < "$work/ours.$key") theirs=$(median < "$work/theirs.$key")
    echo "analyze file=$path orrery_ms=$ours clang_ms=$theirs ratio=$(ratio "$ours" "$theirs")"
    ratio "$ours" "$theirs" >> "$work/all"
done
echo "analyze ratio=$(median < "$work/all")"
