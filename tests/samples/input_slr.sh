#!/bin/bash
# Bad input of slr: a message with its place, never a signal. SLR: the program.
. "$(dirname "$0")/common.sh"
slr=${SLR:-$build/samples/slr}

bad() {
    printf "$1" > "$work/bad"
    refuses 1 "$work/bad:$2: error: $3" "$slr" "$work/bad"
}

refuses 1 "$work/none: cannot open" "$slr" "$work/none"
bad 'x 1:1\n' 1:1 'expected a label'
bad '+1 1:1\n-1 2\n' 2:4 'expected `feature:value`'
bad '+1 -1:1\n' 1:4 'the feature is -1'
bad '+1 1.5:1\n' 1:4 'expected `feature:value`'
bad '+1 3000000000:1\n' 1:4 'the feature is 3000000000'
bad '+1 1:\n' 1:6 'expected a value'
bad '+1 1:nan\n' 1:6 'the value is not a finite number'
bad '+1 1:1x\n' 1:6 'expected a value'
printf '# nothing\n' > "$work/empty"
refuses 1 "$work/empty: error: no examples" "$slr" "$work/empty"
refuses 2 "unknown option" "$slr" --batch 2
printf '+1 1:1 3:2\n-1 2:1\n+1\n' > "$work/good"
"$slr" --held-out 0 --epochs 1 --output "$work/model" "$work/good" > "$work/out" || fail "three examples"
grep -aq "'shape': (4,)" "$work/model.w.npy" || fail "not four weights"
