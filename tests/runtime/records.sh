#!/usr/bin/env bash
# ORRERY_VERIFY: the records of threads, replays and ranks are the same bytes, in the user's order;
# ORRERY_TRACE is valid JSON with every block in it.
. "$(dirname "$0")/common.sh"
for variant in seed=1 "shape=table low=3 holes=1" "shape=columns" strategy=1; do
    # shellcheck disable=SC2086
    ORRERY_VERIFY=$here/one ORRERY_THREADS=1 "$tools/keyed" $variant >"$here/out"
    # shellcheck disable=SC2086
    ORRERY_VERIFY=$here/two ORRERY_THREADS=3 "$tools/keyed" $variant >"$here/out"
    cmp "$here/one" "$here/two"
    # shellcheck disable=SC2086
    ORRERY_VERIFY=$here/two ORRERY_REPLAY=reverse "$tools/keyed" $variant >"$here/out"
    cmp "$here/one" "$here/two"
    if have_ranks; then
        # shellcheck disable=SC2086
        ORRERY_VERIFY=$here/two ORRERY_THREADS=1 ranks 3 "$tools/keyed" $variant >"$here/out"
        cmp "$here/one" "$here/two"
    fi
done
ORRERY_VERIFY=$here/one "$tools/keyed" passes=2 users=40 count=500 >"$here/out"
"$tools/verify_dump" "$here/one" >"$here/dump"
grep -q "keyed.c:9 pass 2" "$here/dump"
grep -q "array W element 8 row 24 rows 40" "$here/dump"
grep -q "reduction weight element 8 .* floating" "$here/dump"
head -c 500 "$here/one" >"$here/cut"
if "$tools/verify_dump" "$here/cut" >"$here/out"; then
    echo "FAILED: a file cut short was read" >&2
    exit 1
fi

check_trace() {
    command -v python3 >/dev/null || return 0
    python3 - "$1" "$2" <<'PY'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
blocks = [e for e in events if e["ph"] == "X" and "keyed.c:9 (" in e["name"]]
assert len(blocks) == 9 * 16, len(blocks)
assert len({e["pid"] for e in blocks}) == int(sys.argv[2])
PY
}
ORRERY_GRID=4x4 ORRERY_TRACE=$here/trace ORRERY_THREADS=2 "$tools/keyed" passes=9 >"$here/out"
check_trace "$here/trace" 1
if have_ranks; then
    ORRERY_GRID=4x4 ORRERY_TRACE=$here/trace ranks 2 "$tools/keyed" passes=9 >"$here/out"
    check_trace "$here/trace" 2
    grep -q "messages in" "$here/trace"
fi
