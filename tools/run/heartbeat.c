#define _GNU_SOURCE
#include "tools/run/heartbeat.h"

#include "tools/run/family.h"
#include "tools/run/progress.h"
#include "tools/run/starved.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void path_of(const struct heartbeats *heartbeats, int rank, char path[4096]) {
    snprintf(path, 4096, "%s/rank-%d", heartbeats->folder, rank);
}

static void clear(const struct heartbeats *heartbeats) {
    char path[4096];
    for (int rank = 0; rank < heartbeats->ranks; ++rank) {
        path_of(heartbeats, rank, path);
        unlink(path);
    }
}

/* A file for each rank with its place on the disk: none is found full when ranks write there. */
static int make(const struct heartbeats *heartbeats) {
    char path[4096];
    int error = 0;
    for (int rank = 0; rank < heartbeats->ranks && error == 0; ++rank) {
        path_of(heartbeats, rank, path);
        int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        error = file < 0 ? errno : posix_fallocate(file, 0, sizeof heartbeats->watched->last);
        if (file >= 0)
            close(file);
    }
    return error;
}

/* `ulimit -f` is an error here, not a signal. */
static int make_quietly(const struct heartbeats *heartbeats) {
    struct sigaction before, ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignore, &before);
    int error = make(heartbeats);
    sigaction(SIGXFSZ, &before, NULL);
    return error;
}

static int folder_make(const struct heartbeats *heartbeats) {
    if (!heartbeats->watched)
        return ENOMEM;
    if (mkdir(heartbeats->folder, 0700) != 0 && errno != EEXIST)
        return errno;
    clear(heartbeats);
    return make_quietly(heartbeats);
}

static void listen_start(struct heartbeats *heartbeats) {
    char where[1024];
    unsetenv("ORRERY_WATCH");
    if (heartbeats->here)
        return;
    if (lines_start(&heartbeats->lines, heartbeats->ranks, where, sizeof where))
        setenv("ORRERY_WATCH", where, 1);
    else
        fprintf(stderr, "orrery run: other hosts are watched by the launcher alone: %s\n",
                strerror(errno));
}

void heartbeats_start(struct heartbeats *heartbeats, const char *folder, long ranks, bool here) {
    size_t count = ranks > 0 ? (size_t)ranks : 1;
    *heartbeats = (struct heartbeats){.folder = folder,
                                      .ranks = (int)count,
                                      .here = here,
                                      .limit = HEARTBEAT_START,
                                      .stopped = -1,
                                      .lines = {.listener = -1}};
    heartbeats->watched = calloc(count, sizeof *heartbeats->watched);
    for (size_t rank = 0; heartbeats->watched && rank < count; ++rank)
        heartbeats->watched[rank].delay = -1;
    int error = folder_make(heartbeats);
    setenv("ORRERY_BOARD", folder, 1);
    listen_start(heartbeats);
    if (error == 0)
        return;
    fprintf(stderr, "orrery run: ranks cannot be watched: no room in %s: %s\n", folder,
            strerror(error));
    clear(heartbeats);
    rmdir(folder);
    heartbeats->ranks = 0;
}

void heartbeats_end(struct heartbeats *heartbeats) {
    clear(heartbeats);
    rmdir(heartbeats->folder);
    lines_end(&heartbeats->lines);
    free(heartbeats->watched);
    *heartbeats = (struct heartbeats){.lines = {.listener = -1}};
}

static bool heartbeat_read(struct heartbeats *heartbeats, int rank,
                           struct orrery_heartbeat *heartbeat) {
    char path[4096];
    path_of(heartbeats, rank, path);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t got = pread(file, heartbeat, sizeof *heartbeat, 0);
    close(file);
    bool ours = got == sizeof *heartbeat && heartbeat->magic == ORRERY_HEARTBEAT_MAGIC;
    heartbeats->unheard |= !ours && got == sizeof *heartbeat && heartbeat->magic != 0;
    return ours;
}

/* Process numbers mean something on this machine only. */
static bool is_here(const struct orrery_heartbeat *heartbeat) {
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    return strcmp(host, heartbeat->host) == 0;
}

/* Gone, or waiting to be reaped. */
static bool is_gone(const struct orrery_heartbeat *heartbeat) {
    char state = is_here(heartbeat) ? family_state((pid_t)heartbeat->pid) : 'R';
    return state == '\0' || state == 'Z' || state == 'X';
}

