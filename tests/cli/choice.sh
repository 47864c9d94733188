#!/bin/bash
# What is chosen, what is not, and by how much: as text, as JSON, in the plan file, by a profile.
. "$(dirname "$0")/lib.sh"

mf_program mf.c
expect 0 "$orrery" analyze mf.c
says out 'array: H rotating' 'rejected: rotation-2d by r\[n\].item, r\[n\].user, as long: sizes are not known' \
    'rejected: serial, [0-9.]+ times as long: one worker'

cat > loops.c << 'END'
static float W[90000][8], H[400][8];
void sized(const int *u, const int *v, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i)
        for (int k = 0; k < 8; ++k) { float e = W[v[i]][k] * H[u[i]][k]; W[v[i]][k] -= e; H[u[i]][k] -= e; }
}
void three(float *restrict A, float *restrict B, float *restrict C, const int *u, const int *v, const int *w, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) { float e = A[u[i]] * B[v[i]] * C[w[i]]; A[u[i]] -= e; B[v[i]] -= e; C[w[i]] -= e; }
}
void one(float *restrict A, const float *restrict B, const int *u, const int *v, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) A[u[i]] += B[v[i]];
}
void wave(float *restrict A, float *restrict B, const int *u, const int *v, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) { float e = A[u[i]] * B[v[i]]; A[u[i]] -= e; B[v[i]] -= e; }
}
void each(float *restrict A, const int *u, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) A[i] += (float)u[i];
}
END
expect 0 "$orrery" analyze --format=json loops.c
python3 - out <<'END' || fail "the plans of loops.c"
import json, sys
loops = json.load(open(sys.argv[1]))["loops"]
sized, three, one, wave, each = [(loop["strategy"], loop["why"]) for loop in loops]
plans = lambda why: {(r["strategy"], *r["cut"]) for r in why["rejected"]}
# The large table stays: known sizes decide, and the bytes are said.
assert loops[0]["arrays"][0] == {"name": "W", "placement": "resident", "dim": [d["name"] for d in loops[0]["dims"]].index("v[i]")}, loops[0]["arrays"]
other = [r for r in sized[1]["rejected"] if r["strategy"] == "rotation-2d"]
assert len(other) == 1 and "2.88 MB a pass, not 0.0128" in other[0]["because"], other
# All orders of three keys, one of them taken.
assert three[0] == "rotation-nd" and len([p for p in plans(three[1]) if p[0] == "rotation-nd"]) == 5, three
# A key that covers all: by it; rotations are legal too and cost more.
assert one[0] in ("partition-1d", "reduction"), one
assert wave[0] == "ordered-rotation" and {"ordered-rotation", "levels", "serial"} == {p[0] for p in plans(wave[1])}, wave
assert each[0] == "independent", each
for strategy, why in (sized, three, wave, each):
    assert why["predicted_seconds"] > 0 and all(r["times_as_long"] >= .99 for r in why["rejected"] if r["strategy"] != "serial"), why
END

# By a profile: what was measured decides. Here the other table is made the larger one.
expect 0 "$cc" -O2 mf.c -o mf -lm
expect 0 env ORRERY_THREADS=1 ORRERY_PROFILE=mf.profile ./mf 5000
sed 's/"name": "H", \(.*\)"bytes": [0-9]*/"name": "H", \1"bytes": 900000000/' mf.profile > large.profile
expect 0 "$orrery" analyze --profile large.profile mf.c
says out 'array: H resident by r\[n\].item' 'array: W rotating by r\[n\].user' \
    'rejected: rotation-2d by r\[n\].user, r\[n\].item, [0-9.]+ times as long: the link is busy'
expect 0 "$orrery" plan --profile large.profile mf.c -o mf.plan.json
says mf.plan.json '"on": "2 nodes of 4 cores, as measured in the profile"'
expect 0 "$orrery" plan mf.c -o now.plan.json
says mf.plan.json '"space": "r\[n\].item"'
says now.plan.json '"space": "r\[n\].user"'
expect 0 "$cc" -O2 -plan mf.plan.json mf.c -o mf -lm
expect 0 ./mf 5000
# The best ranks, threads and grid of what was measured: named, in the plan, and run again with the same bits.
expect 0 "$cc" -O2 mf.c -o mf -lm
expect 0 env ORRERY_THREADS=1 ORRERY_GRID=2x2 ORRERY_PROFILE=coarse.profile ./mf 5000
sed -E 's/\[([0-9]+), [-0-9.e]+, [0-9]+, /[\1, 1, 100000, /g' coarse.profile > slow.profile
expect 0 "$orrery" plan --profile slow.profile mf.c -o best.plan.json
python3 - best.plan.json <<'END' || fail "the best grid"
import json, sys
loop = json.load(open(sys.argv[1]))["loops"][0]
best = loop["why"]["best"]
assert best["ranks"] * best["threads"] == 8 and best["measured_grid"] == [2, 2], best
assert best["grid"][0] >= 8 and best["measured_grid_times_as_long"] > 3 and best["grids_tried"] > 5, best
assert loop["grid"] == best["grid"], loop["grid"]
# What was rejected, by how much, the quickest first; none is chosen that is slower than one that is named.
runs = best["rejected_runs"]
ratios = [run["times_as_long"] for run in runs]
assert 1 <= len(runs) <= 4 and ratios == sorted(ratios) and ratios[0] > .99, runs
assert (best["ranks"], best["threads"]) not in [(run["ranks"], run["threads"]) for run in runs], runs
END
expect 0 "$orrery" analyze --profile slow.profile mf.c
says out 'best run: [0-9]+ ranks? of [0-9] threads?, grid .* s per pass; rejected: grid 2 x 2 as measured, [0-9.]+ times as long; ranks x threads rejected: [0-9]+ x [0-9]+, ([0-9.]+ times )?as long'
expect 0 "$orrery" report --profile slow.profile mf.c -o page.html
says page.html 'Best run: [0-9]+ ranks? of [0-9] threads?, grid .*; rejected: grid 2 x 2 as measured, [0-9.]+ times as long'
echo '{"schema": "orrery-cluster/1", "cores_per_node": 1}' > one.json
expect 0 "$orrery" plan --cluster one.json --profile slow.profile mf.c
says out '"on": "1 node of 1 cores, as measured in the profile"'
grid=$(python3 -c 'import json; print("x".join(map(str, json.load(open("best.plan.json"))["loops"][0]["grid"])))')
expect 0 env ORRERY_GRID="$grid" ORRERY_THREADS=2 ./mf 5000
cp out said
expect 0 "$cc" -O2 -plan best.plan.json mf.c -o best -lm
for threads in 1 2 3; do
    expect 0 env ORRERY_THREADS=$threads ORRERY_GRID=3x3 ./best 5000
    cmp -s out said || fail "another result with $threads threads"
