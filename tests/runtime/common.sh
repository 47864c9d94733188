# Sourced by the tests: `ranks N program...` runs it on N ranks, `same A B what` compares two texts, the first not empty.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
tools=$1
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0:handle_segv=0

have_ranks() {
    [ -n "${MPIRUN:-}" ] && [ "${SANITIZER:-}" != thread ]
}

ranks() {
    local n=$1
    shift
    timeout -k 2 300 "$MPIRUN" --bind-to none --oversubscribe --mca mpi_yield_when_idle 1 -n "$n" "$@"
}

same() {
    [ -n "$1" ] || fail "nothing is expected: $3"
    if [ "$1" != "$2" ]; then
        printf 'FAILED: %s\n--- expected\n%s\n--- got\n%s\n' "$3" "$1" "$2" >&2
        exit 1
    fi
}

keyed_variants() {
    cat <<'LIST'
seed=1
holes=1 seed=2
strategy=1 seed=3
strategy=1 shape=table low=4 seed=4
shape=table low=5 seed=5
shape=table holes=1 rows=5 columns=5 seed=6
shape=columns low=-3 holes=1 seed=7
count=0
count=1
count=2 rows=4 columns=4
users=1 items=1 count=50
users=1 items=40
rows=3 columns=9 seed=8
rows=9 columns=3 holes=1 seed=9
rows=2 columns=2 seed=10
rows=1 columns=1
rows=70 columns=50 count=100
change=1 seed=11
low=-40 k=1 seed=12
uncut=1 seed=13
uncut=1 shape=columns k=2 holes=1
k=700 users=9 items=11 count=300
LIST
}
