#!/bin/bash
# The site in a browser: pages load without errors, can be read at four sizes, light and dark, search finds what is
# there, and each page leads to the next.
# usage: site_browser.sh SITE
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ -e "$1/index.html" ] || { echo "skipped: there is no site"; exit 77; }
browser=
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && browser=$name && break
done
[ -n "$browser" ] || { echo "skipped: no Chromium here (apt-get install chromium)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$1"
"$here/../look.sh" "$browser" "$work/look" index.html docs/tutorial.html docs/clauses.html docs/comparison.html \
    docs/measurements.html docs/messages/README.html docs/messages/ORR1201.html || { echo "FAILED: what cannot be read"; exit 1; }

# dom PAGE: what it has become, with no errors on the console
dom() {
    timeout -k 2 300 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --enable-logging=stderr \
        --virtual-time-budget=5000 --dump-dom "file://${PWD// /%20}/$1" >"$work/dom" 2>"$work/err" ||
        { tail "$work/err"; echo "FAILED: $browser could not show $1"; exit 1; }
    ! grep -E 'CONSOLE.*(Uncaught|Error)|net::ERR' "$work/err" || { echo "FAILED: $1: errors on the console"; exit 1; }
}
says() {
    grep -q "$1" "$work/dom" || { echo "FAILED: the page does not say: $1"; exit 1; }
}
dom "search.html?q=tournament+partner"
says '<a href="docs/plan.html"[^>]*>The plan</a>'
dom "search.html?q=nosuchwordanywhere"
says 'did not match any documents'
dom docs/messages/README.html
says 'ORR2104.html">'

# By the links to the next one every page is reached.
count=0 page=README.html
while [ -n "$page" ] && [ $count -lt 1000 ]; do
    count=$((count + 1))
    next=$(sed -n 's/.*class="next-page" href="\([^"]*\)".*/\1/p' "$page")
    [ -z "$next" ] || next=$(realpath --relative-to=. "$(dirname "$page")/$next")
    page=$next
done
pages=$(find "$here/../../docs" "$here/../../samples" "$here/../../editors" -name '*.md' | wc -l)
tops=$(find "$here/../.." -maxdepth 1 -name '*.md' | wc -l)
# One more: the list of messages.
[ $count = $((pages + tops + 1)) ] || { echo "FAILED: $count of $((pages + tops + 1)) pages in a row"; exit 1; }
