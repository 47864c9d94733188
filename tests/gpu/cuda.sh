#!/bin/bash
# cuda.sh BINDIR: what speaks CUDA (runtime/device/cuda), against a CUDA runtime that the host plays (cuda_played.c): it
# is as late and as strict as CUDA may be, kernels cannot read the host's memory nor the host the device's.
. "$(dirname "$0")/../lib.sh"
bin=$1
lib=$bin/../lib/orrery
[ -e "$lib/cuda.txt" ] || exit 77
cuda=$(dirname "$(cat "$lib/cuda.txt")")
while [ ! -e "$cuda/include/cuda_runtime.h" ]; do
    [ "$cuda" != / ] || exit 77
    cuda=$(dirname "$cuda")
done
dir=$work
cd "$dir"

gcc -O1 -g -Wall -Wextra -Werror -I"$here/../.." -isystem "$cuda/include" -c "$here/cuda_played.c" -o played.o 2>said || fail "$(cat said)"

# build FILE NAME: the program with the table of CUDA in its kernels, which the host's compiler builds.
flags='-O1 -w -fno-pie -ffp-contract=off -std=gnu17'
build() {
    "$bin/orrery" emit -target gpu --kernels "$2.cu" -o "$2.c" "$1" 2>said || fail "$2 is not emitted"
    gcc $flags -D__ORRERY__=1 -DORRERY_CONTRACTION=0 -I"$lib/include" -c "$2.c" -o "$2.o"
    gcc $flags -Dorrery_device_host=orrery_device_cuda -I"$lib/include" -x c -c "$2.cu" -o "$2.k.o"
    "$bin/orrery-cc" "$2.o" "$2.k.o" played.o -o "$2" -lm -pthread 2>said || fail "$2 is not linked"
    gcc -O1 -w -ffp-contract=off "$1" -o "$2.plain" -lm -pthread
}

# Arrays that stay on the device, and come back to whoever touches them: large ones, which kernels cannot read.
build "$tree/tests/programs/stay/stay.c" stay
for mode in sum write memcpy file threads fork free none; do
    ./stay.plain $mode 3 >expected
    ./stay $mode 3 >actual 2>said || fail "$mode: status $?"
    cmp expected actual || fail "$mode: other output"
done
# More than the pinned memory holds: its halves are used again and again.
cat >pieces.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    long n = 4000000;
    double *x = malloc(n * sizeof *x), sum = 0;
    for (long i = 0; i < n; ++i)
        x[i] = i % 1013;
#pragma orrery parallel target(gpu)
    for (long i = 0; i < n; ++i)
        x[i] = 3 * x[i] + 1;
    for (long i = 0; i < n; ++i)
        sum += x[i] * (i % 7);
    printf("%.0f\n", sum);
}
C
build pieces.c long
[ "$(./long)" = "$(./long.plain)" ] || fail "32 MB are others on the way"

status=0
PLAYED_DEVICES=0 ./stay none 3 >actual 2>said || status=$?
[ "$status" = 1 ] && grep -q 'the program has loops for a GPU, and there is none: no CUDA-capable device is detected' said ||
    fail "status $status without a device"
status=0
ORRERY_DEBUG=gpu_blocks=5 ./stay none 3 >actual 2>said || status=$?
[ "$status" = 1 ] && grep -q 'ORRERY_DEBUG=gpu_blocks=5: the GPU runs at most 4 blocks' said || fail "status $status with 5 blocks"

# Batons while kernels run, on two devices and on one that two ranks share; by way of pinned memory, and directly.
command -v mpirun >/dev/null || exit 0
build "$here/../programs/gpu/rotation.c" rotation
./rotation 40 90 >expected 2>said || fail "status $?"
ranks() {
    ORRERY_STATS=1 timeout -k 2 300 "$bin/orrery" run -n 2 --oversubscribe ./rotation 40 90 >actual 2>said || fail "status $?"
    cmp expected actual || fail "other output on two ranks"
    grep -q "batons of [1-9][0-9]* bytes went $1" said || fail "batons did not go $1"
}
PLAYED_SAYS=1 PLAYED_DEVICES=1 ranks "by way of the host's memory"
[ "$(grep -c 'a stream of device 0 of 1' said)" = 4 ] || fail "two ranks do not share a device"
PLAYED_SAYS=1 PLAYED_DEVICES=2 ranks "by way of the host's memory"
[ "$(grep -c 'a stream of device 0 of 2' said) $(grep -c 'a stream of device 1 of 2' said)" = '2 2' ] || fail "two ranks do not take two devices"

# refused WHAT [environment]: the run ends with status 1 and says so.
refused() {
    status=0
    (export "${@:2}" && timeout -k 2 300 "$bin/orrery" run -n 2 --oversubscribe ./rotation 40 90 >actual 2>said) || status=$?
    [ "$status" -ne 0 ] && [ "$status" -lt 124 ] && grep -Eq "$1" said || fail "status $status, not: $1"
}
# Who shares a device has his part of its blocks; a rank without one ends the run.
refused 'ORRERY_DEBUG=gpu_blocks=3: the GPU runs at most 2 blocks' ORRERY_DEBUG=gpu_blocks=3 PLAYED_DEVICES=1
refused 'rank [01] has no GPU: .* ranks with and without one cannot run one loop together' PLAYED_DEVICES=0
gcc -shared -fPIC "$here/takes_device_memory.c" -o takes.so
(export LD_PRELOAD="$dir/takes.so" PLAYED_DIRECT=1 PLAYED_DEVICES=2 && ranks "from device to device")

# Wavefronts: messages to the device and from it while a kernel waits for them, and what stays there.
build "$tree/tests/programs/stay/waves_stay.c" waves
for mode in none element fork columns all; do
    ./waves.plain $mode 3 >expected
    timeout -k 2 300 "$bin/orrery" run -n 2 --oversubscribe ./waves $mode 3 >actual 2>said || fail "waves, $mode: status $?"
    cmp expected actual || fail "waves, $mode: other output on two ranks"
done
