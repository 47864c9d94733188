#!/bin/bash
# `orrery plan --diff`: what is different about two plan files, or a plan file and what is chosen now;
# 0 the same, 1 not, 2 what cannot be compared. A refused plan shows its vector and both accesses.
# usage: plan_diff.sh BIN
. "$(dirname "$0")/../lib.sh"

bin=$1
cd "$work"

cat > mf.c << 'END'
void train(float *restrict W, float *restrict H, const int *u, const int *v, long count) {
#pragma orrery parallel unordered grid(4, 6)
    for (long n = 0; n < count; ++n) {
        float e = W[u[n]] * H[v[n]] - 1;
        W[u[n]] -= e;
        H[v[n]] -= e;
    }
}
void one(float *restrict W, const int *u, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n)
        W[u[n]] = W[u[n]] * .5f + 1;
}
END
"$bin/orrery" plan mf.c -o plan.json

# differ STATUS A B WORDS...: the status, and every one of the words in what is said
differ() {
    local wanted=$1 status=0
    "$bin/orrery" plan --diff "$2" "$3" > out 2> err || status=$?
    [ "$status" = "$wanted" ] || fail "status $status, not $wanted: $2 $3"
    shift 3
    local words
    for words in "$@"; do
        cat out err | grep -qF -- "$words" || fail "not said: $words"
    done
}

# edited EXPRESSION: the plan with this sed edit in edited.json
edited() {
    sed "$1" plan.json > edited.json
    if cmp -s plan.json edited.json; then fail "nothing edited by $1"; fi
}

differ 0 plan.json plan.json 'the same plans'
differ 0 plan.json mf.c 'the same plans'
differ 0 mf.c mf.c 'the same plans'

edited 's/"seed": 20190325/"seed": 7/; s/"time": "v\[n\]"/"time": "u[n]"/'
differ 1 plan.json edited.json 'train, loop 0 (line 3)' 'seed: 20190325 -> 7' 'time: v[n] -> u[n]' \
    'one, loop 0 (line 11)' '2 loops differ'
edited '/"grid": \[/,/\]/s/4,/0,/'
differ 1 plan.json edited.json 'grid: 4 x 6 -> auto x 6' '1 loop differs'
edited 's/"placement": "resident"/"placement": "unplaced"/'
differ 1 plan.json edited.json 'array W: resident by u[n] -> unplaced by u[n]'

# What is left out has its default.
tr -d '\n' < plan.json | sed 's/ *"seed": [0-9]*,//g' > edited.json
differ 0 plan.json edited.json 'the same plans'

# A loop that only one has.
sed '/^void one/,$d' mf.c > less.c
differ 1 plan.json less.c 'one, loop 0 (line 11)' 'only in plan.json: partition-1d' 'ORR9204'
differ 1 less.c plan.json 'only in plan.json: partition-1d'

# Comments, blank lines, another loop in front: not the plan's business. Other tokens are.
sed '1i /* a comment */\n\nint first(const int *a) { int s = 0; for (int i = 0; i < 9; ++i) s += a[i]; return s; }\n' mf.c |
    sed 's|float e = |/* the error */\n\n float   e = |' > moved.c
differ 0 plan.json moved.c 'the same plans'
"$bin/orrery" emit -plan plan.json moved.c > out 2> err || fail "a comment made the plan unfit"
sed 's/- 1;/- 2;/' mf.c > other.c
differ 1 plan.json other.c 'train, loop 0' 'other tokens' 'would refuse it' 'ORR9205'
sed 's/ unordered//' mf.c > ordered.c
differ 1 plan.json ordered.c 'strategy: rotation-2d -> ordered-rotation' 'would refuse it' 'ORR9210' \
    'the vector (0, *) over (u[n], v[n]) of the dependence through W'

# Illegal: the vector, and both accesses under their carets.
edited 's/rotation-2d/partition-1d/'
differ 1 edited.json mf.c 'ORR9210' 'the vector (*, 0) over (u[n], v[n]) of its flow dependence' \
    'mf.c:6:9: note' "'H[v[n]]' is written here by one iteration" 'mf.c:4:29: note' 'read here by another'

# What cannot be compared: with the place.
differ 2 plan.json none.json 'none.json'
differ 2 plan.json none.c 'none.c'
echo '{"schema": "orrery-plan/1", "loops": [1]}' > edited.json
differ 2 plan.json edited.json 'edited.json:1:39: error' 'ORR9202'
echo '{"schema": "orrery-plan/9", "loops": []}' > edited.json
differ 2 edited.json plan.json 'edited.json:1:12: error' 'ORR9203'
echo '{"schema": ' > edited.json
differ 2 edited.json plan.json 'ORR9201'
edited 's/"placement": "resident"/"placement": 4/'
differ 2 edited.json plan.json '"placement" must be a string' 'ORR9202'
status=0
"$bin/orrery" plan --diff plan.json > out 2> err || status=$?
[ "$status" = 2 ] || fail "one file: status $status"
grep -q 'compares two files' err || fail "one file is not enough, and this is not said"
