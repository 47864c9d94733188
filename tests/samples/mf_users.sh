#!/bin/bash
# What users expect of mf: adaptive rates; with --biases a user who never rated gets the mean and the item's
# bias; --patience stops when the held-out error no longer falls and keeps the best model. In parallel as serially.
. "$(dirname "$0")/common.sh"
make_small
compile gcc mf "$work/serial"
compile "$orrery_cc" mf "$work/mf"

# model NAME PROGRAM ARGUMENT...: the model and what is printed, without seconds
model() {
    local name=$1
    shift
    timeout 300 "$@" --output "$work/$name.model" > "$work/$name.out" || fail "$*"
    sed -Ei 's/ *[0-9.]+ s( per pass)?(,|$)//g' "$work/$name.out"
}

model default "$work/serial" --rank 12 --epochs 3 "$small"
model adaptive "$work/serial" --adaptive --rank 12 --epochs 3 "$small"
model plain "$work/serial" --plain --rank 12 --epochs 3 "$small"
cmp "$work/default.model" "$work/plain.model" || fail "rates adapt by default"
cmp -s "$work/default.model" "$work/adaptive.model" && fail "--adaptive changes nothing"

# Twenty items of mean 1 to 20; users 1 to 300 rate them, users 301 to 320 never do, and are asked for.
awk 'BEGIN { srand(3); for (n = 0; n < 6000; ++n) { u = 1 + int(300 * rand()); i = 1 + int(20 * rand())
    print u, i, i + rand() - .5 } print 320, 1, 1 }' | sed '$d' > "$work/train"
{ echo '%%MatrixMarket matrix coordinate real general'; echo 320 20 6000; cat "$work/train"; } > "$work/known.mtx"
awk 'BEGIN { for (u = 301; u <= 320; ++u) for (i = 1; i <= 20; ++i) print u, i, i }' > "$work/cold"
model cold "$work/serial" --adaptive --biases --rank 8 --epochs 20 --test "$work/cold" "$work/known.mtx"
tail -n 1 "$work/cold.out" | awk '{ exit !($NF < .3) }' || fail "of users who never rated: $(tail -n 1 "$work/cold.out")"
refuses 2 "--rank 3 or more" "$work/serial" --biases --rank 2 "$small"

# It would learn the noise by heart.
stop=(--adaptive --biases --rank 40 --lambda 0 --epochs 60 --patience 2 --held-out .3 "$small")
model stopped "$work/serial" "${stop[@]}"
best=$(sed -n 's/the best: epoch \([0-9]*\), .*/\1/p' "$work/stopped.out")
[ "$(grep -c '^epoch' "$work/stopped.out")" -eq $((best + 2)) ] && [ "$best" -lt 58 ] || fail "it does not stop: best $best"
awk '/^epoch/ { e = $NF; if (!n++ || e < least) { least = e; at = n } } /^the best/ { exit !(at + 0 == $4 + 0) }' \
    "$work/stopped.out" || fail "another pass is the best: $(tail -n 1 "$work/stopped.out")"
model until "$work/serial" "${stop[@]}" --patience 0 --epochs "$best"
cmp "$work/stopped.model" "$work/until.model" || fail "the model is not that of the best pass"

ORRERY_GRID=1x1 model block "$work/mf" "${stop[@]}"
cmp "$work/stopped.model" "$work/block.model" || fail "one block is not the serial program"
ORRERY_THREADS=1 model one "$work/mf" "${stop[@]}"
ORRERY_THREADS=3 model three "$work/mf" "${stop[@]}"
model ranks "$orrery" run -n 2 --oversubscribe --threads 1 -- "$work/mf" "${stop[@]}"
for other in three ranks; do
    cmp "$work/one.model" "$work/$other.model" && cmp "$work/one.out" "$work/$other.out" || fail "$other"
done
