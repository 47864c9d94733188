#!/usr/bin/env bash
# A command of the runtime that is cut off, or about what there is not, ends the job: no signal, no rank that waits.
. "$(dirname "$0")/common.sh"
have_ranks || exit 77

# ends WAY TEXT: the status every time; the text at least once in three times, since the launcher of a job that ends may lose
# what its ranks said last.
ends() {
    local try got
    for try in 1 2 3; do
        got=0
        ranks 2 "$tools/malformed" "$1" >"$work/out" 2>"$work/err" || got=$?
        [ "$got" -eq 1 ] || same 1 "$got" "status of $1: $(cat "$work/err")"
        ! grep -F -- "$2" "$work/err" | grep -qF "[ORR9234]" || return 0
    done
    same "$2 ... [ORR9234]" "$(cat "$work/err")" "$1, $try times"
}

ends short "malformed.c:9: rank 0's command lacks 1000 bytes at its end"
ends head "ends before its head does"
ends loop "about a loop that this program does not have"
ends slot "runs a loop in a way that there is not"
ends forget "ends what this rank has not begun"
ends command "rank 0 sent a command that there is not"
