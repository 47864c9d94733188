#!/bin/bash
# A constant that a function takes as another type keeps that type in the condition of a key: `10 > x`
# is another question than `10u > x`, `1 << 33` is not the shift of an unsigned long long.
. "$(dirname "$0")/../lib.sh"
bin=$1
cd "$work"
cat >c.c <<'EOC'
struct record {
    int row, x;
};
static inline unsigned long long shifted(unsigned long long s, unsigned long long n) {
    return ((s << 33) >> 32) + n;
}
static inline int above(unsigned limit, int x) {
    return limit > x;
}
static inline long negated(unsigned s, int x) {
    return (-s) / 3 > x;
}
static inline int apart(unsigned a, unsigned b, int x) {
    return a - b > (unsigned)x;
}
EOC
number=0
for condition in 'shifted(1, i) % 5 == 0' 'above(10, r[i].x)' 'negated(9, r[i].x)' 'apart(3, 5, r[i].x)'; do
    number=$((number + 1))
    cat >>c.c <<EOC
void f$number(const struct record *r, long n, long *W) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        if ($condition)
            continue;
        W[r[i].row] += i;
    }
}
EOC
done
"$bin/orrery" analyze --dump=accesses c.c >dump
for text in '(unsigned long long)1 << 33' '(unsigned int)10 > r\[i\]\.x' '-(unsigned int)9 / 3 > '; do
    grep -q "if not .*$text" dump || { echo "no condition with $text" >&2; grep -o 'if not.*' dump >&2; exit 1; }
done
lacks -E 'if not .*[^)](3 - 5|10 >|-9)' dump || fail "a constant without its type"
"$bin/orrery-cc" -O2 -Wall -Werror -c c.c