/* Rank 0 finds it in its own file, or in the next answer. */
void heartbeats_want(struct heartbeats *heartbeats, int ranks) {
    char path[4096];
    int32_t wanted = ranks;
    heartbeats->lines.wanted = ranks;
    if (heartbeats->ranks == 0)
        return;
    path_of(heartbeats, 0, path);
    int file = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return;
    (void)!pwrite(file, &wanted, sizeof wanted, offsetof(struct orrery_heartbeat, wanted));
    close(file);
}

struct reading {
    struct heartbeats *heartbeats;
    double now;
};

static void heard(void *data, const struct orrery_heartbeat *heartbeat) {
    const struct reading *reading = data;
    struct watched *watched = &reading->heartbeats->watched[heartbeat->rank];
    if (heartbeat->beat < watched->last.beat)
        return;
    progress_take(watched, heartbeat, reading->now);
    if (watched->since == 0)
        watched->delay = -1;
    if (heartbeat->beat != watched->last.beat || watched->since == 0)
        watched->since = reading->now;
    if (heartbeat->work > watched->work + HEARTBEAT_WORK ||
        heartbeat->phase != watched->last.phase || watched->worked == 0) {
        watched->work = heartbeat->work;
        watched->worked = reading->now;
    }
    watched->last = *heartbeat;
    watched->last.host[sizeof heartbeat->host - 1] = '\0';
    watched->last.where[sizeof heartbeat->where - 1] = '\0';
    reading->heartbeats->finished |= heartbeat->rank == 0 && heartbeat->phase == ORRERY_PHASE_OVER;
}

void heartbeats_read(struct heartbeats *heartbeats, double now) {
    struct reading reading = {heartbeats, now};
    struct orrery_heartbeat heartbeat;
    for (int rank = 0; rank < heartbeats->ranks; ++rank)
        if (heartbeat_read(heartbeats, rank, &heartbeat) && heartbeat.rank == (uint32_t)rank)
            heard(&reading, &heartbeat);
    if (heartbeats->ranks > 0)
        lines_read(&heartbeats->lines, now, heard, &reading);
}

static bool is_up(const struct watched *watched) {
    return watched->since > 0 && watched->last.phase != ORRERY_PHASE_START;
}

/* Times of what it did last, so much later. */
static void postpone(struct watched *watched, double seconds) {
    double *const times[] = {&watched->since, &watched->worked, &watched->stepped, &watched->asked};
    watched->starved += seconds;
    for (size_t i = 0; i < sizeof times / sizeof *times; ++i)
        *times[i] += *times[i] > 0 ? seconds : 0;
}

/* Of a rank that has not come up, or whose heartbeat is late. One that was never heard of is among
 * what the launcher started. The kernel counts a wait when it is over. */
static void starved_look(struct heartbeats *heartbeats, struct watched *watched, double now) {
    static const double late = .5;
    bool heard = watched->since > 0;
    if ((is_up(watched) && now - watched->since < late) || (heard && !is_here(&watched->last)) ||
        watched->starved > HEARTBEAT_STARVED) {
        watched->delay = -1;
        return;
    }
    double delay =
        heard ? starved_process((pid_t)watched->last.pid) : starved_family(heartbeats->launcher);
    if (watched->delay < 0) {
        watched->delay = delay;
        watched->delayed = now;
        watched->counted = 0;
    }
    double waited = delay - watched->delay, passed = now - watched->delayed;
    waited = waited < passed ? waited : passed;
    if (waited > watched->counted) {
        postpone(watched, waited - watched->counted);
        watched->counted = waited;
    }
}

static void all_starved_look(struct heartbeats *heartbeats, double now) {
    for (int rank = 0; heartbeats->launcher > 0 && rank < heartbeats->ranks; ++rank)
        starved_look(heartbeats, &heartbeats->watched[rank], now);
}

/* Rank 0 for a disk, a terminal, a pipe; behind the end it writes the rest of its output. */
static bool may_wait(int rank, uint32_t phase) {
    return rank == 0 && (phase == ORRERY_PHASE_SERIAL || phase == ORRERY_PHASE_CHECKPOINT ||
                         phase == ORRERY_PHASE_STANDBY || phase == ORRERY_PHASE_OVER);
}

static enum heartbeat_loss loss_of_line(const struct heartbeats *heartbeats, int rank, bool over) {
    const struct line *line = lines_of(&heartbeats->lines, rank);
    if (!line || over || heartbeats->watched[rank].last.ended)
        return HEARTBEAT_NO_LOSS;
    if (line->state == LINE_CUT)
        return lines_all_cut(&heartbeats->lines) ? HEARTBEAT_CUT_OFF : HEARTBEAT_HOST;
    return line->state == LINE_CLOSED ? HEARTBEAT_DEAD : HEARTBEAT_NO_LOSS;
}

