# Sourced by run: `sptrsv`. Seconds in the triangular solves alone.
rounds=7 grid=700 steps=30
[ -z "$quick" ] || rounds=1 grid=60 steps=3
source=$tree/samples/sptrsv/sptrsv.c

one() {
    local kind=$1 command
    case $kind in
    serial) command="$work/serial" ;;
    thread1) command="env ORRERY_THREADS=1 $work/sptrsv" ;;
    thread2) command="env ORRERY_THREADS=2 $work/sptrsv" ;;
    esac
    $command --grid $grid --steps $steps --quiet > "$work/out" || { say "$command failed"; exit 1; }
    sed -n 's/.* \([0-9.]*\) s in triangles.*/\1/p' "$work/out" >> "$work/times.$kind"
}

cc -O3 -march=native "$source" -o "$work/serial" -lm
orrery-cc -O3 -march=native "$source" -o "$work/sptrsv" -lm
for ((round = 1; round <= rounds; ++round)); do
    say "sptrsv: round $round of $rounds"
    for kind in serial thread1 thread2; do
        one $kind
    done
done
for kind in serial thread1 thread2; do
    declare "$kind=$(median < "$work/times.$kind")"
done
# shellcheck disable=SC2154
echo "sptrsv grid=$grid serial_s=$serial one_thread_s=$thread1 two_threads_s=$thread2"
echo "sptrsv serial_over_one_thread=$(ratio "$serial" "$thread1") one_over_two_threads=$(ratio "$thread1" "$thread2")"
