/* What `orrery run` finds of the ranks' heartbeats: dead, silent, never come up; with times
 * given. */
#define _GNU_SOURCE
#include "tools/run/heartbeat.h"
#include "tools/run/family.h"
#include "tools/run/starved.h"

#include <arpa/inet.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* Threads of ranks that write now do not run but for their beat; they wait for rank 1; they are where
 * they were. */
static bool stopped, waiting, stuck;

static char folder[] = "/tmp/orrery-board-XXXXXX";

static void write_heartbeat(int rank, pid_t process, uint64_t beat, enum orrery_phase phase) {
    char path[4096];
    struct orrery_heartbeat heartbeat = {.magic = ORRERY_HEARTBEAT_MAGIC,
                                         .rank = (uint32_t)rank,
                                         .pid = (uint32_t)process,
                                         .beat = beat,
                                         .work = stopped ? 1 : beat * 1000000000,
                                         .steps = stuck ? 1 : beat,
                                         .asked = waiting ? beat * 100 : 0,
                                         .waits_for = phase == ORRERY_PHASE_END ? -2 : 1,
                                         .phase = phase};
    gethostname(heartbeat.host, sizeof heartbeat.host - 1);
    snprintf(path, sizeof path, "%s/rank-%d", folder, rank);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(&heartbeat, sizeof heartbeat, 1, out), 1);
    assert_int_equal(fclose(out), 0);
}

/* A process that is no more. */
static pid_t ended(void) {
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    return child;
}

static void expect(struct heartbeats *heartbeats, double now, int rank, enum heartbeat_loss loss) {
    enum heartbeat_loss found;
    assert_int_equal(heartbeats_look(heartbeats, now, &found), rank);
    assert_int_equal(found, loss);
}

static void dead(void **state) {
    (void)state;
    struct heartbeats heartbeats;
    heartbeats_start(&heartbeats, folder, 2, true);
    write_heartbeat(0, getpid(), 1, ORRERY_PHASE_PASS);
    write_heartbeat(1, getpid(), 1, ORRERY_PHASE_PASS);
    expect(&heartbeats, 100, -1, HEARTBEAT_NO_LOSS);
    write_heartbeat(1, ended(), 2, ORRERY_PHASE_PASS);
    expect(&heartbeats, 101, 1, HEARTBEAT_DEAD);
    heartbeats_end(&heartbeats);
}

static void silent(void **state) {
    (void)state;
    struct heartbeats heartbeats;
    heartbeats_start(&heartbeats, folder, 2, true);
    for (int beat = 1; beat < 9; ++beat) {
        write_heartbeat(0, getpid(), (uint64_t)beat, ORRERY_PHASE_PASS);
        write_heartbeat(1, getpid(), 1, ORRERY_PHASE_PASS);
        bool over = beat - 1 > HEARTBEAT_SILENCE;
        expect(&heartbeats, 100 + beat, over ? 1 : -1, over ? HEARTBEAT_SILENT : HEARTBEAT_NO_LOSS);
    }
    heartbeats_end(&heartbeats);
}

/* The beat of rank 1 goes on, its other threads do not: in a pass it hangs. Rank 0 may wait
 * for anything in its own code, and for the disk in a checkpoint. */
static void hangs(void **state) {
    (void)state;
    struct heartbeats heartbeats;
    for (int phase = 0; phase < 3; ++phase) {
        const enum orrery_phase phases[] = {ORRERY_PHASE_PASS, ORRERY_PHASE_SERIAL,
                                            ORRERY_PHASE_CHECKPOINT};
        int rank = phases[phase] == ORRERY_PHASE_PASS;
        heartbeats_start(&heartbeats, folder, 2, true);
        for (int beat = 1; beat < HEARTBEAT_SILENCE + 3; ++beat) {
            write_heartbeat(!rank, getpid(), (uint64_t)beat, ORRERY_PHASE_PASS);
            stopped = true;
            write_heartbeat(rank, getpid(), (uint64_t)beat, phases[phase]);
            stopped = false;
            bool over = phases[phase] == ORRERY_PHASE_PASS && beat - 1 > HEARTBEAT_SILENCE;
            expect(&heartbeats, 100 + beat, over ? 1 : -1,
                   over ? HEARTBEAT_HANGS : HEARTBEAT_NO_LOSS);
        }
        heartbeats_end(&heartbeats);
    }
}

