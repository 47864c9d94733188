#!/bin/bash
# `orrery analyze`: the report as text and as JSON, statuses, where files are missing or wrong.
. "$(dirname "$0")/lib.sh"

mf_program mf.c
line=$(grep -n '#pragma orrery' mf.c | cut -d: -f1)
loop=$((line + 1))

expect 0 "$orrery" analyze --format=json mf.c
silent err
[ "$(wc -l <out)" = 1 ] || fail "one object per file, on one line"
says out '^\{"schema":"orrery-analysis/1","file":"mf\.c","loops":\[\{.*\}\],"errors":\[\]\}$' \
    "\"file\":\"mf.c\",\"line\":$loop,\"column\":9,\"function\":\"train\",\"depth\":2" \
    '"variable":"n","marked":true,"verdict":"parallel","order":"unordered"' \
    '"strategy":"rotation-2d"' \
    '\{"name":"r\[n\]\.user","kind":"key"\}' '\{"name":"r\[n\]\.item","kind":"key"\}' \
    '"object":"W","kind":"(flow|anti|output)","vector":\["0","\*"\],"status":"carried"' \
    '"object":"H","kind":"(flow|anti|output)","vector":\["\*","0"\],"status":"carried"' \
    '"source":\{"line":[0-9]+,"column":[0-9]+,"text":"' \
    '"reductions":\[\{"op":"\+","object":"loss"\}\]' \
    '"placement":"resident","dim":[01]' '"placement":"rotating","dim":[01]' \
    '"reasons":\[\{"code":"ORR1[0-9]{3}","line":[0-9]+,"column":[0-9]+,"message":"'

expect 0 "$orrery" analyze mf.c
says out "^mf\.c:$loop:9: remark: .*\[ORR1[0-9]{3}\]$" 'for \(long n = 0' '^ *\|? *\^' \
    'dependence: W .*\(0, \*\)' 'dependence: H .*\(\*, 0\)' \
    '^mf\.c: 1 loop considered, 1 parallel, 0 serial$'

# All loops: the unmarked ones are there and say so.
expect 0 "$orrery" analyze --all --format=json mf.c
says out '"marked":true' '"marked":false'

# Flags decide what the text means, in front, behind, and after --.
cat >flags.c <<'EOF'
void f(int *a, long n) {
#ifdef WIDE
#pragma orrery parallel
    for (long i = 0; i < n; i++)
        a[i] = VALUE;
#endif
}
EOF
expect 0 "$orrery" analyze flags.c
says out '0 loops considered' "no loop is marked: put '#pragma orrery parallel' .* --all$"
expect 0 "$orrery" analyze --all flags.c
lacks 'is marked' out || fail 'all loops were asked about already'
expect 0 "$orrery" analyze -DWIDE -D VALUE=3 flags.c
says out '1 parallel'
expect 0 "$orrery" analyze flags.c -- -DWIDE -DVALUE=3 -O3 -Wall -fno-tree-vectorize -mtune=native
says out '1 parallel'

# A refusal: both accesses, and an error when that is wanted.
cat >serial.c <<'EOF'
void f(double *a, long n) {
#pragma orrery parallel
    for (long i = 1; i < n; i++)
        a[i] = a[i - 1] * 0.5;
}
EOF
expect 0 "$orrery" analyze serial.c
says out '^serial\.c:[0-9]+:[0-9]+: warning: .*\[ORR2[0-9]{3}\]$' 'a\[i - 1\]' '0 parallel, 1 serial'
expect 1 "$orrery" analyze -Werror=serial serial.c
says out '^serial\.c:[0-9]+:[0-9]+: error: '

# Errors of the input: status 1, a place, JSON stays JSON.
expect 1 "$orrery" analyze missing.c
says err 'missing\.c'
echo 'int f( {' >broken.c
expect 1 "$orrery" analyze --format=json broken.c
says err '^broken\.c:1:[0-9]+: error: '
says out '"loops":\[\],"errors":\[\{"code":"ORR9'
sed 's/unordered/unorderd/' mf.c >clause.c
expect 1 "$orrery" analyze clause.c
says err "^clause\.c:$line:[0-9]+: error: .*" 'unordered'

# Several files: one line each, the worst status.
expect 1 "$orrery" analyze --format=json mf.c missing.c serial.c
[ "$(grep -c '"schema"' out)" = 3 ] || fail "three objects"

# The intermediate forms.
for ir in loops accesses deps plan; do
    expect 0 "$orrery" analyze --dump=$ir mf.c
    [ -s out ] || fail "--dump=$ir prints nothing"
done

# Names and text that are no plain ASCII.
mkdir 'a folder'
cp serial.c 'a folder/größe "x".c'
expect 0 "$orrery" analyze --format=json 'a folder/größe "x".c'
says out '"file":"a folder/größe \\"x\\"\.c"'
