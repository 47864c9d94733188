#!/usr/bin/env bash
# Every shape, grid and strategy on several ranks: the bits of one rank.
. "$(dirname "$0")/common.sh"
have_ranks || exit 77
keyed_variants | while read -r variant; do
    # shellcheck disable=SC2086
    expected=$(ORRERY_THREADS=1 "$tools/keyed" $variant)
    for n in 2 3 4; do
        # shellcheck disable=SC2086
        got=$(ORRERY_THREADS=$((1 + n % 2)) ranks $n "$tools/keyed" $variant </dev/null)
        same "$expected" "$got" "keyed $variant on $n ranks"
    done
done
