# Sourced by the tests of this folder that count bytes. Sets: here, build, work (removed at the end), and what runs of several
# ranks need.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build=${TREE_BUILD:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ORRERY_THREADS=1
[ -n "${MPIRUN:-}" ] || { echo "no mpirun here"; exit 77; }
