#!/bin/bash
# constants.sh BINDIR: arrays that the file never writes keep their values in loops that nobody
# marked: gcc leaves them out of the program. Arrays that something may write are handed over.
. "$(dirname "$0")/../../lib.sh"

bin=$1
cd "$work"

cat >fixed.c <<'END'
#include <stdio.h>
#define N 32000
static float a[N], never[N + 1], written[N], lent[N];
static const float taps[3] = {.25f, .5f, .25f};
static const int rows[2][2] = {{3, 1}, {2, 5}};
__attribute__((noinline)) void touch(void *p) { __asm__ volatile("" ::"r"(p) : "memory"); }
static void smooth(float *to) {
    for (int i = 1; i < N - 1; i++)
        to[i] = taps[0] * lent[i - 1] + taps[1] * lent[i] + taps[2] * lent[i + 1] + rows[1][i & 1];
}
int main(void) {
    for (int t = 0; t < 20; t++) {
        written[t] = t;
        touch(lent);
        for (int i = 0; i < N; i++)
            lent[i] = i % 7 + t;
        for (int i = 0; i < N; i++)
            a[i] += never[N - i] + written[i];
        smooth(a);
        touch(a);
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] * (i % 5);
    printf("%.17g\n", sum);
}
END
flags=(-O3 -ffp-contract=off)
gcc "${flags[@]}" fixed.c -o plain
"$bin/orrery-cc" -auto "${flags[@]}" fixed.c -o fixed
ORRERY_AUTO_US=0 ORRERY_THREADS=2 ./fixed >actual
./plain | diff - actual || fail "another sum"

"$bin/orrery" emit -auto -O3 fixed.c >out.c
grep -q 'never\[N - i\]' out.c || fail "the loop over never is not parallel"
for name in never taps rows; do
    lacks -E "(\*$name;|\(\*$name\)|\.$name =|\"$name\")" out.c || fail "$name is handed over"
done
for name in written lent; do
    grep -q "\.$name = $name" out.c || fail "$name is not handed over"
done

"$bin/orrery-cc" -auto "${flags[@]}" -c fixed.c -o fixed.o
nm fixed.o >symbols
lacks ' never$' symbols || fail "gcc does not know that nothing is ever written to never"
grep -q ' written$' symbols || fail "written is gone"

# A marked loop may run on several ranks: there every array is one of the run's.
sed 's/^        for (int i = 0; i < N; i++)$/#pragma orrery parallel\n&/' fixed.c >marked.c
"$bin/orrery" emit marked.c >out.c
grep -q '\.never = never' out.c || fail "never is not handed over"
