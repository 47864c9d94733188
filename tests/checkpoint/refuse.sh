#!/bin/bash
# What does not fit is refused with the reason, and nothing begins anew by itself; a damaged
# checkpoint is refused and the one before it used.
. "$(dirname "$0")/lib.sh"

features 5000 6 name
expect 0 "$orrery" run --checkpoint saved ./features 5000 6 name
cp -r saved whole

expect 78 "$orrery" run --checkpoint saved ./features 5000 7 name
says err 'is of another run: there `arguments [0-9a-f]* 5000 6 name`, here `arguments [0-9a-f]* 5000 7 name`'
expect 78 env ORRERY_GRID=3x3 "$orrery" run --checkpoint saved ./features 5000 6 name
says err 'there `grid 0x0 .*here `grid 3x3'
expect 78 env ORRERY_REPLAY=reverse "$orrery" run --checkpoint saved ./features 5000 6 name
says err 'there `order 0 .*here `order 2'
"$cc" -O1 "$tree/tests/programs/checkpoint/features.c" -o other
expect 78 "$orrery" run --checkpoint saved ./other 5000 6 name
says err 'there `program'
diff -r -x .lock saved whole || fail "a refused run changed the folder"

# Damaged: the one before; both: refused.
newest=$(find saved -name '*.h5' | sort | tail -n 1)
size=$(stat -c %s "$newest")
for at in 3 700 $((size / 2)) $((size - 1)); do
    rm -rf saved && cp -r whole saved
    printf '\377' | dd of="$newest" bs=1 seek="$at" conv=notrunc status=none
    cmp -s "$newest" "whole/${newest##*/}" && continue
    expect 0 "$orrery" run --checkpoint saved ./features 5000 6 name
    says err "checkpoint .*$newest refused: its " 'going on from .*pass 5'
    same out
    [ -e "$newest" ] || [ "$(find saved -name '*.h5' | sort | tail -n 1)" \> "$newest" ] || fail "the damaged one has gone"
done
for at in 0 100 4096 $((size - 1)); do
    rm -rf saved && cp -r whole saved
    truncate -s "$at" "$newest"
    expect 0 "$orrery" run --checkpoint saved ./features 5000 6 name
    says err "checkpoint .*$newest refused: its (beginning|end) is missing" 'pass 5'
    same out
done
rm -rf saved && cp -r whole saved
for file in saved/*.h5; do truncate -s 1000 "$file"; done
expect 78 "$orrery" run --checkpoint saved ./features 5000 6 name
says err 'none of the 2 checkpoints in .*saved is whole'

# Other data, of the same size: noticed at the loop.
cat >data.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    static double w[100];
    double *data = malloc(100 * sizeof *data);
    FILE *in = fopen("data.txt", "r");
    for (int i = 0; i < 100; ++i)
        if (!in || fscanf(in, "%lf", &data[i]) != 1)
            return 1;
    fclose(in);
    for (int pass = 0; pass < 5; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < 100; ++i)
            w[i] += data[i] * pass;
    }
    printf("end %g\n", w[99]);
    return 0;
}
EOF
"$cc" -O2 data.c -o data
seq 1 100 >data.txt
expect 0 "$orrery" run --checkpoint saved2 ./data
expect 0 "$orrery" run --checkpoint saved2 ./data
says out 'end 1000'
sed -i 's/^50$/51/' data.txt
expect 78 "$orrery" run --checkpoint saved2 ./data
says err 'does not fit: the memory at .* holds something else than when the loop was entered'

# Usage.
expect 2 "$orrery" run --every 1pass ./data
says err '--every needs --checkpoint'
expect 2 "$orrery" run --checkpoint saved3 --every often ./data
says err 'ORRERY_EVERY=often cannot be understood'
expect 2 "$orrery" run --checkpoint data.c/folder ./data
says err 'cannot make the folder data.c/folder: Not a directory'
cat >once.c <<'EOF'
#include <stdio.h>
int main(void) {
    static double w[100];
#pragma orrery parallel
    for (int i = 0; i < 100; ++i)
        w[i] += i;
    printf("%g\n", w[99]);
    return 0;
}
EOF
"$cc" -O2 once.c -o once
expect 2 "$orrery" run --checkpoint saved3 ./once
says err 'no loop over passes'
cat >random.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    static double w[100];
    for (int pass = 0; pass < 5; ++pass) {
        double by = rand();
#pragma orrery parallel
        for (int i = 0; i < 100; ++i)
            w[i] += by;
    }
    printf("%g\n", w[99]);
    return 0;
}
EOF
"$cc" -O2 -Rorrery random.c -o random 2>err
says err 'random.c:6:21: remark: the loop over passes in line 5 cannot be saved: rand changes a state .*ORR3141' 'orrery_random'
expect 2 "$orrery" run --checkpoint saved3 ./random
says err 'random.c:5: this loop over passes cannot be saved: rand changes' 'ORR3141'
sed 's/double by = rand();/double by = ({ double drawn = rand(); drawn; });/' random.c >inside.c
"$cc" -O2 -Rorrery inside.c -o inside 2>err
says err 'inside.c:6:[0-9]*: remark: the loop over passes in line 5 cannot be saved: rand changes a state .*ORR3141'
