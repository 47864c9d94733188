# Sourced by run: `accesses`: what a run under watch (`orrery-cc -accesses`, docs/accesses.md) takes over the plain
# program (cc -O2): programs of tests/bench/accesses and the sample mf. Per line: the median of both, and their ratio.
# requires: run.

# plain_and_watched NAME SOURCE: both programs
plain_and_watched() {
    cc -O2 "$2" -o "$work/$1.plain" -lm
    orrery-cc -accesses -O2 "$2" -o "$work/$1.watched" -lm
}

# seconds VARIANT NAME ARGUMENT...: of one run
seconds() {
    variant=$1 program=$2
    shift 2
    rm -rf "$work/watched" && mkdir "$work/watched"
    start=$(date +%s.%N)
    ORRERY_ACCESSES=$work/watched "$work/$program.$variant" "$@" | sed -E 's/[0-9.]+ s\>//g' >"$work/$variant.out"
    awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { printf "%.4f\n", b - a }'
}

# compare NAME ARGUMENT...: both, interleaved
compare() {
    : >"$work/plain.times" && : >"$work/watched.times"
    for round in $(seq "$rounds"); do
        say "$1, round $round"
        for which in plain watched; do
            seconds "$which" "$@" >>"$work/$which.times"
        done
        cmp -s "$work/plain.out" "$work/watched.out" || { say "$1: the outputs differ" && exit 1; }
    done
    plain=$(median <"$work/plain.times") watched=$(median <"$work/watched.times")
    ratio "$watched" "$plain" >>"$work/ratios"
    echo "accesses $1 plain=$plain watched=$watched ratio=$(ratio "$watched" "$plain")"
}

rounds=3
matrix='' saxpy='' stencil='' csr='' text='' list=''
[ -z "$quick" ] || { rounds=1 epochs=1 matrix=64 saxpy=100000 stencil=100 csr=1000 text=10000 list=10000; }
for program in matrix saxpy stencil csr text list; do
    plain_and_watched "$program" "$tree/tests/bench/accesses/$program.c"
    # shellcheck disable=SC2086
    compare "$program" ${!program}
done
gzip -dc "$tree/samples/data/names.mtx.gz" >"$work/ratings.mtx"
plain_and_watched mf "$tree/samples/mf/mf.c"
compare mf --plain --epochs "${epochs:-3}" "$work/ratings.mtx"
echo "accesses ratio=$(median <"$work/ratios") worst=$(sort -g "$work/ratios" | tail -n 1)"
