#!/usr/bin/env bash
# Every shape, grid and strategy on two of two, three and four ranks, in turn: the bits of one rank.
. "$(dirname "$0")/common.sh"
have_ranks || exit 77
counts=("2 3" "3 4" "2 4") turn=0
keyed_variants | while read -r variant; do
    # shellcheck disable=SC2086
    expected=$(ORRERY_THREADS=1 "$tools/keyed" $variant)
    for n in ${counts[turn++ % 3]}; do
        # shellcheck disable=SC2086
        got=$(ORRERY_THREADS=$((1 + n % 2)) ranks $n "$tools/keyed" $variant </dev/null)
        same "$expected" "$got" "keyed $variant on $n ranks"
    done
done
