#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/orrery.h"
#include "runtime/load/load.h"

#define COMMENTS "%#"

/*
 * Entries of a matrix, one per line: row, column, and mostly a value and a time. What a file looks
 * like is seen from its first lines:
 *   %%MatrixMarket matrix coordinate real|integer|pattern general, then `rows columns entries`
 *   user::item::value::time            MovieLens 1M, 10M
 *   user,item,value,time               with or without a line of names first
 *   user item value [time]             blanks or tabs
 */
struct ratings_format {
    char separator; /* ':' for `::`, ',' or ' ' */
    int columns;    /* 2 to 4; without a value it is 1 */
    bool matrix_market;
    long rows, width, entries; /* what the header says, of Matrix Market */
};

/* `base`: what the ids in the file count from. */
struct ratings_job {
    struct ratings_format format;
    struct orrery_rating *entry;
    int base;
};

static inline int separate(struct load_cursor *line, char separator) {
    if (separator == ' ' && load_is_next(line->at)) {
        ++line->at;
        return 0;
    }
    if (separator == ' ' && load_goes_on(line->at))
        return load_cursor_fail(line, line->at, "expected a blank");
    line->at = load_skip(line->at);
    if (separator == ',') {
        if (*line->at != ',')
            return load_cursor_fail(line, line->at, "expected a comma");
        line->at = load_skip(line->at + 1);
    } else if (separator == ':') {
        if (line->at[0] != ':' || line->at[1] != ':')
            return load_cursor_fail(line, line->at, "expected `::`");
        line->at += 2;
    }
    return 0;
}

static void widen(struct load_range *range, long value) {
    if (value < range->low)
        range->low = value;
    if (value > range->high)
        range->high = value;
}

static int read_value(struct load_cursor *line, const char *what, float *value) {
    const char *at = load_skip(line->at), *end = load_float(at, value);
    if (!end)
        return load_cursor_fail(line, at,
                                *at && *at != '\n' ? "expected %s, a number"
                                                   : "expected %s before the line ends",
                                what);
    if (!(*value - *value == 0))
        return load_cursor_fail(line, at, "%s is not a finite number", what);
    line->at = end;
    return 0;
}

static int read_rating(const struct load_job *job, struct load_cursor *line, struct load_tally *at,
                       struct load_range *range) {
    const struct ratings_job *ratings = job->into;
    const struct ratings_format *format = &ratings->format;
    struct orrery_rating *entry = &ratings->entry[at->records];
    const char *first = line->at;
    float time;
    entry->value = 1;
    if (load_id(line, "the row's id", format->matrix_market, &entry->row) != 0 ||
        separate(line, format->separator) != 0 ||
        load_id(line, "the column's id", format->matrix_market, &entry->column) != 0)
        return -1;
    if (format->columns > 2 && (separate(line, format->separator) != 0 ||
                                read_value(line, "the value", &entry->value) != 0))
        return -1;
    if (format->columns > 3 &&
        (separate(line, format->separator) != 0 || read_value(line, "the time", &time) != 0))
        return -1;
    if (format->matrix_market && (entry->row > format->rows || entry->column > format->width))
        return load_cursor_fail(line, first, "the header promises %ld rows and %ld columns",
                                format->rows, format->width);
    widen(&range[0], entry->row);
    widen(&range[1], entry->column);
    ++at->records;
    return 0;
}

/* The numbers of a line, as far as they go, and whether that is the whole of it. */
static int numbers_of(const char *text, char separator, bool *whole) {
    int count = 0;
    for (;;) {
        double value;
        const char *end = load_real(load_skip(text), &value);
        if (!end)
            break;
        ++count;
        text = load_skip(end);
        if (separator == ',' && *text == ',')
            ++text;
        else if (separator == ':' && text[0] == ':' && text[1] == ':')
            text += 2;
    }
    *whole = !*text;
    return count;
}

static int see_header(const struct load_source *source, const char *banner, struct load_job *job,
                      struct ratings_format *format) {
    char object[32], shape[32], field[32], symmetry[32], line[256];
    if (sscanf(banner, "%%%%MatrixMarket %31s %31s %31s %31s", object, shape, field, symmetry) != 4)
        return load_fail_at(source, 0, "a Matrix Market header has five words");
    bool pattern = strcmp(field, "pattern") == 0;
    if (strcmp(object, "matrix") != 0 || strcmp(shape, "coordinate") != 0 ||
        strcmp(symmetry, "general") != 0 ||
        (!pattern && strcmp(field, "real") != 0 && strcmp(field, "integer") != 0))
        return load_fail_at(source, 0,
                            "only `matrix coordinate real|integer|pattern general` is read");
    long at = load_first_line(source, 0, "%", line, sizeof line, &job->body);
    if (at < 0)
        return -1;
    char rest;
    if (sscanf(line, "%ld %ld %ld %c", &format->rows, &format->width, &format->entries, &rest) !=
            3 ||
        format->rows < 0 || format->width < 0 || format->entries < 0 || format->rows > INT_MAX ||
        format->width > INT_MAX)
        return load_fail_at(source, at, "expected the numbers of rows, columns and entries");
    format->matrix_market = true;
    format->separator = ' ';
    format->columns = pattern ? 2 : 3;
    return 0;
}

