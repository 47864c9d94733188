#!/bin/bash
# packaging/Containerfile, step by step on bare Debian 12s in the images' place: the packages are built from the tree,
# installed in the second stage, and work there. Needs root and a network. usage: image.sh
. "$(dirname "$0")/lib.sh"
tree=$(cd "$bare/../../.." && pwd)
bare_new
first=$root stages=0 folder=

# copy_from FOLDER WORD... TARGET: as COPY does
copy_from() {
    local from=$1 words target
    shift
    words=("$@")
    target=${words[-1]}
    case $target in /*) ;; *) target=$folder/$target ;; esac
    unset 'words[-1]'
    mkdir -p "$root$target"
    # shellcheck disable=SC2068 # patterns
    (cd "$from" && cp -r -- ${words[@]#/} "$root$target")
}

while IFS= read -r line <&3; do
    while [ "${line%\\}" != "$line" ]; do
        IFS= read -r more <&3
        line="${line%\\} $more"
    done
    case $line in
    FROM\ debian:bookworm-slim*)
        stages=$((stages + 1))
        folder=
        if [ $stages = 2 ]; then
            root=$place/second
            mkdir "$root"
            tar -C "$root" -xf "$cache/bookworm.tar"
        fi
        ;;
    '' | '#'*) ;;
    WORKDIR\ *) folder=${line#WORKDIR } && mkdir -p "$root$folder" ;;
    'COPY . .')
        git -C "$tree" ls-files -z | tar -C "$tree" --null -T - --ignore-failed-read -cf - | tar -C "$root$folder" -xf -
        ;;
    'COPY --from=build '*)
        read -ra words <<<"${line#COPY --from=build }"
        copy_from "$first" "${words[@]}"
        ;;
    RUN\ *) seconds "RUN ${line#RUN }" bare_in sh -euc "cd $folder/ && ${line#RUN }" ;;
    CMD\ *) seconds "$line" bare_in sh -euc "$(echo "${line#CMD }" | tr -d '[]",')" ;;
    *) echo "FAILED: unknown instruction: $line"; exit 1 ;;
    esac
done 3<"$tree/packaging/Containerfile"
[ $stages = 2 ] || { echo "FAILED: $stages stages"; exit 1; }
cp "$tree/samples/mf/mf.c" "$root/root"
seconds "a program in the image" bare_in sh -euc "cd /root && orrery-cc -O1 -Werror=serial mf.c -o mf -lm && ./mf --help"
