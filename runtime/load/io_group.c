#define _GNU_SOURCE
#include "runtime/load/load.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "include/orrery.h"

/*
 * A file read by several ranks (docs/loaders.md). Rank 0 sees what kind of file it is, asks the
 * others to count the lines of their pieces, allocates the results, and tells everybody where his
 * begin. Rank r of R has pieces [P r / R, P (r + 1) / R), so what goes wrong first in the file is
 * what the lowest rank complains of.
 */

static const struct load_format *const formats[] = {
    &load_format_ratings,   &load_format_rows,  &load_format_examples, &load_format_triples,
    &load_format_documents, &load_format_bytes, &load_format_hdf5};
enum { FORMATS = sizeof formats / sizeof *formats, INTO_MOST = 512 };

enum op { OP_COUNT, OP_READ, OP_AFTER, OP_KEEP, OP_DROP };

/*
 * By what a file is known: on one machine (`boot`) by device and number, between machines by
 * number, size and times, of which nobody can set the last. No two files are alike in all of them.
 */
struct facts {
    char boot[40];
    uint64_t device, number;
    long size, modified[2], changed[2];
};

/* What rank 0 sends. A rank's first tally follows OP_READ. */
struct ask {
    enum op op;                          /* what the others shall do */
    int format;                          /* its number */
    long body, row, rows, piece_bytes;   /* the job's */
    struct facts facts;                  /* of the file, as rank 0 sees it */
    char into[INTO_MOST];                /* the job's */
    char name[PATH_MAX], path[PATH_MAX]; /* the file as it was given, and as others find it */
};

/* What is answered to OP_COUNT, OP_READ and OP_AFTER. `other`: the facts are others, `sum` is that
 * of this rank's text. */
struct reply {
    int failed, other;
    uint64_t sum;
    struct load_tally total;
    struct load_range range[LOAD_WAYS];
    long added;
    char message[LOAD_MESSAGE + 4096];
};

/* Rank 0: per rank, what it answered last; and, with one more, where its records begin. */
struct load_group {
    const struct load_ranks *ranks;
    struct ask ask;
    struct reply *reply;
    struct load_tally *start;
};

static long first_piece(long pieces, int rank, int ranks) {
    return (long)((__int128)pieces * rank / ranks);
}

/* ---- the same file? -------------------------------------------------------------------------- */

static void boot_read(char *boot, size_t size) {
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, boot, size - 1) : 0;
    boot[got > 0 ? got : 0] = '\0';
    if (file >= 0)
        close(file);
}

static int facts_read(const struct load_source *source, struct facts *facts) {
    struct stat status;
    memset(facts, 0, sizeof *facts);
    if (fstat(source->file, &status) != 0)
        return load_fail("%s", strerror(errno));
    boot_read(facts->boot, sizeof facts->boot);
    facts->device = status.st_dev;
    facts->number = status.st_ino;
    facts->size = source->size;
    facts->modified[0] = status.st_mtim.tv_sec;
    facts->modified[1] = status.st_mtim.tv_nsec;
    facts->changed[0] = status.st_ctim.tv_sec;
    facts->changed[1] = status.st_ctim.tv_nsec;
    return 0;
}

