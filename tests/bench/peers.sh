# Sourced by run: `peers [NAME ...]`: others' programs and ours on the same data with as many threads, and how long each
# took until both were as good as the worse of the two ends up. NAMES: kmeans, pagerank, hogwild (OpenMP versions: our
# own text with the line that one writes for OpenMP), blocked (kmeans by hand), liblinear, xgboost, libmf, glove, warplda, splatt. Where theirs comes from:
#   liblinear  Debian's package liblinear-tools (`train` and `predict` on the PATH, or in $PEER_LIBLINEAR)
#   xgboost    PyPI: a python3 that has xgboost and numpy, $PEER_PYTHON; $PEER_ROWS, $PEER_KIND: other rows, their kind
#   libmf      its source, github.com/cjlin1/libmf, in the folder $PEER_LIBMF
#   glove      its source, github.com/stanfordnlp/GloVe, in the folder $PEER_GLOVE
#   warplda    built programs `format` and `warplda` of github.com/thu-ml/warplda, in the folder $PEER_WARPLDA
#   splatt     the built program of github.com/ShadenSmith/splatt, branch sc16 (the one with `complete`): $PEER_SPLATT
# All with -O3 -march=native -ffast-math. A peer that is not there is reported as absent. Ratio: their seconds over ours.
data=$build/samples/data epochs=15 trees=50 rounds=${PEER_ROUNDS:-3}
[ -z "$quick" ] || { epochs=2 trees=3 rounds=1; }
flags=(-O3 -march=native -ffast-math -I"$tree/include")
names=("$@")
[ $# -gt 0 ] || names=(kmeans blocked pagerank hogwild liblinear xgboost libmf glove warplda splatt)

# ours NAME: the sample, built by orrery-cc.
ours() {
    [ -x "$work/$1.ours" ] ||
        orrery-cc "${flags[@]}" "$tree/samples/$1/$1.c" -o "$work/$1.ours" -L"$build/lib" -lorrery-load -lm
}

# openmp NAME PRAGMA: the sample with another line in place of Orrery's.
openmp() {
    mkdir -p "$work/src/$1"
    ln -sfn "$tree/samples/common" "$work/src/common"
    cp "$tree/samples/$1/"*.[ch] "$work/src/$1/"
    sed "s/#pragma orrery parallel.*/#pragma omp $2/" "$tree/samples/$1/$1.c" > "$work/src/$1/$1.c"
    cc -fopenmp "${flags[@]}" "$work/src/$1/$1.c" -o "$work/$1.openmp" -L"$build/lib" -lorrery-load -lm
}

# points COLUMN FILE: `seconds figure` per pass of a sample, seconds from the start.
points() {
    awk -v c="$1" '$1 == "epoch" { s += $(NF - 1); print s, $c } $1 == "round" { s += $(NF - 1); print s, $4 }' "$2"
}

# versus NAME THREADS THEIRS OURS: files of points; the time of each until its figure is that of the worse.
versus() {
    [ -s "$3" ] && [ -s "$4" ] || { echo "peers: $1: ${3##*/} or ${4##*/} is empty: a program ended without a pass" >&2; exit 1; }
    awk -v name="$1" -v threads="$2" -v sums="$work/ratio.$1.$2" 'FNR == 1 { file++ }
        { n[file]++; s[file, n[file]] = $1; q[file, n[file]] = $2
          if (n[file] == 1 || $2 < best[file]) best[file] = $2 }
        END { target = best[1] > best[2] ? best[1] : best[2]
          for (f = 1; f <= 2; ++f)
              for (i = n[f]; i > 0; --i)
                  if (q[f, i] <= target * 1.000001) took[f] = s[f, i]
          ratio = took[2] > 0 ? took[1] / took[2] : 0
          printf "peers %s threads=%d theirs_s=%.4f ours_s=%.4f ratio=%.3f theirs_best=%.6g ours_best=%.6g at=%.6g\n",
              name, threads, took[1], took[2], ratio, best[1], best[2], target
          print ratio >> sums }' "$3" "$4"
}

# pair NAME COLUMN SAMPLE THREADS WORD ...: the OpenMP version and ours.
pair() {
    local name=$1 column=$2 sample=$3 threads=$4
    shift 4
    OMP_NUM_THREADS=$threads "$work/$sample.openmp" "$@" > "$work/theirs.out"
    ORRERY_THREADS=$threads "$work/$sample.ours" "$@" > "$work/ours.out"
    points "$column" "$work/theirs.out" > "$work/theirs.points"
    points "$column" "$work/ours.out" > "$work/ours.points"
    versus "$name" "$threads" "$work/theirs.points" "$work/ours.points"
}

absent() {
    say "peers: $1 is absent: $2"
    echo "$1=absent" >> "$work/line"
}

run_kmeans() {
    pair kmeans 4 kmeans "$1" --label --clusters 64 --iterations $((epochs + 5)) "$data/covtype20k.csv"
}

peer_kmeans() {
    openmp kmeans 'parallel for schedule(static) reduction(+ : moved, inertia, count[:K], sum[:K * D])'
    ours kmeans
    each kmeans run_kmeans
}

run_pagerank() {
    pair pagerank 4 pagerank "$1" --scale 18 --passes "$epochs"
}

run_blocked() {
    pair blocked 4 kmeans "$1" --label --clusters 64 --iterations $((epochs + 5)) "$data/covtype20k.csv"
}

# The loop of kmeans as a kernel that is blocked by hand (tests/bench/kmeans_blocked.h).
peer_blocked() {
    mkdir -p "$work/src/kmeans"
    ln -sfn "$tree/samples/common" "$work/src/common"
    awk -v header="$tree/tests/bench/kmeans_blocked.h" '
        /#pragma orrery/ { print "inertia = blocked_round(x, rows, D, (int)K, centroid, assign, &moved, count, sum);"; inside = 1 }
        !inside { print }
        inside && /^        }$/ { inside = 0 }
        /#include "..\/common\/data.h"/ { print "#include \"" header "\"" }' \
        "$tree/samples/kmeans/kmeans.c" > "$work/src/kmeans/kmeans.c"
    cc -fopenmp "${flags[@]}" "$work/src/kmeans/kmeans.c" -o "$work/kmeans.openmp" -L"$build/lib" -lorrery-load -lm
    ours kmeans
    each blocked run_blocked
}

