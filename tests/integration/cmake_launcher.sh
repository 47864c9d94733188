#!/bin/bash
# A project that knows nothing of Orrery: launchers from the command line, all targets at once.
. "$(dirname "$0")/lib.sh"

mkdir plain
cat >plain/CMakeLists.txt <<'EOT'
cmake_minimum_required(VERSION 3.10)
project(plain LANGUAGES C)
add_library(shared SHARED ../cmake/scale/scale.c)
add_executable(factors ../program/main.c ../program/train.c)
target_link_libraries(factors m)
EOT
ok cmake -S plain -B launched -G Ninja '-DCMAKE_C_COMPILER_LAUNCHER=orrery;launch' \
    '-DCMAKE_C_LINKER_LAUNCHER=orrery;launch'
ok cmake --build launched --target factors
is_parallel launched/factors 5000
ok cmake --build launched --target factors
said 'no work to do'
# A marked loop in a shared library is refused, with a way out.
not_ok cmake --build launched --target shared
said 'shared library cannot hold parallel loops'

# Every target that can; what nobody marked, too. The shared library is left alone, and says so.
ok cmake -S plain -B everywhere -G 'Unix Makefiles' -DORRERY_OPTIONS=-Rorrery \
    "-DCMAKE_PROJECT_INCLUDE=$house/lib/cmake/Orrery/OrreryEverywhere.cmake"
said 'shared stays as it is'
ok cmake --build everywhere
said 'main\.c:[0-9:]+ remark: parallel' 'train\.c:[0-9:]+ remark: parallel'
is_parallel everywhere/factors 5000
