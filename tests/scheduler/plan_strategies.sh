#!/bin/bash
# Plans of all strategies: they fit their source when comments and blank lines come and go, and every other strategy
# that somebody writes into them is taken or refused, with the vector that it would break.
# usage: plan_strategies.sh BIN
. "$(dirname "$0")/../lib.sh"

bin=$1
cd "$work"

cat > all.c << 'END'
#include <math.h>
enum { N = 400, D = 4000 };
static double grid[N][N];
static float weights[D];

void independent(float *restrict a, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        a[i] = a[i] * 2 + 1;
}

double reduction(const double *x, long n) {
    double sum = 0;
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        sum += x[i] * x[i];
    return sum;
}

void partition(float *restrict W, const int *u, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        W[u[i]] = W[u[i]] * .5f + 1;
}

void rotation(float *restrict W, float *restrict H, const int *u, const int *v, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float e = W[u[i]] * H[v[i]] - 1;
        W[u[i]] -= e;
        H[v[i]] -= e;
    }
}

void three(float *restrict A, float *restrict B, float *restrict C, const int *u, const int *v, const int *w, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float e = A[u[i]] * B[v[i]] * C[w[i]];
        A[u[i]] -= e;
        B[v[i]] -= e;
        C[w[i]] -= e;
    }
}

void tournament(float *restrict V, const int *from, const int *to, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float e = V[from[i]] - V[to[i]];
        V[from[i]] -= e * .1f;
        V[to[i]] += e * .1f;
    }
}

void ordered(float *restrict W, float *restrict H, const int *u, const int *v, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        float e = W[u[i]] * H[v[i]] - 1;
        W[u[i]] -= e;
        H[v[i]] -= e;
    }
}

void levels(double *restrict x, const int *ptr, const int *col, const double *val, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            x[i] -= val[p] * x[col[p]];
}

void wavefront(void) {
#pragma orrery parallel
    for (int i = 1; i < N - 1; ++i)
        for (int j = 1; j < N - 1; ++j)
            grid[i][j] = .25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
}

void relaxed(const int *ptr, const int *col, const float *val, const float *y, long n) {
#pragma orrery parallel unordered relax(weights)
    for (long i = 0; i < n; ++i) {
        float dot = 0;
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            dot += weights[col[p]] * val[p];
        float g = .01f * (dot - y[i]);
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            weights[col[p]] -= g * val[p];
    }
}
END
"$bin/orrery" plan all.c -o plan.json
strategies() {
    sed -n 's/^      "strategy": "\(.*\)",$/\1/p' "$1" | tr '\n' ' '
}
[ "$(strategies plan.json)" = "independent reduction partition-1d rotation-2d rotation-nd tournament ordered-rotation levels wavefront relaxed " ] ||
    fail "other strategies: $(strategies plan.json)"

# What the compiler makes of the plan, without the lines' numbers.
emitted() {
    "$bin/orrery-cc" -E -P -plan "$1" "$2" 2> err | sed 's/\.line = [0-9]*//; s/[a-z]*\.c:[0-9]*//g'
}
emitted plan.json all.c > expected
[ -s expected ] || { cat err; fail "its own plan is refused"; }
cp all.c before.c
# Comments and blank lines everywhere, other indents; then comments gone again.
sed 's|$| /* said */|; s|^    |\t  |; G' before.c > all.c
sed -i 's|^\(#.*\) /\* said \*/$|\1|' all.c
emitted plan.json all.c > commented
[ -s commented ] || { cat err; fail "comments and blank lines made the plan unfit"; }
[ "$(grep -c 'struct orrery_loop orrery_loop_' commented)" = "$(grep -c 'struct orrery_loop orrery_loop_' expected)" ] ||
    fail "not all plans were taken"
"$bin/orrery" plan all.c -o commented.json
plans() {
    grep -Ev '"(line|column)":' "$1"
}
cmp -s <(plans plan.json) <(plans commented.json) || fail "comments changed the plans"
cp before.c all.c

# Every strategy in place of every other: taken ones compile, the others are refused in the plan file, and where two
# iterations would meet, or an order be lost, with their vector and both accesses.
cat > edit.py << 'END'
import copy, json, re, subprocess, sys
plan = json.load(open("plan.json"))
names = [loop["strategy"] for loop in plan["loops"]]
legal = {"independent": {"reduction", "levels"}, "reduction": {"independent", "levels"}, "partition-1d": {"levels"},
         "rotation-2d": {"ordered-rotation", "levels"}, "rotation-nd": {"levels"}, "tournament": {"levels"},
         "ordered-rotation": {"levels"}, "levels": set(), "wavefront": {"levels"},
         "relaxed": {"independent", "reduction", "levels"}}
vectors = 0
many = subprocess.Popen([sys.argv[1] + "/orrery-many"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for i, own in enumerate(names):
    for other in names + ["serial"]:
        if other == own:
            continue
        edited = copy.deepcopy(plan)
        edited["loops"][i]["strategy"] = other
        json.dump(edited, open("edited.json", "w"), indent=1)
        print("taken.c", "said", "emit", "-plan", "edited.json", "all.c", sep="\t", file=many.stdin, flush=True)
        status = many.stdout.readline().strip()
        said = open("said").read()
        what = "%s for %s: %s" % (other, own, said)
        assert status in ("0", "1"), what
        assert (status == "0") == (other == "serial" or other in legal[own]), what
        if status == "0":
            continue
        assert re.search(r"^edited\.json:\d+:\d+: error: .*\[ORR92(08|10)\]$", said, re.M), what
        # These go by nothing but the dependences: there has to be a vector.
        carried = own not in ("independent", "reduction", "relaxed")
        if carried and other in ("independent", "reduction", "wavefront"):
            assert re.search(r"the vector \([-+*0-9, ]+\) over \(.*\) of .*\(line \d+ to line \d+\) is violated", said), what
            assert re.search(r"^all\.c:\d+:\d+: note: .* (written|read) here by", said, re.M), what
            vectors += 1
assert vectors == 20, vectors
many.stdin.close()
assert many.wait() == 0
END
python3 edit.py "$bin" || fail "an edited strategy"

# Dims of which no kept dependence has a 0: the other key alone, the two of a tournament as a rotation's.
refused() {
    sed "$1" plan.json > edited.json
    ! cmp -s plan.json edited.json || fail "nothing edited by $1"
    ! "$bin/orrery-cc" -E -P -plan edited.json all.c > out.c 2> err || fail "taken: $1"
    grep -q '\[ORR9210\]' err && grep -Eq 'the vector \(.*\) over' err || { cat err; fail "no vector for $1"; }
}
refused 's/"rotation-2d"/"partition-1d"/'
python3 - << 'END'
import json
plan = json.load(open("plan.json"))
loop = plan["loops"][5]
loop["strategy"], loop["time"] = "rotation-2d", loop.pop("partner")
loop["arrays"] = []
json.dump(plan, open("pair.json", "w"), indent=1)
END
! "$bin/orrery-cc" -E -P -plan pair.json all.c > out.c 2> err || fail "a table of two keys is cut by each of them"
grep -q '\[ORR9210\]' err && grep -Eq 'the vector \(.*\) over' err || { cat err; fail "no vector for a tournament's keys"; }
exit 0
