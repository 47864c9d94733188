#!/bin/bash
# keys.sh BINDIR: loops through several keys, as their authors write them: how each runs, that threads, ranks and files
# that stand alone have the same bits, and that these are those of the serial loop in the run's order.
. "$(dirname "$0")/../lib.sh"
bin=$1
here=$tree/tests/programs/keys
cd "$work" || exit 1

# A file that stands alone has the same bits.
alone() {
    local name=$1
    "$bin/orrery" emit --pthreads "$here/$name.c" -o "$name.alone.c" || fail "$name alone"
    gcc -O0 -w -ffp-contract=off -pthread -I"$here" "$name.alone.c" -o "$name.alone" -lm || fail "$name alone"
    ORRERY_THREADS=2 "./$name.alone" > out || fail "$name alone"
    diff expected out || fail "$name alone has other bits"
}

# NAME STRATEGY [RANKS]; 1: what lies in front of a pointer is known to the run library's threads only.
each() {
    local name=$1 strategy=$2 ranks=${3:-2}
    "$bin/orrery" analyze "$here/$name.c" > said 2>&1
    grep -q "parallel by $strategy" said || { cat said; fail "$name is not by $strategy"; }
    "$bin/orrery-cc" -O1 -w -Werror=serial "$here/$name.c" -o "$name" -lm || fail "$name"
    ORRERY_THREADS=1 "./$name" > expected || fail "$name on one thread"
    for threads in 2 8; do
        ORRERY_THREADS=$threads "./$name" > out || fail "$name on $threads threads"
        diff expected out || fail "$name: $threads threads have other bits"
    done
    timeout 300 "$bin/orrery" run -n "$ranks" "./$name" > out 2> err || { cat err; fail "$name on ranks"; }
    diff expected out || fail "$name: ranks have other bits"
    [ "$ranks" = 1 ] || alone "$name"
    timeout 300 "$bin/orrery" verify --threads 1,4 --ranks "$ranks" --runs 1 "./$name" > out 2>&1 ||
        { cat out; fail "$name: verify"; }
}

each umap batches
each words batches
each triples batches
each line batches
each warp batches
each bpr tournament
each odd batches 1
each hot batches 1
! timeout 300 "$bin/orrery" run -n 2 ./odd > out 2>&1 || fail "odd runs on ranks"
grep -q 'in front of where its pointer leads; middle\[-[0-9]*\] does' out || { cat out; fail "odd: ranks do not say why"; }

# What a loop inside reads keys by is in the record, also what it draws.
for name in umap line odd hot; do
    "$bin/orrery" emit "$here/$name.c" 2> /dev/null | grep -q 'orrery_r->n[0-9]*\[[st] - (0)\]' || fail "$name: keys of a loop inside are not packed"
done

# Copies of hot rows: fewer batches than the exact order has, nearly its result, and that of the serial
# order where the grid has one row. Refused where a key is used for more, and where there is nothing to copy.
cp "$here/hot.c" "$here/digest.h" .
ORRERY_STATS=1 ORRERY_THREADS=2 ./hot > out 2> err
grep -q ' hot-rows [1-9]' err || { cat err; fail "no hot rows in the summary"; }
sed 's/ relax(hot : y)//' hot.c > exact.c
"$bin/orrery-cc" -O1 -w exact.c -o exact -lm || fail "exact"
ORRERY_STATS=1 ORRERY_THREADS=2 ./exact > exact.out 2> exact.err
grep -q 'relax(hot : y)' exact.err || { cat exact.err; fail "the summary does not name the way out"; }
share() { sed -n 's/.*critical-share 0*[.]\(.*\)/\1/p' "$1" | head -n 1 | sed 's/^0*//'; }
[ $((5 * $(share err))) -lt "$(share exact.err)" ] || { cat err exact.err; fail "hot rows still stand in the way"; }
sed 's/float \*u = y\[edges\[e\].head\]/int h = edges[e].head; float *u = y[h]/; s/float d2 = 0;/float d2 = h == 3;/' hot.c > used.c
sed 's/^static float clip/static float seen[9999];\n&/; s/float d2 = 0;/seen[edges[e].head] *= .5f; float d2 = 0;/' hot.c > both.c
sed 's/unordered relax(hot : y)/unordered relax(hot : edges)/' hot.c > none.c
"$bin/orrery-cc" -O1 -w -Werror=serial used.c -o used -lm || fail "a key whose number is used, too"
ORRERY_THREADS=2 ./used > out || fail "used"
ORRERY_THREADS=1 ORRERY_REPLAY=reverse ./used > expected || fail "used, the serial text"
diff expected out || fail "a key whose number is used has the number of a copy"
! "$bin/orrery-cc" -O1 -w -Werror=serial both.c -o both -lm 2> err || fail "a key that is used for more"
grep -q ORR2265 err || { cat err; fail "no ORR2265"; }
! "$bin/orrery-cc" -O1 -w -Werror=serial none.c -o none -lm 2> err || fail "nothing is hot"
grep -q ORR2266 err || { cat err; fail "no ORR2266"; }
! timeout 300 "$bin/orrery" run -n 2 ./hot > out 2>&1 || fail "hot rows run on ranks"
grep -q 'hot rows have copies on one rank only' out || { cat out; fail "hot: ranks do not say why"; }

# In a plan: levels in place of batches keep the serial order, and with it the bits; an ordered loop gets no batches.
cp "$here/odd.c" "$here/digest.h" .
cp odd.c plain.c
gcc -O1 -w -ffp-contract=off plain.c -o plain.serial && ./plain.serial > expected
"$bin/orrery" plan plain.c -o plan.json > /dev/null && sed 's/"batches"/"levels"/' plan.json > levels.json
"$bin/orrery-cc" -O1 -w -plan levels.json plain.c -o plain || fail "levels in place of batches"
ORRERY_STATS=1 ORRERY_THREADS=2 ./plain > out 2> err
diff expected out || fail "levels of an unordered loop have other bits than the serial loop"
grep -q ' levels grid' err || { cat err; fail "no levels"; }
sed 's/parallel unordered/parallel/' "$here/odd.c" > plain.c
sed 's/"unordered"/"ordered"/' plan.json > batches.json
! "$bin/orrery-cc" -O1 -w -plan batches.json plain.c -o plain 2> err || fail "batches of an ordered loop"
grep -q 'ORR9210' err || { cat err; fail "no reason"; }

# A pointer that is one of two into one table: by a condition of the data, of a loop inside, in two ways of writing it.
"$bin/orrery-cc" -O1 -w -Werror=serial "$here/chosen.c" -o chosen || fail "chosen"
for threads in 1 3; do
    ORRERY_THREADS=$threads ./chosen > "chosen.$threads" || fail "chosen on $threads threads"
done
diff chosen.1 chosen.3 || fail "chosen has other bits"
timeout 300 "$bin/orrery" verify --threads 1,2 --runs 1 ./chosen > out 2>&1 || { cat out; fail "chosen: verify"; }

# The hottest row of the last pass is named, with its share, as the program itself counts it.
ORRERY_STATS=1 ORRERY_THREADS=2 ./odd > out 2> err
grep -q ' batches grid ' err || { cat err; fail "no batches in the summary"; }
counted=$(grep hottest-row out | tail -n 1)
grep -qF "$counted" err || { cat out err; fail "the hottest row is not named"; }
