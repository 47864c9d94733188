#!/bin/bash
# A project that knows nothing of Orrery: launchers from the command line, all targets at once.
. "$(dirname "$0")/lib.sh"

ok cmake -S launcher -B launched -G Ninja '-DCMAKE_C_COMPILER_LAUNCHER=orrery;launch' \
    '-DCMAKE_C_LINKER_LAUNCHER=orrery;launch'
ok cmake --build launched --target factors
is_parallel launched/factors 5000
ok cmake --build launched --target factors
said 'no work to do'
# A header touched: what includes it is made again, once.
touch program/*.h
ok cmake --build launched --target factors
said 'train\.c\.o'
ok cmake --build launched --target factors
said 'no work to do'
# Two configurations at once.
ok cmake -S launcher -B configurations -G 'Ninja Multi-Config' '-DCMAKE_C_COMPILER_LAUNCHER=orrery;launch' \
    '-DCMAKE_C_LINKER_LAUNCHER=orrery;launch'
for configuration in Debug Release; do
    ok cmake --build configurations --config $configuration --target factors
    is_parallel "configurations/$configuration/factors" 5000
    ok cmake --build configurations --config $configuration --target factors
    said 'no work to do'
done
# A marked loop in a shared library runs in parallel, by the shared run library.
ok cmake --build launched --target shared
ok readelf -d launched/libshared.so
said 'NEEDED.*liborrery\.so\.[0-9]'

# Every target that can; what nobody marked, too, but for the shared library, whose marked loop is parallel.
ok cmake -S launcher -B everywhere -G 'Unix Makefiles' -DORRERY_OPTIONS=-Rorrery \
    "-DCMAKE_PROJECT_INCLUDE=$house/lib/cmake/Orrery/OrreryEverywhere.cmake"
ok cmake --build everywhere
said 'main\.c:[0-9:]+ remark: parallel' 'train\.c:[0-9:]+ remark: parallel'
is_parallel everywhere/factors 5000
