#!/bin/bash
# Plans over three keys and of tournaments, edited by hand: what leaves a conflict is refused with the
# vector that it violates, another order of the dims and another grid are obeyed.
. "$(dirname "$0")/common.sh"
cp=$source/samples/cp/cp.c embed=$source/samples/embed/embed.c
"$orrery" plan "$cp" -o "$work/cp.json" || fail "orrery plan cp"
"$orrery" plan "$embed" -o "$work/embed.json" || fail "orrery plan embed"
grep -q '"rotation-nd"' "$work/cp.json" || fail "no rotation over three keys"
grep -q '"partner": "x\[n\].to"' "$work/embed.json" || fail "no tournament"

# edit PLAN SED...: the plan with these edits, each of which must change something.
edit() {
    plan=$1
    shift
    cat "$work/$plan.json" > "$work/edited.json"
    for edit in "$@"; do
        sed "$edit" "$work/edited.json" > "$work/next.json"
        ! cmp -s "$work/edited.json" "$work/next.json" || fail "nothing was edited: $edit"
        mv "$work/next.json" "$work/edited.json"
    done
}

one_dim_less='/"time"/,/^ *\],*$/{/"x\[n\].l"$/d;s/"x\[n\].j",$/"x[n].j"/}'
edit cp 's/"rotation-nd"/"rotation-2d"/'
refuses 1 "a time dim too many" "$orrery_cc" -O2 -plan "$work/edited.json" "$cp" -o "$work/no" -lm
edit cp "$one_dim_less"
refuses 1 "needs another time dim" "$orrery_cc" -O2 -plan "$work/edited.json" "$cp" -o "$work/no" -lm
edit cp "$one_dim_less" 's/"rotation-nd"/"rotation-2d"/'
refuses 1 "conflict through C: the vector (*, *, 0) over (x[n].i, x[n].j, x[n].l)" \
    "$orrery_cc" -O2 -plan "$work/edited.json" "$cp" -o "$work/no" -lm
edit cp '/"time"/,/^ *\],*$/s/"x\[n\].l"$/"x[n].j"/'
refuses 1 "is not another key" "$orrery_cc" -O2 -plan "$work/edited.json" "$cp" -o "$work/no" -lm
edit embed 's/"tournament"/"rotation-2d"/' 's/"time": null/"time": "x[n].to"/'
refuses 1 "the vector (*, *) over (x[n].from, x[n].to)" \
    "$orrery_cc" -O2 -plan "$work/edited.json" "$embed" -o "$work/no" -lm
edit embed 's/"tournament"/"partition-1d"/'
refuses 1 "ORR9210" "$orrery_cc" -O2 -plan "$work/edited.json" "$embed" -o "$work/no" -lm
edit embed '/"partner"/d'
refuses 1 "needs a partner" "$orrery_cc" -O2 -plan "$work/edited.json" "$embed" -o "$work/no" -lm

# Another order of the dims, another grid.
edit cp '/"time"/,/^ *\],*$/{s/"x\[n\].l"$/"x[n].q"/;s/"x\[n\].j",$/"x[n].l",/;s/"x\[n\].q"$/"x[n].j"/}' \
    '/"grid"/,/^ *\],*$/s/0/3/'
"$orrery_cc" -O2 -ffp-contract=off -plan "$work/edited.json" "$cp" -o "$work/cp" -lm || fail "dims in another order"
head -20000 "$build/samples/data/names.tns" > "$work/small.tns"
ORRERY_STATS=1 "$work/cp" --epochs 1 "$work/small.tns" > "$work/out" 2> "$work/err" || fail "the edited plan"
grep -q 'rotation-nd grid 3x3x3' "$work/err" || fail "another grid: $(cat "$work/err")"
"$orrery" verify --threads 1,3 --ranks 2 --runs 1 -- "$work/cp" --epochs 1 "$work/small.tns" > "$work/out" 2>&1 ||
    { cat "$work/out"; fail "verify"; }
