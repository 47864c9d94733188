#!/bin/bash
# stay.sh BINDIR: what regions write stays on the device until serial code touches it: whatever it does, the output is
# that of the plain program, and the bytes copied are those that it asked for.
. "$(dirname "$0")/../lib.sh"
bin=$1
dir=$work
cd "$dir"

gcc -O1 -ffp-contract=off -w "$tree/tests/programs/stay/stay.c" -o plain -lm -pthread
"$bin/orrery-cc" -O1 -ffp-contract=off -w -target gpu-shim "$tree/tests/programs/stay/stay.c" -o shim -lm -pthread 2>said || fail "it is not built"

# copied STAY MODE PASSES: bytes to the device and from it, after the output was compared.
copied() {
    ./plain "$2" "$3" >expected
    ORRERY_DEBUG=gpu_stay=$1 ORRERY_STATS=1 ./shim "$2" "$3" >actual 2>said || fail "$2: status $?"
    cmp expected actual || fail "$2: other output, ORRERY_DEBUG=gpu_stay=$1"
    sed -En 's/.*copied ([0-9]+) bytes to the device, ([0-9]+) from it.*/\1 \2/p' said
}

array=320000
for mode in element sum write edge both static memcpy file kernel threads fork realloc free early; do
    read -r in out < <(copied 1 $mode 4)
    read -r in0 out0 < <(copied 0 $mode 4)
    [ "$in" -le $((in0 + 20000)) ] && [ "$out" -le $((out0 + 20000)) ] || fail "$mode: $in $out bytes, without $in0 $out0"
    eval "in_$mode=$in out_$mode=$out"
done

# Nothing between passes: ten passes more copy pieces of pages only; without, they copy all three arrays.
read -r in4 out4 < <(copied 1 none 4)
read -r in14 out14 < <(copied 1 none 14)
[ $((in14 - in4)) -lt $((array / 2)) ] && [ $((out14 - out4)) -lt $((array / 2)) ] || fail "ten passes copy $((in14 - in4)) and $((out14 - out4)) bytes"
[ "$out4" -lt $((3 * array + 100000)) ] || fail "$out4 bytes come back at the end"
read -r in4 out4 < <(copied 0 none 4)
read -r in14 out14 < <(copied 0 none 14)
[ $((out14 - out4)) -ge $((30 * array)) ] || fail "ORRERY_DEBUG=gpu_stay=0 copies only $((out14 - out4)) bytes"

# An element that is read brings its array, one that is written sends it too, the others stay.
[ "$out_element" -lt $((3 * array + 3 * array + array)) ] || fail "reading an element brings $out_element bytes"
[ "$in_write" -lt $((3 * array + 4 * array)) ] || fail "writing an element sends $in_write bytes"
[ "$in_edge" -lt $((3 * array + 100000)) ] || fail "writing at the edges sends $in_edge bytes"

# The same on two ranks, whose parts stay on their devices while the program leaves them alone: only the first pass
# sends and only the end brings back. An element that is read brings its array from both, and sends nothing.
# ranks STAY MODE PASSES: bytes to both devices and from them.
ranks() {
    ./plain "$2" "$3" 1 >expected
    ORRERY_DEBUG=gpu_stay=$1 ORRERY_STATS=1 timeout -k 2 300 "$bin/orrery" run -n 2 --oversubscribe ./shim "$2" "$3" 1 >actual 2>said ||
        fail "$2 on two ranks: status $?"
    cmp expected actual || fail "$2 on two ranks: other output, ORRERY_DEBUG=gpu_stay=$1"
    sed -En 's/.*copied ([0-9]+) bytes to the device, ([0-9]+) from it.*/\1 \2/p' said | awk '{ i += $1; o += $2 } END { print i, o }'
}
if command -v mpirun >/dev/null; then
    read -r in4 out4 < <(ranks 1 none 4)
    read -r in14 out14 < <(ranks 1 none 14)
    [ "$in4" -lt $((3 * array)) ] && [ "$out4" -lt $((array + 50000)) ] || fail "four passes on two ranks copy $in4 and $out4 bytes"
    [ $((in14 - in4)) -lt 10000 ] && [ $((out14 - out4)) -lt 100000 ] || fail "ten on two ranks copy $((in14 - in4)) and $((out14 - out4)) bytes"
    read -r in0 out0 < <(ranks 0 none 4)
    [ "$out0" -ge $((4 * array)) ] || fail "ORRERY_DEBUG=gpu_stay=0 on two ranks copies only $out0 bytes"
    read -r in out < <(ranks 1 element 4)
    [ "$in" -lt $((in4 + 10000)) ] && [ "$out" -lt $((5 * array)) ] || fail "reading an element on two ranks copies $in and $out bytes"
    for mode in write edge kernel fork realloc free; do
        ranks 1 $mode 3 >copied
    done
fi

# A run that dies at its fourth pass goes on from the checkpoint before it.
cat >saved.c <<'C'
#include <stdio.h>
#include <stdlib.h>
enum { N = 40000 };
static double sums[N];
int main(void) {
    double *a = malloc(N * sizeof *a), sum = 0;
    for (long i = 0; i < N; ++i)
        a[i] = (double)(i % 97);
    for (int pass = 0; pass < 6; ++pass) {
#pragma orrery parallel
        for (long i = 0; i < N; ++i) {
            a[i] = .5 * a[i] + 1. / (3 + i);
            sums[i] += a[i];
        }
        if (pass == 3 && getenv("DIES"))
            abort();
    }
    for (long i = 0; i < N; ++i)
        sum += a[i] * sums[i];
    printf("%.17g\n", sum);
}
C
gcc -O1 -ffp-contract=off -w saved.c -o plain
"$bin/orrery-cc" -O1 -ffp-contract=off -w -target gpu-shim saved.c -o shim 2>said || fail "saved.c is not built"
export ORRERY_DEBUG=writer=0 # each pass is saved before the next one begins
! DIES=1 ORRERY_CHECKPOINT=saved ./shim >/dev/null 2>said || fail "it lives"
ls saved/*.h5 >/dev/null 2>&1 || fail "no checkpoint"
ORRERY_CHECKPOINT=saved ./shim >actual 2>said || fail "it does not go on"
[ "$(cat actual)" = "$(./plain)" ] || fail "other output from a checkpoint"
if command -v mpirun >/dev/null; then
    rm -r saved
    ! DIES=1 ORRERY_CHECKPOINT=saved timeout -k 2 300 "$bin/orrery" run -n 2 --oversubscribe ./shim >/dev/null 2>said || fail "two ranks live"
    ORRERY_CHECKPOINT=saved timeout -k 2 300 "$bin/orrery" run -n 2 --oversubscribe ./shim >actual 2>said || fail "two ranks do not go on"
    [ "$(cat actual)" = "$(./plain)" ] || fail "two ranks: other output from a checkpoint"
fi
