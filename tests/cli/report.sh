#!/bin/bash
# orrery report: one page that needs nothing else, with every loop, its reasons and what was measured.
. "$(dirname "$0")/lib.sh"

mf_program mf.c
expect 0 "$orrery" report mf.c -o mf.html
silent out err
says mf.html '<!DOCTYPE html>' '<title>Orrery: mf.c</title>' '1 loop: 1 parallel, 0 serial' 'ORR1201' \
    'id="loop-1"' 'href="#loop-1">rotation-2d' '"schema":"orrery-report/1"' 'rotating' '\(0, \*\)'
# Nothing is fetched: no address but the name of SVG's language, no file beside it.
if grep -oE '(src|href|url|import)[ =("'\'']+[^#][^"]*' mf.html | grep -vE '^href="#' | grep -E '^(src|url|import|href)'; then
    fail "the page refers to something else"
fi
[ "$(grep -o 'https\?://[^"]*' mf.html | sort -u)" = "http://www.w3.org/2000/svg" ] || fail "an address in the page"

# To standard output; text that is HTML, or no UTF-8, is text.
printf '/* <script>alert(1)</script> & caf\351 </script> */\nvoid f(float *restrict a, const int *k, long n) {\n#pragma orrery parallel\nfor (long i = 0; i < n; ++i) a[i] = k[i] <3 && i >2;\n#pragma orrery parallel\nfor (long i = 1; i < n; ++i) a[i] = a[i - 1];\n}\n' > text.c
expect 0 "$orrery" report text.c
says out '&lt;script&gt;alert\(1\)&lt;/script&gt; &amp; caf' '2 loops: 1 parallel, 1 serial' 'badge serial'
[ "$(grep -o '<script' out | wc -l)" = 2 ] || fail "a script of the source's is in the page"
# Verdicts come first, then the source with a legend, then each loop and what its code says.
grep -oE '<nav |id="source|Underlined: |id="L6|id="loop-[0-9]|id="codes' out | tr '\n' ' ' >order
[ "$(cat order)" = '<nav  id="source Underlined:  id="L6 id="loop-1 id="loop-2 id="codes ' ] || fail "another order: $(cat order)"
sed -n '/<nav /,/<\/nav>/p' out >verdicts
says verdicts 'line 4, f</a> <span class="badge par">independent<' \
    'line 6, f</a> <span class="badge serial">serial</span><br>an iteration needs .*<b>What would help:</b> .*swap'
sed -n '/id="loop-2"/,$p' out >second
says second '<h2><code>for .*<span class="badge serial">serial<' 'flow dependence .* \(<a href="#L6">line 6</a>\)' 'What would help:' \
    '^<tr class="carried">.*a</td><td>flow<.*<code>a\[i\]</code> <a href="#L6">line 6<'
[ "$(grep -c '<tr class="carried"' out)" = 1 ] || fail "not one dependence is carried"
cp text.c '<script>.c'
expect 0 "$orrery" report '<script>.c' -o named.html
[ "$(grep -o '<script' named.html | wc -l)" = 2 ] || fail "the file's name is a script in the page"

# A trace: measured beside predicted, the right numbers of blocks.
expect 0 "$cc" -O2 mf.c -o mf -lm
expect 0 env ORRERY_GRID=4x6 ORRERY_THREADS=2 ORRERY_TRACE=mf.trace ./mf 5000
expect 0 "$orrery" report mf.c --trace mf.trace -o mf.html
python3 - mf.html <<'END' || fail "what the page holds of the trace"
import json, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1))
times = data["loops"][0]["times"]
assert times["passes"] == 4 and times["threads"] == 2 and times["ranks"] == 1, times
for side in "measured", "predicted":
    blocks = [e for e in times[side]["events"] if e[3] >= 0]
    assert {(e[3], e[4]) for e in blocks} == {(r, c) for r in range(4) for c in range(6)}, side
    assert all(0 <= e[1] <= e[2] <= times[side]["length"] * 1.001 + 1 for e in blocks), side
    for lane in 0, 1:
        mine = sorted((e[1], e[2]) for e in blocks if e[0] == lane)
        assert all(a[1] <= b[0] + .2 for a, b in zip(mine, mine[1:])), "two blocks at once"
schedule = data["loops"][0]["schedule"]
for run in schedule["runs"]:
    seen = set()
    for (row, column, *_), (worker, clock) in zip(schedule["steps"], run["events"]):
        for key in ("worker", worker, clock), ("row", row, clock), ("column", column, clock):
            assert key not in seen, key
            seen.add(key)
END
expect 0 env ORRERY_GRID=4x6 ORRERY_THREADS=1 ORRERY_PROFILE=mf.profile ./mf 5000
expect 0 "$orrery" report mf.c --trace mf.trace --profile mf.profile -o mf.html
says mf.html 'blocks as in the profile'

# What is wrong is said.
expect 1 "$orrery" report mf.c --trace mf.c -o no.html
says err 'mf.c: line 1'
[ ! -e no.html ] || fail "a page was written all the same"
echo '{"traceEvents": []}' > no.trace
expect 1 "$orrery" report mf.c --trace no.trace
says err 'no.trace: no trace that a program of this Orrery wrote'
expect 1 "$orrery" report mf.c --profile no.trace
says err 'no.trace'
expect 1 "$orrery" report none.c
expect 1 "$orrery" report mf.c -o no/such/folder.html
says err 'cannot write no/such/folder.html'
expect 2 "$orrery" report
expect 2 "$orrery" report mf.c text.c
