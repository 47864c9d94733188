#!/bin/bash
# bundle.sh SOURCE: scripts/gpu-check makes a bundle that is small and whole, and what is in it passes on the
# host shim, with another number of ratings than it asks for by itself.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$1/scripts/gpu-check" --bundle "$dir/bundle.tar.gz"
[ "$(stat -c %s "$dir/bundle.tar.gz")" -lt 30000000 ]
tar -C "$dir" -xzf "$dir/bundle.tar.gz"
RATINGS=1500 "$dir/gpu-check/check" --shim
grep -Eq '^rotation +same +same' "$dir/gpu-check/table.txt"
grep -Eq '^bench rank 32 ratings 1500 seconds .* updates/s' "$dir/gpu-check/table.txt"
