#!/bin/bash
# A program built by orrery-cc: the same bits on threads and ranks and by replay, and what it prints
# is what gcc's program prints, as close as its first comment says.
# usage: verify.sh PROGRAM.c
. "$(dirname "$0")/lib.sh"

gcc -O1 -w -ffp-contract=off "$program" -o "$work/serial" -lm || fail "gcc does not build it"
serial=-Werror=serial
[ -z "$(expected waits)" ] || serial=
# shellcheck disable=SC2086
"$orrery_cc" -O1 -w $serial "$program" -o "$work/parallel" -lm || fail "orrery-cc does not build it"

"$work/serial" > "$work/wanted"
ORRERY_THREADS=2 timeout 300 "$work/parallel" > "$work/found" || fail "it does not run"
read -r how within < <(expected result)
case $how in
same) cmp "$work/wanted" "$work/found" || fail "it prints something else than the serial program" ;;
near) awk -v within="$within" '
        NR == FNR { wanted[FNR] = $0; lines = FNR; next }
        {
            if (split(wanted[FNR], w) != NF) exit failed = 1
            for (i = 1; i <= NF; ++i) {
                a = w[i] + 0; b = $i + 0; size = a < 0 ? -a : a; d = a < b ? b - a : a - b
                if (!(d <= within * size)) { print FNR ": " w[i] " and " $i; failed = 1 }
            }
            ++seen
        }
        END { exit failed || seen != lines }' "$work/wanted" "$work/found" ||
    fail "it prints something else than the serial program" ;;
*) fail "no result: line" ;;
esac

if ! nm "$work/parallel" | grep -Eq ' T orrery_run(_later)?$'; then
    [ -z "$serial" ] || fail "nothing is parallel, and no 'waits:' says so"
    exit 0
fi

# Two ranks or three, by the name.
ranks=$((2 + $(basename "$program" | cksum | cut -d" " -f1) % 2)) refused=$(expected ranks)
if [ -n "$refused" ]; then
    timeout 300 "$orrery" run -n 2 -- "$work/parallel" > "$work/out" 2>&1 && fail "runs on ranks: 'ranks:' has to go"
    grep -q "${refused#refused }" "$work/out" || { cat "$work/out"; fail "ranks are not refused so"; }
    ranks=0
fi
"$orrery" verify --threads 1,2,3,8 --ranks $ranks --runs 1 --timeout 280 -- "$work/parallel" \
    > "$work/out" 2>&1 || { cat "$work/out"; fail "verify"; }
grep -q '^verified: ' "$work/out" || { cat "$work/out"; fail "verify did not say so"; }
lacks 'the serial text was not replayed' "$work/out" || fail "the serial loop was not replayed"
