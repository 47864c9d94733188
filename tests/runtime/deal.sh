#!/usr/bin/env bash
# Rows of the grid go to ranks as these are fast (runtime/share/balance.c): who is slow gets fewer, nobody gets others
# where all are alike, and whoever has them, even at random from region to region, the bits are one rank's.
. "$(dirname "$0")/common.sh"
have_ranks || exit 77

# deals N VARIANT: the output in `got`; in `dealt` how often rows were dealt, and each rank's last weight.
deals() {
    local n=$1
    # shellcheck disable=SC2086
    got=$(ORRERY_STATS=1 ORRERY_THREADS=1 ranks "$n" "$tools/keyed" $2 2>"$work/err" </dev/null)
    dealt=$(sed -n 's/^orrery: rows-dealt //p' "$work/err")
    same "$expected" "$got" "keyed $2 on $n ranks, $ORRERY_DEBUG"
}

# One rank takes three times as long, by a clock that only counts iterations.
variant="count=6000 users=200 items=50 k=4 rows=14 columns=14 passes=6"
expected=$(ORRERY_THREADS=1 "$tools/keyed" $variant)
ORRERY_DEBUG=slow=3 deals 2 "$variant"
same "1 11 3" "$dealt" "one of two ranks is slow: 11 rows, or 3 times 3"
ORRERY_DEBUG=slow=3 deals 3 "$variant"
same "1 6 6 2" "$dealt" "one of three ranks is slow"
ORRERY_DEBUG=slow=1 deals 3 "$variant"
same none "${dealt:-none}" "ranks that are alike"
ORRERY_DEBUG=slow=3,deal=never deals 2 "$variant"
same none "${dealt:-none}" "deal=never"
ORRERY_MEMORY=500 ORRERY_DEBUG=slow=3 deals 2 "$variant"
same none "${dealt:-none}" "a budget, which arrays that go home would break"

# A dealing has to save what the last layout cost: a second of that clock, which two of these windows save.
variant="count=600 users=200 items=50 k=4 rows=14 columns=14 passes"
expected=$(ORRERY_THREADS=1 "$tools/keyed" $variant=3)
ORRERY_DEBUG=slow=3 deals 2 "$variant=3"
same none "${dealt:-none}" "one window saves too little"
expected=$(ORRERY_THREADS=1 "$tools/keyed" $variant=6)
ORRERY_DEBUG=slow=3 deals 2 "$variant=6"
same "1 11 3" "$dealt" "two windows save enough"

# Who got no rows is tried again after a while, and found to be as slow.
variant="count=6000 users=200 items=50 k=4 rows=14 columns=14 passes=30"
expected=$(ORRERY_THREADS=1 "$tools/keyed" $variant)
ORRERY_DEBUG=slow=100 deals 2 "$variant"
same "3 14 0" "$dealt" "a rank without rows is tried once more"

# At random: all rows to one rank, none to rank 0, other turns with the same rows of one's own.
seed=1 all=0
keyed_variants | sed -n '1~3p' | {
    while read -r variant; do
        # shellcheck disable=SC2086
        expected=$(ORRERY_THREADS=1 "$tools/keyed" $variant passes=4)
        ORRERY_DEBUG=torture=$((++seed)) deals $((2 + seed % 3)) "$variant passes=4"
        dealt=${dealt:-0} all=$((all + ${dealt%% *}))
    done
    [ $all -ge 5 ] || same "at least 5" "$all" "dealings at random"
}
