#!/bin/bash
# orrery diff: what was lost, gained, changed; loops are found again when lines move.
. "$(dirname "$0")/lib.sh"

cat >a.c <<'EOF2'
void f(double *a, const double *b, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; i++)
        a[i] = b[i];
#pragma orrery parallel
    for (long i = 1; i < n; i++)
        a[i] += a[i - 1] * a[i - 1];
#pragma orrery parallel
    for (long k = 0; k < n; k++)
        a[k] = 2 * b[k];
}
EOF2
mkdir new
# The second loop becomes parallel, the third serial, a fourth comes before all, everything moves.
cat >new/a.c <<'EOF2'
/* moved */
void f(double *a, const double *b, long n) {
#pragma orrery parallel
    for (long m = 0; m < n; m++)
        a[m] = 0;
#pragma orrery parallel
    for (long i = 0; i < n; i++)
        a[i] = b[i];
#pragma orrery parallel
    for (long i = 1; i < n; i++)
        a[i] += b[i - 1] * b[i - 1];
#pragma orrery parallel
    for (long k = 1; k < n; k++)
        a[k] = 2 * a[k - 1] * a[k - 1];
}
EOF2
"$orrery" analyze --format=json a.c >before.json
"$orrery" analyze --format=json new/a.c >after.json
expect 0 "$orrery" diff before.json before.json
says out '^0 lost, 0 gained, 0 changed, 0 new, 0 gone, 3 same$'
expect 1 "$orrery" diff before.json after.json
says out '^lost     new/a\.c:13: f, loop k: independent -> serial \(.*\[ORR2[0-9]{3}\]\)$' \
    '^gained   new/a\.c:10: f, loop i: serial \(.*\) -> independent$' '^new      new/a\.c:4: f, loop m: independent$' \
    '^1 lost, 1 gained, 0 changed, 1 new, 0 gone, 1 same$'
silent err
expect 1 "$orrery" diff --format=json before.json after.json
python3 - <<'EOF2' || fail "the JSON"
import json
diff = json.load(open("out"))
assert diff["schema"] == "orrery-diff/1" and diff["lost"] == 1 and diff["new"] == 1
lost = [l for l in diff["loops"] if l["change"] == "lost"][0]
assert lost["before"]["line"] == 9 and lost["after"]["verdict"] == "serial" and lost["variable"] == "k"
EOF2
expect 1 "$orrery" diff after.json before.json
says out '^gone ' '^1 lost, 1 gained, 0 changed, 0 new, 1 gone, 1 same$'

# A loop that went into another one is another loop.
cat >new/a.c <<'EOF2'
void f(double *a, const double *b, long n) {
    for (int pass = 0; pass < 9; pass++) {
#pragma orrery parallel
        for (long i = 0; i < n; i++)
            a[i] += b[i];
    }
}
EOF2
"$orrery" analyze --format=json new/a.c >inside.json
expect 0 "$orrery" diff before.json inside.json
says out '^new      new/a\.c:4: f, loop i: independent$' '^0 lost, 0 gained, 0 changed, 1 new, 3 gone, 0 same$'

# Several files; one that has errors now has lost its loops; another order of the keys is a change.
mf_program mf.c
"$orrery" analyze --format=json a.c mf.c >two.json
mf_program mf.c 'orrery parallel'
"$orrery" analyze --format=json mf.c a.c >ordered.json
expect 0 "$orrery" diff two.json ordered.json
says out '^changed  mf\.c:[0-9]+: train, loop n: rotation-2d -> ' '^0 lost, 0 gained, 1 changed, 0 new, 0 gone, 3 same$'
echo 'void g(void) { return 1 +; }' >>mf.c
"$orrery" analyze --format=json a.c mf.c >broken.json 2>/dev/null || true
expect 1 "$orrery" diff two.json broken.json
says out '^lost     mf\.c:[0-9]+: train, loop n: rotation-2d -> error \(.*expected'

expect 2 "$orrery" diff before.json
says err 'two files, not 1'
expect 2 "$orrery" diff before.json nowhere.json
says err '^nowhere\.json: error: cannot be read: No such file or directory \[ORR9230\]$'
for text in '' '{' '[]' '{"schema": "orrery-plan/1", "file": "a", "loops": []}' \
    '{"schema": "orrery-analysis/1", "file": 3, "loops": []}' \
    '{"schema": "orrery-analysis/1", "file": "a", "loops": [3]}' "$(cat before.json) x" 'a.c: remark'; do
    echo "$text" >wrong.json
    expect 2 "$orrery" diff before.json wrong.json
    says err '^wrong\.json: error: .*\[ORR9230\]$'
    silent out
done
