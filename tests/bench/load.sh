# Sourced by run: seconds to read a file of coordinates, ours on one and two threads against the
# loop that one writes: fgets, and strtof for each number of the line. Last line:
#   load ratio=R one_over_two_threads=R one_over_two_ranks=R     (R: their time over ours)
file=${1:-}
if [ -z "$file" ]; then
    file=$work/entries.tns
    gzip -dc "$tree/samples/data/names.tns.gz" > "$file"
    [ -n "$quick" ] || for _ in 1 2; do cat "$file" "$file" > "$work/more" && mv "$work/more" "$file"; done
fi
cc -O2 -I"$tree/include" "$tree/tests/bench/load.c" -o "$work/load" -L"$build/lib" -lorrery-load -lm
orrery-cc -O2 -DON_RANKS "$tree/tests/bench/load.c" -o "$work/load-ranks"
say "load: $(wc -l < "$file") lines, $(stat -c %s "$file") bytes"
for round in 1 2 3 4 5; do
    for way in plain 1 2; do
        "$work/load" "$way" "$file" >> "$work/load.$way"
    done
    for by in alone ranks; do
        ORRERY_DEBUG=load=$by orrery run -n 2 --oversubscribe --threads 1 "$work/load-ranks" 1 "$file" >> "$work/load.$by"
    done
    [ -z "$quick" ] || break
done
for way in plain 1 2 alone ranks; do
    eval "time_$way=$(median < "$work/load.$way")"
    echo "load way=$way seconds=$(median < "$work/load.$way")"
done
# shellcheck disable=SC2154
echo "load ratio=$(ratio "$time_plain" "$time_1") one_over_two_threads=$(ratio "$time_1" "$time_2") one_over_two_ranks=$(ratio "$time_alone" "$time_ranks")"
