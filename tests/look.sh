#!/bin/bash
# Looks at pages in a browser, at four sizes, light and dark: what is wider than its window, and text of too little
# contrast (4.5, WCAG 2's AA). Status 1 with a line per fault.
# usage: look.sh BROWSER FOLDER PAGE.html...      FOLDER: for the browser's profile and copies of the pages
set -eu
here=$(cd "$(dirname "$0")" && pwd)
browser=$1
folder=$2
shift 2
mkdir -p "$folder"
{
    printf '<!DOCTYPE html><body>\n<pre id="said">looked\n</pre>\n'
    echo '<script>var count = 0, seen = 0; addEventListener("message", function (e) {'
    printf '%s\n' 'count++; if (e.data.seen > 0) seen++; document.getElementById("said").textContent += e.data.text ? e.data.text + "\n" : "";'
    echo 'document.body.dataset.count = count + " " + seen; });</script>'
    number=0
    for page; do
        number=$((number + 1))
        name=$number-$(basename "$page")
        {
            sed "s,<head>,&<base href=\"file://$(realpath "$(dirname "$page")" | sed "s/ /%20/g")/\">," "$page"
            echo '<script>'
            cat "$here/look.js"
            echo '</script>'
        } >"$folder/$name"
        for size in 360x740 768x1024 1280x800 1920x1080; do
            echo "<iframe src=\"$name\" width=\"${size%x*}\" height=\"${size#*x}\" style=\"border:0\"></iframe>"
        done
    done
    echo '</body>'
} >"$folder/all.html"
faults=0
for scheme in 0 1; do
    timeout -k 2 300 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$folder/profile" \
        --enable-logging=stderr --blink-settings=preferredColorScheme=$scheme --window-size=2000,1200 \
        --virtual-time-budget=20000 --dump-dom "file://$folder/all.html" >"$folder/dom" 2>"$folder/err" ||
        { tail "$folder/err"; exit 1; }
    sed -n '/<pre id="said">/,/<\/pre>/p' "$folder/dom" | sed 's/<[^>]*>//g' | grep -vx -e looked -e '' >"$folder/said" && faults=1
    cat "$folder/said"
    count=$(sed -n 's/.*data-count="\([^"]*\)".*/\1/p' "$folder/dom")
    [ "$count" = "$((4 * $#)) $((4 * $#))" ] || { echo "looked at $count of $((4 * $#)) windows"; exit 1; }
done
exit $faults
