# A bare Debian 12 in a folder, for tests that ask what a new user meets. Sourced.
#   bare_new         unpacks one into $root (made by debootstrap the first time, then kept as a tar in
#                    ${ORRERY_BARE_CACHE:-/var/tmp/orrery-bare})
#   bare_in COMMAND  runs it in $root as root, with network, in a mount and process namespace of its own:
#                    nothing stays mounted, and no process is left when it ends
# Status 77 where that cannot be: not root, no debootstrap, no network.
set -eu
bare=$(cd "$(dirname "$0")" && pwd)
mirror=http://deb.debian.org/debian

skip() {
    echo "skipped: $*"
    exit 77
}

bare_new() {
    [ "$(id -u)" = 0 ] || skip "not root"
    for tool in debootstrap unshare chroot curl; do
        command -v "$tool" >/dev/null || skip "$tool is not installed"
    done
    unshare --mount --pid --fork true 2>/dev/null || skip "no namespaces here"
    curl -fsI --max-time 20 "$mirror/dists/bookworm/Release" >/dev/null || skip "no network: $mirror does not answer"
    place=$(mktemp -d "${TMPDIR:-/var/tmp}/orrery-bare.XXXXXX")
    root=$place/root
    trap 'rm -rf --one-file-system "$place"' EXIT
    cache=${ORRERY_BARE_CACHE:-/var/tmp/orrery-bare}
    mkdir -p "$cache" "$root"
    if [ ! -s "$cache/bookworm.tar" ]; then
        debootstrap --variant=minbase bookworm "$root" "$mirror" >"$place/debootstrap.log" 2>&1 ||
            { tail -n 5 "$place/debootstrap.log"; exit 1; }
        tar -C "$root" -cf "$cache/bookworm.new" . && mv "$cache/bookworm.new" "$cache/bookworm.tar"
        return
    fi
    tar -C "$root" -xf "$cache/bookworm.tar"
}

bare_in() {
    "$bare/in.sh" "$root" "$@"
}

# seconds NAME COMMAND...: how long it took; its output is shown when it fails
seconds() {
    name=$1
    shift
    begin=$(date +%s.%N)
    "$@" >"$place/log" 2>&1 </dev/null || { tail -n 40 "$place/log"; echo "FAILED: $name"; exit 1; }
    awk -v name="$name" -v begin="$begin" -v end="$(date +%s.%N)" 'BEGIN { printf "%-52s %7.2f s\n", name, end - begin }'
}