static int see_plain(const struct load_source *source, struct load_job *job,
                     struct ratings_format *format) {
    char line[1024];
    long next, at = load_first_line(source, 0, COMMENTS, line, sizeof line, &next);
    if (at < 0)
        return -1;
    job->body = at;
    format->separator = strstr(line, "::") ? ':' : strchr(line, ',') ? ',' : ' ';
    bool whole;
    int columns = numbers_of(line, format->separator, &whole);
    if (load_quotes_number(line))
        return load_fail_at(source, at, "a number in quotes; write it without");
    if (columns == 0 && line[0] && format->separator == ',') { /* a line of names */
        job->body = next;
        long first = load_first_line(source, next, COMMENTS, line, sizeof line, &next);
        if (first < 0)
            return -1;
        at = first;
        columns = numbers_of(line, format->separator, &whole);
    }
    format->columns = columns;
    if (line[0] && (columns < 2 || columns > 4 || !whole))
        return load_fail_at(source, at,
                            "expected a row, a column, and perhaps a value and a time, "
                            "separated by blanks, commas or `::`");
    return 0;
}

static int see(const struct load_source *source, struct load_job *lines,
               struct ratings_format *format) {
    static const char magic[] = "%%MatrixMarket";
    char banner[256] = "";
    long size = source->size < 255 ? source->size : 255;
    if (load_source_bytes(source, 0, banner, (size_t)size) != 0)
        return -1;
    if (strncmp(banner, magic, sizeof magic - 1) == 0) {
        banner[strcspn(banner, "\r\n")] = '\0';
        return see_header(source, banner, lines, format);
    }
    return see_plain(source, lines, format);
}

static void arrays_of(const void *into, struct load_array arrays[LOAD_ARRAYS]) {
    const struct ratings_job *job = into;
    arrays[0] = (struct load_array){job->entry, sizeof *job->entry, false};
}

static long count_from_zero(const struct load_job *lines, const struct load_tally *from,
                            const struct load_tally *to) {
    const struct ratings_job *job = lines->into;
    for (long n = from->records; n < to->records; ++n) {
        job->entry[n].row -= job->base;
        job->entry[n].column -= job->base;
    }
    return 0;
}

const struct load_format load_format_ratings = {.comments = COMMENTS,
                                                .into_bytes = sizeof(struct ratings_job),
                                                .read = read_rating,
                                                .arrays = arrays_of,
                                                .after = count_from_zero};

static int read_all(struct load_job *lines, struct ratings_job *job) {
    const struct load_source *source = lines->source;
    if (see(source, lines, &job->format) != 0 || load_count(lines) != 0)
        return -1;
    if (job->format.matrix_market && lines->total.records != job->format.entries)
        return load_fail("%s: the header promises %ld entries, there are %ld", source->path,
                         job->format.entries, lines->total.records);
    job->entry = load_memory((size_t)lines->total.records, sizeof *job->entry);
    return job->entry ? load_read(lines) : -1;
}

/* What is known when all lines are read: what ids count from, and how many there are. */
static int finish(struct load_job *lines, struct ratings_job *job, struct orrery_ratings *ratings) {
    const struct load_range *range = lines->range;
    bool market = job->format.matrix_market;
    int row = (int)load_base(&range[0]), column = (int)load_base(&range[1]);
    int base = job->base = market || (row && column) ? 1 : 0;
    long sum;
    *ratings = (struct orrery_ratings){.entry = job->entry, .count = lines->total.records};
    if (market) {
        ratings->rows = (int)job->format.rows;
        ratings->columns = (int)job->format.width;
    } else if (ratings->count) {
        if (!base && (range[0].high == INT_MAX || range[1].high == INT_MAX))
            return load_fail("%s: an id is %d: too large", lines->source->path, INT_MAX);
        ratings->rows = (int)(range[0].high + 1 - base);
        ratings->columns = (int)(range[1].high + 1 - base);
    }
    return base ? load_after(lines, &sum) : 0;
}

static int load(const struct load_source *source, struct orrery_ratings *ratings) {
    struct ratings_job job = {.entry = NULL};
    struct load_job lines = {.source = source, .format = &load_format_ratings, .into = &job};
    int failed = read_all(&lines, &job) != 0 || finish(&lines, &job, ratings) != 0;
    load_job_end(&lines, !failed);
    if (failed) {
        free(job.entry);
        *ratings = (struct orrery_ratings){0};
    }
    return failed ? -1 : 0;
}

int orrery_load_ratings(const char *path, struct orrery_ratings *ratings) {
    struct load_source source;
    *ratings = (struct orrery_ratings){0};
    if (load_source_open(&source, path) != 0)
        return -1;
    int failed = load(&source, ratings);
    load_source_close(&source);
    return failed;
}
