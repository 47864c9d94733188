# Sourced by run: `ordered`. The same passes with and without leave to change the order.
rounds=7 users=40000 passes=10
[ -z "$quick" ] || rounds=1 users=500 passes=2
for flavour in ordered unordered; do
    define=
    [ $flavour = ordered ] || define=-DUNORDERED
    # shellcheck disable=SC2086
    orrery-cc -O3 -march=native $define "$tree/tests/bench/ordered.c" -o "$work/$flavour" -lm
done
for ((round = 1; round <= rounds; ++round)); do
    say "ordered: round $round of $rounds"
    for flavour in unordered ordered; do
        ORRERY_AUTO_US=0 ORRERY_STATS=1 ORRERY_THREADS=2 "$work/$flavour" $users $passes >> "$work/times.$flavour" 2> "$work/err" ||
            { say "$flavour failed"; exit 1; }
    done
    grep -q ' ordered-rotation grid' "$work/err" || { say "it did not run as a wave"; exit 1; }
    grep -q 'regions 3$' "$work/err" || { say "its passes did not flow into each other"; exit 1; }
done
for flavour in unordered ordered; do
    declare "$flavour=$(median < "$work/times.$flavour")"
done
# shellcheck disable=SC2154
echo "ordered users=$users unordered_s=$unordered ordered_s=$ordered"
echo "ordered ratio=$(ratio "$unordered" "$ordered")"
