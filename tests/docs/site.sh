#!/bin/sh
# scripts/site makes a page of every page, and every link in them leads somewhere.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v cmark-gfm >/dev/null || { echo "skipped: cmark-gfm is not installed"; exit 77; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$here/../../scripts/site" "$out/a site" >/dev/null
for page in index docs/tutorial docs/messages/ORR1201 docs/messages/index samples/integration/index; do
    grep -q '</html>' "$out/a site/$page.html" || { echo "no page $page" >&2; exit 1; }
done
"$1" "$here/links.py" --site "$out/a site"
