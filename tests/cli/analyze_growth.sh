#!/bin/bash
# --all on a file of many parallel loops: eight times the loops take some eight times as long.
. "$(dirname "$0")/lib.sh"

# many N: a file of N functions with a loop in a loop.
many() {
    for k in $(seq 1 "$1"); do
        echo "void f$k(int *restrict a, int n) {"
        echo '    for (int i = 0; i < n; ++i)'
        echo "        for (int j = 0; j < 4; ++j) a[i * 4 + j] = $k;"
        echo '}'
    done
}

# seconds N: user seconds of the analysis, in hundredths.
seconds() {
    many "$1" >"many_$1.c"
    local words
    words=$({ TIMEFORMAT=%2U; time "$orrery" analyze --all --format=json "many_$1.c" >"many_$1.json"; } 2>&1)
    echo "${words/./}"
}

few=$((10#$(seconds 60)))
more=$((10#$(seconds 480)))
[ "$(grep -o '"auto":true' many_480.json | wc -l)" -gt 400 ] || fail "the loops are not parallel"
[ "$more" -lt $((40 * (few + 5))) ] || fail "eight times the loops: $few hundredths of a second become $more"
