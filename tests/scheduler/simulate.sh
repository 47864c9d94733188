#!/bin/bash
# simulate.sh BINDIR: orrery simulate against times worked out by hand, on profiles made for it.
. "$(dirname "$0")/../lib.sh"

bin=$1
dir=$work

# profile STRATEGY ROWS COLUMNS START GAP COPIES BATON SECONDS: blocks that all take SECONDS.
profile() {
    awk -v strategy="$1" -v rows="$2" -v columns="$3" -v start="$4" -v gap="$5" -v copies="$6" -v baton="$7" \
        -v seconds="$8" 'BEGIN {
        printf "{\"schema\": \"orrery-profile/1\", \"threads\": 1, \"loops\": [{\"loop\": \"a.c:3\", \"strategy\": \"%s\",\n", strategy
        printf "\"rows\": %d, \"columns\": %d, \"passes\": 4, \"start_seconds\": %g, \"gap_seconds\": %g,\n", rows, columns, start, gap
        printf "\"inspect_seconds\": 0, \"record_bytes\": 1000, \"copies_bytes\": %g, \"seconds_per_pass\": %g,\n", copies, rows * columns * seconds
        printf "\"arrays\": [{\"name\": \"W\", \"placement\": \"resident\", \"bytes\": 8000}, {\"name\": \"C\", \"placement\": \"replicated\", \"bytes\": 500}],\n\"batons\": ["
        travels = columns > 1
        for (c = 0; travels && c < columns; ++c) printf "%s%g", c ? ", " : "", baton
        printf "],\n\"steps\": ["
        ordered = strategy == "ordered-rotation" || strategy == "pipeline"
        for (clock = 0; clock < columns; ++clock)
            for (r = 0; r < rows; ++r) {
                c = ordered ? clock : (r + clock) % columns
                printf "%s[%d, %g, 10", n++ ? ",\n" : "", r, seconds
                if (travels) printf ", %d", c
                printf "]"
            }
        print "]}]}"
    }' > "$dir/profile"
}

cluster() {
    printf '{"schema": "orrery-cluster/1", "nodes": %s, "cores_per_node": %s, "memory_gb": 1, "block_us": 0, "contention": %s,
"within_node": {"latency_us": 0, "gigabytes_per_s": 1}, "between_nodes": {"latency_us": %s, "gigabytes_per_s": %s}, "shared_pages": %s}\n' \
        "$@" > "$dir/cluster"
}

# expect MEMBER RANKS VALUE OPTION...: within one in a thousand.
expect() {
    local member=$1 ranks=$2 value=$3 got
    shift 3
    "$bin/orrery" simulate --cluster "$dir/cluster" --format=json --ranks "$ranks" "$@" "$dir/profile" > "$dir/out" ||
        fail "status $?"
    got=$(sed -n "s/.*\"$member\": \([-0-9.e]*\),*$/\1/p" "$dir/out")
    [ -n "$got" ] || fail "no $member"
    awk -v a="$got" -v b="$value" 'BEGIN { d = a - b; exit !(d * d <= b * b * 1e-6) }' ||
        fail "$member with $ranks ranks is $got, it should be $value ($*)"
}

