#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "include/orrery.h"
#include "runtime/load/load.h"

#define COMMENTS "#%"

/* Numbers in rows of equal length, separated by commas, semicolons or blanks; a first line of names
 * is skipped. Coordinates of tensors (FROSTT's .tns) are read from the same rows. */
struct table_job {
    char separator; /* ',', ';' or ' ' */
    int columns;
    float *value; /* columns per row, or */
    int ways;     /* ids first and one value behind them, when this is not 0 */
    int *id;
    int base; /* what the indices in the file count from; they are read as if it were 1 */
};

static inline int separate(struct load_cursor *line, char separator) {
    if (separator == ' ' && load_is_next(line->at)) {
        ++line->at;
        return 0;
    }
    if (separator == ' ' && load_goes_on(line->at))
        return load_cursor_fail(line, line->at, "expected a blank");
    line->at = load_skip(line->at);
    if (separator == ' ')
        return 0;
    if (*line->at != separator)
        return load_cursor_fail(line, line->at, "expected `%c`", separator);
    line->at = load_skip(line->at + 1);
    return 0;
}

static int read_number(struct load_cursor *line, int column, int columns, float *value) {
    const char *end = load_float(line->at, value);
    if (!end)
        return load_cursor_fail(line, line->at,
                                *line->at && *line->at != '\n'
                                    ? "expected a number in column %d"
                                    : "the line ends before column %d of %d",
                                column + 1, columns);
    if (!isfinite(*value))
        return load_cursor_fail(line, line->at, "column %d is not a finite number", column + 1);
    line->at = end;
    return 0;
}

static int read_row(const struct load_job *job, struct load_cursor *line, struct load_tally *at,
                    struct load_range *range) {
    const struct table_job *table = job->into;
    float *value = table->value + at->records * (table->columns - table->ways);
    int *id = table->ways ? table->id + at->records * table->ways : NULL;
    int columns = table->columns, ways = table->ways;
    char separator = table->separator;
    for (int c = 0; c < ways; ++c) {
        int index;
        if (load_id(line, "an index", 0, &index) != 0 || separate(line, separator) != 0)
            return -1;
        if (index < range[c].low)
            range[c].low = index;
        if (index > range[c].high)
            range[c].high = index;
        id[c] = index - 1;
    }
    for (int c = ways; c < columns; ++c)
        if ((c > ways && separate(line, separator) != 0) ||
            read_number(line, c, columns, value++) != 0)
            return -1;
    ++at->records;
    return 0;
}

static int columns_of(const char *line, char separator) {
    int columns = 0;
    for (;;) {
        double value;
        const char *end = load_real(load_skip(line), &value);
        if (!end || load_goes_on(end))
            return 0;
        ++columns;
        line = load_skip(end);
        if (!*line)
            return columns;
        if (separator != ' ' && *line++ != separator)
            return 0;
    }
}

/* The first line of numbers says how many there are. */
static int see(struct load_job *lines, struct table_job *job) {
    const struct load_source *source = lines->source;
    size_t size = 1 << 20;
    char *line = load_memory(size, 1);
    if (!line)
        return -1;
    long next, at = load_first_line(source, 0, COMMENTS, line, size, &next);
    job->separator = strchr(line, ',') ? ',' : strchr(line, ';') ? ';' : ' ';
    job->columns = columns_of(line, job->separator);
    double first;
    if (at >= 0 && load_quotes_number(line)) {
        free(line);
        return load_fail_at(source, at, "a number in quotes; write it without");
    }
    if (at >= 0 && line[0] && !load_real(line, &first)) { /* names */
        lines->body = next;
        at = load_first_line(source, next, COMMENTS, line, size, &next);
        job->columns = columns_of(line, job->separator);
    }
    int failed = at < 0;
    if (!failed && line[0] && !job->columns)
        failed = load_fail_at(source, at,
                              "expected numbers, separated by commas, semicolons or "
                              "blanks") != 0;
    free(line);
    return failed ? -1 : 0;
}

static void arrays_of(const void *into, struct load_array arrays[LOAD_ARRAYS]) {
    const struct table_job *job = into;
    size_t values = (size_t)(job->columns - job->ways), ways = (size_t)job->ways;
    arrays[0] = (struct load_array){job->value, values * sizeof *job->value, false};
    arrays[1] = (struct load_array){job->id, ways * sizeof *job->id, false};
}

/* What was read counts from zero where the file counts from 1. */
static long count_from_base(const struct load_job *lines, const struct load_tally *from,
                            const struct load_tally *to) {
    const struct table_job *job = lines->into;
    for (long n = from->records * job->ways; n < to->records * job->ways; ++n)
        job->id[n] += 1 - job->base;
    return 0;
}

const struct load_format load_format_rows = {.comments = COMMENTS,
                                             .into_bytes = sizeof(struct table_job),
                                             .read = read_row,
                                             .arrays = arrays_of,
                                             .after = count_from_base};

static int read_all(struct load_job *lines, struct table_job *job, bool tensor) {
    if (see(lines, job) != 0)
        return -1;
    if (tensor) {
        job->ways = job->columns ? job->columns - 1 : 0;
        if (job->columns && (job->ways < 1 || job->ways > ORRERY_WAYS))
            return load_fail("%s: a line has %d numbers, expected 1 to %d indices and a value",
                             lines->source->path, job->columns, ORRERY_WAYS);
    }
    if (load_count(lines) != 0)
        return -1;
    size_t rows = (size_t)lines->total.records;
    job->value = load_memory(rows * (size_t)(job->columns - job->ways), sizeof *job->value);
    job->id = tensor ? load_memory(rows * (size_t)job->ways, sizeof *job->id) : NULL;
    return !job->value || (tensor && !job->id) ? -1 : load_read(lines);
}

/* What the indices count from is known when all of them are read. */
static int finish(struct load_job *lines, struct table_job *job) {
    long sum;
    job->base = 1;
    for (int way = 0; way < job->ways; ++way)
        job->base = load_base(&lines->range[way]) ? job->base : 0;
    return job->base != 1 && job->ways ? load_after(lines, &sum) : 0;
}

static int load_path(struct load_job *lines, const char *path, bool tensor) {
    struct load_source source;
    struct table_job *job = lines->into;
    if (load_source_open(&source, path) != 0)
        return -1;
    lines->source = &source;
    lines->format = &load_format_rows;
    int failed = read_all(lines, job, tensor) != 0 || (tensor && finish(lines, job) != 0);
    load_job_end(lines, !failed);
    load_source_close(&source);
    if (failed) {
        free(job->value);
        free(job->id);
    }
    return failed ? -1 : 0;
}

int orrery_load_table(const char *path, struct orrery_table *table) {
    struct table_job job = {.separator = ' '};
    struct load_job lines = {.into = &job};
    *table = (struct orrery_table){0};
    if (load_path(&lines, path, false) != 0)
        return -1;
    *table = (struct orrery_table){job.value, lines.total.records, job.columns};
    return 0;
}

int orrery_load_tensor(const char *path, struct orrery_tensor *tensor) {
    struct table_job job = {.separator = ' '};
    struct load_job lines = {.into = &job};
    *tensor = (struct orrery_tensor){0};
    if (load_path(&lines, path, true) != 0)
        return -1;
    *tensor = (struct orrery_tensor){
        .index = job.id, .value = job.value, .count = lines.total.records, .ways = job.ways};
    for (int way = 0; way < job.ways; ++way)
        tensor->size[way] = lines.range[way].high + 1 - job.base;
    return 0;
}
