#!/bin/bash
# bundle.sh SOURCE: scripts/gpu-check makes a bundle that is small and whole, and what is in it passes on the
# host shim, with another number of ratings than it asks for by itself.
. "$(dirname "$0")/../lib.sh"
dir=$work
(cd "$dir" && "$1/scripts/gpu-check" --bundle bundle.tar.gz)
[ "$(stat -c %s "$dir/bundle.tar.gz")" -lt 30000000 ]
tar -C "$dir" -xzf "$dir/bundle.tar.gz"
# Every header that emitted text and these headers themselves ask for is beside them.
grep -hoE '^#include "[^"]+"' "$dir"/gpu-check/programs/*.c "$dir"/gpu-check/programs/*.cu "$dir"/gpu-check/include/*.h |
    sort -u | tr -d '"' >"$dir/headers"
says "$dir/headers" 'orrery_run\.h'
while read -r _ header; do
    [ -e "$dir/gpu-check/include/$header" ] || fail "$header is missing"
done <"$dir/headers"
# Those that run on several ranks, and one; the others are built and run by gpu.NAME alike.
find "$dir/gpu-check/programs" -type f | grep -Ev '/(rotation|chained|waves|relaxed|emit_plain|bench[_a-z]*)\.cu?$' | xargs rm
# In the place of cumf_sgd one that leaves a model of zeros.
cat >"$dir/cumf_sgd" <<'E'
#!/bin/bash
printf '\0\0\0\0\320\7\0\0\220\1\0\0\200\0\0\0\0\0\0\0' >"${@: -1}"
head -c $((2400 * 128 * 4)) /dev/zero >>"${@: -1}"
[ "$(stat -c %s "${@: -2:1}")" = 18000 ] && echo update_per_sec:12345.000000
E
chmod +x "$dir/cumf_sgd"
! command -v ninja >/dev/null || export CMAKE_GENERATOR=Ninja
CUMF_SGD=$dir/cumf_sgd RANKS='32 128' RATINGS=1500 "$dir/gpu-check/check" --shim
grep -Eq '^\{"device": "host shim", "copy": 0, "name": "mf", "rank": 32, "ratings": 1500, "rmse": [0-9.]+, "after": 1, "seconds": [0-9.]+, "updates/s": ' "$dir/gpu-check/table.json"
! "$dir/gpu-check/check" --shim everything 2>/dev/null || exit 1
grep -Eq '^rotation +same +same' "$dir/gpu-check/table.txt"
for line in 'mf rank 32 ratings 1500 rmse .* updates/s' 'mf rank 128 ratings 1500 rmse .* updates/s' \
    'cumf_sgd rank 128 ratings 1500 rmse [23]\.[0-9]+ after 1 passes updates/s 12345' \
    'two ranks, one device: busy [0-9.]+ % of a pass .* [1-9][0-9]* of [0-9]+ messages and copies beside kernels, updates/s' 'lda topics 128 .* tokens/s' 'slr nonzeros 40 .* examples/s' \
    'cp rank 32 .* updates/s' 'kmeans clusters 64 .* points/s .* kernels [0-9.]+ regions [0-9.]+ copied in [0-9]+ copied out [0-9]+' 'lda .* inspections 1 '; do
    grep -Eq "^bench $line" "$dir/gpu-check/table.txt"
done
grep -Eq '^(chained|relaxed|waves) +same +same' "$dir/gpu-check/table.txt"
[ "$(grep -Ec '^(rotation|chained|waves|relaxed), 2 and 3 ranks +same' "$dir/gpu-check/table.txt")" = 4 ]

# What is shared of a device's time: two kernels that overlap count once, gaps do not; the first region is not looked at.
cat >"$dir/trace" <<'E'
{"name":"run a","ph":"X","pid":0,"tid":1,"ts":0.0,"dur":10.0}
{"name":"run a","ph":"X","pid":0,"tid":1,"ts":100.0,"dur":100.0}
{"name":"kernel a","ph":"X","pid":0,"tid":4,"ts":110.0,"dur":40.0}
{"name":"kernel a","ph":"X","pid":1,"tid":4,"ts":130.0,"dur":40.0}
{"name":"column 1 to rank 1","ph":"X","pid":1,"tid":4,"ts":160.0,"dur":1.0}
{"name":"copy to the device","ph":"X","pid":1,"tid":4,"ts":190.0,"dur":1.0}
E
[ "$(awk -f "$dir/gpu-check/busy.awk" "$dir/trace")" = \
    'busy 60.0 % of a pass (the least 60.0 %), 1 of 2 messages and copies beside kernels' ]
