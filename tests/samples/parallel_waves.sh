#!/bin/bash
# Wavefronts keep the loop's own order: the results have the bits of gcc's program for any number of
# threads and ranks, on the grid that Orrery chooses and on others, however bands are dealt.
. "$(dirname "$0")/common.sh"

# same NAME LOOPS OPTIONS...: how many loops have to run as wavefronts.
same() {
    local name=$1 loops=$2 setting threads grid
    shift 2
    "$work/$name.plain" "$@" --output "$work/plain.x" > "$work/plain.out"
    [ -s "$work/plain.out" ] || fail "$name prints nothing"
    for setting in "1 0x0" "2 7x3" "5 300x2" "5 0x0"; do
        read -r threads grid <<< "$setting"
        ORRERY_STATS=1 ORRERY_THREADS=$threads ORRERY_GRID=$grid timeout 300 "$work/$name" "$@" \
            --output "$work/x" > "$work/out" 2> "$work/err" || fail "$name: $threads threads, grid $grid"
        cmp "$work/plain.x" "$work/x" || fail "$name $*: $threads threads, grid $grid: another result"
        [ "$(grep -c 'wavefront grid' "$work/err")" -eq "$loops" ] || { cat "$work/err"; fail "no wavefront"; }
        cmp <(sed 's/[0-9.]* s,//' "$work/plain.out") <(sed 's/[0-9.]* s,//' "$work/out") ||
            fail "$name $*: it prints something else"
    done
}

# on_ranks NAME OPTIONS...: after same. Ranks, threads of each, grid, bands per rank.
on_ranks() {
    local name=$1 ranks threads grid bands
    shift
    while read -r ranks threads grid bands; do
        ORRERY_DEBUG=bands=$bands ORRERY_GRID=$grid timeout 300 "$orrery" run -n "$ranks" --oversubscribe --threads "$threads" \
            -- "$work/$name" "$@" --output "$work/x" > "$work/out" 2> "$work/err" || { cat "$work/err"; fail "$name: $ranks ranks, grid $grid"; }
        cmp "$work/plain.x" "$work/x" || fail "$name $*: $ranks ranks, grid $grid: another result"
        cmp <(sed 's/[0-9.]* s,//' "$work/plain.out") <(sed 's/[0-9.]* s,//' "$work/out") ||
            fail "$name $*: on $ranks ranks it prints something else"
    done << 'END'
2 1 0x0 0
3 2 7x3 1
4 1 300x2 3
2 2 13x61 2
END
}

for name in gauss_seidel lcs; do
    compile gcc $name "$work/$name.plain"
    compile "$orrery_cc" $name "$work/$name"
done
same gauss_seidel 1 --grid 150 --sweeps 10 --every 4
on_ranks gauss_seidel --grid 150 --sweeps 10 --every 4
same gauss_seidel 1 --grid 61 --sweeps 7 --nine --quiet
on_ranks gauss_seidel --grid 61 --sweeps 7 --nine --quiet
same lcs 1 --letters 500
on_ranks lcs --letters 500
same lcs 1 --letters 300 --edit --seed 3
same lcs 1 --letters 300 --local
on_ranks lcs --letters 300 --local

"$orrery" analyze "$(source_of gauss_seidel)" > "$work/said" 2>&1
grep -q 'parallel by wavefront: .* the same .* or one before it \[ORR1301\]' "$work/said" || fail "no ORR1301"
