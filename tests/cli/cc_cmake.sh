#!/bin/bash
# CMake with orrery-cc as its compiler: probes, a library, a program with a marked loop.
. "$(dirname "$0")/lib.sh"

mf_program mf.c
echo 'int helper(void) { return 1; }' >helper.c
cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(user C)
include(CheckFunctionExists)
include(CheckCSourceCompiles)
include(CheckIncludeFile)
check_function_exists(malloc HAVE_MALLOC)
check_function_exists(no_such_function_at_all HAVE_NOTHING)
check_include_file(stdio.h HAVE_STDIO)
check_c_source_compiles("int main(void) { return sizeof(char[1]) - 1; }" HAVE_SENSE)
try_compile(TRIED ${CMAKE_BINARY_DIR}/try SOURCES ${CMAKE_SOURCE_DIR}/mf.c LINK_LIBRARIES m)
if(NOT HAVE_MALLOC OR HAVE_NOTHING OR NOT HAVE_STDIO OR NOT HAVE_SENSE OR NOT TRIED)
  message(FATAL_ERROR "a probe went wrong")
endif()
message(STATUS "compiler is ${CMAKE_C_COMPILER_ID}")
add_library(helper SHARED helper.c)
add_executable(mf mf.c)
target_link_libraries(mf helper m)
EOF
expect 0 cmake -S . -B build -G Ninja -DCMAKE_C_COMPILER="$cc"
says out 'compiler is GNU'
expect 0 cmake --build build
expect 0 build/mf
says out '^epoch 3 rmse'
# Depfiles work: a touched source is built again, nothing else is.
expect 0 cmake --build build
says out 'no work to do'
touch mf.c
expect 0 cmake --build build
says out 'mf\.c\.o|Linking'
