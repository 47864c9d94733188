#!/bin/bash
# Bad input of kmeans: a message with its place, never a signal. KMEANS: the program.
. "$(dirname "$0")/common.sh"
kmeans=${KMEANS:-$build/samples/kmeans}

bad() {
    printf "$1" > "$work/bad.csv"
    refuses 1 "$work/bad.csv:$2: error: $3" "$kmeans" "$work/bad.csv"
}

refuses 1 "$work/none: cannot open" "$kmeans" "$work/none"
bad '1,2\n3,x\n' 2:3 'expected a number in column 2'
bad '1,2\n3,\n' 2:3 'the line ends before column 2 of 2'
bad '1,2\n3\n' 2:2 'expected `,`'
bad '1,2\n3,nan\n' 2:3 'column 2 is not a finite number'
: > "$work/empty"
refuses 1 "$work/empty: error: no rows" "$kmeans" "$work/empty"
printf '1,2\n3,4\n' > "$work/two.csv"
refuses 1 "16 clusters, but only 2 rows" "$kmeans" "$work/two.csv"
refuses 1 "leaves no column" "$kmeans" --label "$source/tests/samples/one_column.csv"
refuses 2 "unknown option \`--cluster\`" "$kmeans" --cluster 2 "$work/two.csv"
refuses 2 "expected a whole number" "$kmeans" --clusters 0 "$work/two.csv"
"$kmeans" --clusters 2 "$work/two.csv" > "$work/out" || fail "as many clusters as rows"
"$kmeans" --raw --clusters 1 --output "$work/model" "$work/two.csv" > "$work/out" || fail "one cluster"
[ "$(tail -c 8 "$work/model.centroid.npy" | od -An -tf4 | xargs)" = "2 3" ] || fail "the mean of two rows"
[ "$(tail -c 8 "$work/model.cluster.npy" | od -An -td4 | xargs)" = "0 0" ] || fail "one cluster has both rows"
