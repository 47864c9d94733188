#!/bin/bash
# Loops with relax() and buffer() against the model of what these mean (model.h), on any number of
# threads and ranks, with every form of sync() and several grids, which the programs share out; on a grid of one row,
# relaxed loops are the serial program.
. "$(dirname "$0")/../../lib.sh"

RULE=
COUNT=

build=${TREE_BUILD:?}
cc=$build/bin/orrery-cc

number() {
    case $1 in add) echo 0 ;; average) echo 1 ;; *) echo 2 ;; esac
}

# name ROWS STEPS ITERATIONS CLAUSES: builds NAME.c with the clauses in place of CLAUSES.
make() {
    sed "s/^\(#pragma.*\)CLAUSES/\1$5/; s/relax(\(w\|m->w\)/relax(${RULE:+$RULE : }\1/${COUNT:+; s/N = [0-9]*,/N = $COUNT,/}" "$tree/tests/programs/relaxed/$1.c" > "$work/$1.c"
    "$cc" -O1 -Wall -Wextra -Werror=serial -ffp-contract=off "-DROWS=$2" "-DSTEPS=$3" \
        "-DITERATIONS=$4" "-DRULE=$(number "$RULE")" -I "$tree/tests/programs/relaxed" "$work/$1.c" -o "$work/$1" -lm > "$work/said" 2>&1 ||
        { cat "$work/said" >&2; fail "$1 $5 does not build"; }
}

# NAME THREADS...: the same, and as the model says.
check() {
    local name=$1 wanted=
    shift
    for threads in "$@"; do
        found=$(ORRERY_THREADS=$threads timeout 300 "$work/$name") ||
            { echo "$found"; fail "$name on $threads threads"; }
        [ "$found" = "${wanted:=$found}" ] || fail "$name: other bits on $threads threads"
    done
    for ranks in ${RANKS-}; do
        found=$(timeout -k 2 300 "$build/bin/orrery" run -n "$ranks" "$work/$name" 2> "$work/err") ||
            { echo "$found"; cat "$work/err"; fail "$name on $ranks ranks"; }
        [ "$found" = "$wanted" ] || fail "$name: other bits on $ranks ranks"
    done
}

has_ranks() {
    [ -e "$build/lib/liborrery-mpi.so" ] || ls "$build"/*/liborrery-mpi.so > /dev/null 2>&1
}

for name in regression dense adagrad; do
    RANKS=
    # Of a large array of which examples change little there are two copies.
    rows=16
    [ $name != regression ] || rows=2
    make $name $rows 0 0 ""
    check $name 1 2 3 4 8
    make $name 5 7 0 "sync(steps=7) grid(5, 1)"
    if has_ranks; then RANKS="1 2 3 4"; fi
    check $name 1 2 3
    RANKS=
done
# Merges that are many: gains begin with two. Two and three rows have copies of their own, which one rank merges line
# by line, and several from lists.
# Few rows merge cold lines seldom, on ranks and in the replay, too; and where changes are limited, from lists. With
# twice as many iterations as elements two rows do so in the middle of a pass.
for rows in 2 3 16; do
    COUNT=36000
    [ $rows != 2 ] || COUNT=90000
    make regression $rows 0 0 "grid($rows, 1)"
    if has_ranks && [ $rows -lt 16 ]; then RANKS="2"; fi
    check regression 1 2
    RANKS=
done
COUNT=36000
make regression 3 0 0 "grid(3, 1)"
ORRERY_MOST_CHANGE=1e6 check regression 1 2
COUNT=
if has_ranks; then RANKS=2; fi
make regression 3 20 0 "sync(steps=20) grid(3, 1)"
check regression 1 2 8
make dense 4 20 0 "sync(steps=20) grid(4, 1)"
check dense 3
RANKS=
RULE=add
make regression 5 7 0 "sync(steps=7) grid(5, 1)"
check regression 2
RULE=average
make dense 9 0 0 "grid(9, 1)"
check dense 3
RULE=
make adagrad 13 0 40 "grid(13, 1), sync(iterations=40)"
check adagrad 1 4
make dense 40 0 100000 "sync(iterations=100000) grid(40, 3)"
check dense 2
make adagrad 1 0 0 "grid(1, 1)"
check adagrad 3

for name in regression dense; do
    make $name 1 0 0 "grid(1, 1)"
    check $name 3
    sed 's/^#pragma.*//' "$tree/tests/programs/relaxed/$name.c" > "$work/plain.c"
    gcc -O2 -ffp-contract=off -DROWS=1 -DSTEPS=0 -DITERATIONS=0 -I "$tree/tests/programs/relaxed" "$work/plain.c" \
        -o "$work/plain" -lm
    [ "$("$work/plain")" = "$(ORRERY_THREADS=2 "$work/$name")" ] || fail "$name: not the serial bits"
done

# Totals are added by default, what learns is scaled.
"$build/bin/orrery" emit "$tree/tests/programs/relaxed/totals.c" > "$work/emitted.c" || fail "totals: not emitted"
rules=$(sed -n 's/^ *{.*ORRERY_RULE_\([A-Z]*\)},$/\1/p' "$work/emitted.c" | tr '\n' ' ')
[ "$rules" = "ADD ADD SCALE SCALE ADD SCALE " ] || fail "totals: rules $rules"
"$cc" -O2 -w -Werror=serial "$tree/tests/programs/relaxed/totals.c" -o "$work/totals"
[ "$(ORRERY_THREADS=2 "$work/totals")" = "0 0 0" ] || fail "totals: $("$work/totals")"
