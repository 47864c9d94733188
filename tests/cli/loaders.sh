#!/bin/bash
# A program that reads its data through orrery.h: built by cc and -lorrery-load, and by orrery-cc
# with and without that; on threads and ranks it says what the serial one says.
. "$(dirname "$0")/lib.sh"

cat >program.c <<'C'
#include <orrery.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    struct orrery_ratings data;
    enum { K = 4 };
    if (argc < 2 || orrery_load_ratings(argv[1], &data) != 0) {
        fprintf(stderr, "%s\n", argc < 2 ? "which file?" : orrery_load_error());
        return 3;
    }
    double *w = calloc((size_t)data.rows * K, sizeof *w);
    struct orrery_rating *r = data.entry;
    ORRERY_PARALLEL()
    for (long n = 0; n < data.count; ++n)
        for (int k = 0; k < K; ++k)
            w[r[n].row * (long)K + k] = w[r[n].row * (long)K + k] * .5 + r[n].value * r[n].column;
    double sum = 0;
    for (long i = 0; i < (long)data.rows * K; ++i)
        sum += w[i] * (double)(i % 7);
    printf("%ld %d %d %.17g\n", data.count, data.rows, data.columns, sum);
    struct orrery_npy saved = {w, ORRERY_NPY_DOUBLE, 2, {data.rows, K}, 0};
    if (argc > 2 && orrery_save_npy(argv[2], &saved) != 0) {
        fprintf(stderr, "%s\n", orrery_load_error());
        return 4;
    }
    free(w);
    free(r);
    return 0;
}
C
awk 'BEGIN { print "user,item,value"; for (n = 0; n < 60000; n++) print n % 307 + 1 "," (n * 7) % 211 + 1 "," n % 10 / 2 }' >ratings.csv
printf '1,2,3\n4,5,six\n' >wrong.csv

cc -O1 ${SANITIZE:+-fsanitize=$SANITIZE} -ffp-contract=off -I"$tree/include" program.c -o serial -L"$BIN/../lib" -lorrery-load
./serial ratings.csv serial.npy >serial.out
"$cc" -O1 program.c -o parallel
"$cc" -O1 program.c -o named -lorrery-load
sed '/ORRERY_PARALLEL/d' program.c >plain.c
"$cc" -O1 ${SANITIZE:+-fsanitize=$SANITIZE} plain.c -o plain -l orrery-load
# A program whose only marked loop is refused, from its source and from its object.
sed 's/r\[n\].column;/r[n].column + (getchar() == 7);/' program.c >refused.c
cmp -s program.c refused.c && fail "the loop is the same"
expect 0 "$cc" -O1 -Rorrery refused.c -o refused
says err 'refused.c:1[67]:.*ORR2'
expect 0 "$cc" -O1 -c refused.c -o refused.o
expect 0 "$cc" refused.o -o refused_object
expect 0 ./refused ratings.csv
cp out refused.out
expect 0 ./refused_object ratings.csv
cmp -s out refused.out || fail "the object does something else"

for program in "./parallel" "env ORRERY_THREADS=3 ./named" ./plain \
    "$orrery run -n 2 --oversubscribe --threads 1 --timeout 280 ./parallel"; do
    expect 0 $program ratings.csv made.npy
    cmp -s out serial.out || fail "$program prints something else"
    cmp made.npy serial.npy || fail "$program saves something else"
    expect 3 $program wrong.csv
    says err 'wrong.csv:2:5: error: expected the value, a number'
    expect 4 $program ratings.csv /nowhere/made.npy
    says err '/nowhere/made.npy.*No such file'
done
expect 0 sh -c './parallel /dev/stdin <ratings.csv'
cmp -s out serial.out || fail "a pipe is read otherwise"
expect 0 sh -c 'cat ratings.csv | ./parallel /dev/stdin'
cmp -s out serial.out || fail "a pipe is read otherwise"

# Nothing is waited for without an end, and no first row is taken for names.
mkfifo pipe
for path in pipe /dev/zero; do
    expect 3 timeout 60 ./parallel $path
done
says err '/dev/zero: is a device; give a file or a pipe'
cat ratings.csv >pipe &
expect 0 ./parallel pipe
printf '\357\273\2771,2,3\n4,5,6\n' >mark.csv
expect 0 ./parallel mark.csv
says out '^2 '
printf '"1","2","3"\n4,5,6\n' >quoted.csv
expect 3 ./parallel quoted.csv
says err 'quoted.csv:1:1: error: a number in quotes; write it without'
