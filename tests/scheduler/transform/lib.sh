# Shared by the tests of transformed loops, which run in their own folder. $bin: folder of the commands.
# shellcheck source=tests/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
bin=$1
here=$here/transform
cd "$work"
flags=(-O3 -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion -Werror)

# dumped FILE: the text that the other steps get, in new.c; its lines have the numbers that they had
dumped() {
    cp "$here/$1" .
    "$bin/orrery" emit -auto --dump=transform -O3 "$1" >new.c
    [ "$(wc -l <new.c)" = "$(wc -l <"$1")" ] || fail "$1: lines have other numbers"
}

# commented KINDS AWK: each function of new.c is of the kind that the comment above it begins with, else kept. AWK says of
# a line which kind it shows: `kind`
commented() {
    awk '/^\/\* ('"$1"'|kept)/ { wanted = $2; sub(/[^a-z].*/, "", wanted) }
         /^(static|int|void|double|float) / { name = $0; kind = "kept" }
         '"$2"'
         /^}/ { if (wanted != "" && wanted != kind) print kind, name; wanted = "" }' new.c >wrong
    grep -Eq "^/\* ($1)" new.c || fail "no comment says $1"
    [ ! -s wrong ] || fail "not as its comment says: $(cat wrong)"
}

# built FILE.c FLAGS...: by gcc (serial) and by -auto (auto)
built() {
    local file=$1
    shift
    gcc "${flags[@]}" "$@" "$file" -o serial
    "$bin/orrery-cc" -auto "${flags[@]}" "$@" "$file" -o auto
}

# same WHAT COMMAND...: prints what serial.out has
same() {
    local what=$1
    shift
    "$@" >got.out 2>err || fail "$what: status $?"
    diff serial.out got.out >said || fail "$what: other results"
}
