#!/bin/bash
# Edits that are proposed: of every file of fixit/, whose first line names a code, the edit is made; then
# the message is gone, and the compiler takes the text.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || exit 77

for file in "$here"/fixit/*.c; do
    name=$(basename "$file") code=$(sed -n '1s|/\* \(ORR[0-9]*\) \*/|\1|p' "$file")
    cp "$file" "$name"
    "$orrery" analyze --format=json "$name" >json 2>err || true
    "$orrery" analyze "$name" >text 2>&1 || true
    grep -q "\[$code\]" text || { cat text; fail "$name: $code is not reported"; }
    python3 "$here/fixit.py" "$name" json text "$code" >new.c || { cat text; fail "$name: no sound edit"; }
    "$orrery" analyze --format=sarif "$name" >log 2>err || true
    python3 "$here/sarif_check.py" log "$work" >checked 2>&1 || { cat checked; fail "$name: its log"; }
    grep -q '"artifactChanges"' log || fail "$name: the log has no fix"
    mkdir -p new
    mv new.c "new/$name"
    "$orrery" analyze "new/$name" >out 2>err || fail "$name: the edited text has errors"
    lacks "\[$code\]" out || fail "$name: $code is still there"
    expect 0 gcc -std=c11 -fsyntax-only -Wall -Wno-unknown-pragmas -Werror -I"$tree/include" "new/$name"
done
# A declaration without `static` stands in front.
sed '2i extern double alpha[64][8];' "$here/fixit/scratch_named.c" >declared.c
"$orrery" analyze declared.c >text
grep -q ORR2232 text || fail "declared.c: $(cat text)"
lacks 'fix-it' text || fail "static behind another declaration: $(cat text)"
# What was edited is parallel now, or says another reason.
[ "$(cat new/rand_twice.c | grep -c 'orrery_random([12] + 2 \* epoch, n)')" = 2 ] || fail "streams of their own"
expect 0 "$orrery" analyze -Werror=serial new/rand_twice.c new/ordered_keys.c \
    new/scalar_sometimes.c new/clause_misspelt.c
# A draw in a loop inside has the numbers of all loops around it; where one of them has none, a counter.
cat >inner.c <<'EOT'
#include <stdlib.h>
void noise(float *W, const int *u, long count, int epochs, const int *more) {
    for (int e = 0; e < epochs; ++e)
#pragma orrery parallel unordered
        for (long n = 0; n < count; ++n)
            for (int k = 0; k < 4; ++k)
                INSIDE W[u[n] * 4 + k] += rand();
}
EOT
sed 's/INSIDE//' inner.c >counted.c
expect 0 "$orrery" fix --write counted.c
says counted.c 'orrery_random\(orrery_random\(1 \+ e, n\), k\) >> 33'
sed 's/INSIDE/while (*more++)/' inner.c >uncounted.c
cp uncounted.c as_it_was.c
expect 0 "$orrery" fix --write uncounted.c
says err 'ORR2210' 'why: there is no place for a counter of the draws: put the loop.s body into braces'
cmp uncounted.c as_it_was.c || fail "an edit that draws one number for all"
cat >until.c <<'EOT'
#include <stdlib.h>
void noise(float *W, const int *u, const int *not, long count, int epochs) {
    for (int e = 0; e < epochs; ++e)
#pragma orrery parallel unordered
        for (long n = 0; n < count; ++n) {
            int drawn;
            do {
                drawn = rand() % 10;
            } while (drawn == not[n]);
            float draws2 = rand() + (float)rand();
            while (random() % 4)
                draws2 += 1;
            W[u[n]] += draws2 * (float)drawn;
        }
}
EOT
expect 0 "$orrery" fix --write until.c
says until.c '^            long draws1 = 0;$' '^            long draws4 = 0;$' 'orrery_random\(orrery_random\(1 \+ 4 \* e, n\), draws1\+\+\)' \
    'float draws2 = \(int\)\(orrery_random\(2 \+ 4 \* e, n\) >> 33\)' '\(long\)\(orrery_random\(orrery_random\(4 \+ 4 \* e, n\), draws4\+\+\)'
expect 0 "$orrery" analyze -Werror=serial until.c
expect 0 gcc -std=c11 -fsyntax-only -Wall -Wno-unknown-pragmas -Werror -I"$tree/include" until.c
# Draws of called functions count on in a variable of the file, from a number that is each iteration's own;
# so does a generator that the program has, of one word or several.
expect 0 "$orrery" analyze -Werror=serial new/stream_called.c new/stream_state.c new/stream_words.c
says new/stream_called.c '\(int\)\(orrery_random\(0, draws\+\+\) >> 33\)' '{ draws = orrery_random\(stream, n\); W\[n\]'
says new/stream_state.c 'stream = next_random;' '^            next_random = orrery_random\(stream, n\);'
says new/stream_words.c 'state\[1\] = orrery_random\(stream, 2ULL \* n \+ 1\)'
# What is made of other data, too, counts, or turns over, is none.
cat >sums.c <<'EOT'
void sums(const int *x, unsigned *y, long n) {
    unsigned check = 7, turn = 0, last = 1;
    unsigned mixed[2] = {1, 2};
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        EACH
        y[i] += check + turn + last + mixed[0];
    }
}
EOT
for each in 'check = check * 65599 + x[i];' 'turn ^= 1;' 'last = last * 3;' 'mixed[0] = mixed[1] * 65599; mixed[1] ^= x[i];' \
    'check = check * 65599; check++;' 'mixed[i % 2] = mixed[x[i] & 1] * 65599u;'; do
    sed "s/EACH/$each/" sums.c >sum.c
    cp sum.c as_it_was.c
    "$orrery" fix --write sum.c >out 2>err || true
    cmp sum.c as_it_was.c || fail "taken for a generator: $each"
done
# Draws that a macro brings need a hand; each loop says so.
cat >called.c <<'EOT'
#include <stdlib.h>
#define DRAW() rand()
static double noise(void) { return DRAW() / (double)RAND_MAX; }
void one(double *w, const int *u, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i)
        w[u[i]] += noise();
}
void two(double *w, const int *u, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i)
        w[u[i]] += noise();
}
EOT
expect 0 "$orrery" fix called.c
[ "$(grep -c 'why: a number that no other draw has must be handed to what draws' err)" = 2 ] || fail "why no draw was replaced"
# A declaration in front says what the function is: `static` behind it is wrong.
cat >declared.c <<'EOT'
void scale(float *a, long n);
inline void scale(float *a, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        a[i] *= 2;
}
EOT
expect 0 "$orrery" analyze declared.c
says out 'ORR2313'
lacks 'fix-it' out || fail "static behind a declaration without it"
true
