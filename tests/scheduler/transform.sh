#!/bin/bash
# Nests in other orders: which are tiled, and the bits of all of them against the host compiler's.
# usage: transform.sh BIN
. "$(dirname "$0")/transform/lib.sh"

dumped nests.c
commented tiled '/tile2_loop/ { kind = "tiled" }'

# Who does not ask for vectors, who asks for C of 1989, and who says so keep their order.
for others in '-O2' '-O3 -std=gnu89' '-O3 -no-transform'; do
    # shellcheck disable=SC2086 # words
    "$bin/orrery" emit -auto --dump=transform $others nests.c > same.c
    cmp -s same.c nests.c || fail "transformed with $others"
done

built nests.c -Wno-error=stringop-overflow
# Remarks do not show lines that nobody wrote.
"$bin/orrery" emit -auto -Rorrery -O3 nests.c -o emitted.c 2> remarks
grep -q 'remark: parallel' remarks || fail "no remarks"
grep -A 2 'the nest runs in another order: `j` innermost, in tiles of i 32, j 256, l 32 \[ORR1701\]' remarks > said ||
    fail "nothing is said of the product: $(grep ORR1701 remarks)"
grep -q '^nests.c:[0-9]*:5: ' said && grep -q '^    for (int i = 0; i < n; i++)$' said || fail "at another place: $(cat said)"
[ "$(grep -c ORR1701 remarks)" = "$(grep -c '^/\* tiled' nests.c)" ] || fail "not a remark for each"
[ "$(awk '{ print length($0) }' remarks | sort -n | tail -n 1)" -lt 1000 ] || fail "long lines in remarks"

# A tile's loops are as long as the tile in what a run believes a loop to take; row lengths come with restricted rows.
grep -q 'orrery_worth(.*32 \* (.*256 \* (' emitted.c || fail "tiles of unknown length"
grep -q 'double (\*__restrict__ x)\[orrery_extent_x_1\]' emitted.c || fail "rows of any length are not restricted"

for less in 0 1 2 31 64 100; do
    ./serial $less > serial.out
    for threads in 1 2 3; do
        same "less $less, $threads threads" env ORRERY_THREADS=$threads ORRERY_AUTO_US=0 ./auto $less
    done
done

# What several accesses ask of two arrays is asked once.
cat > asked.c <<'EOF'
void products(int n, int m, double (*cov)[1200], double (*data)[1200]) {
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            cov[i][j] = 0;
            for (int k = 0; k < n; k++)
                cov[i][j] += data[k][i] * data[k][j];
            cov[j][i] = cov[i][j];
        }
}
EOF
"$bin/orrery" emit -auto -O3 --dump=transform asked.c > asked.new
[ "$(grep -o '((unsigned long)(cov)[^<]*<= ((unsigned long)(data)' asked.new | wc -l)" = 1 ] ||
    fail "asked more often than once: $(cat asked.new)"

cp "$here/wraps.c" .
gcc -O3 -ffp-contract=off -w wraps.c -o wraps_serial
"$bin/orrery-cc" -auto -Rorrery -O3 -ffp-contract=off -w wraps.c -o wraps 2> remarks
[ "$(grep -c ORR1701 remarks)" -ge 5 ] || fail "few nests are transformed: $(cat remarks)"
./wraps_serial > serial.out
same "numbers without a sign" env ORRERY_THREADS=2 ./wraps

# An order that was found without an object's dependences does not pass the proof; other nests do not care.
cat > planted.c <<'EOF'
double A[400][400], B[400][400], C[400][400];
void step(void) {
    for (int i = 1; i < 400; i++)
        for (int j = 1; j < 399; j++)
            A[j][i] = A[j + 1][i - 1] + B[j][i];
}
void add(void) {
    for (int i = 0; i < 400; i++)
        for (int j = 0; j < 400; j++)
            C[j][i] += B[j][i];
}
EOF
"$bin/orrery" emit -auto -O3 -Rorrery --debug-forget-dependences A planted.c -o planted.new 2> remarks
grep -q '^planted.c:3:5: remark: the nest keeps its order: a dependence would not hold' remarks ||
    fail "the proof missed an order without dependences: $(cat remarks)"
grep -q '^planted.c:8:5: remark: the nest runs in another order' remarks || fail "the other nest: $(cat remarks)"
"$bin/orrery" emit -auto -O3 --dump=transform --debug-forget-dependences A planted.c > planted.new
[ "$(grep -c tile_loop planted.new)" = 1 ] || fail "an order that breaks a dependence is used"

# Wavefronts that nobody marked, but for those with a parallel loop inside.
cat > waves.c <<'EOF'
#include <stdio.h>
enum { N = 300 };
static double A[N][N], B[N][N];
static void relax(void) {
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j]) / 5;
}
static void sweep(void) {
    for (int i = 1; i < N; i++)
        for (int j = 0; j < N; j++)
            B[i][j] += B[i - 1][j] * .5;
}
int main(void) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = i * 3 % 7 + j, B[i][j] = j * 5 % 11 - i;
    for (int t = 0; t < 5; t++)
        relax(), sweep();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += A[i][j] * (i % 5) + B[i][j] * (j % 3);
    printf("%a\n", sum);
}
EOF
gcc -O3 -ffp-contract=off waves.c -o waves_serial
"$bin/orrery-cc" -auto -no-transform -Rorrery -O3 -ffp-contract=off waves.c -o waves 2> remarks
[ "$(grep -c ORR1301 remarks)" = 1 ] && grep -q '^waves.c:5:5: .*ORR1301' remarks || fail "waves: $(cat remarks)"
./waves_serial > serial.out
same waves env ORRERY_THREADS=2 ORRERY_AUTO_US=0 ./waves
