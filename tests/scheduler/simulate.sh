#!/bin/bash
# simulate.sh BINDIR: orrery simulate against times worked out by hand, on profiles made for it.
set -eu

bin=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "simulate: $*" >&2
    exit 1
}

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
        ordered = strategy == "ordered-rotation"
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
    printf '{"schema": "orrery-cluster/1", "nodes": %s, "cores_per_node": %s, "memory_gb": 1, "contention": %s,
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
    awk -F'[:,]' '/"utilisation"/ { exit !($2 >= .95) }' \
        <("$bin/orrery" simulate --cluster "$dir/cluster" --format=json --ranks $workers --passes 20 "$dir/profile") ||
        fail "$workers workers are busy less than 95 % of the time"
done
cluster 1 8 1 0 1 true
# The same work on another grid.
profile rotation-2d 4 4 0 0 0 0 1
expect seconds_per_pass 8 2
expect rows 8 8
expect seconds_per_pass 2 8 --grid 2x16

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
echo '{"schema": "orrery-cluster/1", "cores_per_node": "many"}' > "$dir/bad"
refuses --cluster "$dir/bad" "$dir/profile" && says 'cores_per_node: not a number'
refuses "$dir/cluster" && says 'its schema is "orrery-cluster/1"'
refuses "$dir/missing" && says 'No such file'
head -c 300 "$dir/profile" > "$dir/short"
refuses "$dir/short" && says 'short:[0-9]*:[0-9]*: '
sed 's/\[0, 1, 10, 0\]/[9, 1, 10, 0]/' "$dir/profile" > "$dir/bad"
refuses "$dir/bad" && says 'steps\[0\]: not \[row, seconds'
sed 's/"rotation-2d"/"levels"/' "$dir/profile" > "$dir/bad"
refuses "$dir/bad" && says 'run by levels'
sed 's/"rotation-2d"/"wavefront"/' "$dir/profile" > "$dir/bad"
refuses "$dir/bad" && says 'a wavefront runs on the threads'
refuses --loop b.c:4 "$dir/profile" && says 'it has:'
refuses --grid 4x2 "$dir/profile" && says 'cannot be cut'
