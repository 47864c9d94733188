#!/bin/bash
# Merges that take a part of the changes (ORRERY_TOP_PERCENT): nothing is lost, the bits are the same on threads and
# ranks, with marked copies of threads and with copies of rows; all of them are what 100 is; slr still learns.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

"$orrery_cc" -O2 -Werror=serial "$here/compress.c" -o "$work/compress" > "$work/said" 2>&1 || { cat "$work/said"; fail "it does not build"; }
for large in "" large; do
    # shellcheck disable=SC2086
    whole=$(ORRERY_THREADS=1 "$work/compress" $large) || fail "uncompressed: $whole"
    for percent in 1 10 50 100; do
        export ORRERY_TOP_PERCENT=$percent
        # shellcheck disable=SC2086
        wanted=$(ORRERY_THREADS=1 "$work/compress" $large) || fail "$percent % $large: $wanted"
        if [ $percent = 100 ]; then
            [ "$wanted" = "$whole" ] || fail "100 %: $wanted, not $whole"
        else
            [ "$wanted" != "$whole" ] || fail "$percent %: nothing came late"
        fi
        for threads in 2 3 4; do
            # shellcheck disable=SC2086
            [ "$(ORRERY_THREADS=$threads "$work/compress" $large)" = "$wanted" ] || fail "$percent % $large: $threads threads"
        done
        for ranks in 2 3; do
            # shellcheck disable=SC2086
            [ "$(timeout -k 2 60 "$orrery" run -n $ranks --oversubscribe --threads 1 -- "$work/compress" $large)" = "$wanted" ] ||
                fail "$percent % $large: $ranks ranks"
        done
    done
    unset ORRERY_TOP_PERCENT
done

compile "$orrery_cc" slr "$work/slr" -Werror=serial
held_out() {
    ORRERY_THREADS=2 "$work/slr" --quiet --epochs 5 "$build/samples/data/a9a" | sed -n 's/.* \([0-9.]*\)$/\1/p' | tail -n 1
}
all=$(held_out)
for percent in 50 10; do
    some=$(ORRERY_TOP_PERCENT=$percent held_out)
    echo "slr: held-out loss $some with $percent %, $all with all"
    awk -v some="$some" -v all="$all" 'BEGIN { exit !(some > 0 && some < 1.02 * all) }' || fail "slr at $percent %: $some, $all with all"
done
