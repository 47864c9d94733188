#define _GNU_SOURCE
#include "tools/run/launch.h"

#include "tools/base/ask.h"
#include "tools/base/status.h"
#include "tools/run/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>

/* Ranks per core that may share this machine without --oversubscribe. */
enum { CROWD = 8 };

/* ---- the program ----------------------------------------------------------------------------- */

static bool runnable(const char *path) {
    struct stat stat_of;
    return stat(path, &stat_of) == 0 && S_ISREG(stat_of.st_mode) && access(path, X_OK) == 0;
}

static const char *search(struct arena *arena, const char *name) {
    const char *folders = getenv("PATH");
    if (strchr(name, '/') || !folders)
        return runnable(name) ? name : NULL;
    while (*folders) {
        size_t length = strcspn(folders, ":");
        const char *path =
            arena_printf(arena, "%.*s/%s", (int)length, length ? folders : ".", name);
        if (runnable(path))
            return path;
        folders += length + (folders[length] == ':');
    }
    return NULL;
}

/* The runtime's table of variables is in every program that was linked by orrery-cc. */
static bool built_by_us(const char *path) {
    static const char mark[] = "ORRERY_THREADS";
    struct stat stat_of;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool found = false;
    if (fd >= 0 && fstat(fd, &stat_of) == 0 && stat_of.st_size > 0) {
        size_t size = (size_t)stat_of.st_size;
        char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED) {
            found = memmem(bytes, size, mark, sizeof mark) != NULL;
            munmap(bytes, size);
        }
    }
    if (fd >= 0)
        close(fd);
    return found;
}

const char *launch_find(struct arena *arena, const char *command, const char *name) {
    const char *path = search(arena, name);
    struct stat stat_of;
    if (!path && strchr(name, '/') && stat(name, &stat_of) == 0)
        fprintf(stderr, "orrery %s: '%s' is not a program that may be run\n", command, name);
    else if (!path)
        fprintf(stderr, "orrery %s: no such program: '%s'%s\n", command, name,
                strchr(name, '/') ? "" : " (not on the PATH; ./ for one in this folder)");
    if (!path)
        return NULL;
    if (built_by_us(path))
        return path;
    fprintf(stderr,
            "orrery %s: '%s' holds no parallel loop: it was not built by orrery-cc, or every loop\n"
            "  in it stayed serial ('orrery analyze FILE.c' says why). It runs without orrery.\n",
            command, path);
    return NULL;
}

/* ---- the machine ----------------------------------------------------------------------------- */

long launch_cores(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? cores : 1;
}

