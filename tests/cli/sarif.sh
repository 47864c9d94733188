#!/bin/bash
# `orrery analyze --format=sarif`: every loop that must stay serial, parallel ones, and errors, as one
# log that keeps to SARIF 2.1.0.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || exit 77

check() {
    python3 "$here/sarif_check.py" log "$work" >checked 2>&1 || { cat checked; fail "the log of $*"; }
}
log() {
    wanted=$1
    shift
    expect "$wanted" "$orrery" analyze --format=sarif "$@"
    cp out log
    check "$@"
}
# query EXPRESSION: of Python, with run, results, rules
query() {
    python3 -c "
import json
run = json.load(open('log'))['runs'][0]
results, rules = run['results'], run['tool']['driver']['rules']
print($1)"
}

mf_program mf.c
log 0 mf.c
[ "$(cat checked)" = "1 results" ] || fail "one loop, one result"
[ "$(query "results[0]['ruleId'], results[0]['level'], results[0]['kind']")" = \
    "ORR1201 none informational" ] || fail "a parallel loop is no finding"

# Both accesses of a conflict are related places; columns count characters, not bytes.
cat >'süd #1.c' <<'EOT'
void f(double *a, long n) {
#pragma orrery parallel
    for (long i = 1; i < n; i++)
        /* äöü */ a[i] = a[i - 1] * 0.5;
}
EOT
log 0 'süd #1.c'
[ "$(query "results[0]['ruleId'], results[0]['level']")" = "ORR2104 warning" ] || fail "level"
[ "$(query "[l['physicalLocation']['region']['startColumn'] for l in results[0]['relatedLocations'][1:]]")" = \
    "[19, 26]" ] || fail "columns of both accesses: $(query results[0])"
grep -q '"uri": "s%C3%BCd%20%231.c"' log || fail "the name is no URI"
log 1 -Werror=serial 'süd #1.c'
[ "$(query "results[0]['level'], run['invocations'][0]['exitCode']")" = "error 1" ] ||
    fail "-Werror=serial"

# Unmarked loops are notes.
sed '/pragma/d' 'süd #1.c' >plain.c
log 0 --all plain.c
[ "$(query "results[0]['level']")" = note ] || fail "an unmarked loop is a note"

# Errors of the text, and a file that is not there.
echo 'int f( {' >broken.c
log 1 mf.c broken.c missing.c
query "[r['ruleId'] for r in results]" >codes
says codes "ORR1201.*ORR9001.*ORR9002"
[ "$(query "run['invocations'][0]['executionSuccessful']")" = False ] || fail "not said to have failed"

# A loop and a message have the same address when lines and other loops are put in front of them.
prints='sorted((r["ruleId"], *r["partialFingerprints"].items()) for r in results)'
cat >moved.c <<'EOT'
void other(double *a, long n) {
    for (long i = 0; i < n; i++)
        a[i] = 0;
}

EOT
cat >pragma.c <<'EOT'
#pragma orrery parallel sideways
void g(void);
EOT
for file in 'süd #1.c' pragma.c; do
    cat moved.c "$file" | sed 's/^/  /; s/parallel sideways/parallel   sideways/' >there.c
    log 1 -Werror=serial "$file"
    query "$prints" | tee -a prints >before
    log 1 -Werror=serial there.c
    query "$prints" >after
    diff before after || fail "lines have moved, and addresses with them"
done
says prints 'orreryLoop/v1.*f i 1 1' 'orreryLine/v1.*1 #pragma orrery parallel sideways'

# All that is refused, in one log.
mkdir refuse
cp "$tree"/tests/programs/refuse/*.c refuse
log 0 refuse/*.c
[ "$(query 'len(results)')" -ge "$(find refuse -name '*.c' | wc -l)" ] || fail "results are missing"
[ "$(query "all(r['level'] == 'warning' for r in results if r['kind'] == 'fail')")" = True ] ||
    fail "a marked loop that stays serial is a warning"
