#!/usr/bin/env bash
# Every message code used in a source has a line in messages.def and a page, titles agree, and
# every line and page is used.
. "$(dirname "$0")/../lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

find "$root" -path "$root/.git" -prune -o -path "$root/tests" -prune -o -path "$root/build*" -prune \
    -o \( -name '*.c' -o -name orrery -o -name orrery-cc \) -type f -print0 |
    xargs -0 sed -E 's:/\*.*::; /^ *\* /d' | grep -owE 'ORR[0-9]{4}' | sort -u >"$work/used"
grep -oE '^MESSAGE\(ORR[0-9]{4}' "$root/analyzer/messages.def" | cut -d'(' -f2 >"$work/listed.raw"
sort -u "$work/listed.raw" >"$work/listed"
ls "$root/docs/messages" | sed -n 's/^\(ORR[0-9]\{4\}\)\.md$/\1/p' | sort -u >"$work/pages"

status=0
complain() { # FILE-A FILE-B TEXT: what is in A and not in B
    comm -23 "$1" "$2" >"$work/missing"
    if [ -s "$work/missing" ]; then
        echo "$3: $(tr '\n' ' ' <"$work/missing")"
        status=1
    fi
}
[ -s "$work/used" ]
complain "$work/used" "$work/pages" "no page in docs/messages"
complain "$work/used" "$work/listed" "no line in analyzer/messages.def"
complain "$work/pages" "$work/used" "a page that no source uses"
complain "$work/listed" "$work/used" "a line of messages.def that no source uses"
if ! sort -c "$work/listed.raw" 2>/dev/null || [ -n "$(uniq -d "$work/listed.raw")" ]; then
    echo "messages.def is not in order, or names a code twice"
    status=1
fi
while read -r code; do
    title=$(sed -n "s/^MESSAGE($code, \"\(.*\)\")$/\1/p" "$root/analyzer/messages.def")
    page="$root/docs/messages/$code.md"
    if [ -f "$page" ] && [ "$(head -n 1 "$page")" != "# $code: $title" ]; then
        echo "$code: the page's title is not that of messages.def: $title"
        status=1
    fi
done <"$work/listed"
exit $status
