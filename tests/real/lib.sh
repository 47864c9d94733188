# What run and phase share: places, downloads, counts, the table. Sourced, by bash; `here` is this folder.
tree=$(cd "$here/../.." && pwd)
cache=${ORRERY_REAL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/orrery-real}
limit=${ORRERY_REAL_LIMIT:-600}

say() {
    echo "$*" >&2
}

# The value of a recipe's word: package, needs or kind.
recipe_says() {
    sed -n "s/^$2=//p" "$here/projects/$1" | tr -d "'\""
}

# ---- downloads

# quiet_apt COMMAND ARGUMENT...: apt-get with lists and archives of our own, made of the machine's own sources
quiet_apt() {
    nice apt-get -qq -o "Dir::State::Lists=$cache/lists" -o "Dir::Etc::SourceList=$cache/sources.list" \
        -o Dir::Etc::SourceParts=/dev/null -o "Dir::Cache=$cache/apt" -o APT::Sandbox::User=root "$@"
}

# The lists of source packages: fetched once a week, for the machine's own release of Debian.
apt_lists() {
    [ -n "$(find "$cache/lists" -name '*_Sources*' -mtime -7 2>/dev/null)" ] && return
    mkdir -p "$cache/lists/partial" "$cache/apt/archives/partial"
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    {
        sed -nE 's/^deb (.*)$/deb-src \1/p' /etc/apt/sources.list 2>/dev/null || true
        awk -v suite="$suite" '
            /^URIs:/ { uri = $2 }
            /^Suites:/ { known = $2 == suite }
            /^Signed-By:/ && known { print "deb-src [signed-by=" $2 "] " uri " " suite " main" }' \
            /etc/apt/sources.list.d/*.sources 2>/dev/null || true
    } | grep debian >"$cache/sources.list"
    quiet_apt update
}

# fetch NAME: the upstream archive of its package into the cache, and the packages that its build needs
fetch() {
    package=$(recipe_says "$1" package)
    needs=$(recipe_says "$1" needs)
    if [ -n "$needs" ]; then
        # shellcheck disable=SC2086
        dpkg -s $needs >/dev/null 2>&1 || nice apt-get install -qq -y --no-install-recommends $needs >"$cache/$1/needs.log" 2>&1 ||
            { say "$1: cannot install what it needs: $needs" && return 1; }
    fi
    [ -z "$(archive_of "$1")" ] || return 0
    apt_lists && (mkdir -p "$cache/archives/$package" && cd "$cache/archives/$package" &&
        quiet_apt source --download-only --tar-only "$package" >"$cache/$1/download.log" 2>&1) ||
        { say "$1: its source cannot be had, see $cache/$1/download.log" && return 1; }
    [ -n "$(archive_of "$1")" ]
}

archive_of() {
    find "$cache/archives/$(recipe_says "$1" package)" -name '*.orig.tar.*' ! -name '*.asc' 2>/dev/null | sort | tail -n 1
}

version_of() {
    basename "$(archive_of "$1")" | sed -E 's/^[^_]*_(.*)\.orig\..*$/\1/'
}

# unpack NAME FOLDER
unpack() {
    mkdir -p "$2"
    tar xf "$(archive_of "$1")" -C "$2" --strip-components=1
}

# ---- steps

# phase NAME VARIANT build|check [SETTING]: into a log; says what failed
phase() {
    log=$cache/$1/$2.$3${4:+.$4}.log
    say "$1: $2 $3${4:+ ($4)}"
    code=0
    nice timeout -k 10 "$limit" "$here/phase" "$@" >"$log" 2>&1 </dev/null || code=$?
    [ "$code" != 0 ] || return 0
    say "$1: $2 $3${4:+ ($4)} ended with status $code, see $log"
    echo "status $code" >"$cache/$1/$2.$3${4:+.$4}.failed"
    return 1
}

# loops_of NAME: seen and parallel, by `orrery analyze --all` of what was compiled
loops_of() {
    python3 "$here/commands.py" "$cache/$1/commands.auto" "$cache/$1/compile_commands.json"
    nice timeout "$limit" orrery analyze --all --format=json -p "$cache/$1" >"$cache/$1/analysis.json" 2>"$cache/$1/analysis.err" || true
    python3 "$here/loops.py" "$cache/$1/analysis.json" >"$cache/$1/loops"
}

