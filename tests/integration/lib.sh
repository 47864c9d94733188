# Shared by the integration tests: the moved package in front of the PATH, a copy of the example
# projects in a folder whose name has a space, and checks.
set -eu
house=$1
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
work=$(mktemp -d)/'a place'
mkdir "$work"
trap 'rm -rf "$(dirname "$work")"' EXIT
cp -r "$tree/samples/integration/." "$work"
cd "$work"
export PATH="$house/bin:$PATH" CMAKE_BUILD_PARALLEL_LEVEL=2
unset CMAKE_C_COMPILER_LAUNCHER ORRERY_CC ORRERY_LIBDIR ORRERY_INCLUDEDIR ORRERY_MPIRUN CC CFLAGS MAKEFLAGS 2>/dev/null || true

fail() {
    echo "FAILED: $*" >&2
    [ ! -s log ] || tail -n 30 log | sed 's/^/  | /' >&2
    exit 1
}

# ok COMMAND...: it succeeds; what it says is in ./log
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
        if grep -Eq -- "$pattern" log; then fail "the log says: $pattern"; fi
    done
}

# is_parallel PROGRAM ARGUMENTS...: a region runs when it does
is_parallel() {
    ORRERY_STATS=1 ORRERY_THREADS=2 "$@" >/dev/null 2>log || fail "status $?: $*"
    said '^orrery: .* passes [1-9]'
}

need() {
    for tool in "$@"; do
        command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
    done
}