/* Rank 0 waits for rank 1, which computes: it is named, and ends the job where patience has a limit.
 * It was named later if a step had taken long before. */
static void keeps_waiting(void **state) {
    (void)state;
    struct heartbeats heartbeats;
    char text[1200];
    int named = 0;
    heartbeats_start(&heartbeats, folder, 2, true);
    heartbeats.patience = 20;
    for (int beat = 1; beat < 24; ++beat) {
        stuck = true;
        write_heartbeat(1, getpid(), (uint64_t)beat, ORRERY_PHASE_PASS);
        waiting = true;
        write_heartbeat(0, getpid(), (uint64_t)beat, ORRERY_PHASE_PASS);
        waiting = stuck = false;
        bool over = beat - 1 > 20;
        expect(&heartbeats, 100 + beat, over ? 1 : -1, over ? HEARTBEAT_STUCK : HEARTBEAT_NO_LOSS);
        if (heartbeats_note(&heartbeats, 100 + beat, text, sizeof text)) {
            assert_non_null(strstr(text, "rank 1 on "));
            assert_non_null(strstr(text, "rank 0 waits for it"));
            ++named;
        }
    }
    assert_int_equal(named, 2);
    heartbeats_end(&heartbeats);
}

/* They wait for each other: they are named after 10 s, and the job ends, at last; in MPI_Finalize
 * after 30 s. */
static void in_a_circle(void **state) {
    (void)state;
    struct heartbeats heartbeats;
    char text[1200];
    for (int end = 0; end < 2; ++end) {
        int named = 0;
        enum orrery_phase phase = end ? ORRERY_PHASE_END : ORRERY_PHASE_PASS;
        heartbeats_start(&heartbeats, folder, 2, true);
        for (int beat = 1; beat < 34; ++beat) {
            stuck = waiting = true;
            write_heartbeat(0, getpid(), (uint64_t)beat, phase);
            write_heartbeat(1, getpid(), (uint64_t)beat, phase);
            stuck = waiting = false;
            bool over = end && beat - 1 > 30;
            expect(&heartbeats, 100 + beat, over ? 0 : -1,
                   over ? HEARTBEAT_CIRCLE : HEARTBEAT_NO_LOSS);
            named += heartbeats_note(&heartbeats, 100 + beat, text, sizeof text);
        }
        assert_int_equal(named, 2);
        assert_non_null(strstr(text, end ? "rank 1 for all" : "rank 1 for rank 1"));
        heartbeats_end(&heartbeats);
    }
}

static void not_up(void **state) {
    (void)state;
    struct heartbeats heartbeats;
    uint64_t beat = 0;
    heartbeats_start(&heartbeats, folder, 2, true);
    for (double now = 100; now <= 100 + HEARTBEAT_START; ++now) {
        write_heartbeat(0, getpid(), ++beat, ORRERY_PHASE_SERIAL);
        expect(&heartbeats, now, -1, HEARTBEAT_NO_LOSS);
    }
    write_heartbeat(0, getpid(), ++beat, ORRERY_PHASE_SERIAL);
    expect(&heartbeats, 101 + HEARTBEAT_START, 1, HEARTBEAT_NOT_UP);
    heartbeats_end(&heartbeats);
}

/* Ranks of other machines may write their heartbeats where nobody here sees them, and be unable to
 * connect: while one is up the others are. */
