#!/bin/bash
# `orrery plan` writes what orrery-cc -plan takes; edits are obeyed; what is wrong is shown in the
# plan file, with line and column.
# usage: plan_command.sh BIN
. "$(dirname "$0")/../lib.sh"

bin=$1
cd "$work"

cat > mf.c << 'END'
static void helper(int *a, int n) {
    for (int i = 0; i < n; ++i)
        a[i] = i;
}
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
    helper(0, 0);
}
END
"$bin/orrery" plan mf.c -o plan.json
for word in orrery-plan/1 '"train"' '"one"' rotation-2d partition-1d '"u\[n\]"' '"tokens"'; do
    grep -q "$word" plan.json || fail "no $word in the plan"
done
tr -d ' \n' < plan.json | grep -q '"grid":\[4,6\]' || fail "the clause's grid is not in the plan"

# What orrery-cc makes of the plan $1, as C, is in out.c; its exit status is returned.
compile() {
    "$bin/orrery-cc" -E -P -plan "$1" mf.c > out.c 2> err
}
compile plan.json || { cat err; fail "its own plan is refused"; }

# edit EXPRESSION: the plan with this sed edit of its first loop, in edited.json
edit() {
    sed "$1" plan.json > edited.json
    if cmp -s plan.json edited.json; then
        fail "nothing edited by $1"
    fi
}
edit 's/"seed": 20190325/"seed": 77/'
compile edited.json || { cat err; fail "a seed is refused"; }
grep -q 77 out.c || fail "the seed is not in the emitted text"

# refused EXPRESSION CODE WORD: the edited plan is refused at the place of WORD
refused() {
    edit "$1"
    compile edited.json && fail "taken: $1"
    grep -q "\[$2\]" err || { cat err; fail "no $2 for $1"; }
    local line column
    line=$(grep -n -m1 -F -- "$3" edited.json | cut -d: -f1)
    column=$(sed -n "${line}p" edited.json | awk -v word="$3" '{ print index($0, word) }')
    grep -q "edited.json:$line:$column: error:" err || { cat err; fail "not at $line:$column"; }
}
refused 's/rotation-2d/rotation-2b/' ORR9207 '"rotation-2b"'
refused 's/rotation-2d/partition-1d/' ORR9210 '"partition-1d"'
refused 's/rotation-2d/independent/' ORR9210 '"independent"'
refused 's/"time": "v\[n\]"/"time": "w[n]"/' ORR9208 '"w[n]"'
refused 's/"function": "train"/"function": "brain"/' ORR9204 '"brain"'
refused '2s/orrery-plan/other-plan/' ORR9203 '"other-plan/1"'
refused 's/"seed": 20190325/"seed": -5/' ORR9209 -5
edit 's/rotation-2d/partition-1d/'
compile edited.json && fail "an illegal plan was taken"
grep -qF '(*, 0)' err || grep -qF '(0, *)' err || fail "the violated vector is not shown"

# Comments and blanks do not matter, the position of other loops neither; tokens do.
cp mf.c before.c
sed -i 's|float e = |/* the error */ float e  =  |; 1i void first(int *a) { for (int i = 0; i < 9; ++i) a[i] = 0; }' mf.c
compile plan.json || { cat err; fail "a comment made the plan unfit"; }
sed 's/- 1;/- 2;/' before.c > mf.c
compile plan.json && fail "the plan of another loop was taken"
grep -q ORR9205 err || { cat err; fail "no ORR9205"; }
compile none.json && fail "a missing plan was taken"
grep -q ORR9201 err || { cat err; fail "no ORR9201"; }
exit 0