# Sixteen blocks of a second: the work divided by the workers.
cluster 4 1 1 0 1 true
profile rotation-2d 4 4 0 0 0 1e6 1
expect seconds_per_pass 1 16
expect seconds_per_pass 2 8.002
expect seconds_per_pass 4 4.004
expect utilisation 4 0.999
# Batons of 1 MB over 1 GB/s and 500 us: each of the four clocks waits for its own; the last goes home.
cluster 4 1 1 500 1 true
expect seconds_per_pass 4 4.007
# Within a node with shared pages nothing is sent, without them the bytes are.
cluster 1 4 1 0 1 true
expect seconds_per_pass 4 4
expect bytes_moved 4 0
cluster 1 4 1 0 1 false
expect seconds_per_pass 4 4.004
expect bytes_moved 4 16e6
# A thousand ranks: a grid of their own is cut; without latency and bytes each has a thousandth.
# With a profile of two busy neighbours: half as long again, on one computer; its merges' serial part is known.
sed 's/"threads": 1/"threads": 2/; s/, 1, 10,/, 1.5, 10,/' "$dir/profile" > "$dir/busy"
cluster 1 4 1 0 1 true
expect seconds_per_pass 1 16 --busy "$dir/busy"
expect seconds_per_pass 2 12 --busy "$dir/busy"
expect seconds_per_pass 4 6 --busy "$dir/busy"
expect seconds_per_pass 1 12 --busy "$dir/busy" --threads 2
expect contention 1 1.5 --busy "$dir/busy"
cluster 4 1 1 0 1 true
expect seconds_per_pass 2 8.002 --busy "$dir/busy"
sed -i '1s/{/{"nodes_per_computer": 2, /' "$dir/cluster"
expect seconds_per_pass 2 12.002 --busy "$dir/busy"
"$bin/orrery" simulate --cluster "$dir/cluster" --ranks 1,2 --busy "$dir/busy" "$dir/profile" > "$dir/out"
grep -q 'a block takes 1.50 times as long with 2 workers of a computer busy' "$dir/out" || fail "no word of contention"
cluster 1 4 1 0 1 true
profile relaxed 4 1 0 0 0 0 1
sed -i 's/"arrays"/"merges": 10, "merge_seconds": 8, "arrays"/' "$dir/profile"
sed 's/"threads": 1/"threads": 2/; s/"merge_seconds": 8/"merge_seconds": 6/' "$dir/profile" > "$dir/busy"
expect seconds_per_pass 1 12 --busy "$dir/busy"
expect seconds_per_pass 1 8 --busy "$dir/busy" --threads 2
expect seconds_per_pass 1 7 --busy "$dir/busy" --threads 4
# Two workers, of two seconds each, wait for each other another 3; four have half as much to do each, and the
# last of them is later.
sed -i 's/"merge_seconds"/"phase_seconds": 5, "merge_seconds"/' "$dir/busy"
expect seconds_per_pass 1 12 --busy "$dir/busy"
expect seconds_per_pass 1 11 --busy "$dir/busy" --threads 2
expect seconds_per_pass 1 10.25 --busy "$dir/busy" --threads 4
profile rotation-2d 4 4 0 0 0 1e6 1

cluster 64 16 1 0 1 true
profile rotation-2d 4 4 0 0 0 0 1
expect seconds_per_pass 1024 0.015625
expect rows 1024 1024
# A start and serial code in every pass; cores that share their memory.
cluster 1 4 1.5 0 1 true
profile rotation-2d 4 4 0.25 0.75 0 0 1
expect seconds_per_pass 4 7
expect seconds_per_pass 1 19
# Reductions: three of four ranks send their copies home.
cluster 4 1 1 0 1 true
profile reduction 4 1 0 0 4e8 0 1
expect seconds_per_pass 4 1.3
expect bytes_per_rank 4 100002750
# A process: itself, its parts, the places of keys, and pages that have left, or with a budget the places of a move; rank 0
# has the program's arrays, too.
profile rotation-2d 4 4 0 0 0 0 1
sed -i 's/"bytes": 8000}/"bytes": 8e7, "dim": 0, "shared": true}/; s/"columns": 4,/"columns": 4, "ranges": [1000000, 250000],/' "$dir/profile"
expect process_bytes 1 83002500
expect process_bytes 4 104000750
expect process_bytes 4 48000750 --memory 130
expect process_bytes_rank_0 4 184001750
expect process_bytes_rank_0 4 128001750 --memory 130
expect process_bytes_rank_0 4 100000000 --memory 100
# What is in files is not all here: of ranks' parts the arrays' 15 MB; rank 0's files and windows have a half each. With
# more memory all is.
expect process_bytes 4 38000000 --memory 20 --spill
expect process_bytes_rank_0 4 38000000 --memory 20 --spill
expect process_bytes 4 56000750 --memory 130 --spill
expect process_bytes 1 26000000 --memory 20 --spill
status=0
"$bin/orrery" simulate --spill --ranks 4 "$dir/profile" > "$dir/out" 2>&1 || status=$?
[ $status = 2 ] && grep -q -- '--spill needs --memory' "$dir/out" || fail "--spill without --memory: status $status"
# Ordered: fill and drain in each pass; once, if passes flowed into each other.
profile ordered-rotation 8 8 0 0 0 0 1
cluster 1 8 1 0 1 true
expect seconds_per_pass 8 15 --passes 20
expect seconds_per_pass 8 8.35 --passes 20 --skewed
expect utilisation 8 0.95808 --passes 20 --skewed
# Twenty passes of a wave over 64 columns, by the profile's own word that passes flow; and with a barrier.
profile ordered-rotation 32 64 0 0 0 0 1
sed -i 's/"passes": 4,/"passes": 4, "skewed": true,/' "$dir/profile"
cluster 1 32 1 0 1 true
for workers in 8 16 32; do
    expect utilisation $workers "$(awk -v w=$workers 'BEGIN { print 1280 / (1279 + w) }')" --passes 20
    expect utilisation $workers "$(awk -v w=$workers 'BEGIN { print 64 / (63 + w) }')" --passes 20 --barriers
    "$bin/orrery" simulate --cluster "$dir/cluster" --format=json --ranks $workers --passes 20 "$dir/profile" > "$dir/out"
    awk -F'[:,]' '/"utilisation"/ { busy = $2 } END { exit !(busy >= .95) }' "$dir/out" ||
        fail "$workers workers are busy less than 95 % of the time"
