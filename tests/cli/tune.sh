#!/bin/bash
# orrery tune: the best of a grid is found, losers run on the first rung only, a second call goes on.
. "$(dirname "$0")/lib.sh"

# Its score is least at rate .3 and for many passes; it writes down what it was run with.
cat >toy.c <<'EOF2'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double a[1000];
int main(int argc, char **argv) {
    double rate = atof(argv[1]);
    int epochs = atoi(argv[2]);
    FILE *log = fopen("log", "a");
    fprintf(log, "%s %s %s grid %s threads %s\n", argv[1], argv[2], argc > 3 ? argv[3] : "",
            getenv("ORRERY_GRID") ? getenv("ORRERY_GRID") : "-",
            getenv("ORRERY_THREADS") ? getenv("ORRERY_THREADS") : "-");
    fclose(log);
    if (rate > .8) {
        fprintf(stderr, "rate is too large\n");
        return 3;
    }
#pragma orrery parallel
    for (int i = 0; i < 1000; ++i)
        a[i] = fabs(rate - .3) + 1.0 / epochs;
    printf("epoch 1 loss: 99\nepoch %d loss: %g\n", epochs, rate > .7 ? NAN : a[7]);
    return 0;
}
EOF2
expect 0 "$cc" -O1 toy.c -o toy
rates=.1,.2,.3,.4,.5,.6,.75,.9
tune=("$orrery" tune --set "rate=$rates" --rungs 'epochs=1,4,16' --score loss: --state state -- ./toy '{rate}' '{epochs}' 'a {b} c')
expect 0 "${tune[@]}"
says out '^ *rate .*rung +loss: +seconds$' '^best: orrery run --threads 1 ./toy .3 16 '"'a \{b\} c'\$" \
    '^ *\.3 +1 +3 +0\.0625 ' '^ *\.9 .*failed: status 3: rate is too large' '^ *\.75 .*no finite number'
[ "$(sed -n 2p out | awk '{print $1}')" = .3 ] || fail "the best is not in front"
# eight on the first rung, half of the six good ones on the second, half of these on the third
[ "$(wc -l <log)" = 13 ] || fail "$(wc -l <log) runs"
[ "$(grep -c ' 16 a {b} c' log)" = 2 ] || fail "losers went on"
cp out first
expect 0 "${tune[@]}"
cmp -s out first || fail "the second call has another table"
[ "$(wc -l <log)" = 15 ] || fail "what is known was run again: $(wc -l <log)"
expect 0 "$orrery" tune --set rate=.1,.4 --score loss: --maximize --format=json ./toy '{rate}' 2
python3 -c 'import json; d = json.load(open("out")); c = d["candidates"]; assert d["schema"] == "orrery-tune/1" and [x["values"]["rate"] for x in c] == [".1", ".4"] and abs(c[0]["score"] - .7) < 1e-9, d' ||
    fail "the JSON"
says err '^orrery tune: orrery run --threads 1 ./toy .1 2$'

# Seconds: plan choices, repetitions, one run at a time.
rm log
expect 0 "$orrery" tune --threads 1,2 --grid 0x0,4x4 ./toy .1 2
says out '^threads +grid +rung +seconds$' '^best: ORRERY_GRID=[04]x[04] orrery run --threads [12] ./toy .1 2$'
says log 'grid 4x4 threads 2' 'grid 0x0 threads 1'
[ "$(wc -l <log)" = 12 ] || fail "4 runs, 2 by 2, 1 by 4: $(wc -l <log)"
expect 0 "$orrery" tune --ranks 1,2 ./toy .1 2
says out '^best: orrery run (-n 2 )?./toy .1 2$'
expect 1 "$orrery" tune --set rate=.85,.9 ./toy '{rate}' 2
says out 'failed: status 3'

# Of repetitions the shortest counts, whatever the others took.
cat >times.py <<'END'
for rung, seconds in (1, {"0x0 1": [.2], "4x4 1": [.25], "0x0 2": [9], "4x4 2": [9]}), (2, {"0x0 1": [.3, .3], "4x4 1": [.5, .1]}), \
        (3, {"4x4 1": [.5, .1, .5, .5], "0x0 1": [.3] * 4}):
    for name, all in seconds.items():
        grid, threads = name.split()
        for at, one in enumerate(all):
            print(f'{{"run":"ORRERY_GRID={grid} orrery run --threads {threads} ./toy .1 2 # seconds, run {at + 1} of rung {rung}",'
                  f'"seconds":{one},"score":{one}}}')
