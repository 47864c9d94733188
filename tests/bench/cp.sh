# Sourced by run: `cp [FILE]`, `embed [FILE]`, `glove [FILE]`: a tensor of three ways, the edges of a
# graph, the words of a text.
# Threads and grids: time per pass, and held-out quality against the serial program's.
sample=${sample:-cp}
epochs=10 rounds=5 grids="2x2 4x4 8x8 16x16"
[ -z "$quick" ] || { epochs=2 rounds=1 grids="2x2"; }
case $sample in
cp)
    file=${1:-$build/samples/data/names.tns}
    [ -r "$file" ] || { say "no $file: build the target sample-data"; exit 1; }
    words=(--epochs $epochs "$file")
    ;;
glove)
    file=${1:-$build/samples/data/words.txt}
    [ -r "$file" ] || { say "no $file: build the target sample-data"; exit 1; }
    epochs=15
    [ -z "$quick" ] || epochs=2
    words=(--epochs $epochs "$file")
    ;;
embed)
    words=(--epochs $epochs)
    [ -z "$quick" ] || words+=(--nodes 2000 --edges 20000)
    [ -z "${1:-}" ] || words+=("$1")
    ;;
esac
cc -O3 -ffp-contract=off -I"$tree/include" "$tree/samples/$sample/$sample.c" -o "$work/serial" -L"$build/lib" -lorrery-load -lm
orrery-cc -O3 "$tree/samples/$sample/$sample.c" -o "$work/ours" -lm

# one KIND COMMAND...: one run; appends the processor's seconds per pass and the held-out figure.
one() {
    local kind=$1
    shift
    "$@" --quiet --no-eval-each-epoch "${words[@]}" > "$work/out" || { say "$* failed"; exit 1; }
    sed -n 's/.*median \([0-9.]*\) s.*/\1/p' "$work/out" >> "$work/pass.$kind"
    sed -n 's/.*held-out \([0-9.]*\)$/\1/p' "$work/out" >> "$work/held.$kind"
}

of() {
    median < "$work/$1"
}

for ((round = 1; round <= rounds; ++round)); do
    say "$sample: round $round of $rounds"
    one serial "$work/serial"
    one thread1 env ORRERY_THREADS=1 "$work/ours"
    one thread2 env ORRERY_THREADS=2 "$work/ours"
    one rank1 orrery run -n 1 --threads 1 -- "$work/ours"
    one rank2 orrery run -n 2 --threads 1 -- "$work/ours"
done
echo "$sample serial_s=$(of pass.serial) one_thread_s=$(of pass.thread1) two_threads_s=$(of pass.thread2)" \
    "one_rank_s=$(of pass.rank1) two_ranks_s=$(of pass.rank2)" \
    "serial_over_one_thread=$(ratio "$(of pass.serial)" "$(of pass.thread1)")" \
    "one_over_two_ranks=$(ratio "$(of pass.rank1)" "$(of pass.rank2)")" \
    "held_out_serial=$(of held.serial) held_out=$(of held.thread2)"
for grid in $grids; do
    say "$sample: grid $grid"
    one "grid.$grid" env ORRERY_THREADS=2 ORRERY_GRID="$grid" "$work/ours"
    echo "$sample grid=$grid two_threads_s=$(of "pass.grid.$grid") held_out=$(of "held.grid.$grid")" \
        "over_serial=$(ratio "$(of "held.grid.$grid")" "$(of held.serial)")"
    ratio "$(of "held.grid.$grid")" "$(of held.serial)" >> "$work/worst"
done
say "$sample: the worst grid's held-out figure over the serial one's: $(sort -g "$work/worst" | tail -n 1)"
echo "$sample one_over_two_threads=$(ratio "$(of pass.thread1)" "$(of pass.thread2)")"