static bool facts_agree(const struct facts *a, const struct facts *b) {
    bool here = a->boot[0] && strcmp(a->boot, b->boot) == 0;
    return a->number == b->number && a->size == b->size && (!here || a->device == b->device) &&
           memcmp(a->modified, b->modified, sizeof a->modified) == 0 &&
           memcmp(a->changed, b->changed, sizeof a->changed) == 0;
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

/* A name that means the same wherever a rank stands; false for those that cannot. */
static bool path_make(const char *name, char *path, size_t size) {
    char folder[PATH_MAX] = "";
    if (name[0] != '/' && !getcwd(folder, sizeof folder))
        return false;
    int length = snprintf(path, size, "%s%s%s", folder, name[0] == '/' ? "" : "/", name);
    return length > 0 && (size_t)length < size && strncmp(path, "/dev/", 5) != 0 &&
           strncmp(path, "/proc/", 6) != 0;
}

static int format_number(const struct load_format *format) {
    int number = 0;
    while (number < FORMATS - 1 && formats[number] != format)
        ++number;
    return number;
}

static void ask_all(const struct load_job *job, enum op op) {
    struct load_group *group = job->group;
    group->ask.op = op;
    memcpy(group->ask.into, job->into, job->format->into_bytes);
    group->ranks->ask(&group->ask, sizeof group->ask);
}

static void group_free(struct load_job *job) {
    if (job->group) {
        free(job->group->reply);
        free(job->group->start);
    }
    free(job->group);
    job->group = NULL;
}

static int group_new(struct load_job *job, const struct load_ranks *ranks) {
    struct load_group *group = job->group = load_memory(1, sizeof *group);
    if (!group)
        return -1;
    memset(group, 0, sizeof *group);
    group->ranks = ranks;
    group->reply = load_memory((size_t)ranks->ranks, sizeof *group->reply);
    group->start = load_memory((size_t)ranks->ranks + 1, sizeof *group->start);
    if (group->reply && group->start)
        return 0;
    group_free(job);
    return -1;
}

/* What all have to know; false when this file is nothing for others. */
static bool ask_make(const struct load_job *job, struct ask *ask) {
    const struct load_source *source = job->source;
    ask->format = format_number(job->format);
    ask->body = job->body;
    ask->row = job->row;
    ask->rows = job->rows;
    ask->piece_bytes = load_piece_bytes;
    return snprintf(ask->name, sizeof ask->name, "%s", source->path) < PATH_MAX &&
           path_make(source->path, ask->path, sizeof ask->path) &&
           facts_read(source, &ask->facts) == 0;
}

int load_group_begin(struct load_job *job) {
    const struct load_ranks *ranks = orrery_load_ranks ? orrery_load_ranks() : NULL;
    job->group = NULL;
    if (!ranks || job->source->text || job->source->size < ranks->least)
        return 0;
    if (group_new(job, ranks) != 0)
        return -1;
    if (!ask_make(job, &job->group->ask)) {
        group_free(job);
        return 0;
    }
    job->last = first_piece(load_job_pieces(job), 1, ranks->ranks);
    ask_all(job, OP_COUNT);
    return 0;
}

static void replies_take(struct load_group *group) {
    for (int rank = 1; rank < group->ranks->ranks; ++rank)
        group->ranks->receive(rank, &group->reply[rank], sizeof *group->reply);
}

/* Why a rank's text cannot be used, NULL when it can. */
static const char *unusable(const struct load_job *job, int rank) {
    const struct reply *reply = &job->group->reply[rank];
    long pieces = load_job_pieces(job);
    uint64_t sum;
    if (reply->failed)
        return reply->message;
    if (!reply->other)
        return NULL;
    if (load_text_sum(job, first_piece(pieces, rank, job->group->ranks->ranks),
                      first_piece(pieces, rank + 1, job->group->ranks->ranks), &sum) != 0)
        return orrery_load_error();
    return sum == reply->sum ? NULL : "it is another file there";
}

/* Nobody helps: rank 0 has all pieces. */
static void alone(struct load_job *job, int rank, const char *why) {
    char text[sizeof job->group->reply->message + 128];
    snprintf(text, sizeof text, "%s: rank %d cannot help to read it: %s; rank 0 reads it alone",
             job->source->path, rank, why);
    job->group->ranks->say(text);
    ask_all(job, OP_DROP);
    group_free(job);
    job->first = 0;
    job->last = load_job_pieces(job);
}

int load_group_counted(struct load_job *job) {
    struct load_group *group = job->group;
    int ranks = group->ranks->ranks;
    replies_take(group);
    for (int rank = 1; rank < ranks; ++rank) {
        const char *why = unusable(job, rank);
        if (why) {
            alone(job, rank, why);
            return -1;
        }
    }
    group->start[0] = (struct load_tally){0};
    group->start[1] = job->total;
    for (int rank = 1; rank < ranks; ++rank) {
        job->total.records += group->reply[rank].total.records;
        job->total.entries += group->reply[rank].total.entries;
        group->start[rank + 1] = job->total;
    }
    return 0;
}

void load_group_read_begin(struct load_job *job) {
    struct load_group *group = job->group;
    ask_all(job, OP_READ);
    for (int rank = 1; rank < group->ranks->ranks; ++rank)
        group->ranks->send(rank, &group->start[rank], sizeof *group->start);
}

/* Rank 0's own failure, else that of the lowest rank. */
static int first_failure(const struct load_group *group, int failed) {
    for (int rank = 1; rank < group->ranks->ranks && !failed; ++rank)
        if (group->reply[rank].failed)
            failed = load_fail("%s", group->reply[rank].message);
    return failed;
}

int load_group_read_end(struct load_job *job, int failed) {
    struct load_group *group = job->group;
    replies_take(group);
    for (int rank = 1; rank < group->ranks->ranks; ++rank) {
        for (int way = 0; way < LOAD_WAYS; ++way) {
            const struct load_range *range = &group->reply[rank].range[way];
            if (range->low < job->range[way].low)
                job->range[way].low = range->low;
            if (range->high > job->range[way].high)
                job->range[way].high = range->high;
        }
    }
    return first_failure(group, failed);
}

void load_group_after_begin(struct load_job *job) {
    ask_all(job, OP_AFTER);
}

int load_group_after_end(struct load_job *job, int failed, long *sum) {
    struct load_group *group = job->group;
    replies_take(group);
    for (int rank = 1; rank < group->ranks->ranks; ++rank)
        *sum += group->reply[rank].added;
    return first_failure(group, failed);
}

static long place_in(const struct load_array *array, const struct load_tally *tally) {
    return (long)array->bytes * (array->by_entries ? tally->entries : tally->records);
}

/* What the others have read is rank 0's. */
static void place_all(const struct load_job *job) {
    const struct load_group *group = job->group;
    struct load_array arrays[LOAD_ARRAYS] = {{0}};
    job->format->arrays(job->into, arrays);
    for (int rank = 1; rank < group->ranks->ranks; ++rank)
        for (int a = 0; a < LOAD_ARRAYS; ++a) {
            long from = place_in(&arrays[a], &group->start[rank]);
            long to = place_in(&arrays[a], &group->start[rank + 1]);
            if (arrays[a].base && to > from)
                group->ranks->place((char *)arrays[a].base + from, (size_t)(to - from), rank);
        }
}

static void tell(const struct load_job *job) {
    int ranks = job->group->ranks->ranks;
    long *bytes = load_memory((size_t)ranks, sizeof *bytes), pieces = load_job_pieces(job);
    for (int rank = 0; rank < ranks && bytes && pieces; ++rank)
        bytes[rank] = load_job_before(job, first_piece(pieces, rank + 1, ranks)) -
                      load_job_before(job, first_piece(pieces, rank, ranks));
    if (bytes && pieces)
        job->group->ranks->told(job->source->path, bytes);
    free(bytes);
}

void load_group_end(struct load_job *job, bool keep) {
    ask_all(job, keep ? OP_KEEP : OP_DROP);
    if (keep) {
        place_all(job);
        tell(job);
    }
    group_free(job);
}

/* ---- the others ------------------------------------------------------------------------------ */

/* The load that this rank helps with; one at a time. */
static struct helping {
    const struct load_ranks *ranks;
    struct load_source source;
    struct load_job job;
    struct load_tally start, end;
    bool reads;
    _Alignas(16) char into[INTO_MOST];
    char name[PATH_MAX];
} helping = {.source.file = -1};

/* What this rank writes of a result. */
static char *own_bytes(const struct load_array *array, size_t *bytes) {
    long from = place_in(array, &helping.start), to = place_in(array, &helping.end);
    *bytes = (size_t)(to - from);
    return (char *)array->base + from;
}

static void each_own(void (*call)(void *memory, size_t bytes)) {
    struct load_array arrays[LOAD_ARRAYS] = {{0}};
    size_t bytes;
    helping.job.format->arrays(helping.into, arrays);
    for (int a = 0; a < LOAD_ARRAYS; ++a) {
        char *memory = arrays[a].base ? own_bytes(&arrays[a], &bytes) : NULL;
        if (memory && bytes)
            call(memory, bytes);
    }
}

static void drop(void *memory, size_t bytes) {
    helping.ranks->drop(memory, bytes);
}

static void help_end(bool keep) {
    if (!keep && helping.reads)
        each_own(drop);
    free(helping.job.before);
    if (helping.source.file >= 0)
        close(helping.source.file);
    helping.job.before = NULL;
    helping.source.file = -1;
    helping.reads = false;
}

/* The file as this rank has it. A pipe of that name must not make it wait. */
static int help_open(const struct ask *ask, struct facts *facts) {
    struct stat status;
    helping.source = (struct load_source){.path = helping.name};
    helping.source.file = open(ask->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (helping.source.file < 0)
        return load_fail("%s", strerror(errno));
    if (fstat(helping.source.file, &status) != 0)
        return load_fail("%s", strerror(errno));
    if (!S_ISREG(status.st_mode) || status.st_size != ask->facts.size)
        return load_fail("it is another file there");
    helping.source.size = status.st_size;
    return facts_read(&helping.source, facts);
}

static int help_count(const struct ask *ask, struct reply *reply) {
    struct load_job *job = &helping.job;
    struct facts facts;
    help_end(true);
    memcpy(helping.name, ask->name, sizeof helping.name);
    if (help_open(ask, &facts) != 0)
        return -1;
    load_piece_bytes = ask->piece_bytes;
    *job = (struct load_job){.source = &helping.source,
                             .format = formats[ask->format],
                             .body = ask->body,
                             .row = ask->row,
                             .rows = ask->rows,
                             .into = helping.into};
    long pieces = load_job_pieces(job);
    job->first = first_piece(pieces, helping.ranks->rank, helping.ranks->ranks);
    job->last = first_piece(pieces, helping.ranks->rank + 1, helping.ranks->ranks);
    reply->other = !facts_agree(&facts, &ask->facts);
    if (reply->other && load_text_sum(job, job->first, job->last, &reply->sum) != 0)
        return -1;
    if (load_own_count(job) != 0)
        return -1;
    reply->total = job->total;
    return 0;
}

static int help_read(struct reply *reply) {
    struct load_job *job = &helping.job;
    struct load_tally *start = &helping.start;
    helping.ranks->receive(0, start, sizeof *start);
    helping.end = (struct load_tally){start->records + job->total.records,
                                      start->entries + job->total.entries};
    for (long i = 0; i <= job->last - job->first; ++i) {
        job->before[i].records += start->records;
        job->before[i].entries += start->entries;
    }
    helping.reads = true;
    each_own(helping.ranks->commit);
    int failed = load_own_read(job);
    memcpy(reply->range, job->range, sizeof reply->range);
    return failed;
}

static void answer(struct reply *reply, int failed) {
    reply->failed = failed != 0;
    if (failed)
        snprintf(reply->message, sizeof reply->message, "%s", orrery_load_error());
    helping.ranks->send(0, reply, sizeof *reply);
}

bool orrery_load_help(const struct load_ranks *ranks, const void *message, size_t bytes) {
    struct reply reply = {0};
    struct ask ask;
    if (bytes != sizeof ask)
        return false;
    memcpy(&ask, message, sizeof ask);
    if (ask.format < 0 || ask.format >= FORMATS || (ask.op != OP_COUNT && !helping.ranks))
        return false;
    helping.ranks = ranks;
    memcpy(helping.into, ask.into, sizeof helping.into);
    if (ask.op == OP_COUNT)
        answer(&reply, help_count(&ask, &reply));
    else if (ask.op == OP_READ)
        answer(&reply, help_read(&reply));
    else if (ask.op == OP_AFTER)
        answer(&reply, load_own_after(&helping.job, &reply.added));
    else
        help_end(ask.op == OP_KEEP);
    return true;
}
