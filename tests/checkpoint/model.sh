#!/bin/bash
# orrery_save: HDF5 and .npy, of serial programs and parallel ones, and its errors.
. "$(dirname "$0")/lib.sh"

cat >save.c <<'EOF'
#include <orrery.h>
#include <stdio.h>
static float w[6];
int main(int argc, char **argv) {
    static int counts[3] = {7, 8, 9};
    for (int pass = 0; pass < 3; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < 6; ++i)
            w[i] += (float)i / 2;
        struct orrery_model_array model[] = {
            {"factors/w", {w, ORRERY_NPY_FLOAT, 2, {2, 3}, 6}},
            {"counts", {counts, ORRERY_NPY_INT32, 1, {3}, 3}},
        };
        if (orrery_save(argv[1], argc > 2 ? 1 : 2, model) != 0) {
            fprintf(stderr, "%s\n", orrery_load_error());
            return 1;
        }
    }
    return 0;
}
EOF
cc -O2 -Wno-unknown-pragmas -I"$tree/include" save.c -o serial "$BIN/../lib/liborrery-load.a" -lpthread -lm
export ORRERY_LIBDIR=$BIN/../lib/orrery
expect 0 ./serial serial.h5
"$cc" -O2 -Rorrery save.c -o parallel 2>err
lacks ORR31 err || fail "orrery_save does no harm to a checkpoint"
expect 0 "$orrery" run --threads 2 --checkpoint saved ./parallel parallel.h5
for built in serial parallel; do
    expect 0 "$tools/checkpoint-model-read" $built.h5 factors/w
    says out '^2x3 0 1\.5 3 4\.5 6 7\.5$'
    expect 0 "$tools/checkpoint-model-read" $built.h5 counts
    says out '^3 7 8 9$'
done
expect 0 ./serial model.npy one
[ "$(head -c 6 model.npy | tail -c 5)" = NUMPY ] || fail "no .npy file"
expect 1 ./serial model.npy
says err 'model.npy: a .npy file holds one array, not 2'
expect 1 ./serial model.txt
says err 'expected a name that ends in .npy, .h5 or .hdf5'
expect 1 ./serial nowhere/model.h5
says err 'nowhere/model.h5: cannot write'
[ -z "$(find . -name '*.tmp*')" ] || fail "files are left behind"
