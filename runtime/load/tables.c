#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "include/orrery.h"
#include "runtime/load/load.h"

/* Numbers in rows of equal length, separated by commas, semicolons or blanks; a first line of names
 * is skipped. Coordinates of tensors (FROSTT's .tns) are read from the same rows. */
struct table_job {
    struct load_job lines;
    char separator; /* ',', ';' or ' ' */
    int columns;
    float *value; /* columns per row, or */
    int ways;     /* ids first and one value behind them, when this is not 0 */
    int *id;
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
        if (load_id(line, "an index", 0, &id[c]) != 0 || separate(line, separator) != 0)
            return -1;
        if (id[c] < range[c].low)
            range[c].low = id[c];
        if (id[c] > range[c].high)
            range[c].high = id[c];
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
static int see(struct table_job *job) {
    const struct load_source *source = job->lines.source;
    size_t size = 1 << 20;
    char *line = load_memory(size, 1);
    if (!line)
        return -1;
    long next, at = load_first_line(source, 0, job->lines.comments, line, size, &next);
    job->separator = strchr(line, ',') ? ',' : strchr(line, ';') ? ';' : ' ';
    job->columns = columns_of(line, job->separator);
    double first;
    if (at >= 0 && line[0] && !load_real(line, &first)) { /* names */
        job->lines.body = next;
        at = load_first_line(source, next, job->lines.comments, line, size, &next);
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

static int load(struct table_job *job, bool tensor) {
    job->lines.read = read_row;
    job->lines.comments = "#%";
    job->lines.into = job;
    if (see(job) != 0)
        return -1;
    if (tensor) {
        job->ways = job->columns ? job->columns - 1 : 0;
        if (job->columns && (job->ways < 1 || job->ways > ORRERY_WAYS))
            return load_fail("%s: a line has %d numbers, expected 1 to %d indices and a value",
                             job->lines.source->path, job->columns, ORRERY_WAYS);
    }
    if (load_count(&job->lines) != 0)
        return -1;
    size_t rows = (size_t)job->lines.total.records;
    job->value = load_memory(rows * (size_t)(job->columns - job->ways), sizeof *job->value);
    job->id = tensor ? load_memory(rows * (size_t)job->ways, sizeof *job->id) : NULL;
    return !job->value || (tensor && !job->id) ? -1 : load_read(&job->lines);
}

static int load_path(struct table_job *job, const char *path, bool tensor) {
    struct load_source source;
    if (load_source_open(&source, path) != 0)
        return -1;
    job->lines.source = &source;
    int failed = load(job, tensor);
    load_job_end(&job->lines);
    load_source_close(&source);
    if (failed) {
        free(job->value);
        free(job->id);
    }
    return failed;
}

int orrery_load_table(const char *path, struct orrery_table *table) {
    struct table_job job = {.separator = ' '};
    *table = (struct orrery_table){0};
    if (load_path(&job, path, false) != 0)
        return -1;
    *table = (struct orrery_table){job.value, job.lines.total.records, job.columns};
    return 0;
}

int orrery_load_tensor(const char *path, struct orrery_tensor *tensor) {
    struct table_job job = {.separator = ' '};
    *tensor = (struct orrery_tensor){0};
    if (load_path(&job, path, true) != 0)
        return -1;
    long count = job.lines.total.records, base = 1;
    for (int way = 0; way < job.ways; ++way)
        base = load_base(&job.lines.range[way]) ? base : 0;
    *tensor = (struct orrery_tensor){
        .index = job.id, .value = job.value, .count = count, .ways = job.ways};
    for (long n = 0; n < count * job.ways && base; ++n)
        --job.id[n];
    for (int way = 0; way < job.ways; ++way)
        tensor->size[way] = job.lines.range[way].high + 1 - base;
    return 0;
}
