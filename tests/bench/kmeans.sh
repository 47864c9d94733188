# Sourced by run: `kmeans`.
file=$build/samples/data/covtype20k.csv rounds=7 iterations=20
[ -z "$quick" ] || rounds=1 iterations=3
source=$tree/samples/kmeans/kmeans.c

one() {
    local kind=$1 flavour=$2 command
    case $kind in
    serial) command="$work/serial.$flavour" ;;
    thread1) command="env ORRERY_THREADS=1 $work/kmeans.$flavour" ;;
    thread2) command="env ORRERY_THREADS=2 $work/kmeans.$flavour" ;;
    rank1) command="orrery run -n 1 --threads 1 -- $work/kmeans.$flavour" ;;
    rank2) command="orrery run -n 2 --threads 1 -- $work/kmeans.$flavour" ;;
    esac
    $command --label --clusters 64 --iterations $iterations --quiet "$file" > "$work/out" ||
        { say "$command failed"; exit 1; }
    sed -n 's/.* \([0-9.]*\) s per round.*/\1/p' "$work/out" >> "$work/times.$kind.$flavour"
}

for flavour in strict fast; do
    flags="-O3 -march=native"
    [ $flavour = strict ] || flags="$flags -ffast-math"
    # shellcheck disable=SC2086
    cc $flags -I"$tree/include" "$source" -o "$work/serial.$flavour" -L"$build/lib" -lorrery-load -lm
    # shellcheck disable=SC2086
    orrery-cc $flags "$source" -o "$work/kmeans.$flavour" -lm
    for ((round = 1; round <= rounds; ++round)); do
        say "kmeans $flavour: round $round of $rounds"
        for kind in serial thread1 thread2 rank1 rank2; do
            one $kind $flavour
        done
    done
    for kind in serial thread1 thread2 rank1 rank2; do
        declare "$kind=$(median < "$work/times.$kind.$flavour")"
    done
    # shellcheck disable=SC2154
    echo "kmeans flags=$flavour serial_s=$serial one_thread_s=$thread1 two_threads_s=$thread2 one_rank_s=$rank1" \
        "two_ranks_s=$rank2 serial_over_one_thread=$(ratio "$serial" "$thread1")" \
        "one_over_two_threads=$(ratio "$thread1" "$thread2") one_over_two_ranks=$(ratio "$rank1" "$rank2")"
    ratio "$serial" "$thread1" >> "$work/a"
    ratio "$thread1" "$thread2" >> "$work/b"
    ratio "$rank1" "$rank2" >> "$work/c"
done
echo "kmeans serial_over_one_thread=$(median < "$work/a") one_over_two_threads=$(median < "$work/b")" \
    "one_over_two_ranks=$(median < "$work/c")"
