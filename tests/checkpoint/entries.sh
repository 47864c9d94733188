#!/bin/bash
# Loops over passes that are entered several times; states that cannot be saved.
. "$(dirname "$0")/lib.sh"

"$cc" -O2 -Rorrery "$tree/tests/programs/checkpoint/folds.c" -o folds 2>err
lacks ORR31 err || fail "the inner loop can be saved: no remark"
printf '.5 .25 .125\n' >rates.txt
./folds >reference.txt
for pass in 2 4 7 10 12; do
    rm -rf saved
    # Heads: four per entry (the first of an entry saves nothing).
    ORRERY_CHECKPOINT=saved "$tools/checkpoint-killer" "$pass" 1 ./folds >killed.txt || fail "not killed"
    expect 0 "$orrery" run --checkpoint saved ./folds
    same out
    if [ "$pass" -gt 2 ]; then says err 'going on from'; fi
done
# An entry that was not the first: what comes before is run again.
rm -rf saved
ORRERY_CHECKPOINT=saved "$tools/checkpoint-killer" 11 1 ./folds >killed.txt || fail "not killed"
expect 0 "$orrery" run -n 2 --oversubscribe --threads 1 --checkpoint saved ./folds
same out

# Memory of a library: said, and nothing is saved.
"$cc" -O2 "$tree/tests/programs/checkpoint/library.c" -o library -ldl
expect 0 "$orrery" run --checkpoint saved2 ./library
says out 'end 9990'
says err 'pass 2 was not saved: .*library.c:.* the loop writes w at .*memory that a library gave out'
[ -z "$(find saved2 -name '*.h5')" ] || fail "something was saved"

# A file that a pass leaves open.
cat >open.c <<'EOF'
#include <stdio.h>
static FILE *log_file;
static double w[1000];
int main(void) {
    for (int pass = 0; pass < 4; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < 1000; ++i)
            w[i] += i * pass;
        if (pass == 1)
            log_file = fopen("/dev/null", "r");
    }
    printf("end %g\n", w[999]);
    return 0;
}
EOF
"$cc" -O2 open.c -o open
expect 0 "$orrery" run --checkpoint saved3 ./open
says out 'end 5994'
says err 'pass 3 was not saved: .* has been set to 0x[0-9a-f]*, which leads to memory that is not the program'
[ "$(find saved3 -name '*.h5' | wc -l)" = 1 ] || fail "pass 2 is not saved"

# mmap before the loop.
cat >mapped.c <<'EOF'
#include <stdio.h>
#include <sys/mman.h>
int main(void) {
    double *w = mmap(0, 8000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int pass = 0; pass < 4; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < 1000; ++i)
            w[i] += i * pass;
    }
    printf("end %g\n", w[999]);
    return 0;
}
EOF
"$cc" -O2 mapped.c -o mapped
expect 0 "$orrery" run --checkpoint saved4 ./mapped
says out 'end 5994'
says err 'was not saved: (the program has memory at|.*memory that a library)'

# A program that changes its folder, and one whose child comes to the loop.
cat >folder.c <<'EOF'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static double w[1000];
int main(void) {
    if (chdir("/") || fork() == 0)
        return 0;
    wait(NULL);
    for (int pass = 0; pass < 4; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < 1000; ++i)
            w[i] += i * pass;
    }
    printf("end %g\n", w[999]);
    return 0;
}
EOF
"$cc" -O2 folder.c -o folder
expect 0 "$orrery" run --checkpoint saved5 ./folder
says out 'end 5994'
[ "$(find saved5 -name '*.h5' | wc -l)" = 2 ] || fail "nothing in the folder that was named"

# Small negative numbers are no addresses, not of the kernel's pages either.
cat >negative.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    long *a = malloc(8000);
    for (long pass = 0; pass < 4; ++pass) {
#pragma orrery parallel
        for (long i = 0; i < 1000; ++i)
            a[i] = -10485000 + i + pass;
    }
    printf("result %ld\n", a[7]);
}
END
"$cc" -O1 negative.c -o negative
rm -rf saved
expect 0 env ORRERY_CHECKPOINT=saved ./negative
[ ! -s err ] || fail "$(cat err)"
[ -e saved/checkpoint-00000003.h5 ] || fail "not every pass was saved: $(ls saved)"