done
cluster 1 8 1 0 1 true
# The same work on another grid.
profile rotation-2d 4 4 0 0 0 0 1
expect seconds_per_pass 8 2
expect rows 8 8
expect seconds_per_pass 2 8 --grid 2x16
# More rows than columns: half of the rows rest at each clock.
expect seconds_per_pass 1 16 --grid 4x2
expect seconds_per_pass 4 8 --grid 4x2
# Three keys: 4 x 4 x 4 equal blocks. On 2 x 2 x 2 the same work; four workers need four rows.
python3 - << 'END' > "$dir/profile"
import json
n = 4
steps = [[r, 1, 1000, n + (r + l - (k + r) % n) % n, (r + k) % n] for k in range(n) for l in range(n) for r in range(n)]
loop = {"loop": "a.c:3", "strategy": "rotation-nd", "rows": n, "columns": n * n, "passes": 4, "start_seconds": 0,
        "gap_seconds": 0, "inspect_seconds": 0, "record_bytes": 0, "copies_bytes": 0, "seconds_per_pass": 64,
        "arrays": [], "parts": [n, n, n], "batons": [0] * 2 * n, "steps": steps}
print(json.dumps({"schema": "orrery-profile/1", "threads": 1, "loops": [loop]}))
END
expect seconds_per_pass 1 64 --grid 2x2
expect seconds_per_pass 2 32 --grid 2x2
expect columns 1 4 --grid 2x2
expect seconds_per_pass 4 16 --grid 4x8
expect columns 1 64 --grid 4x8
sed 's/"parts": \[4, 4, 4\]/"parts": [4, 4, 0]/' "$dir/profile" > "$dir/bad"
! "$bin/orrery" simulate "$dir/bad" > "$dir/out" 2> "$dir/err" || fail "a dim without parts"
grep -q 'parts\[2\]: not a number of parts' "$dir/err" || fail "does not say which dim has no parts"
cluster 1 8 1 0 1 true
profile rotation-2d 4 4 0 0 0 0 1
# What handing over takes, per block.
sed -i 's/"block_us": 0/"block_us": 1e6/' "$dir/cluster"
expect seconds_per_pass 1 32
expect seconds_per_pass 1 20 --grid 2x2
# The best grid: as few blocks as ranks can share then, as many as ranks need when handing over is free.
expect grid_rows 1 1
expect grid_columns 1 1
sed -i 's/"block_us": 1e6/"block_us": 0/' "$dir/cluster"
sed -i 's/, 10, /, 1000, /' "$dir/profile"
expect grid_rows 8 8
expect grid_seconds 8 2
expect measured_grid_seconds 8 4
# Threads: all settings, and among equally fast ones the one that sends nothing.
"$bin/orrery" simulate --cluster "$dir/cluster" --ranks 1,2,4,8 --threads 1..8 "$dir/profile" > "$dir/out"
grep -q '^fastest: 1 rank of 8 threads' "$dir/out" || { cat "$dir/out" >&2; fail "does not name ranks and threads"; }
grep -q '^best grid: ' "$dir/out" || fail "does not name the best grid"
"$bin/orrery" simulate --cluster "$dir/cluster" --ranks 1..8 --threads 1,2 --svg "$dir/curve.svg" "$dir/profile" > "$dir/again"
grep -c '<circle' "$dir/curve.svg" | grep -qx 4 || fail "a point for every number of ranks"
# With a grid of the user's nobody looks for another.
"$bin/orrery" simulate --cluster "$dir/cluster" --grid 4x4 "$dir/profile" > "$dir/out"
lacks '^best grid' "$dir/out" || fail "another grid than the one asked for"

