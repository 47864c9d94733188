#!/bin/bash
# Installs the build and moves what came out: nothing in it may remember where it was.
# usage: install.sh BUILD PLACE
set -eu
build=$1 place=$2
rm -rf "$place" "$place.first"
DESTDIR='' cmake --install "$build" --prefix "$place.first" >/dev/null
mv "$place.first" "$place"
for file in bin/orrery bin/orrery-cc include/orrery.h include/orrery.mk lib/orrery/liborrery.a \
    lib/orrery/liborrery-mpi.so lib/orrery/analysis lib/orrery/wrap.txt lib/orrery/include/orrery_run.h lib/orrery/include/orrery_body.h lib/orrery/include/orrery_lanes.h \
    lib/orrery/include/orrery_reductions.def \
    lib/orrery/messages/ORR1201.md share/man/man1/orrery-analyze.1 \
    share/bash-completion/completions/orrery-cc share/zsh/site-functions/_orrery lib/cmake/Orrery/OrreryConfig.cmake lib/pkgconfig/orrery.pc; do
    [ -s "$place/$file" ] || { echo "FAILED: $file is not installed" >&2; exit 1; }
done
found=$(grep -rlF "$place.first" "$place" || true)
[ -z "$found" ] || { echo "FAILED: the first place is remembered in $found" >&2; exit 1; }

# What was installed goes again, and nothing that others put beside it.
mkdir -p "$place.first/bin"
echo theirs >"$place.first/bin/theirs"
DESTDIR='' cmake --install "$build" --prefix "$place.first" >/dev/null
cmake -DMANIFEST="$build/install_manifest.txt" -P "$(dirname "$0")/../../cmake/uninstall.cmake" >/dev/null 2>&1
left=$(cd "$place.first" && find . -mindepth 1 | sort | tr '\n' ' ')
rm -r "$place.first"
[ "$left" = "./bin ./bin/theirs " ] || { echo "FAILED: uninstall leaves $left" >&2; exit 1; }
