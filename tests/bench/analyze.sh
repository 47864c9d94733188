# Sourced by run: `analyze`.
clang=$(command -v clang-19 || command -v clang || true)
rounds=21
[ -z "$quick" ] || rounds=3
[ -n "$clang" ] || { echo "analyze ratio=absent"; exit 0; }

for path in mf/mf.c mf/mf_rows.c mf/mf_structs.c kmeans/kmeans.c; do
    key=$(basename $path .c)
    for ((round = 1; round <= rounds; ++round)); do
        milliseconds orrery analyze "$tree/samples/$path" >> "$work/ours.$key"
        milliseconds "$clang" -fsyntax-only -w "$tree/samples/$path" >> "$work/theirs.$key"
    done
    ours=$(median < "$work/ours.$key") theirs=$(median < "$work/theirs.$key")
    echo "analyze file=$path orrery_ms=$ours clang_ms=$theirs ratio=$(ratio "$ours" "$theirs")"
    ratio "$ours" "$theirs" >> "$work/all"
done
echo "analyze ratio=$(median < "$work/all")"
