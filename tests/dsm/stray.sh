#!/bin/bash
# A wrong access ends the job on all ranks, quickly, with a report that names it.
. "$(dirname "$0")/../lib.sh"
program=$1
folder=$(cd "$(dirname "$0")" && pwd)
scratch=$work

# run RANKS WAY: status in $status, messages in $scratch/err
run() {
    status=0
    timeout -k 2 300 "$folder/ranks.sh" "$1" "$program" "$2" >"$scratch/out" 2>"$scratch/err" || status=$?
}

# says STATUS TEXT...: the last run ended so and its messages have every text
says() {
    if [ "$status" -ne "$1" ]; then
        echo "ended with $status, not $1:" >&2
        cat "$scratch/err" >&2
        exit 1
    fi
    shift
    for text; do
        if ! grep -qF -- "$text" "$scratch/err"; then
            echo "no \"$text\" in:" >&2
            cat "$scratch/err" >&2
            exit 1
        fi
    done
}

run 2 part
says 70 'orrery: rank 1: write to array W, row 2500, element 7' 'part 2' 'not on this rank' \
    'at mf.c:41, block (2, 5)'
run 2 home
says 70 'orrery: rank 0: write to array W, row 62, element 8' 'at mf.c:42, block (3, 4)'
run 2 heap
says 70 'orrery: rank 1: ' 'memory of rank 0 that this rank has no copy of' 'at mf.c:43'
# crashed: as a wild pointer does without us (or as a sanitizer shows it)
crashed() {
    grep -qF 'AddressSanitizer: SEGV' "$scratch/err" || says 139
}

run 2 wild
crashed
run 2 free
says 134 'orrery: rank 0: free or realloc of' 'not an allocated block'
run 1 wild
crashed
