#!/usr/bin/env bash
# orrery.h: usable without Orrery under strict flags from C99 to C23, and read by the front end.
. "$(dirname "$0")/../lib.sh"
bin=$1
root=$(cd "$(dirname "$0")/../.." && pwd)

cat >"$work/a.c" <<'C'
#include <orrery.h>
void f(int n, int *a);
void f(int n, int *a) {
    int i;
    ORRERY_PARALLEL()
    for (i = 0; i < n; i++)
        a[i] = 0;
    if (n > 3)
        ORRERY_PARALLEL(unordered, relax(a), grid(2, 2))
        for (i = 0; i < n; i++)
            a[i] = 1;
    ORRERY_SERIAL
    for (i = 0; i < n; i++)
        a[i] += i;
}
C
for compiler in gcc clang-19; do
    command -v $compiler >/dev/null || continue
    for standard in c99 c11 c17 c2x gnu99 gnu2x; do
        $compiler -std=$standard -pedantic -Wall -Wextra -Werror -I"$root/include" \
            -c "$work/a.c" -o "$work/a.o"
    done
done
"$bin/orrery-dump" loops "$work/a.c" -I"$root/include" >"$work/out"
grep -q 'loop 0 in f .* pragma parallel$' "$work/out"
grep -q 'loop 1 in f .* pragma parallel unordered relax(a) grid(2, 2)$' "$work/out"
grep -q 'loop 2 in f .* pragma serial$' "$work/out"
