#!/bin/bash
# The first iteration of a marked loop that ends the program ends it, behind what those before it print: the same
# text and status as gcc's program, on threads and ranks, also where rows behind it lead nowhere.
. "$(dirname "$0")/common.sh"
build() {
    local program=$source/tests/programs/$1.c
    gcc -O1 -w -pthread -ffp-contract=off "$program" -o "$work/serial"
    "$orrery_cc" -O1 -w -pthread -Werror=serial -ffp-contract=off "$program" -o "$work/marked" 2> "$work/said" || fail "orrery-cc"
}

# compare ARGUMENTS COMMAND...: as the serial program, with its status.
compare() {
    local arguments=$1 wanted=0 got=0
    shift
    "$work/serial" $arguments > "$work/expected" 2> "$work/expected.err" || wanted=$?
    "$@" "$work/marked" $arguments > "$work/out" 2> "$work/err" || got=$?
    cmp "$work/expected" "$work/out" || fail "$arguments: another result: $*"
    [ "$1" = env ] || return 0
    [ "$got" = "$wanted" ] || { cat "$work/err"; fail "$arguments: status $got, not $wanted: $*"; }
    cmp "$work/expected.err" "$work/err" || fail "$arguments: other errors: $*"
}
build authors/keys_looked_up
for arguments in 3 499; do
    compare "$arguments" env ORRERY_THREADS=2
done
build authors/prints_and_ends
for arguments in "" 5 1999 1850 "777 900"; do
    for threads in 1 3; do
        compare "$arguments" env ORRERY_THREADS=$threads
    done
done
for arguments in 777 5; do
    compare "$arguments" "$orrery" run -n 2 --
done

# Rows behind the end may divide by 0; where none ends the program, the fault does. Rows that are not there are found.
build samples/ends_divides
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_sigfpe=0"
for arguments in "777 900" "1 2" "3999 2000" "-1 900" "950 900" "-1"; do
    for threads in 1 3; do
        compare "$arguments" env ORRERY_THREADS=$threads
    done
done
compare "777 900" "$orrery" run -n 2 --
ORRERY_THREADS=3 refuses 1 "i = 5999 is out of range" "$work/marked" 4000 4000 6000

# A loop that is left runs again, as it is written, also where rows behind may divide by 0 or are not there.
build samples/leaves
for arguments in "" 5 3999 1500 "1500 2000" "2 3" "2 1" "-1 700"; do
    for threads in 1 2 4; do
        compare "$arguments" env ORRERY_THREADS=$threads
    done
done
for arguments in "" 5 1500; do
    compare "$arguments" "$orrery" run -n 2 --
done

# What sees the rows' memory then does not see rows behind the end: such a loop runs as written, and says so.
ulimit -c 0
build samples/ends_seen
for arguments in atexit on_exit abort "abort -10000" shared; do
    "$work/serial" $arguments > "$work/expected" || true
    ORRERY_THREADS=4 "$work/marked" $arguments > "$work/out" 2> "$work/err" || true
    cmp "$work/expected" "$work/out" || fail "$arguments: another result"
    grep -q "runs serially: as it is written, where what runs when the program ends" "$work/err" || fail "$arguments: not said"
done
compare "" env ORRERY_THREADS=4

# Sums behind the end stay inside of the array: no result shows where one that does not goes (runtime.unit_output).
build samples/ends_sums
"$(dirname "$orrery_cc")/orrery" emit "$source/tests/programs/samples/ends_sums.c" | grep -q 'orrery_output_inside(' ||
    fail "no subscript of a sum is looked at"
for threads in 1 3; do
    compare "" env ORRERY_THREADS=$threads
done

# Threads of the program's own print at once, whatever loop runs.
build samples/says_elsewhere
compare "" env ORRERY_THREADS=2

# What an abort leaves in buffers is not written.
build samples/ends_flushes
for arguments in "" 1024 65536; do
    compare "$arguments" env ORRERY_THREADS=3
done

# In any order, too, the text is the same on any number of workers: iterations behind the end in the loop run before it.
build samples/ends_unordered
for arguments in 4500 8000; do
    ORRERY_THREADS=1 "$work/marked" $arguments > "$work/expected" 2> "$work/expected.err" || true
    for threads in 2 4 4 4; do
        ORRERY_THREADS=$threads "$work/marked" $arguments > "$work/out" 2> "$work/err" || true
        cmp "$work/expected" "$work/out" || fail "$arguments: another text on $threads threads"
    done
done
