#!/bin/bash
# Regions on what several ranks have loaded: each looks at its own, and the bits are those of one
# rank; where that is not possible, or not any more, rank 0 looks at all of it.
. "$(dirname "$0")/lib.sh"
[ "${SANITIZE:-}" != thread ] || exit 77

python3 "$here/loads/make.py" large
expect 0 "$cc" -O1 ${SANITIZE:+-fsanitize=$SANITIZE} "$here/loads/train.c" -o train

# Of the loops, two read what depends on what they read.
"$orrery" emit "$here/loads/train.c" >emitted.c
[ "$(grep -c '\.direct = 1' emitted.c)" = 5 ] || fail "not five loops are direct"
[ "$(grep -c '\.by_key = 1' emitted.c)" = 7 ] || fail "not seven loops go by keys"

# ranks N COMMAND...: ends well.
ranks() {
    n=$1
    shift
    expect 0 env ORRERY_DEBUG="load=ranks,deal=never${ORRERY_DEBUG:+,$ORRERY_DEBUG}" ORRERY_STATS=1 "$orrery" run -n "$n" --oversubscribe --threads 1 --timeout 280 "$@"
}

# where N: so many inspections by all ranks
where() {
    got=$(awk '/inspected-where-loaded/ { n += $NF } END { print n + 0 }' err)
    [ "$got" = "$1" ] || fail "$got inspections where the data are, not $1"
}

# Trained once, twice, behind another loop, in part; on what was changed, or read, before or between.
ways="r.csv o r.csv t r.csv tt r.csv uts r.csv p r.csv c r.csv b"
late="m.mtx t r.csv wt r.csv twt r.csv et r.csv lt r.csv trt"
./train $ways >ways.out
./train $late >late.out
ranks 2 ./train $ways
cmp -s out ways.out || fail "two ranks train otherwise"
where 6
ranks 3 ./train $late
cmp -s out late.out || fail "ranks train otherwise on what was touched"
ORRERY_DEBUG=rotate=touched,shared=0 ranks 3 ./train $ways
cmp -s out ways.out || fail "rows alone, and pages apart, make something else"
where 6

# The arrays are 128 MB. Rank 0 has a quarter of them, a quarter of the records, and MPI.
expect 0 ./train
cp out train.out
if [ -z "${SANITIZE:-}" ]; then
    ORRERY_MEMORY=110 ranks 4 ./train
    where 1
    cmp -s out train.out || fail "arrays on four ranks make something else"
    alone=("$orrery" run -n 4 --oversubscribe --threads 1 --timeout 280 ./train)
    expect 0 env ORRERY_DEBUG=load=alone ORRERY_MEMORY=110 "${alone[@]}"
    cmp -s out train.out || fail "arrays that rank 0 has loaded alone make something else"
    expect 1 env ORRERY_DEBUG=load=alone ORRERY_MEMORY=70 "${alone[@]}"
    says err 'the arrays of this loop need 128.*ORR9232'
fi

# A check that fails after the others have looked at their part: they hear of it, and the loop runs serially.
expect 0 "$cc" -O1 -allow-fallback ${SANITIZE:+-fsanitize=$SANITIZE} "$here/loads/unused.c" -o unused
ORRERY_DEBUG=load=alone ./unused >unused.out 2>/dev/null
for n in 2 3; do
    ranks $n ./unused
    cmp -s out unused.out || fail "$n ranks: keys that are not used make something else"
done