END
python3 times.py >known
rm log
expect 0 "$orrery" tune --threads 1,2 --grid 0x0,4x4 --state known ./toy .1 2
[ ! -e log ] || fail "what is known was run again: $(cat log)"
says out '^best: ORRERY_GRID=4x4 orrery run --threads 1 ./toy .1 2$'

expect 2 "$orrery" tune ./toy 1 2
says err 'nothing to vary'
expect 2 "$orrery" tune --set rate ./toy '{rate}' 2
says err "'rate' is not NAME=VALUE"
expect 2 "$orrery" tune --set rate=1,,2 ./toy '{rate}' 2
expect 2 "$orrery" tune --set rat=1 ./toy '{rate}' 2
says err 'no argument of the program holds \{rat\}'
expect 2 "$orrery" tune --threads 1,x ./toy
says err "'1,x' is no list"
expect 2 "$orrery" tune --grid 8 ./toy
says err "'8' is no list like 8x8"
expect 2 "$orrery" tune --ranks 1000 ./toy 1 1
says err '1000 ranks'
expect 2 "$orrery" tune --maximize --threads 1 ./toy 1 1
expect 2 "$orrery" tune --threads 1
says err 'no program'
expect 2 "$orrery" tune --threads 1 /bin/true
echo 'not json' >state
expect 1 "${tune[@]}"
says err '^state: error: run 1 is no line .*\[ORR9231\]$'

# Values that nobody expects: the program crashes, prints bytes, is given blanks, quotes, bytes that are no UTF-8.
cat >odd.c <<'EOF2'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static double a[1000];
int main(int argc, char **argv) {
    const char *value = argv[1];
#pragma orrery parallel
    for (int i = 0; i < 1000; ++i)
        a[i] = i;
    if (argc > 2)
        usleep(1000 * (useconds_t)atoi(argv[2]));
    if (strcmp(value, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(value, "bytes") == 0)
        fwrite("\0\xff\0loss 2\n", 1, 10, stdout);
    else
        printf("loss %d\n", (int)strlen(value));
    return 0;
}
EOF2
expect 0 "$cc" -O1 odd.c -o odd
byte=$(printf 'abc\377')
expect 0 "$orrery" tune --set "value=kill,bytes,it's all,$byte" --score loss --state odd.state --format=json ./odd '{value}'
python3 -c 'import json; d = json.load(open("out", encoding="utf-8")); c = {x["values"]["value"]: x for x in d["candidates"]}
assert c["bytes"]["score"] == 2 and c["it'"'"'s all"]["score"] == 8 and c["abc\xff"]["score"] == 4 and c["kill"]["failed"] == "ended by signal 9", d' ||
    fail "odd values"
expect 0 "$orrery" tune --set "value=$byte" --score loss --state odd.state ./odd '{value}'
silent err
expect 2 "$orrery" tune --set value=1,2 --score '' ./odd '{value}'
says err '--score: the text is empty'
expect 2 "$orrery" tune --set value=1 --set value=2 ./odd '{value}'
says err 'values for \{value\} are given twice'
expect 2 "$orrery" tune --set value=1 --rungs value=2,3 ./odd '{value}'
expect 1 "$orrery" tune --set value=1,2 --state /nowhere/state ./odd '{value}'
says err 'cannot write /nowhere/state'
[ "$(wc -l <err)" = 1 ] || fail "it ran before it looked at the state file"

# Interrupted: nothing is left behind, and the next call goes on; also behind a line that was cut short.
mkdir tmp
TMPDIR=$work/tmp "$orrery" tune --set value=1,22,333 --jobs 1 --score loss --state cut.state ./odd '{value}' 1500 >out 2>err &
until [ -s cut.state ]; do sleep .05; done
kill -TERM $!
status=0
wait $! || status=$?
[ "$status" = 143 ] || fail "status $status of an interrupted search"
says err 'interrupted; the same command goes on from cut\.state'
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
known=$(wc -l <cut.state)
printf '{"run":"x","sec' >>cut.state
expect 0 "$orrery" tune --set value=1,22,333 --jobs 1 --score loss --state cut.state ./odd '{value}' 1500
[ "$(grep -c '^orrery tune: orrery run' err)" = $((3 - known)) ] || fail "$known were known"
[ "$(wc -l <cut.state)" = 3 ] || fail "the state: $(cat cut.state)"
