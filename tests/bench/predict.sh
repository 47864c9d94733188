# Sourced by run: `predict [SAMPLE ...]`. Seconds per pass of the loop that takes longest in each sample, as orrery
# simulate says from profiles with one thread and with two and from links that were measured, and as measured (ORRERY_STATS, the median pass): one
# thread, two threads, two ranks, two ranks on emulated hosts joined by 1 Gbit/s. Profiles and all settings of a sample
# are run in turn, round after round, and of each the least of the rounds' median passes is taken: others on the same cores only add. No setting is predicted
# from a run that it is compared with. The hosts are one computer's (nodes_per_computer). error = how far the larger is above the smaller. A setting that the
# plan does not allow is printed with the reason. After five and a half minutes no further round begins.
data=$build/samples/data rounds=3 wanted=330
[ -z "$quick" ] || rounds=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
SECONDS=0
wanted_samples=" $* "

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

# simulated PROFILE CLUSTER RANKS THREADS LOOP MEMBER
simulated() {
    orrery simulate --cluster "$work/$2" --busy "${1%.profile}.busy" --format=json --ranks "$3" --threads "$4" ${5:+--loop "$5"} "$1" |
        sed -n "s/.*\"$6\": \"*\([^\",]*\)\"*,*$/\1/p" | head -n 1
}

# on_hosts OUT WORD ...: a run on the emulated hosts; status 77: there are none.
on_hosts() {
    echo "$*" > "$work/jobs"
    bash "$tree/tests/bench/predict_hosts.sh" "$build/bin" "$work/jobs" > "$work/out" 2>&1
}

# The links, measured in every round: between ranks of this machine, and of the hosts.
links() {
    say "predict: links"
    rm -f "$work/here" "$work/hosts"
    ORRERY_LINKS=$work/here orrery run -n 2 --threads 1 -- "$work/lcs" --help > "$work/out"
    [ -z "$hosts" ] ||
        ORRERY_LINKS=$work/hosts on_hosts "$work/stats" "$work/lcs" --help || { say "no emulated hosts"; hosts=; }
    [ ! -s "$work/hosts" ] ||
        sed -i -e '1s/{/{"nodes_per_computer": 2, /' -e 's/"between_nodes": {/&"burst_kb": 131, /' "$work/hosts"
    cat "$work"/here "$work"/hosts >&2 2> /dev/null || true
}

# run_setting KIND PROGRAM WORD ...: what it says of itself goes to $work/stats. False: it cannot run.
run_setting() {
    local kind=$1 program=$2
    shift 2
    case $kind in
    1x*) ORRERY_STATS=1 ORRERY_THREADS=${kind#*x} "$program" "$@" 2> "$work/stats" > "$work/out" ;;
    2x1) ORRERY_STATS=1 orrery run -n 2 --threads 1 -- "$program" "$@" 2> "$work/stats" > "$work/out" ;;
    hosts) on_hosts "$work/stats" "$program" "$@" ;;
    esac
}

