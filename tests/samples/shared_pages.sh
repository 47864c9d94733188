#!/bin/bash
# Ranks of one host share the pages of what rotates: rows are sent once, when the loop starts, and only
# batons after that; nothing goes home between passes that read nothing; the model has the same bits.
. "$(dirname "$0")/common.sh"
make_small
compile "$orrery_cc" mf "$work/mf"

# run NAME SHARED PASSES: the model, and the megabytes that rank 0 and rank 1 sent.
run() {
    ORRERY_STATS=1 ORRERY_DEBUG=shared=$2 ORRERY_GRID=8x8 timeout 300 "$orrery" run -n 2 --threads 1 -- "$work/mf" \
        --rank 64 --epochs "$3" --no-eval-each-epoch --output "$work/$1.model" "$small" > "$work/$1.txt" 2>&1 ||
        { cat "$work/$1.txt"; fail "$1"; }
    sed -n 's/.*rank [01] messages.* sent-mb \([0-9.]*\) .*/\1/p' "$work/$1.txt" > "$work/$1.sent"
    [ "$(wc -l < "$work/$1.sent")" -eq 2 ] || { cat "$work/$1.txt"; fail "$1: no figures of two ranks"; }
}

total() {
    awk '{ sum += $1 } END { print sum }' "$work/$1.sent"
}

run few 1 2
run many 1 12
run sent 0 12
cmp "$work/many.model" "$work/sent.model" || fail "other bits with shared pages"
awk -v few="$(total few)" -v many="$(total many)" -v sent="$(total sent)" \
    'BEGIN { exit !(many - few < 0.1 && sent > many + 1) }' ||
    fail "megabytes sent: $(total few) in 2 passes, $(total many) in 12, $(total sent) without sharing"
