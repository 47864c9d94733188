#!/bin/bash
# orrery_target: Ninja and Makefiles, built, built again, headers touched, its tests run; Debug beside Release.
. "$(dirname "$0")/lib.sh"

# remade BUILD FILE WANTED...: after touching FILE exactly the objects WANTED are compiled
remade() {
    build=$1
    sleep .1
    touch "$2"
    shift 2
    ok cmake --build "$build" --verbose
    grep -Eo -- '-o [^ ]*\.c\.o' log | sed -E 's/.*\.dir//; s,.*/(program/),\1,; s,^/,,' | sort >made
    printf '%s\n' "$@" | sort | diff - made >&2 || fail "$build: not what had to be compiled again"
}

for generator in Ninja 'Unix Makefiles'; do
    build="build $generator"
    ok cmake -S cmake -B "$build" -G "$generator" -DCMAKE_PREFIX_PATH="$house" -DCMAKE_BUILD_TYPE=Release
    ok cmake --build "$build" --parallel 4
    unsaid warning
    is_parallel "$build/factors" 5000
    is_parallel "$build/factors-quick" 5000
    is_parallel "$build/scale/scaled"
    is_parallel "$build/scale/scaled_shared"
    ok cmake --build "$build" --verbose
    unsaid 'orrery|-o '
    all="program/main.c.o program/train.c.o"
    # shellcheck disable=SC2086
    remade "$build" program/train.h $all $all
    remade "$build" program/train.c program/train.c.o program/train.c.o
    remade "$build" cmake/scale/scale.c scale.c.o scale.c.o
    echo 'RANK 4' >cmake/sizes.txt
    # shellcheck disable=SC2086
    remade "$build" cmake/sizes.txt $all $all
    ok ctest --test-dir "$build"
    said '100% tests passed'
    echo 'RANK 8' >cmake/sizes.txt
    ok cmake -S cmake -B "$build Debug" -G "$generator" -DCMAKE_PREFIX_PATH="$house" -DCMAKE_BUILD_TYPE=Debug
    ok cmake --build "$build Debug" --verbose
    said 'orrery-cc.* -g .*train\.c'
    unsaid ' -O3 '
    is_parallel "$build Debug/factors" 5000
    ok cmake --build "$build"
    ok cmake --build "$build" --verbose
    unsaid 'orrery|-o '
done