/* Any that is up has been connected to all others. */
static bool nobody_is_up(const struct heartbeats *heartbeats) {
    bool up = heartbeats->unheard;
    for (int rank = 0; rank < heartbeats->ranks; ++rank)
        up |= is_up(&heartbeats->watched[rank]);
    return !up;
}

/* Those that others wait for before they are up; in a job of which some are heard the others. */
static bool is_late(const struct heartbeats *heartbeats, int rank, double now) {
    bool missed = heartbeats->here ? !heartbeats->unheard : nobody_is_up(heartbeats);
    return missed && !is_up(&heartbeats->watched[rank]) && heartbeats->limit > 0 &&
           now - heartbeats->started - heartbeats->watched[rank].starved > heartbeats->limit;
}

/* Of ranks that were never heard of the kernel may know that one is stopped. */
static void stopped_look(struct heartbeats *heartbeats, double now) {
    bool missed = false;
    for (int rank = 0; rank < heartbeats->ranks; ++rank)
        missed |= heartbeats->watched[rank].since == 0;
    missed &= heartbeats->launcher > 0 && !heartbeats->unheard;
    int stopped = missed ? family_stopped(heartbeats->launcher) : -1;
    bool is_one =
        stopped >= 0 && stopped < heartbeats->ranks && heartbeats->watched[stopped].since == 0;
    if (!is_one || stopped != heartbeats->stopped)
        heartbeats->stopped_since = now;
    heartbeats->stopped = is_one ? stopped : -1;
}

static enum heartbeat_loss loss_unheard(struct heartbeats *heartbeats, int rank, double now) {
    if (rank == heartbeats->stopped && now - heartbeats->stopped_since > HEARTBEAT_SILENCE)
        return HEARTBEAT_SILENT;
    return is_late(heartbeats, rank, now) ? HEARTBEAT_NOT_UP : HEARTBEAT_NO_LOSS;
}

static enum heartbeat_loss loss_of(struct heartbeats *heartbeats, int rank, double now) {
    const struct watched *watched = &heartbeats->watched[rank];
    const struct orrery_heartbeat *last = &watched->last;
    if (watched->since == 0)
        return loss_unheard(heartbeats, rank, now);
    bool over = heartbeats->finished || last->phase == ORRERY_PHASE_OVER;
    if (is_gone(last) || (over && !is_here(last)))
        return over ? HEARTBEAT_NO_LOSS : HEARTBEAT_DEAD;
    enum heartbeat_loss loss = loss_of_line(heartbeats, rank, over);
    if (loss != HEARTBEAT_NO_LOSS || last->traced)
        return loss;
    if (now - watched->since > HEARTBEAT_SILENCE)
        return HEARTBEAT_SILENT;
    if (last->phase == ORRERY_PHASE_START)
        return is_late(heartbeats, rank, now) ? HEARTBEAT_NOT_UP : HEARTBEAT_NO_LOSS;
    loss = progress_loss(heartbeats, rank, now, &heartbeats->waited);
    if (loss != HEARTBEAT_NO_LOSS)
        return loss;
    heartbeats->waited = HEARTBEAT_SILENCE;
    bool hangs = !may_wait(rank, last->phase) && watched->worked > 0 &&
                 now - watched->worked > HEARTBEAT_SILENCE;
    return hangs ? HEARTBEAT_HANGS : HEARTBEAT_NO_LOSS;
}

/* One that is not heard of says more than one that waits for it. */
static int lost_first(struct heartbeats *heartbeats, double now, enum heartbeat_loss *loss) {
    int late = -1;
    for (int rank = 0; rank < heartbeats->ranks; ++rank) {
        *loss = loss_of(heartbeats, rank, now);
        if (*loss != HEARTBEAT_NO_LOSS && *loss != HEARTBEAT_NOT_UP)
            return rank;
        if (*loss == HEARTBEAT_NOT_UP && (late < 0 || (heartbeats->watched[late].since > 0 &&
                                                       heartbeats->watched[rank].since == 0)))
            late = rank;
    }
    *loss = late < 0 ? HEARTBEAT_NO_LOSS : HEARTBEAT_NOT_UP;
    return late;
}

