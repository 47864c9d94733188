#!/bin/bash
# Two configurations of one multi-configuration build; plans; a compiler cache behind orrery-cc.
. "$(dirname "$0")/lib.sh"

ok cmake -S cmake -B build -G 'Ninja Multi-Config' -DCMAKE_PREFIX_PATH="$house"
for configuration in Debug Release; do
    ok cmake --build build --config $configuration
    is_parallel "build/$configuration/factors" 5000
    ok cmake --build build --config $configuration
    said 'no work to do'
done

# A plan of one of the sources: obeyed, and an input like any other.
mkdir planned
cat >planned/CMakeLists.txt <<'EOT'
cmake_minimum_required(VERSION 3.21)
project(planned LANGUAGES C)
find_package(Orrery REQUIRED)
add_executable(factors ../program/main.c ../program/train.c)
target_link_libraries(factors PRIVATE m)
orrery_target(factors PLAN "train plan.json" OPTIONS -Rorrery)
EOT
ok orrery plan program/train.c -o 'planned/train plan.json'
printf '#!/bin/sh\necho "$1" >>"%s/cached"\nexec "$@"\n' "$work" >'a cache'
chmod +x 'a cache'
ok cmake -S planned -B plan-build -G Ninja -DCMAKE_PREFIX_PATH="$house" "-DCMAKE_C_COMPILER_LAUNCHER=$work/a cache"
ok cmake --build plan-build
said 'train\.c:.*parallel'
grep -q . cached || fail "the compiler cache was not asked"
is_parallel plan-build/factors 5000
ok cmake --build plan-build
said 'no work to do'
sed -i 's/"strategy": "rotation-2d"/"strategy": "serial"/' 'planned/train plan.json'
ok cmake --build plan-build
said 'train\.c:.*serial'