# accesses_results NAME: built by orrery-cc -accesses, its tests under watch, and what they say together
accesses_results() {
    watched=$cache/$1/watched
    rm -rf "$watched"
    mkdir -p "$watched"
    phase "$1" accesses build || return
    ORRERY_ACCESSES=$watched phase "$1" accesses check 0 || true
    orrery verify --accesses --from "$watched" --format=json >"$cache/$1/accesses.json" 2>"$cache/$1/accesses.err" || true
    [ -s "$cache/$1/accesses.json" ] || echo "no report" >"$cache/$1/accesses.report.failed"
}

# ---- the table

# compared PLAIN OURS: "passed failed apart", and on further lines which failed and which fail plainly, too
compared() {
    awk -F'\t' '
        FNR == NR { plain[$1] = $2; sum[$1] = $3; order[++n] = $1; next }
        { ours[$1] = $2; said[$1] = $3 }
        END {
            for (i = 1; i <= n; i++) {
                name = order[i]
                if (plain[name] != "pass") { apart++; also = also "\n  plain " name ": " plain[name]; continue }
                if (ours[name] == "left out") continue
                if (ours[name] == "pass" && said[name] == sum[name]) { passed++; continue }
                failed++
                why = !(name in ours) ? "not reached" : ours[name] != "pass" ? ours[name] : "prints something else"
                list = list "\n  FAILED " name ": " why
            }
            printf "%d %d %d%s%s\n", passed, failed, apart, list, also
        }' "$1" "$2"
}

header() {
    printf 'project\tversion\tkind\tloops\tparallel\texecuted\tcontradicted\tmissed\tpassed\tfailed\tplainly failed\n'
}

# row NAME SETTING...: its line of the table; what failed goes to standard error
row() {
    name=$1
    shift
    seen=- parallel=- passed=0 failed=0 apart=0
    executed=- contradicted=- missed=-
    [ ! -s "$cache/$name/loops" ] || read -r seen parallel _ <"$cache/$name/loops"
    if [ -s "$cache/$name/accesses.json" ]; then
        python3 "$here/loops.py" --accesses "$cache/$name/accesses.json" >"$cache/$name/judged"
        read -r executed contradicted missed <"$cache/$name/judged"
        sed -n "2,\$s|^|$name: |p" "$cache/$name/judged" >&2
    fi
    for setting; do
        [ -f "$cache/$name/results.$setting" ] || continue
        compared "$cache/$name/results.plain" "$cache/$name/results.$setting" >"$cache/$name/compared.$setting"
        read -r p f apart <"$cache/$name/compared.$setting"
        passed=$((passed + p)) failed=$((failed + f))
        sed -n "2,\$s/^ */$name, $setting: /p" "$cache/$name/compared.$setting" >&2
    done
    for mark in "$cache/$name"/*.failed; do
        [ -f "$mark" ] && failed="$failed, $(basename "$mark" .failed): $(cat "$mark")"
    done
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$(version_of "$name")" "$(recipe_says "$name" kind)" \
        "$seen" "$parallel" "$executed" "$contradicted" "$missed" "$passed" "$failed" "$apart"
}

# summary TABLE: the table, aligned, and a last line; status 1 when something failed or is contradicted
summary() {
    column -t -s "$(printf '\t')" "$1"
    awk -F'\t' '
        NR == 1 { next }
        { n++; if ($3 == "numerical") numerical++ }
        { seen += $4; parallel += $5; executed += $6; contradicted += $7; missed += $8; passed += $9; failed += $10; apart += $11 }
        $10 ~ /,/ { broken++ }
        END {
            printf "%d projects (%d numerical): %d loops, %d parallel, %d executed, %d contradicted, %d missed; ",
                n, numerical, seen, parallel, executed, contradicted, missed
            printf "%d tests passed, %d failed, %d fail plainly, %d steps broke\n", passed, failed, apart, broken
            exit failed + contradicted + broken > 0
        }' "$1"
}