# ordered STRATEGY ROWS COLUMNS STEPS: a profile of levels or of a wavefront; STEPS: Python of (row, column).
ordered() {
    python3 - "$@" << 'END' > "$dir/profile"
import json, sys
strategy, rows, columns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
step = eval("lambda row, column: " + sys.argv[4])
loop = {"loop": "a.c:3", "strategy": strategy, "rows": rows, "columns": columns, "passes": 4, "start_seconds": 0,
        "gap_seconds": 0, "inspect_seconds": 0, "record_bytes": 0, "copies_bytes": 0, "seconds_per_pass": 1,
        "arrays": [], "batons": [], "steps": [[r] + step(r, c) for c in range(columns) for r in range(rows)]}
print(json.dumps({"schema": "orrery-profile/1", "threads": 1, "loops": [loop]}))
END
}
# A wavefront: W threads fill and drain; rows in turn; blocks without iterations take no time.
cluster 1 8 1 0 1 true
ordered wavefront 8 16 '[1, 10]'
expect seconds_per_pass 1 128 --threads 1
expect seconds_per_pass 1 65 --threads 2
expect seconds_per_pass 1 35 --threads 4
ordered wavefront 8 16 '[1, 10] if column >= row else [0, 0]'
expect seconds_per_pass 1 100 --threads 1
# On ranks: four bands of a row, stretches of one column. Each rank has two of them, 32 blocks, and the second one
# begins a block, a message and its sending (2 us) later; a message begins the pass, and one ends it.
cluster 4 1 1 500 1 true
ordered wavefront 4 16 '[1, 10]'
expect seconds_per_pass 2 33.001
sed -i 's/"arrays": \[\]/"arrays": [{"name": "u", "placement": "unplaced", "dim": -1, "bytes": 8}]/' "$dir/profile"
"$bin/orrery" simulate --cluster "$dir/cluster" --ranks 1,2 "$dir/profile" > "$dir/out"
grep -q 'does not fit: ranks cannot have parts of u' "$dir/out" || fail "an array that ranks cannot have parts of"
cluster 1 8 1 0 1 true
# The stages of a pipeline are as many as they are: more workers than stages find nothing to do.
profile pipeline 3 30 0 0 0 0 1
expect seconds_per_pass 1 90 --threads 1
expect seconds_per_pass 1 32 --threads 3
expect seconds_per_pass 1 32 --threads 6
expect rows 1 3 --threads 6
# Stages are dealt by what they cost, not equally many to each: two of a second, one of two; by what was counted,
# where that is known, as the run deals them.
sed -i 's/\[2, 1, 10/[2, 2, 10/' "$dir/profile"
expect seconds_per_pass 1 62 --threads 2
sed -i 's/"batons"/"stage_costs": [2, 1, 1], "batons"/' "$dir/profile"
expect seconds_per_pass 1 91 --threads 2
# On ranks their slots go one way: thirty columns of 1 MB over each of two links, and a byte back.
cluster 3 1 1 0 1 true
profile pipeline 3 30 0 0 0 1e6 1
expect bytes_moved 3 60000030
cluster 1 8 1 0 1 true
# Levels. Nobody needs anybody: four workers, a quarter of the time. All need all: the slowest of each column.
ordered levels 4 6 '[1, 10, 0, 0]'
expect seconds_per_pass 1 24 --threads 1
expect seconds_per_pass 1 6 --threads 4
ordered levels 4 6 '[2 if (row + column) % 4 == 0 else 1, 10, 15, 0]'
expect seconds_per_pass 1 12 --threads 4
ordered levels 4 6 '[2 if (row + column) % 4 == 0 else 1, 10, 0, 0]'
expect seconds_per_pass 1 8 --threads 4
# On ranks each tells each other after a column: two messages of 500 us, and eight bytes an iteration.
cluster 4 1 1 500 1 true
ordered levels 2 10 '[1, 1e6, 0, 0]'
expect seconds_per_pass 2 10.17
# Threads of one rank copy rows in and back: 26 GB at 6.5 GB/s each.
cluster 1 8 1 0 1 true
profile rotation-2d 4 4 0 0 0 0 1
sed -i 's/"passes": 4,/"passes": 4, "local_bytes": 2.6e10,/' "$dir/profile"
expect seconds_per_pass 1 16 --threads 1
expect seconds_per_pass 1 10 --threads 2
expect seconds_per_pass 2 8 --threads 1
expect seconds_per_pass 1 3 --threads 8
# A message takes a second of either processor: a region's start and end; two blocks, and behind each a baton that
# is sent and taken in. With two arrays in every baton there are twice as many messages.
cluster 4 1 1 0 1 true
sed -i 's/"between_nodes": {/"between_nodes": {"overhead_us": 1e6, /' "$dir/cluster"
profile rotation-2d 2 2 0 0 0 0 1
expect seconds_per_pass 2 10
expect baton_messages 2 4
sed -i 's/"batons"/"baton_messages": [2, 2], "batons"/' "$dir/profile"
expect seconds_per_pass 2 14
expect baton_messages 2 8
# And its bytes: a second for each of 1 MB, at either end.
sed -i 's/"overhead_us": 1e6/"overhead_us_per_mb": 1e6/' "$dir/cluster"
profile rotation-2d 2 2 0 0 0 1e6 1
expect seconds_per_pass 2 6.002
# A look at messages takes a second, one behind each of a rank's two blocks.
sed -i 's/"overhead_us_per_mb": 1e6/"test_us": 1e6/' "$dir/cluster"
profile rotation-2d 2 2 0 0 0 0 1
expect seconds_per_pass 2 4
# An array that comes home after every region: half of it is elsewhere, gathered and put where it belongs at 6.5 GB/s.
# One that is shared: rank 0 is told of it.
cluster 4 1 1 0 1 true
profile rotation-2d 2 2 0 0 0 0 1
sed -i 's/"bytes": 8000/"bytes": 2e9, "shared": true, "written": true, "home_bytes": 2e9/' "$dir/profile"
expect seconds_per_pass 2 3.30769
expect bytes_moved 2 1e9
sed -i 's/"home_bytes": 2e9/"home_bytes": 0/' "$dir/profile"
expect seconds_per_pass 2 2
# Every second region inspects anew: records are put in order for two seconds, those of the others and rank 0's own;
# the 2 GB of the array are copied twice, half of them and of 2 GB of records are sent.
sed -i 's/"record_bytes": 1000/"record_bytes": 2e9, "inspected_anew": 0.5, "pack_seconds": 2/' "$dir/profile"
expect seconds_per_pass 2 5.30769
expect seconds_per_pass 1 4
expect bytes_moved 2 1e9
# What serial code changes before every region: of what is cut half is sent, the rest goes to everybody, one rank from
# the other, at 6.5 GB/s at either end besides.
cluster 4 1 1 0 1 true
profile rotation-2d 4 4 0 0 0 0 1
sed -i -e 's/"bytes": 8000/"bytes": 2e9, "shared": true, "changed_bytes": 2e9/' \
    -e 's/"bytes": 500/"bytes": 500, "changed_bytes": 1e9/' "$dir/profile"
