#!/bin/bash
# Bad input of kmeans: a message with its place, never a signal. KMEANS: the program.
. "$(dirname "$0")/common.sh"
kmeans=${KMEANS:-$build/samples/kmeans}

bad() {
    printf "$1" > "$work/bad.csv"
    refuses 1 "$work/bad.csv:$2: error: $3" "$kmeans" "$work/bad.csv"
}

refuses 1 "$work/none: error: cannot open" "$kmeans" "$work/none"
bad '' 0:1 'the file holds no rows'
bad '1,2\n3,x\n' 2:3 'expected a number'
bad '1,2\n3,\n' 2:3 'expected a number after the comma'
bad '1,2\n3\n' 2:2 'another number of columns'
bad '1,2\n3,nan\n' 2:3 'the number is not finite'
printf '1,2\n3,4\n' > "$work/two.csv"
refuses 1 "16 clusters, but only 2 rows" "$kmeans" "$work/two.csv"
refuses 1 "leaves no column" "$kmeans" --label "$source/tests/samples/one_column.csv"
refuses 2 "unexpected \`--cluster\`" "$kmeans" --cluster 2 "$work/two.csv"
refuses 2 "expected a whole number" "$kmeans" --clusters 0 "$work/two.csv"
"$kmeans" --clusters 2 "$work/two.csv" > "$work/out" || fail "as many clusters as rows"
"$kmeans" --raw --clusters 1 --output "$work/model" "$work/two.csv" > "$work/out" || fail "one cluster"
printf '1 2 2\n2 3\n0\n0\n' | cmp - "$work/model" || fail "the mean of two rows"
