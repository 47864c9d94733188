#!/bin/bash
# run.sh BUILD NAME: NAME.py with the package of the build, a cache of its own, and a python3 that has NumPy.
. "$(dirname "$0")/../lib.sh"
build=$1 name=$2
for python in python3 /usr/bin/python3; do
    ! "$python" -c 'import numpy' 2>/dev/null || break
    python=
done
[ -n "$python" ] || { echo "skipped: no python3 has NumPy (python3-numpy)"; exit 77; }
cd "$work"
export XDG_CACHE_HOME=$work/cache PYTHONPATH=$build/python:$here BUILD=$build TREE=$tree PYTHONDONTWRITEBYTECODE=1
PYTHONWARNINGS=error "$python" "$here/$name.py"
