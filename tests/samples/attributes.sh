#!/bin/bash
# Functions that are compiled in a way of their own: sums that make up for what rounding loses keep their bits under
# -ffast-math, on threads too.
. "$(dirname "$0")/common.sh"
write() {
    cat > "$work/$1.c" << C
#include <stdio.h>
#define STRICT __attribute__((optimize("no-fast-math")))
enum { N = 1000, SUMS = 8 };
static float a[N], sums[SUMS];
static $2 void add(int n) {
    #pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        float lost = 0, sum = 0;
        for (int k = 0; k < 50; ++k) {
            float y = a[(i + k) % N] - lost;
            float t = sum + y;
            lost = (t - sum) - y;
            sum = t;
        }
        sums[i % SUMS] = sum + sums[i % SUMS] * .5f;
    }
}
int main(void) {
    for (int i = 0; i < N; ++i)
        a[i] = 1e4f / (i + 1) * (i % 2 ? 1 : -1);
    add(N);
    for (int i = 0; i < SUMS; ++i)
        printf("%a\n", sums[i]);
}
C
    gcc -w -O3 -ffast-math "$work/$1.c" -o "$work/$1.plain"
    "$orrery_cc" -w -O3 -ffast-math "$work/$1.c" -o "$work/$1.parallel" 2> "$work/said" || { cat "$work/said"; fail "$1 is not built"; }
}
write none ''
write macro STRICT
write text '__attribute__((__optimize__("no-fast-math"), unused))'
write machine '__attribute__((target("sse2"), optimize("no-fast-math")))'
"$work/none.plain" > "$work/loose"
for name in macro text machine; do
    "$work/$name.plain" > "$work/wanted"
    ! cmp -s "$work/loose" "$work/wanted" || fail "$name: -ffast-math changes nothing here"
    for threads in 1 2 3; do
        ORRERY_THREADS=$threads "$work/$name.parallel" | cmp - "$work/wanted" || fail "$name: other bits, $threads threads"
    done
done
