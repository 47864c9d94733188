#!/bin/bash
# Nests that are much work to analyze are analyzed all the same, all of one file; and have the serial bits.
# With a sanitizer ($SANITIZE) both texts are analyzed and emitted.
# usage: heavy.sh BIN
. "$(dirname "$0")/../lib.sh"
bin=$1
cd "$work"

python3 "$here/heavy.py" > heavy.c
"$bin/orrery" emit -auto -Rorrery -O3 heavy.c -o emitted.c 2> remarks
# The outer loop of each `fill_`, and the second one of each `solve_`.
for name in fill_i solve_i fill_j solve_j fill_k solve_k; do
    line=$(awk -v name="$name" '$0 ~ "static void " name "\\(" { print NR }' heavy.c)
    case $name in fill_*) line=$((line + 1)) ;; *) line=$((line + 2)) ;; esac
    grep -q "^heavy.c:$line:.*remark: parallel: .*\[ORR10[05]1\]" remarks || fail "$name is not parallel: $(cat remarks)"
done
# Loops of five rounds get no other order, whose text would be analyzed with every caller.
if grep 'ORR170' remarks > short; then
    fail "a loop of a few rounds is transformed: $(cat short)"
fi

python3 "$here/heavy.py" marked > marked.c
if [ -n "${SANITIZE:-}" ]; then
    "$bin/orrery" emit marked.c -o emitted.c 2> remarks || fail "not emitted: $(cat remarks)"
    exit 0
fi

# A nest whose new order isl looks for in vain, with ever larger numbers: 5 s, and was more than 100.
cat > order.c << 'END'
static unsigned long T[70][70][70], B[70][70], C[70][70], W[70];
void order(int n, unsigned long x) {
    for (int t = 0; t < 2; t++)
        for (int i = 2; i < 60; i++) {
            for (int j = i; j < 60; j++)
                for (int k = 3; k < n; k++) {
                    T[j][k + 2][j - 1] += (T[j][k + 1][j - 2] - T[j + 1][k + 3][j - 2]) * (unsigned long)j;
                    B[i + 2][j] *= B[i + 1][j];
                }
            T[i - 1][i][12] *= (C[i][i] - W[i]) ^ x;
        }
}
END
(ulimit -t 60 && "$bin/orrery" emit -auto -O3 order.c -o order.out.c 2> remarks) || fail "no end: $(cat remarks)"

gcc -O1 -ffp-contract=off heavy.c -o serial
./serial > serial.out
"$bin/orrery-cc" -auto -O1 heavy.c -o auto
for threads in 1 2 3; do
    ORRERY_THREADS=$threads ORRERY_AUTO_US=0 ./auto > auto.out || fail "$threads threads: status $?"
    diff serial.out auto.out || fail "$threads threads: other bits"
done

"$bin/orrery-cc" -O1 marked.c -o marked
"$bin/orrery" verify --threads 1,2 --ranks 1 --runs 1 ./marked > verified 2>&1 || fail "not verified: $(cat verified)"