peer_pagerank() {
    openmp pagerank 'parallel for schedule(guided) reduction(+ : moved, stuck)'
    ours pagerank
    each pagerank run_pagerank
}

run_hogwild() {
    pair hogwild 6 mf "$1" --plain --rank 32 --epochs "$epochs" "$data/names.mtx"
}

# Updates of threads overwrite each other now and then: Recht, Re, Wright, Niu, NIPS 2011.
peer_hogwild() {
    openmp mf 'parallel for schedule(static) reduction(+ : loss)'
    ours mf
    each hogwild run_hogwild
}

run_liblinear() {
    [ "$1" = 1 ] || return 0
    local took
    took=$(milliseconds "$train_program" -s 0 -c "$cost" -q "$data/a9a" "$work/a9a.model")
    "$predict_program" -b 1 "$data/a9a.t" "$work/a9a.model" "$work/a9a.out" > "$work/predict.out"
    awk -v s="$took" 'NR == FNR { if (FNR == 1) positive = $2 == 1 ? 2 : 3; else p[FNR - 1] = $positive; next }
        { q = $1 > 0 ? p[FNR] : 1 - p[FNR]; loss -= log(q); n++ } END { print s / 1000, loss / n }' \
        "$work/a9a.out" "$data/a9a.t" > "$work/theirs.points"
    took=$(milliseconds env ORRERY_THREADS=1 "$work/slr.ours" --adagrad --epochs 1 --test "$data/a9a.t" "$data/a9a")
    ORRERY_THREADS=1 "$work/slr.ours" --adagrad --epochs $((2 * epochs)) --test "$data/a9a.t" "$data/a9a" > "$work/ours.out"
    points 6 "$work/ours.out" | awk -v first="$took" 'NR == 1 { before = first / 1000 - $1 } { print $1 + before, $2 }' \
        > "$work/ours.points"
    versus liblinear "$1" "$work/theirs.points" "$work/ours.points"
}

# Both with the time to read the examples.
peer_liblinear() {
    train_program=${PEER_LIBLINEAR:+$PEER_LIBLINEAR/}liblinear-train
    predict_program=${PEER_LIBLINEAR:+$PEER_LIBLINEAR/}liblinear-predict
    cost=1
    command -v "$train_program" > "$work/found" || { absent liblinear "no $train_program: install liblinear-tools"; return 0; }
    ours slr
    each liblinear run_liblinear
}

run_xgboost() {
    local rows=${PEER_ROWS:-$data/covtype20k.csv} kind=${PEER_KIND:-2}
    "$PEER_PYTHON" "$tree/tests/bench/peers_xgboost.py" "$rows" "$trees" "$1" "$kind" > "$work/theirs.points"
    ORRERY_THREADS=$1 "$work/gbt.ours" --trees "$trees" --positive "$kind" "$rows" > "$work/ours.out"
    points 6 "$work/ours.out" > "$work/ours.points"
    versus xgboost "$1" "$work/theirs.points" "$work/ours.points"
}

