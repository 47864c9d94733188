#!/bin/bash
# ranks.sh N PROGRAM ARGUMENT...: runs a test program on N ranks of this machine, however few cores it has.
set -eu
n=$1
shift
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_base_warn_component_unused=0
folder=$(cd "$(dirname "$0")" && pwd)
export ASAN_OPTIONS="fast_unwind_on_malloc=0:${ASAN_OPTIONS:-}"
export LSAN_OPTIONS="suppressions=$folder/lsan.supp:print_suppressions=0:${LSAN_OPTIONS:-}"
exec mpirun -n "$n" --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 "$@"
