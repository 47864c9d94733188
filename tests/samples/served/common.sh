# Sourced by the tests of this folder that count bytes. Sets: build, and what runs of several ranks need.
. "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"

build=${TREE_BUILD:?}
export ORRERY_THREADS=1
[ -n "${MPIRUN:-}" ] || { echo "no mpirun here"; exit 77; }