static void elsewhere(void **state) {
    (void)state;
    struct heartbeats heartbeats;
    heartbeats_start(&heartbeats, folder, 2, false);
    write_heartbeat(0, getpid(), 1, ORRERY_PHASE_SERIAL);
    expect(&heartbeats, 100, -1, HEARTBEAT_NO_LOSS);
    write_heartbeat(0, getpid(), 2, ORRERY_PHASE_SERIAL);
    expect(&heartbeats, 1000, -1, HEARTBEAT_NO_LOSS);
    heartbeats_end(&heartbeats);
    heartbeats_start(&heartbeats, folder, 2, false);
    expect(&heartbeats, 100, -1, HEARTBEAT_NO_LOSS);
    expect(&heartbeats, 101 + HEARTBEAT_START, 0, HEARTBEAT_NOT_UP);
    heartbeats_end(&heartbeats);
}

/* What a rank sends over its connection counts as its heartbeat; its end without a word is its
 * death, and who does not know the token is not heard. */
static void connected(void **state) {
    (void)state;
    struct heartbeats heartbeats;
    struct sockaddr_in address = {.sin_family = AF_INET};
    struct orrery_heartbeat_hello hello = {.magic = ORRERY_HEARTBEAT_MAGIC, .rank = 1};
    struct orrery_heartbeat heartbeat = {
        .magic = ORRERY_HEARTBEAT_MAGIC, .rank = 1, .beat = 1, .host = "elsewhere"};
    char token[sizeof hello.token + 1], text[64], answers[8];
    unsigned port;
    heartbeats_start(&heartbeats, folder, 2, false);
    const char *where = getenv("ORRERY_WATCH");
    if (!where)
        skip();
    assert_int_equal(sscanf(where, "%32[0-9a-f]@%63[0-9.]:%u", token, text, &port), 3);
    memcpy(hello.token, token, sizeof hello.token);
    address.sin_port = htons((uint16_t)port);
    inet_pton(AF_INET, text, &address.sin_addr);
    for (int known = 0; known < 2; ++known) {
        int file = socket(AF_INET, SOCK_STREAM, 0);
        hello.token[0] ^= (char)!known;
        assert_int_equal(connect(file, (struct sockaddr *)&address, sizeof address), 0);
        assert_int_equal(send(file, &hello, sizeof hello, 0), sizeof hello);
        hello.token[0] ^= (char)!known;
        assert_int_equal(send(file, &heartbeat, sizeof heartbeat, 0), sizeof heartbeat);
        expect(&heartbeats, 100, -1, HEARTBEAT_NO_LOSS);
        assert_int_equal(heartbeats.watched[1].since > 0, known);
        if (known)
            assert_int_equal(recv(file, answers, sizeof answers, 0), 2);
        close(file);
    }
    expect(&heartbeats, 101, 1, HEARTBEAT_DEAD);
    heartbeats_end(&heartbeats);
}

/* Rank 0 has left the job: nobody is missed. */
static void finished(void **state) {
    (void)state;
    struct heartbeats heartbeats;
    heartbeats_start(&heartbeats, folder, 2, true);
    write_heartbeat(0, ended(), 1, ORRERY_PHASE_OVER);
    write_heartbeat(1, ended(), 1, ORRERY_PHASE_END);
    expect(&heartbeats, 100, -1, HEARTBEAT_NO_LOSS);
    heartbeats_end(&heartbeats);
}

/* A rank killed at the end is missed, one that has left the job is not, nor is its beat. */
static void at_the_end(void **state) {
    (void)state;
    struct heartbeats heartbeats;
    heartbeats_start(&heartbeats, folder, 2, true);
    for (int beat = 1; beat < HEARTBEAT_SILENCE + 3; ++beat) {
        write_heartbeat(0, getpid(), (uint64_t)beat, ORRERY_PHASE_END);
        write_heartbeat(1, ended(), 1, ORRERY_PHASE_OVER);
        expect(&heartbeats, 100 + beat, -1, HEARTBEAT_NO_LOSS);
    }
    write_heartbeat(0, ended(), 100, ORRERY_PHASE_END);
    expect(&heartbeats, 110, 0, HEARTBEAT_DEAD);
    heartbeats_end(&heartbeats);
}

