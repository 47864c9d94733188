#!/bin/bash
# profile_phases.sh BINDIR: a row that merges cut into phases counts with all of them in a profile, however unequal
# they are.
set -eu

bin=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "profile_phases: $*" >&2
    exit 1
}

# A row's first iterations take thousands of steps, all others one: its last fifteen phases are nothing.
cat > "$dir/a.c" << 'END'
#include <stdio.h>
#include <stdlib.h>
enum { N = 4096, STEPS = 20000 };
static long length[N];
static float w[64];
int main(void) {
    for (long i = 0; i < N; ++i)
        length[i] = i % 512 < 16 ? STEPS : 1;
    for (int pass = 0; pass < 4; ++pass) {
#pragma orrery parallel unordered relax(w) sync(iterations = 8)
        for (long i = 0; i < N; ++i) {
            float x = w[i % 64];
            for (long k = 0; k < length[i]; ++k)
                x = x * .9999f + .0001f;
            w[i % 64] += .001f * (1 - x - w[(i + 7) % 64]);
        }
    }
    printf("%g\n", w[3]);
    return 0;
}
END
"$bin/orrery-cc" -O1 -w -Werror=serial "$dir/a.c" -o "$dir/a" || fail "a.c is not compiled"
ORRERY_GRID=8x1 ORRERY_THREADS=1 ORRERY_PROFILE=$dir/one "$dir/a" > "$dir/out"
ORRERY_GRID=8x1 ORRERY_THREADS=2 ORRERY_PROFILE=$dir/two "$dir/a" | cmp - "$dir/out" || fail "two threads say otherwise"
python3 - "$dir/one" "$dir/two" << 'END' || fail "the blocks of a.c"
import json, sys
one, two = (json.load(open(f))["loops"][0] for f in sys.argv[1:])
blocks = sum(step[1] for step in one["steps"])
assert one["merges"] > 30, one["merges"]
assert sum(step[2] for step in one["steps"]) == 4096, one["steps"]
assert blocks > .01 * (one["seconds_per_pass"] - one["merge_seconds"]), (blocks, one["seconds_per_pass"])
END
"$bin/orrery" simulate --ranks 1 --threads 1,2 --busy "$dir/two" "$dir/one" > "$dir/out" || fail "it is not simulated"
