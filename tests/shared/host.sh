#!/bin/bash
# host.sh BINDIR HOUSE: parallel loops in two shared libraries of a process whose main is its own: threads, fork, errors,
# signals, and the bits of the same program linked by orrery-cc.
. "$(dirname "$0")/../lib.sh"
bin=$1 house=$2 cc=$1/orrery-cc
cd "$work"
# A child that starts threads is what ThreadSanitizer wants to be asked for.
[ "${SANITIZE-}" != thread ] || export TSAN_OPTIONS="${TSAN_OPTIONS-}:die_after_fork=0"
flags=(-O2 ${SANITIZE:+-fsanitize=$SANITIZE})
for name in factors scale; do
    expect 0 "$cc" "${flags[@]}" -shared -fPIC "$here/$name.c" -o "lib$name.so"
    readelf -d "lib$name.so" | grep -q 'NEEDED.*liborrery\.so\.[0-9]' || fail "$name: no liborrery.so"
    ! readelf -d "lib$name.so" | grep -Eq 'libgomp|libmpi' || fail "$name: other libraries"
done
gcc "${flags[@]}" -I "$house/include" "$here/host.c" -o host -L. -lfactors -lscale "$house/liborrery.so" \
    -Wl,-rpath,"$work:$house" -lpthread
for threads in 1 2 3 8; do
    ORRERY_THREADS=$threads expect 0 ./host
    sed 's/^the child .*//' out >"host.$threads"
    cmp host.1 "host.$threads" || fail "$threads threads: other bits"
done
says out '^threads at load: 1$' '^the child had threads of its own: yes$' '^interrupted: 2$' \
    '^out of range: 1 .*factors\.c:[0-9]+: iteration 77: r\[i\]\.item = 305 is out of range: H .* has rows 0 to 299$' \
    '^negative: 1 .*r\[i\]\.item = -1 is out of range' '^mended: 0 ' '^unknown: 1 .*share memory, as far as their sizes' \
    '^known: 0 ' '^overlap: 1 .*share memory'
ORRERY_STATS=1 expect 0 ./host
says err 'factors\.c:[0-9]+ rotation-2d' 'scale\.c:[0-9]+ independent'
[ "$(grep -c '^orrery: ranks' err)" = 1 ] || fail "not one runtime"

# The same as a program, and a program of ours with a library, which has one runtime: its own.
expect 0 "$cc" "${flags[@]}" "$here"/{host,factors,scale}.c -o program -lpthread
expect 0 "$cc" "${flags[@]}" "$here"/{host,scale}.c -o mixed -L. -lfactors -Wl,-rpath,"$work" -lpthread
for program in ./host ./program ./mixed; do
    ORRERY_THREADS=2 expect 0 $program one
    sed '/^the child\|^unknown\|^overlap/d' out >"$program.one"
    cmp host.one "$program.one" || fail "$program: other bits"
done

# What the library allocates itself is known when it says so.
echo '#include <stdio.h>
long own(void);
int main(void) { printf("%ld\n%ld\n", own(), own()); return 0; }' >owner.c
for option in '' -own-memory; do
    # shellcheck disable=SC2086
    expect 0 "$cc" "${flags[@]}" $option -shared -fPIC "$here/own.c" -o "libown$option.so"
    gcc "${flags[@]}" owner.c -L. "-lown$option" -Wl,-rpath,"$work" -o "owner$option"
done
refuses 1 'link the library with -own-memory' ./owner
gcc -O2 owner.c "$here/own.c" -w -o owner-serial
ORRERY_THREADS=2 expect 0 ./owner-own-memory
./owner-serial | cmp - out || fail "-own-memory: other results"

# What cannot be had is said, with the way out.
ORRERY_CHECKPOINT=x refuses 1 'unset it' ./host
ORRERY_TRANSPORT=mpi refuses 1 'to run them on several ranks' ./host
OMPI_COMM_WORLD_SIZE=4 refuses 1 'set ORRERY_TRANSPORT=self' ./host
ORRERY_THREADS=none refuses 1 'ORRERY_THREADS' ./host
refuses 1 'not on a GPU' "$cc" -shared -fPIC -target gpu-shim "$here/scale.c" -o no.so
