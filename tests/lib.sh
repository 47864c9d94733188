# Sourced at the head of every test that is a shell script, or by what its room's tests share.
#   here   the folder of the test      tree   that of the project
#   work   a folder of the test's own, gone at its end
# A test that fails says what it wanted, and what the last command left in out, err, said or log of its folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

fail() {
    local file
    echo "FAILED: $*" >&2
    for file in out err said log; do
        [ ! -s "$work/$file" ] || tail -n 30 "$work/$file" | sed "s/^/  $file| /" >&2
    done
    exit 1
}

# expect STATUS COMMAND...: it ends with this status; its output in out and err
expect() {
    local wanted=$1
    shift
    status=0
    "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    [ "$status" = "$wanted" ] || fail "status $status, not $wanted: $*"
}

# says FILE PATTERN...: the file matches every extended regular expression
says() {
    local file=$1 pattern
    shift
    for pattern in "$@"; do
        grep -Eq -- "$pattern" "$file" || fail "'$file' does not say: $pattern"
    done
}

# lacks GREP_ARGUMENT...: the files are there, and grep finds nothing in them
lacks() {
    local found=0
    grep -q "$@" || found=$?
    [ "$found" -le 1 ] || fail "grep $*: status $found"
    [ "$found" = 1 ]
}

silent() {
    local file
    for file in "$@"; do
        [ ! -s "$file" ] || fail "'$file' is not empty"
    done
}

# refuses STATUS WORDS COMMAND...: it ends with this status and says these words
refuses() {
    local status_of=$1 words=$2
    shift 2
    expect "$status_of" "$@"
    grep -Fq -- "$words" "$work/err" || fail "no \"$words\": $*"
}

# need TOOL...: without them the test is skipped
need() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
    done
}
