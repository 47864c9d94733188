#define _GNU_SOURCE
#include "tools/run/restart.h"

#include "tools/base/status.h"
#include "tools/run/folder.h"
#include "tools/run/progress.h"
#include "tools/run/standby.h"
#include "tools/run/supervise.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Open MPI's when a host is gone; ours when a message could not be sent or received. */
enum {
    STATUS_SAVED = 75,
    STATUS_HOST_LOST = 205,
    STATUS_TRANSPORT = 71,
    STATUS_SIGNAL = 128,
    STATUS_KILLED = 137
};

/* One start of the job, and what became of it. */
struct attempt {
    struct arena *arena;            /* the command's */
    const char *command;            /* "run", for messages */
    struct launch *launch;          /* what is started, on what is left */
    struct resize resize;           /* other ranks that are wanted */
    struct heartbeats heartbeats;   /* of the ranks */
    struct errors errors;           /* what the launcher and they say */
    struct supervision supervision; /* of the launcher */
    struct standby standby;         /* of the job, if one is wanted */
    bool takes_over;                /* the standby is the next one */
    struct relay *relay;            /* of the output, where the job stood by before; or NULL */
    int status;                     /* with which it ended */
    long starved;                   /* as processes_starved had it before; -1: unknown */
};

/* ---- what became of it ----------------------------------------------------------------------- */

static void described(struct attempt *attempt, int rank, char text[600]) {
    heartbeats_describe(&attempt->heartbeats, rank, text, 600);
}

/* What the heartbeats found of a rank. False: no more than that it is gone. */
static bool say_loss(struct attempt *attempt, char why[1000]) {
    const struct heartbeats *heartbeats = &attempt->heartbeats;
    int rank = attempt->supervision.lost;
    char who[600];
    if (rank < 0)
        return false;
    described(attempt, rank, who);
    switch (attempt->supervision.loss) {
    case HEARTBEAT_SILENT:
        snprintf(why, 1000, "%s: nothing was heard of it for %d s", who, HEARTBEAT_SILENCE);
        return true;
    case HEARTBEAT_HANGS:
        snprintf(why, 1000, "%s: it hangs: it neither computed nor asked for messages for %.0f s",
                 who, heartbeats->waited);
        return true;
    case HEARTBEAT_STUCK:
        snprintf(why, 1000, "%s: it has not advanced for %.0f s, and others wait for it", who,
                 heartbeats->waited);
        return true;
    case HEARTBEAT_CIRCLE:
        progress_circle(heartbeats, who, sizeof who);
        snprintf(why, 1000, "all ranks have waited for %.0f s: %s", heartbeats->waited, who);
        return true;
    case HEARTBEAT_NOT_UP:
        snprintf(why, 1000, "%s: it has not come up in %.0f s", who, heartbeats->limit);
        return true;
    case HEARTBEAT_CUT_OFF:
        snprintf(why, 1000, "this host is cut off from all others");
        return true;
    case HEARTBEAT_HOST:
        snprintf(why, 1000, "host %s is lost: %s", attempt->errors.node, who);
        return true;
    case HEARTBEAT_NO_LOSS:
    case HEARTBEAT_DEAD:
        break;
    }
    return false;
}

/* How many processes of this host the kernel has ended for want of memory, its own or a memory
 * group's; -1: it does not say (Linux before 4.13). */
static long processes_starved(void) {
    char line[256];
    long count = -1;
    FILE *in = fopen("/proc/vmstat", "r");
    while (in && fgets(line, sizeof line, in) && sscanf(line, "oom_kill %ld", &count) != 1) {
    }
    if (in)
        fclose(in);
    return count;
}

static void say_killed(struct attempt *attempt, int rank, int signal, char why[1000]) {
    bool starved = signal == SIGKILL && attempt->starved >= 0 &&
                   processes_starved() > attempt->starved && !launch_is_spread(attempt->launch);
    char who[600];
    described(attempt, rank, who);
    snprintf(why, 1000, "%s: killed by signal %d (%s)%s", who, signal, strsignal(signal),
             starved ? ", as the kernel does where memory runs out, and did so here: --memory SIZE "
                       "keeps each rank within a budget, --spill DIR puts the rest into files"
                     : "");
}

