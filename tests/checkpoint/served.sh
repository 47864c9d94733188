#!/bin/bash
# Weights that are served (docs/served.md): a rank is killed in a pass of three ranks, and the run goes on from its
# newest checkpoint on two, on four, on one, to the bits of the undisturbed one.
. "$(dirname "$0")/lib.sh"
export ORRERY_DEBUG=serve=always,writer=0 ORRERY_STATS=1
zcat "$tree/samples/data/a9a.gz" | head -n 4000 >a9a
"$cc" -O2 "$tree/samples/slr/slr.c" -o slr -lm
ORRERY_THREADS=1 ./slr --epochs 100 a9a --output undisturbed >reference.txt 2>err
undisturbed=$(echo undisturbed*)
result=result${undisturbed#undisturbed}

# Behind the first region served weights stay on their owners, and copies go to rank 0.
expect 0 "$orrery" run -n 2 --oversubscribe --threads 1 -- ./slr --epochs 2 a9a --output "$result.two"
grep '^orrery: rank 1' err >served.txt
ORRERY_DEBUG=serve=never expect 0 "$orrery" run -n 2 --oversubscribe --threads 1 -- ./slr --epochs 2 a9a --output "$result.two"
grep '^orrery: rank 1' err >copies.txt
cmp -s served.txt copies.txt && fail "the weights are not served: this shows nothing"

while read -r victim ranks; do
    rm -rf saved "$result"
    "$orrery" run -n 3 --oversubscribe --threads 1 --checkpoint saved -- ./slr --epochs 100 a9a --output result >out 2>err </dev/null &
    job=$! status=0
    "$tools/checkpoint-strike" saved "$victim" 2 4 9 || fail "nothing to kill: $(cat err)"
    wait $job || status=$?
    [ $status -ne 0 ] || fail "rank $victim was killed and the run succeeded"
    expect 0 "$orrery" run -n "$ranks" --oversubscribe --threads 1 --checkpoint saved -- ./slr --epochs 100 a9a --output result
    says err 'going on from .*saved/checkpoint-'
    cmp "$undisturbed" "$result" || fail "rank $victim of three killed, then $ranks ranks: other bits"
done <<'END'
0 2
2 4
0 1
2 2
END
