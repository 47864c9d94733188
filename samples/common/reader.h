/*
 * Text files of numbers, read with checks: blank lines and those that begin with % or # are
 * skipped; what is wrong ends the program with `file:line:column: error: ...`, status 1.
 */
#ifndef READER_H
#define READER_H

#include "program.h"

struct reader {
    const char *path;
    FILE *file;
    long line;
    char text[1 << 16];
    char *at;
};

static inline void reader_fail(const struct reader *in, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%ld:%ld: error: ", in->path, in->line, (long)(in->at - in->text) + 1);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static inline struct reader reader_open(const char *path) {
    struct reader in = {.path = path, .file = fopen(path, "r")};
    if (!in.file) {
        fprintf(stderr, "%s: error: cannot open: %s\n", path, strerror(errno));
        exit(1);
    }
    return in;
}

/* Moves to the next line that says something; 0 at the end of the file. */
static inline int reader_line(struct reader *in) {
    for (;;) {
        in->at = in->text;
        ++in->line;
        if (!fgets(in->text, sizeof in->text, in->file))
            break;
        size_t length = strlen(in->text);
        if (length + 1 == sizeof in->text && in->text[length - 1] != '\n')
            reader_fail(in, "the line is longer than %zu characters", sizeof in->text - 2);
        in->at += strspn(in->text, " \t\r\n");
        if (*in->at && *in->at != '%' && *in->at != '#')
            return 1;
    }
    if (ferror(in->file))
        reader_fail(in, "cannot read: %s", strerror(errno));
    return 0;
}

/* A whole number from 1 on, as an id from 0 on. */
static inline int reader_id(struct reader *in, const char *what) {
    char *end;
    in->at += strspn(in->at, " \t");
    errno = 0;
    long value = strtol(in->at, &end, 10);
    if (end == in->at)
        reader_fail(in, "expected %s, a whole number", what);
    if (*end && !strchr(" \t\r\n", *end))
        reader_fail(in, "%s is not a whole number", what);
    if (errno == ERANGE || value < 1 || value > INT_MAX)
        reader_fail(in, "%s %.*s is out of range 1 to %d", what, (int)(end - in->at), in->at,
                    INT_MAX);
    in->at = end;
    return (int)value - 1;
}

/* A finite number, `missing` at the line's end. */
static inline float reader_value(struct reader *in, float missing) {
    in->at += strspn(in->at, " \t\r\n");
    char *end = in->at;
    float value = *in->at ? strtof(in->at, &end) : missing;
    if ((*in->at && end == in->at) || (*end && !strchr(" \t\r\n", *end)) || !isfinite(value))
        reader_fail(in, "expected a finite number");
    end += strspn(end, " \t\r\n");
    in->at = end;
    if (*in->at)
        reader_fail(in, "expected the end of the line");
    return value;
}

#endif
