#!/bin/bash
# An unrelated real project, built with CC=orrery-cc by its own ./configure, its own tests passing.
. "$(dirname "$0")/lib.sh"

url=http://deb.debian.org/debian/pool/main/z/zlib/zlib_1.2.13.dfsg.orig.tar.bz2
if ! { command -v curl >/dev/null && curl -fsSL --max-time 60 -o zlib.tar.bz2 "$url"; } 2>/dev/null &&
    ! { command -v wget >/dev/null && wget -q -T 60 -O zlib.tar.bz2 "$url"; } 2>/dev/null &&
    ! { apt-get download -q zlib1g-dev >/dev/null 2>&1 && apt-get source -q --download-only zlib \
        >/dev/null 2>&1 && mv zlib_*.orig.tar.* zlib.tar.bz2; } 2>/dev/null; then
    echo "skipped: zlib's source cannot be fetched (offline)"
    exit 77
fi
tar xf zlib.tar.bz2
cd zlib-*/
CFLAGS=-O1 CC=$cc ./configure >../out 2>../err || fail "configure"
grep -q 'Building shared library' ../out || fail "configure found no shared library support"
make -j2 >../out 2>../err || fail "make"
make test >../out 2>../err || fail "make test"
says ../out 'zlib test OK' 'zlib shared test OK'
