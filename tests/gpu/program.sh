#!/bin/bash
# program.sh BINDIR PROGRAM.c [arguments]: all loops of the program on the host shim. Sums in the serial
# order: the bits of the serial loop replayed in the plan's order; the same for any number of blocks and
# another order of the lanes; and so are those of the sums by tree. Where the first line has /* plain */
# the output is that of the program as plain C; with /* plain, by tree too */ also where lanes sum by tree.
. "$(dirname "$0")/../lib.sh"
bin=$1 program=$2
shift 2
dir=$work

"$bin/orrery-cc" -O1 -w -target gpu-shim "$program" -o "$dir/shim" -lm 2>"$dir/said" ||
    { cat "$dir/said"; fail "it is not built for the shim"; }
"$bin/orrery" emit -target gpu --kernels "$dir/kernels.cu" -o "$dir/emitted.c" "$program"
nm "$dir/shim" | grep -q 'orrery_kernel_.*_entry' || fail "it has no kernel"
"$bin/orrery" verify -target gpu --threads 1,7 --runs 1 "$dir/shim" "$@" >"$dir/verified" 2>&1 ||
    { cat "$dir/verified"; fail "not verified"; }
grep -q '^  serial sums, blocks' "$dir/verified" || fail "serial sums were not tried"
grep -q '^  tree sums, blocks' "$dir/verified" || fail "sums by tree were not tried"
# Loops inside that are dealt to lanes and carry floating-point sums: each was held against its bound.
if grep -Eq 'ORRERY_HOLD' "$dir"/*.cu 2>/dev/null; then
    grep -Eq 'sums across lanes: [1-9][0-9]*, by tree and in order, at most 0\.[0-9]+ of' "$dir/verified" ||
        fail "sums by tree were not held against a bound"
fi
if head -n 1 "$program" | grep -Eq 'plain|emit: '; then
    gcc -std=gnu11 -O1 -ffp-contract=off -w "$program" -o "$dir/plain" -lm
    "$dir/plain" "$@" >"$dir/expected"
    ORRERY_DEBUG=gpu_sums=serial "$dir/shim" "$@" >"$dir/actual" || fail "status $?"
    diff "$dir/expected" "$dir/actual" || fail "other results than the plain program's"
    if head -n 1 "$program" | grep -q 'by tree too'; then
        "$dir/shim" "$@" >"$dir/actual" || fail "by tree: status $?"
        diff "$dir/expected" "$dir/actual" || fail "by tree: other results than the plain program's"
    fi
fi
