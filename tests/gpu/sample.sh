#!/bin/bash
# sample.sh BIN SOURCE NAME: a sample as the table of samples/README.md has it: on the GPU that the host plays its model has
# the bits of its serial loops, or the compiler refuses it with the code in the table.
. "$(dirname "$0")/../lib.sh"
set -o pipefail
bin=$1 source=$2 name=$3
dir=$work
cd "$dir"

. "$here/sample_data.sh"
sample_data "$source" "$name"
file=$sample
set -- "${arguments[@]}"
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
timeout 300 "$bin/orrery" verify -target gpu --threads 2,3 --runs 1 -- ./program "$@" >said 2>&1 || fail "other bits"
grep -q '^verified' said || fail "not verified"

# stays: bytes that come back in three passes that nobody looks at, with what they write on the device or not; the
# output is the same but for its seconds.
stays() {
    for stay in 0 1; do
        ORRERY_DEBUG=gpu_stay=$stay ORRERY_STATS=1 ./program "$@" >$stay.said 2>$stay.stats || fail "ORRERY_DEBUG=gpu_stay=$stay"
        sed -Ei 's/[0-9.]+ s( |,|$)//g' $stay.said
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
stays "$@" >copied
{ read -r back && read -r kept; } <copied
[ "$name" = kmeans ] && [ "$kept" -le "$back" ] || [ "$kept" -lt $((back / 2)) ] || fail "$kept bytes come back, $back when nothing stays"
