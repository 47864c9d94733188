#!/bin/bash
# `orrery explain`: the page of a code; for an unknown one the nearest.
. "$(dirname "$0")/lib.sh"

expect 0 "$orrery" explain ORR1201
says out 'ORR1201'
cp out page
expect 0 "$orrery" explain 1201
cmp -s out page || fail "1201 and ORR1201 differ"
expect 0 "$orrery" explain orr1201
expect 2 "$orrery" explain ORR1291
says err "unknown code 'ORR1291'; did you mean ORR1"
expect 2 "$orrery" explain nonsense
says err "unknown code 'nonsense'"
# Programs of a page stand in it, remarks for the test that runs them do not.
expect 0 "$orrery" explain ORR2110
says out '#pragma orrery parallel unordered'
lacks '<!--' out || fail "a remark is printed"
