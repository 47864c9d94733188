#!/bin/bash
# Every byte of a small checkpoint changed in turn, and every end missing: never taken for whole.
. "$(dirname "$0")/lib.sh"

features 20 3 name
expect 0 "$orrery" run --checkpoint saved ./features 20 3 name
newest=$(find saved -name '*.h5' | sort | tail -n 1)
expect 0 "$tools/checkpoint-flip" "$newest"
says out '^[0-9]+ refused'
cat out
