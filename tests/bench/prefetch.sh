# Sourced by run: `prefetch`. Served weights on two emulated hosts, 1 Gbit/s and 0.2 ms apart: in bulk
# with lists made in every pass, in bulk with lists that are kept, and copies.
rounds=3 passes=7 examples=4096
if [ -n "$quick" ]; then
    rounds=1 passes=3 examples=256
fi
"$build/bin/orrery-cc" -O2 "$tree/tests/bench/prefetch.c" -o "$work/prefetch" > "$work/said" 2>&1 ||
    { cat "$work/said" >&2; exit 1; }
for ((round = 1; round <= rounds; ++round)); do
    echo "always $work/bulk.$round $work/prefetch $examples $passes fresh"
    echo "always $work/cached.$round $work/prefetch $examples $passes"
    echo "never $work/copies.$round $work/prefetch $examples $passes"
done > "$work/jobs"
say "prefetch: $rounds rounds of passes over $examples examples, two hosts"
status=0
"$tree/tests/bench/prefetch_hosts.sh" "$build/bin" "$work/jobs" > "$work/said" 2>&1 || status=$?
if [ $status -eq 77 ]; then
    echo "prefetch absent: $(tail -n 1 "$work/said")"
    exit 0
fi
[ $status -eq 0 ] || { cat "$work/said" >&2; exit 1; }

# The passes but the first, which lays the data out.
seconds_of() {
    sed -n 's/^pass [1-9].* seconds //p' "$work/$1".[0-9] | median
}
losses_of() {
    sed -n 's/^pass \([01]\) loss \([^ ]*\) .*/\1 \2/p' "$1"
}
for ((round = 1; round <= rounds; ++round)); do
    for kind in bulk cached; do
        [ "$(losses_of "$work/$kind.$round")" = "$(losses_of "$work/copies.1")" ] ||
            { say "prefetch: other results $kind"; exit 1; }
    done
done
bulk=$(seconds_of bulk) cached=$(seconds_of cached) copies=$(seconds_of copies)
echo "prefetch features=1000000 entries=$((examples * 30)) ranks=2 bulk_s=$bulk cached_s=$cached copies_s=$copies"
echo "prefetch copies=$(ratio "$copies" "$cached") cached=$(ratio "$bulk" "$cached")"
