# Sourced by run: `wavefront`. Gauss-Seidel and LCS: the serial program at -O3 against two threads; beside
# them what Pluto makes of the same loops, where it is installed.
rounds=7 grid=2000 sweeps=40 letters=10000
[ -z "$quick" ] || rounds=1 grid=200 sweeps=4 letters=500
for name in gauss_seidel lcs; do
    source=$tree/samples/$name/$name.c
    cc -O3 "$source" -o "$work/$name.serial" -lm
    orrery-cc -O3 "$source" -o "$work/$name.ours" -lm
    case $name in
    gauss_seidel) words=(--grid $grid --sweeps $sweeps --quiet) ;;
    lcs) words=(--letters $letters) ;;
    esac
    for ((round = 1; round <= rounds; ++round)); do
        say "wavefront: $name, round $round of $rounds"
        for kind in serial thread1 thread2; do
            command=("$work/$name.ours")
            [ $kind != serial ] || command=("$work/$name.serial")
            ORRERY_THREADS=${kind#thread} ORRERY_STATS=1
            [ $kind != serial ] || ORRERY_THREADS=1
            export ORRERY_THREADS ORRERY_STATS
            "${command[@]}" "${words[@]}" > "$work/out" 2> "$work/err" || { say "${command[*]} failed"; exit 1; }
            sed -n 's/.* \([0-9.]*\) s, .*/\1/p' "$work/out" >> "$work/times.$name.$kind"
        done
        grep -q ' wavefront grid' "$work/err" || { say "$name did not run as a wavefront"; exit 1; }
    done
    for kind in serial thread1 thread2; do
        declare "$kind=$(median < "$work/times.$name.$kind")"
    done
    # shellcheck disable=SC2154
    echo "wavefront $name serial_s=$serial one_thread_s=$thread1 two_threads_s=$thread2" \
        "serial_over_one_thread=$(ratio "$serial" "$thread1") serial_over_two_threads=$(ratio "$serial" "$thread2")"
    ratio "$serial" "$thread2" >> "$work/ratios"
done
# Pluto's output for the same two loops (tests/bench/wavefront_pluto.c), where there is a polycc.
if command -v polycc > "$work/found"; then
    cp "$tree/tests/bench/wavefront_pluto.c" "$work/kernels.c"
    (cd "$work" && polycc --tile --parallel kernels.c -o kernels.pluto.c > pluto.out 2>&1) ||
        { cat "$work/pluto.out" >&2; exit 1; }
    cc -O3 -fopenmp "$work/kernels.pluto.c" -o "$work/pluto" -lm
    for ((round = 1; round <= rounds; ++round)); do
        OMP_NUM_THREADS=2 "$work/pluto" $grid $sweeps $letters > "$work/out"
        for name in gauss_seidel lcs; do
            sed -n "s/^$name //p" "$work/out" >> "$work/times.$name.pluto"
        done
    done
    for name in gauss_seidel lcs; do
        echo "wavefront $name pluto_two_threads_s=$(median < "$work/times.$name.pluto")" \
            "serial_over_pluto=$(ratio "$(median < "$work/times.$name.serial")" "$(median < "$work/times.$name.pluto")")"
    done
else
    echo "wavefront pluto=absent"
fi
echo "wavefront ratio=$(sort -g "$work/ratios" | head -n 1)"