expect seconds_per_pass 1 16
expect seconds_per_pass 2 10.61538
expect bytes_moved 2 2e9
expect seconds_per_pass 4 7.26923
expect bytes_moved 4 4.5e9
# A bucket of tokens holds half a gigabyte, which passes at once when the link has had its rest: of 1 GB that is folded
# in each of 20 passes of a second half waits; with a link a tenth as fast as fills in a pass the bucket never fills again.
cluster 4 1 1 0 1 true
profile independent 2 1 0 0 2e9 0 1
expect seconds_per_pass 2 2
sed -i 's/"between_nodes": {/"between_nodes": {"burst_kb": 5e5, /' "$dir/cluster"
expect seconds_per_pass 2 1.5
sed -i 's/"gigabytes_per_s": 1}, "shared/"gigabytes_per_s": 0.1}, "shared/' "$dir/cluster"
expect seconds_per_pass 2 9.8 --passes 20
# Two switches of two nodes: what crosses goes through what all nodes of a switch share, a tenth as fast. Four batons of
# 1 MB in each of four clocks, of which every switch sends one to the other one: a baton's way round crosses twice.
cluster 4 1 1 0 1 true
profile rotation-2d 4 4 0 0 0 1e6 1
expect seconds_per_pass 4 4.004
sed -i '1s/{/{"nodes_per_switch": 2, "between_switches": {"latency_us": 0, "gigabytes_per_s": 0.1}, /' "$dir/cluster"
expect seconds_per_pass 4 4.022
expect seconds_per_pass 2 8.002
sed -i 's/"latency_us": 0, "gigabytes_per_s": 0.1/"latency_us": 5e5, "gigabytes_per_s": 1/' "$dir/cluster"
expect seconds_per_pass 2 8.002
# Half a second whenever something comes from the other switch; the region's start and end: two rounds of messages each.
expect seconds_per_pass 4 7.004
# GPUs, two per node, a hundred times as fast: blocks of ten milliseconds, batons by way of the hosts' memory.
cluster 2 4 1 0 1 true
sed -i '1s/{/{"gpus_per_node": 2, "gpu_speed": 100, "gpu_memory_gb": 1, "gpu_link": {"latency_us": 0, "gigabytes_per_s": 2}, /' "$dir/cluster"
expect seconds_per_pass 1 16
expect seconds_per_pass 1 0.16 --gpus
expect seconds_per_pass 2 0.08 --gpus
expect seconds_per_pass 4 0.048 --gpus
expect efficiency 2 1 --gpus
expect bytes_moved 2 8e6 --gpus
"$bin/orrery" simulate --cluster "$dir/cluster" --gpus --ranks 1..8 "$dir/profile" > "$dir/out"
grep -q 'does not fit: the cluster has 4 GPUs' "$dir/out" || fail "more ranks than GPUs"
grep -q 'a rank per GPU, 2 in a node, each 100 times as fast' "$dir/out" || fail "does not say what a GPU is"
sed -i 's/"gpu_memory_gb": 1/"gpu_memory_gb": 1e-6/' "$dir/cluster"
"$bin/orrery" simulate --cluster "$dir/cluster" --gpus --ranks 1 "$dir/profile" > "$dir/out"
grep -q "does not fit: a rank of .* GB does not fit a GPU's" "$dir/out" || fail "more than a GPU's memory"
# Merges: four of a second per pass, divided among threads; what rows changed goes to rank 0 and comes back,
# but for the last merge, which rank 0 keeps.
cluster 4 4 1 0 1 true
profile relaxed 4 1 0 0 0 0 1
sed -i 's/"passes": 4,/"passes": 4, "merges": 4, "merge_seconds": 4, "merge_sent_bytes": 1e9, "merge_back_bytes": 5e8,/' "$dir/profile"
expect seconds_per_pass 1 8 --threads 1
expect seconds_per_pass 1 2 --threads 4
sed -i 's/"merge_seconds": 4/"merge_seconds": 0/' "$dir/profile"
# Each rank's half is gathered and put in at 6.5 GB/s, and so is what comes back.
expect seconds_per_pass 2 3.14423 --threads 1
expect bytes_moved 2 8.75e8

