#!/bin/bash
# How ranks are found: no launcher, a launcher that our MPI does not know, no module.
. "$(dirname "$0")/../lib.sh"
program=$1 library=$2
scratch=$work
unset ORRERY_LIBDIR OMPI_COMM_WORLD_SIZE PMI_SIZE PMI_RANK PMIX_RANK SLURM_NTASKS SLURM_PROCID

# run VARIABLE=VALUE...: status in $status, output in $scratch/out and $scratch/err
run() {
    status=0
    env "$@" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        timeout -k 2 300 "$program" 0 >"$scratch/out" 2>"$scratch/err" || status=$?
}

expect() {
    if [ "$status" -ne "$1" ] || ! grep -qF -- "$2" "$scratch/out" "$scratch/err"; then
        echo "ended with $status, expected $1 and \"$2\":" >&2
        cat "$scratch/out" "$scratch/err" >&2
        exit 1
    fi
}

run A=b
expect 0 'passed on 1 ranks'
run OMPI_COMM_WORLD_SIZE=1
expect 0 'passed on 1 ranks'
run SLURM_NTASKS=4 SLURM_PROCID=0 SLURM_JOB_ID=7
expect 0 'passed on 1 ranks'
run SLURM_NTASKS=4 SLURM_PROCID=0
expect 71 'the launcher started 4 processes, but MPI sees each of them alone'

touch "$scratch/liborrery-mpi.so"
run PMI_SIZE=2 ORRERY_LIBDIR="$scratch"
expect 71 'the MPI module liborrery-mpi.so cannot be loaded'
echo 'int dsm_transport_mpi;' >"$scratch/other.c"
cc -shared "$scratch/other.c" -o "$scratch/liborrery-mpi.so"
run PMI_SIZE=2 ORRERY_LIBDIR="$scratch"
expect 71 'liborrery-mpi.so is of another version than this program was built with'
rm "$scratch/liborrery-mpi.so"
cp "$library" "$scratch/liborrery-mpi.so"
run SLURM_NTASKS=3 SLURM_PROCID=0 SLURM_JOB_ID=7 SLURM_STEP_ID=0 ORRERY_LIBDIR="/nowhere:$scratch"
expect 71 'the launcher started 3 processes'
