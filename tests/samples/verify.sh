#!/bin/bash
# `orrery verify` on one sample or shape: threads and ranks (others: bits.sh) give the same bits, and the unmodified
# serial loops replayed in plan order give them too. With a sanitizer ($SANITIZE): on three threads and two ranks.
# usage: verify.sh NAME     VERIFY_RUNS: runs of each configuration (1)
. "$(dirname "$0")/common.sh"
name=$1
make_small

compile "$orrery_cc" "$name" "$work/$name"
small_arguments "$name"
workers=(--ranks "1,3")
[ -z "${SANITIZE:-}" ] || workers=(--threads "1,3" --ranks 2)
"$orrery" verify --runs "${VERIFY_RUNS:-1}" --timeout 280 "${workers[@]}" -- "$work/$name" "${arguments[@]}" > "$work/out" 2>&1 ||
    { cat "$work/out"; fail "verify $name"; }
cat "$work/out"
grep -q '^verified: ' "$work/out" || fail "verify did not say so"
lacks 'the serial text was not replayed' "$work/out" || fail "the serial loop was not replayed"
exit 0
