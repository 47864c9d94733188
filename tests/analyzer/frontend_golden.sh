#!/usr/bin/env bash
# Runs orrery-dump on every file of frontend/. What is expected stands in its first lines:
#   //args: ARGS      arguments behind the file's name
#   //= TEXT          the next line of the list of loops is exactly this ("loop N in " left out)
#   //? TEXT          a line of the dump that contains it, in this order
#   //! TEXT          a line on stderr that contains it, in this order; then the exit status is 1
. "$(dirname "$0")/../lib.sh"
dump=$1/orrery-dump
status=0

expected() { sed -n "s|^//$1 ||p" "$2" | tr -d '\r'; }

in_order() { # LINES-FILE TEXT-FILE
    local from=1 line at
    while IFS= read -r line; do
        at=$(tail -n +"$from" "$2" | grep -nF -- "$line" | head -n 1 | cut -d: -f1)
        if [ -z "$at" ]; then
            echo "missing: $line"
            return 1
        fi
        from=$((from + at))
    done <"$1"
}

cd "$here/frontend"
for file in *.c; do
    args=$(expected 'args:' "$file")
    code=0
    "$dump" loops "$file" $args >"$work/out" 2>"$work/err" || code=$?
    expected '=' "$file" >"$work/loops"
    expected '?' "$file" >"$work/lines"
    expected '!' "$file" >"$work/errors"
    wanted=0
    [ ! -s "$work/errors" ] || wanted=1
    sed -n 's/^loop [0-9]* in //p' "$work/out" >"$work/found"
    ok=1
    [ "$code" = "$wanted" ] || { echo "exit status $code"; ok=0; }
    [ ! -s "$work/loops" ] || diff "$work/loops" "$work/found" || ok=0
    in_order "$work/lines" "$work/out" || ok=0
    in_order "$work/errors" "$work/err" || ok=0
    if [ $ok = 0 ]; then
        echo "$file: FAILED"
        cat "$work/err"
        status=1
    fi
done
exit $status
