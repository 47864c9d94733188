# Sourced by run: `pipeline`. A stream that is learned from once: the serial program at -O3 against one and two threads.
rounds=7 records=400000
[ -z "$quick" ] || rounds=1 records=3000
cc -O3 "$tree/samples/stream/stream.c" -o "$work/stream.serial" -lm
orrery-cc -O3 "$tree/samples/stream/stream.c" -o "$work/stream.ours" -lm
for ((round = 1; round <= rounds; ++round)); do
    say "pipeline: round $round of $rounds"
    for kind in serial thread1 thread2; do
        command=("$work/stream.ours")
        [ $kind != serial ] || command=("$work/stream.serial")
        ORRERY_THREADS=${kind#thread} ORRERY_STATS=1
        [ $kind != serial ] || ORRERY_THREADS=1
        export ORRERY_THREADS ORRERY_STATS
        "${command[@]}" --records $records > "$work/out" 2> "$work/err" || { say "${command[*]} failed"; exit 1; }
        sed -n 's/.* \([0-9.]*\) s, .*/\1/p' "$work/out" >> "$work/times.$kind"
    done
    grep -q ' pipeline grid' "$work/err" || { say "stream did not run as a pipeline"; exit 1; }
done
for kind in serial thread1 thread2; do
    declare "$kind=$(median < "$work/times.$kind")"
done
# shellcheck disable=SC2154
echo "pipeline stream serial_s=$serial one_thread_s=$thread1 two_threads_s=$thread2"
echo "pipeline serial_over_one_thread=$(ratio "$serial" "$thread1") ratio=$(ratio "$serial" "$thread2")"