cluster 1 8 1 0 1 true
profile rotation-2d 4 4 0 0 0 0 1
sed -i 's/, 10, /, 1000, /' "$dir/profile"
says() {
    grep -q -- "$1" "$dir/err" || { cat "$dir/err" >&2; fail "does not say: $1"; }
}

refuses() {
    local status=0
    "$bin/orrery" simulate "$@" > "$dir/out" 2> "$dir/err" || status=$?
    [ $status -eq 1 ] || fail "status $status for $*"
}

"$bin/orrery" simulate --cluster "$dir/cluster" --ranks 1..16 --svg "$dir/curve.svg" "$dir/profile" > "$dir/out"
grep -q 'does not fit: the cluster has room for 8 ranks' "$dir/out" || fail "says nothing of missing room"
grep -q '^fastest: 8 ranks' "$dir/out" || fail "does not name the fastest"
python3 -c 'import sys, xml.dom.minidom as x; d = x.parse(sys.argv[1]); assert len(d.getElementsByTagName("circle")) == 5' \
    "$dir/curve.svg" || fail "the picture is not one of five points"

echo '{"schema": "orrery-cluster/1", "cores": 3}' > "$dir/bad"
refuses --cluster "$dir/bad" "$dir/profile" && says 'cores: unknown member'
echo '{"schema": "orrery-cluster/1", "cores_per_node": 2.5}' > "$dir/bad"
refuses --cluster "$dir/bad" "$dir/profile" && says 'cores_per_node: not a whole number'
echo '{"schema": "orrery-cluster/1", "cores_per_node": 2, "within_node": {"latency": 3}}' > "$dir/bad"
refuses --cluster "$dir/bad" "$dir/profile" && says 'within_node.latency: unknown member'
echo '{"schema": "orrery-cluster/1", "cores_per_node": 2, "nodes_per_switch": 3}' > "$dir/bad"
refuses --cluster "$dir/bad" "$dir/profile" && says 'nodes_per_switch: means nothing without between_switches'
echo '{"schema": "orrery-cluster/1", "cores_per_node": 2, "gpu_speed": 3}' > "$dir/bad"
refuses --cluster "$dir/bad" "$dir/profile" && says 'gpu_speed: means nothing without gpus_per_node'
echo '{"schema": "orrery-cluster/1", "cores_per_node": 2, "gpus_per_node": 1}' > "$dir/bad"
refuses --cluster "$dir/bad" "$dir/profile" && says 'gpu_speed: missing'
echo '{"schema": "orrery-cluster/1", "cores_per_node": 2}' > "$dir/bad"
refuses --cluster "$dir/bad" --gpus "$dir/profile" && says '--gpus: the cluster has none'
echo '{"schema": "orrery-cluster/1", "cores_per_node": "many"}' > "$dir/bad"
refuses --cluster "$dir/bad" "$dir/profile" && says 'cores_per_node: not a number'
refuses "$dir/cluster" && says 'its schema is "orrery-cluster/1"'
refuses "$dir/missing" && says 'No such file'
head -c 300 "$dir/profile" > "$dir/short"
refuses "$dir/short" && says 'short:[0-9]*:[0-9]*: '
sed 's/\[0, 1, 1000, 0\]/[9, 1, 1000, 0]/' "$dir/profile" > "$dir/bad"
refuses "$dir/bad" && says 'steps\[0\]: not \[row, seconds'
sed 's/"batons"/"stage_costs": [1, 2, 0, 3], "batons"/' "$dir/profile" > "$dir/bad"
refuses "$dir/bad" && says 'stage_costs\[2\]: not what a stage costs'
sed 's/"rotation-2d"/"levels"/' "$dir/profile" > "$dir/bad"
refuses "$dir/bad" && says 'steps\[0\]: not \[row, seconds'
python3 - "$dir/profile" "$dir/bad" << 'END'
import json, sys
p = json.load(open(sys.argv[1]))
p["loops"][0]["strategy"], p["loops"][0]["batons"] = "wavefront", []
p["loops"][0]["steps"] = [s[:3] for s in p["loops"][0]["steps"][1:]]
json.dump(p, open(sys.argv[2], "w"))
END
refuses "$dir/bad" && says 'steps: not all blocks of the grid'
sed 's/"batons"/"baton_messages": [1, "x", 1, 1], "batons"/' "$dir/profile" > "$dir/bad"
refuses "$dir/bad" && says 'baton_messages\[1\]: not a number of messages'
refuses --busy "$dir/profile" "$dir/profile" && says 'it was taken with 1 threads, which is no more than 1'
sed 's/"threads": 1/"threads": 2/; s/a\.c:3/b.c:3/' "$dir/profile" > "$dir/bad"
refuses --busy "$dir/bad" "$dir/profile" && says 'it has none of the loops'
refuses --loop b.c:4 "$dir/profile" && says 'it has:'
sed 's/"batons": \[0, /"batons": [0, 0, /' "$dir/profile" > "$dir/bad"
refuses --grid 4x2 "$dir/bad" && says 'cannot be cut'
