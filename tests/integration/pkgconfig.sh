#!/bin/bash
# orrery.pc: objects of orrery-cc, linked by cc.
. "$(dirname "$0")/lib.sh"
need pkg-config

# pkg-config does not quote a path with a space behind -rpath
house_link=$(dirname "$work")/house
ln -s "$house" "$house_link"
export PKG_CONFIG_PATH="$house_link/lib/pkgconfig"
ok pkgconfig/build.sh ./factors
is_parallel ./factors 5000
ok orrery run -n 2 ./factors 5000
said 'epoch 4'
echo '#include <orrery.h>
ORRERY_SERIAL
int main(void) { return (int)orrery_random(1, 2) & 0; }' >include.c
eval "ok gcc -Wall -Werror $(pkg-config --cflags orrery) include.c -o include"
ok ./include

# A shared library by another driver's link, and a process that has nothing else of Orrery.
ok orrery-cc -O2 -fPIC -c cmake/scale/scale.c -o scale.o
eval "ok gcc -shared scale.o $(pkg-config --libs orrery-shared) -o libscale.so"
ok gcc cmake/scale/scaled.c -L. -lscale -Wl,-rpath,"$PWD" -o scaled
is_parallel ./scaled
