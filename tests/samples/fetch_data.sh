#!/bin/bash
# scripts/fetch-data against a server of ours: what comes is held against its checksum and made ready for the sample;
# what breaks off is continued, in the same run and in the next; a wrong file, a server that refuses and one that is not
# there are told.
. "$(dirname "$0")/common.sh"
fetch=$source/scripts/fetch-data
for tool in python3 curl unzip bzip2; do
    command -v $tool > "$work/found" || { echo "skipped: no $tool"; exit 77; }
done
export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
mkdir "$work/served"

python3 "$source/tests/samples/fetch_data_server.py" "$work/served" "$work/port" "$work/log" &
server=$!
trap 'kill $server; rm -rf "$work"' EXIT
for _ in $(seq 300); do
    [ -s "$work/port" ] && break
    sleep .1
done
[ -s "$work/port" ] || fail "the server does not start"
mirror=http://127.0.0.1:$(cat "$work/port")

# get NAME ...: from the server.
get() {
    "$fetch" --to "$work/to" --from "$mirror" "$@" > "$work/out" 2> "$work/err" ||
        { cat "$work/out" "$work/err" >&2; fail "$*"; }
}

refused() {
    local words=$1
    shift
    refuses 1 "$words" "$fetch" --to "$work/to" --from "$mirror" "$@"
}

# Nobody vouches for this one: its checksum is written down and holds from then on.
gzip -nc "$build/samples/data/specs.ldac" > "$work/served/docword.nytimes.txt.gz"
get nytimes
cmp "$work/to/docword.nytimes.txt" "$build/samples/data/specs.ldac" || fail "another text"
sum=$(sha256sum < "$work/served/docword.nytimes.txt.gz")
grep -q "^${sum%% *}  docword.nytimes.txt.gz$" "$work/to/SHA256SUMS" || fail "no checksum is kept"
"$build/samples/lda" --epochs 1 "$work/to/docword.nytimes.txt" > "$work/out" || fail "lda does not read it"
requests=$(wc -l < "$work/log")
get nytimes
[ "$(wc -l < "$work/log")" -eq "$requests" ] || fail "what is there was fetched again"
[ "$(wc -l < "$work/to/SHA256SUMS")" -eq 1 ] || fail "its checksum is kept twice"
rm "$work/to/docword.nytimes.txt.gz"
echo "other bytes" | gzip -nc > "$work/served/docword.nytimes.txt.gz"
refused "docword.nytimes.txt.gz: checksum" nytimes
[ ! -e "$work/to/docword.nytimes.txt.gz" ] && [ -e "$work/to/docword.nytimes.txt.gz.wrong" ] || fail "a wrong file stays"

# Checksums that are known: of MovieLens and HIGGS.
head -c 5000 /dev/zero > "$work/served/ml-25m.zip"
refused "expected 8b21cfb7eb1706b4ec0aac894368d90acf26ebdfb6aced3ebd4ad5bd1eb9c6aa" movielens
head -c 5000 /dev/zero > "$work/served/HIGGS.csv.gz"
refused "expected ea302c18164d4e3d916a1e2e83a9a8d07069fa6ebc7771e4c0540d54e593b698" higgs

# The same with small files whose checksums a copy of the script has: MovieLens's table becomes lines, HIGGS's kind
# (first in its rows) comes last.
python3 - "$work/served" << 'END'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + "/ml-25m.zip", "w") as pack:
    pack.writestr("ml-25m/ratings.csv", "userId,movieId,rating,timestamp\n1,296,5.0,1147880044\n2,1,3.5,1141415820\n")
END
printf '1.0,8.5e-01,-2\n0.0,9,3\n' | gzip -nc > "$work/served/HIGGS.csv.gz"
sum_of() {
    local sum
    sum=$(sha256sum < "$work/served/$1")
    echo "${sum%% *}"
}
sed "s/8b21cfb7eb[0-9a-f]*/$(sum_of ml-25m.zip)/; s/ea302c1816[0-9a-f]*/$(sum_of HIGGS.csv.gz)/" "$fetch" > "$work/fetch"
bash "$work/fetch" --to "$work/small" --from "$mirror" movielens higgs > "$work/out" 2> "$work/err" ||
    { cat "$work/err" >&2; fail "small files of MovieLens and HIGGS"; }
