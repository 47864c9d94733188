#!/bin/bash
# short.sh BINDIR: -auto leaves loops alone that cannot be worth a region however the run goes. Beside
# code that asks, the host compiler turns what stays serial into other instructions: so files of such
# loops have to become the very instructions that it makes of them.
. "$(dirname "$0")/../../lib.sh"

bin=$1
cd "$work"

# The form of NPB's LU: rows wait for each other, the few columns of one point do not. Here each point
# waits for all before it, too, so that nothing but the few columns is parallel.
cat >solver.c <<'END'
static double v[33][33][33][5], d[33][33][5][5];
double point[5];
void solve(int k, int first, int last, double omega) {
    double part[5][5];
    for (int i = first; i <= last; i++)
        for (int j = first; j <= last; j++) {
            for (int m = 0; m < COLUMNS; m++)
                v[i][j][k][m] = v[i][j][k][m] - omega * (d[i][j][m][0] * v[i][j - 1][k][0] +
                                                         d[i][j][m][1] * v[i - 1][j][k][1]);
            for (int m = 0; m < COLUMNS; m++)
                for (int l = 0; l < COLUMNS; l++)
                    part[m][l] = d[i][j][m][l];
            double by = part[1][0] / part[0][0];
            v[i][j][k][1] = v[i][j][k][1] - v[i][j][k][0] * by - part[1][1];
            v[i][j][k][2] = v[i][j][k][2] - v[i][j][k][1] * by - part[2][2];
            omega = omega * by;
        }
    for (int m = 0; m < COLUMNS; m++)
        point[m] = v[first][last][k][m];
}
END

# code OBJECT: its instructions
code() {
    objdump -d --no-show-raw-insn "$1" | sed 1,3d
}

for flags in '-O2' '-O3' '-O3 -march=native'; do
    # shellcheck disable=SC2086 # words
    cc $flags -DCOLUMNS=5 -c solver.c -o serial.o
    # shellcheck disable=SC2086 # words
    "$bin/orrery-cc" -auto $flags -DCOLUMNS=5 -c solver.c -o auto.o || fail "not built with $flags"
    [ "$(code serial.o | wc -l)" -gt 50 ] || fail "no instructions to compare"
    cmp -s <(code serial.o) <(code auto.o) || fail "other instructions with $flags"
done
"$bin/orrery" emit -auto --if-parallel -O3 solver.c -- -DCOLUMNS=5 >emitted.c
[ ! -s emitted.c ] || fail "short loops are taken"

# Without that the rows are a wavefront, which does not give way to loops that nobody takes.
grep -v 'omega = omega' solver.c >rows.c
"$bin/orrery" emit -auto --if-parallel -O3 rows.c -- -DCOLUMNS=5 >emitted.c
grep -q 'ORRERY_WAVEFRONT' emitted.c || fail "the rows are no wavefront"
[ "$(grep -c 'orrery_run(' emitted.c)" -eq 1 ] || fail "other loops than the rows are taken"

# takes LOOP [FLAG]: -auto takes it.
takes() {
    cat >loop.c <<END
extern double a[100000];
double other(double) __attribute__((const));
void f(int n) {
    $1
}
END
    "$bin/orrery" emit -auto --if-parallel loop.c ${2:+-- "$2"} >emitted.c || fail "not emitted: $1"
    grep -q 'orrery_run(' emitted.c
}
takes 'for (int i = 0; i < 20; i++) a[i] = a[i] * 2 + 1;' && fail "a short loop is taken"
takes 'for (int i = 0; i < 20; i++) a[i] = a[i] * 2 + 1;' -DORRERY_SHORT_LOOPS || fail "a short loop is not taken with -DORRERY_SHORT_LOOPS"
for long in 'for (int i = 0; i < 20000; i++) a[i] = a[i] * 2 + 1;' \
    'for (int i = 0; i < n; i++) a[i] = a[i] * 2 + 1;' \
    'for (int i = 0; i < 20; i++) for (int j = 0; j < n; j++) a[i] += j;' \
    'for (int i = 0; i < 20; i++) for (double x = a[i]; x > 1; x /= 2) a[i] += x;' \
    $'\n#pragma orrery parallel\nfor (int i = 0; i < 20; i++) a[i] = a[i] * 2 + 1;'; do
    takes "$long" || fail "not taken: $long"
done

# nest SIZE: a nest over arrays of that size, in its order and another one
nest() {
    cat >nest.c <<END
double x[$1][$1], y[$1][$1];
void f(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i][j] = y[i][j] * 2 + y[j][i];
}
END
    "$bin/orrery" emit -auto -O3 --dump=transform nest.c >moved.c
}
nest 320
cmp -s nest.c moved.c && fail "a nest that may have enough iterations keeps its order"
nest 300
cmp -s nest.c moved.c || fail "a nest that its arrays keep short gets another order"
