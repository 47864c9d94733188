# Sourced by run: `convergence [FILE [NAME ...]]`: held-out quality pass by pass of the serial program, of Orrery's, and of data
# parallelism by the same program: everything that the loop writes is relaxed (mf_adarev: buffered, its own --delayed),
# S rows of the grid are S workers, and their changes are added up M times a pass. The learning rate of data parallelism
# is the best of three for each S and M. FILE: where all passes go (docs/convergence/passes.tsv is one); with NAMEs the
# other programs' passes stay there as they were.
# ratio: passes (and seconds) of data parallelism with 8 workers over ours, both until the worse of the two best figures.
data=$build/samples/data log=${1:-$work/passes.tsv} given=("${@:2}") settings="2/1 8/1 8/8 32/1" factors="1 .3 .1" names="mf mf_adarev lda cp glove embed slr fm"
[ -z "$quick" ] || { settings="8/1" factors="1" names="cp"; }
ln -s "$tree/samples/common" "$work/common"
[ ${#given[@]} -eq 0 ] || names="${given[*]}"
[ -s "$log" ] && [ ${#given[@]} -gt 0 ] || printf 'program\tsetting\tworkers\tmerges\trate\tpass\theld_out\tseconds\n' > "$log"

# What a sample is given, its rate, and what data parallelism relaxes.
describe() {
    rate= relaxed= marked="#pragma orrery parallel"
    case $1 in
    mf) words=(--plain --rank 32 --epochs 15 "$data/names.mtx") rate=.02 relaxed="W, H, GW, GH" ;;
    mf_adarev) words=(--rank 16 --epochs 12 "$data/names.mtx") rate=.2 ;;
    lda) words=(--epochs 40 "$data/specs.ldac") relaxed="of_word, total" ;;
    cp) words=(--epochs 15 "$data/names.tns") rate=.2 relaxed="A, B, C, GA, GB, GC" ;;
    glove) words=(--epochs 15 "$data/words.txt") rate=.05 relaxed="W, C, GW, GC" ;;
    embed) words=(--epochs 10) rate=.05 relaxed="E, bias" ;;
    slr) words=(--epochs 10 "$data/a9a") rate=.002 relaxed="w" marked="$marked unordered relax" ;;
    fm) words=(--epochs 10 "$data/a9a") rate=.002 relaxed="w, V" ;;
    esac
    [ -z "$quick" ] || words=(--epochs 2 "${words[@]:2}")
}

# relaxed_text NAME MERGES: the sample with everything relaxed.
relaxed_text() {
    mkdir -p "$work/$1"
    sed "s/$marked.*/#pragma orrery parallel unordered relax(add : $relaxed) sync(steps = $2)/" \
        "$tree/samples/$1/$1.c" > "$work/$1/$1.c"
}

# build NAME OUTPUT SOURCE COMPILER
make_program() {
    "$3" -O3 -ffp-contract=off -I"$tree/include" -I"$work" "$2" -o "$1" -L"$build/lib" -lorrery-load -lm
}

# passes NAME SETTING WORKERS MERGES RATE COMMAND ...: runs, logs every pass; prints the best held-out figure.
passes() {
    local prefix
    prefix=$(printf '%s\t%s\t%s\t%s\t%s' "$1" "$2" "$3" "$4" "$5")
    shift 5
    "$@" "${words[@]}" > "$work/out" 2> "$work/err" || echo "epoch 1  train nan  held-out diverged  0 s" >> "$work/out"
    awk -v prefix="$prefix" -v log_="$log" '$1 == "epoch" {
        held = $6 + 0 > 0 ? $6 + 0 : 1e9
        seconds += $(NF - 1)
        printf "%s\t%d\t%s\t%.4f\n", prefix, $2, held, seconds >> log_
        best = best == "" || held < best ? held : best } END { print best }' "$work/out"
}

# parallel NAME WORKERS MERGES: data parallelism with the best rate.
parallel() {
    local name=$1 workers=$2 merges=$3 factor each program=$work/$1/program extra=() rated
    if [ "$name" = mf_adarev ]; then
        program=$work/mf_adarev.ours extra=(--delayed --batches "$merges")
    else
        relaxed_text "$name" "$merges"
        make_program "$program" "$work/$name/$name.c" orrery-cc
    fi
    for factor in ${rate:+$factors} ${rate:-none}; do
        [ "$factor" != "$rate" ] || continue
        each=$(awk -v r="${rate:-0}" -v f="$factor" 'BEGIN { print r * f }')
        rated=(${rate:+--rate "$each"})
        say "convergence: $name, $workers workers, $merges merges a pass${rate:+, rate $each}"
        echo "$(passes "$name" data-parallel "$workers" "$merges" "$each" \
            env ORRERY_GRID="${workers}x1" ORRERY_THREADS=2 "$program" "${extra[@]}" "${rated[@]}") $each"
    done | sort -g | head -n 1 | cut -d ' ' -f 2 > "$work/best"
    awk -F '\t' -v OFS='\t' -v n="$name" -v w="$workers" -v m="$merges" -v r="$(cat "$work/best")" '$1 == n &&
        $2 == "data-parallel" && $3 == w && $4 == m && $5 != r { next } { print }' "$log" > "$work/log" && cat "$work/log" > "$log"
}

for name in $names; do
    describe "$name"
    awk -F '\t' -v n="$name" '$1 != n' "$log" > "$work/log" && cat "$work/log" > "$log"
    mkdir -p "$work/$name"
    source=$tree/samples/$name/$name.c
    make_program "$work/$name.serial" "$source" cc
    make_program "$work/$name.ours" "$source" orrery-cc
    say "convergence: $name, serial and ours"
    passes "$name" serial 1 0 "${rate:-0}" "$work/$name.serial" > "$work/out.best"
    passes "$name" orrery 8 0 "${rate:-0}" env ORRERY_GRID=8x8 ORRERY_THREADS=2 "$work/$name.ours" > "$work/out.best"
    for setting in $settings; do
        parallel "$name" "${setting%/*}" "${setting#*/}"
    done
done
for name in $(sed 1d "$log" | cut -f 1 | uniq); do
    awk -F '\t' -v n="$name" '
        $1 == n && $2 == "orrery" { ours[$6] = $7; took[$6] = $8; last = $6; best = best == "" || $7 < best ? $7 : best }
        $1 == n && $2 == "data-parallel" && $3 == 8 {
            theirs[$4, $6] = $7; spent[$4, $6] = $8; end[$4] = $6
            if (!($4 in least) || $7 < least[$4])
                least[$4] = $7 }
        END { for (m in least) {
            if (least[m] >= 1e8) { printf "convergence %s workers=8 merges=%d diverged\n", n, m; continue }
            target = least[m] > best ? least[m] : best
            for (p = 1; ours[p] > target; ++p)
                ;
            for (t = 1; theirs[m, t] > target; ++t)
                ;
            printf "convergence %s workers=8 merges=%d at=%.4f data_parallel_best=%.4f ours_best=%.4f", n, m, target, least[m], best
            printf " data_parallel_passes=%d ours_passes=%d ratio=%.2f seconds_ratio=%.2f\n", t, p, t / p,
                (took[p] > 0 ? spent[m, t] / took[p] : 0) } }' "$log" |
        sort | tee -a "$work/ratios"
done
awk '{ for (i = 2; i <= NF; ++i) if (sub("^ratio=", "", $i) && (least == "" || $i + 0 < least)) least = $i + 0 }
    END { printf "convergence ratio=%.2f\n", least }' "$work/ratios"