/* In words, "" when nobody knows. */
static void say_why(struct attempt *attempt, char why[1000]) {
    int lost = attempt->supervision.lost, signal = attempt->status - STATUS_SIGNAL;
    char who[600];
    why[0] = '\0';
    if (say_loss(attempt, why))
        return;
    if (attempt->errors.host_lost) {
        snprintf(why, 1000, "host %s is lost", attempt->errors.node);
    } else if (attempt->errors.rank >= 0) {
        say_killed(attempt, attempt->errors.rank, attempt->errors.signal, why);
    } else if (signal > 0 && signal < NSIG) {
        say_killed(attempt, lost >= 0 ? lost : 0, signal, why);
    } else if (lost >= 0) {
        described(attempt, lost, who);
        snprintf(why, 1000, "%s: its process is gone", who);
    } else if (attempt->errors.first[0]) {
        snprintf(why, 1000, "%s", attempt->errors.first + strlen("orrery: "));
    }
}

/*
 * Some rank came to an end of its own, and that is the job's; `status`: with which. A launcher that
 * we killed since a process was gone says nothing of it.
 */
static bool is_own_end(const struct attempt *attempt, int *status) {
    const struct supervision *what = &attempt->supervision;
    bool killed = what->lost >= 0 && what->loss == HEARTBEAT_DEAD;
    for (int rank = 0; rank < attempt->heartbeats.ranks; ++rank)
        if (heartbeats_ended(&attempt->heartbeats, rank, status) && *status != 0 &&
            (*status == attempt->status || (killed && attempt->status == STATUS_KILLED)))
            return true;
    return false;
}

/* Was it a rank or a host that failed, and not the program? The kernel's word, and the launcher's
 * status; what stands on the error stream anybody may have written. */
static bool is_loss(const struct attempt *attempt) {
    const struct supervision *what = &attempt->supervision;
    int status = attempt->status, own;
    if (status == 0 || what->stopped || is_own_end(attempt, &own))
        return false;
    return (what->lost >= 0 && what->loss != HEARTBEAT_DEAD) || status == STATUS_HOST_LOST ||
           status == STATUS_TRANSPORT || status > STATUS_SIGNAL;
}

/* ---- what is left ---------------------------------------------------------------------------- */

/* Slots of a line of a host file: 1 when it does not say. */
static long slots_of(const char *line) {
    const char *at = strstr(line, "slots=");
    long slots = at ? strtol(at + strlen("slots="), NULL, 10) : 1;
    return slots > 0 ? slots : 1;
}

static bool names(const char *line, const char *host) {
    size_t length = strcspn(line, " \t\r\n:");
    return length == strlen(host) && strncmp(line, host, length) == 0;
}

/* How the host file calls the host of a rank; else what that calls itself. */
static void name_host(struct attempt *attempt, int rank, char *name, size_t size) {
    char line[1024], host[256];
    FILE *in = attempt->launch->hostfile ? fopen(attempt->launch->hostfile, "r") : NULL;
    snprintf(name, size, "%s", attempt->heartbeats.watched[rank].last.host);
    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, " %255[^ #\t\r\n:]", host) == 1 &&
            heartbeats_is_on(&attempt->heartbeats, rank, host)) {
            snprintf(name, size, "%s", host);
            break;
        }
    if (in)
        fclose(in);
}

/* A copy of the host file without the host: the slots in it, -1 when it cannot be written. */
static long hosts_without(const char *from, const char *to, const char *host) {
    char line[1024];
    long slots = 0;
    unlink(to);
    FILE *in = fopen(from, "r"), *out = fopen(to, "wx");
    while (in && out && fgets(line, sizeof line, in)) {
        const char *text = line + strspn(line, " \t");
        if (*text == '#' || *text == '\n' || names(text, host))
            continue;
        slots += slots_of(text);
        fputs(line, out);
    }
    bool written = in && out && !ferror(out);
    if (in)
        fclose(in);
    if (out && fclose(out) != 0)
        written = false;
    return written ? slots : -1;
}

/* False: nothing is left to run on. */
static bool leave_out(struct attempt *attempt, int number) {
    struct launch *launch = attempt->launch;
    if (!attempt->errors.host_lost || !launch->hostfile)
        return true;
    const char *file = arena_printf(attempt->arena, "%s/hosts-%d", launch->checkpoint, number);
    long slots = hosts_without(launch->hostfile, file, attempt->errors.node);
    if (slots <= 0)
        return false;
    launch->hostfile = file;
    if (slots < launch->ranks)
        launch->ranks = slots;
    if (slots < launch->most)
        launch->most = attempt->resize.most = slots;
    if (slots < attempt->resize.ranks)
        attempt->resize.ranks = slots;
    return true;
}

