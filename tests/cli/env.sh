#!/bin/bash
# `orrery env`: every variable with value, source and default; what a program would refuse is refused.
. "$(dirname "$0")/lib.sh"

expect 0 "$orrery" env
silent err
says out '^ORRERY_THREADS +0 +default +0 +worker threads' '^ORRERY_SEED +\(unset\) +default +\(unset\) +seed'
# The table of the docs has the same names and defaults.
sed -n 's/^| `\([A-Za-z_]*\)` | `\{0,1\}\([^`|]*[^`| ]\)`\{0,1\} | .*/\1 \2/p' "$tree/docs/environment.md" | sort >documented
awk 'NR > 1 && NF > 3 && $1 != "words" { print $1, $4 }' out | sort >printed
grep -v -E '^ORRERY_(ACCESSES|CC|LIBDIR|INCLUDEDIR|MPIRUN|NVCC|NVDISASM) ' documented >a
grep -v -E '^ORRERY_(ACCESSES|CC|LIBDIR|INCLUDEDIR|MPIRUN|NVCC|NVDISASM) ' printed >b
[ -s a ] && diff a b >err || fail "docs/environment.md and orrery env differ"

expect 0 env ORRERY_THREADS=3 ORRERY_CC=gcc-12 "$orrery" env
says out '^ORRERY_THREADS +3 +environment +0 ' '^ORRERY_CC +gcc-12 +environment +\(unset\)'
expect 1 env ORRERY_THREAD=3 "$orrery" env
says err '^orrery env: unknown environment variable ORRERY_THREAD; the nearest known one is ORRERY_THREADS$'
expect 0 env ORRERY_DEBUG=bands=4,torture=7 "$orrery" env
says out '^ORRERY_DEBUG +bands=4,torture=7 +environment ' '^bands +4 +environment +0 ' '^torture +7 ' '^serve +auto +default'
expect 1 env ORRERY_DEBUG=bands=4,band=5 "$orrery" env
says err '^orrery env: ORRERY_DEBUG: unknown word `band=5`; the known ones are shared, bands, .*, gpu_shuffle$'
expect 1 env ORRERY_GRID=big "$orrery" env
says err 'ORRERY_GRID=big cannot be understood'
says out '^ORRERY_GRID +big'
expect 2 "$orrery" env more
expect 0 "$orrery" env --help
says out '^usage: orrery env'
