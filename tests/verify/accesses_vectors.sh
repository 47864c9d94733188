#!/bin/bash
# Which iterations may meet in an object is part of the verdict: distances, keys, both ends of an edge; and what
# a reduction or a private variable excuses. Verdicts made wrong on purpose are found; right ones are not
# contradicted.
. "$(dirname "$0")/accesses.sh"
cat >vec.c <<'EOP'
#include <stdio.h>
#include <stdlib.h>
#ifndef HONEST
#define HONEST 0
#endif
#define N 400
struct rating { int u, v; float x; };
static struct rating *r;
static float *W, *H, *T, *R;
static double a[N][N], x[N];
static double total;
static void sums(double *restrict to, const double *restrict q, int n) {
    for (int i = 0; i < n; i++) {
        total += to[i];
        to[i] = *q;
    }
}
int main(void) {
    int nnz = 300, nu = 40, nv = 30, k = 4;
    r = malloc(nnz * sizeof *r);
    W = calloc(nu * k, sizeof *W);
    H = calloc(nv * k, sizeof *H);
    T = calloc(nu, sizeof *T);
    R = calloc(nu, sizeof *R);
    for (int n = 0; n < nnz; n++)
        r[n].u = n * 7 % nu, r[n].v = n * 11 % nv, r[n].x = n;
#pragma orrery parallel unordered
    for (int n = 0; n < nnz; n++) {
        float *w = W + r[n].u * k, *h = H + r[n].v * k, e = r[n].x;
        for (int i = 0; i < k; i++) e -= w[i] * h[i];
        for (int i = 0; i < k; i++) w[i] += e * h[i], h[i] += e * w[i];
    }
#pragma orrery parallel unordered
    for (int n = 0; n < nnz; n++) {
        T[r[n].u] += T[r[n].v] * 0.1f + 1;
        T[r[n].v] += 1;
    }
#pragma orrery parallel
    for (int n = 0; n < nnz; n++)
        R[r[n].u] = R[r[n].u] * 0.5f + r[n].x;
#pragma orrery parallel
    for (int i = 2; i < N; i++)
        for (int j = 1; j < N; j++)
            a[i][j] = a[i - 2][j] + a[i][j - 1] * 0.5 + i;
    double sum = 0, last = 0;
    for (int i = 0; i < N; i++)
        sum += a[i][i];
    for (int i = 0; i < N; i++) {
        last = a[i][3];
        x[i] = last * last;
    }
    for (int i = 0; i < N; i++) {
        x[i] = last;
        last = a[i][5];
    }
    sums(x, HONEST ? &last : &total, N);
    printf("%g %g %g %g %g %g %g\n", W[3], H[4], T[3], R[2], sum, last, x[2]);
    return 0;
}
EOP
# why LINE NAME: what is said of conflicts in NAME that nothing excuses
why() { field "$1" '";".join(sorted(set(m["why"] or "" for m in loop["conflicts"] if m["object"] == "'"$2"'" and m["excuse"] == "none")))'; }
for compiler in $(compilers); do
    export ORRERY_CC=$compiler
    watch -DHONEST vec.c
    [ "$status" = 0 ] || fail "$compiler: contradicted, and nothing was planted"
    is 13 confirmed 28 confirmed 34 confirmed 39 confirmed 42 confirmed 46 confirmed 48 confirmed 52 serial
    [ "$(field 28 'loop["strategy"]')" = rotation-2d ] || fail "not by two keys"
    [ "$(field 34 'loop["strategy"]')" = tournament ] || fail "not by both ends"
    [ "$(field 39 'loop["strategy"]')" = partition-1d ] || fail "not by one key"
    [ "$(field 42 'loop["strategy"]')" = wavefront ] || fail "not by distance"
    [ "$(field 42 'sorted(set(d[0] for m in loop["conflicts"] for d in m["distances"]))')" = "[2]" ] ||
        fail "$compiler: distances"

    for planted in 28:W 28:H 42:a; do
        watch --debug-change-vector "${planted#*:}" vec.c
        [ "$status" = 1 ] || fail "$compiler: the planted vector of ${planted#*:} was not found"
        is "${planted%:*}" contradicted
        [ "$(why "${planted%:*}" "${planted#*:}")" = "no vector of the verdict allows it" ] ||
            fail "$compiler: $planted: $(why "${planted%:*}" "${planted#*:}")"
    done

    # What is no access of the reduction: the caller breaks the promise of restrict.
    rm -rf runs
    mkdir runs
    watch vec.c
    is 13 contradicted 52 serial
    [ "$(why 13 total)" = "it is no access of the reduction" ] || fail "$compiler: $(why 13 total)"

    # Tables made wrong: what no iteration writes before it reads it is private; of an edge's ends
    # each meets but itself.
    ORRERY_ACCESSES=runs ./prog >/dev/null
    python3 - runs/*.table <<'EOP'
import json, sys
table = json.load(open(sys.argv[1]))
loop = next(l for l in table["loops"] if l["line"] == 52)
loop["verdict"] = "parallel"
loop["vectors"] = []
edges = next(l for l in table["loops"] if l["line"] == 34)
edges["crossings"] = [[item, [[0, 0], [1, 1]]] for item, _ in edges["crossings"]]
for kind in ("objects", "variables"):
    for item in loop[kind]:
        item[1] = "p" if item[0] == "last" else item[1]
json.dump(table, open(sys.argv[1], "w"))
EOP
    "$orrery" verify --accesses --format=json --from runs >out || true
    is 34 contradicted 52 contradicted
    [ "$(why 34 T)" = "no vector of the verdict allows it" ] || fail "$compiler: $(why 34 T)"
    [ "$(why 52 last)" = "an iteration does not write it first" ] || fail "$compiler: $(why 52 last)"
done

# What a mark reads to know an iteration's key is none of the program's accesses.
cat >keys.c <<'EOP'
#include <stdio.h>
enum { N = 40, M = 10 };
static int idx[N];
static double w[M], v[N];
int main(void) {
    for (int t = 0; t < 5; t++) {
        for (int n = 0; n < N; n++)
            w[idx[n]] = w[idx[n]] * .5 + v[n];
        for (int n = 0; n < N; n++)
            idx[n] = (idx[n] * 3 + t + n) % M;
    }
    printf("%g\n", w[3]);
    return 0;
}
EOP
for compiler in $(compilers); do
    ORRERY_CC=$compiler watch -O1 keys.c
    is 6 serial 7 confirmed 9 confirmed
    python3 - <<'EOP' || fail "$compiler: a mark's reads are taken for the program's"
import json, sys
lines = open("keys.c").read().split("\n")
places = [c[end] for l in json.load(open("out"))["loops"] for c in l["conflicts"] for end in ("source", "sink")]
sys.exit(not places or any(p["column"] > len(lines[p["line"] - 1]) for p in places))
EOP
done