/* ---- one start ------------------------------------------------------------------------------- */

/* A rank was killed, and the launcher's status is the signal: no rank came to an end of its own with it, and one to none.
 * Of the signals by which programs die: a status that the program gave by _exit is none of the heartbeats'. */
static bool is_signal_of_hydra(const struct attempt *attempt) {
    static const int deadly[] = {SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGTERM};
    bool killed = false, gone = false;
    int own;
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; ++i)
        killed |= attempt->status == deadly[i];
    for (int rank = 0; rank < attempt->heartbeats.ranks; ++rank)
        gone |= !heartbeats_ended(&attempt->heartbeats, rank, &own);
    return launch_by_hydra() && killed && gone;
}

/* What the launcher's end means, in the light of the heartbeats. */
static void attempt_judge(struct attempt *attempt) {
    const struct supervision *what = &attempt->supervision;
    int own;
    if (what->lingered && heartbeats_ended(&attempt->heartbeats, 0, &own)) {
        attempt->status = own;
        fprintf(stderr, "orrery %s: the ranks are done, and their launcher does not end: ended\n",
                attempt->command);
    }
    if (is_own_end(attempt, &own))
        attempt->status = own;
    else if (what->lost >= 0 && (what->loss == HEARTBEAT_HOST || what->loss == HEARTBEAT_CUT_OFF))
        attempt->status = STATUS_HOST_LOST;
    else if (is_signal_of_hydra(attempt))
        attempt->status += STATUS_SIGNAL;
    if (attempt->status != STATUS_HOST_LOST)
        attempt->errors.host_lost = false;
    else if (what->lost >= 0 && what->loss == HEARTBEAT_HOST) {
        attempt->errors.host_lost = true;
        name_host(attempt, what->lost, attempt->errors.node, sizeof attempt->errors.node);
    }
}

static void heartbeats_begin(struct attempt *attempt, struct arg_list *words) {
    struct launch *launch = attempt->launch;
    heartbeats_start(&attempt->heartbeats, launch_heartbeats(attempt->arena, launch),
                     launch_processes(launch), !launch_is_spread(launch));
    if (launch->most)
        heartbeats_want(&attempt->heartbeats, (int)attempt->resize.ranks);
    launch_words(launch, words);
}

/* The standby becomes the job. */
static void standby_take(struct attempt *attempt) {
    struct standby *standby = &attempt->standby;
    long ranks = attempt->launch->most ? attempt->resize.ranks : launch_processes(attempt->launch);
    launch_switch();
    standby_go(standby, ranks > 0 ? (int)ranks : 1, &attempt->errors);
    attempt->heartbeats = standby->heartbeats;
    attempt->relay = standby->relay;
    attempt->supervision.running = standby->child;
    attempt->supervision.stream = standby->errors;
    attempt->supervision.time = standby->time;
    *standby = (struct standby){.arena = attempt->arena, .launch = standby->launch};
    attempt->takes_over = false;
}

static void attempt_run(struct attempt *attempt) {
    struct launch *launch = attempt->launch;
    struct arg_list words = {.arena = attempt->arena};
    attempt->starved = processes_starved();
    errors_start(&attempt->errors);
    attempt->supervision = (struct supervision){
        .who = attempt->command,
        .words = &words,
        .timeout = launch->timeout,
        .saves = launch->checkpoint != NULL,
        .launcher = launch->ranks > 0,
        .attempts = launch->restarts > 0 || launch->resize,
        .heartbeats = &attempt->heartbeats,
        .resize = launch->resize ? &attempt->resize : NULL,
        .errors = launch->ranks > 0 ? &attempt->errors : NULL,
        .standby = launch->standby ? &attempt->standby : NULL,
        .stream = -1,
    };
    if (attempt->takes_over)
        standby_take(attempt);
    else
        heartbeats_begin(attempt, &words);
    if (launch->patience)
        attempt->heartbeats.limit = attempt->heartbeats.patience = (double)launch->patience;
    attempt->status = supervise_all(&attempt->supervision);
    relay_end(attempt->relay);
    attempt->relay = NULL;
    heartbeats_read(&attempt->heartbeats, 0);
    attempt_judge(attempt);
}

