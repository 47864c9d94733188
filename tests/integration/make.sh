#!/bin/bash
# orrery.mk: in tree and out of tree, in parallel, again, a header touched, two configurations.
. "$(dirname "$0")/lib.sh"
need make

mkdir 'out-of-tree'
for folder in make out-of-tree; do
    file=Makefile
    [ "$folder" = make ] || file=../make/Makefile
    make="make -C $folder -f $file -j4"
    # shellcheck disable=SC2086
    {
        ok $make -I "$house/include"
        is_parallel "$folder/factors" 5000
        ok $make -I "$house/include"
        said 'Nothing to be done'
        sleep .1
        touch program/train.h
        ok $make -I "$house/include"
        said '-o .?train\.orrery\.o' '-o main\.o' '-o train\.o'
        sleep .1
        touch program/main.c
        ok $make -I "$house/include"
        said '-o main\.o'
        unsaid 'train\.orrery\.o.? *$' '-c .*train'
    }
    ORRERY_THREADS=1 "$folder/factors" >parallel
    "$folder/plain" >plain
    cut -d' ' -f1-3 parallel >epochs
    [ -s epochs ] || fail "nothing is printed"
    cut -d' ' -f1-3 plain | diff - epochs || fail "another number of epochs"
done
for configuration in -O0 -O3; do
    mkdir "configured $configuration"
    make="make -C configured\ $configuration -f ../make/Makefile -j4 CFLAGS=$configuration"
    eval "ok $make -I \"$house/include\""
    said "orrery-cc.* $configuration .*train"
    is_parallel "configured $configuration/factors" 5000
    eval "ok $make -I \"$house/include\""
    said 'Nothing to be done'
done
ok make -C make -I "$house/include" clean
ok make -C make -I "$house/include" ORRERYFLAGS=-Rorrery CC='gcc -std=gnu17'
said 'train\.c:[0-9:]+ remark: parallel'
