#!/bin/bash
# What a new user does: the package on a bare Debian 12, loops of one's own, the pages' commands one by one.
# Needs root and a network. usage: package.sh BUILD [PAGE...]
. "$(dirname "$0")/lib.sh"
build=$(cd "$1" && pwd)
shift
tree=$(cd "$(dirname "$0")/../../.." && pwd)
[ $# -gt 0 ] || set -- "$tree/docs/tutorial.md" "$tree/README.md" "$tree/docs/running.md"
command -v cpack >/dev/null || skip "cpack is not installed"
bare_new

(cd "$place" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$place/out" >"$place/log" 2>&1) ||
    { tail "$place/log"; exit 1; }
mkdir "$root/root/debs" && cp "$place"/out/orrery*.deb "$root/root/debs"
seconds "apt-get update" bare_in apt-get -qq update
seconds "apt-get install ./orrery*.deb" bare_in sh -c "apt-get -qq -y --no-install-recommends install /root/debs/*.deb"
seconds "orrery doctor" bare_in orrery doctor

# Loops of one's own, as people write them: analyzed, built by gcc and by us, run in parallel, the same lines.
mkdir "$root/root/own"
for own in logreg_rows mf_csr; do
    cp "$tree/tests/programs/authors/$own.c" "$root/root/own"
    seconds "$own: analyzed" bare_in orrery analyze /root/own/$own.c
    seconds "$own: built by gcc" bare_in gcc -O3 -ffp-contract=off /root/own/$own.c -o /root/own/serial -lm
    seconds "$own: built by orrery-cc" bare_in orrery-cc -O3 -Werror=serial /root/own/$own.c -o /root/own/own -lm
    seconds "$own: the serial run" bare_in sh -c "/root/own/serial >/root/own/wanted"
    seconds "$own: its first parallel run" bare_in sh -c "ORRERY_THREADS=2 ORRERY_STATS=1 /root/own/own >/root/own/got"
    cmp "$root/root/own/wanted" "$root/root/own/got" || { echo "FAILED: $own prints something else"; exit 1; }
    grep -Eq "^orrery: .*$own.c:[0-9]+ (reduction|levels) .* passes " "$place/log" ||
        { cat "$place/log"; echo "FAILED: $own did not run in parallel"; exit 1; }
done
printf '%-52s %7d s\n' "from the bare root to here" "$SECONDS"

# The pages as they stand there, in a folder made as the tutorial says.
link=$(sed -n 's/^\$ \(ln -s .*samples\)$/\1/p' "$tree/docs/tutorial.md")
[ -n "$link" ] || { echo "FAILED: the tutorial does not say where the samples are"; exit 1; }
for page; do
    name=$(basename "$page" .md)
    bare_in sh -euc "mkdir /root/$name && cd /root/$name && $link"
    begin=$SECONDS
    python3 "$tree/tests/docs/console.py" "$build" "$page" \
        --shell "'$bare/in.sh' '$root' sh -c 'cd /root/$name && exec bash'" || { echo "FAILED: $page"; exit 1; }
    printf '%-52s %7d s\n' "every command of $name.md, as it says" $((SECONDS - begin))
done
