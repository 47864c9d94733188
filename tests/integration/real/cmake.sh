#!/bin/bash
# By CMake, all C targets through OrreryEverywhere.cmake, unmarked loops too; every one of them runs in
# parallel, however short. usage: cmake.sh BUILD
. "$(dirname "$0")/lib.sh"

# by_cmake NAME OPTIONS...
by_cmake() {
    project=$1
    shift
    step "$project-configure" cmake -S "$project" -B "$project-cmake" -DCMAKE_BUILD_TYPE=Release -DORRERY_OPTIONS=-Rorrery \
        "-DCMAKE_PROJECT_INCLUDE=$prefix/lib/cmake/Orrery/OrreryEverywhere.cmake" "$@"
    step "$project-build" cmake --build "$project-cmake" --parallel 2
    loops=$(grep -c 'remark: parallel' "$project-build.log") || { echo "FAILED: $project: no parallel loop"; exit 1; }
    step "$project-test" ctest --test-dir "$project-cmake" --output-on-failure
    echo "$project, CMake: $loops parallel loops; $(grep 'tests passed' "$project-test.log")"
    step "$project-all" env ORRERY_AUTO_US=0 ORRERY_THREADS=1 ctest --test-dir "$project-cmake" --output-on-failure
    echo "$project, CMake, all loops as regions, one thread: $(grep 'tests passed' "$project-all.log")"
}

fetch cjson c/cjson/cjson_1.7.15.orig.tar.gz
fetch libpng libp/libpng1.6/libpng1.6_1.6.39.orig.tar.gz
by_cmake cjson -DENABLE_CJSON_TEST=ON -DBUILD_SHARED_LIBS=OFF -DCMAKE_POLICY_VERSION_MINIMUM=3.5
step cjson-threads env ORRERY_AUTO_US=0 ORRERY_THREADS=3 ctest --test-dir cjson-cmake --output-on-failure
echo "cjson, CMake, all loops as regions, three threads: $(grep 'tests passed' cjson-threads.log)"
by_cmake libpng
