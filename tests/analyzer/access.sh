#!/bin/bash
# Facts of loops: the first comment of every file of access/ is what --dump=accesses says of the
# file's first loop.
# usage: access.sh BIN [FILE...]
. "$(dirname "$0")/../lib.sh"

bin=$1
shift
[ $# -gt 0 ] || set -- "$here"/access/*.c

failed=0
for file in "$@"; do
    sed -n '/^\/\* expect$/,/^\*\/$/p' "$file" | sed '1d;$d' > "$work/expected"
    "$bin/orrery-dump" accesses "$file" > "$work/all" || failed=1
    awk '/^loop/ && loops++ { exit } { print }' "$work/all" > "$work/found"
    if ! diff -u "$work/expected" "$work/found" > "$work/diff"; then
        echo "$(basename "$file"): not the facts expected"
        cat "$work/diff"
        failed=1
    fi
done
exit $failed
