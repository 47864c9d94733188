#!/bin/bash
# scripts/site makes a page of every page, and every link in them leads somewhere. The site is left in FOLDER.
# usage: site.sh PYTHON FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v sphinx-build >/dev/null || { echo "skipped: Sphinx is not installed"; exit 77; }
"$here/../../scripts/site" "$2" >/dev/null
cd "$here/../.."
while IFS= read -r page; do
    grep -q '</html>' "$2/${page%.md}.html" || { echo "FAILED: no page of $page" >&2; exit 1; }
done < <(ls ./*.md && find docs samples -name '*.md')
for page in index docs/messages/README samples/integration/README docs/schemas/README; do
    grep -q '</html>' "$2/$page.html" || { echo "FAILED: no page $page" >&2; exit 1; }
done
"$1" "$here/links.py" --site "$2"
