#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "include/orrery.h"
#include "runtime/load/load.h"

/*
 * Bags of words in two formats:
 *   UCI    three lines with the numbers of documents, words and entries, then lines of
 *          `document word count`, counted from 1
 *   ldac   a line per document: how many words, then `word:count` for each, counted from 0 (Blei)
 */
struct bags_job {
    struct orrery_bag_entry *entry;
    long documents, words; /* what the header of the first format says */
};

static void count_document(const struct load_job *job, const char *line, struct load_tally *tally) {
    (void)job;
    ++tally->records;
    for (; *line && *line != '\n'; ++line)
        tally->entries += *line == ':';
}

static void seen(struct load_range *range, const struct orrery_bag_entry *entry) {
    if (entry->word > range->high)
        range->high = entry->word;
}

static int read_triple(const struct load_job *job, struct load_cursor *line, struct load_tally *at,
                       struct load_range *range) {
    const struct bags_job *bags = job->into;
    struct orrery_bag_entry *entry = &bags->entry[at->records];
    const char *first = line->at;
    if (load_id(line, "the document", 1, &entry->document) != 0 ||
        load_id(line, "the word", 1, &entry->word) != 0 ||
        load_id(line, "the count", 1, &entry->count) != 0)
        return -1;
    if (entry->document > bags->documents || entry->word > bags->words)
        return load_cursor_fail(line, first, "the header promises %ld documents and %ld words",
                                bags->documents, bags->words);
    --entry->document;
    --entry->word;
    seen(range, entry);
    ++at->records;
    return 0;
}

static int read_document(const struct load_job *job, struct load_cursor *line,
                         struct load_tally *at, struct load_range *range) {
    const struct bags_job *bags = job->into;
    const char *first = line->at;
    int words, found = 0;
    if (load_id(line, "the number of words", 0, &words) != 0)
        return -1;
    for (line->at = load_skip(line->at); *line->at && *line->at != '\n'; ++found) {
        struct orrery_bag_entry entry = {.document = (int)at->records};
        if (load_id(line, "a word", 0, &entry.word) != 0)
            return -1;
        if (*line->at != ':')
            return load_cursor_fail(line, line->at, "expected `word:count`");
        ++line->at;
        if (load_id(line, "a count", 1, &entry.count) != 0)
            return -1;
        if (entry.word == INT_MAX)
            return load_cursor_fail(line, first, "a word is %d: too large", INT_MAX);
        seen(range, &entry);
        bags->entry[at->entries++] = entry;
        line->at = load_skip(line->at);
    }
    if (found != words)
        return load_cursor_fail(line, first, "the line promises %d words and has %d", words, found);
    ++at->records;
    return 0;
}

/* A line with nothing but a whole number from 0 to INT_MAX (`entries`: to LONG_MAX). */
static bool is_number(const char *line, long *value) {
    const char *end = load_whole(load_skip(line), value);
    return end && !*load_skip(end) && *value >= 0;
}

static void triples_of(const void *into, struct load_array arrays[LOAD_ARRAYS]) {
    const struct bags_job *job = into;
    arrays[0] = (struct load_array){job->entry, sizeof *job->entry, false};
}

static void words_of(const void *into, struct load_array arrays[LOAD_ARRAYS]) {
    triples_of(into, arrays);
    arrays[0].by_entries = true;
}

/* How many tokens these are. */
static long tokens_of(const struct load_job *lines, const struct load_tally *from,
                      const struct load_tally *to) {
    const struct bags_job *job = lines->into;
    bool triples = lines->format == &load_format_triples;
    long first = triples ? from->records : from->entries, sum = 0;
    for (long n = first; n < (triples ? to->records : to->entries); ++n)
        sum += job->entry[n].count;
    return sum;
}

const struct load_format load_format_triples = {.comments = "",
                                                .into_bytes = sizeof(struct bags_job),
                                                .read = read_triple,
                                                .arrays = triples_of,
                                                .after = tokens_of},
                         load_format_documents = {.comments = "",
                                                  .into_bytes = sizeof(struct bags_job),
                                                  .count = count_document,
                                                  .read = read_document,
                                                  .arrays = words_of,
                                                  .after = tokens_of};

/* The three lines of the first format, and how many entries there are. */
static int see_triples(struct load_job *lines, struct bags_job *job, long next) {
    const struct load_source *source = lines->source;
    char line[1024];
    long entries, at = load_first_line(source, next, "", line, sizeof line, &next);
    if (at < 0)
        return -1;
    if (!is_number(line, &job->words) || job->words > INT_MAX || job->documents > INT_MAX)
        return load_fail_at(source, at, "expected the number of words, alone on its line");
    at = load_first_line(source, next, "", line, sizeof line, &lines->body);
    if (at < 0)
        return -1;
    if (!is_number(line, &entries))
        return load_fail_at(source, at, "expected the number of entries, alone on its line");
    if (load_count(lines) != 0)
        return -1;
    if (lines->total.records != entries)
        return load_fail("%s: the header promises %ld entries, there are %ld", source->path,
                         entries, lines->total.records);
    return 0;
}

static int see(struct load_job *lines, struct bags_job *job) {
    char line[1024];
    long next, at = load_first_line(lines->source, 0, "", line, sizeof line, &next);
    if (at < 0)
        return -1;
    if (!strchr(line, ':') && is_number(line, &job->documents) && job->documents != 0) {
        lines->format = &load_format_triples;
        return see_triples(lines, job, next);
    }
    lines->format = &load_format_documents;
    return load_count(lines);
}

static int load(struct load_job *lines, struct bags_job *job, struct orrery_bags *bags) {
    if (see(lines, job) != 0)
        return -1;
    bool triples = lines->format == &load_format_triples;
    bags->entries = triples ? lines->total.records : lines->total.entries;
    job->entry = load_memory((size_t)bags->entries, sizeof *job->entry);
    if (!job->entry || load_read(lines) != 0 || load_after(lines, &bags->tokens) != 0)
        return -1;
    bags->entry = job->entry;
    bags->documents = triples ? job->documents : lines->total.records;
    if (triples)
        bags->words = (int)job->words;
    else if (bags->entries)
        bags->words = (int)lines->range[0].high + 1;
    return 0;
}

int orrery_load_bags(const char *path, struct orrery_bags *bags) {
    struct load_source source;
    struct bags_job job = {.entry = NULL};
    struct load_job lines = {.source = &source, .into = &job};
    *bags = (struct orrery_bags){0};
    if (load_source_open(&source, path) != 0)
        return -1;
    int failed = load(&lines, &job, bags);
    load_job_end(&lines, !failed);
    load_source_close(&source);
    if (failed) {
        free(job.entry);
        *bags = (struct orrery_bags){0};
    }
    return failed;
}
