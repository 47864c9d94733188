#!/bin/bash
# A sample built by orrery-cc: the same model on threads and on ranks (others: samples.bits_NAME), as good on held-out data as the
# serial program's and as the figure that its README compares it with; one block is the serial program; the loop is
# parallel for the reason that the README gives; bad input is named.
# usage: suite.sh NAME [WHICH]
. "$(dirname "$0")/common.sh"
name=$1 samples=$build/samples/data
worse=1.01 one_block=same good_line='1 1' bound=

# What is run (arguments), the reasons of the loops, and the most (or `least`) that the last figure may be.
case $name${2:+-$2} in
pagerank)
    arguments=(--scale 12 --passes 12) codes=ORR1051 bound=1.000001
    ;;
fm)
    arguments=(--test "$samples/a9a.t" "$samples/a9a") codes=ORR1501 bound=0.3225 good_line='+1 1:1'
    ;;
mf_adarev)
    arguments=(--rank 8 --epochs 3 "$data") codes="ORR1201 ORR1501" bound=0.58
    ;;
mf_adarev-delayed)
    # Without Orrery the program has one common rate: another algorithm.
    arguments=(--rank 8 --epochs 3 --delayed "$data") codes="ORR1201 ORR1501" bound=0.77 worse=9 one_block=other
    ;;
mlp | mlp-greedy)
    arguments=(--epochs 2 ${2:+--greedy} "$samples/covtype20k.csv") codes="ORR1051 ORR1601" good_line='1,2' bound=0.70
    # Its clause grid(8, 1) stands whatever ORRERY_GRID says.
    [ "${2:-}" = greedy ] || one_block=other
    ;;
gbt)
    arguments=(--trees 20 "$samples/covtype20k.csv") codes="ORR1001 ORR1051" good_line='1,2' bound=0.22
    ;;
lda_delayed)
    head -400 "$samples/specs.ldac" > "$work/part.ldac"
    arguments=(--epochs 40 --no-eval-each-epoch "$work/part.ldac") codes=ORR1051 bound=7.52 good_line='1 1:1'
    ;;
umap)
    # Batches are another order of the samples, whatever the grid.
    arguments=(--rows 700 --epochs 60 "$samples/covtype20k.csv") codes=ORR1710 bound=0.43 worse=1.06 one_block=other good_line='1,2'
    ;;
groups)
    arguments=(--rounds 4 "$samples/names.tns") codes=ORR1051 bound=0.60
    ;;
esac

last_figure() {
    sed -n 's/.* \([0-9.]*\)$/\1/p' "$1" | tail -n 1
}

# at_most WHAT OURS LIMIT FACTOR
at_most() {
    awk -v ours="$2" -v limit="$3" -v factor="$4" 'BEGIN { exit !(ours > 0 && ours <= limit * factor) }' ||
        fail "$1: $2, at most $3 times $4"
}

# same OTHER: the model files of the last run are those of OTHER.
same() {
    for file in "$work/model".*; do
        cmp "$work/$1.${file#"$work/model."}" "$file" || fail "another model: $2"
    done
}

# train WHAT COMMAND ...: leaves the model beside and what is printed in $work/WHAT.txt.
train() {
    local what=$1
    shift
    rm -f "$work/model".*
    timeout 300 "$@" --quiet --output "$work/model" "${arguments[@]}" > "$work/$what.txt" 2> "$work/err.txt" ||
        { cat "$work/err.txt"; fail "$*"; }
    [ "$(grep -c passes "$work/$what.txt")" -eq 1 ] || fail "$*: lines are not printed once"
}

# keep NAME: the model files of the last run under another name.
keep() {
    for file in "$work/model".*; do
        mv "$file" "$work/$1.${file#"$work/model."}"
    done
}

compile gcc "$name" "$work/serial-program"
compile "$orrery_cc" "$name" "$work/program"
train serial "$work/serial-program"
keep serial
ORRERY_THREADS=1 train one "$work/program"
keep one
ORRERY_THREADS=3 train threads "$work/program"
same one "3 threads"
train ranks "$orrery" run -n 2 --oversubscribe --threads 1 -- "$work/program"
same one "2 ranks"
at_most "held out, over the serial program" "$(last_figure "$work/one.txt")" "$(last_figure "$work/serial.txt")" $worse
[ -z "$bound" ] || at_most "held out" "$(last_figure "$work/one.txt")" "$bound" 1
if [ $one_block = same ]; then
    ORRERY_GRID=1x1 train block "$work/program"
    same serial "one block is not the serial program"
fi
"$orrery" analyze "$(source_of "$name")" > "$work/said" 2>&1
for code in $codes; do
    grep -q "parallel.*\[$code\]" "$work/said" || { cat "$work/said"; fail "no $code"; }
done
refuses 2 "unknown option" "$work/serial-program" --none 1
if [ -n "$good_line" ]; then
    refuses 1 "$work/none: cannot open" "$work/serial-program" "$work/none"
    printf '%s\nx y\n' "$good_line" > "$work/bad"
    refuses 1 "$work/bad:2:1: error: " "$work/serial-program" "$work/bad"
    : > "$work/empty"
    refuses 1 "$work/empty: error: " "$work/serial-program" "$work/empty"
fi

# The example of Wikipedia's page on PageRank: pages A to K are nodes 1 to 11, their ranks in percent.
if [ "$name" = pagerank ]; then
    printf '%s\n' '2 3' '3 2' '4 1' '4 2' '5 2' '5 4' '5 6' '6 2' '6 5' '7 2' '7 5' '8 2' '8 5' '9 2' '9 5' '10 5' '11 5' > "$work/edges"
    "$work/program" --top 11 "$work/edges" | sed -n 's/^node \([0-9]*\)  rank \(.*\)/\1 \2/p' | sort -n |
        awk '{ printf "%.1f ", 100 * $2 }' > "$work/ranks"
    [ "$(cat "$work/ranks")" = "3.3 38.4 34.3 3.9 8.1 3.9 1.6 1.6 1.6 1.6 1.6 " ] ||
        fail "the ranks are $(cat "$work/ranks")"
fi
