#!/bin/bash
# ./configure CC=orrery-cc, out of tree; a header touched; two configurations.
. "$(dirname "$0")/lib.sh"
need autoreconf automake make

# automake itself takes no path with a space
plain=$(dirname "$work")/plain
mv "$work" "$plain" && mkdir "$work" && cd "$plain"
(cd autotools && ok autoreconf -i)
mkdir build
cd build
ok ../autotools/configure CC=orrery-cc
ok make -j4
is_parallel ./factors 5000
ok make
said 'Nothing to be done'
sleep .1
touch ../program/train.h
ok make
said 'main' 'train'
ok make check
said '# PASS: +1' '# FAIL: +0'
mkdir ../debug && cd ../debug
ok ../autotools/configure CC=orrery-cc CFLAGS='-O0 -g'
ok make -j4
said ' -O0 '
is_parallel ./factors 5000
