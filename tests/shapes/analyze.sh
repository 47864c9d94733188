#!/bin/bash
# `orrery analyze` finds for each marked loop of a program what its first comment says.
# usage: analyze.sh PROGRAM.c
. "$(dirname "$0")/lib.sh"

expected loop > "$work/wanted"
[ -s "$work/wanted" ] || fail "no loop: line"
"$orrery" analyze --format=json "$program" > "$work/json" || fail "analyze failed"
"$tools/verdicts" < "$work/json" > "$work/found"
[ "$(wc -l < "$work/wanted")" = "$(wc -l < "$work/found")" ] || fail "$(wc -l < "$work/found") marked loops"

# The first loop that is not as expected, or nothing.
differs() {
    local number=0 wanted found
    while IFS=: read -r wanted found; do
        number=$((number + 1))
        case "|${wanted#* }|" in
        *"|${found#* }|"*) [ "${wanted%% *}" = "${found%% *}" ] && continue ;;
        esac
        echo "loop $number: expected $wanted, found $found"
        return
    done < <(paste -d: "$work/wanted" "$work/found")
}

difference=$(differs)
if [ -n "$(expected waits)" ]; then
    [ -n "$difference" ] || fail "all is found: the line 'waits: $(expected waits)' has to go"
    exit 0
fi
[ -z "$difference" ] || { "$orrery" analyze "$program" >&2; fail "$difference"; }
