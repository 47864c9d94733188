#!/bin/sh
# Loops in blocks: which are cut, and the bits of all of them against the host compiler's.
# usage: lines.sh BIN
set -eu
bin=$1 here=$(cd "$(dirname "$0")" && pwd)/transform
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
cp "$here/lines.c" .
flags='-O3 -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion -Werror'

# What the comments say.
"$bin/orrery" emit -auto --dump=transform -O3 lines.c > new.c
[ "$(wc -l < new.c)" = "$(wc -l < lines.c)" ] || fail "lines have other numbers"
awk '/^\/\* (blocks|kept)/ { wanted = substr($0, 4, 6) }
     /^(static|void|double) / { name = $0; cut = 0 }
     /tile_block/ { cut = 1 }
     /^}/ { if (wanted != "" && (wanted == "blocks") != cut) print name; wanted = "" }' new.c > wrong
[ ! -s wrong ] || fail "not as its comment says: $(cat wrong)"
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

# shellcheck disable=SC2086 # a list of flags
gcc $flags lines.c -o serial
# shellcheck disable=SC2086
"$bin/orrery-cc" -auto $flags lines.c -o blocks
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
gcc -O1 -w -fsanitize=address,undefined new.c stub.c -o alone
for less in 0 1 2 7 8 2047 2048 20000 59990; do
    ./serial $less > serial.out
    ./alone $less > alone.out 2>&1 || fail "less $less, without threads: $(cat alone.out)"
    diff serial.out alone.out > diff.out || fail "less $less, without threads: $(cat diff.out)"
    WAYS=all ./alone $less > alone.out 2>&1 || fail "less $less, all ways: $(cat alone.out)"
    diff serial.out alone.out > diff.out || fail "less $less, all ways: $(cat diff.out)"
    for threads in 1 2 3; do
        ORRERY_THREADS=$threads ORRERY_AUTO_US=0 ./blocks $less > blocks.out 2> blocks.err ||
            fail "less $less, $threads threads: $(cat blocks.err)"
        diff serial.out blocks.out > diff.out || fail "less $less, $threads threads: $(cat diff.out)"
    done
done

# Loops in parts, and loops that may end early.
cp "$here/parts.c" .
"$bin/orrery" emit -auto --dump=transform -O3 parts.c > new.c
[ "$(wc -l < new.c)" = "$(wc -l < parts.c)" ] || fail "parts: lines have other numbers"
awk '/^\/\* (parts|ends|exact|packs|split|kept)/ { wanted = substr($0, 4, 5); sub(/[ :].*/, "", wanted) }
     /^(static|int) / { name = $0; way = "kept" }
     /tile_s0/ { way = "exact" }
     /Wshadow/ { way = /tile_hit/ ? "ends" : /tile_start/ ? "packs" : /tile_next/ ? "split" : "parts" }
     /^}/ { if (wanted != "" && wanted != way) print way, name; wanted = "" }' new.c > wrong
[ ! -s wrong ] || fail "parts: not as its comment says: $(cat wrong)"
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
# shellcheck disable=SC2086
gcc $flags parts.c -o serial
# shellcheck disable=SC2086
"$bin/orrery-cc" -auto $flags parts.c -o parts
gcc -O1 -w -fsanitize=address,undefined new.c stub.c -o alone
for less in 10 11 5000 69000 69990; do
    ./serial $less > serial.out
    for ways in '' all; do
        WAYS=$ways ./alone $less > alone.out 2>&1 || fail "parts, less $less: $(cat alone.out)"
        diff serial.out alone.out > diff.out || fail "parts, less $less: $(cat diff.out)"
    done
    ORRERY_THREADS=2 ORRERY_AUTO_US=0 ./parts $less > parts.out 2> parts.err || fail "parts, less $less: $(cat parts.err)"
    diff serial.out parts.out > diff.out || fail "parts, less $less, two threads: $(cat diff.out)"
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
# shellcheck disable=SC2086
gcc $flags again.c -o serial
# shellcheck disable=SC2086
"$bin/orrery-cc" -auto $flags again.c -o blocks
./serial > serial.out
for threads in 2 3; do
    ORRERY_THREADS=$threads ORRERY_AUTO_US=1 ORRERY_STATS=1 ./blocks > blocks.out 2> blocks.err || fail "by the clock: $(cat blocks.err)"
    cmp -s serial.out blocks.out || fail "by the clock: other bits on $threads threads"
    grep -Eq 'again\.c:6 automatic (serial|parallel) .*timed-serial [1-9][0-9]* timed-parallel [1-9]' blocks.err || fail "not timed: $(cat blocks.err)"
done
