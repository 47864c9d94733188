# Projects that nobody here wrote, from Debian's archive, built with Orrery as it is installed; their own
# tests decide. Sourced; the first argument is Orrery's build folder. Status 77 without a network.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=${ORRERY_REAL_WORK:-$(mktemp -d "${TMPDIR:-/var/tmp}/orrery-real.XXXXXX")}
[ -n "${ORRERY_REAL_WORK-}" ] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
cd "$work"
pool=http://deb.debian.org/debian/pool/main
prefix=$work/prefix
export PATH="$prefix/bin:$PATH" CMAKE_BUILD_PARALLEL_LEVEL=2
unset CC CFLAGS MAKEFLAGS CMAKE_C_COMPILER_LAUNCHER
for name in "${!ORRERY_@}"; do unset "$name"; done

skip() {
    echo "skipped: $*"
    exit 77
}

for tool in curl cmake make; do
    command -v $tool >/dev/null || skip "$tool is not installed"
done
[ -f /usr/include/zlib.h ] || skip "zlib1g-dev is not installed, which libpng needs"
curl -fsI --max-time 20 "${pool%pool/main}dists/bookworm/Release" >/dev/null || skip "no network: $pool does not answer"
DESTDIR='' cmake --install "$build" --prefix "$prefix" >/dev/null

# fetch NAME PATH: its source in the folder NAME
fetch() {
    [ -d "$1" ] && return
    curl -fsSL --max-time 300 "$pool/$2" -o "$1.tar" || skip "no network: $2 cannot be had"
    mkdir "$1"
    tar xf "$1.tar" -C "$1" --strip-components=1
}

# step NAME COMMAND...: its output goes to NAME.log, its processor time in seconds to $cpu
step() {
    name=$1
    shift
    TIMEFORMAT='%U %S'
    { time "$@" >"$name.log" 2>&1; } 2>"$name.time" || { tail -n 20 "$name.log"; echo "FAILED: $name: $*"; exit 1; }
    cpu=$(awk '{ printf "%.1f", $1 + $2 }' "$name.time")
}
