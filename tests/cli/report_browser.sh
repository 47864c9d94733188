#!/bin/bash
# The page of orrery report in a browser: every picture is drawn, controls work, no errors.
. "$(dirname "$0")/lib.sh"

browser=
for name in chromium chromium-browser google-chrome; do
    command -v "$name" > /dev/null && browser=$name && break
done
if [ -z "$browser" ]; then
    echo "skipped: no Chromium here (apt-get install chromium): the page of orrery report is not looked at"
    exit 77
fi

# dom FILE: the page after its script has run, in $work/out; the browser's console in $work/err
dom() {
    timeout -k 2 300 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
        --enable-logging=stderr --virtual-time-budget=20000 --dump-dom "file://$work/$1" > out 2> err ||
        fail "$browser could not show $1"
    if grep -E 'CONSOLE.*(Uncaught|Error)|net::ERR' err; then fail "$1: errors on the console"; fi
}

# count PATTERN: how often it stands in the page
count() {
    grep -oE -- "$1" out | wc -l
}

cat > loops.c << 'END'
void two(float *restrict W, float *restrict H, const int *u, const int *v, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) { float e = W[u[i]] * H[v[i]]; W[u[i]] -= e; H[v[i]] -= e; }
}
void wave(float *restrict W, float *restrict H, const int *u, const int *v, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) { float e = W[u[i]] * H[v[i]]; W[u[i]] -= e; H[v[i]] -= e; }
}
void pairs(float *restrict W, const int *u, const int *v, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) { float e = W[u[i]] * W[v[i]]; W[u[i]] -= e; W[v[i]] -= e; }
}
void three(float *restrict A, float *restrict B, float *restrict C, const int *u, const int *v, const int *w, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float e = A[u[i]] * B[v[i]] * C[w[i]];
        A[u[i]] -= e; B[v[i]] -= e; C[w[i]] -= e;
    }
}
void alone(float *restrict x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) x[i] += 1;
}
void chain(float *restrict x, long n) {
#pragma orrery parallel
    for (long i = 2; i < n; ++i) x[i] += x[i - 2];
}
void table(float *restrict L, const char *restrict a, const char *restrict b, long n, long m) {
#pragma orrery parallel
    for (long i = 1; i < n; ++i)
        for (long j = 1; j < m; ++j)
            L[i * m + j] = a[i] == b[j] ? L[(i - 1) * m + j - 1] + 1 : L[(i - 1) * m + j] + L[i * m + j - 1];
}
END
expect 0 "$orrery" report loops.c -o loops.html
strategies=$(grep -oE 'class="badge (par|serial)" href="#loop-[0-9]+">[a-z0-9-]+' loops.html | wc -l)
[ "$strategies" = 7 ] || fail "$strategies badges in the source, not 7"
# A loop that was traced.
mf_program mf.c
expect 0 "$cc" -O2 mf.c -o mf -lm
expect 0 env ORRERY_GRID=4x4 ORRERY_THREADS=2 ORRERY_TRACE=mf.trace ./mf 5000
expect 0 "$orrery" report mf.c --trace mf.trace -o mf.html
# A browser has nothing of ours for a sanitizer ($SANITIZE).
[ -z "${SANITIZE:-}" ] || exit 0

dom loops.html
says out 'data-drawn="7"' 'Clock 0 of' 'a block waits for the one above it'
[ "$(count '<section class="loop"')" = 7 ] || fail "not 7 loops"
[ "$(count 'Drawn by the script')" = 0 ] || fail "a picture was not drawn"
[ "$(count 'type="range"')" -ge 5 ] || fail "not every parallel loop has a slider"
[ "$(count 'class="arrow"')" -ge 8 ] || fail "arrows are missing"
[ "$(count 'class="cell now"')" -ge 5 ] || fail "no block runs at clock 0"

# The controls: to the last clock, one back, another number of workers.
sed 's#</body>#<script>setTimeout(function () {\
  var s = document.getElementById("loop-1"), r = s.querySelector("input[type=range]"), b = s.querySelectorAll("button");\
  r.value = r.max; r.dispatchEvent(new Event("input")); b[0].click();\
  document.body.setAttribute("data-clock", s.querySelector(".status").textContent);\
  var w = s.querySelector("select"); w.value = 0; w.dispatchEvent(new Event("change"));\
  document.body.setAttribute("data-alone", s.querySelector(".status").textContent);\
  b[1].click(); setTimeout(function () { document.body.setAttribute("data-played", r.value); }, 3000);\
}, 0);</script></body>#' loops.html > driven.html
dom driven.html
says out 'data-clock="Clock 4 of 6, 6 of 6 workers busy' 'data-alone="Clock 0 of 36, 1 of 1 worker busy' \
    'data-played="[2-9]"'

dom mf.html
# At four sizes, light and dark: nothing is wider than its window, all text can be read.
"$tree/tests/look.sh" "$browser" "$work/look" "$work/loops.html" "$work/mf.html" || fail "what cannot be read"
sed 's/--quiet: #5b6168/--quiet: #9b9ba8/; s/svg { display: block; max-width: 100%;/svg { min-width: 900px;/' mf.html > bad.html
expect 1 "$tree/tests/look.sh" "$browser" "$work/look" "$work/bad.html"
says out '360 wide, dark: wider than the window' '1280 wide, light: .* has a contrast of'

# A code opens its explanation, from its link and from the page's address.
sed 's#</body>#<script>addEventListener("load", function () { var code = document.querySelector("a.code"), folded = document.querySelector(".explain");\
  document.body.setAttribute("data-before", folded.open); code.click();\
  setTimeout(function () { document.body.setAttribute("data-after", folded.open + " " + (folded.getBoundingClientRect().height > 100)); }, 200); });</script></body>#' \
    loops.html > opened.html
dom opened.html
says out 'data-before="false"' 'data-after="true true"'
expect 0 timeout -k 2 300 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
    --print-to-pdf="$work/loops.pdf" "file://$work/loops.html"
[ "$(grep -ac '/Type */Page\b' loops.pdf)" -ge 2 ] || fail "the page cannot be printed"
dom mf.html
says out 'Measured: ' 'Predicted: .* than measured' 'rank 0, worker 1' 'data-drawn="1"'
