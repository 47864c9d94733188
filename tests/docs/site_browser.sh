#!/bin/bash
# The site in a browser: pages load without errors, their heading shows, and nothing is wider than the window, on
# a screen and on a telephone.
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

# see PAGE WIDTH: the page, with what its own elements say of themselves in the title
see() {
    local page="$work/site/$1.html"
    sed 's,</body>,<script>addEventListener("load"\,() => { const h = document.querySelector("h1").getBoundingClientRect();\
document.body.dataset.seen = `links ${document.querySelectorAll("nav a").length} heading ${h.height > 10 \&\& h.top < 400} wide ${Math.max(0\, document.documentElement.scrollWidth - innerWidth)}`; });</script></body>,' \
        "$page" >"${page%.html}.seen.html"
    timeout -k 2 300 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --enable-logging=stderr \
        --window-size="$2,900" --virtual-time-budget=5000 --dump-dom "file://${page%.html}.seen.html" >"$work/dom" 2>"$work/err" ||
        { tail "$work/err"; echo "FAILED: $browser could not show $1"; exit 1; }
    ! grep -E 'CONSOLE.*(Uncaught|Error)|net::ERR' "$work/err" || { echo "FAILED: $1: errors on the console"; exit 1; }
    seen=$(sed -n 's/.*data-seen="\([^"]*\)".*/\1/p' "$work/dom")
    [ "$seen" = "links 7 heading true wide 0" ] || { echo "FAILED: $1, $2 wide: ${seen:-nothing seen}"; exit 1; }
}

for page in index docs/tutorial docs/promises docs/comparison docs/measurements docs/messages/index docs/messages/ORR1201; do
    see $page 1280
    see $page 500
done