/* What went wrong first is what stands last. */
static void say_last(struct attempt *attempt, const char *then) {
    char why[1000];
    say_why(attempt, why);
    if (why[0] || then[0])
        fprintf(stderr, "orrery %s: %s%s%s\n", attempt->command, why, why[0] && then[0] ? "; " : "",
                then);
}

/* ---- another number of ranks ----------------------------------------------------------------- */

static void resize_prepare(struct attempt *attempt) {
    const struct launch *launch = attempt->launch;
    attempt->resize = (struct resize){.file = launch->resize,
                                      .ranks = launch->ranks > 0 ? launch->ranks : 1,
                                      .most = launch->most,
                                      .begins = launch->checkpoint != NULL};
    resize_start(&attempt->resize);
}

/* Ended with a checkpoint, since other ranks are wanted. */
static bool is_resized(const struct attempt *attempt) {
    return attempt->resize.anew && attempt->status == STATUS_SAVED && !attempt->supervision.stopped;
}

/* One rank needs no launcher. */
static void ranks_take(struct attempt *attempt) {
    struct launch *launch = attempt->launch;
    long ranks = attempt->resize.ranks;
    if (!attempt->resize.anew)
        return;
    attempt->resize.anew = false;
    launch->ranks = ranks > 1 || launch->hostfile ? ranks : 0;
    if (launch->most && launch->most < ranks)
        launch->most = attempt->resize.most = ranks;
}

/* ---- the job --------------------------------------------------------------------------------- */

static const char *again_text(const struct attempt *attempt, int restarts) {
    const struct launch *launch = attempt->launch;
    bool fewer = launch->hostfile && attempt->errors.host_lost;
    return arena_printf(attempt->arena, "%s (%d of %ld)%s",
                        attempt->takes_over ? "the job that stands by goes on" : "starting again",
                        restarts, launch->restarts,
                        fewer ? arena_printf(attempt->arena, ", on %ld ranks", launch->ranks) : "");
}

/* Lost, and what is left can go on. `restarts`: so far, this one included. */
static bool goes_on(struct attempt *attempt, int restarts) {
    bool lost = is_loss(attempt);
    if (!lost || restarts > attempt->launch->restarts ||
        attempt->supervision.loss == HEARTBEAT_CUT_OFF) {
        if (lost)
            say_last(attempt, attempt->launch->restarts ? "no restart is left" : "");
        return false;
    }
    if (!leave_out(attempt, restarts)) {
        say_last(attempt, "no host is left");
        return false;
    }
    attempt->takes_over = !attempt->errors.host_lost && standby_is_well(&attempt->standby);
    say_last(attempt, again_text(attempt, restarts));
    return true;
}

static int attempts_run(struct attempt *attempt) {
    for (int restarts = 0;;) {
        attempt->standby.launch = restarts < attempt->launch->restarts ? attempt->launch : NULL;
        attempt_run(attempt);
        bool again = is_resized(attempt) || goes_on(attempt, ++restarts);
        heartbeats_end(&attempt->heartbeats);
        launch_clean();
        if (!attempt->takes_over)
            standby_end(&attempt->standby);
        if (!again)
            return attempt->status;
        ranks_take(attempt);
    }
}

/* Where no folder is named, a checkpoint for another number of ranks is in memory. */
static int memory_take(struct attempt *attempt, char folder[64]) {
    struct launch *launch = attempt->launch;
    snprintf(folder, 64, "/dev/shm/orrery-save-XXXXXX");
    if (!mkdtemp(folder)) {
        fprintf(stderr, "orrery %s: cannot make %s: say --checkpoint DIR\n", attempt->command,
                folder);
        return STATUS_USAGE;
    }
    launch->checkpoint = folder;
    launch->every = "1000000000passes";
    return 0;
}

int restart_run(struct arena *arena, const char *command, struct launch *launch) {
    struct attempt attempt = {
        .arena = arena, .command = command, .launch = launch, .standby = {.arena = arena}};
    char memory[64] = "";
    bool in_memory = launch->resize && !launch->checkpoint && !launch->most;
    int status = in_memory ? memory_take(&attempt, memory) : 0;
    if (status == 0 && launch->checkpoint)
        status = folder_take(command, launch->checkpoint);
    if (status == 0 && launch->from_scratch)
        status = folder_clear(command, launch->checkpoint);
    if (status != 0)
        return status;
    resize_prepare(&attempt);
    status = attempts_run(&attempt);
    if (memory[0])
        launch_remove(memory);
    return status;
}
