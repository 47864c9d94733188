#!/bin/bash
# More and fewer ranks while a job runs, by `orrery resize` or by whoever writes the file: among ranks that were started
# between two regions, else from a checkpoint in memory or in a folder, without anybody's doing. Same bits.
. "$(dirname "$0")/lib.sh"
meanwhile
cat >grows.c <<'END'
#include <stdio.h>
#include <unistd.h>
static double w[500];
static int at[6000];
int main(void) {
    for (int i = 0; i < 6000; ++i)
        at[i] = (int)(i * 7919L % 500);
    long passes = 0;
    for (int pass = 0; pass < 1000000 && access("stop", F_OK) != 0; ++pass) {
        double sum = 0;
#pragma orrery parallel unordered
        for (int i = 0; i < 6000; ++i) {
            w[at[i]] += .001 * i - .1 * w[at[i]];
            sum += w[at[i]];
        }
        usleep(1000);
        passes = pass;
        if (pass % 10 == 0)
            printf("%d %.17g\n", pass, sum);
    }
    printf("result %ld %.17g\n", passes, w[17]);
    return 0;
}
END
"$cc" -O2 grows.c -o grows
run=("$orrery" run -n 2 --resize ranks --oversubscribe --threads 1)
begin() {
    rm -f stop
    echo 3 >ranks # of another run
    : >job.err
    : >job.out
    "$@" >job.out 2>job.err &
    job=$!
}
# until_says TEXT [TIMES]
until_says() {
    until [ "$(grep -c "$1" job.err)" -ge "${2-1}" ]; do
        kill -0 $job || fail "it ended before it said '$1': $(cat job.err)"
        sleep .02
    done
}
ends() {
    touch stop
    wait $job || fail "status $?: $(cat job.err)"
}
# All of the same passes have the same sums, however often one was written.
same_passes() {
    last=$(sed -n 's/^result \([0-9]*\) .*/\1/p' job.out)
    rm -f stop
    sed "s/pass < 1000000 && access(\"stop\", F_OK) != 0/pass <= $last/; s/usleep(1000)/(void)0/" grows.c >serial.c
    "$cc" -O2 serial.c -o serial
    ORRERY_THREADS=1 ./serial >reference.txt
    [ "$(sort -u job.out)" = "$(sort -u reference.txt)" ] || fail "other bits: $(sort -u job.out | diff - <(sort -u reference.txt) | head)"
}

# Ranks that were started: data stay in memory.
ORRERY_STATS=1 begin "${run[@]}" --most 4 ./grows
until_says '2 of 4 ranks take part'
for ranks in 4 3 1; do
    expect 0 "$orrery" resize ranks $ranks
    until_says "$ranks of 4 ranks take part"
done
echo 5 >ranks
until_says '5 ranks cannot be had: 4 were started'
echo some >ranks
until_says 'ranks holds no number of ranks'
sleep .5
[ "$(grep -c 'ranks holds no number of ranks' job.err)" = 1 ] || fail "it is said more than once"
ends
same_passes
says job.err 'rows-dealt 4 1 0 0 0'
asked=$(sed -n 's/^orrery run: \([0-9]*\) ranks\{0,1\} from the next region on$/\1/p' job.err | tr '\n' ' ')
[ "$asked" = "4 3 1 " ] || fail "these numbers of ranks were taken: $asked"

# Other ranks: a checkpoint in memory, of which nothing stays.
saved() {
    find /dev/shm -maxdepth 1 -name 'orrery-save-*' | sort
}
before=$(saved)
begin "${run[@]}" ./grows
more=0
for ranks in 3 1 2; do
    until [ -s job.out ]; do sleep .02; done
    expect 0 "$orrery" resize ranks $ranks
    until_says 'going on from /dev/shm' $((++more))
done
ends
same_passes
left=$(comm -13 <(echo "$before") <(saved))
for folder in $left; do
    ! grep -q "$folder" job.err || fail "something is left: $folder"
done

# A signal meanwhile ends the run for good.
sed 's/usleep(1000)/usleep(400000)/' grows.c >slow.c
"$cc" -O2 slow.c -o slow
begin timeout -k 2 60 "${run[@]}" --checkpoint ended ./slow
until [ -s job.out ]; do sleep .02; done
expect 0 "$orrery" resize ranks 3
until_says 'from the next checkpoint'
kill -TERM "$(pgrep -P $job)"
status=0
wait $job || status=$?
[ $status = 75 ] || fail "status $status of a run that a signal ended: $(cat job.err)"

# Ranks that were started and others, with a folder.
begin "${run[@]}" --most 3 --checkpoint saved ./grows
until_says '2 of 3 ranks take part'
expect 0 "$orrery" resize ranks 3
until_says '3 of 3 ranks take part'
expect 0 "$orrery" resize ranks 4
until_says 'going on from .*saved'
ends
same_passes

expect 2 "$orrery" resize ranks 0
expect 2 "$orrery" resize ranks many
expect 2 "$orrery" resize none/ranks 2
expect 2 "$orrery" run -n 2 --most 4 ./grows
expect 2 "$orrery" run -n 4 --most 2 --resize ranks ./grows
