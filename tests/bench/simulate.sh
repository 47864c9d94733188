# Sourced by run: `simulate`. Predicted against measured seconds per pass: a profile with one thread, then threads
# and ranks that were not profiled, interleaved.
# Then what planning each sample takes (processor time, parsing included), and 1,024 ranks.
ratings=$build/samples/data/names.mtx points=$build/samples/data/covtype20k.csv rounds=5
tensor=$build/samples/data/names.tns
[ -z "$quick" ] || rounds=1
cores=$(nproc)
echo "{\"schema\": \"orrery-cluster/1\", \"name\": \"here\", \"cores_per_node\": $cores}" > "$work/here"

# seconds PROGRAM: what the last run printed.
seconds() {
    sed -n 's/.*median \([0-9.]*\) s.*/\1/p; s/.* \([0-9.]*\) s per round.*/\1/p' "$work/out" | tail -n 1
}

# predict PROFILE RANKS THREADS
predict() {
    orrery simulate --cluster "$work/here" --format=json --ranks "$2" --threads "$3" "$1" |
        sed -n 's/.*"seconds_per_pass": \([0-9.e-]*\),.*/\1/p' | tail -n 1
}

# setting NAME PROGRAM ARGUMENT ...
setting() {
    local name=$1 program=$2 round kind command measured predicted
    shift 2
    for ((round = 1; round <= rounds; ++round)); do
        say "simulate $name: round $round of $rounds"
        for kind in 1x1 1x2 2x1; do
            case $kind in
            1x*) command="env ORRERY_THREADS=${kind#*x} $program" ;;
            *) command="orrery run -n ${kind%x*} --threads 1 -- $program" ;;
            esac
            # shellcheck disable=SC2086
            $command "$@" > "$work/out" || { say "$command failed"; exit 1; }
            seconds >> "$work/$name.$kind"
        done
        ORRERY_PROFILE=$work/$name.profile.$round ORRERY_THREADS=1 "$program" "$@" > "$work/out"
        for kind in 1x1 1x2 2x1; do
            predict "$work/$name.profile.$round" "${kind%x*}" "${kind#*x}" >> "$work/$name.$kind.predicted"
        done
    done
    for kind in 1x1 1x2 2x1; do
        measured=$(median < "$work/$name.$kind") predicted=$(median < "$work/$name.$kind.predicted")
        awk -v n="$name" -v k="$kind" -v m="$measured" -v p="$predicted" -v file="$work/errors" 'BEGIN {
            e = p > m ? p / m - 1 : 1 - p / m
            printf "simulate %s ranks_x_threads=%s measured_s=%s predicted_s=%s error=%.3f\n", n, k, m, p, e
            print e >> file }'
    done
}

for flags in "" -ffast-math; do
    # shellcheck disable=SC2086
    orrery-cc -O3 -march=native $flags "$tree/samples/mf/mf.c" -o "$work/mf$flags" -lm
    for rank in 32 128; do
        setting "mf$flags-$rank" "$work/mf$flags" --plain --rank $rank --epochs 8 --quiet --no-eval-each-epoch "$ratings"
    done
done
orrery-cc -O3 -march=native "$tree/samples/kmeans/kmeans.c" -o "$work/kmeans" -lm
setting kmeans "$work/kmeans" --label --clusters 64 --iterations 20 --quiet "$points"
for sample in cp embed; do
    orrery-cc -O3 -march=native "$tree/samples/$sample/$sample.c" -o "$work/$sample" -lm
done
setting cp "$work/cp" --epochs 8 --quiet --no-eval-each-epoch "$tensor"
setting embed "$work/embed" --epochs 8 --quiet --no-eval-each-epoch

# processor_ms COMMAND ...
processor_ms() {
    local TIMEFORMAT='%U %S'
    { time "$@" > "$work/ms.out" 2>&1; } 2>&1 | awk '{ printf "%.0f\n", ($1 + $2) * 1000 }'
}
for path in mf/mf mf/mf_rows mf/mf_structs cp/cp embed/embed kmeans/kmeans sptrsv/sptrsv; do
    for ((round = 1; round <= rounds; ++round)); do
        processor_ms orrery plan "$tree/samples/$path.c" >> "$work/plan.${path#*/}"
    done
    printf 'simulate planning=%s processor_ms=%s\n' "${path#*/}" "$(median < "$work/plan.${path#*/}")"
done
milliseconds orrery simulate --cluster "$tree/tests/bench/thousand.json" --ranks 1024 "$work/mf-32.profile.1" > "$work/many"
printf 'simulate ranks=1024 ms=%s\n' "$(cat "$work/many")"
awk -v e="$(median < "$work/errors")" -v w="$(sort -g "$work/errors" | tail -n 1)" \
    'BEGIN { printf "simulate accuracy=%.3f worst_error=%.3f\n", 1 - e, w }'
