# Shared by the integration tests: the moved package in front of the PATH, a copy of the example
# projects in a folder whose name has a space, and checks.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
house=$1
trap 'rm -rf "$(dirname "$work")"' EXIT
work=$work/'a place'
mkdir "$work"
cp -r "$tree/samples/integration/." "$work"
cd "$work"
export PATH="$house/bin:$PATH" CMAKE_BUILD_PARALLEL_LEVEL=2
unset CMAKE_C_COMPILER_LAUNCHER ORRERY_CC ORRERY_LIBDIR ORRERY_INCLUDEDIR ORRERY_MPIRUN CC CFLAGS MAKEFLAGS 2>/dev/null || true

# ok COMMAND...: it succeeds; what it says is in the log
ok() {
    "$@" >log 2>&1 </dev/null || fail "status $?: $*"
}

# not_ok COMMAND...: it fails
not_ok() {
    if "$@" >log 2>&1 </dev/null; then fail "no failure: $*"; fi
}

# said PATTERN...: the log matches all of them
said() {
    for pattern in "$@"; do
        grep -Eq -- "$pattern" log || fail "the log does not say: $pattern"
    done
}

unsaid() {
    for pattern in "$@"; do
        lacks -E -- "$pattern" log || fail "the log says: $pattern"
    done
}

# is_parallel PROGRAM ARGUMENTS...: a region runs when it does
is_parallel() {
    ORRERY_STATS=1 ORRERY_THREADS=2 "$@" >/dev/null 2>log || fail "status $?: $*"
    said '^orrery: .* passes [1-9]'
}
