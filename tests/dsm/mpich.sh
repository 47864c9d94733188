#!/bin/bash
# mpich.sh BIN: the same programs under MPICH's launcher, which programs notice: rotation, reduction, wavefront and relaxed
# arrays on two and three ranks print what one rank prints; ends are told apart as under Open MPI. Skipped without MPICH.
. "$(dirname "$0")/../cli/lib.sh"
launcher=$(command -v mpiexec.mpich || command -v mpiexec.hydra) || { echo "no MPICH" >&2; exit 77; }
[ -e "$BIN/../lib/liborrery-mpich.so" ] || { echo "the build has no module for MPICH" >&2; exit 77; }
export ORRERY_MPIRUN=$launcher ORRERY_THREADS=1 ORRERY_SEED=3
data=$tree/samples/data
zcat "$data/names.mtx.gz" | awk '/^%/ {print; next} !n++ {print $1, $2, 3000; next} n < 3002' >names.mtx
zcat "$data/a9a.gz" | head -n 400 >a9a
zcat "$data/covtype20k.csv.gz" | head -n 500 >cov.csv

# sample NAME ARGUMENT...: the model of one rank, of two and of three.
sample() {
    local name=$1
    shift
    "$cc" -O1 "$tree/samples/$name/$name.c" -o "$name" -lm
    "./$name" "$@" --output one >/dev/null
    for ranks in 2 3; do
        rm -f many*
        expect 0 "$orrery" run -n $ranks --oversubscribe -- "./$name" "$@" --output many
        for file in one*; do cmp "$file" "many${file#one}" || fail "$name on $ranks ranks: other bits"; done
    done
    rm -f one*
}
sample mf --rank 8 --epochs 2 names.mtx
sample kmeans --clusters 5 --iterations 3 cov.csv
ORRERY_DEBUG=serve=always sample slr --epochs 2 a9a
"$cc" -O1 "$tree/samples/lcs/lcs.c" -o lcs -lm
./lcs --letters 300 >one.txt
expect 0 "$orrery" run -n 3 --oversubscribe ./lcs --letters 300
[ "$(grep -v ' s' one.txt)" = "$(grep -v ' s' out)" ] || fail "lcs on 3 ranks: $(cat out)"

cat >ends.c <<'END'
#include <signal.h>
#include <stdlib.h>
static double w[1000];
int main(int argc, char **argv) {
#pragma orrery parallel
    for (int i = 0; i < 1000; ++i)
        w[i] += i;
    if (argc > 1)
        raise(SIGKILL);
    exit(3);
}
END
"$cc" -O1 ends.c -o ends
expect 3 "$orrery" run -n 2 --oversubscribe ./ends
expect 137 "$orrery" run -n 2 --oversubscribe ./ends killed
says err 'rank 0 on .*: killed by signal 9'
expect 0 "$orrery" doctor
says out '2 ranks by HYDRA'
