#!/bin/bash
# Which arrays the plan serves, in the dump and in the plan file; edited there; and what `orrery emit`
# makes of it.
. "$(dirname "$0")/../../lib.sh"

build=${TREE_BUILD:?}
orrery=$build/bin/orrery
cd "$work"

# NAME ARRAYS BODY: a loop over examples whose feature lists choose elements of relaxed arrays.
loop() {
    cat > "$1.c" << TEXT
static float twice(float *x) { return *x * 2; }
static int order[9];
static int at(int j) { return order[j]; }
static int mixed(int j) { return j ^ 5; }
float pass(const long *begin, const int *feature, const int *map, float *w, float *v, long n) {
    float z = 0;
#pragma orrery parallel unordered relax($2)
    for (long i = 0; i < n; ++i)
        for (long p = begin[i]; p < begin[i + 1]; ++p) {
            $3
        }
    return z + twice(w) + at(1) + mixed(2) + map[0];
}
TEXT
    "$orrery" analyze --dump=plan "$1.c" > "$1.dump"
}

# NAME PLACEMENT ARRAY BODY [ARRAYS]
placed() {
    loop "$1" "${5:-w}" "$4"
    grep -qx "  $2 $3" "$1.dump" || { cat "$1.dump"; fail "$1: $3 is not $2"; }
}

placed two_levels served w 'w[map[feature[p]]] += .5f - w[map[feature[p]]];'
grep -qx '    lists w\[map\[feature\[p\]\]\] over p' two_levels.dump || fail "no slice in the dump"
placed computed served w 'w[mixed(feature[p]) + 3] += .5f - w[mixed(feature[p]) + 3];'
placed read_elsewhere private w 'w[feature[p]] += .5f - twice(&w[feature[p]]);'
placed from_memory served w 'w[at(feature[p])] += .5f - w[at(feature[p])];'
placed hidden private w 'int j = feature[p]; while (j > 9) j -= 3; w[j] += .5f + w[feature[p]];'
placed shadowed served w 'int q = feature[p]; for (int p = 0; p < 2; ++p) w[q + p] += .5f - w[q];'
placed by_loop private v 'v[i] += .5f; w[feature[p]] += v[i];' 'w, v'
placed of_both served v 'w[feature[p]] += v[feature[p] + 1]; v[feature[p]] -= .1f;' 'w, v'

# The file says so; copies are a choice, serving what cannot be listed is none.
"$orrery" plan two_levels.c -o plan.json
grep -q '"placement": "served"' plan.json || fail "the plan file does not say served"
sed 's/"placement": "served"/"placement": "private"/' plan.json > copies.json
"$orrery" emit -plan copies.json two_levels.c > copies.out
lacks orrery_served_ copies.out || fail "served against the plan"
"$orrery" emit -plan plan.json two_levels.c > served.out
grep -q 'orrery_served_write(&(w\[map\[feature\[p\]\]\])' served.out || fail "the body is not led"
grep -q 'orrery_touched(orrery_t, 0, 0L + 1L \* (long)(map\[feature\[orrery_j0\]\]), 1);' served.out ||
    fail "no slice in the text"
"$orrery" plan hidden.c -o hidden.json
sed 's/"placement": "private"/"placement": "served"/' hidden.json > bad.json
if "$orrery" emit -plan bad.json hidden.c > out 2> err; then fail "serves what it cannot list"; fi
grep -q 'cannot be served: .*cannot be listed \[ORR9211\]' err || { cat err; fail "not the reason"; }
