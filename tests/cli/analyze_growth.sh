#!/bin/bash
# --all on files of many parallel loops: so many times the loops take some as many times as long. With a sanitizer
# ($SANITIZE), whose own work grows otherwise, only the answers are looked at, and of fewer loops.
. "$(dirname "$0")/lib.sh"

# nests N: a file of N functions with a loop in a loop.
nests() {
    for k in $(seq 1 "$1"); do
        echo "void f$k(int *restrict a, int n) {"
        echo '    for (int i = 0; i < n; ++i)'
        echo "        for (int j = 0; j < 4; ++j) a[i * 4 + j] = $k;"
        echo '}'
    done
}

# small N: a file of N functions with a small loop.
small() {
    for k in $(seq 1 "$1"); do
        echo "void f$k(int *restrict a, const int *restrict b, int n) {"
        echo "    for (int i = 0; i < n; ++i) a[i] = b[i] + $k;"
        echo '}'
    done
}

# seconds KIND N: user seconds of the analysis, in hundredths.
seconds() {
    local words
    words=$({ TIMEFORMAT=%2U; time "$orrery" analyze --all --format=json "$1_$2.c" >"$1_$2.json"; } 2>&1)
    echo $((10#${words/./}))
}

# grows KIND FEW MORE TIMES: MORE loops take less than TIMES as long as FEW. What else the machine does can only add to a time,
# so the least of each counts, of up to eight tries.
grows() {
    local kind=$1 few more least_few=1000000 least_more=1000000
    "$kind" "$2" >"$1_$2.c"
    "$kind" "$3" >"$1_$3.c"
    for _ in 1 2 3 4 5 6 7 8; do
        few=$(seconds "$kind" "$2") more=$(seconds "$kind" "$3")
        [ "$few" -gt "$least_few" ] || least_few=$few
        [ "$more" -gt "$least_more" ] || least_more=$more
        [ -z "${SANITIZE:-}" ] && [ "$least_more" -ge $(($4 * least_few)) ] || return 0
    done
    fail "$kind: $2 loops take $least_few hundredths of a second, $3 take $least_more"
}

# parallel FILE: loops that -auto takes.
parallel() {
    grep -o '"auto":true' "$1" | wc -l
}

nests=1920 small=6000
[ -z "${SANITIZE:-}" ] || nests=64 small=800

grows nests $((nests / 8)) $nests 12
[ "$(parallel nests_$nests.json)" -gt $((nests * 5 / 6)) ] || fail "the loops are not parallel"

grows small $((small / 4)) $small 6
[ "$(parallel small_$small.json)" = $small ] || fail "the small loops are not parallel"
