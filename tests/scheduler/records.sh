#!/bin/bash
# Nests of rows as records: the bits of the host compiler's loop for any number of threads and ranks
# (unordered: of one thread's), and neighbours that keep their rows. What is called in front of a nest does not keep
# a loop over passes from being saved.
# usage: records.sh BIN
. "$(dirname "$0")/../lib.sh"
bin=$1 programs=$tree/tests/programs/records
cd "$work"

for name in factorize push tokens; do
    "$bin/orrery-cc" -O2 -Wall -Wextra -Werror -Rorrery "$programs/$name.c" -o $name 2> remarks || fail "$(cat remarks)"
    [ "$(grep -c ORR1703 remarks)" = 1 ] || fail "$name: no records: $(cat remarks)"
    ! grep -q 'orrery_records.*is not known' remarks || fail "$name: $(cat remarks)"
    gcc -O2 "$programs/$name.c" -o serial
    if [ $name = tokens ]; then ORRERY_THREADS=1 ./$name > expected; else ./serial > expected; fi
    for threads in 1 2 3 8; do
        ORRERY_THREADS=$threads ./$name | cmp - expected || fail "$name on $threads threads"
    done
    for ranks in 2 4; do
        "$bin/orrery" run -n $ranks ./$name 2> said | cmp - expected || fail "$name on $ranks ranks: $(cat said)"
    done
done

# name, what is edited, flags
keeps() {
    sed "$2" "$programs/factorize.c" > "$1.c"
    cmp -s "$1.c" "$programs/factorize.c" && [ "$3" = -O2 ] && fail "$1: nothing is edited"
    "$bin/orrery-cc" $3 -Rorrery "$1.c" -o "$1" 2> remarks || fail "$1: $(cat remarks)"
    grep -q ORR1703 remarks && fail "$1 becomes records"
    gcc -O2 "$1.c" -o serial
    ./serial > expected
    ORRERY_THREADS=3 "./$1" | cmp - expected || fail "$1 has other bits"
}
keeps ends 's/float old = w/if (e > 1e30f) break; &/; s/e -= w.k. \* h.k.;/&\n            if (e > 4.5f) break;/' -O2
keeps start 's/float \*w = W + u \* K;/float *w = W + u * K, was = W[u * K];/; s/K, e = val\[p\]/& + was/' -O2
keeps moves 's/const int \*ptr/int *ptr/; s/K, e = val\[p\];/&\n            ptr[u + 1] -= p % 7 == 6;/; s/, \*col = m->col;/; const int *col = m->col;/' -O2
keeps behind '/float old/,/^    }$/ s/^        }$/&\n        w[0] += 1;/' -O2
keeps fallback 's/x/x/' '-O2 -allow-fallback'
keeps as_written 's/x/x/' '-O2 -no-transform'
keeps watched 's/x/x/' '-O2 -accesses'
# Rows that are parallel by themselves.
keeps product '/float .h = H/,/^            }$/ c\            w[0] += val[p] * H[col[p]];' -O2

# However the mark is written.
becomes() {
    sed "$2" "$programs/factorize.c" > "$1.c"
    ! cmp -s "$1.c" "$programs/factorize.c" || fail "$1: nothing is edited"
    "$bin/orrery-cc" -O2 -Rorrery "$1.c" -o "$1" 2> remarks || fail "$1: $(cat remarks)"
    grep -q ORR1703 remarks || fail "$1 does not become records"
    gcc -O2 "$1.c" -o serial
    ./serial > expected
    ORRERY_THREADS=3 "./$1" | cmp - expected || fail "$1 has other bits"
}
becomes lines 's/^#pragma.*/# pragma orrery \\\n    parallel assume(noalias(W, H))/'
becomes operator 's/^#pragma.*/_Pragma("orrery parallel")/'

# The end of the rows is memory that the loop may write: a guard of the run.
"$bin/orrery-cc" -O2 -Rorrery "$programs/end.c" -o end 2> remarks || fail "$(cat remarks)"
grep -q ORR1703 remarks || fail "end does not become records: $(cat remarks)"
gcc -O2 "$programs/end.c" -o serial
./serial > expected
ORRERY_THREADS=3 ./end | cmp - expected || fail "end has other bits"
ORRERY_THREADS=3 ./end overlapping > printed 2> said && fail "end runs on: $(cat printed)"
grep -q overlap said || fail "end: $(cat said)"
