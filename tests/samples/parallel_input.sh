#!/bin/bash
# Bad and extreme input of the programs that orrery-cc built: as with the serial ones, and more
# workers than rows, empty blocks, no iterations.
. "$(dirname "$0")/common.sh"

compile "$orrery_cc" mf "$work/mf"
compile "$orrery_cc" kmeans "$work/kmeans"
MF=$work/mf "$source/tests/samples/input_mf.sh"
KMEANS=$work/kmeans "$source/tests/samples/input_kmeans.sh"

compile gcc mf "$work/serial"
printf '1 1 1\n2 1 2\n1 2 3\n2 2 4\n1 1 2\n' > "$work/tiny"
for grid in 1x1 2x2 8x8; do
    for threads in 1 2 16; do
        ORRERY_GRID=$grid ORRERY_THREADS=$threads timeout 300 "$work/mf" --rank 3 --epochs 2 \
            --held-out 0 --output "$work/model.$grid.$threads" "$work/tiny" > "$work/out" ||
            fail "two rows on a $grid grid with $threads threads"
        cmp "$work/model.$grid.1" "$work/model.$grid.$threads" || fail "$grid: $threads threads"
    done
done
timeout 300 "$orrery" run -n 4 --threads 1 -- "$work/mf" --rank 3 --epochs 2 --held-out 0 \
    --output "$work/model.ranks" "$work/tiny" > "$work/out" || fail "two rows on four ranks"

# One user, many items: every grid row but one is empty.
awk 'BEGIN { for (i = 1; i <= 300; ++i) print 1, (i * 7) % 300 + 1, i % 5 }' > "$work/one_user"
ORRERY_GRID=8x8 ORRERY_THREADS=3 timeout 300 "$work/mf" --epochs 2 "$work/one_user" > "$work/out" ||
    fail "one user"
"$work/mf" --epochs 0 "$work/tiny" > "$work/out" || fail "no epochs"

refuses_environment() {
    status=0
    env "$1" "$work/mf" --epochs 1 "$work/tiny" > "$work/out" 2> "$work/err" || status=$?
    if [ $status -eq 0 ] || [ $status -ge 124 ] || ! grep -q "$2" "$work/err"; then
        cat "$work/err"
        fail "$1: status $status"
    fi
}
refuses_environment ORRERY_THRAEDS=2 ORRERY_THREADS
refuses_environment ORRERY_THREADS=many ORRERY_THREADS
refuses_environment ORRERY_GRID=3 ORRERY_GRID
