#!/bin/bash
# A command that is not as it must be ends the job with ORR9234: no signal, no rank that waits for ever.
. "$(dirname "$0")/../lib.sh"
program=$1
folder=$(cd "$(dirname "$0")" && pwd)
scratch=$work
# Between ranks of a host Open MPI 4 copies a message that is longer than its receiver's memory whole, past its end, before it
# says so, where it reads the other's memory itself.
export OMPI_MCA_btl_vader_single_copy_mechanism=none

# ends WAY TEXT: the status every time; the text at least once in three times, since the launcher of a job that ends may lose
# what its ranks said last.
ends() {
    for _ in 1 2 3; do
        status=0
        timeout -k 2 300 "$folder/ranks.sh" 2 "$program" "$1" >"$scratch/out" 2>"$scratch/err" || status=$?
        [ "$status" -eq 71 ] || break
        ! grep -F "$2" "$scratch/err" | grep -q 'rank 0.*run the same program.*\[ORR9234\]' || return 0
    done
    echo "$1: status $status, wanted 71 and \"$2\"; it said:" >&2
    cat "$scratch/err" >&2
    exit 1
}

ends short 'has 100 bytes where 256 are expected (tag 1)'
ends empty 'has 0 bytes where 256'
ends long 'has more than the 256 bytes'
ends tag 'a command has tag 77, not 1'
ends magic 'begins with 00000000'
ends number 'command 3 comes where number 1 is due'
ends op 'there is no command -9'
ends size 'has 18446744073709551615 bytes'
ends collect 'command -2 has 3 bytes'
ends array 'there is no array 25344'
ends ask 'it asks what this rank cannot answer'
ends window 'window 0 has not got the chunks'
ends payload 'has 999 bytes where 1000 are expected (tag 2)'

# Nor does one that asks for a rank that there is not.
status=0
timeout -k 2 300 "$folder/ranks.sh" 2 "$program" rank >"$work/out" 2>"$work/err" || status=$?
[ "$status" -eq 71 ] || fail "a send to rank 2 of two: status $status"
says "$work/err" 'there is no rank 2, only 0 to 1'
