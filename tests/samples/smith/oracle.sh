#!/bin/bash
# The recorder itself: when every loop is claimed to be independent it must object to many.
# usage: oracle.sh TOOLS
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$1/gen" 1 50 "$work/plain.c" "$work/record.c"
for i in $(seq 0 49); do
    printf '#define SPACE_%d 0\n#define TIME_%d 0\n#define GUARD_%d 1\n' "$i" "$i" "$i"
    printf '#define CLAIM_%d {1, 0, "independent", ",t0,", ",+ s0,m s1,", ",", ","}\n' "$i"
done > "$work/claims.h"
cc -w -I "$here" -I "$work" "$work/record.c" -o "$work/record"
if "$work/record" > "$work/log"; then
    echo "the recorder objects to nothing"
    exit 1
fi
[ "$(grep -c UNSOUND "$work/log")" -ge 25 ] || { cat "$work/log"; exit 1; }
