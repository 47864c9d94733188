#!/bin/bash
# `orrery analyze` on several files and on a compilation database: order, tables, what is wrong with
# a database, files that fail beside others.
. "$(dirname "$0")/lib.sh"

mf_program mf.c
cat >serial.c <<'EOT'
void f(double *a, long n) {
#pragma orrery parallel
    for (long i = 1; i < n; i++)
        a[i] = a[i - 1] * SCALE;
#pragma orrery parallel
    for (long i = 0; i < n; i++)
        a[i] = 0;
#pragma orrery parallel
    for (long i = 0; i < n; i++)
        a[i] = i;
}
EOT

# The table of one file: marked, parallel by strategy, serial by code.
expect 0 "$orrery" analyze -DSCALE=2 serial.c
says out '^serial\.c: 3 loops considered, 2 parallel, 1 serial$' '^    marked +3$' \
    '^    independent +2$' '^    ORR2104 +1  an iteration needs what an earlier one wrote$'

# Of several: reports in the order of the command line, and one table.
expect 0 "$orrery" analyze -DSCALE=2 mf.c serial.c
says out '^mf\.c +1 +1 +1 +0  rotation-2d 1$' '^serial\.c +3 +3 +2 +1  independent 2  ORR2104 1$' \
    '^total +4 +4 +3 +1  rotation-2d 1  independent 2  ORR2104 1$'
[ "$(grep -n 'considered' out | cut -d: -f2 | tr '\n' ' ')" = "mf.c serial.c " ] || fail "the order"
expect 1 "$orrery" analyze -Werror=serial -DSCALE=2 mf.c serial.c
expect 0 "$orrery" analyze -Werror=serial mf.c

# A database: flags per file, relative to their folders; what is not C is left out.
mkdir -p build proj/src proj/include
cp mf.c serial.c proj/src
echo '#define SCALE 0.5' >proj/include/scale.h
cat >build/compile_commands.json <<EOT
[
{"directory": "$work/proj", "file": "src/serial.c",
 "arguments": ["cc", "-Iinclude", "-include", "scale.h", "-c", "src/serial.c", "-o", "serial.o"]},
{"directory": "$work/proj", "file": "$work/proj/src/mf.c",
 "command": "cc -O2 '-DNAME=\"a b\"' -o mf.o -c $work/proj/src/mf.c"},
{"directory": "$work/proj", "file": "src/other.cpp", "command": "c++ -c src/other.cpp"},
{"directory": "$work/proj", "file": "src/gone.c", "command": "cc -c src/gone.c"}
]
EOT
expect 1 "$orrery" analyze -p build
says out "^$work/proj/src/serial\.c: 3 loops considered, 2 parallel, 1 serial$" \
    "^$work/proj/src/mf\.c: 1 loop considered, 1 parallel, 0 serial$" '^total +4 +4 +3 +1' \
    '^1 file of the database left out: not C$'
says err "gone\.c.*\[ORR9002\]"
expect 1 "$orrery" analyze -p build/compile_commands.json --format=json
[ "$(grep -c '"schema"' out)" = 3 ] || fail "three objects"
expect 0 "$orrery" analyze -p build proj/src/mf.c
says out '^total +1 +1 +1 +0' || fail "only what was named"
expect 1 "$orrery" analyze -p build mf.c
says err '^mf\.c: error: the compilation database build has no entry for it \[ORR9122\]$'

# Databases that are none.
expect 1 "$orrery" analyze -p nowhere
says err '^nowhere: error: cannot read the compilation database: .*\[ORR9120\]$'
mkdir none
expect 1 "$orrery" analyze -p none
says err '^none/compile_commands\.json: error: .*No such file.*\[ORR9120\]$'
printf '[\n{"directory": "x",\n "file": }\n]\n' >none/compile_commands.json
expect 1 "$orrery" analyze -p none
says err '^none/compile_commands\.json:3:[0-9]+: error: .*\[ORR9120\]$'
echo '{"file": "a.c"}' >none/compile_commands.json
expect 1 "$orrery" analyze -p none
says err 'it is no JSON array \[ORR9120\]$'
for entry in '7' '{"directory": "/"}' '{"file": "a.c", "command": "cc a.c"}' \
    '{"directory": "/", "file": "a.c"}' '{"directory": "/", "file": "a.c", "arguments": "cc a.c"}' \
    '{"directory": "/", "file": "a.c", "arguments": ["cc", 3]}'; do
    echo "[{\"directory\": \"/\", \"file\": \"b.c\", \"command\": \"\"}, $entry]" >none/compile_commands.json
    expect 1 "$orrery" analyze -p none
    says err '^none/compile_commands\.json: error: entry 2: .*\[ORR9121\]$'
done
echo '[]' >none/compile_commands.json
expect 0 "$orrery" analyze -p none
says out '^total +0 +0 +0 +0'

# Many files, more than there are cores.
for i in 1 2 3 4 5 6 7 8 9; do cp serial.c many$i.c; done
expect 0 "$orrery" analyze -DSCALE=3 many?.c
says out '^total +27 +27 +18 +9'
[ "$(grep -c considered out)" = 9 ] || fail "nine reports"
