# Sourced by the tests of this folder. Sets: source (the tree), build, data (the unpacked ratings), small (their first
# 20,000), orrery and orrery_cc.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

source=${TREE_SOURCE:-$tree}
build=${TREE_BUILD:-$source/build}
orrery=$build/bin/orrery
orrery_cc=$build/bin/orrery-cc
data=$build/samples/data/names.mtx
small=$work/small.mtx

make_small() {
    { sed -n '1,3p' "$data"; sed -n 4p "$data" | sed 's/[0-9]*$/20000/'; sed -n '5,20004p' "$data"; } \
        > "$small"
}

# The arrays that a sample saved as $1.NAME.npy, as one file $1.
one_file() {
    cat "$1".*.npy > "$1" || fail "no arrays of $1"
    rm "$1".*.npy
}

# The source and the flags of a sample or shape by name.
source_of() {
    case $1 in
    mf | mf_rows | mf_structs) echo "$source/samples/mf/$1.c" ;;
    *)
        if [ -e "$source/samples/$1/$1.c" ]; then
            echo "$source/samples/$1/$1.c"
        else
            echo "$source/tests/programs/mf_shapes/$1.c"
        fi
        ;;
    esac
}

# small_arguments NAME: what a sample or shape runs on in a few hundredths of a second, in `arguments`; needs make_small.
small_arguments() {
    case $1 in
    kmeans) arguments=(--label --clusters 6 --iterations 3 "$build/samples/data/covtype20k.csv") ;;
    gauss_seidel) arguments=(--nine --grid 120 --sweeps 12 --every 5) ;;
    stream) arguments=(--records 3000) ;;
    lcs) arguments=(--local --letters 700) ;;
    sptrsv) arguments=(--grid 70 --steps 6) ;;
    cp)
        head -20000 "$build/samples/data/names.tns" > "$work/small.tns"
        arguments=(--rank 6 --epochs 2 "$work/small.tns")
        ;;
    lda | lda_delayed) head -150 "$build/samples/data/specs.ldac" > "$work/small.ldac" && arguments=(--epochs 2 "$work/small.ldac") ;;
    pagerank) arguments=(--scale 10 --passes 4) ;;
    groups) head -20000 "$build/samples/data/names.tns" > "$work/small.tns" && arguments=(--rounds 2 "$work/small.tns") ;;
    fm) head -2000 "$build/samples/data/a9a" > "$work/small" && arguments=(--epochs 2 "$work/small") ;;
    slr) arguments=(--epochs 2 --adagrad --examples 3000 --features 30000 --length 10) ;;
    glove)
        head -60 "$build/samples/data/words.txt" > "$work/small.txt"
        arguments=(--rank 6 --epochs 2 "$work/small.txt")
        ;;
    embed) arguments=(--rank 6 --epochs 2 --nodes 2000 --edges 10000 --communities 10) ;;
    umap) arguments=(--rows 300 --neighbours 8 --epochs 6 --repeat 3 "$build/samples/data/covtype20k.csv") ;;
    mlp) head -1500 "$build/samples/data/covtype20k.csv" > "$work/small" && arguments=(--epochs 1 --greedy "$work/small") ;;
    gbt) head -1500 "$build/samples/data/covtype20k.csv" > "$work/small" && arguments=(--trees 3 "$work/small") ;;
    mf_adarev) arguments=(--rank 4 --epochs 1 --delayed --batches 3 "$small") ;;
    mf*) arguments=(--rank 6 --epochs 2 "$small") ;;
    *) arguments=(--rank 6 --epochs 2 "$small") ;;
    esac
}

# compile COMPILER NAME OUTPUT [FLAG ...]: the first test that wants a program builds it, the others copy it, until something
# of the tree is newer.
compile() {
    local compiler=$1 name=$2 output=$3 kept=$build/tests/samples/built
    shift 3
    mkdir -p "$kept"
    kept=$kept/$(basename "$compiler")-$name-$(echo "$*" | cksum | cut -d' ' -f1)
    exec 9> "$kept.lock"
    flock 9
    if ! [ -e "$kept" ] || [ -n "$(find "$build/bin" "$build/lib" "$source/samples" "$source/include" \
        "$source/tests/programs/mf_shapes" "$here/../samples/common.sh" -newer "$kept" -print -quit)" ]; then
        build_program "$compiler" "$name" "$kept.new" "$@" && mv "$kept.new" "$kept" || fail "$compiler does not build $name"
    fi
    exec 9>&-
    cp "$kept" "$output"
}

# What no sample may have; gcc finds some of it by passes of its -O2.
warnings="-Wall -Wextra -Werror -pedantic"

# build_program COMPILER NAME OUTPUT [FLAG ...]: with all its loops parallel, or without a warning; our libraries' sanitizers
# have to be the program's.
build_program() {
    local compiler=$1 name=$2 output=$3 flags
    shift 3
    flags=$(sed -n 's/^ORRERY_SANITIZE:STRING=\(.\)/-fsanitize=\1/p' "$build/CMakeCache.txt")
    case $compiler in
    "$orrery_cc") flags=-Werror=serial ;;
    gcc) flags="$flags $warnings -fstrict-aliasing -ftree-vrp" ;;
    *) flags="$flags $warnings" ;;
    esac
    # shellcheck disable=SC2086
    "$compiler" $flags -O1 -ffp-contract=off "$@" -I "$source/include" -I "$source/samples/mf" "$(source_of "$name")" \
        -o "$output" -L "$build/lib" -lorrery-load -lm
}

[ -r "$data" ] || fail "no $data: build the target sample-data first"
