#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "include/orrery.h"
#include "runtime/load/load.h"

/* libsvm's format: `label feature:value feature:value ...`, `#` begins a remark. */

struct examples_job {
    struct orrery_examples data;
    int base; /* what the features in the file count from */
};

static bool ends_line(char c) {
    return c == '\n' || c == '\0' || c == '#';
}

static void count_example(const struct load_job *job, const char *line, struct load_tally *tally) {
    (void)job;
    ++tally->records;
    for (; !ends_line(*line); ++line)
        tally->entries += *line == ':';
}

static int read_label(struct load_cursor *line, float *label) {
    const char *end = load_float(line->at, label);
    if (!end || !strchr(" \t\r\n#", *end))
        return load_cursor_fail(line, line->at, "expected a label, a number");
    if (!isfinite(*label))
        return load_cursor_fail(line, line->at, "the label is not a finite number");
    line->at = load_skip(end);
    return 0;
}

static int read_entry(struct load_cursor *line, long *feature, float *value) {
    const char *at = line->at, *end = load_whole(at, feature);
    if (!end || *end != ':')
        return load_cursor_fail(line, at, "expected `feature:value`, with a whole number first");
    if (*feature < 0 || *feature >= INT_MAX)
        return load_cursor_fail(line, at, "the feature is %ld, expected 0 to %d", *feature,
                                INT_MAX - 1);
    at = end + 1;
    end = load_float(at, value);
    if (!end || !(strchr(" \t\r\n#", *end) || !*end))
        return load_cursor_fail(line, at, "expected a value, a number");
    if (!isfinite(*value))
        return load_cursor_fail(line, at, "the value is not a finite number");
    line->at = load_skip(end);
    return 0;
}

static int read_example(const struct load_job *job, struct load_cursor *line, struct load_tally *at,
                        struct load_range *range) {
    const struct orrery_examples *data = &((struct examples_job *)job->into)->data;
    long last = -1, feature;
    if (read_label(line, &data->label[at->records]) != 0)
        return -1;
    data->start[at->records] = at->entries;
    while (!ends_line(*line->at)) {
        const char *here = line->at;
        if (read_entry(line, &feature, &data->value[at->entries]) != 0)
            return -1;
        if (feature <= last)
            return load_cursor_fail(
                line, here, "the features of a line have to rise: %ld after %ld", feature, last);
        last = feature;
        data->feature[at->entries++] = (int)feature;
        if (feature < range->low)
            range->low = feature;
        if (feature > range->high)
            range->high = feature;
    }
    while (*line->at && *line->at != '\n')
        ++line->at;
    ++at->records;
    return 0;
}

static void arrays_of(const void *into, struct load_array arrays[LOAD_ARRAYS]) {
    const struct orrery_examples *data = &((const struct examples_job *)into)->data;
    arrays[0] = (struct load_array){data->label, sizeof *data->label, false};
    arrays[1] = (struct load_array){data->start, sizeof *data->start, false};
    arrays[2] = (struct load_array){data->feature, sizeof *data->feature, true};
    arrays[3] = (struct load_array){data->value, sizeof *data->value, true};
}

static long count_from_zero(const struct load_job *lines, const struct load_tally *from,
                            const struct load_tally *to) {
    const struct examples_job *job = lines->into;
    for (long p = from->entries; p < to->entries; ++p)
        job->data.feature[p] -= job->base;
    return 0;
}

const struct load_format load_format_examples = {.comments = "#",
                                                 .into_bytes = sizeof(struct examples_job),
                                                 .count = count_example,
                                                 .read = read_example,
                                                 .arrays = arrays_of,
                                                 .after = count_from_zero};

static int read_all(struct load_job *lines, struct orrery_examples *data) {
    if (load_count(lines) != 0)
        return -1;
    data->count = lines->total.records;
    data->entries = lines->total.entries;
    data->label = load_memory((size_t)data->count, sizeof *data->label);
    data->start = load_memory((size_t)data->count + 1, sizeof *data->start);
    data->feature = load_memory((size_t)data->entries, sizeof *data->feature);
    data->value = load_memory((size_t)data->entries, sizeof *data->value);
    if (!data->label || !data->start || !data->feature || !data->value)
        return -1;
    data->start[data->count] = data->entries;
    return load_read(lines);
}

static int load(const struct load_source *source, struct orrery_examples *data) {
    struct examples_job job = {.base = 0};
    struct load_job lines = {.source = source, .format = &load_format_examples, .into = &job};
    long sum;
    int failed = read_all(&lines, &job.data) != 0;
    job.base = failed ? 0 : (int)load_base(&lines.range[0]);
    failed = failed || (job.base && load_after(&lines, &sum) != 0);
    load_job_end(&lines, !failed);
    *data = job.data;
    if (data->entries && !failed)
        data->features = (int)(lines.range[0].high + 1 - job.base);
    return failed ? -1 : 0;
}

void orrery_free_examples(struct orrery_examples *data) {
    free(data->label);
    free(data->start);
    free(data->feature);
    free(data->value);
    *data = (struct orrery_examples){0};
}

int orrery_load_examples(const char *path, struct orrery_examples *data) {
    struct load_source source;
    *data = (struct orrery_examples){0};
    if (load_source_open(&source, path) != 0)
        return -1;
    int failed = load(&source, data);
    load_source_close(&source);
    if (failed)
        orrery_free_examples(data);
    return failed;
}
