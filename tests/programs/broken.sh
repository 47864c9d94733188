#!/bin/bash
# A program whose first lines expect something else than what is found is named, with the difference.
# usage: broken.sh PYTHON BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# broken KIND NAME SED WORDS: a copy of KIND/NAME.c changed so is named, and why.
broken() {
    sed "$3" "$here/$1/$2.c" >"$work/$2.c"
    ! cmp -s "$here/$1/$2.c" "$work/$2.c" || { echo "$2: nothing was changed"; exit 1; }
    if "$python" "$here/analyses.py" "$build" "$1" "$here/$1/$5.c" "$work/$2.c" >"$work/said" ||
        ! grep -Fq -- "$4" "$work/said" || ! grep -Eq "not as expected: $2( analyze.*)?\$" "$work/said"; then
        cat "$work/said"
        echo "$2 after $3: not '$4'"
        exit 1
    fi
}

broken refuse address_taken '1s/ORR2112/ORR2113/' 'ORR2112 at 8:9, expected ORR2113' argmin_else
broken refuse address_taken '1s/8:9/8:10/' 'the text shows no caret at 8:10' argmin_else
broken refuse address_taken '1s/8:9/9:9/' '-Werror=serial shows no error' argmin_else
broken refuse address_taken '1s/\*p =/*q =/' '8:9 does not say `*q =' argmin_else
broken refuse address_taken '2s/.*/\/* says: what nobody says *\//' 'the warning does not say: what nobody says' argmin_else
broken refuse address_taken '1s/serial.*/parallel independent *\//' 'the first line is no expectation' argmin_else
broken refuse address_taken 's/^    float t = 0.*/    float t = 0, q, *p = \&q;/' 'called parallel' argmin_else
broken refuse address_taken 's/^    float t = 0.*/    float t = 0, q, *p = \&q;/' '-Werror=serial gave status 0' argmin_else
broken refuse address_taken 's/^    float t = 0.*//' 'analyze failed' argmin_else
broken accept bound_halved '1s/parallel [a-z0-9-]*/parallel levels/' 'expected levels' argmin_wider
broken accept bound_halved '/n \/ 2/s/i = 0; i < n \/ 2/i = 0; i < n/' 'kept serial' argmin_wider
broken shapes affine_forms '0,/loop: parallel [a-z0-9-]*/s//loop: parallel levels/' 'loop 1: expected parallel levels, found' adagrad_rows
broken shapes affine_forms '0,/^.*loop: parallel .*$/s//&\n * loop: serial ORR2201/' 'loop: lines,' adagrad_rows