# setting NAME KIND LOOP PROGRAM WORD ...
setting() {
    local name=$1 kind=$2 loop=$3 cluster=here shape=$2 why
    shift 3
    [ $kind != hosts ] || cluster=hosts shape=2x1
    [ $kind != hosts ] || [ -n "$hosts" ] || return 0
    why=$(simulated "$work/$name.profile" $cluster ${shape%x*} ${shape#*x} "$loop" why_not)
    if [ -z "$why" ] && ! run_setting $kind "$@"; then
        why=$(grep -m 1 -E 'rank 0:|orrery' "$work/stats" "$work/out" | sed 's/^[^:]*://')
        why=${why:-it could not be run}
    fi
    if [ -n "$why" ]; then
        echo "$why" > "$work/$name.$kind.why"
        return 0
    fi
    passes "${loop##*/}" "$work/stats" >> "$work/$name.$kind.measured"
    simulated "$work/$name.profile" $cluster ${shape%x*} ${shape#*x} "$loop" seconds_per_pass \
        >> "$work/$name.$kind.predicted"
}

# longest PROFILE: the loop whose passes take most.
longest() {
    python3 -c 'import json, sys
loops = json.load(open(sys.argv[1]))["loops"]
print(max(loops, key=lambda l: l["passes"] * sum(s[1] for s in l["steps"]))["loop"])' "$1"
}

# measure NAME PROGRAM WORD ...: another round; the serial code between passes is not the loop's.
measure() {
    local name=$1 program=$work/$2 kind
    shift 2
    [ "$wanted_samples" = "  " ] || [ "${wanted_samples#* "$name" }" != "$wanted_samples" ] || return 0
    say "predict $name: round $round of $rounds, $SECONDS s"
    ORRERY_PROFILE=$work/$name.profile ORRERY_THREADS=1 "$program" "$@" > "$work/out"
    ORRERY_PROFILE=$work/$name.busy ORRERY_THREADS=2 "$program" "$@" > "$work/out"
    sed -i 's/"gap_seconds": [-0-9.e+]*/"gap_seconds": 0/' "$work/$name.profile"
    longest "$work/$name.profile" > "$work/$name.loop"
    [ -e "$work/order" ] && grep -qx "$name" "$work/order" || echo "$name" >> "$work/order"
    for kind in 1x1 1x2 2x1 hosts; do
        setting "$name" $kind "$(cat "$work/$name.loop")" "$program" "$@"
    done
}

# report NAME: its settings.
report() {
    local name=$1 kind loop
    loop=$(cat "$work/$name.loop")
    for kind in 1x1 1x2 2x1 hosts; do
        if [ -s "$work/$name.$kind.why" ]; then
            echo "predict $name loop=${loop##*/} setting=$kind not: $(cat "$work/$name.$kind.why")"
        elif [ -s "$work/$name.$kind.measured" ]; then
            awk -v n="$name" -v k="$kind" -v loop="${loop##*/}" -v m="$(sort -g "$work/$name.$kind.measured" | head -n 1)" \
                -v p="$(sort -g "$work/$name.$kind.predicted" | head -n 1)" -v file="$work/errors" 'BEGIN {
                e = p > m ? p / m - 1 : m / p - 1
                printf "predict %s loop=%s setting=%s measured_s=%.6f predicted_s=%.6f error=%.3f\n", n, loop, k, m, p, e
                print e, n, k >> file }'
        fi
    done
}

hosts=yes
for source in mf/mf gauss_seidel/gauss_seidel lcs/lcs; do
    program "${source#*/}" "$source.c"
done
if [ -z "$quick" ]; then
    for source in mf/mf_rows mf/mf_structs kmeans/kmeans cp/cp embed/embed glove/glove lda/lda slr/slr sptrsv/sptrsv stream/stream; do
        program "${source#*/}" "$source.c"
    done
fi
for ((round = 1; round <= rounds; ++round)); do
    [ $round -eq 1 ] || [ $SECONDS -lt $wanted ] || break
    links
    measure mf-32 mf --plain --rank 32 --epochs 60 --quiet --no-eval-each-epoch "$data/names.mtx"
    measure gauss_seidel gauss_seidel --grid 1000 --sweeps 300 --quiet
    [ -z "$quick" ] || break
    measure mf-128 mf --plain --rank 128 --epochs 20 --quiet --no-eval-each-epoch "$data/names.mtx"
    measure mf-adaptive mf --adaptive --epochs 30 --quiet --no-eval-each-epoch "$data/names.mtx"
    measure mf_rows mf_rows --epochs 50 --quiet --no-eval-each-epoch "$data/names.mtx"
    measure mf_structs mf_structs --epochs 50 --quiet --no-eval-each-epoch "$data/names.mtx"
    measure kmeans kmeans --label --clusters 64 --iterations 40 --quiet "$data/covtype20k.csv"
    measure cp cp --epochs 80 --quiet --no-eval-each-epoch "$data/names.tns"
    measure embed embed --epochs 24 --quiet --no-eval-each-epoch
    measure glove glove --epochs 5 --quiet --no-eval-each-epoch "$data/words.txt"
    measure lda lda --epochs 10 --quiet --no-eval-each-epoch "$data/specs.ldac"
    measure slr slr --epochs 12 --quiet --no-eval-each-epoch
    measure slr-adagrad slr --adagrad --epochs 12 --quiet --no-eval-each-epoch
    measure lcs lcs --letters 10000 --repeat 8
    measure sptrsv sptrsv --grid 300 --steps 60 --quiet
    measure stream stream
done
while read -r name; do
    report "$name"
done < "$work/order"
awk -v m="$(cut -d' ' -f1 "$work/errors" | median)" '{ if ($1 > worst) { worst = $1; which = $2 "-" $3 } within += $1 <= .25 }
    END { printf "predict median=%.3f worst=%.3f which=%s within=%d/%d\n", m, worst, which, within, NR }' "$work/errors"
