#!/bin/bash
# bundle.sh SOURCE: scripts/gpu-check makes a bundle that is small and whole, and what is in it passes on the
# host shim, with another number of ratings than it asks for by itself.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$1/scripts/gpu-check" --bundle "$dir/bundle.tar.gz"
[ "$(stat -c %s "$dir/bundle.tar.gz")" -lt 30000000 ]
tar -C "$dir" -xzf "$dir/bundle.tar.gz"
# Every header that emitted text and these headers themselves ask for is beside them.
grep -hoE '^#include "[^"]+"' "$dir"/gpu-check/programs/*.c "$dir"/gpu-check/programs/*.cu "$dir"/gpu-check/include/*.h |
    sort -u | tr -d '"' | while read -r _ header; do
    [ -e "$dir/gpu-check/include/$header" ] || { echo "bundle: $header is missing" >&2; exit 1; }
done
RATINGS=1500 "$dir/gpu-check/check" --shim
grep -Eq '^rotation +same +same' "$dir/gpu-check/table.txt"
for line in 'mf rank 32 ratings 1500 .* updates/s' 'lda topics 128 .* tokens/s' 'slr nonzeros 40 .* examples/s' \
    'cp rank 32 .* updates/s' 'kmeans clusters 64 .* points/s'; do
    grep -Eq "^bench $line" "$dir/gpu-check/table.txt"
done
grep -Eq '^(chained|relaxed|waves) +same +same' "$dir/gpu-check/table.txt"
