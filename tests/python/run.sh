#!/bin/bash
# run.sh BUILD NAME: NAME.py with the package of the build, a cache of its own, and a python3 that has NumPy (ranks.py:
# and mpi4py).
. "$(dirname "$0")/../lib.sh"
build=$1 name=$2 modules=numpy
[ "$name" != ranks ] || modules=numpy,mpi4py
for python in python3 /usr/bin/python3; do
    ! "$python" -c "import $modules" 2>/dev/null || break
    python=
done
[ -n "$python" ] || { echo "skipped: no python3 has $modules (python3-numpy, python3-mpi4py)"; exit 77; }
cd "$work"
export XDG_CACHE_HOME=$work/cache PYTHONPATH=$build/python:$here BUILD=$build TREE=$tree PYTHONDONTWRITEBYTECODE=1
PYTHONWARNINGS=error "$python" "$here/$name.py"
