# Sourced by run: `relax`. Logistic regression over pointers to rows, merged by default, on logical workers.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
size="${1:-100000} 100000 10 .05"
[ -z "$quick" ] || size="2000 2000 3 .05"
grep -v '^#pragma' "$tree/tests/bench/relax.c" > "$work/serial.c"
cc -O3 -ffp-contract=off "$work/serial.c" -o "$work/serial" -lm
# The last pass: its loss online and after it, and seconds.
last() { tail -n 1 | sed 's/.*online \([0-9.a-z]*\) loss \([0-9.a-z]*\)  *\([0-9.]*\) s/\1 \2 \3/'; }
# shellcheck disable=SC2086
read -r online wanted base <<< "$("$work/serial" $size | last)"
echo "serial online $online loss $wanted seconds $base"
for rows in default 1 2 8 16 64; do
    clause=" grid($rows, 1)"
    [ "$rows" != default ] || clause=
    sed "s/relax(w)/&$clause/" "$tree/tests/bench/relax.c" > "$work/relax.c"
    "$build/bin/orrery-cc" -O3 -ffp-contract=off "$work/relax.c" -o "$work/relax" -lm
    for threads in 1 2; do
        # shellcheck disable=SC2086
        read -r online loss seconds <<< "$(ORRERY_THREADS=$threads "$work/relax" $size | last)"
        echo "rows $rows threads $threads online $online loss $loss seconds $seconds"
        [ "$rows $threads" != "default 2" ] || ratio=$(awk "BEGIN { printf \"%.3f\", $base / $seconds }")
    done
done
echo "relax ratio=$ratio"
