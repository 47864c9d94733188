#!/bin/bash
# The three shapes of mf get the same plan: both keys, rotation, one side resident, the other rotating.
. "$(dirname "$0")/common.sh"

for name in mf mf_rows mf_structs; do
    "$orrery" analyze --format=json "$(source_of $name)" > "$work/json"
    {
        grep -o '"verdict":"[^"]*"\|"strategy":"[^"]*"\|"order":"[^"]*"' "$work/json"
        grep -o '"name":"[^"]*","kind":"[^"]*"\|"kind":"[^"]*","name":"[^"]*"' "$work/json" | sort
        grep -o '"placement":"\(resident\|rotating\)","dim":[01]' "$work/json" | sort -u
    } > "$work/$name.plan"
    [ "$(grep -c verdict "$work/$name.plan")" -eq 1 ] || fail "$name: not one loop"
    cmp "$work/mf.plan" "$work/$name.plan" || { diff "$work/mf.plan" "$work/$name.plan"; fail "$name"; }
done
for fact in '"strategy":"rotation-2d"' 'r\[n\].user' 'r\[n\].item' resident rotating; do
    grep -q "$fact" "$work/mf.plan" || { cat "$work/mf.plan"; fail "no $fact"; }
done
