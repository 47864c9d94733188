#!/bin/bash
# refused.sh BINDIR: loops that cannot run on a GPU are errors, with the code and the line in the first
# line of each file; nothing is built.
. "$(dirname "$0")/../lib.sh"
bin=$1
dir=$work
for file in "$here"/../programs/gpu_refused/*.c; do
    name=$(basename "$file")
    code=$(sed -n '1s|/\* expect: \(ORR[0-9]*\) [0-9]* \*/|\1|p' "$file")
    line=$(sed -n '1s|/\* expect: ORR[0-9]* \([0-9]*\) \*/|\1|p' "$file")
    for target in gpu gpu-shim; do
        if "$bin/orrery-cc" -target $target -c "$file" -o "$dir/out.o" 2>"$dir/said"; then
            echo "$name: it is built" >&2
            exit 1
        fi
        grep -Eq "$name:$line:[0-9]+: error: .*\[$code\]" "$dir/said" ||
            { cat "$dir/said"; echo "$name: it says something else" >&2; exit 1; }
        [ ! -e "$dir/out.o" ] || { echo "$name: it leaves an object" >&2; exit 1; }
    done
    "$bin/orrery" explain "$code" >"$dir/page"
    grep -q "$code" "$dir/page"
done
