#!/bin/bash
# The Debian packages: that lintian has nothing against them, what they depend on, and that what is in them works
# where it is unpacked.
# usage: deb.sh PLACE BUILD
. "$(dirname "$0")/lib.sh"
need cpack dpkg-deb dpkg-shlibdeps lintian

ok cpack -G DEB --config "$2/CPackConfig.cmake" -B "$work/out"
ok lintian --allow-root --pedantic --fail-on error,warning,pedantic "$work"/out/*.deb
for package in orrery orrery-dev orrery-runtime orrery-samples orrery-doc; do
    deb=$(echo "$work"/out/${package}_*.deb)
    ok dpkg-deb -f "$deb" Package Depends Architecture
    cp log "$package.fields"
    ok dpkg-deb -x "$deb" root
    for file in copyright changelog.gz; do
        [ -s "root/usr/share/doc/$package/$file" ] || fail "no $file in $package"
    done
done
# has PACKAGE PATTERN...: its fields match all of them
has() {
    cp "$1.fields" log
    shift
    said "$@"
}
has orrery 'orrery-dev \(= ' 'libclang1-[0-9]+' 'libclang-common-[0-9]+-dev' 'libisl[0-9]+' 'libjansson4' 'libc6 \(>=' 'openmpi' 'gcc'
has orrery-dev 'orrery-runtime \(= '
has orrery-runtime 'libopenmpi' 'libhdf5'
has orrery-samples 'Architecture: all'
for file in bin/orrery bin/orrery-cc include/orrery.h lib/orrery/liborrery.a lib/cmake/Orrery/OrreryConfig.cmake \
    share/man/man1/orrery.1.gz share/bash-completion/completions/orrery share/orrery/samples/mf/mf.c \
    share/orrery/samples/data/names.mtx.gz share/doc/orrery/docs/tutorial.md; do
    [ -s "root/usr/$file" ] || fail "no $file in the packages"
done
PKG_CONFIG_PATH=$(echo "$work"/root/usr/lib/*/pkgconfig) ok pkg-config --variable=compiler orrery
[ -x "$(tr -d '\\' <log)" ] || fail "pkg-config names no compiler: $(cat log)"

# Without what finds dependencies there is no package.
mkdir few
for program in cmake cpack gzip strip dpkg-deb dpkg-architecture readelf file objdump; do
    ln -s "$(command -v $program)" few/
done
not_ok env PATH="$work/few" cpack -G DEB --config "$2/CPackConfig.cmake" -B "$work/none"
said 'dpkg-shlibdeps is not here'
compgen -G "$work/none/*.deb" >/dev/null && fail "a package all the same"

PATH=$work/root/usr/bin:$PATH
ok orrery doctor
ok orrery-cc -O2 -Iprogram program/main.c program/train.c -o factors -lm
is_parallel ./factors 5000
