# Sourced by run: `emitted [NAME ...]`: samples as files that stand alone (`orrery emit --openmp`, `--pthreads`) against
# orrery-cc's programs, two threads, both with -O3 -march=native -ffp-contract=off: seconds that the sample itself says
# (of a pass where it says one), and processor seconds of the whole program (for busy machines), the least of all
# rounds; WITH='chrt -f 10' runs them in front of others. ratio and cpu = orrery-cc's over the file's. What is printed has to be the same but for seconds.
data=$build/samples/data rounds=5 forms="openmp pthreads" wanted=" $* "
flags="-O3 -march=native -ffp-contract=off"
[ -z "$quick" ] || rounds=1 wanted=" ${*:-mf lcs} "
export ORRERY_THREADS=2 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive

# built NAME SOURCE: $work/NAME.library, and NAME.openmp, NAME.pthreads.
built() {
    local name=$1 source=$tree/samples/$2 form
    local words="$flags -I $tree/include" libraries="-L $build/lib -lorrery-load -lm"
    # shellcheck disable=SC2086
    orrery-cc $words "$source" -o "$work/$name.library" $libraries
    for form in $forms; do
        # shellcheck disable=SC2086
        orrery emit "--$form" $words "$source" -o "$work/$name.$form.c" 2> "$work/said" || { cat "$work/said" >&2 && return 1; }
        # shellcheck disable=SC2086
        cc -fopenmp -pthread -w $words -iquote "$(dirname "$source")" "$work/$name.$form.c" -o "$work/$name.$form" $libraries
    done
}

# one NAME KIND WORD ...: a run's seconds, to NAME.KIND.seconds; what it computed, to NAME.KIND.result.
one() {
    local name=$1 kind=$2
    shift 2
    TIMEFORMAT='%U %S'
    { time ${WITH:-} "$work/$name.$kind" "$@" > "$work/out" 2> "$work/err"; } 2> "$work/time" || { cat "$work/err" >&2; say "$name.$kind failed"; exit 1; }
    awk '{ print $1 + $2 }' "$work/time" >> "$work/$name.$kind.processor"
    [ ! -s "$work/err" ] || { cat "$work/err" >&2; say "$name.$kind says something"; exit 1; }
    grep -oE '[0-9.]+ s$' "$work/out" > "$work/passes" || tail -n 1 "$work/out" | grep -oE '[0-9.]+ s,' > "$work/passes"
    grep -oE '^[0-9.]+' "$work/passes" >> "$work/$name.$kind.seconds"
    sed -E 's/ *[0-9.]+ s( per (pass|round))?( in triangles)?\b//g' "$work/out" > "$work/$name.$kind.result"
}

least() {
    sort -g "$work/$1" | head -n 1
}

# over NAME KIND WHAT: orrery-cc's least over the file's.
over() {
    ratio "$(least "$1.library.$3")" "$(least "$1.$2.$3")"
}

# sample NAME SOURCE WORD ...
sample() {
    local name=$1 source=$2 kind round line
    shift 2
    [ "$wanted" = "  " ] || [ "${wanted#* "$name" }" != "$wanted" ] || return 0
    built "$name" "$source" || { echo "emitted $name not emitted" && return 0; }
    for ((round = 1; round <= rounds; ++round)); do
        say "emitted $name: round $round of $rounds"
        for kind in library $forms; do
            one "$name" $kind "$@"
        done
    done
    line="emitted $name library_s=$(least "$name.library.seconds") library_cpu_s=$(least "$name.library.processor")"
    for kind in $forms; do
        cmp "$work/$name.library.result" "$work/$name.$kind.result" >&2 || { say "$name: other results"; exit 1; }
        line+=" ${kind}_s=$(least "$name.$kind.seconds") ${kind}_ratio=$(over "$name" $kind seconds)"
        line+=" ${kind}_cpu=$(over "$name" $kind processor)"
        over "$name" $kind seconds >> "$work/ratios"
    done
    echo "$line"
}

short=--no-eval-each-epoch
# shellcheck disable=SC2086
{
    sample mf mf/mf.c --plain --rank 32 --epochs 8 $short "$data/names.mtx"
    sample mf_rows mf/mf_rows.c --epochs 8 $short "$data/names.mtx"
    sample mf_structs mf/mf_structs.c --epochs 8 $short "$data/names.mtx"
    sample mf_adarev mf_adarev/mf_adarev.c --epochs 5 $short "$data/names.mtx"
    sample mf_delayed mf_adarev/mf_adarev.c --delayed --epochs 5 $short "$data/names.mtx"
    sample kmeans kmeans/kmeans.c --label --clusters 64 --iterations 20 "$data/covtype20k.csv"
    sample cp cp/cp.c --epochs 30 $short "$data/names.tns"
    sample embed embed/embed.c --epochs 8 $short
    sample embed_joint embed/embed.c --joint --epochs 3 $short
    sample umap umap/umap.c --epochs 60 "$data/covtype20k.csv"
    sample glove glove/glove.c --epochs 5 $short "$data/words.txt"
    sample lda lda/lda.c --epochs 6 $short "$data/specs.ldac"
    sample lda_delayed lda_delayed/lda_delayed.c --epochs 20 $short "$data/specs.ldac"
    sample gbt gbt/gbt.c --trees 30 $short "$data/covtype20k.csv"
    sample mlp mlp/mlp.c --epochs 8 $short "$data/covtype20k.csv"
    sample mlp_greedy mlp/mlp.c --greedy --epochs 5 $short "$data/covtype20k.csv"
    sample pagerank pagerank/pagerank.c --passes 40
    sample groups groups/groups.c --rounds 5 $short "$data/names.tns"
    sample fm fm/fm.c --epochs 5 $short "$data/a9a"
    sample slr slr/slr.c --epochs 8 $short
    sample slr_adagrad slr/slr.c --adagrad --epochs 8 $short
    sample sptrsv sptrsv/sptrsv.c --grid 300 --steps 30
    sample gauss_seidel gauss_seidel/gauss_seidel.c --grid 1000 --sweeps 100
    sample lcs lcs/lcs.c --letters 10000 --repeat 4
    sample stream stream/stream.c
}
echo "emitted median=$(median < "$work/ratios") worst=$(sort -g "$work/ratios" | head -n 1)"
