#!/bin/bash
# A rank whose memory group is full is ended by the kernel: `orrery run` says so, and what to do. Of a rank that somebody
# else kills it says no such thing. Needs memory groups that may be made.
. "$(dirname "$0")/lib.sh"
root=/sys/fs/cgroup most=memory.max
[ ! -d $root/memory ] || root=$root/memory most=memory.limit_in_bytes
group=$root/orrery-starved-$$
if ! { mkdir "$group" && echo 120M >"$group/$most"; } 2>err; then
    echo "skipped: $(cat err)"
    [ ! -d "$group" ] || rmdir "$group"
    exit 77
fi
trap 'rm -rf "$work"; rmdir "$group"' EXIT
# Nothing goes to the swap instead.
for file in memory.swap.max memory.swappiness; do
    [ ! -e "$group/$file" ] || echo 0 >"$group/$file"
done

cat >hungry.c <<'E2'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double sums[1000];
int main(int argc, char **argv) {
#pragma orrery parallel
    for (int i = 0; i < 1000; ++i)
        sums[i] = i * .5;
    if (strcmp(argv[1], "killed") == 0)
        raise(SIGKILL);
    size_t bytes = (size_t)400 << 20;
    char *all = malloc(bytes);
    memset(all, argc, bytes);
    printf("%g %d\n", sums[999], all[bytes / 2]);
}
E2
"$cc" -O1 -fno-builtin hungry.c -o hungry
in_group() {
    # shellcheck disable=SC2016
    bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"
}
launch=("$orrery" run -n 2 --oversubscribe --threads 1 ./hungry)
expect 137 in_group "${launch[@]}" fed
says err 'orrery run: rank 0 on .*: killed by signal 9 \(Killed\), as the kernel does where memory runs out, .*--memory SIZE .*--spill DIR'
expect 137 in_group "${launch[@]}" killed
says err 'orrery run: rank 0 on .*: killed by signal 9 \(Killed\)$'
