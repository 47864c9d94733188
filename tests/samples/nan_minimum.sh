#!/bin/bash
# A NaN among numbers whose minimum is sought: the serial program's answer, or the program stops.
. "$(dirname "$0")/common.sh"
program=$source/tests/programs/samples/nan_minimum.c

gcc -O2 "$program" -o "$work/serial" -lm
"$orrery_cc" -O2 -Werror=serial "$program" -o "$work/minimum" -lm || fail "orrery-cc"
for way in 0 1 2 3; do
    for at in -1 -2 0 2000 3999; do
        if [ "$way" = 0 ] && [ "$at" != -1 ]; then
            refuses 1 "a NaN came into low" "$work/minimum" 0 "$at"
        else
            [ "$("$work/minimum" $way $at)" = "$("$work/serial" $way $at)" ] || fail "way $way, NaN at $at"
        fi
    done
done
