#!/usr/bin/env bash
# ORRERY_VERIFY: the records of threads, replays and ranks are the same bytes, in the user's order;
# ORRERY_TRACE is valid JSON with every visit of a block in it.
. "$(dirname "$0")/common.sh"
for variant in seed=1 "shape=table low=3 holes=1" "shape=columns" strategy=1; do
    # shellcheck disable=SC2086
    ORRERY_VERIFY=$work/one ORRERY_THREADS=1 "$tools/keyed" $variant >"$work/out"
    # shellcheck disable=SC2086
    ORRERY_VERIFY=$work/two ORRERY_THREADS=3 "$tools/keyed" $variant >"$work/out"
    cmp "$work/one" "$work/two"
    # shellcheck disable=SC2086
    ORRERY_VERIFY=$work/two ORRERY_REPLAY=reverse "$tools/keyed" $variant >"$work/out"
    cmp "$work/one" "$work/two"
    if have_ranks; then
        # shellcheck disable=SC2086
        ORRERY_VERIFY=$work/two ORRERY_THREADS=1 ranks 3 "$tools/keyed" $variant >"$work/out"
        cmp "$work/one" "$work/two"
    fi
done
ORRERY_VERIFY=$work/one "$tools/keyed" passes=2 users=40 count=500 >"$work/out"
"$tools/verify_dump" "$work/one" >"$work/dump"
grep -q "keyed.c:9 pass 2" "$work/dump"
grep -q "array W element 8 row 24 rows 40" "$work/dump"
grep -q "reduction weight element 8 .* floating" "$work/dump"
head -c 500 "$work/one" >"$work/cut"
if "$tools/verify_dump" "$work/cut" >"$work/out"; then
    echo "FAILED: a file cut short was read" >&2
    exit 1
fi

check_trace() {
    command -v python3 >/dev/null || return 0
    python3 - "$1" "$2" <<'PY'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
blocks = [e for e in events if e["ph"] == "X" and "keyed.c:9 (" in e["name"]]
assert len(blocks) == 9 * 16 * 2, len(blocks)
assert len({e["pid"] for e in blocks}) == int(sys.argv[2])
PY
}
ORRERY_GRID=4x4 ORRERY_VISITS=2 ORRERY_TRACE=$work/trace ORRERY_THREADS=2 "$tools/keyed" passes=9 >"$work/out"
check_trace "$work/trace" 1
if have_ranks; then
    ORRERY_GRID=4x4 ORRERY_VISITS=2 ORRERY_TRACE=$work/trace ranks 2 "$tools/keyed" passes=9 >"$work/out"
    check_trace "$work/trace" 2
    grep -q "messages in" "$work/trace"
fi
