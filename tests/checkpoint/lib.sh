# Shared by the tests of checkpoints. usage of each: NAME.sh BIN [TOOLS]
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
tools=${2-}
export ORRERY_THREADS=2
unset ORRERY_CHECKPOINT ORRERY_EVERY
# Every pass is saved, by the process that the test looks at. meanwhile: as usual, by a child.
export ORRERY_DEBUG=writer=0
meanwhile() {
    unset ORRERY_DEBUG
}
[ -e "$BIN/../lib/orrery/liborrery-hdf5.so" ] || {
    echo "no HDF5, no checkpoints" >&2
    exit 77
}

# features: builds it, reference.txt is what it prints undisturbed.
features() {
    "$cc" -O2 "$tree/tests/programs/checkpoint/features.c" -o features
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

# The job that began at $begun has ended. One that takes very long is looked at before CTest ends it.
is_over() {
    kill -0 "$job" 2>/dev/null || return 0
    [ $((SECONDS - begun)) -lt 400 ] || show_job >&2
    return 1
}

show_job() {
    local process
    begun=$((SECONDS + 100000))
    echo "still running after 400 s:"
    tail -n 20 out err
    ps -eo pid,ppid,stat,wchan:24,etimes,args --forest
    for process in $(pgrep -f '^[^ ]*(orrery run|mpiexec|\./[a-z_]+ )'); do
        if command -v gdb; then gdb -p "$process" -batch -ex 'thread apply all bt 12' 2>&1; fi
    done
}
