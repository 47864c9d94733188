#!/bin/bash
# Wavefronts on several ranks: random ones keep the bits of the serial program, whatever the blocks, the
# bands, the memory; what cannot be divided says so and ends.
. "$(dirname "$0")/../lib.sh"
bin=$1
dir=$work

nests=24 settings=4
[ -z "${SANITIZE:-}" ] || nests=12 settings=2
python3 -B "$here/wave_ranks.py" "$bin" 1 1 --nests $nests --settings $settings || fail "random wavefronts"
python3 -B "$here/wave_ranks.py" "$bin" 1 1 --nests $((nests / 2)) --settings 3 --distances || fail "reads as far back as the data say"

# refused CODE: the program on standard input runs on one rank, and says this on two.
refused() {
    cat > "$dir/a.c"
    "$bin/orrery-cc" -O1 -w -Werror=serial "$dir/a.c" -o "$dir/a" || fail "$1 is not compiled"
    "$dir/a" > "$dir/out" || fail "$1 does not run on one rank"
    ! "$bin/orrery" run -n 2 --oversubscribe -- "$dir/a" > "$dir/out" 2> "$dir/err" || fail "$1: two ranks run it"
    grep -q "a\.c:.*on one rank.*\[$1\]" "$dir/err" || { cat "$dir/err"; fail "two ranks do not say $1"; }
}

refused ORR2475 << 'END'
static float u[90][100];
int main(void) {
#pragma orrery parallel
    for (int i = 3; i < 87; ++i) {
        u[i][2] = u[i - 1][3] * .5;
        for (int j = 97; j >= 3; --j)
            if (i > 4 && j > 5)
                u[i][j] = .25 * u[i][j - 1] + .125 * u[i - 1][j] + 1;
    }
    return 0;
}
END
"$bin/orrery" analyze --dump=plan "$dir/a.c" 2> /dev/null | grep -q 'line 8 writes hangs on a condition \[ORR2475\]' ||
    fail "the plan does not say ORR2475"

# Without its condition the subscript leaves the row, and comes to what later iterations write at earlier positions.
refused ORR2475 << 'END'
enum { N = 100 };
static double g[N][N];
int main(void) {
#pragma orrery parallel
    for (int d = 2; d < 2 * N - 1; d++)
        for (int i = 1; i < N; i++) {
            int j = d - i;
            if (j >= 1 && j < N)
                g[i][j] = g[i - 1][j] + g[i][j - 1] * .5 + 1;
        }
    return 0;
}
END

