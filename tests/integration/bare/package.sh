#!/bin/bash
# What a new user does: the package on a bare Debian 12, a loop of one's own, the pages' commands one by one.
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

mkdir "$root/root/own"
cat >"$root/root/own/own.c" <<'EOT'
#include <stdio.h>
static double heat[2000][2000], next[2000][2000];
int main(void) {
    heat[1000][1000] = 1e6;
#pragma orrery parallel
    for (int i = 1; i < 1999; ++i)
        for (int j = 1; j < 1999; ++j)
            next[i][j] = .25 * (heat[i - 1][j] + heat[i + 1][j] + heat[i][j - 1] + heat[i][j + 1]);
    printf("%g\n", next[1001][1000]);
}
EOT
seconds "one's own loop: analyzed" bare_in orrery analyze /root/own/own.c
seconds "one's own loop: built" bare_in orrery-cc -O3 -Werror=serial /root/own/own.c -o /root/own/own
seconds "one's own loop: its first parallel run" bare_in env ORRERY_STATS=1 /root/own/own
grep -q '^250000$' "$place/log" && grep -Eq '^orrery: .*own.c:6 independent .* passes 1 ' "$place/log" ||
    { cat "$place/log"; echo "FAILED: it did not run in parallel"; exit 1; }

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
