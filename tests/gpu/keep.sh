#!/bin/bash
# keep.sh BINDIR: rows that stay in registers between loops inside: the kernels' comments say which, and why
# others do not; the same bits as without, for rows of every width that there is a kernel for, and beyond.
. "$(dirname "$0")/../lib.sh"
bin=$1
dir=$work

"$bin/orrery" emit -target gpu --kernels "$dir/kept.cu" -o "$dir/kept.c" "$here/../programs/gpu/kept.c"
says() {
    grep -Eq "^/\* .*the loop of $1, by .*; $2 \*/\$" "$dir/kept.cu" || { grep 'the loop of' "$dir/kept.cu"; fail "$1: $2"; }
}
between='the loops do not follow each other, or what is between them may change it'
says branches 'rows kept in registers between loops inside: w, h, of up to 1024 numbers each, loaded ahead'
says looks 'rows kept in registers between loops inside: w, of up to 1024 numbers each'
for name in changes overlaps moves; do
    says $name "not in registers from line [0-9]+ on: w: $between"
done
says lengths 'not in registers from line [0-9]+ on: w: how many numbers it has is not known when the kernel is launched'
says constants 'rows kept in registers between loops inside: w, of up to 512 numbers each, loaded ahead'
[ "$(grep -c '^ORRERY_ENTRY' "$dir/kept.cu")" = 16 ] || fail "$(grep -c '^ORRERY_ENTRY' "$dir/kept.cu") entries"

"$bin/orrery-cc" -O1 -w -target gpu-shim "$here/../programs/gpu/kept.c" -o "$dir/kept" -lm 2>/dev/null
"$bin/orrery-cc" -O1 -w -target gpu-shim "$here/../programs/gpu/ahead.c" -o "$dir/ahead" -lm 2>/dev/null
for keep in 0 1; do
    ORRERY_DEBUG=gpu_keep=$keep ORRERY_VERIFY=$dir/bits.$keep "$dir/ahead" >"$dir/out.$keep" 2>/dev/null || fail "ahead: status $?"
done
cmp "$dir/out.0" "$dir/out.1" && cmp "$dir/bits.0" "$dir/bits.1" || fail "rows loaded ahead: other bits"
for width in 1 5 32 64 127 128 130 300 512 1030; do
    for keep in 0 1; do
        ORRERY_DEBUG=gpu_keep=$keep ORRERY_VERIFY=$dir/bits.$keep "$dir/kept" $width 60 >"$dir/out.$keep" 2>/dev/null ||
            fail "width $width: status $?"
    done
    cmp "$dir/out.0" "$dir/out.1" && cmp "$dir/bits.0" "$dir/bits.1" || fail "width $width: other bits"
done