bool heartbeats_are_well(const struct heartbeats *heartbeats, double now) {
    bool well = heartbeats->ranks > 0;
    for (int rank = 0; rank < heartbeats->ranks; ++rank) {
        const struct watched *watched = &heartbeats->watched[rank];
        well &=
            watched->since == 0 || (!is_gone(&watched->last) && !watched->last.ended &&
                                    loss_of_line(heartbeats, rank, false) == HEARTBEAT_NO_LOSS &&
                                    now - watched->since <= HEARTBEAT_SILENCE);
    }
    return well;
}

/* The job is over, as far as its output goes: rank 0 has left it, and its process is gone. */
static void over_look(struct heartbeats *heartbeats, double now) {
    const struct line *line = lines_of(&heartbeats->lines, 0);
    bool gone = heartbeats->ranks > 0 &&
                (is_gone(&heartbeats->watched[0].last) || (line && line->state == LINE_CLOSED));
    if (heartbeats->finished && gone && heartbeats->over == 0)
        heartbeats->over = now;
}

bool heartbeats_note(struct heartbeats *heartbeats, double now, char *text, size_t size) {
    return !heartbeats->finished && progress_note(heartbeats, now, text, size);
}

/* Who is gone is looked for again in heartbeats that were read after it went: its own and rank 0's
 * may have come to say that it was in order. */
int heartbeats_look(struct heartbeats *heartbeats, double now, enum heartbeat_loss *loss) {
    heartbeats->started = heartbeats->started > 0 ? heartbeats->started : now;
    heartbeats_read(heartbeats, now);
    all_starved_look(heartbeats, now);
    stopped_look(heartbeats, now);
    over_look(heartbeats, now);
    if (lost_first(heartbeats, now, loss) < 0)
        return -1;
    heartbeats_read(heartbeats, now);
    return lost_first(heartbeats, now, loss);
}

static const char *phase_text(unsigned phase) {
    static const char *const texts[] = {
        "in the program's own code",
        "inspecting the data",
        "in a pass",
        "merging",
        "writing a checkpoint",
        "between two passes",
        "at the end of it",
        "after the end of it",
        "at its start",
        "standing by",
    };
    return phase < sizeof texts / sizeof *texts ? texts[phase] : "somewhere";
}

bool heartbeats_ended(const struct heartbeats *heartbeats, int rank, int *status) {
    if (rank < 0 || rank >= heartbeats->ranks || !heartbeats->watched[rank].last.ended)
        return false;
    *status = heartbeats->watched[rank].last.status & 255;
    return true;
}

/* A name of the host itself, its short name, or one that leads to the address it came from. */
bool heartbeats_is_on(const struct heartbeats *heartbeats, int rank, const char *host) {
    const char *own = heartbeats->watched[rank].last.host;
    const struct line *line = lines_of(&heartbeats->lines, rank);
    struct addrinfo *all = NULL, hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    size_t length = strcspn(own, ".");
    bool is = strcmp(host, own) == 0 ||
              (length && strlen(host) == length && strncmp(host, own, length) == 0);
    if (is || !line || getaddrinfo(host, NULL, &hints, &all) != 0)
        return is;
    for (const struct addrinfo *at = all; at && !is; at = at->ai_next) {
        char text[64] = "";
        getnameinfo(at->ai_addr, at->ai_addrlen, text, sizeof text, NULL, 0, NI_NUMERICHOST);
        is = strcmp(text, line->address) == 0;
    }
    freeaddrinfo(all);
    return is;
}

void heartbeats_describe(const struct heartbeats *heartbeats, int rank, char *text, size_t size) {
    const struct orrery_heartbeat *heartbeat =
        rank < heartbeats->ranks ? &heartbeats->watched[rank].last : NULL;
    if (!heartbeat || heartbeat->magic != ORRERY_HEARTBEAT_MAGIC) {
        snprintf(text, size, "rank %d", rank);
        return;
    }
    int used = snprintf(text, size, "rank %d on %s, %s", rank, heartbeat->host,
                        phase_text(heartbeat->phase));
    const struct orrery_heartbeat *leader = &heartbeats->watched[0].last;
    if (heartbeat->where[0])
        used += snprintf(text + used, size - (size_t)used, ", loop %s", heartbeat->where);
    if (leader->pass > 0)
        used += snprintf(text + used, size - (size_t)used, ", pass %ld", (long)leader->pass);
    if (heartbeat->row >= 0 && heartbeat->clock >= 0)
        used += snprintf(text + used, size - (size_t)used, ", clock %ld", (long)heartbeat->clock);
    if (heartbeat->row >= 0)
        snprintf(text + used, size - (size_t)used, ", block (%ld, %ld)", (long)heartbeat->row,
                 (long)heartbeat->column);
}
