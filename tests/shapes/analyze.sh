#!/bin/bash
# `orrery analyze` finds for each marked loop of a program what its first comment says.
# usage: analyze.sh PROGRAM.c
. "$(dirname "$0")/lib.sh"

expected loop > "$work/wanted"
[ -s "$work/wanted" ] || fail "no loop: line"
"$orrery" analyze --format=json "$program" > "$work/json" || fail "analyze failed"
"$tools/verdicts" < "$work/json" > "$work/found"
[ "$(wc -l < "$work/wanted")" = "$(wc -l < "$work/found")" ] || fail "$(wc -l < "$work/found") marked loops"

number=0
paste -d: "$work/wanted" "$work/found" | while IFS=: read -r wanted found; do
    number=$((number + 1))
    verdict=${wanted%% *} choices=${wanted#* }
    case "|$choices|" in
    *"|${found#* }|"*) [ "$verdict" = "${found%% *}" ] && continue ;;
    esac
    "$orrery" analyze "$program" >&2 || true
    fail "loop $number: expected $wanted, found $found"
done