/* Megabytes of "500M", "1.5G" or "2T"; 0: it is no size. */
static long megabytes_of(const char *text) {
    static const struct {
        const char *unit;
        double megabytes;
    } units[] = {{"M", 1}, {"MB", 1}, {"G", 1e3}, {"GB", 1e3}, {"T", 1e6}, {"TB", 1e6}};
    char *end;
    double value = strtod(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
        if (end != text && strcmp(end, units[i].unit) == 0 && value >= 0 &&
            value * units[i].megabytes < 1e9)
            return (long)(value * units[i].megabytes);
    return 0;
}

int launch_check(const char *command, const struct launch *launch) {
    if (launch->memory && megabytes_of(launch->memory) < 1) {
        fprintf(stderr,
                "orrery %s: '%s' is no size of memory: say megabytes, gigabytes or terabytes, as "
                "500M, 1.5G, 2T\n",
                command, launch->memory);
        return STATUS_USAGE;
    }
    if (launch->hostfile && access(launch->hostfile, R_OK) != 0) {
        fprintf(stderr, "orrery %s: host file '%s': %s\n", command, launch->hostfile,
                strerror(errno));
        return STATUS_USAGE;
    }
    long cores = launch_cores(), ranks = launch_processes(launch);
    if (launch->hostfile || launch->oversubscribe || ranks <= cores)
        return 0;
    if (ranks <= CROWD * cores) {
        fprintf(stderr, "orrery %s: note: %ld ranks share %ld core%s: they take turns\n", command,
                ranks, cores, cores == 1 ? "" : "s");
        return 0;
    }
    fprintf(stderr,
            "orrery %s: %ld ranks on %ld core%s of this machine: they would wait for each other.\n"
            "  Give hosts with --hostfile, start at most %ld, or say --oversubscribe (to test).\n",
            command, ranks, cores, cores == 1 ? "" : "s", cores);
    return STATUS_USAGE;
}

/* ---- the launcher ---------------------------------------------------------------------------- */

/* Schedulers whose hosts Open MPI takes where nobody names any. */
bool launch_is_spread(const struct launch *launch) {
    static const char *const jobs[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PE_HOSTFILE"};
    bool spread = launch->hostfile != NULL;
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; ++i)
        spread |= getenv(jobs[i]) != NULL;
    return spread;
}

/* What `mpirun --version` says of itself. */
static bool is_open_mpi(struct arena *arena, const char *launcher) {
    const char *line = ask_version(arena, ask_quote(arena, launcher));
    return line && (strstr(line, "Open MPI") || strstr(line, "OpenRTE"));
}

static void push_all(struct arg_list *command, const char *const *words) {
    for (; *words; ++words)
        arg_list_push(command, *words);
}

/* ORRERY_* variables travel to other hosts only by name. */
static void push_environment(struct arg_list *command) {
    extern char **environ;
    for (char **at = environ; *at; ++at) {
        if (strncmp(*at, "ORRERY_", 7) != 0)
            continue;
        arg_list_push(command, "-x");
        arg_list_push(command,
                      arena_strndup(command->arena, *at, (size_t)(strchr(*at, '=') - *at)));
    }
}

/*
 * Files of the job on this machine, which go with us, however the job ends: the ranks' heartbeats
 * and, where there is no other machine, Open MPI's files and shared memory.
 */
enum { SCRATCH = sizeof "/dev/shm/orrery-XXXXXX" };
static char scratches[2][SCRATCH];
static int turn;

void launch_switch(void) {
    turn = 1 - turn;
}

/* A folder in memory for files of the job, until launch_clean. NULL: none could be made. */
static const char *launch_scratch(void) {
    char *scratch = scratches[turn];
    if (scratch[0])
        return scratch;
    memcpy(scratch, "/dev/shm/orrery-XXXXXX", SCRATCH);
    if (!mkdtemp(scratch))
        scratch[0] = '\0';
    return scratch[0] ? scratch : NULL;
}

const char *launch_heartbeats(struct arena *arena, const struct launch *launch) {
    const char *scratch = launch->checkpoint ? NULL : launch_scratch();
    return launch->checkpoint
               ? arena_printf(arena, "%s/.board%s", launch->checkpoint, turn ? "-2" : "")
               : arena_printf(arena, "%s/board", scratch ? scratch : "/dev/shm");
}

static void push_scratch(struct arg_list *command) {
    const char *scratch = launch_scratch();
    if (!scratch)
        return;
    arg_list_push(command, "--mca");
    arg_list_push(command, "orte_tmpdir_base");
    arg_list_push(command, scratch);
    arg_list_push(command, "--mca");
    arg_list_push(command, "btl_vader_backing_directory");
    arg_list_push(command, scratch);
}

static int scratch_remove(const char *path, const struct stat *what, int kind, struct FTW *at) {
    (void)what, (void)kind, (void)at;
    remove(path);
    return 0;
}

void launch_remove(const char *folder) {
    nftw(folder, scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
}

void launch_clean(void) {
    if (scratches[turn][0])
        launch_remove(scratches[turn]);
    scratches[turn][0] = '\0';
}

/*
 * Flags: FACTS of Open MPI 4.1: odls_base_sigkill_timeout is what the others get to end when one
 * has died, and those of other hosts get three times as long (3 s instead of .2 s); without
 * `--bind-to none` two jobs share a core, without mpi_yield_when_idle idle ranks triple the time of
 * busy ones on shared cores; a daemon that cannot start is missed by nobody unless its remote shell
 * stays to say so. A silent host is found by the heartbeats (lines.h) after 4 s; by Open MPI's
 * keep-alive, after 6 s, only while nothing is on the way there.
 */
static void open_mpi(const struct launch *launch, bool crowded, struct arg_list *command) {
    static const char *const always[] = {"--bind-to", "none", "--mca", "odls_base_sigkill_timeout",
                                         "0",         NULL};
    static const char *const shared[] = {"--oversubscribe", "--mca", "mpi_yield_when_idle", "1",
                                         NULL};
    static const char *const hosts[] = {
        "--mca", "oob_tcp_keepalive_time",   "1", "--mca", "oob_tcp_keepalive_intvl",     "1",
        "--mca", "oob_tcp_keepalive_probes", "5", "--mca", "orte_leave_session_attached", "1",
        NULL};
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    }
    push_all(command, always);
    if (crowded)
        push_all(command, shared);
    if (launch->hostfile) {
        push_all(command, hosts);
        arg_list_push(command, "--hostfile");
        arg_list_push(command, launch->hostfile);
    }
    if (!launch_is_spread(launch))
        push_scratch(command);
    push_environment(command);
}

static bool hydra_used;

bool launch_by_hydra(void) {
    return hydra_used;
}

static void hydra(const struct launch *launch, struct arg_list *command) {
    static const char *const always[] = {"-bind-to", "none", "-genvall", NULL};
    hydra_used = true;
    push_all(command, always);
    if (launch->hostfile) {
        arg_list_push(command, "-f");
        arg_list_push(command, launch->hostfile);
    }
}

long launch_processes(const struct launch *launch) {
    return launch->most > launch->ranks ? launch->most : launch->ranks;
}

static void launcher_command(const struct launch *launch, struct arg_list *command) {
    const char *launcher = ask_launcher();
    bool crowded = !launch->hostfile && launch_processes(launch) > launch_cores();
    crowded |= launch->hostfile && launch->oversubscribe;
    arg_list_push(command, launcher);
    arg_list_push(command, "-n");
    arg_list_push(command, arena_printf(command->arena, "%ld", launch_processes(launch)));
    if (is_open_mpi(command->arena, launcher))
        open_mpi(launch, crowded, command);
    else
        hydra(launch, command);
}

static void set_number(const char *variable, long value) {
    char text[32];
    snprintf(text, sizeof text, "%ld", value);
    if (value > 0)
        setenv(variable, text, 1);
}

static void set_rank(const struct launch *launch) {
    set_number("ORRERY_THREADS", launch->threads);
    set_number("ORRERY_MEMORY", launch->memory ? megabytes_of(launch->memory) : 0);
    if (launch->quiet)
        setenv("ORRERY_PROGRESS", "0", 1);
    if (launch->spill)
        setenv("ORRERY_SPILL", launch->spill, 1);
}

/* Libraries at the same addresses in every run: what a checkpoint takes for a pointer does not
 * depend on chance (docs/checkpoints.md). */
static void set_checkpoint(const struct launch *launch) {
    if (!launch->checkpoint)
        return;
    setenv("ORRERY_CHECKPOINT", launch->checkpoint, 1);
    if (launch->every)
        setenv("ORRERY_EVERY", launch->every, 1);
    int before = personality(0xffffffff);
    if (before != -1)
        personality((unsigned)before | ADDR_NO_RANDOMIZE);
}

void launch_words(const struct launch *launch, struct arg_list *words) {
    set_rank(launch);
    set_checkpoint(launch);
    if (launch->ranks > 0)
        launcher_command(launch, words);
    push_all(words, launch->program.items);
}

int launch_run(struct arena *arena, const char *command, const struct launch *launch) {
    struct arg_list words = {.arena = arena};
    launch_words(launch, &words);
    int status = supervise(command, &words, launch->timeout, launch->output);
    launch_clean();
    return status;
}

int launch_become(const char *command, const struct launch *launch) {
    set_rank(launch);
    set_checkpoint(launch);
    execv(launch->program.items[0], (char *const *)launch->program.items);
    fprintf(stderr, "orrery %s: cannot run '%s': %s\n", command, launch->program.items[0],
            strerror(errno));
    return 127;
}
