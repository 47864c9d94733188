# Shared by the tests of checkpoints. usage of each: NAME.sh BIN [TOOLS]
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
tools=${2-}
export ORRERY_THREADS=2
unset ORRERY_CHECKPOINT ORRERY_EVERY
[ -e "$BIN/../lib/orrery/liborrery-hdf5.so" ] || {
    echo "no HDF5, no checkpoints" >&2
    exit 77
}

# features: builds it, reference.txt is what it prints undisturbed.
features() {
    "$cc" -O2 "$here/features.c" -o features
    ./features "$@" >reference.txt
    rm -f log.txt
}

# results FILE: the lines that depend on everything
results() {
    grep -E '^(result|end)' "$1" || true
}

same() {
    [ "$(results reference.txt)" = "$(results "$1")" ] || fail "$1 differs: $(results "$1")"
}
