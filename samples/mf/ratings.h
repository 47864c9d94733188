/*
 * Ratings in coordinate form: read with checks, split, shuffled.
 *
 * Two text formats, told apart by the first line:
 *   Matrix Market   `%%MatrixMarket matrix coordinate real general`, comments, `rows columns
 * count`, then one `row column value` per line; ids must lie within the header's sizes; plain one
 * `user item value` per line; the sizes are the largest ids seen. Ids count from 1. Lines that are
 * blank or begin with `%` or `#` are skipped.
 *
 * A file that is not like this ends the program with `file:line:column: error: ...`, status 1.
 */
#ifndef RATINGS_H
#define RATINGS_H

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One observed entry; ids count from 0 once read. */
struct rating {
    int user, item;
    float value;
};

/* unit: what values were divided by, 1 as they are read. */
struct ratings {
    struct rating *entry;
    long count;
    int users, items;
    double unit;
};

/* The file being read: `text` is the current line, `at` where in it we are. `expected`: entries
 * that the header promised, -1 without a header. */
struct ratings_reader {
    const char *path;
    FILE *file;
    long line, expected;
    char text[512];
    char *at;
    long capacity;
};

/* ---- errors and memory ---- */

static void ratings_fail(const struct ratings_reader *in, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%ld:%ld: error: ", in->path, in->line, (long)(in->at - in->text) + 1);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* `count` elements of `size` bytes or the end of the program. */
static void *ratings_alloc(void *old, size_t count, size_t size) {
    size_t bytes = count ? count * size : 1;
    void *memory = count > (size_t)-1 / 2 / size ? NULL : realloc(old, bytes);
    if (!memory) {
        fprintf(stderr, "error: no memory for %zu elements of %zu bytes\n", count, size);
        exit(1);
    }
    return memory;
}

/* ---- random numbers: the same on every machine ---- */

/* Bits that look random, made of two numbers (Steele, Lea, Flood: SplitMix, OOPSLA 2014). */
static uint64_t ratings_hash(uint64_t seed, uint64_t index) {
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The same, as a number in [0, 1). */
static double ratings_random(uint64_t seed, uint64_t index) {
    return (double)(ratings_hash(seed, index) >> 11) / 9007199254740992.0;
}

/* ---- reading ---- */

/* Moves to the next line that says something; 0 at the end of the file. */
static int ratings_next_line(struct ratings_reader *in) {
    for (;;) {
        in->at = in->text;
        ++in->line;
        if (!fgets(in->text, sizeof in->text, in->file))
            break;
        size_t length = strlen(in->text);
        if (length + 1 == sizeof in->text && in->text[length - 1] != '\n')
            ratings_fail(in, "the line is longer than %zu characters", sizeof in->text - 2);
        in->at += strspn(in->text, " \t\r\n");
        if (*in->at && *in->at != '%' && *in->at != '#')
            return 1;
    }
    if (ferror(in->file))
        ratings_fail(in, "cannot read: %s", strerror(errno));
    return 0;
}

/* A whole number from 1 to `most`, followed by a blank or the line's end. */
static long ratings_read_id(struct ratings_reader *in, const char *what, long most) {
    char *end;
    in->at += strspn(in->at, " \t");
    errno = 0;
    long value = strtol(in->at, &end, 10);
    if (end == in->at)
        ratings_fail(in,
                     *in->at && *in->at != '\n' ? "expected %s, a whole number"
                                                : "expected %s before the line ends",
                     what);
    if (*end && !strchr(" \t\r\n", *end))
        ratings_fail(in, "%s is not a whole number", what);
    if (errno == ERANGE || value < 1 || value > most)
        ratings_fail(in, "%s %.*s is out of range 1 to %ld", what, (int)(end - in->at), in->at,
                     most);
    in->at = end;
    return value;
}

static float ratings_read_value(struct ratings_reader *in) {
    in->at += strspn(in->at, " \t");
    char *end = in->at;
    float value = strchr("\r\n", *in->at) ? 0 : strtof(in->at, &end);
    if (end == in->at)
        ratings_fail(in, "expected a rating, a number");
    if (*end && !strchr(" \t\r\n", *end))
        ratings_fail(in, "the rating is not a number");
    if (!isfinite(value))
        ratings_fail(in, "the rating %.*s is not a finite number", (int)(end - in->at), in->at);
    in->at = end;
    return value;
}

static void ratings_end_line(struct ratings_reader *in) {
    in->at += strspn(in->at, " \t\r\n");
    if (*in->at)
        ratings_fail(in, "expected the end of the line");
}

static void ratings_append(struct ratings_reader *in, struct ratings *out, struct rating one) {
    if (out->count == in->capacity) {
        in->capacity = in->capacity ? in->capacity + in->capacity / 2 + 1 : 1024;
        out->entry = ratings_alloc(out->entry, (size_t)in->capacity, sizeof *out->entry);
    }
    out->entry[out->count++] = one;
}

/* Reads the banner and the size line when there are such; else goes back to the file's start. */
static void ratings_read_header(struct ratings_reader *in, struct ratings *out) {
    static const char banner[] = "%%MatrixMarket";
    in->expected = -1;
    in->line = 1;
    in->at = in->text;
    if (!fgets(in->text, sizeof in->text, in->file) ||
        strncmp(in->text, banner, sizeof banner - 1) != 0) {
        rewind(in->file);
        in->line = 0;
        return;
    }
    if (!strstr(in->text, "matrix coordinate real general"))
        ratings_fail(in, "expected `%s matrix coordinate real general`", banner);
    if (!ratings_next_line(in))
        ratings_fail(in, "expected the size line `rows columns count`");
    out->users = (int)ratings_read_id(in, "the number of rows", INT_MAX);
    out->items = (int)ratings_read_id(in, "the number of columns", INT_MAX);
    in->expected = ratings_read_id(in, "the number of entries", LONG_MAX / 16);
    ratings_end_line(in);
}

/* Makes room for what the header promises, but believes no more than 2^24 entries unseen. */
static void ratings_reserve(struct ratings_reader *in, struct ratings *out) {
    in->capacity = in->expected < 0 ? 0 : in->expected < 1L << 24 ? in->expected : 1L << 24;
    if (in->capacity)
        out->entry = ratings_alloc(NULL, (size_t)in->capacity, sizeof *out->entry);
}

/*
 * Reads `path`. `like`: NULL, or ratings whose sizes the ids must keep to (a test set). Sizes of
 * plain files are the largest ids.
 */
static struct ratings ratings_read(const char *path, const struct ratings *like) {
    struct ratings out = {.unit = 1};
    struct ratings_reader in = {.path = path, .file = fopen(path, "r")};
    if (!in.file) {
        fprintf(stderr, "%s: error: cannot open: %s\n", path, strerror(errno));
        exit(1);
    }
    ratings_read_header(&in, &out);
    ratings_reserve(&in, &out);
    int header = in.expected >= 0;
    long most_user = like ? like->users : header ? out.users : INT_MAX;
    long most_item = like ? like->items : header ? out.items : INT_MAX;
    while (ratings_next_line(&in)) {
        struct rating one;
        one.user = (int)ratings_read_id(&in, "user id", most_user) - 1;
        one.item = (int)ratings_read_id(&in, "item id", most_item) - 1;
        one.value = ratings_read_value(&in);
        ratings_end_line(&in);
        if (!header && one.user >= out.users)
            out.users = one.user + 1;
        if (!header && one.item >= out.items)
            out.items = one.item + 1;
        ratings_append(&in, &out, one);
    }
    if (in.expected >= 0 && out.count != in.expected)
        ratings_fail(&in, "the file ends after %ld entries, its header says %ld", out.count,
                     in.expected);
    if (out.count == 0)
        ratings_fail(&in, "the file holds no ratings");
    fclose(in.file);
    return out;
}

/* ---- arranging ---- */

/*
 * Moves about `fraction` of `data` into the returned set, chosen by `seed` alone; the rest keeps
 * its order. At least one rating stays.
 */
static struct ratings ratings_hold_out(struct ratings *data, double fraction, uint64_t seed) {
    struct ratings held = {.users = data->users, .items = data->items, .unit = 1};
    long kept = 0, chosen = 0;
    for (long n = 0; n < data->count; ++n)
        chosen += ratings_random(seed, (uint64_t)n) < fraction;
    held.entry = ratings_alloc(NULL, (size_t)chosen, sizeof *held.entry);
    for (long n = 0; n < data->count; ++n) {
        if (ratings_random(seed, (uint64_t)n) < fraction && (kept || n + 1 < data->count))
            held.entry[held.count++] = data->entry[n];
        else
            data->entry[kept++] = data->entry[n];
    }
    data->count = kept;
    return held;
}

static void ratings_shuffle(struct ratings *data, uint64_t seed) {
    for (long n = data->count - 1; n > 0; --n) {
        long other = (long)(ratings_hash(seed, (uint64_t)n) % (uint64_t)(n + 1));
        struct rating one = data->entry[n];
        data->entry[n] = data->entry[other];
        data->entry[other] = one;
    }
}

/* True when users or items never descend: SGD over such an order learns badly. */
static int ratings_sorted(const struct ratings *data) {
    int by_user = data->users > 1, by_item = data->items > 1;
    for (long n = 1; n < data->count && (by_user || by_item); ++n) {
        by_user = by_user && data->entry[n].user >= data->entry[n - 1].user;
        by_item = by_item && data->entry[n].item >= data->entry[n - 1].item;
    }
    return data->count > 2 && (by_user || by_item);
}

#endif
