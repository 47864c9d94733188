# Sourced by run: `cc`. A file that does not mention Orrery: what orrery-cc adds to the compiler behind it.
rounds=21
[ -z "$quick" ] || rounds=3
sed '/[Oo]rrery/d' "$tree/samples/stream/stream.c" > "$work/plain.c"

for ((round = 1; round <= rounds; ++round)); do
    milliseconds cc -O1 -c "$work/plain.c" -o "$work/cc.o" >> "$work/theirs"
    milliseconds orrery-cc -O1 -c "$work/plain.c" -o "$work/orrery.o" >> "$work/ours"
done
cmp "$work/cc.o" "$work/orrery.o" || say "cc: the objects differ"
ours=$(median < "$work/ours") theirs=$(median < "$work/theirs")
echo "cc orrery_cc_ms=$ours cc_ms=$theirs"
echo "cc overhead_ms=$(awk -v a="$ours" -v b="$theirs" 'BEGIN { printf "%.1f", a - b }')"
