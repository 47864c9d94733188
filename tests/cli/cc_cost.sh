#!/bin/bash
# On a file without a pragma orrery-cc costs at most 30 ms over cc (median of 15 of each).
. "$(dirname "$0")/lib.sh"

printf '#include <stdio.h>\nint main(void) { puts("x"); return 0; }\n' >a.c
median() {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
        start=$(date +%s%N)
        "$@"
        echo $((($(date +%s%N) - start) / 1000))
    done | sort -n | sed -n 8p
}
for args in "-c a.c" "a.c -o a"; do
    # shellcheck disable=SC2086
    ours=$(median "$cc" $args)
    # shellcheck disable=SC2086
    theirs=$(median cc $args)
    echo "cc $args: $theirs us, orrery-cc: $ours us"
    [ $((ours - theirs)) -lt 30000 ] || fail "costs more than 30 ms over cc"
done
