#!/bin/bash
# Confirmed, missed, serial: by what the run does, not by what the analysis knows.
. "$(dirname "$0")/accesses.sh"
cat >nest.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static long count[10], seen;
static int idx[100], jump[100];
static double x[100], y[100], scratch[8];
int main(void) {
    long sum = 0, last = 0;
    for (int i = 0; i < 100; i++)
        idx[i] = (i * 37) % 100, jump[i] = i / 2;
    for (int i = 0; i < 100; i++)
        sum += i, count[i % 10]++;
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < 8; k++)
            scratch[k] = i + k;
        for (int k = 0; k < 8; k++)
            x[i] += scratch[k];
    }
    for (int i = 0; i < 100; i++)
        x[idx[i]] = x[idx[(i + 1) % 100]] + 1;
    for (int i = 0; i < 50; i++)
        y[idx[i] / 2 * 2] = y[idx[i] / 2 * 2 + 1];
    for (int i = 0; i < 100; i++)
        if (x[i] > 3) last = i;
    for (int i = 0; i < 100; i++) {
        printf("%d\n", i);
        x[i] = i;
    }
    for (int i = 0; i < 100; i++)
        if (x[i] < 0)
            break;
    for (int i = 0; i < 1; i++)
        x[i] = i;
    int i = 0;
    while (i < 100)
        i += 1 + (x[i] > 1000);
    do {
        seen = seen * 3 + i--;
    } while (i > 0);
    printf("%ld %ld %ld %g %d\n", sum, last, seen, y[2], jump[3]);
    return 0;
}
EOF
for compiler in $(compilers); do
    export ORRERY_CC=$compiler
    watch -O2 nest.c
    [ "$status" = 0 ] || fail "$compiler: contradicted"
    is 9 confirmed 11 confirmed 13 confirmed 14 confirmed 16 confirmed 19 serial 23 confirmed \
        25 effects 29 missed 32 'not run' 35 serial 37 serial
    [ "$(field 11 'loop["iterations"]')" = 100 ] || fail "100 iterations"
    [ "$(field 14 'loop["iterations"], loop["instances"]')" = '(800, 100)' ] || fail "800 in 100"
    [ "$(field 35 'loop["iterations"]')" = 100 ] || fail "100 rounds of while"
    [ "$(field 37 'loop["iterations"]')" = 100 ] || fail "100 rounds of do"
    case $(field 29 'loop["code"], 0 <= loop["share"] < 1') in
    "('ORR2220', True)") ;;
    *) fail "code and share of what was missed" ;;
    esac
    python3 - <<'EOF'
import json
answer = json.load(open("out"))
assert answer["schema"] == "orrery-accesses/1" and answer["complete"] and answer["processes"] == 1
assert sum(answer["answers"].values()) == len(answer["loops"]), answer["answers"]
words = {"file", "line", "column", "function", "answer", "instances", "iterations", "share",
         "conflicts", "verdict", "code", "message", "strategy", "order", "marked"}
assert all(words <= set(loop) for loop in answer["loops"]), answer
for loop in answer["loops"]:
    for met in loop["conflicts"]:
        assert met["kind"] in ("flow", "anti", "output") and met["count"] > 0, met
        assert met["source"]["file"] == "nest.c" and met["sink"]["line"] > 0, met
EOF
done
