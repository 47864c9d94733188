#!/bin/bash
# What cannot be is said when CMake runs.
. "$(dirname "$0")/lib.sh"

# refused PATTERN TEXT: a project that ends in TEXT does not configure
refused() {
    rm -rf wrong && mkdir wrong
    {
        echo 'cmake_minimum_required(VERSION 3.21)'
        echo 'project(wrong LANGUAGES C)'
        echo 'find_package(Orrery REQUIRED)'
        echo 'add_executable(app ../program/main.c ../program/train.c)'
        echo "$2"
    } >wrong/CMakeLists.txt
    not_ok cmake -S wrong -B wrong/build -DCMAKE_PREFIX_PATH="$house"
    tr -s '\n ' ' ' <log >flat && mv flat log
    said "$1"
}
refused 'there is no target ap;' 'orrery_target(ap)'
refused "cannot use 'OUTO'" 'orrery_target(app OUTO)'
refused 'called twice' 'orrery_target(app)
orrery_target(app)'
refused "TARGET is cpu or gpu, not 'tpu'" 'orrery_target(app TARGET tpu)'
refused 'no plan file .*/wrong/no.json' 'orrery_target(app PLAN no.json)'
refused 'is no plan file' 'orrery_target(app PLAN CMakeLists.txt)'
refused 'is for other.c, which is none' 'file(WRITE ${CMAKE_BINARY_DIR}/p.json "{\"file\": \"other.c\"}")
orrery_target(app PLAN ${CMAKE_BINARY_DIR}/p.json)'
refused 'INTERFACE_LIBRARY cannot hold parallel loops' 'add_library(lib INTERFACE)
orrery_target(lib)'
refused "RANKS is a number of at least 1, not 'two'" 'orrery_add_test(NAME a COMMAND app RANKS two)'
refused 'orrery_add_test\(NAME N' 'orrery_add_test(NAME a)'
refused 'Could not find|version' 'find_package(Orrery 99 REQUIRED)'

rm -rf wrong && mkdir wrong
cat >wrong/CMakeLists.txt <<'EOT'
cmake_minimum_required(VERSION 3.21)
project(launchers LANGUAGES C)
find_package(Orrery REQUIRED)
enable_testing()
set(MPIEXEC_EXECUTABLE /bin/echo)
set(MPIEXEC_NUMPROC_FLAG -count)
set(MPIEXEC_PREFLAGS before)
set(MPIEXEC_POSTFLAGS after)
add_executable(app ../program/main.c ../program/train.c)
target_link_libraries(app PRIVATE m)
orrery_target(app)
orrery_add_test(NAME told COMMAND app 7 RANKS 3)
EOT
ok cmake -S wrong -B wrong/build -DCMAKE_PREFIX_PATH="$house"
ok ctest --test-dir wrong/build -V -N
ok cmake --build wrong/build
ok ctest --test-dir wrong/build -V
said '-count 3 before .*/app after 7'
