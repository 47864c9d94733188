#!/bin/bash
# From a fresh clone on a bare Debian 12: scripts/demo installs what is missing, builds, trains; scripts/test
# builds and runs tests. Needs root and a network. usage: clone.sh [CTEST ARGUMENT...]   (for scripts/test)
. "$(dirname "$0")/lib.sh"
tree=$(cd "$bare/../../.." && pwd)
[ $# -gt 0 ] || set -- -R '^(analyzer|refuse|house|cli\.(usage|explain|env|analyze))'
command -v git >/dev/null || skip "git is not installed"
bare_new

git clone -q --no-hardlinks "$tree" "$root/root/orrery"
seconds "scripts/install-deps" bare_in /root/orrery/scripts/install-deps
seconds "scripts/install-deps, nothing missing" bare_in /root/orrery/scripts/install-deps
[ ! -s "$place/log" ] || { cat "$place/log"; echo "FAILED: it speaks when nothing is missing"; exit 1; }
seconds "scripts/demo, from a clone" bare_in /root/orrery/scripts/demo
sed -n '/^== seconds/,$p' "$place/log" | sed 's/^/    /'
seconds "scripts/demo, again" bare_in /root/orrery/scripts/demo
seconds "scripts/test $*" bare_in /root/orrery/scripts/test "$@"
grep 'tests passed' "$place/log"
