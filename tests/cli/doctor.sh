#!/bin/bash
# orrery doctor: everything works here; what does not is named, with what to do.
. "$(dirname "$0")/lib.sh"

mkdir temporary
export TMPDIR=$work/temporary
expect 0 "$orrery" doctor
says out '^(good|note) +CUDA +(nvcc|no nvcc)' '^(good|note) +HDF5 +(checkpoints can be written|built without)'
says out '^good +installation' '^good +libclang' '^good +compiler' '^good +threads' '^everything that is needed works$'
silent err
expect 0 "$orrery" doctor --format=json
silent err
python3 - <<'EOF2' || fail "the JSON"
import json
report = json.load(open("out"))
assert report["schema"] == "orrery-doctor/1" and report["wrong"] == 0
assert {"libclang", "compiler", "threads"} <= {f["name"] for f in report["findings"] if f["state"] == "good"}
EOF2
for left in "$TMPDIR"/*; do [ ! -e "$left" ] || fail "it leaves $left behind"; done

expect 1 env ORRERY_CC=no-such-compiler "$orrery" doctor
says out '^wrong +compiler +no-such-compiler' 'install a C compiler' '^1 thing will not work$'
expect 1 env ORRERY_LIBDIR=/nowhere "$orrery" doctor
says out '^wrong +installation +/nowhere/liborrery.a is missing' 'unset ORRERY_LIBDIR'
expect 1 env ORRERY_THREDS=3 "$orrery" doctor
says out '^wrong +variables .*ORRERY_THREDS' 'orrery env'
expect 0 env ORRERY_MPIRUN=/nowhere/mpirun "$orrery" doctor
says out '^note +MPI .*/nowhere/mpirun cannot be run' 'apt-get install openmpi-bin'
printf '#!/bin/sh\n[ "$1" != --version ] || { echo "mpirun (Open MPI) 4"; exit 0; }\necho "no slots" >&2; exit 3\n' >mpirun
chmod +x mpirun
expect 1 env ORRERY_MPIRUN="$work/mpirun" "$orrery" doctor
says out '^wrong +MPI +status 3: no slots'
printf '#!/bin/sh\n[ "$1" != --version ] || { echo "mpirun (Open MPI) 4"; exit 0; }\necho "no topology" >&2; echo 500499\n' >mpirun
expect 0 env ORRERY_MPIRUN="$work/mpirun" "$orrery" doctor
says out '^note +MPI +2 ranks by .*; it also says: no topology'
expect 1 env TMPDIR=/nowhere "$orrery" doctor
says out '^wrong +temporary' 'set TMPDIR'
(ulimit -v 64000000 && expect 0 "$orrery" doctor && says out '^note +address space +limited to 61')
expect 2 "$orrery" doctor now
says err 'takes no arguments'