peer_xgboost() {
    [ -n "${PEER_PYTHON:-}" ] && "$PEER_PYTHON" -c 'import xgboost, numpy' 2> "$work/found" ||
        { absent xgboost "name a python3 that has it in PEER_PYTHON"; return 0; }
    ours gbt
    each xgboost run_xgboost
}

libmf_train() {
    "$work/libmf/mf-train" -f 0 -k "$rank" -l2 0.02 -r 0.1 -n 10 -s "$1" -t "$2" -p "$work/test.libmf" "$work/train.libmf" "$work/libmf.model"
}

run_libmf() {
    local few many
    few=$(milliseconds libmf_train "$1" 1)
    many=$(milliseconds libmf_train "$1" "$epochs")
    libmf_train "$1" "$epochs" | awk -v few="$few" -v many="$many" -v epochs="$epochs" '$1 + 0 == $1 && $3 + 0 > 0 {
        print ($1 + 1) * (many - few) / (epochs - 1) / 1000, $3 }' > "$work/theirs.points"
    ORRERY_THREADS=$1 "$work/mf.ours" --adaptive --rank "$rank" --rate "$rate" --epochs "$epochs" --test "$work/test.mtx" "$work/train.mtx" > "$work/ours.out"
    points 6 "$work/ours.out" > "$work/ours.points"
    versus "libmf_$rank" "$1" "$work/theirs.points" "$work/ours.points"
}

# Every tenth rating is held out, for both.
peer_libmf() {
    [ -n "${PEER_LIBMF:-}" ] || { absent libmf "name the folder of its source in PEER_LIBMF"; return 0; }
    cp -r "$PEER_LIBMF" "$work/libmf"
    make -C "$work/libmf" DFLAG="-DUSEAVX -DUSEOMP" CXXFLAGS="-O3 -pthread -std=c++11 -march=native -fopenmp" > "$work/make.out" 2>&1
    awk -v work="$work" '!/^%/ && NF == 3 { if (!seen++) { next }
        to = seen % 10 == 0 ? "test" : "train"; print $0 > (work "/" to ".mtx")
        print $1 - 1, $2 - 1, $3 > (work "/" to ".libmf") }' "$data/names.mtx"
    ours mf
    rank=32 rate=.2
    each libmf_32 run_libmf
    rank=128 rate=.1
    each libmf_128 run_libmf
}

glove_train() {
    (cd "$work" && glove/build/glove -input-file shuffled -vocab-file vocab -save-file vectors -x-max 10 -alpha 0.75 \
        -eta 0.05 -vector-size 50 -threads "$1" -iter "$2" -verbose 1 2>&1)
}

run_glove() {
    local few many
    few=$(milliseconds glove_train "$1" 1)
    many=$(milliseconds glove_train "$1" "$epochs")
    glove_train "$1" "$epochs" | sed -n 's/.*iter: *\([0-9]*\), cost: *\([0-9.]*\).*/\1 \2/p' |
        awk -v few="$few" -v many="$many" -v epochs="$epochs" '{ print ($1 + 0) * (many - few) / (epochs - 1) / 1000, $2 }' \
            > "$work/theirs.points"
    ORRERY_THREADS=$1 "$work/glove.ours" --held-out 0 --rank 50 --epochs "$epochs" "$data/words.txt" > "$work/ours.out"
    points 4 "$work/ours.out" > "$work/ours.points"
    versus glove "$1" "$work/theirs.points" "$work/ours.points"
}

# All counts learn, and the cost of the last pass is compared: GloVe holds nothing out.
peer_glove() {
    [ -n "${PEER_GLOVE:-}" ] || { absent glove "name the folder of its source in PEER_GLOVE"; return 0; }
    cp -r "$PEER_GLOVE" "$work/glove"
    make -C "$work/glove" > "$work/make.out" 2>&1
    (cd "$work" && glove/build/vocab_count -min-count 5 -verbose 0 < "$data/words.txt" > vocab &&
        glove/build/cooccur -vocab-file vocab -window-size 15 -memory 2 -verbose 0 < "$data/words.txt" > counts &&
        glove/build/shuffle -memory 2 -verbose 0 < counts > shuffled) 2> "$work/glove.err"
    ours glove
    each glove run_glove
}

