#!/bin/bash
# Projects that nobody here wrote, from Debian's archive: by CMake with all targets through orrery_all_targets
# (unmarked loops too), by autotools with CC=orrery-cc; their own tests decide. Needs a network: no test of CTest's.
# usage: real.sh PREFIX [FOLDER]      PREFIX: where Orrery is installed
set -eu
prefix=$(cd "$1" && pwd)
work=${2:-$(mktemp -d)}
mkdir -p "$work"
cd "$work"
export PATH="$prefix/bin:$PATH" CMAKE_BUILD_PARALLEL_LEVEL=2 CTEST_PARALLEL_LEVEL=2
pool=http://deb.debian.org/debian/pool/main

# fetch NAME PATH: its source in the folder NAME
fetch() {
    [ -d "$1" ] || { curl -fsSL --max-time 120 "$pool/$2" -o "$1.tar" && mkdir "$1" && tar xf "$1.tar" -C "$1" --strip-components=1; }
}

# step NAME COMMAND...: its output goes to NAME.log
step() {
    local name=$1
    shift
    "$@" >"$name.log" 2>&1 || { echo "$name: failed: $*"; tail -n 20 "$name.log"; exit 1; }
}

# by_cmake NAME OPTIONS...
by_cmake() {
    local name=$1
    shift
    step "$name-configure" cmake -S "$name" -B "$name-cmake" -DCMAKE_BUILD_TYPE=Release -DORRERY_OPTIONS=-Rorrery \
        "-DCMAKE_PROJECT_INCLUDE=$prefix/lib/cmake/Orrery/OrreryEverywhere.cmake" "$@"
    step "$name-build" cmake --build "$name-cmake" --parallel 2
    step "$name-test" env ORRERY_AUTO_US=0 ctest --test-dir "$name-cmake" --output-on-failure
    echo "$name, CMake: $(grep -c 'remark: parallel' "$name-build.log") parallel loops; $(grep 'tests passed' "$name-test.log")"
}

# by_autotools NAME OPTIONS...
by_autotools() {
    local name=$1
    shift
    mkdir -p "$name-autotools"
    cd "$name-autotools"
    step configure "../$name/configure" CC='orrery-cc -auto' "$@"
    step build make -j2
    step test env ORRERY_AUTO_US=0 make check -j2
    cd ..
    echo "$name, autotools: $(find "$name-autotools" -name '*.o' -exec grep -l orrery_run {} + | wc -l) objects with parallel loops;" \
        "$(grep -h '^# PASS' "$name-autotools/test.log" | awk '{ n += $3 } END { print n + 0 }') tests passed," \
        "$(grep -h '^# FAIL' "$name-autotools/test.log" | awk '{ n += $3 } END { print n + 0 }') failed"
}

fetch cjson c/cjson/cjson_1.7.15.orig.tar.gz
fetch libpng libp/libpng1.6/libpng1.6_1.6.39.orig.tar.gz
by_cmake cjson -DENABLE_CJSON_TEST=ON -DBUILD_SHARED_LIBS=OFF -DCMAKE_POLICY_VERSION_MINIMUM=3.5
by_cmake libpng
by_autotools libpng --disable-shared
