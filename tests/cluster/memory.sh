#!/bin/bash
# A model larger than a rank's budget: serial code sees it through a window, a change of cut goes from owner to
# owner. Lines and files are those of one rank without a budget, also where every page is evicted at once.
. "$(dirname "$0")/../lib.sh"
bin=$(realpath "$1")
cd "$work"

# same RANKS USERS HOW ENVIRONMENT...: the bytes of one rank
same() {
    ranks=$1 users=$2 how=$3
    shift 3
    ./memory "$users" "$how" want >want.out || fail "one rank, $how"
    env "$@" "$bin/orrery" run -n "$ranks" --oversubscribe --threads 1 --timeout 300 ./memory "$users" "$how" got \
        >got.out 2>err || fail "$ranks ranks, $how, $*"
    cmp -s want got || fail "$ranks ranks, $how, $*: the file is another"
    cmp -s want.out got.out || fail "$ranks ranks, $how, $*: the lines are others"
}

"$bin/orrery-cc" -O2 -Werror=serial "$here/memory.c" "$here/model.c" -o memory -lm -pthread
export ORRERY_THREADS=1

# Every page of a model of 2 MB at once; rows of 128 bytes over pages, parts under late messages.
same 3 12345 fn ORRERY_DEBUG=evict=1
same 2 12345 rpn ORRERY_DEBUG=evict=1
same 2 6789 twv ORRERY_DEBUG=evict=1
same 2 6789 bn ORRERY_DEBUG=evict=1
same 2 1500 rf ORRERY_DEBUG=evict=1,torture=3
# A rank without a chunk of those that go serves the order late, when the block is lent from another row on.
same 4 1500 ron ORRERY_DEBUG=evict=1,torture=1

# What serial code only reads stays where it is: pages are copied. W and H come back once, to be saved.
same 2 2000 s ORRERY_DEBUG=evict=1
same 3 6789 so ORRERY_DEBUG=evict=1
same 3 40000 oss ORRERY_MEMORY=14
same 3 30011 srn ORRERY_DEBUG=torture=5 ORRERY_MEMORY=14
same 4 40000 s ORRERY_STATS=1 ORRERY_MEMORY=14
says err 'rank 0 messages .* collects 2 '

# Records of 14 MB, more than a rank may have: rank 0 reads them through its window, also anew when some have changed.
same 3 20000 m ORRERY_MEMORY=13
same 3 1000 mr ORRERY_DEBUG=evict=1

# 16 MB; a rank has 10 MB of arrays at most.
same 3 100000 fknw ORRERY_MEMORY=14 ORRERY_DEBUG=torture=3
# Before serial code needs a window a rank has no more than its budget, whatever its program has.
same 3 200000 rpn ORRERY_MEMORY=32

# An array that grows, of which loops have most or little, in windows; more than a rank may have, rank 0's slack included.
"$bin/orrery-cc" -O2 -Werror=serial "$here/grow.c" -o grow
grows() {
    rows=$1
    shift
    ./grow "$rows" >want.out || fail "one rank, grow $rows"
    env "$@" "$bin/orrery" run -n 4 --oversubscribe --threads 1 --timeout 100 ./grow "$rows" >got.out 2>err || fail "grow $rows, $*"
    cmp -s want.out got.out || fail "grow $rows, $*: the lines are others"
}
grows 2000 ORRERY_DEBUG=evict=1,torture=3
grows 200000 ORRERY_MEMORY=14

# An array that one loop needs whole and others cut: ranks keep no rows that are out of date.
"$bin/orrery-cc" -O2 -Werror=serial "$here/loops.c" -o loops
./loops 187500 >want.out
ORRERY_MEMORY=40 "$bin/orrery" run -n 3 --oversubscribe --threads 1 --timeout 100 ./loops 187500 >got.out 2>err || fail "loops"
cmp -s want.out got.out || fail "loops: the lines are others"

# What the process has before any array does not count against small windows: 8 MB of 15 are touched at random, and
# stay. (Windows of eight chunks took 50,000 messages.)
cat >random.c <<'END'
#include <stdio.h>
#include <stdlib.h>
enum { N = 2000000 };
int main(void) {
    float *w = calloc(N, sizeof *w);
    unsigned z = 1;
    double sum = 0;
    if (!w)
        return 2;
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        w[i] = i % 977 * .5f;
    for (int i = 0; i < 20000; ++i)
        w[(z = z * 1664525 + 1013904223) % N] += 1;
    for (int i = 0; i < N; ++i)
        sum += w[i] * (i % 7);
    printf("%.3f\n", sum);
    return 0;
}
END
"$bin/orrery-cc" -O2 random.c -o random
./random >want.out
ORRERY_STATS=1 ORRERY_MEMORY=20 "$bin/orrery" run -n 3 --oversubscribe --threads 1 --timeout 100 ./random >got.out 2>err || fail "random"
cmp -s want.out got.out || fail "random: the lines are others"
messages=$(awk '$3 == "0" && $4 == "messages" { print $5 }' err)
[ "$messages" -lt 2000 ] || fail "random: $messages messages of rank 0"

# What is needed whole, and does not fit, ends the job with its name, before it is moved.
expect 1 env ORRERY_MEMORY=14 timeout -k 2 100 "$bin/orrery" run -n 3 --oversubscribe --threads 1 ./memory 100000 z got
says err 'rank 0 would have .* MB of a block that is needed whole.*\[ORR9233\]'

# What is no array of a loop's counts, too: static memory of 100 MB on each of two ranks.
cat >static.c <<'END'
#include <stdio.h>
#include <string.h>
static char text[100000000];
static float w[1000];
int main(void) {
    memset(text, 'a', sizeof text);
#pragma orrery parallel
    for (int i = 0; i < 1000; ++i)
        w[i] = .1f;
    printf("%c %g\n", text[5], w[0]);
    return 0;
}
END
"$bin/orrery-cc" -O2 static.c -o static
expect 1 env ORRERY_MEMORY=60 timeout -k 2 100 "$bin/orrery" run -n 2 --oversubscribe --threads 1 ./static
says err 'rank 0 had .* MB of memory, more than the 60 that it may have \(ORRERY_MEMORY\).*\[ORR9233\]'
ORRERY_MEMORY=95 "$bin/orrery" run -n 2 --oversubscribe --threads 1 ./static >got.out || fail "100 MB, of 95 and 30"

# A model of 80 MB on four ranks: what rank 0 has at most, as the kernel counts it (getrusage(2), kilobytes), is its
# budget and 30 MB for the program and buffers.
peak() {
    "$bin/orrery" run -n 4 --oversubscribe --threads 1 ./memory 500000 n got 2>err >/dev/null || fail "no peak"
    sed -n 's/^peak \([0-9]*\)$/\1/p' err
}
export PEAK=1
whole=$(ORRERY_DEBUG=shared=0 peak) part=$(ORRERY_MEMORY=40 peak)
echo "rank 0: $whole kB, $part kB with a budget of 40 MB"
[ "$part" -lt 70000 ] && [ "$whole" -gt 110000 ] || fail "the budget does not hold, or nothing needs it"

# Nor does what it writes stay in the kernel's cache, which counts where a group of processes has a limit.
if [ "$(stat -f -c %T got)" != tmpfs ]; then
    cached=$(fincore --bytes --noheadings --output RES got)
    echo "rank 0: $cached bytes of the file are in memory"
    [ "$cached" -lt 20000000 ] || fail "what was written is in memory, too"
fi