# passes_seconds: of seconds per pass on stdin: the first, and for each of the others their median.
passes_seconds() {
    awk 'NR == 1 { print 0, $1; next } { print 1, $1 }' | sort -k1,1n -k2,2g |
        awk '{ x[NR] = $2 } END { print x[1] + (NR - 1) * x[1 + int(NR / 2)] }'
}

run_warplda() {
    local passes took
    : > "$work/theirs.points" && : > "$work/ours.points"
    for passes in $lda_passes; do
        OMP_NUM_THREADS=$1 "$PEER_WARPLDA/warplda" --prefix "$work/specs" --k 1000 --alpha 100 --beta 0.01 --niter "$passes" \
            --nodumpmodel --z "$work/specs.z" --nowriteinfo > "$work/warplda.out" 2> "$work/warplda.err"
        took=$(sed -n 's/^Iteration [0-9]*, \([0-9.]*\) s.*/\1/p' "$work/warplda.out" | passes_seconds)
        echo "$took $("$work/peers_lda" "$bag" "$work/specs.vocab" "$work/specs.z")" >> "$work/theirs.points"
        ORRERY_THREADS=$1 "$work/lda_delayed.ours" --no-eval-each-epoch --epochs "$passes" "$bag" > "$work/ours.out"
        took=$(sed -n 's/^epoch.* \([0-9.]*\) s$/\1/p' "$work/ours.out" | passes_seconds)
        echo "$took $(sed -n 's/.*held-out \([0-9.]*\)$/\1/p' "$work/ours.out")" >> "$work/ours.points"
    done
    versus warplda "$1" "$work/theirs.points" "$work/ours.points"
}

# A thousand topics, the same priors, a tenth of the tokens held out, the same for both: minus the mean logarithm of
# their probability, after several numbers of passes. $PEER_BAG: another bag of words. Nothing is evaluated in the time.
peer_warplda() {
    [ -x "${PEER_WARPLDA:-}/warplda" ] || { absent warplda "name the folder of its programs in PEER_WARPLDA"; return 0; }
    bag=${PEER_BAG:-$data/specs.ldac} lda_passes="20 40 80"
    [ -z "$quick" ] || lda_passes="2 4"
    for program in lda_delayed.ours peers_lda; do
        local compiler=orrery-cc source=$tree/samples/lda_delayed/lda_delayed.c
        [ $program != peers_lda ] || { compiler=cc && source=$tree/tests/bench/peers_lda.c; }
        $compiler "${flags[@]}" -DTOPICS=1000 "$source" -o "$work/$program" -L"$build/lib" -lorrery-load -lm
    done
    "$work/peers_lda" "$bag" > "$work/specs.txt"
    "$PEER_WARPLDA/format" -input "$work/specs.txt" -prefix "$work/specs" > "$work/format.out" 2>&1
    each warplda run_warplda
}

run_splatt() {
    "$PEER_SPLATT" complete -a sgd -r 16 -i "$epochs" -t "$1" --nowrite --seed 1 --reg 0.01 -s 0.02 -v "$work/train.tns" \
        "$work/test.tns" 2> "$work/splatt.err" |
        sed -n 's/^epoch: .*RMSE-vl: \([^ ]*\) *time: \([0-9.]*\)s.*/\2 \1/p' > "$work/theirs.points"
    ORRERY_THREADS=$1 "$work/cp.ours" --epochs "$epochs" "$data/names.tns" > "$work/ours.out"
    points 6 "$work/ours.out" > "$work/ours.points"
    versus splatt "$1" "$work/theirs.points" "$work/ours.points"
}

# A tenth of the cells is held out, not the same one: cp draws its own. Rate: the best of .001, .005 and .02. Its time
# has the evaluations in it.
peer_splatt() {
    [ -x "${PEER_SPLATT:-}" ] || { absent splatt "name its program in PEER_SPLATT"; return 0; }
    awk -v work="$work" '{ print > (work "/" (NR % 10 == 0 ? "test" : "train") ".tns") }' "$data/names.tns"
    ours cp
    each splatt run_splatt
}

# each NAME FUNCTION: all rounds with one thread and two; the line's ratio is that of two threads where there is one.
each() {
    local round threads
    for ((round = 1; round <= rounds; ++round)); do
        say "peers: $1, round $round of $rounds"
        for threads in 1 2; do
            "$2" $threads
        done
    done
    for threads in 2 1; do
        [ -s "$work/ratio.$1.$threads" ] || continue
        echo "$1=$(median < "$work/ratio.$1.$threads")" >> "$work/line"
        return 0
    done
}

for peer in "${names[@]}"; do
    "peer_$peer"
done
echo "peers $(tr '\n' ' ' < "$work/line" | sed 's/ $//')"
