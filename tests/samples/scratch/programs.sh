#!/bin/bash
# Scratch space in eighty small loops, right and almost right: the verdict of each (one that keeps its
# order by levels does without copies: "serial"); a program of those that are parallel prints what gcc's program
# prints, on any number of threads and with copies that are spoilt between blocks (as `orrery verify`
# has them).
. "$(dirname "$0")/../../lib.sh"

build=${TREE_BUILD:?}

# A file NUMBER_NAME.c per loop: the frame, whose last function has the loop; and what is wanted of it.
awk -F'\t' -v dir="$work/" '
    FNR == NR { if (/^static void CASE/) inside = 1; if (inside) body[++n] = $0; else head = head $0 "\n"; next }
    $0 == "" || /^#/ { next }
    {
        name = sprintf("%02d_%s", ++count, $2)
        print name, $1 > (dir "wanted")
        for (i = 3; i <= 5; ++i) sub(/^-$/, "", $i)
        printf "%s", head > (file = dir name ".c")
        for (i = 1; i <= n; ++i) {
            line = body[i]
            sub(/CASE/, "loop_" name, line)
            word = line
            gsub(/ /, "", word)
            print word == "DECLARATION" ? $3 : word == "BODY" ? $4 : word == "AFTER" ? $5 : line > file
        }
        printf "int main(void) {\n    loop_%s();\n}\n", name > file
        close(file)
    }' "$tree/tests/programs/scratch/frame.c" "$here/loops.txt"
[ "$(wc -l < "$work/wanted")" -gt 80 ] || fail "few loops"

"$build/bin/orrery" analyze "$work"/*_*.c > "$work/all" 2>&1 || { cat "$work/all"; fail "analyze failed"; }
sed -n 's,^.*/\([0-9]*_[a-z0-9_]*\)\.c:[0-9]*:[0-9]*: \(remark\|warning\): \(parallel by levels\|parallel\|.\).*,\1 \3,p' "$work/all" |
    sed 's/ parallel by levels$/ serial levels/; / parallel$\| levels$/!s/ .*/ serial/' > "$work/verdicts"
cut -d' ' -f1,2 "$work/verdicts" | diff "$work/wanted" - || fail "other verdicts than loops.txt has"
[ -x "$build/bin/orrery-cc" ] || exit 0

# The parallel ones as one program.
mapfile -t names < <(sed -n 's/ parallel$\| serial levels$//p' "$work/verdicts")
{
    sed '/^static void CASE/,$d' "$tree/tests/programs/scratch/frame.c"
    for name in "${names[@]}"; do
        sed -n "/^static void loop_/,/^}/p" "$work/$name.c"
    done
    echo "int main(void) {"
    printf '    loop_%s();\n' "${names[@]}"
    echo "}"
} > "$work/all.c"
gcc -O0 -w -ffp-contract=off "$work/all.c" -o "$work/serial" -lm
"$build/bin/orrery-cc" -O0 -w -Werror=serial "$work/all.c" -o "$work/parallel" -lm > "$work/said" 2>&1 ||
    { cat "$work/said"; fail "orrery-cc failed"; }
"$work/serial" > "$work/wanted"
[ "$(wc -l < "$work/wanted")" -gt 25 ] || fail "few parallel loops"
for threads in 1 3; do
    ORRERY_VERIFY=$work/record ORRERY_THREADS=$threads timeout 300 "$work/parallel" > "$work/found" ||
        fail "it does not run with $threads threads"
    diff "$work/wanted" "$work/found" || fail "other results with $threads threads"
done
