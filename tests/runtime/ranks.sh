#!/usr/bin/env bash
# Any number of ranks gives the bits of one rank.
. "$(dirname "$0")/common.sh"
have_ranks || exit 77
for program in hand_mf hand_kmeans ranged two_loops; do
    expected=$(ORRERY_THREADS=1 "$tools/$program")
    for n in 1 2 3 4; do
        for threads in 1 2; do
            got=$(ORRERY_THREADS=$threads ranks $n "$tools/$program")
            same "$expected" "$got" "$program on $n ranks of $threads threads"
        done
    done
done