static double clock_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Processes that compute on one processor, in which they take turns. */
static void crowd(pid_t *processes, int count) {
    cpu_set_t all, one;
    int processor = 0;
    sched_getaffinity(0, sizeof all, &all);
    while (!CPU_ISSET(processor, &all))
        ++processor;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    for (int i = 0; i < count; ++i) {
        processes[i] = fork();
        if (processes[i] == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            sched_setaffinity(0, sizeof one, &one);
            for (;;)
                continue;
        }
    }
}

/* Rank 1 comes up slowly since others have its processor: it is given its time, until it is stopped. */
static void starved(void **state) {
    (void)state;
    enum { CROWD = 6 };
    pid_t processes[CROWD];
    struct heartbeats heartbeats;
    uint64_t beat = 0;
    if (access("/proc/self/schedstat", R_OK) != 0)
        skip();
    crowd(processes, CROWD);
    heartbeats_start(&heartbeats, folder, 2, true);
    heartbeats.launcher = getpid();
    heartbeats.limit = 1;
    double begin = clock_now();
    for (double now = begin; now < begin + 2; now = clock_now()) {
        write_heartbeat(0, getpid(), ++beat, ORRERY_PHASE_SERIAL);
        write_heartbeat(1, processes[0], beat, ORRERY_PHASE_START);
        expect(&heartbeats, now, -1, HEARTBEAT_NO_LOSS);
        usleep(20000);
    }
    bool measured = starved_process(processes[0]) > 0;
    kill(processes[0], SIGSTOP);
    write_heartbeat(0, getpid(), ++beat, ORRERY_PHASE_SERIAL);
    expect(&heartbeats, clock_now() + 20, 1, HEARTBEAT_SILENT);
    for (int i = 0; i < CROWD; ++i) {
        kill(processes[i], SIGKILL);
        waitpid(processes[i], NULL, 0);
    }
    heartbeats_end(&heartbeats);
    assert_true(measured);
}

/* Rank 1 is stopped before it says anything: it is lost long before it had to be up. */
static void stopped_at_start(void **state) {
    (void)state;
    struct heartbeats heartbeats;
    heartbeats_start(&heartbeats, folder, 2, true);
    heartbeats.launcher = getpid();
    write_heartbeat(0, getpid(), 1, ORRERY_PHASE_START);
    pid_t rank = fork();
    if (rank == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execlp("env", "env", "OMPI_COMM_WORLD_RANK=1", "sleep", "100", NULL);
        _exit(1);
    }
    kill(rank, SIGSTOP);
    siginfo_t info;
    waitid(P_PID, (id_t)rank, &info, WSTOPPED);
    bool told = family_stopped(getpid()) == 1;
    for (int tries = 0; !told && tries < 500; ++tries) {
        kill(rank, SIGCONT);
        usleep(10000);
        kill(rank, SIGSTOP);
        waitid(P_PID, (id_t)rank, &info, WSTOPPED);
        told = family_stopped(getpid()) == 1;
    }
    for (int i = 0; i < 30; ++i) {
        write_heartbeat(0, getpid(), 2 + (uint64_t)i, ORRERY_PHASE_START);
        expect(&heartbeats, 10 + .2 * i, i > 25 ? 1 : -1,
               i > 25 ? HEARTBEAT_SILENT : HEARTBEAT_NO_LOSS);
    }
    kill(rank, SIGCONT);
    expect(&heartbeats, 16.2, -1, HEARTBEAT_NO_LOSS);
    kill(rank, SIGKILL);
    waitpid(rank, NULL, 0);
    heartbeats_end(&heartbeats);
    assert_true(told);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dead),        cmocka_unit_test(silent),
        cmocka_unit_test(hangs),       cmocka_unit_test(not_up),
        cmocka_unit_test(elsewhere),   cmocka_unit_test(finished),
        cmocka_unit_test(at_the_end),  cmocka_unit_test(keeps_waiting),
        cmocka_unit_test(in_a_circle), cmocka_unit_test(connected),
        cmocka_unit_test(starved),     cmocka_unit_test(stopped_at_start),
    };
    if (!mkdtemp(folder))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
