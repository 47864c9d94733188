# Sourced by run: `memory`. A model of 320 MB on four ranks that may have 130 MB each, in memory groups of 160 MB, as if
# every rank were a host. Beside a measured figure the one of `orrery simulate`. Per way in which serial code uses the model (memory.c): wall seconds with the budget over those
# without it, the most memory of a rank, bytes between ranks in a further pass over what rotation must move (the rotating
# array from rank to rank, in every visit). Lines and files are those of one rank without a budget.
users=1000000 items=250000 ratings=1000000 budget=130 limit=160 rounds=3 ways="p s pn sn sk san pkan"
if [ -n "$quick" ]; then
    users=60000 items=15000 ratings=60000 budget=20 limit=60 rounds=1 ways="p san"
fi
command -v mpirun > "$work/said" || { echo "memory absent: no mpirun"; exit 0; }
"$build/bin/orrery-cc" -O2 -Werror=serial -DK=64 "$tree/tests/bench/memory.c" "$tree/tests/cluster/model.c" -o "$work/memory" -lm > "$work/said" 2>&1 ||
    { cat "$work/said" >&2; exit 1; }

# ranks NAME LIMIT BUDGET PASSES HOW: NAME.seconds, NAME.out, NAME.err, NAME.bytes (all that ranks sent), NAME.d/.
ranks() {
    local name=$work/$1 from to
    rm -rf "$name.d"
    mkdir "$name.d"
    from=$EPOCHREALTIME
    ORRERY_MEMORY=$3 ORRERY_STATS=1 "$tree/tests/bench/memory_groups" "$name.d" 4 "$2" "$work/peak" "$work/memory" \
        $users $items $ratings "$4" "$5" "$name.file" > "$name.out" 2> "$name.err" ||
        { tail -n 5 "$name.err" >&2; say "memory $5: $1 failed, $(cat "$name.d/killed") killed"; exit 1; }
    to=$EPOCHREALTIME
    awk -v a="$from" -v b="$to" 'BEGIN { print b - a }' >> "$name.seconds"
    awk '{ for (i = 1; i < NF; ++i) if ($i == "sent-mb") sum += $(i + 1) } END { print sum }' "$name.err" > "$name.bytes"
    cat "$name.d"/peak.[1-3] | sort -gr | awk 'NR == 1 { printf "%.1f\n", $1 * 1024 / 1e6 }' > "$name.others"
    sort -gr "$name.d"/peak.* | awk 'NR == 1 { printf "%.1f\n", $1 * 1024 / 1e6 }' > "$name.most"
    cmp -s "$name.out" "$work/want.out" || [ "$4" != 3 ] || { say "memory $5: other lines, $1"; exit 1; }
    cmp -s "$name.file" "$work/want" || [ "$4" != 3 ] || { say "memory $5: another file, $1"; exit 1; }
    rm -f "$name.file"
}

# model BUDGET MEMBER: megabytes, by the loop that trains.
model() {
    local nth=1 line
    [[ $how != *k* ]] || nth=2
    line=$(grep -n '^#pragma orrery parallel unordered' "$tree/tests/cluster/model.c" | sed -n "${nth}s/:.*//p")
    orrery simulate --loop "model.c:$((line + 1))" --ranks 4 --memory "$1" --format=json "$work/profile" |
        awk -v member="\"$2\":" '$1 == member { printf "%.1f\n", $2 / 1e6 }' | head -n 1
}

groups=yes
for how in $ways; do
    rm -f "$work"/*.seconds
    ORRERY_PROFILE=$work/profile ORRERY_THREADS=1 "$work/memory" $users $items $ratings 3 "$how" "$work/want" > "$work/want.out"
    for ((round = 1; round <= rounds; ++round)); do
        say "memory $how: round $round of $rounds"
        ranks whole 0 0 3 "$how"
        ranks part $limit $budget 3 "$how"
    done
    [ ! -e "$work/part.d/free" ] || groups=no
    most=$(cat "$work/part.most") three=$(cat "$work/part.bytes")
    visits=$(awk '{ for (i = 1; i < NF; ++i) if ($i == "visits" && $(i + 1) > most) most = $(i + 1) } END { print most }' "$work/part.err")
    ranks more $limit $budget 6 "$how"
    each=$(awk -v a="$three" -v b="$(cat "$work/more.bytes")" 'BEGIN { printf "%.1f\n", (b - a) / 3 }')
    must=$(awk -v items=$items -v visits="$visits" 'BEGIN { printf "%.1f\n", items * 256 * 4 * visits / 1e6 }')
    whole=$(median < "$work/whole.seconds") part=$(median < "$work/part.seconds")
    echo "$whole $part" | awk '{ print $1 / $2 }' >> "$work/ratios"
    echo "memory how=$how without_s=$whole with_s=$part times=$(ratio "$part" "$whole") budget_mb=$budget peak_mb=$most" \
        "without_peak_mb=$(cat "$work/whole.most") model_peak_mb=$(model $budget process_bytes_rank_0)" \
        "others_mb=$(cat "$work/part.others") model_others_mb=$(model $budget process_bytes) mb_per_pass=$each must_mb=$must moved=$(ratio "$each" "$must") groups=$groups"
done
echo "memory ratio=$(median < "$work/ratios") worst=$(sort -g "$work/ratios" | head -n 1)"
