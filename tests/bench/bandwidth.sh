# Sourced by run: `bandwidth [NAME ...]`: the machine's bandwidth (bandwidth.c), and what samples fetch. Bytes that an
# iteration fetches past the first and the second level of cache are counted by cachegrind (valgrind; with the caches of
# this machine) on the serial program, two further passes on a part of the data; seconds of the fastest pass of the program
# of orrery-cc, one thread, on the same. Share: of the bandwidth measured from the second level, and from memory. Where
# none reaches half, arithmetic or waiting for single lines bounds the sample.
data=$build/samples/data passes=12 sizes="24 1024 16384 262144"
[ -z "$quick" ] || { passes=4 && sizes="24 1024"; }
names=("$@")
[ $# -gt 0 ] || names=(mf mf_adaptive cp glove embed lda lda_delayed slr fm kmeans pagerank groups mlp)
[ -z "$quick" ] || names=(pagerank)
flags=(-O3 -mavx2 -mfma -ffast-math -I"$tree/include")
level1=$(getconf LEVEL1_DCACHE_SIZE) level2=$(getconf LEVEL2_CACHE_SIZE)
caches=(--D1="$level1,$(getconf LEVEL1_DCACHE_ASSOC),64" --LL="$level2,$(getconf LEVEL2_CACHE_ASSOC),64")

# part NAME LINES: the beginning of a set, with its size line put right.
part() {
    [ -e "$work/$1" ] || head -n "$2" "$data/$1" > "$work/$1"
    case $1 in *.mtx) sed -i "4s/[0-9]*\$/$(($2 - 4))/" "$work/$1" ;; esac
}

# sample NAME: its program in `source`, its words in `words`, the option that counts passes in `option`.
sample() {
    source=$1 option=--epochs
    case $1 in
    mf*) part names.mtx 40004 && source=mf words="--no-eval-each-epoch $work/names.mtx" ;;
    cp) part names.tns 40000 && words="--no-eval-each-epoch $work/names.tns" ;;
    glove) part words.txt 150 && words="--rank 50 --no-eval-each-epoch $work/words.txt" ;;
    embed) words="--no-eval-each-epoch --nodes 20000 --edges 40000" ;;
    lda*) part specs.ldac 500 && words="--no-eval-each-epoch $work/specs.ldac" ;;
    slr | fm) part a9a 8000 && words="--no-eval-each-epoch $work/a9a" ;;
    kmeans) part covtype20k.csv 2000 && option=--iterations && words="--label --clusters 64 $work/covtype20k.csv" ;;
    pagerank) option=--passes words="--scale 15" ;;
    groups) part names.tns 40000 && option=--rounds && words="--no-eval-each-epoch --passes 2 $work/names.tns" ;;
    mlp) part covtype20k.csv 2000 && words="--no-eval-each-epoch $work/covtype20k.csv" ;;
    esac
    [ "$1" != mf_adaptive ] || words="--adaptive $words"
}

# fetched PASSES: lines that the program fetches past both levels.
fetched() {
    # shellcheck disable=SC2086
    valgrind --tool=cachegrind --cache-sim=yes --cachegrind-out-file="$work/cachegrind" "${caches[@]}" \
        "$work/$source.serial" $option "$1" $words > "$work/out" 2> "$work/err" || { cat "$work/err" >&2; exit 1; }
    tr -d , < "$work/err" | awk '/D1  *misses/ { one = $4 } /LLd misses/ { two = $4 } END { print one, two }'
}

for threads in 1 2; do
    for kib in $sizes; do
        [ -x "$work/bandwidth" ] || cc -O3 -march=native -fopenmp "$tree/tests/bench/bandwidth.c" -o "$work/bandwidth"
        say "bandwidth: $kib KiB, $threads threads"
        measured=$("$work/bandwidth" $kib $threads)
        echo "bandwidth kib=$kib threads=$threads gb_s=$measured"
        [ $threads -eq 2 ] || echo "$kib $measured" >> "$work/machine"
    done
done
from2=$(awk '$1 == 1024 { print $2 }' "$work/machine") memory=$(awk '{ last = $2 } END { print last }' "$work/machine")
line="from_level2=$from2 from_memory=$memory"
command -v valgrind > "$work/found" || { echo "bandwidth $line samples=absent" && exit 0; }
for name in "${names[@]}"; do
    sample "$name"
    say "bandwidth: $name"
    for kind in "serial cc" "ours orrery-cc"; do
        [ -x "$work/$source.${kind% *}" ] || "${kind#* }" "${flags[@]}" "$tree/samples/$source/$source.c" \
            -o "$work/$source.${kind% *}" -L"$build/lib" -lorrery-load -lm
    done
    read -r few1 few2 < <(fetched 2)
    read -r many1 many2 < <(fetched 4)
    # shellcheck disable=SC2086
    ORRERY_THREADS=1 "$work/$source.ours" $option $passes $words > "$work/out"
    awk -v name="$name" -v one=$((many1 - few1)) -v two=$((many2 - few2)) -v from2="$from2" -v memory="$memory" '
        $1 == "epoch" || $1 == "round" { s = $(NF - 1); if (!n++ || s < least) least = s; next }
        !n && !count { for (i = 1; i < NF; ++i) if ($(i + 1) ~ /^(ratings|cells|counts|pairs|tokens|entries|rows|edges)/) count = $i }
        END { one *= 32; two *= two > 0 ? 32 : 0; a = one / least / 1e9 / from2; b = two / least / 1e9 / memory
          printf "bandwidth sample=%s iterations=%d past_level1=%.1f past_level2=%.1f ns=%.2f of_level2=%.2f of_memory=%.2f bound=%s\n",
              name, count, one / count, two / count, least * 1e9 / count, a, b,
              (b >= .5 ? "memory" : a >= .5 ? "level2" : "other")
          exit !(count > 0 && least > 0) }' "$work/out"
done
echo "bandwidth $line"
