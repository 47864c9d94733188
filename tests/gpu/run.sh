#!/bin/bash
# run.sh BINDIR: what a program with loops on a GPU says and refuses when it runs (samples: gpu.sample_NAME).
. "$(dirname "$0")/../lib.sh"
bin=$1
dir=$work

build() {
    "$bin/orrery-cc" -O1 -w -target gpu-shim "$@" -lm 2>"$dir/said" || fail "$* is not built"
}

says() {
    grep -Eq "$1" "$dir/said" || fail "it does not say: $1"
}

build "$here/../programs/gpu/rotation.c" -o "$dir/rotation"

# Memory is counted before anything runs, and the arrays are named.
cat >"$dir/large.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    long n = 1 << 19;
    double *big = calloc(n, sizeof *big), *other = calloc(n, sizeof *other);
#pragma orrery parallel target(gpu)
    for (long i = 0; i < n; ++i)
        big[i] += other[i] + 1;
    printf("%g\n", big[7]);
}
C
build "$dir/large.c" -o "$dir/large"
[ "$("$dir/large")" = 1 ] || fail "other results"
! ORRERY_GPU_MEMORY=5 "$dir/large" >"$dir/said" 2>&1 || fail "8 MB fit into 5"
says 'large\.c:7: the device has not got the memory: .* needs (big|other) 4\.2 MB, (big|other) 4\.2 MB'

# Sizes of statics come from the symbol table.
build "$here/../programs/gpu/waves.c" -o "$dir/waves"
strip "$dir/waves"
! "$dir/waves" >"$dir/said" 2>&1 || fail "a stripped program knows the size of a static"
says 'the size of x .* is not known \(the program has no symbol table, .*: do not strip it\)'

# What cannot be had is an error.
! ORRERY_DEBUG=gpu_blocks=100 "$dir/rotation" >"$dir/said" 2>&1 || fail "100 blocks run at once"
says 'ORRERY_DEBUG=gpu_blocks=100: the host shim runs at most 64 blocks'
! ORRERY_DEBUG=gpu_sums=fast "$dir/rotation" >"$dir/said" 2>&1 || fail "ORRERY_DEBUG=gpu_sums=fast"
says 'ORRERY_DEBUG: `gpu_sums=fast` cannot be understood'
ORRERY_STATS=1 "$dir/rotation" 5 3 >"$dir/said" 2>&1 || fail "status $?"
says 'rotation\.c:[0-9]+: the grid has 3 rows \(r\[n\]\.user has few values'

# Two loops, two passes: what each brings is counted, and none of it while a kernel runs on one rank.
says 'rank 0: kernels ran for [0-9.]+ s, [0-9]+ % of the [0-9.]+ s of its regions; copied [1-9][0-9]* bytes to the device, [1-9][0-9]* from it, 0 of them while'

# A change that is no number ends a merge on the device with the words of one on the host, the element and the row.
cat >"$dir/endless.c" <<'C'
#include <stdlib.h>
int main(void) {
    float *w = calloc(100, sizeof *w), *x = calloc(900, sizeof *x);
    x[500] = x[520] = x[890] = 1e30f;
#pragma orrery parallel unordered relax(w) grid(20, 1) sync(steps = 3)
    for (int i = 0; i < 900; ++i)
        w[(i + 90) % 100] += x[i] * x[i] - w[(i + 50) % 100];
    return w[0] > 5;
}
C
"$bin/orrery-cc" -O1 -w "$dir/endless.c" -o "$dir/endless_host" -lm
build "$dir/endless.c" -o "$dir/endless"
! "$dir/endless_host" >"$dir/expected" 2>&1 || fail "an infinite change is merged"
! "$dir/endless" >"$dir/said" 2>&1 || fail "an infinite change is merged on the device"
says 'endless\.c:[0-9]+: .*w\[[0-9]+\].*infinite or not a number'
diff "$dir/expected" "$dir/said" || fail "other words on the device"

# A GPU rounds to nearest.
sed 's/^#include/#include <fenv.h>\n&/; s/^int main(void) {/&\n    fesetround(FE_UPWARD);/' "$dir/large.c" >"$dir/upward.c"
build "$dir/upward.c" -o "$dir/upward"
! "$dir/upward" >"$dir/said" 2>&1 || fail "a GPU rounds upwards"
says 'upward\.c:[0-9]+: the program has set another direction of rounding \(fesetround\), .* run it on the CPU'

# The clause alone; without nvcc it says so.
! PATH=/usr/bin:/bin ORRERY_NVCC=/nowhere/nvcc "$bin/orrery-cc" -c "$dir/large.c" -o "$dir/o.o" 2>"$dir/said" ||
    fail "nvcc that is not there compiles"
says '/nowhere/nvcc'

# Plain C still builds the file.
gcc -w "$dir/large.c" -o "$dir/plain" && [ "$("$dir/plain")" = 1 ] || fail "not removable"

# Where nvcc is, the program is built for a GPU; here it has none, and says so, or runs.
nvcc=${ORRERY_NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] && [ -e "$bin/../lib/orrery/cuda.txt" ] || exit 0
"$bin/orrery-cc" -O2 -target gpu "$dir/large.c" -o "$dir/cuda" -lm 2>"$dir/said" ||
    fail "nvcc does not build it"
if "$dir/cuda" >"$dir/actual" 2>"$dir/said"; then
    [ "$(cat "$dir/actual")" = 1 ] || fail "other output"
else
    says 'the program has loops for a GPU, and there is none'
fi
