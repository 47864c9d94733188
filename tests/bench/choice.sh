# Sourced by run: `choice`. The chosen plan against all others: every plan that was rejected (but the serial loop) and
# several grids, with two threads and with two ranks; medians. Of many that are as fast the least median is too small by
# luck: so the least one and the chosen one are run again, in turn, and ratio is what those runs say: time of the chosen
# one over the least. among_plans: over the least of the plans on the grids that they choose, by the first runs. After
# five minutes no further round begins.
ratings=$build/samples/data/names.mtx points=$build/samples/data/covtype20k.csv tensor=$build/samples/data/names.tns
rounds=3 finals=9 wanted=300 grids="0x0 4x4 8x8 32x32 16x64" kinds="1x2 2x1"
[ -z "$quick" ] || { rounds=1 finals=1 grids="0x0 8x8" kinds=1x2; }
SECONDS=0

# seconds FILE: what a run printed.
seconds() {
    sed -n 's/.*median \([0-9.]*\) s.*/\1/p; s/.* \([0-9.]*\) s per round.*/\1/p' "$1" | tail -n 1
}

# plans SOURCE FOLDER: plan files of the chosen plan (0) and of all others; prints how many.
plans() {
    orrery plan "$1" -o "$2/0.json"
    python3 - "$2" << 'END'
import copy, json, sys
folder = sys.argv[1]
chosen = json.load(open(folder + "/0.json"))
count = 1
for index, loop in enumerate(chosen["loops"]):
    for other in loop.get("why", {}).get("rejected", []):
        if other["strategy"] == "serial":
            continue
        plan = copy.deepcopy(chosen)
        entry = plan["loops"][index]
        pair = other["strategy"] == "tournament"
        entry["strategy"], cut = other["strategy"], other["cut"]
        entry["space"], entry["time"] = (cut or [None])[0], cut[1 + pair:]
        if pair:
            entry["partner"] = cut[1]
        entry["arrays"] = []
        json.dump(plan, open("%s/%d.json" % (folder, count), "w"))
        count += 1
print(count)
END
}

# timed FILE KIND GRID PROGRAM ARGUMENT ...: runs it and adds its seconds to FILE.
timed() {
    local file=$1 kind=$2 grid=$3 command
    shift 3
    command=("$@")
    [ $kind = 1x2 ] || command=(orrery run -n 2 --threads 1 -- "${command[@]}")
    ORRERY_GRID=$grid ORRERY_THREADS=${kind#*x} "${command[@]}" > "$work/out" 2> "$work/err" ||
        { cat "$work/err" >&2; exit 1; }
    seconds "$work/out" >> "$file"
}

# final FOLDER KIND BEST ARGUMENT ...: the chosen one and the best of the first runs, in turn; prints the ratio.
final() {
    local folder=$1 kind=$2 best=$3 round
    shift 3
    for ((round = 1; round <= finals; ++round)); do
        timed "$folder/final.$kind.chosen" $kind 0x0 "$folder/0" "$@"
        [ "$best" = 0.0x0 ] || timed "$folder/final.$kind.best" $kind "${best#*.}" "$folder/${best%%.*}" "$@"
    done
    [ "$best" = 0.0x0 ] && echo 1.000 && return
    ratio "$(median < "$folder/final.$kind.chosen")" "$(median < "$folder/final.$kind.best")"
}

# setting NAME SOURCE ARGUMENT ...
setting() {
    local name=$1 source=$2 folder=$work/$1 count plan grid kind round
    shift 2
    mkdir -p "$folder"
    count=$(plans "$source" "$folder")
    for ((plan = 0; plan < count; ++plan)); do
        orrery-cc -O3 -march=native -plan "$folder/$plan.json" "$source" -o "$folder/$plan" -lm
    done
    for ((round = 1; round <= rounds; ++round)); do
        [ $round -eq 1 ] || [ $SECONDS -lt $wanted ] || break
        say "choice $name: round $round of $rounds, $count plans"
        for grid in $grids; do
            for ((plan = 0; plan < count; ++plan)); do
                for kind in $kinds; do
                    timed "$folder/$kind.$plan.$grid" $kind $grid "$folder/$plan" "$@"
                done
            done
        done
    done
    for kind in $kinds; do
        for times in "$folder/$kind".*; do
            printf '%s %s\n' "$(median < "$times")" "${times#"$folder/$kind."}"
        done | sort -g > "$folder/all"
        awk -v n="$name" -v k=$kind -v file="$work/ratios" \
            -v ratio="$(final "$folder" $kind "$(head -n 1 "$folder/all" | cut -d' ' -f2)" "$@")" '
            NR == 1 { best = $1; which = $2 } $2 == "0.0x0" { chosen = $1 } /\.0x0$/ && !least { least = $1 }
            END { printf "choice %s ranks_x_threads=%s tried=%d best=%s best_s=%s chosen_s=%s ratio=%.3f among_plans=%.3f\n",
                      n, k, NR, which, best, chosen, ratio, chosen / least
                  print ratio, chosen / least >> file }' "$folder/all"
    done
}

setting cp "$tree/samples/cp/cp.c" --epochs 4 --quiet --no-eval-each-epoch "$tensor"
if [ -z "$quick" ]; then
    setting mf-32 "$tree/samples/mf/mf.c" --plain --rank 32 --epochs 6 --quiet --no-eval-each-epoch "$ratings"
    setting kmeans "$tree/samples/kmeans/kmeans.c" --clusters 64 --iterations 10 --quiet "$points"
fi
awk -v r="$(cut -d' ' -f1 "$work/ratios" | median)" -v w="$(sort -g "$work/ratios" | tail -n 1 | cut -d' ' -f1)" \
    -v p="$(cut -d' ' -f2 "$work/ratios" | sort -g | tail -n 1)" \
    'BEGIN { printf "choice ratio=%.3f worst=%.3f worst_among_plans=%.3f\n", r, w, p }'
