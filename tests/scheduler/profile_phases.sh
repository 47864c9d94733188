#!/bin/bash
# profile_phases.sh BINDIR: a row that merges cut into phases counts with all of them in a profile, however unequal
# they are.
. "$(dirname "$0")/../lib.sh"

bin=$1
dir=$work

# profiles NAME GRID: NAME.one and NAME.two of NAME.c, with one thread and with two.
profiles() {
    "$bin/orrery-cc" -O1 -w -Werror=serial "$dir/$1.c" -o "$dir/$1" || fail "$1.c is not compiled"
    ORRERY_GRID=$2 ORRERY_THREADS=1 ORRERY_PROFILE=$dir/$1.one "$dir/$1" > "$dir/out"
    ORRERY_GRID=$2 ORRERY_THREADS=2 ORRERY_PROFILE=$dir/$1.two "$dir/$1" | cmp - "$dir/out" ||
        fail "$1.c: two threads say otherwise"
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
profiles a 8x1
python3 - "$dir/a.one" << 'END' || fail "the blocks of a.c"
import json, sys
one = json.load(open(sys.argv[1]))["loops"][0]
blocks = sum(step[1] for step in one["steps"])
assert one["merges"] > 30, one["merges"]
assert sum(step[2] for step in one["steps"]) == 4096, one["steps"]
assert blocks > .01 * (one["seconds_per_pass"] - one["merge_seconds"]), (blocks, one["seconds_per_pass"])
END
"$bin/orrery" simulate --ranks 1 --threads 1,2 --busy "$dir/a.two" "$dir/a.one" > "$dir/out" || fail "it is not simulated"

# Two rows that take turns: what one of them does, the other one waits for at the next merge.
cat > "$dir/b.c" << 'END'
#include <stdio.h>
enum { N = 32, STEPS = 800000 };
static float w[64];
int main(void) {
    for (int pass = 0; pass < 5; ++pass) {
#pragma orrery parallel unordered relax(w) sync(iterations = 1)
        for (long i = 0; i < N; ++i) {
            float x = w[i];
            for (long k = 0; k < ((i / 16 + i) % 2 ? STEPS : 1); ++k)
                x = x * .9999f + .0001f;
            w[i] += .001f * (1 - x);
        }
    }
    printf("%g\n", w[3]);
    return 0;
}
END
profiles b 2x1
python3 - "$dir/b.two" << 'END' || fail "the waits of b.c"
import json, sys
two = json.load(open(sys.argv[1]))["loops"][0]
work = sum(step[1] for step in two["steps"])
print(two["phase_seconds"], work)
assert two["phase_seconds"] > .7 * work
END
"$bin/orrery" simulate --format=json --ranks 1 --threads 2 --busy "$dir/b.two" "$dir/b.one" > "$dir/out"
python3 - "$dir/b.two" "$dir/out" << 'END' || fail "the model does not wait"
import json, sys
two, model = json.load(open(sys.argv[1]))["loops"][0], json.load(open(sys.argv[2]))
def found(value):
    if isinstance(value, dict):
        return [value["seconds_per_pass"]] if "seconds_per_pass" in value else sum(map(found, value.values()), [])
    return sum(map(found, value), []) if isinstance(value, list) else []
print(found(model), two["phase_seconds"])
assert abs(found(model)[0] / (two["phase_seconds"] + two["merge_seconds"]) - 1) < .25
END
