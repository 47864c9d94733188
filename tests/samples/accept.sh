#!/bin/bash
# One file of accept/: `orrery analyze` says what its first comment expects.
# usage: accept.sh ORRERY EXPECT FILE.c
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" analyze --format=json "$3" > "$work/json"
"$2" "$3" < "$work/json"
"$1" analyze -Werror=serial "$3" > "$work/text"
grep -q 'ORR1[0-9]*' "$work/text"
