#!/bin/bash
# Nests in parts around one iteration: which are cut, and their bits; and transformed functions that other files call.
# usage: cuts.sh BIN
. "$(dirname "$0")/transform/lib.sh"

dumped cuts.c
commented parts '/Wshadow/ { kind = "parts" }'
"$bin/orrery" emit -auto -Rorrery -O3 cuts.c -o emitted.c 2>remarks
grep -q 'the loop runs in parts, cut at i = k and j = k \[ORR1704\]' remarks || fail "nothing is said: $(cat remarks)"
"$bin/orrery" analyze --all --format=json new.c -- -O3 >analysis.json
python3 - <<'END' || fail "parts that depend on each other"
import json
loops = json.load(open("analysis.json"))["loops"]
free = {name: sum(loop["function"] == name and loop["variable"] == "i" and loop["verdict"] == "parallel" for loop in loops)
        for name in ("shortest", "spread", "mixed")}
raise SystemExit(any(count < 2 for count in free.values()))
END

built cuts.c
for less in 0 1 50 390; do
    ./serial $less >serial.out
    for threads in 1 2 3; do
        same "less $less, $threads threads" env ORRERY_THREADS=$threads ORRERY_AUTO_US=0 ./auto $less
    done
done

# The text that other files look into is the user's, not the one that was made of it.
cat >callee.c <<'END'
enum { N = 400 };
double total(double a[N][N], double b[N][N]) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[j][i] += b[j][i];
    for (int i = 0; i < N; i++)
        sum += a[i][i];
    return sum;
}
END
cat >caller.c <<'END'
#include <stdio.h>
enum { N = 400 };
double total(double a[N][N], double b[N][N]);
static double a[8][N][N], b[8][N][N], s[8];
int main(void) {
    for (int t = 0; t < 8; t++)
        s[t] = total(a[t], b[t]);
    printf("%g\n", s[3]);
}
END
"$bin/orrery-cc" -auto -O3 callee.c caller.c -o both || fail "a transformed function is another one for its callers"
[ "$(./both)" = 0 ] || fail "other files: $(./both)"
