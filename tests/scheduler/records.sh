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
    lacks 'orrery_records.*is not known' remarks || fail "$name: $(cat remarks)"
    gcc -O1 "$programs/$name.c" -o serial
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
    cmp -s "$1.c" "$programs/factorize.c" && [ "$3" = -O1 ] && fail "$1: nothing is edited"
    "$bin/orrery-cc" $3 -Rorrery "$1.c" -o "$1" 2> remarks || fail "$1: $(cat remarks)"
    lacks ORR1703 remarks || fail "$1 becomes records"
    gcc -O1 "$1.c" -o serial
    ./serial > expected
    ORRERY_THREADS=3 "./$1" | cmp - expected || fail "$1 has other bits"
}
keeps ends 's/float old = w/if (e > 1e30f) break; &/; s/e -= w.k. \* h.k.;/&\n            if (e > 4.5f) break;/' -O1
keeps start 's/float \*w = W + u \* K;/float *w = W + u * K, was = W[u * K];/; s/K, e = val\[p\]/& + was/' -O1
keeps moves 's/const int \*ptr/int *ptr/; s/K, e = val\[p\];/&\n            ptr[u + 1] -= p % 7 == 6;/; s/, \*col = m->col;/; const int *col = m->col;/' -O1
keeps behind '/float old/,/^    }$/ s/^        }$/&\n        w[0] += H[u % 8];/' -O1
keeps fallback 's/x/x/' '-O1 -allow-fallback'
keeps as_written 's/x/x/' '-O1 -no-transform'
keeps watched 's/x/x/' '-O1 -accesses'
# Rows that are parallel by themselves.
keeps product '/float .h = H/,/^            }$/ c\            w[0] += val[p] * H[col[p]];' -O1

keeps_bits() {
    gcc -O2 "$programs/$1.c" -o serial
    ./serial > expected
    for threads in 1 3; do
        ORRERY_THREADS=$threads "./$1" | cmp - expected || fail "$1 on $threads threads"
    done
    "$bin/orrery" run -n 2 "./$1" 2> said | cmp - expected || fail "$1 on 2 ranks: $(cat said)"
}

# Heads of many forms; where a skip, or what a head reads, is not known in front of the nest, it keeps its rows.
"$bin/orrery-cc" -O2 -Wall -Wextra -Werror -Rorrery "$programs/heads.c" -o heads 2> remarks || fail "$(cat remarks)"
[ "$(grep -c ORR1703 remarks)" = 3 ] || fail "heads: other loops are records: $(cat remarks)"
keeps_bits heads

# Loops over rows of many forms; messages say the user's names; a row without an end ends the run.
"$bin/orrery-cc" -O2 -Wall -Wextra -Werror -Rorrery "$programs/forms.c" -o forms 2> remarks || fail "$(cat remarks)"
[ "$(grep -c ORR1703 remarks)" = "$(grep -c '^#pragma orrery' "$programs/forms.c")" ] || fail "forms: a loop is no records: $(cat remarks)"
grep -q 'where u and col\[p\] come' remarks || fail "forms: no user's names: $(cat remarks)"
grep -q 'where u and e->key come' remarks || fail "forms: no user's pointers: $(cat remarks)"
grep -v '_past\(_[0-9]*\)*\[' remarks > named # of pointers that go along with each other
lacks 'record_*[0-9]*\]' named || fail "forms: names that nobody wrote: $(cat named)"
keeps_bits forms
"$bin/orrery" verify --quiet --threads 1,2 --ranks 2 --runs 1 ./forms > said 2>&1 || fail "forms: $(cat said)"
for way in 1 2 3; do
    ./forms $way > printed 2> said && fail "forms $way runs on: $(cat printed)"
    grep -q 'a row of a nest has no end' said || fail "forms $way: $(cat said)"
done

# Another parallel loop runs it.
"$bin/orrery-cc" -O2 -Rorrery "$programs/nested.c" -o nested 2> remarks || fail "$(cat remarks)"
lacks ORR1703 remarks || fail "nested becomes records"
[ "$(grep -c 'remark: parallel' remarks)" = 2 ] || fail "the loop around is not parallel: $(cat remarks)"
gcc -O2 "$programs/nested.c" -o serial
./serial > expected
ORRERY_THREADS=3 ./nested | cmp - expected || fail "nested has other bits"
"$bin/orrery" run -n 2 ./nested 2> said | cmp - expected || fail "nested on 2 ranks: $(cat said)"

# However the mark is written.
becomes() {
    sed "$2" "$programs/factorize.c" > "$1.c"
    ! cmp -s "$1.c" "$programs/factorize.c" || fail "$1: nothing is edited"
    "$bin/orrery-cc" -O1 -Rorrery "$1.c" -o "$1" 2> remarks || fail "$1: $(cat remarks)"
    grep -q ORR1703 remarks || fail "$1 does not become records"
    gcc -O1 "$1.c" -o serial
    ./serial > expected
    ORRERY_THREADS=3 "./$1" | cmp - expected || fail "$1 has other bits"
}
becomes lines 's/^#pragma.*/# pragma orrery \\\n    parallel assume(noalias(W, H))/'
becomes operator 's/^#pragma.*/_Pragma("orrery parallel")/'

