#!/bin/bash
# waves_stay.sh BINDIR: what wavefronts on several ranks write stays on their devices until somebody reads it: whatever
# the program does between passes, its output is the plain program's, and the bytes copied are those that it asked for.
# With a sanitizer ($SANITIZE) the program does everything at once.
. "$(dirname "$0")/../lib.sh"
bin=$1
command -v mpirun >/dev/null || exit 77
dir=$work
cd "$dir"

gcc -O1 -ffp-contract=off -w "$tree/tests/programs/stay/waves_stay.c" -o plain -pthread
"$bin/orrery-cc" -O1 -ffp-contract=off -w -target gpu-shim "$tree/tests/programs/stay/waves_stay.c" -o shim -pthread 2>said || fail "it is not built"

# copied STAY RANKS MODE PASSES [SEED]: bytes to all devices and from them, after the output was compared.
copied() {
    ./plain "${@:3}" >expected
    ORRERY_DEBUG=${ORRERY_DEBUG-},gpu_stay=$1 ORRERY_STATS=1 timeout -k 2 300 "$bin/orrery" run -n "$2" --oversubscribe ./shim "${@:3}" >actual 2>said ||
        fail "$3 on $2 ranks: status $?"
    cmp expected actual || fail "$3 on $2 ranks: other output, ORRERY_DEBUG=gpu_stay=$1"
    sed -En 's/.*copied ([0-9]+) bytes to the device, ([0-9]+) from it.*/\1 \2/p' said | awk '{ i += $1; o += $2 } END { print i, o }'
}

# What is copied and launched, counted; a sanitizer ($SANITIZE) has nothing to add to that.
counts() {
    # Nothing between passes: five passes more copy the edges of bands, of two arrays. Without, they copy all.
    array=320000
    for ranks in 3 2; do
        read -r in4 out4 < <(copied 1 $ranks none 4)
        read -r in9 out9 < <(copied 1 $ranks none 9)
        [ $((in9 - in4)) -lt $((5 * array / 10)) ] && [ $((out9 - out4)) -lt $((5 * array / 10)) ] ||
            fail "five passes on $ranks ranks copy $((in9 - in4)) and $((out9 - out4)) bytes"
        [ "$out4" -lt $((3 * array)) ] || fail "$out4 bytes come back from $ranks ranks"
    done
    read -r in0 out0 < <(copied 0 2 none 4)
    [ "$in0" -ge $((2 * in4)) ] && [ "$out0" -ge $((4 * 2 * array * 9 / 10)) ] ||
        fail "ORRERY_DEBUG=gpu_stay=0 copies only $in0 and $out0 bytes"

    # A launch for each band, to which messages come and from which they go. Down columns, which are many pieces, one for each
    # stretch: of a band there are more.
    # launches MODE LINE: of the loop at this line, on rank 1.
    launches() {
        ORRERY_DEBUG=${ORRERY_DEBUG-},bands=2 ORRERY_TRACE=$dir/trace.json copied 1 2 "$1" 6 >bytes
        grep -c "\"name\":\"kernel [^\"]*waves_stay.c:$2\"[^}]*\"pid\":1" trace.json
    }
    line() {
        awk -v name="$1" '$0 ~ "^static .* " name "\\(" { found = 1 } found && /pragma/ { print NR + 1; exit }' "$tree/tests/programs/stay/waves_stay.c"
    }
    [ "$(launches none "$(line sweep)")" = 12 ] || fail "six passes of two bands are not twelve launches"
    [ "$(launches columns "$(line columns)")" -gt 12 ] || fail "no launch for each stretch down the columns"
    grep -Eq 'rank 1: .* from it, [1-9][0-9]* of them while a kernel ran' said || fail "nothing is copied beside a kernel"

    # An element that is read brings its array and sends nothing; one that is written sends it, too; so does one on a page
    # that is never owed. Another array that is written is sent, and nothing comes.
    within() {
        read -r in out < <(copied 1 2 "$1" 4)
        [ "$in" -lt $((in4 + $2 * array + 100000)) ] && [ "$out" -lt $((out4 + $3 * array + 100000)) ] ||
            fail "$1 copies $((in - in4)) and $((out - out4)) bytes more"
    }
    within element 0 3
    within table 0 3
    within write 5 4
    within edge 5 4
    within other_array 5 0
}
[ -n "${SANITIZE:-}" ] || counts

# Serial code, the kernel, a child, other loops on the same memory: the output is right.
on_two="both memcpy file kernel threads fork realloc free halve sum_rows bounds"
on_three="element edge sweep columns columns_element all" seeds="1 2" late="write fork all" small=all
[ -z "${SANITIZE:-}" ] || on_two=bounds on_three=all seeds=1 late=all small=all
# Each of them on two ranks or on three, and what touches everything on two where nothing stays.
for mode in $on_two; do
    copied 1 2 $mode 2 >bytes
done
for mode in $on_three; do
    copied 1 3 $mode 2 >bytes
done
copied 0 2 all 3 >bytes
for seed in $seeds; do
    copied 1 3 mixed 6 $seed >bytes
done
export ORRERY_DEBUG=torture=5
for mode in $late; do
    copied 1 2 $mode 2 >bytes
done
unset ORRERY_DEBUG

# Small blocks and many bands: what a band makes is wanted by others in small pieces.
export ORRERY_GRID=3000x13 ORRERY_DEBUG=bands=4
for mode in $small; do
    copied 1 3 $mode 2 >bytes
done
unset ORRERY_GRID ORRERY_DEBUG

# A run that dies goes on from the checkpoint before.
cat >saved.c <<'C'
#include <stdio.h>
#include <stdlib.h>
enum { N = 150 };
static double u[N][N];
int main(void) {
    double sum = 0;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            u[i][j] = i * j % 17;
    for (int pass = 0; pass < 6; ++pass) {
#pragma orrery parallel
        for (int i = 1; i < N; ++i)
            for (int j = 1; j < N; ++j)
                u[i][j] = .5 * u[i - 1][j] + .5 * u[i][j - 1] + .125 * u[i][j];
        if (pass == 3 && getenv("DIES"))
            abort();
    }
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            sum = sum * .999 + u[i][j];
    printf("%.17g\n", sum);
}
C
gcc -O1 -ffp-contract=off -w saved.c -o plain
"$bin/orrery-cc" -O1 -ffp-contract=off -w -target gpu-shim saved.c -o shim 2>said || fail "saved.c is not built"
export ORRERY_DEBUG=writer=0 # each pass is saved before the next one begins
! DIES=1 ORRERY_CHECKPOINT=saved timeout -k 2 300 "$bin/orrery" run -n 2 --oversubscribe ./shim >/dev/null 2>said || fail "two ranks live"
ls saved/*.h5 >/dev/null 2>&1 || fail "no checkpoint"
ORRERY_CHECKPOINT=saved timeout -k 2 300 "$bin/orrery" run -n 2 --oversubscribe ./shim >actual 2>said || fail "two ranks do not go on"
[ "$(cat actual)" = "$(./plain)" ] || fail "other output from a checkpoint"
