#include "runtime/load/load.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int load_cursor_fail(struct load_cursor *cursor, const char *at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cursor->message, sizeof cursor->message, format, arguments);
    va_end(arguments);
    cursor->wrong = at;
    return -1;
}

int load_any_id(struct load_cursor *line, const char *what, long least, int *id) {
    const char *at = load_skip(line->at);
    long value;
    const char *end = load_whole(at, &value);
    if (!end || load_goes_on(end))
        return load_cursor_fail(line, at,
                                *at && *at != '\n' ? "expected %s, a whole number"
                                                   : "expected %s before the line ends",
                                what);
    if (value < least || value > INT_MAX)
        return load_cursor_fail(line, at, "%s is %ld, expected %ld to %d", what, value, least,
                                INT_MAX);
    *id = (int)value;
    line->at = end;
    return 0;
}

long load_base(const struct load_range *range) {
    return range->low >= 1 && range->high >= range->low ? 1 : 0;
}

/* `comments` are two characters at most: a call of the library for every line costs more. */
static inline bool begins_comment(char c, const char *comments) {
    while (*comments && *comments != c)
        ++comments;
    return *comments != '\0';
}

/* The next line of a piece that says something, from `at` on; NULL behind the last. */
static const char *next_line(const char *at, const char *end, const char *comments) {
    while (at < end) {
        const char *first = load_skip(at);
        if (first < end && *first != '\n' && !begins_comment(*first, comments))
            return first;
        at = memchr(first, '\n', (size_t)(end - first));
        if (!at)
            return NULL;
        ++at;
    }
    return NULL;
}

static const char *behind_line(const char *at, const char *end) {
    const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return newline ? newline + 1 : end;
}

/* The text of a piece from an offset of the file on. */
static const char *text_from(const struct load_piece *piece, long offset) {
    long skip = offset - piece->offset;
    return piece->text + (skip <= 0 ? 0 : skip < piece->size ? skip : piece->size);
}

bool load_quotes_number(const char *line) {
    double value;
    for (const char *quote = strchr(line, '"'); quote; quote = strchr(quote + 1, '"')) {
        const char *end = load_real(quote + 1, &value);
        if (end && *end == '"')
            return true;
    }
    return false;
}

long load_first_line(const struct load_source *source, long offset, const char *comments,
                     char *line, size_t size, long *next) {
    struct load_piece piece = {0};
    long found = source->size;
    *next = source->size;
    line[0] = '\0';
    for (long i = 0; i < load_source_pieces(source) && found == source->size; ++i) {
        if (load_piece_read(source, i, &piece) != 0) {
            found = -1;
            break;
        }
        const char *end = piece.text + piece.size;
        const char *at = next_line(text_from(&piece, offset), end, comments);
        if (!at)
            continue;
        const char *behind = behind_line(at, end);
        size_t length = (size_t)(behind - at);
        found = piece.offset + (at - piece.text);
        *next = piece.offset + (behind - piece.text);
        length = length < size ? length : size - 1;
        memcpy(line, at, length);
        line[length] = '\0';
        line[strcspn(line, "\r\n")] = '\0';
    }
    free(piece.memory);
    return found;
}

/*
 * The lines of [at, end) that say something, or -1 when one begins with a blank and has to be
 * looked at. Without branches and with small sums, so that compilers turn it into vectors.
 */
static long count_plain_lines(const char *at, const char *end, const char *comments) {
    long lines = 0;
    char one = comments[0] ? comments[0] : '\n',
         two = comments[0] && comments[1] ? comments[1] : one;
    unsigned char blank = 0;
    if (at == end)
        return 0;
    if (*at == ' ' || *at == '\t' || *at == '\r')
        return -1;
    lines = *at != '\n' && *at != one && *at != two;
    for (++at; at < end;) {
        long step = end - at < 240 ? end - at : 240;
        unsigned char some = 0;
        for (long i = 0; i < step; ++i) {
            char c = at[i];
            unsigned char begins = at[i - 1] == '\n';
            some += begins & (unsigned char)(c != '\n') & (unsigned char)(c != one) &
                    (unsigned char)(c != two);
            blank |= begins & (unsigned char)((c == ' ') | (c == '\t') | (c == '\r'));
        }
        lines += some;
        at += step;
    }
    return blank ? -1 : lines;
}

int load_lines_count(void *state, long index, struct load_piece *piece) {
    struct load_job *job = ((struct load_walk *)state)->job;
    const struct load_format *format = job->format;
    struct load_tally tally = {0};
    if (load_piece_read(job->source, job->first + index, piece) != 0)
        return -1;
    const char *end = piece->text + piece->size, *at = text_from(piece, job->body);
    if (!format->count)
        tally.records = count_plain_lines(at, end, format->comments);
    if (tally.records < 0)
        tally.records = 0;
    else if (!format->count)
        at = end;
    while ((at = next_line(at, end, format->comments)) != NULL) {
        if (format->count)
            format->count(job, at, &tally);
        else
            ++tally.records;
        at = behind_line(at, end);
    }
    job->before[index + 1] = tally;
    return 0;
}

static int blame(const struct load_job *job, const struct load_piece *piece,
                 const struct load_cursor *line) {
    return load_fail_at(job->source, piece->offset + (line->wrong - piece->text), line->message);
}

int load_lines_read(void *state, long index, struct load_piece *piece) {
    struct load_walk *walk = state;
    struct load_job *job = walk->job;
    const struct load_format *format = job->format;
    struct load_tally at = job->before[index], limit = job->before[index + 1];
    struct load_cursor line;
    if (load_piece_read(job->source, job->first + index, piece) != 0)
        return -1;
    const char *end = piece->text + piece->size;
    line.at = text_from(piece, job->body);
    while ((line.at = next_line(line.at, end, format->comments)) != NULL) {
        struct load_tally here = {.records = !format->count};
        if (format->count)
            format->count(job, line.at, &here);
        if (at.records + here.records > limit.records || at.entries + here.entries > limit.entries)
            break;
        if (format->read(job, &line, &at, walk->range[index]) != 0)
            return blame(job, piece, &line);
        line.at = load_skip(line.at);
        if (line.at < end && *line.at != '\n') {
            load_cursor_fail(&line, line.at, "expected the end of the line");
            return blame(job, piece, &line);
        }
        line.at += line.at < end;
    }
    if (at.records != limit.records || at.entries != limit.entries)
        return load_fail("%s: was changed while it was read", job->source->path);
    return 0;
}