refused ORR2476 << 'END'
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
static void f(int n, int m, const int *restrict c, double *restrict u) {
#pragma orrery parallel
    for (int i = 1; i < n - 1; ++i)
        for (int j = 1; j < m; ++j)
            if (c[j])
                u[i * m + j] = .5 * (u[(i + 1) * m + j] + u[i * m + j - 1]) + 1;
}
int main(void) {
    static int c[200];
    double *u = (double *)syscall(SYS_mmap, 0, 200 * 200 * sizeof *u, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    f(199, 200, c, u);
    return 0;
}
END

refused ORR2477 << 'END'
enum { N = 5000 };
static char a[N + 2][N];
int main(void) {
#pragma orrery parallel
    for (int i = 4; i < N; i += 2) {
        for (int j = 6; j < N; j += 3)
            a[i][j] = (char)(a[i - 2][j] + a[i][j - 3] + 1);
        for (int j = 6; j < N; j += 4)
            a[i + 1][j] = (char)(a[i - 1][j] + a[i + 1][j - 4] + 1);
    }
    return 0;
}
END

# What a rank has of the arrays stands in the plan.
"$bin/orrery" plan "$here/../programs/accept/wavefront_steps.c" -o "$dir/plan.json"
grep -q '"bytes_per_rank": ".*ranks' "$dir/plan.json" || "$bin/orrery" plan "$here/../programs/accept/wavefront_sweep.c" -o "$dir/plan.json"
grep -q '"bytes_per_rank": ".*/ ranks' "$dir/plan.json" || { cat "$dir/plan.json"; fail "no bytes per rank"; }

# What an iteration writes in either branch before it is read needs no memory of rank 0's.
cat > "$dir/either.c" << 'END'
#include <stdio.h>
enum { N = 1500 };
static int table[N][N];
static char a[N], b[N];
int main(void) {
    for (int i = 0; i < N; ++i)
        a[i] = (char)(i * 7 % 4), b[i] = (char)(i * 11 % 5);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            table[i][j] = i == 0 || j == 0 ? 0 : 77;
#pragma orrery parallel
    for (int i = 1; i < N; ++i)
        for (int j = 1; j < N; ++j)
            if (a[i] == b[j])
                table[i][j] = table[i - 1][j - 1] + 1;
            else
                table[i][j] = table[i - 1][j] > table[i][j - 1] ? table[i - 1][j] : table[i][j - 1];
    printf("%d %d\n", table[N - 1][N - 1], table[N / 2][N / 3]);
    return 0;
}
END
gcc -O1 -w "$dir/either.c" -o "$dir/serial"
"$bin/orrery-cc" -O1 -w -Werror=serial "$dir/either.c" -o "$dir/either" || fail "either.c is not compiled"
ORRERY_STATS=1 "$bin/orrery" run -n 2 --oversubscribe -- "$dir/either" > "$dir/out" 2> "$dir/err" || fail "either.c does not run"
"$dir/serial" | cmp - "$dir/out" || fail "either.c: other numbers on two ranks"
sent=$(sed -n 's/^orrery: rank 0 .*sent-mb \([0-9.]*\) .*/\1/p' "$dir/err")
awk -v mb="${sent:-99}" 'BEGIN { exit !(mb < 1) }' || fail "rank 0 sends $sent MB of a table that the loop writes itself"

# Who is slow gets fewer rows of each round of panels, by a clock that only counts blocks (runtime/share/balance.c);
# who is as fast as the others the same.
cat > "$dir/slow.c" << 'END'
#include <stdio.h>
enum { N = 900, M = 300 };
static float u[N + 2][M];
int main(void) {
    double sum = 0;
    for (int i = 0; i < N + 2; ++i)
        for (int j = 0; j < M; ++j)
            u[i][j] = (i * 7 + j * 13) % 11;
    for (int pass = 0; pass < 8; ++pass) {
#pragma orrery parallel
        for (int i = 1; i <= N; ++i)
            for (int j = 1; j < M - 1; ++j)
                u[i][j] = .25f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    }
    for (int i = 0; i < N + 2; ++i)
        for (int j = 0; j < M; ++j)
            sum = sum * 1.0001 + u[i][j];
    printf("%.17g\n", sum);
    return 0;
}
END
"$bin/orrery-cc" -O1 "$dir/slow.c" -o "$dir/slow" || fail "slow.c is not compiled"
ORRERY_THREADS=1 "$dir/slow" > "$dir/want"
# dealt RANKS DEBUG WEIGHTS: how often rows were dealt, and by which weights at last
dealt() {
    ORRERY_STATS=1 ORRERY_DEBUG=$2 "$bin/orrery" run -n "$1" --oversubscribe --threads 1 -- "$dir/slow" > "$dir/out" 2> "$dir/err" ||
        { cat "$dir/err"; fail "slow.c on $1 ranks, $2"; }
    cmp -s "$dir/want" "$dir/out" || fail "slow.c on $1 ranks, $2: other bits"
    [ "$(sed -n 's/^orrery: rows-dealt //p' "$dir/err")" = "$3" ] || { cat "$dir/err"; fail "slow.c on $1 ranks, $2: not dealt as $3"; }
}
dealt 2 slow=1 ""
dealt 2 slow=3 "1 36 11"
dealt 3 slow=2 "1 19 19 9"
dealt 2 slow=40 "1 46 1"
dealt 2 slow=400 "1 47 0"
dealt 2 slow=3,deal=never ""
