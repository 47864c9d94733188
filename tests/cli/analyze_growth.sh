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

# least KIND N: the least of three; of one with a sanitizer.
least() {
    "$1" "$2" >"$1_$2.c"
    for _ in ${SANITIZE:-1 2 3}; do seconds "$1" "$2"; done | sort -n | head -n 1
}

# parallel FILE: loops that -auto takes.
parallel() {
    grep -o '"auto":true' "$1" | wc -l
}

nests=480 small=6000
[ -z "${SANITIZE:-}" ] || nests=64 small=800

few=$(least nests $((nests / 8)))
more=$(least nests $nests)
[ "$(parallel nests_$nests.json)" -gt $((nests * 5 / 6)) ] || fail "the loops are not parallel"
[ -n "${SANITIZE:-}" ] || [ "$more" -lt $((40 * (few + 5))) ] || fail "eight times the nests: $few hundredths of a second become $more"

few=$(least small $((small / 4)))
more=$(least small $small)
[ "$(parallel small_$small.json)" = $small ] || fail "the small loops are not parallel"
[ -n "${SANITIZE:-}" ] || [ "$more" -lt $((7 * few)) ] || fail "four times the small loops: $few hundredths of a second become $more"
