#!/bin/bash
# A program that includes <stdatomic.h>, and one whose constant goes through a macro twice, are read.
. "$(dirname "$0")/../lib.sh"
cat > "$work/a.c" << 'END'
#include <stdatomic.h>
#define CHECK(x) ((x) ? 0 : fail(#x, x))
int fail(const char *text, int value);
static atomic_int held;
int lock(void) {
    return atomic_exchange_explicit(&held, 1, memory_order_acquire);
}
int test(double seconds, float *restrict a) {
#pragma orrery parallel
    for (int i = 0; i < 9; ++i)
        a[i] = i;
    return CHECK(seconds < 0.1);
}
END
"$1/orrery" analyze --format=json "$work/a.c" | grep -q '"verdict": *"parallel"'
