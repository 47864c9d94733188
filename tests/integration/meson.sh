#!/bin/bash
# Meson with orrery-cc as its compiler, two configurations.
. "$(dirname "$0")/lib.sh"
need meson ninja

export CC=orrery-cc
ok meson setup build meson
ok meson compile -C build
is_parallel build/factors 5000
ok meson compile -C build
said 'no work to do'
sleep .1
touch program/train.h
ok ninja -C build -v
said 'main\.c\.o' 'train\.c\.o'
ok meson test -C build
said 'Ok: +2'
ok ninja -C build
sleep .1
touch program/train.c
ok ninja -C build -v
said 'train\.c\.o'
unsaid 'main\.c\.o .*-c'
ok meson setup --buildtype=debug 'build debug' meson
ok ninja -C 'build debug' -v
unsaid ' -O2 '
is_parallel 'build debug/factors' 5000
