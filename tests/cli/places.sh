#!/bin/bash
# Places in messages are those of the user's text, also where a loop stands in other words by then.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || exit 77

cat >split.c <<'EOS'
static double x[5000], y[5001];
int main(void) {
    for (int i = 0; i < 5000; i++) { x[i] += 1; y[i + 1] = y[i] * x[i]; }
    return y[7] > 3;
}
EOS
expect 0 "$cc" -auto -O3 -Rorrery -c split.c -o split.o
grep -q '^split\.c:3:5: remark: the loop runs as 2 loops' err || { cat err; fail "it is split"; }
grep -q '^split\.c:3:5: remark: parallel: ' err || { cat err; fail "the place of a part"; }
grep '^split\.c:' err | grep -v ':3:5: ' && fail "a place that the user's text does not have"
grep -q tile_ err && { cat err; fail "words that the user did not write"; }

cat >prints.c <<'EOS'
#include <stdio.h>
static double x[500], w[50], y[500]; static int k[500];
int main(void) {
#pragma orrery parallel
    for (int i = 0; i < 500; i++) { x[i] += i; printf("%g\n", x[i]); }
#pragma orrery parallel
    for (int i = 0; i < 500; i++) { double e = w[k[i]] - y[i]; printf("%g\n", e); w[k[i]] -= .1 * e; }
    return 0;
}
EOS
expect 0 "$orrery" analyze prints.c
grep -q orrery_output out && { cat out; fail "words that the user did not write"; }
grep -q ' printf("%g\\n", x\[i\]); }$' out || { cat out; fail "the line as it was written"; }
expect 0 "$orrery" analyze --format=json prints.c
# Every access that names its words has them at its place.
python3 - <<'EOS' || fail "an access is not where its words are"
import json
lines, seen = open("prints.c").read().split("\n"), 0
def look(at):
    global seen
    if isinstance(at, dict) and {"line", "column", "text"} <= at.keys() and at.get("file") == "prints.c":
        seen += 1
        assert lines[at["line"] - 1][at["column"] - 1:].startswith(at["text"]), at
    for inner in at.values() if isinstance(at, dict) else at if isinstance(at, list) else []:
        look(inner)
look(json.load(open("out")))
assert seen >= 4, seen
EOS

expect 0 "$orrery" report prints.c -o page.html
grep -q 'printf(' page.html || fail "the text on the page"
grep orrery_output page.html && fail "words on the page that the user did not write"

# A line's number is at most 2147483647, also behind a #line that comes near it.
cat >counted.c <<'EOS'
static int a[5000];
#line 2147483646 "far.c"
int main(void) {
#pragma orrery parallel
    for (int i = 0; i < 5000; ++i)
        a[i] = i;
    return a[7] != 7;
}
EOS
expect 0 "$cc" -O1 -w counted.c -o counted
expect 0 ./counted

# Statements 6,000 deep.
{
    echo 'void deep(int *a, int n) { for (int i = 0; i < n; ++i)'
    for k in $(seq 6000); do echo "if (i == $k) a[i] = $k; else"; done
    echo 'a[i] = 0; }'
    echo 'void plain(int *a, int n) { for (int i = 0; i < n; ++i) a[i] = i; }'
} >deep.c
expect 0 "$orrery" analyze --all deep.c
says out "^deep.c:6003:29: remark: parallel"

# Brackets in brackets, as many as gcc takes; and a text that ends early for who looks for a 0.
{
    echo 'void deep(int *a, int n) { for (int i = 0; i < n; ++i) a[i] ='
    printf '(%.0s' $(seq 2000)
    echo i
    printf ')%.0s' $(seq 2000)
    echo '; }'
} >brackets.c
expect 0 "$cc" -auto -c brackets.c
printf 'int f(void);\n/* \0 */ int g(int *a) {\n#pragma orrery parallel\nfor (int i = 0; i < 9; ++i) a[i] = i; return f(); }\n' >zero.c
expect 1 "$cc" -c zero.c
says err 'zero.c:2: a byte of the text is 0 \[ORR9002\]'
exit 0