done
# What the text says about the grid stands.
sed 's/parallel unordered/parallel unordered grid(3, 5)/' mf.c > fixed.c
sed 's/mf\.c/fixed.c/' slow.profile > fixed.profile
expect 0 "$orrery" plan --profile fixed.profile fixed.c
tr -d ' \n' < out | grep -q '"grid":\[3,5\],"seed"' || fail "the clause's grid was replaced"
expect 0 "$orrery" analyze --profile fixed.profile fixed.c
says out 'the grid is as the text says'
# A profile of another line says nothing of this loop.
sed 's/mf.c:[0-9]*/mf.c:7/' large.profile > other.profile
expect 0 "$orrery" analyze --profile other.profile mf.c
says out 'array: H rotating by r\[n\].item' 'sizes are not known'
expect 1 "$orrery" analyze --profile mf.c mf.c
says err 'orrery analyze: mf.c:1:1: this is not JSON: '
expect 1 "$orrery" plan --profile none.profile mf.c
says err 'none.profile'

# What a rank has of each array: as text, as JSON, in the plan file, as a note of orrery-cc, and as
# a number when the loop starts.
cat > memory.c << 'END'
#include <stdio.h>
#include <stdlib.h>
static void norm(const float *restrict x, const double *restrict bias, float *restrict y, long n, long m) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        double s = 0;
        for (long j = 0; j < m + 1; ++j) s += bias[j];
        y[i] = x[i] * (float)s;
    }
}
int main(void) {
    long n = 500000, m = 24999;
    float *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
    double *bias = calloc(m + 1, sizeof *bias);
    for (int pass = 0; pass < 2; ++pass) norm(x, bias, y, n, m - 24990);
    printf("%g\n", y[0]);
    free(x), free(y), free(bias);
    return 0;
}
END
expect 0 "$orrery" analyze memory.c
says out 'memory of a rank: bias: 8 \* \(m \+ 1\) \(whole\); x: 4 \* n / ranks; y: 4 \* n / ranks$'
expect 0 "$orrery" analyze --format=json memory.c loops.c
python3 - out <<'END' || fail "the memory in JSON"
import json, sys
norm, sized, three, *_ = [loop["memory"] for line in open(sys.argv[1]) for loop in json.loads(line)["loops"]]
assert {"array": "bias", "placement": "replicated", "bytes": "8 * (m + 1)", "whole": True} in norm
assert {"array": "W", "placement": "resident", "bytes": "2880000 / ranks", "whole": False} in sized
assert {"array": "A", "placement": "resident", "bytes": "bytes(A) / ranks", "whole": False} in three
END
lacks 'threads only|"threads_only"' out || fail "ranks would do"
cat > documents.c <<'END'
struct doc { int len, *word, *topic; };
void reset(struct doc **docs, int nd, int K) {
#pragma orrery parallel
    for (int d = 0; d < nd; d++)
        for (int n = 0; n < docs[d]->len; n++)
            docs[d]->topic[n] = docs[d]->word[n] % K;
}
END
expect 0 "$orrery" analyze documents.c
says out '^    threads only, several ranks are refused: no way to cut docs->topic into rows by d is known$'
expect 0 "$orrery" analyze --format=json documents.c
says out '"threads_only":"no way to cut docs->topic into rows by d is known"'
expect 0 "$orrery" plan memory.c -o memory.json
says memory.json '"bytes": "8 \* \(m \+ 1\)"'
expect 0 "$cc" -Rorrery -plan memory.json -O2 memory.c -o memory
says err 'note: more ranks do not cut these bytes: bias: 8 \* \(m \+ 1\) \(whole\)$'
expect 0 env ORRERY_STATS=1 ./memory
says err 'memory.c:5 memory-mb of a rank 4.2: [xy] 2.0 MB, [xy] 2.0 MB, bias 0.2 MB$'
[ "$(grep -c memory-mb err)" = 1 ] || fail "the memory is said once per loop"
