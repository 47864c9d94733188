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
