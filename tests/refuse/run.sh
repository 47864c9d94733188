#!/bin/bash
# One file of this folder: `orrery analyze` keeps its marked loop serial, with the code and the place
# that its first line says, in JSON and in text with the caret below the right words and an edit
# that would help; and -Werror=serial makes it an error. A second line `says: WORDS` is looked for
# in the remark.
# usage: run.sh ORRERY EXPECT FILE.c
set -eu

orrery=$1 expect=$2 file=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$(basename "$file"): $*"
    exit 1
}

read -r code line column < <(sed -n '1s|.*serial \(ORR[0-9]*\) \([0-9]*\):\([0-9]*\) .*|\1 \2 \3|p' "$file")
[ -n "${column:-}" ] || fail "the first line is no expectation"

"$orrery" analyze --format=json "$file" > "$work/json" || fail "analyze failed"
"$expect" "$file" < "$work/json" || fail "not as expected"

"$orrery" analyze "$file" > "$work/text" 2>&1 || fail "analyze failed in text form"
awk -v line="$line" -v column="$column" -v code="[$code]" -v file="$file" '
    FILENAME == file { if (FNR == line) source = $0; next }
    index($0, file ":" line ":" column ": remark: ") == 1 && index($0, code) { found = FNR; next }
    found && FNR == found + 1 { at = index($0, source) }
    found && FNR == found + 2 { caret = index($0, "^") }
    END { exit !(found && at && caret == at + column - 1) }' "$file" "$work/text" ||
    { cat "$work/text"; fail "the text shows no caret at $line:$column"; }
grep -q '^  fix: .' "$work/text" || { cat "$work/text"; fail "the text shows no edit that would help"; }
words=$(sed -n '2s|^/\* says: \(.*\) \*/$|\1|p' "$file")
[ -z "$words" ] || grep -F "$file:$line:$column: remark: " "$work/text" | grep -Fq -- "$words" ||
    { cat "$work/text"; fail "the remark does not say: $words"; }

status=0
"$orrery" analyze -Werror=serial "$file" > "$work/strict" 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "-Werror=serial gave status $status"
grep -Fq "$file:$line:$column: error: " "$work/strict" || fail "-Werror=serial shows no error"
"$orrery" explain "$code" > "$work/page" || fail "explain $code failed"
grep -Fq "$code" "$work/page" || fail "explain $code does not name the code"
