#!/usr/bin/env bash
# docs/pragma.md lists the operators of `reduction(op : x)` as include/orrery_reductions.def has them.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
listed=$(sed -nE 's/^ *ROW\(([A-Z_]+), ([A-Z_]+), [a-z_]+, "([^"]+)".*/\1 \2 \3/p' "$root/include/orrery_reductions.def" |
    awk '$1 == $2 {print $3}' | tr '\n' ' ')
said=$(sed -nE 's/^\| `reduction\(op : x.*`op`: `([^`]*)`.*/\1/p' "$root/docs/pragma.md" | sed 's/\\//g')
[ "$listed" = "$said " ] || { echo "docs/pragma.md has '$said', the table '$listed'" >&2; exit 1; }
