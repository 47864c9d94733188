#!/bin/bash
# Files read by several ranks: the bits of one, the first error of the file whoever finds it, and
# what happens where a rank has not got the file. With a sanitizer: three ranks are enough where nothing else varies.
. "$(dirname "$0")/lib.sh"
[ "${SANITIZE:-}" != thread ] || exit 77

python3 "$here/loads/make.py"
cc -O1 ${SANITIZE:+-fsanitize=$SANITIZE} -I"$tree/include" "$here/loads/loads.c" -o serial -L"$BIN/../lib" -lorrery-load
expect 0 "$cc" -O1 ${SANITIZE:+-fsanitize=$SANITIZE} "$here/loads/loads.c" -o loads

# ranks N COMMAND...: standard output as it is.
ranks() {
    n=$1
    shift
    expect 0 "$orrery" run -n "$n" --oversubscribe --threads 1 --timeout 280 "$@"
}

all="ratings r.csv ratings m.mtx tensor t.tns examples e.svm bags b.uci bags l.ldac table x.csv npy n.npy hdf5 saved.h5"
all+=" given r.csv given r.csv written r.csv grown r.csv child r.csv kept r.csv"
./serial saved n.npy >out
./serial $all >serial.out
expect 0 ./loads $all
cmp -s out serial.out || fail "one rank reads something else"
all_ranks="2 3 4" region_ranks="2 3"
[ -z "${SANITIZE:-}" ] || all_ranks=3 region_ranks=3
for n in $all_ranks; do
    ORRERY_DEBUG=load=ranks ORRERY_STATS=1 ranks $n ./loads $all
    cmp -s out serial.out || fail "$n ranks read something else"
    says err "load r.csv mb by rank( [0-9.]+){$n}\$" 'load n.npy mb by rank 0\.[1-9]' 'load saved.h5 mb by rank 0\.[1-9]'
done
ORRERY_DEBUG=load=ranks,torture=5 ORRERY_THREADS=2 ranks 3 ./loads $all
cmp -s out serial.out || fail "late messages make another result"
for by in auto alone; do
    ORRERY_DEBUG=load=$by ORRERY_STATS=1 ranks 2 ./loads $all
    cmp -s out serial.out || fail "ORRERY_DEBUG=load=$by reads something else"
    lacks 'orrery: load' err || fail "small files are divided"
done

# An error in every rank's part, two in one file, and a file that is right behind them.
wrongs=
for line in 300 2500 58000 "700 59000" "31000 59999"; do
    awk -v lines="$line" 'BEGIN { split(lines, at, " ") }
        NR == at[1] || NR == at[2] { sub(/,[^,]*$/, ",x" NR) } { print }' r.csv >"wrong${line// /_}.csv"
    wrongs+=" ratings wrong${line// /_}.csv"
done
awk 'NR == 25000 { $1 = 701 } { print }' m.mtx >wrong.mtx
awk 'NR == 17000 { $3 = "3:1" } { print }' e.svm >wrong.svm
head -c 700000 n.npy >wrong.npy
wrongs+=" ratings wrong.mtx examples wrong.svm npy wrong.npy ratings r.csv ratings missing.csv"
./serial $wrongs >wrong.out
[ "$(grep -c ': error: ' wrong.out)" = 7 ] || fail "the files are not wrong"
ORRERY_DEBUG=load=ranks ranks 3 ./loads $wrongs
cmp -s out wrong.out || fail "ranks complain of something else"

# Regions on what was loaded: in its place, cut into views, as a copy on every rank.
cat >regions.c <<'C'
#include <orrery.h>
#include <stdio.h>

static struct orrery_table inplace, whole;

static float get(long i, int c) {
    return whole.value[i * 5 + c];
}

int main(void) {
    struct orrery_table view;
    if (orrery_load_table("x.csv", &inplace) != 0 || orrery_load_table("x.csv", &whole) != 0 ||
        orrery_load_table("x.csv", &view) != 0)
        return 1;
    ORRERY_PARALLEL()
    for (long i = 0; i < inplace.rows; ++i)
        for (int c = 0; c < 5; ++c)
            inplace.value[i * 5 + c] = inplace.value[i * 5 + c] * 2 + get(inplace.rows - 1 - i, c);
    float *v = view.value, *from = inplace.value;
    long rows = view.rows;
    ORRERY_PARALLEL()
    for (long i = 0; i < rows; ++i)
        for (int c = 0; c < 5; ++c)
            v[i * 5 + c] += from[i * 5 + c];
    unsigned long sum = 0;
    for (long i = 0; i < rows * 5; ++i)
        sum = sum * 31 + (unsigned long)(v[i] * 1000);
    printf("%lu\n", sum);
    return 0;
}
C
expect 0 "$cc" -O1 ${SANITIZE:+-fsanitize=$SANITIZE} regions.c -o regions
expect 0 ./regions
cp out regions.out
for n in $region_ranks; do
    ORRERY_DEBUG=load=ranks ranks $n ./regions
    cmp -s out regions.out || fail "regions on $n ranks make something else of it"
done

# Every rank stands in a folder of its own, which `here` leads to.
ln -s /proc/self/cwd here
mkdir rank0 rank1 rank2
cp r.csv rank0
./serial ratings r.csv >one.out
apart() {
    APART=1 ORRERY_DEBUG=load=ranks ORRERY_STATS=1 ranks 3 ./loads ratings "$work/here/r.csv"
    cmp -s out one.out || fail "something else is read where $1"
}
alone() {
    apart "$1"
    says err "here/r.csv: rank [12] cannot help to read it: $2; rank 0 reads it alone"
    lacks 'orrery: load' err || fail "others read where $1"
}
alone "one is missing" 'No such file or directory'
cp r.csv rank1
cp r.csv rank2
apart "each has its own"
says err 'here/r.csv mb by rank 0.[0-9]+ 0.[0-9]+ 0.[0-9]+$'
sed '59000s/1/2/' r.csv >rank2/r.csv
alone "one has another of that size" 'it is another file there'
rm rank2/r.csv
alone "one is missing" 'No such file or directory'
mkfifo rank2/r.csv
alone "one has a pipe" 'it is another file there'
rm rank2/r.csv
head -n 100 r.csv >rank2/r.csv
alone "one has a shorter one" 'it is another file there'
ORRERY_DEBUG=load=ranks expect 0 sh -c "'$orrery' run -n 2 --oversubscribe --threads 1 --timeout 280 ./loads ratings /dev/stdin <r.csv"
cmp -s out one.out || fail "rank 0's standard input is read otherwise"

# HDF5 in folders of their own: all of each copy has to be the same, wherever in it the numbers are.
for rank in 0 1 2; do
    cp saved.h5 rank$rank
done
./serial hdf5 saved.h5 >one.out
copies() {
    APART=1 ORRERY_DEBUG=load=ranks ORRERY_STATS=1 ranks 3 ./loads hdf5 "$work/here/saved.h5"
    cmp -s out one.out || fail "something else is read where $1"
}
copies "each has its own"
says err 'here/saved.h5 mb by rank 0.[0-9]+ 0.[0-9]+ 0.[0-9]+$'
printf x | dd of=rank1/saved.h5 bs=1 seek=900000 conv=notrunc 2>/dev/null
copies "one is another one"
says err "here/saved.h5: rank 1 cannot help to read it: it is another file there; rank 0 reads it alone"
