#!/bin/bash
# The site in a browser: pages load without errors, can be read at four sizes, light and dark, search finds what is
# there, and each page leads to the next.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v cmark-gfm >/dev/null || { echo "skipped: cmark-gfm is not installed"; exit 77; }
browser=
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && browser=$name && break
done
[ -n "$browser" ] || { echo "skipped: no Chromium here (apt-get install chromium)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/../../scripts/site" "$work/site" >/dev/null

cd "$work/site"
"$here/../look.sh" "$browser" "$work/look" index.html docs/tutorial.html docs/clauses.html docs/comparison.html \
    docs/measurements.html docs/messages/index.html docs/messages/ORR1201.html || { echo "FAILED: what cannot be read"; exit 1; }

# dom PAGE: what it has become, with no errors on the console
dom() {
    timeout -k 2 300 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --enable-logging=stderr \
        --virtual-time-budget=5000 --dump-dom "file://$work/site/$1" >"$work/dom" 2>"$work/err" ||
        { tail "$work/err"; echo "FAILED: $browser could not show $1"; exit 1; }
    ! grep -E 'CONSOLE.*(Uncaught|Error)|net::ERR' "$work/err" || { echo "FAILED: $1: errors on the console"; exit 1; }
}
says() {
    grep -q "$1" "$work/dom" || { echo "FAILED: the page does not say: $1"; exit 1; }
}
dom "docs/messages/ORR2104.html#find=tournament%20partner"
says '<li><a href="../../docs/plan.html">The plan</a>'
dom "index.html#find=nosuchwordanywhere"
says 'No page has these words'
dom index.html
says 'rel="next" href="docs/README.html"'
[ -z "$(sed -n '/<ul id="found"/s/.*<li>.*/x/p' "$work/dom")" ] || { echo "FAILED: found without a search"; exit 1; }

# By the links to the next one every page is reached.
count=0 page=README.html
while [ -n "$page" ] && [ $count -lt 1000 ]; do
    count=$((count + 1))
    next=$(sed -n 's/.*rel="next" href="\([^"]*\)".*/\1/p' "$page")
    [ -z "$next" ] || next=$(realpath --relative-to=. "$(dirname "$page")/$next")
    page=$next
done
pages=$(find "$here/../../docs" "$here/../../samples" -name '*.md' | wc -l)
tops=$(find "$here/../.." -maxdepth 1 -name '*.md' | wc -l)
[ $count = $((pages + tops)) ] || { echo "FAILED: $count of $((pages + tops)) pages in a row"; exit 1; }
