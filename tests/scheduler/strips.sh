#!/bin/bash
# Nests whose parallel loop is brought outside for threads alone: which, the bits, and that one thread has the nest as it
# was written.
# usage: strips.sh BIN
. "$(dirname "$0")/transform/lib.sh"

dumped strips.c
commented strips '/tile_loop0 \+= 512/ { kind = "strips" }'
"$bin/orrery" emit -auto -Rorrery -O3 strips.c -o emitted.c 2> remarks
grep -q 'the nest runs in another order: strips of 512 iterations of `i` outermost \[ORR1701\]' remarks ||
    fail "nothing is said: $(grep ORR1701 remarks)"
[ "$(grep -c ORR1701 remarks)" = "$(grep -c '^/\* strips' strips.c)" ] || fail "not a remark for each: $(cat remarks)"

# Without threads the nest is the host compiler's: no call stands between its loops.
awk '/^static void convolve/, /^}/' strips.c | sed '1,2d' > written
awk '/convolve\(int n, int m\) \{/, /^}/' emitted.c | sed '1,2d' > left
sed 's/ if (tile_way) .*//' left | grep -v '^ *}* *$' | sed 's/  *for/ for/' > loops
grep -v '^}' written | sed 's/  *for/ for/' | diff - loops > differs || fail "the nest is not as it was written: $(cat differs)"

built strips.c
for less in 0 1 188 189 400 699; do
    ./serial $less > serial.out
    for threads in 1 2 3; do
        for least in 0 30; do
            same "less $less, $threads threads" env ORRERY_THREADS=$threads ORRERY_AUTO_US=$least ./auto $less
        done
    done
done

# The run has chosen for nests, not for loops inside of them.
ORRERY_STATS=1 ORRERY_THREADS=2 ./auto 2> stats > got.out
line=$(grep -n 'for (int i = 0; i < m; i++)' strips.c | sed -n 1p | cut -d: -f1)
grep -q "strips.c:$((line - 1)) automatic" stats || fail "nothing is chosen for the nest: $(grep automatic stats)"
! grep -q "strips.c:$line automatic" stats || fail "a loop inside is chosen by itself"

# Strips that were found without an object's dependences do not pass the proof.
cat > planted.c << 'END'
float a[4000], d[4000];
void step(void) {
    for (int j = 0; j < 3000; j++)
        for (int i = 0; i < 3000; i++) {
            a[i] = a[i + 1] * d[i];
            d[i] += a[i];
        }
}
END
"$bin/orrery" emit -auto -O3 -Rorrery --debug-forget-dependences a planted.c -o planted.new 2> remarks
grep -q '^planted.c:3:5: remark: the nest keeps its order: a dependence would not hold' remarks ||
    fail "the proof missed strips without dependences: $(cat remarks)"
