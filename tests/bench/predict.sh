# Sourced by run: `predict`. Seconds per pass of the loop that takes longest in each sample, as orrery simulate says
# from a profile with one thread, and as measured (ORRERY_STATS, the median pass): one thread, two threads, two ranks,
# two ranks on emulated hosts joined by 1 Gbit/s. All settings of a sample are run in turn, round after round; medians
# are compared. error = how far the larger is above the smaller.
data=$build/samples/data rounds=5
[ -z "$quick" ] || rounds=1
echo '{"schema": "orrery-cluster/1", "name": "here", "cores_per_node": 2}' > "$work/here"
echo '{"schema": "orrery-cluster/1", "name": "hosts", "nodes": 2, "cores_per_node": 1}' > "$work/hosts"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# program NAME SOURCE [FLAG ...]
program() {
    local name=$1 source=$2
    shift 2
    orrery-cc -O3 -march=native "$@" "$tree/samples/$source" -o "$work/$name" -lm
}

# passes LOOP FILE: the median pass of a loop, out of what a run said.
passes() {
    awk -v loop="$1" 'index($2, loop) { for (i = 3; i < NF; ++i) if ($i == "median-pass") print $(i + 1) }' "$2" | head -n 1
}

# simulated PROFILE CLUSTER RANKS THREADS MEMBER
simulated() {
    orrery simulate --cluster "$work/$2" --format=json --ranks "$3" --threads "$4" "$1" |
        sed -n "s/.*\"$5\": \"*\([^\",]*\)\"*,*\$/\1/p" | head -n 1
}

# measure NAME PROGRAM KINDS WORD ...: KINDS are of 1x1 1x2 2x1 hosts, ranks x threads.
measure() {
    local name=$1 program=$work/$2 kinds=$3 kind round loop out cluster setting
    shift 3
    for ((round = 1; round <= rounds; ++round)); do
        say "predict $name: round $round of $rounds"
        ORRERY_PROFILE=$work/$name.profile ORRERY_THREADS=1 "$program" "$@" > "$work/out"
        sed -i 's/"gap_seconds": [-0-9.e+]*/"gap_seconds": 0/' "$work/$name.profile"
        loop=$(simulated "$work/$name.profile" here 1 1 loop)
        for kind in $kinds; do
            out=$work/stats cluster=here setting=$kind
            case $kind in
            1x*) ORRERY_STATS=1 ORRERY_THREADS=${kind#*x} "$program" "$@" 2> "$out" > "$work/out" ;;
            2x1) ORRERY_STATS=1 orrery run -n 2 --threads 1 -- "$program" "$@" 2> "$out" > "$work/out" ;;
            hosts)
                [ -n "$hosts" ] || continue
                echo "$out $program $*" > "$work/jobs"
                bash "$tree/tests/bench/predict_hosts.sh" "$build/bin" "$work/jobs" ||
                    { say "no measurement on emulated hosts"; hosts= && continue; }
                cluster=hosts setting=2x1
                ;;
            esac
            passes "${loop##*/}" "$out" >> "$work/$name.$kind.measured"
            simulated "$work/$name.profile" $cluster ${setting%x*} ${setting#*x} seconds_per_pass \
                >> "$work/$name.$kind.predicted"
        done
    done
    for kind in $kinds; do
        [ -s "$work/$name.$kind.measured" ] || continue
        awk -v n="$name" -v k="$kind" -v loop="${loop##*/}" -v m="$(median < "$work/$name.$kind.measured")" \
            -v p="$(median < "$work/$name.$kind.predicted")" -v file="$work/errors" 'BEGIN {
            e = p > m ? p / m - 1 : m / p - 1
            printf "predict %s loop=%s setting=%s measured_s=%.6f predicted_s=%.6f error=%.3f\n", n, loop, k, m, p, e
            print e, n, k >> file }'
    done
}

hosts=yes all="1x1 1x2 2x1 hosts" threads="1x1 1x2"
program mf mf/mf.c
program gauss_seidel gauss_seidel/gauss_seidel.c
measure mf-32 mf "$all" --rank 32 --epochs 8 --quiet --no-eval-each-epoch "$data/names.mtx"
measure gauss_seidel gauss_seidel "$threads" --grid 1000 --sweeps 40 --quiet
if [ -z "$quick" ]; then
    for source in mf/mf_rows mf/mf_structs kmeans/kmeans cp/cp embed/embed glove/glove lda/lda slr/slr lcs/lcs sptrsv/sptrsv; do
        program "${source#*/}" "$source.c"
    done
    measure mf-128 mf "$all" --rank 128 --epochs 8 --quiet --no-eval-each-epoch "$data/names.mtx"
    measure mf-adaptive mf "$all" --adaptive --epochs 8 --quiet --no-eval-each-epoch "$data/names.mtx"
    measure mf_rows mf_rows "$all" --epochs 8 --quiet --no-eval-each-epoch "$data/names.mtx"
    measure mf_structs mf_structs "$all" --epochs 8 --quiet --no-eval-each-epoch "$data/names.mtx"
    measure kmeans kmeans "$all" --label --clusters 64 --iterations 20 --quiet "$data/covtype20k.csv"
    measure cp cp "$all" --epochs 8 --quiet --no-eval-each-epoch "$data/names.tns"
    measure embed embed "$all" --epochs 8 --quiet --no-eval-each-epoch
    measure glove glove "$all" --epochs 8 --quiet --no-eval-each-epoch "$data/words.txt"
    measure lda lda "$all" --epochs 8 --quiet --no-eval-each-epoch "$data/specs.ldac"
    measure slr slr "$all" --epochs 8 --quiet --no-eval-each-epoch
    measure slr-adagrad slr "$all" --adagrad --epochs 8 --quiet --no-eval-each-epoch
    measure lcs lcs "$threads" --letters 10000
    measure sptrsv sptrsv "$all" --grid 300 --steps 40 --quiet
fi
awk -v m="$(cut -d' ' -f1 "$work/errors" | median)" '{ if ($1 > worst) { worst = $1; which = $2 " " $3 } }
    END { printf "predict median_error=%.3f worst_error=%.3f worst=%s settings=%d\n", m, worst, which, NR }' "$work/errors"
