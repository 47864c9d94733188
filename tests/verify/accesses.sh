# Shared by the tests of --accesses. $BIN: folder of the commands.
. "$(dirname "$0")/../cli/lib.sh"

# watch FILE [flags]: builds it with marks, as ./prog, and runs it; the JSON is in $work/out.
watch() {
    "$cc" -accesses "$@" -o prog -lm
    status=0
    "$orrery" verify --accesses --format=json ./prog >out 2>err </dev/null || status=$?
}

# answer LINE: what is said of the loop in that line
answer() {
    python3 -c '
import json, sys
for loop in json.load(open("out"))["loops"]:
    if loop["line"] == int(sys.argv[1]):
        print(loop["answer"])' "$1"
}

# is LINE ANSWER...: pairs
is() {
    while [ $# -gt 0 ]; do
        said=$(answer "$1" | sort -u | tr '\n' ' ')
        [ "$said" = "$2 " ] || fail "the loop in line $1 is '$said', not '$2'"
        shift 2
    done
}

# field LINE PATH: an expression over the loop of that line, as `loop`
field() {
    python3 -c '
import json, sys
for loop in json.load(open("out"))["loops"]:
    if loop["line"] == int(sys.argv[1]):
        print(eval(sys.argv[2]))' "$1" "$2"
}

compilers() {
    for name in gcc clang; do
        if command -v $name >/dev/null 2>&1; then echo $name; fi
    done
}
