#!/bin/bash
# An end of the program's own, with whatever status and words, is no loss: it is not started again, and nobody's
# process "is gone". Statuses of signals, on a process and on ranks; nothing stays in /dev/shm.
. "$(dirname "$0")/lib.sh"
cat >ends.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    static double w[100000];
    for (int pass = 0; pass < 5; ++pass) {
        const char *what = pass == 3 && argc > 1 ? argv[1] : "";
#pragma orrery parallel
        for (int i = 0; i < 100000; ++i)
            w[i] += i;
        if (strcmp(what, "words") == 0) {
            fprintf(stderr, "process rank 1 with PID 7 on node a exited on signal 9\n"
                            "  Remote daemon: [[1,0],1] on node b\n");
            exit(4);
        } else if (strcmp(what, "fail") == 0)
            _exit(5);
        else if (*what > '0' && *what <= '9')
            exit(atoi(what));
        else if (*what == '-')
            raise(atoi(what + 1));
    }
    return 0;
}
END
"$cc" -O2 ends.c -o ends
for how in "" "-n 2 --oversubscribe --threads 1"; do
    for end in "3 3" "71 71" "200 200" "205 205" "137 137" "words 4" "fail 5"; do
        rm -rf saved
        # shellcheck disable=SC2086
        expect "${end#* }" "$orrery" run $how --checkpoint saved --max-restarts 2 ./ends "${end% *}"
        lacks -E 'starting again|is gone|is lost;' err || fail "$how ${end% *}: taken for a loss"
    done
    # shellcheck disable=SC2086
    expect 139 "$orrery" run $how ./ends -11
done
for how in "" "-n 2 --oversubscribe --threads 1"; do
    # An error of the runtime: the checkpoint there is of other arguments.
    # shellcheck disable=SC2086
    expect 78 "$orrery" run $how --checkpoint saved --max-restarts 2 ./ends 6
    lacks -E 'starting again|is gone' err || fail "our own error is taken for a loss"
done

# It ends so where MPI cannot end the job, as when there is no memory left.
cat >waits.c <<'END'
#include <unistd.h>
int MPI_Abort(void *all, int status) {
    (void)all, (void)status;
    for (;;)
        pause();
}
END
"${CC:-cc}" -shared -fPIC waits.c -o waits.so
LD_PRELOAD=$work/waits.so expect 78 timeout -k 2 60 "$orrery" run -n 2 --oversubscribe --threads 1 --checkpoint saved --max-restarts 2 ./ends 6
lacks -E 'starting again|is gone|hangs' err || fail "an end without MPI is taken for a loss"

# What MPI puts into memory and files goes with a job that was killed.
cat >launcher.sh <<'END'
#!/bin/bash
printf '%s\n' "$@" >>words
exec mpiexec "$@"
END
chmod +x launcher.sh
ORRERY_MPIRUN=$work/launcher.sh expect 139 "$orrery" run -n 2 --oversubscribe --threads 1 ./ends -11
left=$(grep -A 1 btl_vader_backing_directory words | tail -n 1)
[[ $left == /dev/shm/orrery-* ]] || fail "no folder of the job's own: $left"
[ ! -e "$left" ] || fail "$left stays"

# The launcher's path is no text for a shell.
mkdir "it's; touch struck;"
cp launcher.sh "it's; touch struck;/"
ORRERY_MPIRUN="$work/it's; touch struck;/launcher.sh" expect 3 "$orrery" run -n 2 --oversubscribe --threads 1 ./ends 3
[ ! -e struck ] || fail "a path was run by a shell"