# The end of the rows is memory that the loop may write: a guard of the run.
"$bin/orrery-cc" -O1 -Rorrery "$programs/end.c" -o end 2> remarks || fail "$(cat remarks)"
grep -q ORR1703 remarks || fail "end does not become records: $(cat remarks)"
gcc -O1 "$programs/end.c" -o serial
./serial > expected
ORRERY_THREADS=3 ./end | cmp - expected || fail "end has other bits"
ORRERY_THREADS=3 ./end overlapping > printed 2> said && fail "end runs on: $(cat printed)"
grep -q overlap said || fail "end: $(cat said)"

# What stands around the inner loop runs in loops of its own, where the analysis proves that it may.
"$bin/orrery-cc" -O2 -Wall -Wextra -Werror -Rorrery "$programs/around.c" -o around 2> remarks || fail "$(cat remarks)"
[ "$(grep -c ORR1703 remarks)" = 2 ] || fail "around does not become records: $(cat remarks)"
[ "$(grep -A 1 ORR1703 remarks | grep -c 'for (int u = 0; u < ROWS; ++u)')" = 2 ] || fail "remarks show other lines: $(cat remarks)"
gcc -O1 "$programs/around.c" -o serial
./serial > expected
for threads in 1 2 3; do
    ORRERY_THREADS=$threads ./around | cmp - expected || fail "around on $threads threads"
done
"$bin/orrery" run -n 2 ./around 2> said | cmp - expected || fail "around on 2 ranks: $(cat said)"

# Else the nest stays, and a note says why: what is edited, the words.
stays() {
    sed "$1" "$programs/around.c" > stays.c
    ! cmp -s "$programs/around.c" stays.c || fail "nothing is edited: $1"
    "$bin/orrery" analyze stays.c > said
    grep -q "note: the rows could run as one loop over records, but for this: $2" said || fail "no note \`$2\`: $(cat said)"
    "$bin/orrery-cc" -O1 -w stays.c -o stays
    gcc -O1 -w stays.c -o serial
    ./serial > expected
    ORRERY_THREADS=3 ./stays | cmp - expected || fail "$1: other bits"
}
stays 's/norm\[u\] = err/norm[u] = Y[u % COLUMNS] + err/' 'it stands behind the inner loop; as far as is known other rows share Y with it'
stays 's/err\[u\] = 0;/err[ROWS - 1 - u] += 1;/' 'it stands in front of the inner loop; as far as is known other rows share err with it'
stays 's/err\[u\] = 0;/if (u % 7 == 3) { norm[u]++; continue; } &/' 'it ends the row, or the loop, early; let a condition'
stays 's/X\[u\] = x;/& if (x > 4000000000u) break;/' 'it ends the row, or the loop, early; find in front'
stays 's/restrict //g; s/^static unsigned update/unsigned update/' 'it stands .* the inner loop; .* may overlap: restrict'
"$bin/orrery" analyze --format=json stays.c | grep -q '"notes":\[{"line":[0-9]*,"column":[0-9]*,"message":"the rows could run' || fail "no note in JSON"

# Numbers that are set while a row runs have an element for each.
numbers() {
    sed "$1" "$programs/numbers.c" > numbers.c
    "$bin/orrery" analyze numbers.c > said
    "$bin/orrery-cc" -O2 -Wall -Wextra -Werror numbers.c -o numbers || fail "numbers: $1"
    gcc -O2 numbers.c -o serial
    ./serial > expected
    for threads in 1 3; do
        ORRERY_THREADS=$threads ./numbers | cmp - expected || fail "numbers ($1) on $threads threads"
    done
}
numbers ''
grep -q 'ORR140' said || fail "numbers: $(cat said)"
lacks 'note: the rows could' said || fail "numbers: $(cat said)"
"$bin/orrery" run -n 2 ./numbers 2> said | cmp - expected || fail "numbers on 2 ranks: $(cat said)"
# What is edited so that one of the numbers cannot be an element.
for edit in 's/sum += x,/*(\&sum) += x,/' '1i #define ADD(a) sum += (a)
s/sum += x,/ADD(x),/' 's/unsigned sum = 0,/static unsigned sum; sum = 0; unsigned/' 's/none = 0;/{ int u = 0; none = u; }/' \
    's/int u = 0; u < rows/int u = rows == 290; u < rows/' 's/sum += x,/{ unsigned sum = x; norm[u] = sum; } sum += x,/' \
    's/unsigned sum = 0,/volatile unsigned sum = 0; unsigned/'; do
    numbers "$edit"
    lacks 'sum_of' said || fail "numbers ($edit): $(cat said)"
done

# Rows that end with a mark are counted; the mark is memory that the loop may write: a guard of the run.
"$bin/orrery-cc" -O2 -Wall -Wextra -Werror -Rorrery "$programs/marks.c" -o marks 2> remarks || fail "$(cat remarks)"
grep -q ORR1707 remarks || fail "the rows of marks are not counted: $(cat remarks)"
gcc -O1 "$programs/marks.c" -o serial
./serial > expected
for threads in 1 2 3; do
    ORRERY_THREADS=$threads ./marks | cmp - expected || fail "marks on $threads threads"
done
"$bin/orrery" run -n 2 ./marks 2> said | cmp - expected || fail "marks on 2 ranks: $(cat said)"
ORRERY_THREADS=3 ./marks overlapping > printed 2> said && fail "marks runs on: $(cat printed)"
grep -q overlap said || fail "marks: $(cat said)"