[ "$(cat "$work/small/movielens.txt")" = "1 296 5.0
2 1 3.5" ] || fail "MovieLens: $(cat "$work/small/movielens.txt")"
[ "$(cat "$work/small/higgs.csv")" = "8.5e-01,-2,1.0
9,3,0.0" ] || fail "HIGGS: $(cat "$work/small/higgs.csv")"
[ ! -e "$work/small/SHA256SUMS" ] || fail "a known checksum was written down"

# Two files, of which the first breaks off twice; a server that cannot go on where it ended sends it anew.
head -n 3000 "$build/samples/data/a9a" | bzip2 -c > "$work/served/kdda.bz2"
head -n 100 "$build/samples/data/a9a.t" | bzip2 -c > "$work/served/kdda.t.bz2"
echo 2 > "$work/served/cuts"
: > "$work/log"
get kdd2010
[ "$(cat "$work/log")" = "/kdda.bz2 
/kdda.bz2 bytes=1000-
/kdda.bz2 bytes=2000-
/kdda.t.bz2 " ] || { cat "$work/log"; fail "it was not continued"; }
head -n 3000 "$build/samples/data/a9a" | cmp - "$work/to/kdda" || fail "another text after two cuts"
"$build/samples/slr" --epochs 1 --test "$work/to/kdda.t" "$work/to/kdda" > "$work/out" || fail "slr does not read it"
rm "$work/to/kdda.bz2"
echo 1 > "$work/served/cuts"
touch "$work/served/whole"
get kdd2010
head -n 3000 "$build/samples/data/a9a" | cmp - "$work/to/kdda" || fail "another text by a server without ranges"
rm "$work/served/whole" "$work/to/kdda.bz2"

# One that breaks off for good is continued by the next run.
echo 5 > "$work/served/cuts"
refused "what came is kept, run the same command to go on" kdd2010
[ "$(wc -c < "$work/to/kdda.bz2.part")" -eq 5000 ] || fail "what came is not kept"
: > "$work/log"
get kdd2010
[ "$(head -n 1 "$work/log")" = "/kdda.bz2 bytes=5000-" ] || fail "it began anew"
head -n 3000 "$build/samples/data/a9a" | cmp - "$work/to/kdda" || fail "another text after five cuts"
# It came whole, but was not put in place.
mv "$work/to/kdda.bz2" "$work/to/kdda.bz2.part"
get kdd2010

# A file that is not there, a server that is not there, a set that is not there.
rm "$work/served/kdda.bz2" "$work/to/kdda.bz2"
refused "404" kdd2010
refuses 1 "without a network copy the file to" "$fetch" --to "$work/to" --from http://127.0.0.1:1 kdd2010
refuses 1 'no set `none`' "$fetch" --to "$work/to" none
refuses 1 "unknown option" "$fetch" --other
refuses 1 "--to needs a value" "$fetch" --to
refuses 2 "usage:" "$fetch"
"$fetch" --list | grep -q '^netflix ' || fail "--list"

# The generated set, small.
"$fetch" --to "$work/to" --scale 0.0005 netflix > "$work/out" || fail "netflix"
"$fetch" --to "$work/again" --scale 0.0005 netflix > "$work/out" || fail "netflix again"
cmp "$work/to/netflix.txt" "$work/again/netflix.txt" || fail "other ratings the second time"
[ "$(wc -l < "$work/to/netflix.txt")" -eq 50240 ] || fail "not 50,240 ratings"
awk 'NF != 3 || $1 < 1 || $1 > 241 || $2 < 1 || $2 > 9 || $3 < 1 || $3 > 5 { exit 1 }' "$work/to/netflix.txt" ||
    fail "a rating out of range"
"$build/samples/mf" --rank 4 --epochs 1 "$work/to/netflix.txt" > "$work/out" || fail "mf does not read it"
