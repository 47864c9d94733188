#!/usr/bin/env bash
# Batons that move by the rows that are touched: the bits of one rank, with delayed messages too; fewer
# bytes where blocks are sparse, no more where they are dense.
. "$(dirname "$0")/common.sh"
have_ranks || exit 77
export ORRERY_DEBUG=shared=0,deal=never

# bytes N VARIANT: the megabytes that all ranks sent, times 100, in `sent`; the output in `got`.
bytes() {
    local n=$1
    shift
    # shellcheck disable=SC2086
    got=$(ORRERY_STATS=1 ORRERY_THREADS=$((1 + n % 2)) ranks "$n" "$tools/keyed" $1 2>"$work/err" </dev/null)
    sent=$(awk '/rank [0-9]+ messages/ { for (i = 1; i < NF; ++i) if ($i == "sent-mb") sum += $(i + 1) }
        END { print int(100 * sum + 0.5) }' "$work/err")
}

# moves MOST MODE RANKS VARIANT: in MODE at most MOST hundredths of what whole parts are.
moves() {
    local most=$1 mode=$2 variant=$4 expected n whole
    # shellcheck disable=SC2086
    expected=$(ORRERY_THREADS=1 "$tools/keyed" $variant)
    for n in $3; do
        ORRERY_DEBUG=$ORRERY_DEBUG,rotate=whole bytes "$n" "$variant"
        same "$expected" "$got" "keyed $variant on $n ranks, whole"
        whole=$sent
        ORRERY_DEBUG=$ORRERY_DEBUG,rotate=$mode,torture=$((n % 2 * 7)) bytes "$n" "$variant"
        same "$expected" "$got" "keyed $variant on $n ranks, $mode"
        [ $((sent * 100)) -le $((whole * most + 100)) ] ||
            same "at most $most of $whole" "$sent" "hundredths of megabytes, $variant, $n ranks, $mode"
    done
}

moves 72 auto "2 3 4" "count=6000 users=200 items=5000 k=8 rows=8 columns=8 passes=5"
moves 72 auto 3 "shape=columns low=-3 holes=1 count=2000 items=2000 rows=8 columns=6 k=40 change=1"
moves 105 touched 3 "count=6000 users=200 items=50 k=8 rows=8 columns=8 passes=5"
moves 105 touched 2 "shape=table items=300 users=300 count=300 k=20"
