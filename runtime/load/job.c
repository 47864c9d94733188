#include "runtime/load/load.h"

#include <limits.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The steps of a load: over the pieces that this rank reads, then together with the others. */

/* Arrays of as many rows are divided alike, whatever a row is. */
enum { RAW_PIECES = 4096 };

long load_job_pieces(const struct load_job *job) {
    if (!job->format->raw)
        return load_source_pieces(job->source);
    return job->rows < RAW_PIECES ? job->rows : RAW_PIECES;
}

long load_job_before(const struct load_job *job, long piece) {
    long at = piece * load_piece_bytes, size = job->source->size;
    if (!job->format->raw)
        return at < size ? at : size;
    return (long)((__int128)job->rows * piece / load_job_pieces(job)) * job->row;
}

static int raw_read(void *state, long index, struct load_piece *piece) {
    const struct load_job *job = ((struct load_walk *)state)->job;
    struct load_array into[LOAD_ARRAYS] = {{0}};
    long from = job->before[index].records, to = job->before[index + 1].records;
    (void)piece;
    job->format->arrays(job->into, into);
    return load_source_bytes(job->source, job->body + from, (char *)into[0].base + from,
                             (size_t)(to - from));
}

/* ---- counting -------------------------------------------------------------------------------- */

int load_own_count(struct load_job *job) {
    long pieces = job->last - job->first;
    struct load_walk walk = {.job = job};
    free(job->before);
    job->before = load_memory((size_t)pieces + 1, sizeof *job->before);
    if (!job->before)
        return -1;
    job->before[0] = (struct load_tally){0};
    for (long i = 1; i <= pieces && job->format->raw; ++i)
        job->before[i] = (struct load_tally){.records = load_job_before(job, job->first + i) -
                                                        load_job_before(job, job->first + i - 1)};
    if (!job->format->raw && load_each(pieces, load_lines_count, &walk) != 0)
        return -1;
    for (long i = 0; i < pieces; ++i) {
        job->before[i + 1].records += job->before[i].records;
        job->before[i + 1].entries += job->before[i].entries;
    }
    job->total = job->before[pieces];
    return 0;
}

int load_count(struct load_job *job) {
    job->first = 0;
    job->last = load_job_pieces(job);
    if (load_group_begin(job) != 0)
        return -1;
    int failed = load_own_count(job);
    if (job->group && load_group_counted(job) != 0)
        failed = load_own_count(job);
    return failed;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void ranges_merge(struct load_job *job, struct load_range (*range)[LOAD_WAYS]) {
    for (long i = 0; i < job->last - job->first; ++i) {
        for (int way = 0; way < LOAD_WAYS; ++way) {
            if (range[i][way].low < job->range[way].low)
                job->range[way].low = range[i][way].low;
            if (range[i][way].high > job->range[way].high)
                job->range[way].high = range[i][way].high;
        }
    }
}

/* All of this rank's at once. */
static int rows_read(const struct load_job *job) {
    long pieces = job->last - job->first;
    long from = job->before[0].records, to = job->before[pieces].records;
    return to > from ? job->format->rows(job, from / job->row, to / job->row) : 0;
}

int load_own_read(struct load_job *job) {
    long pieces = job->last - job->first;
    struct load_walk walk = {job, load_memory((size_t)pieces, sizeof *walk.range)};
    if (!walk.range)
        return -1;
    for (long i = 0; i < pieces; ++i)
        for (int way = 0; way < LOAD_WAYS; ++way)
            walk.range[i][way] = (struct load_range){LONG_MAX, LONG_MIN};
    for (int way = 0; way < LOAD_WAYS; ++way)
        job->range[way] = (struct load_range){LONG_MAX, LONG_MIN};
    int failed = job->format->rows
                     ? rows_read(job)
                     : load_each(pieces, job->format->raw ? raw_read : load_lines_read, &walk);
    if (!failed)
        ranges_merge(job, walk.range);
    free(walk.range);
    return failed;
}

int load_read(struct load_job *job) {
    if (!job->group)
        return load_own_read(job);
    load_group_read_begin(job);
    return load_group_read_end(job, load_own_read(job));
}

/* ---- afterwards ------------------------------------------------------------------------------ */

struct adding {
    struct load_job *job;
    long *sum; /* per piece */
};

static int after_piece(void *state, long index, struct load_piece *piece) {
    struct adding *adding = state;
    const struct load_tally *before = &adding->job->before[index];
    (void)piece;
    adding->sum[index] = adding->job->format->after(adding->job, &before[0], &before[1]);
    return 0;
}

int load_own_after(struct load_job *job, long *sum) {
    long pieces = job->last - job->first;
    struct adding adding = {job, load_memory((size_t)pieces, sizeof *adding.sum)};
    *sum = 0;
    if (!adding.sum)
        return -1;
    int failed = load_each(pieces, after_piece, &adding);
    for (long i = 0; i < pieces; ++i)
        *sum += adding.sum[i];
    free(adding.sum);
    return failed;
}

int load_after(struct load_job *job, long *sum) {
    if (!job->group)
        return load_own_after(job, sum);
    load_group_after_begin(job);
    int failed = load_own_after(job, sum);
    return load_group_after_end(job, failed, sum);
}

void load_job_end(struct load_job *job, bool keep) {
    if (job->group)
        load_group_end(job, keep);
    free(job->before);
    job->before = NULL;
}

/* ---- what a text is, as a number ------------------------------------------------------------- */

struct summing {
    const struct load_job *job;
    long first;
    uint64_t *sum; /* per piece */
};

static int sum_bytes(const struct load_source *source, long from, long size, uint64_t *sum) {
    char *bytes = load_memory((size_t)size, 1);
    int failed = !bytes || load_source_bytes(source, from, bytes, (size_t)size) != 0;
    if (!failed)
        *sum = XXH64(bytes, (size_t)size, (uint64_t)from);
    free(bytes);
    return failed ? -1 : 0;
}

/* Of lines the whole of them, wherever they end; of bytes those of the piece. */
static int sum_piece(void *state, long index, struct load_piece *piece) {
    const struct summing *summing = state;
    const struct load_job *job = summing->job;
    long number = summing->first + index;
    if (!job->format->raw) {
        if (load_piece_read(job->source, number, piece) != 0)
            return -1;
        summing->sum[index] = XXH64(piece->text, (size_t)piece->size, (uint64_t)piece->offset);
        return 0;
    }
    long from = number * load_piece_bytes, size = job->source->size - from;
    size = size < load_piece_bytes ? size : load_piece_bytes;
    if (!job->format->rows) {
        from = job->body + load_job_before(job, number);
        size = job->body + load_job_before(job, number + 1) - from;
    }
    return sum_bytes(job->source, from, size, &summing->sum[index]);
}

int load_text_sum(const struct load_job *job, long first, long last, uint64_t *sum) {
    if (job->format->rows) {
        first = 0;
        last = load_source_pieces(job->source);
    }
    struct summing summing = {job, first, load_memory((size_t)(last - first), sizeof *summing.sum)};
    if (!summing.sum)
        return -1;
    int failed = load_each(last - first, sum_piece, &summing);
    *sum = 0;
    if (!failed)
        *sum = XXH64(summing.sum, (size_t)(last - first) * sizeof *summing.sum, 0);
    free(summing.sum);
    return failed;
}
