# Sourced by run: `cc [FILE|FOLDER ...]`. What orrery-cc costs beside the compiler behind it:
#   overhead_ms   on a file that does not mention Orrery, without -auto
#   a line per file by -auto -O3 -march=native: processor seconds of both, their ratio, the most memory of a process;
#   the last line: their median and the worst ratio (wanted: 2 and 5), the most memory (wanted: 400 MB)
# Files: the samples, and all C files of $PEER_POLYBENCH, $PEER_TSVC (see auto.sh) and of what is named here.
# Those that the compiler refuses, and those without a loop in their text, are left out of the median.
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
CC_QUICK=$quick "${PEER_PYTHON:-python3}" "$tree/tests/bench/cc.py" "$tree" "$build" "$work" "$@"
