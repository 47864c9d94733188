#!/bin/bash
# sample.sh BIN SOURCE NAME: a sample as the table of samples/README.md has it: on the GPU that the host plays its model has
# the bits of its serial loops, or the compiler refuses it with the code in the table.
. "$(dirname "$0")/../lib.sh"
set -o pipefail
bin=$1 source=$2 name=$3
dir=$work
cd "$dir"

# part FILE LINES: the beginning of a set.
part() {
    gzip -dc "$source/samples/data/$1.gz" 2>/dev/null | head -n "$2" >"$1" || true
}

case $name in
cp | groups) part names.tns 300 ;;
glove) part words.txt 8 ;;
kmeans | gbt | mlp) part covtype20k.csv 300 ;;
lda) part specs.ldac 20 ;;
fm | slr) part a9a 60 ;;
mf*) gzip -dc "$source/samples/data/names.mtx.gz" | awk '/^%/ {print; next} !n++ {print $1, $2, 500; next} n < 502' >names.mtx ;;
esac
case $name in
cp) set -- --rank 4 --epochs 1 names.tns ;;
embed) set -- --rank 4 --epochs 1 --nodes 60 --edges 100 --communities 4 ;;
glove) set -- --rank 4 --epochs 1 --least 3 words.txt ;;
kmeans) set -- --clusters 4 --iterations 2 covtype20k.csv ;;
lda) set -- --epochs 1 specs.ldac ;;
gbt) set -- --trees 1 --depth 3 covtype20k.csv ;;
pagerank) set -- --scale 6 --passes 2 ;;
groups) set -- --rounds 1 names.tns ;;
fm | slr) set -- --epochs 1 a9a ;;
gauss_seidel) set -- --grid 20 --sweeps 3 ;;
lcs) set -- --letters 60 ;;
*) set -- --rank 4 --epochs 1 names.mtx ;;
esac

file=$source/samples/$name/$name.c
[ -e "$file" ] || file=$source/samples/mf/$name.c
row=$(grep "^| \`$name\` | yes |" "$source/samples/README.md") || { echo "$name has no row in samples/README.md" >&2; exit 1; }
codes=$(echo "$row" | awk -F'|' '{ print $5 }' | grep -oE 'ORR24[0-9]+' | sort -u || true)
status=0
"$bin/orrery-cc" -O1 -ffp-contract=off -target gpu-shim "$file" -o program -lm >said 2>&1 || status=$?
if [ -n "$codes" ]; then
    [ "$status" -ne 0 ] || fail "it is built, though the table has $codes"
    [ "$(grep -oE 'ORR24[0-9]+' said | sort -u)" = "$codes" ] || fail "not $codes"
    exit 0
fi
[ "$status" -eq 0 ] || fail "it is not built"
timeout 300 "$bin/orrery" verify -target gpu --runs 1 -- ./program "$@" >said 2>&1 || fail "other bits"
grep -q '^verified' said || fail "not verified"

# stays: bytes that come back in three passes that nobody looks at, with what they write on the device or not; the
# output is the same but for its last column, seconds.
stays() {
    for stay in 0 1; do
        ORRERY_DEBUG=gpu_stay=$stay ORRERY_STATS=1 ./program "$@" >$stay.said 2>$stay.stats || fail "ORRERY_DEBUG=gpu_stay=$stay"
        sed -i 's/ [0-9.]* s$//' $stay.said
        sed -En 's/.* bytes to the device, ([0-9]+) from it.*/\1/p' $stay.stats
    done
    cmp 0.said 1.said >&2 || fail "other output when arrays stay"
}
case $name in
mf) set -- --rank 16 --epochs 3 --no-eval-each-epoch names.mtx ;;
glove) set -- --rank 64 --epochs 3 --least 1 --no-eval-each-epoch words.txt ;;
kmeans) ;;
*) exit 0 ;;
esac
read -r -d '' back kept < <(stays "$@") || true
[ "$name" = kmeans ] && [ "$kept" -le "$back" ] || [ "$kept" -lt $((back / 2)) ] || fail "$kept bytes come back, $back when nothing stays"
