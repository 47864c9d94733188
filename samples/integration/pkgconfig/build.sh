#!/bin/sh
# Any other build: what orrery.pc says is enough. Sources with marked loops are compiled by its
# `compiler`, everything else and the link are the build's own. usage: build.sh OUTPUT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(pkg-config --variable=compiler orrery)" -O2 -c "$here/../program/train.c" -o "$work/train.o"
cc -O2 -fno-pie -c "$here/../program/main.c" -o "$work/main.o"
# The flags are words for this shell.
eval "cc \"$work/main.o\" \"$work/train.o\" $(pkg-config --libs orrery) -o \"$1\""
