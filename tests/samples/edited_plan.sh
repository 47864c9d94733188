#!/bin/bash
# Plans edited by hand: what is legal is obeyed, what breaks a dependence or fits no loop is refused.
. "$(dirname "$0")/common.sh"
make_small
mf=$source/samples/mf/mf.c

"$orrery" plan "$mf" -o "$work/mf.plan.json" || fail "orrery plan"
grep -q 'rotation-2d' "$work/mf.plan.json" || fail "no rotation in the plan"
"$orrery_cc" -O2 -plan "$work/mf.plan.json" "$mf" -o "$work/mf" -lm || fail "its own plan"
"$work/mf" --rank 4 --epochs 1 "$small" > "$work/out" || fail "a program built from its plan"

edit() {
    sed "$1" "$work/mf.plan.json" > "$work/edited.json"
    if cmp -s "$work/mf.plan.json" "$work/edited.json"; then
        fail "nothing was edited: $1"
    fi
}
broken() {
    edit "$1"
    refuses 1 "$2" "$orrery_cc" -O2 -plan "$work/edited.json" "$mf" -o "$work/no" -lm
}
broken 's/"rotation-2d"/"independent"/' ORR9
broken 's/"rotation-2d"/"partition-1d"/' ORR9
broken 's/"rotation-2d"/"rotaion-2d"/' ORR9
broken 's/{/{{/' ORR9
broken '1s/.*/nonsense/' ORR9
refuses 1 none.json "$orrery_cc" -O2 -plan "$work/none.json" "$mf" -o "$work/no" -lm

# Another loop body: the plan is no longer this source's.
sed 's/loss += e \* e;/loss += e * e * e;/' "$mf" > "$work/mf.c"
refuses 1 ORR9 "$orrery_cc" -O2 -plan "$work/mf.plan.json" "$work/mf.c" \
    -o "$work/no" -lm
# A comment more: it still is.
sed '1i /* one line more */' "$mf" > "$work/mf.c"
"$orrery_cc" -O2 -plan "$work/mf.plan.json" "$work/mf.c" -o "$work/mf" -lm ||
    fail "the plan of a source with another comment"
