#!/bin/bash
# Assumptions about values: a plain run takes the user's word, `orrery verify` finds the one that is
# false and names the places and values; so it does on ranks.
. "$(dirname "$0")/common.sh"
program=$source/tests/programs/samples/assumed.c
gcc -O1 -ffp-contract=off "$program" -o "$work/serial"
"$orrery_cc" -O1 -Werror=serial "$program" -o "$work/assumed" || fail "orrery-cc"
[ "$(ORRERY_THREADS=3 "$work/assumed")" = "$("$work/serial")" ] || fail "another result"

# verifies STATUS MODE WORDS
verifies() {
    status=0
    timeout 300 "$orrery" verify --runs 1 --threads 1,2 --ranks "$ranks" -- "$work/assumed" "$2" \
        > "$work/out" 2>&1 || status=$?
    [ $status -eq "$1" ] || { cat "$work/out"; fail "verify '$2': status $status"; }
    grep -Fq "$3" "$work/out" || { cat "$work/out"; fail "verify '$2' does not say: $3"; }
}
ranks=0
verifies 0 "" "verified: "
verifies 1 monotone "ptr[49] = 147 and ptr[50] = 2"
verifies 1 injective "jdx[3] and jdx[77] are both 96"
verifies 1 high "iteration 5 has the value 20"
verifies 1 low "iteration 6 has the value -1"
verifies 1 inside "member[7] and member[250] are both 749"
verifies 1 beyond "iteration 2 has the value 1000"
