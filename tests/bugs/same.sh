#!/bin/bash
# same.sh BINDIR PROGRAM.c: the program built by orrery-cc prints what gcc's prints, on 1 to 3 threads,
# marked (the first line says how many loops become parallel: /* same: N */) and with -auto. With a
# sanitizer ($SANITIZE) on 3 threads, marked once.
. "$(dirname "$0")/../lib.sh"

bin=$1 program=$2
dir=$work
wanted=$(sed -n '1s|/\* same: \([0-9]*\).*|\1|p' "$program")
export ORRERY_AUTO_US=0

gcc -O2 -w "$program" -o "$dir/plain"
"$dir/plain" >"$dir/expected"
builds=("-O0" "-O2" "-O1 -auto -DORRERY_SHORT_LOOPS") workers=("1 3" 2 "2 3")
[ -z "${SANITIZE:-}" ] || builds=("-O0" "-O1 -auto -DORRERY_SHORT_LOOPS") workers=(3 3)
for i in "${!builds[@]}"; do
    flags=${builds[i]}
    # shellcheck disable=SC2086
    "$bin/orrery-cc" $flags -w -Rorrery "$program" -o "$dir/parallel" 2>"$dir/said" ||
        { cat "$dir/said"; fail "$flags: does not build"; }
    got=$(grep -c 'remark: parallel' "$dir/said" || true)
    [ "$got" = "$wanted" ] || [ "$flags" = "-O1 -auto -DORRERY_SHORT_LOOPS" ] ||
        { cat "$dir/said"; fail "$got loops are parallel, $wanted should be"; }
    for threads in ${workers[i]}; do
        ORRERY_THREADS=$threads "$dir/parallel" >"$dir/actual" || fail "$flags: status $?"
        diff "$dir/expected" "$dir/actual" || fail "$flags, $threads threads: other results"
    done
done
