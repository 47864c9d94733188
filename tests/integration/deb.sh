#!/bin/bash
# The Debian package: what it depends on, and that what is in it works where it is unpacked.
# usage: deb.sh PLACE BUILD
. "$(dirname "$0")/lib.sh"
need cpack dpkg-deb dpkg-shlibdeps

ok cpack -G DEB --config "$2/CPackConfig.cmake" -B "$work/out"
deb=$(echo "$work"/out/*.deb)
ok dpkg-deb -f "$deb" Package Depends
said 'Package: orrery' 'libclang1-[0-9]+' 'libclang-common-[0-9]+-dev' 'libisl[0-9]+' 'libjansson4' 'libhwloc-dev' \
    'libc6 \(>=' 'openmpi' 'gcc'
ok dpkg-deb -x "$deb" root
for file in bin/orrery bin/orrery-cc include/orrery.h lib/orrery/liborrery.a lib/cmake/Orrery/OrreryConfig.cmake \
    lib/pkgconfig/orrery.pc share/man/man1/orrery.1 share/bash-completion/completions/orrery share/doc/orrery/copyright \
    share/orrery/samples/mf/mf.c share/orrery/samples/data/names.mtx.gz; do
    [ -s "root/usr/$file" ] || fail "no $file in the package"
done
PATH=$work/root/usr/bin:$PATH
ok orrery doctor
ok orrery-cc -O2 -Iprogram program/main.c program/train.c -o factors -lm
is_parallel ./factors 5000
