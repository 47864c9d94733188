#!/usr/bin/env bash
# A command of the runtime that is cut off, or about what there is not, ends the job: no signal, no rank that waits.
. "$(dirname "$0")/common.sh"
have_ranks || exit 77

# ends WAY TEXT
ends() {
    refused 1 "$2" ranks 2 "$tools/malformed" "$1"
    grep -qF "[ORR9234]" "$here/err" || same ORR9234 "$(cat "$here/err")" "$1"
}

ends short "malformed.c:9: rank 0's command lacks 1000 bytes at its end"
ends head "ends before its head does"
ends loop "about a loop that this program does not have"
ends slot "runs a loop in a way that there is not"
ends forget "ends what this rank has not begun"
ends command "rank 0 sent a command that there is not"
