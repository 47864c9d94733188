#!/bin/bash
# ranks.sh BINDIR: programs whose ranks play a device each: the same output for any number of ranks, with sums
# by tree and in the serial order, and that of one rank; batons go by way of the host while kernels run.
. "$(dirname "$0")/../lib.sh"
bin=$1
command -v mpirun >/dev/null || exit 77
dir=$work

# check NAME [arguments]: a program of tests/programs/gpu, or by its path
check() {
    program=$here/../programs/gpu/$1.c name=$(basename "$1")
    [ -e "$program" ] || program=$tree/tests/programs/$1.c
    shift
    [ -e "$dir/$name" ] || "$bin/orrery-cc" -O1 -w -target gpu-shim "$program" -o "$dir/$name" -lm 2>"$dir/said" ||
        fail "$name is not built"
    for setting in "tree 3" "serial 2"; do
        read -r sums ranks <<<"$setting"
        ORRERY_DEBUG=gpu_sums=$sums "$dir/$name" "$@" >"$dir/expected" 2>"$dir/said" || fail "$name: status $?"
        ORRERY_DEBUG=gpu_sums=$sums timeout -k 2 300 "$bin/orrery" run -n "$ranks" --oversubscribe "$dir/$name" "$@" \
            >"$dir/actual" 2>"$dir/said" || fail "$name on $ranks ranks: status $?"
        cmp "$dir/expected" "$dir/actual" || fail "$name: other output on $ranks ranks"
    done
}

check rotation 40 90
check rotation 5 3
check chained 9 30 x

# By levels: a launch per level; with serial sums the plain program's bits, and rows for all ranks.
check levels/by_levels
gcc -O1 -w -ffp-contract=off "$tree/tests/programs/levels/by_levels.c" -o "$dir/plain"
"$dir/plain" >"$dir/expected"
cmp "$dir/expected" "$dir/actual" || fail "by_levels: other output than the plain program's"
ORRERY_GRID=5x1 ORRERY_DEBUG=gpu_sums=serial ORRERY_STATS=1 timeout -k 2 300 "$bin/orrery" run -n 3 --oversubscribe "$dir/by_levels" \
    >"$dir/actual" 2>"$dir/said" || fail "by_levels with 5 rows: status $?"
cmp "$dir/expected" "$dir/actual" || fail "by_levels with 5 rows: other output than the plain program's"
grep -q 'by_levels.c:29 levels grid 5x' "$dir/said" || fail "by_levels has no rows for three ranks"
check independent
check rows x

# Wavefronts: a launch for each band and stretch of columns, and borders behind it.
check waves 5

# Relaxed arrays are merged over all ranks, of rotations too; of few iterations a rank has no rows.
check relaxed 400
check relaxed 40

# Memory of each rank is counted before anything runs.
! ORRERY_GPU_MEMORY=1 timeout -k 2 300 "$bin/orrery" run -n 2 --oversubscribe "$dir/rotation" 2000 900 >"$dir/said" 2>&1 ||
    fail "7 MB fit into 1"
grep -Eq 'the device of rank [01] has not got the memory: .* needs .*W [0-9.]+ MB' "$dir/said" || fail "it does not name W"

# A trace has the kernel of each rank, and copies and messages beside it; ORRERY_STATS says how many bytes.
ORRERY_STATS=1 ORRERY_TRACE="$dir/trace.json" timeout -k 2 300 "$bin/orrery" run -n 2 --oversubscribe "$dir/rotation" 40 90 \
    >"$dir/said" 2>&1 || fail "status $?"
spans() {
    awk -v wanted="$1" -v pid="$2" '
        match($0, /"pid":[0-9]+/) && substr($0, RSTART + 6, RLENGTH - 6) == pid && /"ph":"X"/ {
            match($0, /"ts":[-0-9.]+/); begin = substr($0, RSTART + 5, RLENGTH - 5) + 0
            match($0, /"dur":[0-9.]+/); end = begin + substr($0, RSTART + 6, RLENGTH - 6)
            if ($0 ~ /^{"name":"kernel [^"]*rotation.c:/) { from[kernels] = begin; to[kernels++] = end }
            if ($0 ~ wanted) { first[n] = begin; last[n++] = end }
        }
        END {
            for (k = 0; k < kernels; ++k)
                for (i = 0; i < n; ++i)
                    beside += first[i] < to[k] && last[i] > from[k]
            print beside + 0
        }' "$dir/trace.json"
}
for rank in 0 1; do
    for what in '"name":"copy to the device"' '"name":"copy from the device"' '"name":"column [0-9]+ to rank' \
        '"name":"column [0-9]+ from rank'; do
        [ "$(spans "$what" $rank)" -gt 0 ] || fail "rank $rank: no $what beside its kernels"
    done
    grep -Eq "rank $rank: kernels ran for .* s, [0-9]+ % of the .* s of its regions; .* [1-9][0-9]* of them while" "$dir/said" ||
        fail "rank $rank: no bytes were copied beside its kernels"
done

# Where MPI takes a device's memory, batons go from device to device: nothing is copied beside the kernels, the bits
# stay. With ORRERY_DEBUG=gpu_direct=0 they go by the host.
says_batons() {
    [ "$(grep -c "batons of [1-9][0-9]* bytes went $1" "$dir/said")" = "$2" ] || fail "not $2 ranks say: batons went $1"
}
direct() {
    ORRERY_STATS=1 timeout -k 2 300 "$bin/orrery" run -n 3 --oversubscribe "$dir/rotation" 40 90 >"$dir/actual" 2>"$dir/said" ||
        fail "status $?"
    cmp "$dir/expected" "$dir/actual" || fail "other output when messages take a device's memory"
}
gcc -shared -fPIC "$here/takes_device_memory.c" -o "$dir/takes.so"
"$dir/rotation" 40 90 >"$dir/expected"
direct
says_batons "by way of the host's memory .MPI does not say on every rank that it takes a device's memory" 3
for more in gpu_stay=1 gpu_stay=0,torture=3 shared=0; do
    (export LD_PRELOAD="$dir/takes.so" ORRERY_DEBUG=$more && direct)
    says_batons 'from device to device' 3
    [ "$(grep -c ', 0 of them while a kernel ran' "$dir/said")" = 3 ] || fail "$more: batons are copied"
done
(export LD_PRELOAD="$dir/takes.so" ORRERY_DEBUG=gpu_direct=0 && direct)
says_batons "by way of the host's memory (ORRERY_DEBUG=gpu_direct=0)" 3

# All of verify, on ranks as well.
"$bin/orrery" verify -target gpu --threads 2 --runs 1 --ranks 1,3 "$dir/rotation" 12 20 >"$dir/said" 2>&1 || fail "not verified"
grep -q 'serial sums, ranks 1,3, 1 run each: same bits' "$dir/said" || fail "no ranks with serial sums"
grep -q 'tree sums, ranks 1,3, 1 run each: same bits' "$dir/said" || fail "no ranks with sums by tree"
