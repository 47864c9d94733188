#!/bin/bash
# By ./configure CC='orrery-cc -auto', beside a plain build of the same: its own tests pass, and need not
# much more processor time. usage: autotools.sh BUILD [libpng] [gsl]
. "$(dirname "$0")/lib.sh"
shift
[ $# -gt 0 ] || set -- libpng

# make_one NAME FOLDER CONFIGURE-ARGUMENT...: configured, built and checked; processor times in $built and $checked
make_one() {
    project=$1 folder=$2
    shift 2
    mkdir -p "$folder"
    cd "$folder"
    step configure "../$project/configure" --disable-shared "$@"
    step build make -j2
    built=$cpu
    step check make check
    checked=$cpu
    cd ..
}

# count WORD FOLDER: how many tests automake found to be that
count() {
    grep -h "^# $1: " "$2/check.log" | awk '{ n += $3 } END { print n + 0 }'
}

by_autotools() {
    make_one "$1" "$1-plain"
    plain_built=$built plain_checked=$checked
    make_one "$1" "$1-orrery" CC='orrery-cc -auto'
    objects=$(find "$1-orrery" -name '*.o' -exec grep -l orrery_run {} + | wc -l)
    [ "$objects" -gt 0 ] || { echo "FAILED: $1: no parallel loop"; exit 1; }
    echo "$1, autotools: $objects objects with parallel loops; $(count PASS "$1-orrery") tests passed, $(count FAIL "$1-orrery")" \
        "failed (plain: $(count PASS "$1-plain"), $(count FAIL "$1-plain"))"
    echo "$1, processor seconds: build $built (plain $plain_built), make check $checked (plain $plain_checked)"
    [ "$(count PASS "$1-orrery")" = "$(count PASS "$1-plain")" ] || { echo "FAILED: $1: not the same tests pass"; exit 1; }
    awk -v ours="$checked" -v plain="$plain_checked" 'BEGIN { exit ours > 1.25 * plain + 2 }' ||
        { echo "FAILED: $1: its tests need $checked s of processor time in place of $plain_checked"; exit 1; }
}

for project; do
    case $project in
    libpng) fetch libpng libp/libpng1.6/libpng1.6_1.6.39.orig.tar.gz ;;
    gsl) # Debian's archive is without the folder doc
        fetch gsl g/gsl/gsl_2.7.1+dfsg.orig.tar.gz
        sed -i '/^SUBDIRS = /s/ doc$//' gsl/Makefile.in
        ;;
    *) echo "autotools.sh: unknown project '$project'" >&2; exit 2 ;;
    esac
    by_autotools "$project"
done
# Every loop as a region, however short: those that move many rows, on two threads; all tests on one.
[ ! -d libpng-orrery ] || {
    cd libpng-orrery
    step all env ORRERY_AUTO_US=0 ORRERY_THREADS=1 make check
    echo "libpng, autotools, all loops as regions, one thread: $(grep -h '^# PASS' all.log | awk '{ n += $3 } END { print n + 0 }') passed"
    step some env ORRERY_AUTO_US=0 ORRERY_THREADS=2 make check TESTS='tests/pngtest-all tests/pngvalid-standard'
    echo "libpng, autotools, all loops as regions, two threads: $(grep -h '^# PASS' some.log | awk '{ n += $3 } END { print n + 0 }') of 2 passed"
}
