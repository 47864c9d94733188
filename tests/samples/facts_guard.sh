#!/bin/bash
# Facts from data that no compiler sees: data that have them run in parallel with the serial bits,
# data that have not stop the run by name, or run serially where that is allowed; also when they
# change between two passes.
. "$(dirname "$0")/common.sh"
program=$source/tests/programs/samples/facts.c
gcc -O1 -ffp-contract=off "$program" -o "$work/serial"
"$orrery_cc" -O1 -Werror=serial "$program" -o "$work/facts" || fail "orrery-cc"
"$orrery_cc" -O1 -allow-fallback "$program" -o "$work/either" || fail "orrery-cc -allow-fallback"

for how in "" "equal 0" "equal 2" "empty 1" "hole 1" "moved 2"; do
    # shellcheck disable=SC2086
    wanted=$("$work/serial" $how)
    for threads in 1 3; do
        # shellcheck disable=SC2086
        found=$(ORRERY_THREADS=$threads "$work/facts" $how) || fail "$how: does not run"
        [ "$found" = "$wanted" ] || fail "$how: $found in place of $wanted on $threads threads"
    done
    # shellcheck disable=SC2086
    found=$(timeout 300 "$orrery" run -n 3 --threads 1 -- "$work/facts" $how 2> "$work/err") ||
        { cat "$work/err"; fail "$how: does not run on ranks"; }
    [ "$found" = "$wanted" ] || fail "$how: $found in place of $wanted on ranks"
done
timeout 300 "$orrery" run -n 2 --threads 1 -- "$work/facts" jump 1 > "$work/out" 2>&1 && fail "ranks run on"
grep -q "the loop cannot run in parallel on these data: iteration 3" "$work/out" ||
    { cat "$work/out"; fail "ranks stop for another reason"; }

for name in claimed_rows rows_beside_key; do
    "$orrery_cc" -O1 -Werror=serial "$source/tests/programs/samples/$name.c" -o "$work/claimed" ||
        fail "orrery-cc $name"
    timeout 300 "$orrery" verify --threads 1,2 --ranks 2,3 --runs 1 -- "$work/claimed" \
        > "$work/out" 2>&1 || { cat "$work/out"; fail "verify $name"; }
    gcc -O1 -ffp-contract=off "$source/tests/programs/samples/$name.c" -o "$work/plain"
    [ "$("$work/claimed")" = "$("$work/plain")" ] || fail "$name computes something else"
done

# bad MODE WORDS: the run stops and says them; with a fallback the result is the serial one.
bad() {
    for pass in 0 2; do
        export ORRERY_THREADS=3
        refuses 1 "$2" "$work/facts" "$1" $pass
        grep -q 'facts.c:[0-9]*: .*facts.c:[0-9]*.*; needed: .*-allow-fallback' "$work/err" ||
            { cat "$work/err"; fail "$1: no place, fact or edit"; }
        found=$("$work/either" "$1" $pass 2> "$work/err") || fail "$1: the fallback fails"
        [ "$found" = "$("$work/serial" "$1" $pass)" ] || fail "$1: the fallback is not serial"
        grep -q "runs serially: .*iteration" "$work/err" || fail "$1: the fallback is silent"
        ORRERY_THREADS=1 refuses 1 "$2" "$work/facts" "$1" $pass
    done
}
bad fall "iteration 299 touches elements 1189 to 1190 and iteration 302 elements 1189 to 1202 of val"
bad jump "and iteration 30"
bad longer "iteration 4 touches elements 2783 to 2786 and iteration 5 elements 2778 to 2783 of val"
bad same "iteration 10 touches elements"
bad twice "iteration 690 elements"
bad group "iteration 39 touches"
