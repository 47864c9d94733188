#!/usr/bin/env bash
# Every shape, grid and strategy on two of two, three and four ranks, in turn: the bits of one rank. Those of a turn
# run one after the other in one job.
. "$(dirname "$0")/common.sh"
have_ranks || exit 77
counts=("2 3" "3 4" "2 4")
for turn in 0 1 2; do
    words=() count=0
    while read -r variant; do
        count=$((count + 1))
        # shellcheck disable=SC2206
        words+=(${words[0]+--} $variant)
    done < <(keyed_variants | sed -n "$((turn + 1))~3p")
    expected=$(ORRERY_THREADS=1 "$tools/keyed" "${words[@]}")
    [ "$(grep -c '^tally' <<<"$expected")" = $count ] || fail "not all $count variants of a turn ran"
    for n in ${counts[turn]}; do
        same "$expected" "$(ORRERY_THREADS=$((1 + n % 2)) ranks "$n" "$tools/keyed" "${words[@]}" </dev/null)" \
            "keyed ${words[*]} on $n ranks"
    done
done
