# Sourced by run: `mf [FILE]`. FILE: ratings, default the part that the repository ships.
file=${1:-$build/samples/data/names.mtx}
[ -r "$file" ] || { say "no $file: build the target sample-data"; exit 1; }
epochs=8 rounds=5 ranks="32 128" flavours="strict contracted fast" grids="2x2 4x4 8x8 16x16 32x32 2x32 32x2"
if [ -n "$quick" ]; then
    { sed -n '1,3p' "$file"; sed -n 4p "$file" | sed 's/[0-9]*$/50000/'; sed -n '5,50004p' "$file"; } \
        > "$work/quick.mtx"
    file=$work/quick.mtx epochs=3 rounds=1 ranks=16 flavours=fast grids="2x2 8x8"
fi
mf=$tree/samples/mf/mf.c

# Both sides get the same words. strict: as a user types them; cc then contracts a*b+c and orrery-cc does
# not (docs/decisions.md, 4). contracted: both do.
flags_of() {
    case $1 in
    strict) echo "-O3 -march=native" ;;
    contracted) echo "-O3 -march=native -ffp-contract=fast" ;;
    fast) echo "-O3 -march=native -ffast-math" ;;
    esac
}

# one KIND FLAVOUR RANK [OPTION ...]: one run; appends its seconds per pass to its list.
one() {
    local kind=$1 flavour=$2 rank=$3 command
    shift 3
    case $kind in
    serial) command="$work/serial.$flavour" ;;
    thread1) command="env ORRERY_THREADS=1 $work/mf.$flavour" ;;
    thread2) command="env ORRERY_THREADS=2 $work/mf.$flavour" ;;
    rank1) command="orrery run -n 1 --threads 1 -- $work/mf.$flavour" ;;
    rank2) command="orrery run -n 2 --threads 1 -- $work/mf.$flavour" ;;
    esac
    # shellcheck disable=SC2086
    "$work/peak" "$work/peak.$kind.$flavour.$rank" $command --plain --rank "$rank" --epochs $epochs \
        --quiet --no-eval-each-epoch "$@" "$file" > "$work/out" || { say "$command failed"; exit 1; }
    sed -n 's/.*median \([0-9.]*\) s.*/\1/p' "$work/out" >> "$work/pass.$kind.$flavour.$rank"
    sed -n 's/.*passes in \([0-9.]*\) s.*/\1/p' "$work/out" >> "$work/total.$kind.$flavour.$rank"
    sed -n 's/.*held-out \([0-9.]*\)$/\1/p' "$work/out" >> "$work/rmse.$kind.$flavour.$rank"
}

of() {
    median < "$work/$1"
}

time_setting() {
    local flavour=$1 rank=$2 kind round
    for ((round = 1; round <= rounds; ++round)); do
        for kind in serial thread1 thread2 rank1 rank2; do
            say "mf $flavour rank $rank: round $round of $rounds, $kind"
            one $kind "$flavour" "$rank"
        done
    done
    local key=$flavour.$rank
    local a b c d
    a=$(ratio "$(of pass.serial.$key)" "$(of pass.thread1.$key)")
    b=$(ratio "$(of pass.thread1.$key)" "$(of pass.thread2.$key)")
    c=$(ratio "$(of pass.rank1.$key)" "$(of pass.rank2.$key)")
    d=$(ratio "$(of peak.thread1.$key)" "$(of peak.serial.$key)")
    echo "mf flags=$flavour rank=$rank serial_s=$(of pass.serial.$key) one_thread_s=$(of pass.thread1.$key)" \
        "two_threads_s=$(of pass.thread2.$key) one_rank_s=$(of pass.rank1.$key) two_ranks_s=$(of pass.rank2.$key)" \
        "serial_total_s=$(of total.serial.$key) one_thread_total_s=$(of total.thread1.$key)" \
        "serial_over_one_thread=$a one_over_two_threads=$b one_over_two_ranks=$c" \
        "held_out_serial=$(of rmse.serial.$key) held_out=$(of rmse.thread2.$key) memory=$d"
    echo "$a" >> "$work/a" && echo "$b" >> "$work/b" && echo "$c" >> "$work/c" && echo "$d" >> "$work/d"
}

# Held-out error on each grid against the serial program's.
try_grids() {
    local rank=$1 grid worst=0 serial ours
    serial=$(of rmse.serial.fast."$rank")
    for grid in $grids; do
        say "mf fast rank $rank: grid $grid"
        rm -f "$work/rmse.thread2.fast.$rank" "$work/pass.thread2.fast.$rank"
        ORRERY_GRID=$grid one thread2 fast "$rank"
        ours=$(of rmse.thread2.fast."$rank")
        echo "mf rank=$rank grid=$grid held_out=$ours serial=$serial over_serial=$(ratio "$ours" "$serial")" \
            "two_threads_s=$(of pass.thread2.fast."$rank")"
        ratio "$ours" "$serial" >> "$work/grid"
    done
}

# Inner loops of the outlined body that the compiler vectorizes, of those there are.
count_vectors() {
    local flavour=$1
    orrery emit "$mf" -o "$work/emitted.c" && sed -i 's/^#line.*//' "$work/emitted.c"
    # shellcheck disable=SC2046
    cc $(flags_of "$flavour") -w -I "$tree/runtime" -fopt-info-vec-optimized \
        -c "$work/emitted.c" -o "$work/emitted.o" 2> "$work/vectors"
    awk -F: -v flavour="$flavour" '
        FILENAME == ARGV[1] { if (/loop vectorized/) vectorized[$2] = 1; next }
        /^static .*orrery_(block|body)_[0-9]+\(/ { inside = 1 }
        inside && /;$/ && /^static/ { inside = 0 }
        inside && /for \(int k = 0/ { ++loops; hits += (FNR in vectorized) }
        /^}/ { inside = 0 }
        END { printf "mf flags=%s inner_loops=%d vectorized=%d\n", flavour, loops, hits }' \
        "$work/vectors" "$work/emitted.c"
}

region_start() {
    local threads
    orrery-cc -O3 "$tree/tests/bench/region.c" -o "$work/region"
    for threads in 1 2; do
        ORRERY_THREADS=$threads "$work/region" ${quick:+200} > "$work/region.$threads"
        sed "s/^/mf threads=$threads /" "$work/region.$threads"
    done
}

for flavour in $flavours; do
    # shellcheck disable=SC2046
    cc $(flags_of "$flavour") "$mf" -o "$work/serial.$flavour" -lm
    # shellcheck disable=SC2046
    orrery-cc $(flags_of "$flavour") "$mf" -o "$work/mf.$flavour" -lm
done
for flavour in $flavours; do
    count_vectors "$flavour"
    for rank in $ranks; do
        time_setting "$flavour" "$rank"
    done
done
for rank in $ranks; do
    try_grids "$rank"
done
region_start
echo "mf serial_over_one_thread=$(of a) one_over_two_threads=$(of b) one_over_two_ranks=$(of c)" \
    "memory=$(of d) worst_held_out=$(sort -g "$work/grid" | tail -n 1)" \
    "region_start_us=$(sed -n 's/.*independent_us=\([0-9.]*\).*/\1/p' "$work/region.2")"
