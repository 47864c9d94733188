#!/bin/bash
# The Containerfile of docs/running.md, step by step on a bare Debian 12 in the image's place; then the program that
# it makes, alone and on ranks. Needs root and a network. usage: container.sh BUILD
. "$(dirname "$0")/lib.sh"
build=$(cd "$1" && pwd)
tree=$(cd "$bare/../../.." && pwd)
command -v cpack >/dev/null || skip "cpack is not installed"
bare_new

mkdir "$place/context"
(cd "$place" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$place/out" >"$place/log" 2>&1) ||
    { tail "$place/log"; exit 1; }
cp "$place"/out/orrery*.deb "$tree"/samples/mf/mf.c "$place/context"
awk '/^<!-- file Containerfile -->$/ { wanted = 1; next } wanted && /^```/ { if (inside) exit; inside = 1; next } inside' \
    "$tree/docs/running.md" >"$place/Containerfile"
grep -q '^FROM debian:bookworm' "$place/Containerfile" || { echo "FAILED: no Containerfile for bookworm in docs/running.md"; exit 1; }

entry='' folder=''
while IFS= read -r line <&3; do
    case $line in
    FROM\ * | '' | '#'*) ;;
    WORKDIR\ *) folder=${line#WORKDIR } && mkdir -p "$root$folder" ;;
    COPY\ *)
        read -ra words <<<"${line#COPY }"
        target=$folder/${words[-1]}
        case ${words[-1]} in /*) target=${words[-1]} ;; esac
        unset 'words[-1]'
        mkdir -p "$root$target"
        # shellcheck disable=SC2068
        (cd "$place/context" && cp -- ${words[@]} "$root$target")
        ;;
    RUN\ *) seconds "RUN ${line#RUN }" bare_in sh -euc "cd $folder/ && ${line#RUN }" ;;
    ENTRYPOINT\ *) entry=$(echo "${line#ENTRYPOINT }" | tr -d '[]",') ;;
    *) echo "FAILED: unknown instruction: $line"; exit 1 ;;
    esac
done 3<"$place/Containerfile"
[ -n "$entry" ] || { echo "FAILED: no ENTRYPOINT"; exit 1; }

gzip -dc "$tree/samples/data/names.mtx.gz" >"$root/root/names.mtx"
seconds "$entry --epochs 2 names.mtx" bare_in sh -c "$entry --epochs 2 /root/names.mtx"
grep -q '^2 passes' "$place/log" || { cat "$place/log"; echo "FAILED: it trained nothing"; exit 1; }
seconds "on two ranks" bare_in sh -c "orrery run -n 2 --threads 1 \$(command -v $entry) --epochs 2 /root/names.mtx"
grep -q '^2 passes' "$place/log" || { cat "$place/log"; echo "FAILED: it trained nothing on ranks"; exit 1; }
