#!/bin/bash
# A model larger than the memory of its ranks, whose parts go to a file: lines and files are those of a run without,
# also where everything is evicted at once.
. "$(dirname "$0")/../lib.sh"
bin=$(realpath "$1")
cd "$work"
mkdir scratch
[ "$(stat -f -c %T scratch)" != tmpfs ] || { echo "skipped: $work is in memory"; exit 77; }

# No rank has had more than its budget at any time, whatever else the machine does.
kept() {
    sed -n 's/.*spill budget-mb \([0-9.]*\) most-mb \([0-9.]*\) .*/\1 \2/p' err | awk '
        $2 > $1 { print "of " $1 " MB " $2; over = 1 }
        END { exit over || NR == 0 }' || fail "$*: the budget does not hold"
}

# same THREADS USERS HOW ENVIRONMENT...: the bytes of a run without
same() {
    threads=$1 users=$2 how=$3
    shift 3
    env "$@" ORRERY_MEMORY=0 ORRERY_THREADS=1 ./memory "$users" "$how" want >want.out || fail "without, $how"
    env "$@" ORRERY_STATS=1 timeout -k 2 200 "$bin/orrery" run --spill scratch --threads "$threads" ./memory "$users" "$how" got \
        >got.out 2>err || fail "$threads threads, $how, $*"
    cmp -s want got || fail "$threads threads, $how, $*: the file is another"
    cmp -s want.out got.out || fail "$threads threads, $how, $*: the lines are others"
    says err 'spill .* evicted-mb [1-9]'
    kept "$threads threads, $how, $*"
}

"$bin/orrery-cc" -O2 -Werror=serial "$here/memory.c" "$here/model.c" -o memory -lm -pthread
same 1 12000 fn ORRERY_DEBUG=evict=1
same 2 36000 rpn ORRERY_DEBUG=evict=1
same 3 16000 bkw ORRERY_DEBUG=evict=1,torture=3
same 2 12000 t ORRERY_DEBUG=evict=1
same 1 16000 rn ORRERY_DEBUG=evict=1 ORRERY_GRID=5x16
same 2 16000 n ORRERY_DEBUG=evict=1 ORRERY_GRID=16x5 ORRERY_VISITS=3

# several RANKS USERS HOW ENVIRONMENT...: the same of several ranks, each with a file.
several() {
    ranks=$1 users=$2 how=$3
    shift 3
    ORRERY_THREADS=1 ./memory "$users" "$how" want >want.out || fail "without, $how"
    env "$@" ORRERY_STATS=1 timeout -k 2 200 "$bin/orrery" run -n "$ranks" --oversubscribe --threads 1 --timeout 180 \
        --spill scratch ./memory "$users" "$how" got >got.out 2>err || fail "$ranks ranks, $how, $*"
    cmp -s want got || fail "$ranks ranks, $how, $*: the file is another"
    cmp -s want.out got.out || fail "$ranks ranks, $how, $*: the lines are others"
    grep -h 'spill budget' err
    kept "$ranks ranks, $how, $*"
}
if "$bin/orrery" run -n 2 --oversubscribe ./memory 1000 n got >said 2>&1; then
    several 2 4000 fn ORRERY_DEBUG=evict=1
    several 3 4000 rpb ORRERY_DEBUG=evict=1,torture=3
    several 4 4000 sokw ORRERY_DEBUG=evict=1,torture=5
    several 2 20000 n ORRERY_DEBUG=evict=1
    says err 'rank 1 spill .* evicted-mb [1-9].* ahead-mb [.1-9]'
    # 40 MB on two ranks that may have 18 each.
    several 2 250000 n ORRERY_MEMORY=24
    says err 'rank 0 spill .* evicted-mb [1-9]'
    says err 'rank 1 spill .* evicted-mb [1-9]'
    # Records of 22 MB, more than three ranks have together, from files in every pass, also when some have changed.
    several 3 30000 mr ORRERY_MEMORY=6
    says err 'rank 2 spill .* evicted-mb [1-9]'
    expect 1 env ORRERY_MEMORY=6 "$bin/orrery" run -n 3 --oversubscribe --threads 1 ./memory 30000 mr got
    says err 'may be in files: ORRERY_SPILL \[ORR9233\]'
    expect 2 env ORRERY_SPILL=scratch "$bin/orrery" run -n 2 --oversubscribe ./memory 1000 n got
    says err 'with several ranks needs ORRERY_MEMORY'
fi

# 10 MB, of which 4 are there at a time; and what is there at most, as the kernel counts it (getrusage(2), kilobytes).
same 2 60000 rn ORRERY_MEMORY=5 ORRERY_VISITS=1
peak() {
    "$@" 2>err >/dev/null || fail "no peak: $*"
    sed -n 's/^peak \([0-9]*\)$/\1/p' err
}
export PEAK=1 ORRERY_THREADS=1 ORRERY_VISITS=1
whole=$(peak ./memory 400000 n got)
part=$(ORRERY_MEMORY=16 peak "$bin/orrery" run --spill scratch ./memory 400000 n got)
echo "$whole kB, $part kB with a budget of 16 MB"
[ "$part" -lt 65000 ] || fail "the budget does not hold"
[ "$whole" -gt 72000 ] || fail "nothing needs the budget"
unset PEAK

# Nothing is left behind, and what cannot be ends with a message.
[ -z "$(ls -A scratch)" ] || fail "files are left"
refuses 1 "cannot make a file in nowhere" "$bin/orrery" run --spill nowhere ./memory 1000 n got
says err 'ORR9235'
refuses 1 "is in memory" env ORRERY_MEMORY=10 "$bin/orrery" run --spill /dev/shm ./memory 1000 n got
expect 1 bash -c "ulimit -f 20000; ORRERY_MEMORY=10 '$bin/orrery' run --spill scratch ./memory 200000 n got"
says err 'no room for a block of .* bytes in scratch.*\[ORR9236\]'

# A file that loses its bytes, and a child.
cat >lost.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
enum { N = 4000000 };
int main(int argc, char **argv) {
    char path[64], name[4096];
    float *w = calloc(N, sizeof *w);
    if (!w || argc < 2)
        return 2;
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        w[i] = i;
    for (int file = 3; file < 100 && argv[1][0] == 'l'; ++file) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        ssize_t length = readlink(path, name, sizeof name - 1);
        name[length > 0 ? length : 0] = 0;
        if (strstr(name, "(deleted)") && truncate(path, 4096))
            return 3;
    }
    int status = 0;
    if (argv[1][0] == 'l' || fork() == 0)
        printf("%g\n", w[N - 1]);
    else
        wait(&status);
    return WEXITSTATUS(status);
}
END
"$bin/orrery-cc" -O2 lost.c -o lost
expect 70 "$bin/orrery" run --memory 100M --spill scratch ./lost l
says err 'w\[3999999\], byte 15999996 of a spilled block of .* cannot be read from its file in scratch \[ORR9236\]'
expect 70 "$bin/orrery" run --memory 100M --spill scratch ./lost child
says err 'w\[3999999\], byte 15999996 of a block of .* is not in this child of the program.*\[ORR9237\]'
