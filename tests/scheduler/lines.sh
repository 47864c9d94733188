#!/bin/bash
# Loops in blocks: which are cut, and the bits of all of them against the host compiler's. A build with a sanitizer
# ($SANITIZE) has nothing in the text alone, and its library in few sizes.
# usage: lines.sh BIN
. "$(dirname "$0")/transform/lib.sh"

dumped lines.c
commented blocks '/tile_block/ { kind = "blocks" }'
"$bin/orrery" emit -auto -Rorrery -O3 lines.c -o emitted.c 2> remarks
grep -q 'blocks: what they need of each other is computed in front: `t`, `s` \[ORR1702\]' remarks || fail "nothing is said: $(grep ORR1702 remarks)"
[ "$(grep -c ORR1702 remarks)" = "$(grep -c '^/\* blocks' lines.c)" ] || fail "not a remark for each"
# The analysis sees that the blocks are independent.
"$bin/orrery" analyze --all --format=json new.c -- -O3 > analysis.json
python3 - << 'END' || fail "blocks that depend on each other"
import json
loops = [loop for loop in json.load(open("analysis.json"))["loops"] if loop["variable"] == "tile_block"]
serial = [loop for loop in loops if loop["verdict"] != "parallel"]
for loop in serial:
    print(loop["function"], loop["reasons"][0]["message"])
raise SystemExit(not loops or bool(serial))
END

built lines.c
cat > stub.c << 'END'
/* The run's choice: blocks, or the loop as it was written. Each that is not 0 ends once. */
#include <stdlib.h>
static int way, under_way;
int orrery_blocks_begin(void) {
    if (under_way)
        abort();
    way = getenv("WAYS") && *getenv("WAYS") ? (way + 1) % 3 : 1;
    under_way = way != 0;
    return way;
}
void orrery_blocks_end(void) {
    if (!under_way)
        abort();
    under_way = 0;
}
END
sizes="0 1 2 7 8 2047 2048 20000 59990" sizes_of_parts="10 11 5000 69000 69990"
[ -z "${SANITIZE:-}" ] || sizes="7 20000" sizes_of_parts="11 5000"
# alone WHAT ARGUMENT: the text with the stub; all its ways
alone() {
    [ -z "${SANITIZE:-}" ] || return 0
    same "$1, without threads" ./alone "$2"
    same "$1, all ways" env WAYS=all ./alone "$2"
}
[ -n "${SANITIZE:-}" ] || gcc -O0 -w -fsanitize=address,undefined new.c stub.c -o alone
for less in $sizes; do
    ./serial $less > serial.out
    alone "less $less" $less
    for threads in 1 2 3; do
        same "less $less, $threads threads" env ORRERY_THREADS=$threads ORRERY_AUTO_US=0 ./auto $less
    done
done

# Loops in parts, and loops that may end early.
dumped parts.c
commented 'parts|ends|exact|packs|split' '
    /tile_s0/ { kind = "exact" }
    /Wshadow/ { kind = /tile_hit/ ? "ends" : /tile_start/ ? "packs" : /tile_next/ ? "split" : "parts" }'
"$bin/orrery" analyze --all --format=json new.c -- -O3 > analysis.json
python3 - << 'END' || fail "parts that depend on each other"
import json
loops = json.load(open("analysis.json"))["loops"]
cut = {"one_alone", "first_alone", "mirrored", "mirrored_row", "done_first", "found", "in_the_middle", "gives_up", "counted", "packed",
       "packed_behind", "packed_twice", "packed_half", "unpacked", "recurrence", "backwards", "summed_beside", "under_conditions", "set_sometimes", "jumps", "jumps_either_way", "jumps_to_one", "one_branch"}
once = ("found", "counted", "recurrence", "backwards", "summed_beside", "under_conditions", "set_sometimes", "jumps", "jumps_either_way", "jumps_to_one",
        "one_branch")
free = {name: sum(loop["function"] == name and loop["verdict"] == "parallel" for loop in loops) for name in cut}
raise SystemExit(any(free[name] < (1 if name in once else 2) for name in cut))
END
built parts.c
[ -n "${SANITIZE:-}" ] || gcc -O0 -w -fsanitize=address,undefined new.c stub.c -o alone
for less in $sizes_of_parts; do
    ./serial $less > serial.out
    alone "parts, less $less" $less
    same "parts, less $less, two threads" env ORRERY_THREADS=2 ORRERY_AUTO_US=0 ./auto $less
done

# By the clock: both ways are timed where the loop runs again and again, and the bits stay.
cat > again.c << 'END'
#include <stdio.h>
enum { N = 60000 };
static float a[N], b[N], c[N], d[N];
static __attribute__((noinline)) void step(int n) {
    float t = b[0];
    for (int i = 1; i < n; i++) {
        a[i] = b[i] * c[i] + t;
        t = b[i] * d[i];
    }
    b[n / 2] += t * 1e-3f + a[n / 3] * 1e-3f;
}
int main(void) {
    for (int i = 0; i < N; i++) {
        b[i] = 1.f / (float)(i + 1);
        c[i] = (float)(i % 7) * .25f;
        d[i] = 1.f + (float)(i % 3) * .125f;
    }
    for (int pass = 0; pass < 300; pass++)
        step(N - pass);
    double s = 0;
    for (int i = 0; i < N; i++)
        s += a[i] * (float)(i % 5) + b[i];
    printf("%.17g\n", s);
}
END
built again.c
./serial > serial.out
for threads in 2 3; do
    same "by the clock, $threads threads" env ORRERY_THREADS=$threads ORRERY_AUTO_US=1 ORRERY_STATS=1 ./auto
    grep -Eq 'again\.c:6 automatic (serial|parallel) .*timed-serial [1-9][0-9]* timed-parallel [1-9]' err || fail "not timed"
done
