#!/bin/bash
# Scratch space in eighty small loops, right and almost right: the verdict of each (one that keeps its
# order by levels does without copies: "serial"); those that are parallel print what gcc's program
# prints, on any number of threads and with copies that are spoilt between blocks (as `orrery verify`
# has them).
. "$(dirname "$0")/../../lib.sh"

build=${TREE_BUILD:?}
failed=0

complain() {
    echo "$*"
    failed=1
}

program() {
    awk -v declaration="$1" -v body="$2" -v after="$3" '
        $1 == "DECLARATION" { print declaration; next }
        $1 == "BODY" { print body; next }
        $1 == "AFTER" { print after; next }
        { print }' "$tree/tests/programs/scratch/frame.c"
}

run() {
    local name=$1
    gcc -O1 -w -ffp-contract=off "$work/$name.c" -o "$work/serial" -lm
    "$build/bin/orrery-cc" -O1 -w "$work/$name.c" -o "$work/parallel" -lm > "$work/said" 2>&1 ||
        { cat "$work/said"; complain "$name: orrery-cc failed"; return 0; }
    "$work/serial" > "$work/wanted"
    for threads in 1 3; do
        ORRERY_VERIFY=$work/record ORRERY_THREADS=$threads timeout 300 "$work/parallel" > "$work/found" ||
            { complain "$name: it does not run"; continue; }
        cmp -s "$work/wanted" "$work/found" || complain "$name: other results with $threads threads"
    done
}

# each COMMAND: with verdict, name and text of each loop; some have the same name
each() {
    local number=0
    while IFS=$'\t' read -r verdict name declaration body after; do
        case $verdict in '' | '#'*) continue ;; esac
        number=$((number + 1))
        name=${number}_$name
        "$1"
    done < "$here/loops.txt"
}

write() {
    program "${declaration#-}" "$body" "${after#-}" > "$work/$name.c"
}

judge() {
    grep -F "/$name.c:" "$work/all" > "$work/text" || { complain "$name: nothing is said"; return 0; }
    found=serial
    ! grep 'remark: parallel' "$work/text" | grep -qv 'parallel by levels' || found=parallel
    [ "$found" = "$verdict" ] || { cat "$work/text"; complain "$name: $found, should be $verdict"; }
    ! grep -q 'remark: parallel' "$work/text" || [ ! -x "$build/bin/orrery-cc" ] || run "$name"
}

each write
"$build/bin/orrery" analyze "$work"/*.c > "$work/all" 2>&1 || { cat "$work/all"; complain "analyze failed"; }
each judge
exit $failed
