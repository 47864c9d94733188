#!/bin/bash
# On a file without a pragma orrery-cc costs at most 30 ms over cc: the best runs of each, in turn (the
# best, because other work on the machine only ever adds): 5 of them, more while others keep it busy.
. "$(dirname "$0")/lib.sh"

printf '#include <stdio.h>\nint main(void) { puts("x"); return 0; }\n' >a.c
microseconds() {
    start=$(date +%s%N)
    "$@"
    echo $((($(date +%s%N) - start) / 1000))
}
for args in "-c a.c" "a.c -o a"; do
    : >ours && : >theirs
    for try in $(seq 100); do
        # shellcheck disable=SC2086
        microseconds "$cc" $args >>ours
        # shellcheck disable=SC2086
        microseconds cc $args >>theirs
        mine=$(sort -n ours | head -n 1)
        plain=$(sort -n theirs | head -n 1)
        [ "$try" -lt 5 ] || [ $((mine - plain)) -ge 30000 ] || break
    done
    echo "cc $args: $plain us, orrery-cc: $mine us"
    [ $((mine - plain)) -lt 30000 ] || fail "costs more than 30 ms over cc"
done
