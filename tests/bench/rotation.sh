# Sourced by run: `rotation`. Matrix factorization at rank 32, on the ratings that ship (so few per key that the wire
# takes as long as the work) and on some in the shape of Netflix's. On two emulated hosts, 1 Gbit/s and 0.2 ms apart: bytes
# per clock, how much of the messages' time no worker waited, the seconds of a pass over those that the cost model gives
# for links which take nothing of the processor, on cores that keep each other busy as two threads do here (alone: as if
# each had a computer of its own). In one node: what rotation between threads sends (nothing), and
# what ranks take over what threads take. The switch that plays the links is a process of this machine: `net` is the
# ratio without its share, its processor seconds divided among the two hosts.
data=$build/samples/data/names.mtx rounds=5 epochs=24
if [ -n "$quick" ]; then
    rounds=1 epochs=4
    awk 'NR <= 3 { print } NR == 4 { print $1, $2, 40000 } NR > 4 && NR <= 40004 { print }' "$data" > "$work/small.mtx"
    data=$work/small.mtx
fi
words="--rank 32 --quiet --no-eval-each-epoch"
printf '{"schema": "orrery-cluster/1", "name": "links of 1 Gbit/s", "nodes": 2, "cores_per_node": 1, "nodes_per_computer": 2,
 "between_nodes": {"latency_us": 200, "gigabytes_per_s": 0.118, "overhead_us": 0}}\n' > "$work/cluster"

# after WORD FILE: the numbers behind a word of what a run said of itself, one per line.
after() {
    awk -v word="$1" '{ for (i = 1; i < NF; ++i) if ($i == word) print $(i + 1) }' "$2"
}

# model PROFILE WORD ...: seconds per pass on the two hosts.
model() {
    orrery simulate --cluster "$work/cluster" "${@:2}" --format=json --ranks 2 --threads 1 "$1" |
        sed -n 's/.*"seconds_per_pass": \([0-9.e-]*\),.*/\1/p' | head -n 1
}

sent() {
    after sent-mb "$1" | awk '{ sum += $1 } END { print sum * 1e6 }'
}

# hosts NAME: false where hosts cannot be emulated.
hosts() {
    local status=0
    "$tree/tests/bench/rotation_hosts.sh" "$build/bin" "$work/jobs" > "$work/said" 2>&1 || status=$?
    [ $status -ne 77 ] || { echo "rotation $1 absent: $(tail -n 1 "$work/said")"; return 1; }
    [ $status -eq 0 ] || { cat "$work/said" >&2; exit 1; }
}

# distant NAME RATINGS FLAG ...: the two hosts.
distant() {
    local name=$1 data=$2 round few many clocks each measured predicted switch shares
    shift 2
    orrery-cc "$@" "$tree/samples/mf/mf.c" -o "$work/$name" -lm
    : > "$work/jobs"
    for ((round = 1; round <= rounds; ++round)); do
        ORRERY_PROFILE=$work/$name.profile ORRERY_THREADS=1 "$work/$name" --epochs 8 $words "$data" > "$work/out"
        ORRERY_PROFILE=$work/$name.busy ORRERY_THREADS=2 "$work/$name" --epochs 8 $words "$data" > "$work/out"
        model "$work/$name.profile" --busy "$work/$name.busy" >> "$work/$name.model"
        model "$work/$name.profile" >> "$work/$name.alone"
        echo "$work/$name.$round - $work/$name --epochs $epochs $words $data" > "$work/jobs"
        say "rotation $name: round $round of $rounds"
        hosts "$name" || return 0
        after median-pass "$work/$name.$round" | head -n 1 >> "$work/$name.passes"
    done
    printf '%s\n' "$work/few - $work/$name --epochs 4 $words $data" "$work/many - $work/$name --epochs 12 $words $data" \
        "$work/traced $work/trace $work/$name --epochs 8 $words $data" > "$work/jobs"
    hosts "$name"
    few=$(sent "$work/few") many=$(sent "$work/many")
    clocks=$(after grid "$work/many" | head -n 1 | awk -F x '{ print ($1 > $2 ? $1 : $2) }')
    each=$(awk -v few="$few" -v many="$many" -v clocks="$clocks" 'BEGIN { printf "%.0f\n", (many - few) / 8 / clocks }')
    shares=$(python3 "$tree/tests/bench/rotation_trace.py" "$work/trace" "$each" "$clocks" 8e-9 2e-4)
    switch=$(awk -v epochs="$epochs" '$1 == "switch" { print $2 / $3 / epochs }' "$work/$name".[0-9]* | median)
    measured=$(median < "$work/$name.passes") predicted=$(median < "$work/$name.model") alone=$(median < "$work/$name.alone")
    read -r hidden waited wire <<< "$shares"
    ratio=$(ratio "$predicted" "$measured")
    net=$(awk -v p="$predicted" -v m="$measured" -v s="$switch" 'BEGIN { printf "%.3f\n", p / (m - s / 2) }')
    echo "rotation $name hosts=2 clocks=$clocks bytes_per_clock=$each wire_s=$wire waited_s=$waited hidden=$hidden" \
        "measured_s=$measured alone_s=$alone model_s=$predicted ratio=$ratio switch_s=$switch net=$net"
}

# near NAME: threads and ranks of this node, in turn.
near() {
    local round
    for ((round = 1; round <= rounds; ++round)); do
        say "rotation in one node: round $round of $rounds"
        ORRERY_STATS=1 ORRERY_THREADS=2 "$work/$1" --epochs 8 $words "$data" 2> "$work/threads" > "$work/out"
        ORRERY_STATS=1 orrery run -n 2 --threads 1 -- "$work/$1" --epochs 8 $words "$data" 2> "$work/ranks" > "$work/out"
        after median-pass "$work/threads" | head -n 1 >> "$work/threads.passes"
        after median-pass "$work/ranks" | head -n 1 >> "$work/ranks.passes"
    done
    threads=$(median < "$work/threads.passes") ranks=$(median < "$work/ranks.passes") moved=$(sent "$work/threads")
    echo "rotation node threads_s=$threads ranks_s=$ranks ratio=$(ratio "$ranks" "$threads") bytes_of_threads=$moved"
}

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
distant O2 "$data" -O2
if [ -z "$quick" ]; then
    distant fast "$data" -O3 -march=native
    say "rotation: ratings in the shape of Netflix's"
    "$tree/scripts/fetch-data" --to "$work" --scale 0.05 netflix > "$work/out"
    distant netflix "$work/netflix.txt" -O3 -march=native
fi
near O2
echo "rotation hidden=${hidden:-none} ratio=${ratio:-none} net=${net:-none} ranks_over_threads=$(ratio "$ranks" "$threads") bytes_of_threads=$moved"
