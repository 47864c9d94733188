/*
 * A table of numbers, read from comma-separated text with checks. A file that is not like this ends
 * the program with `file:line:column: error: ...`, status 1.
 */
#ifndef TABLE_H
#define TABLE_H

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Row i is x[i * columns] .. x[i * columns + columns - 1]. */
struct table {
    float *x;
    long rows;
    int columns;
};

struct table_reader {
    const char *path;
    FILE *file;
    long line;
    char text[1 << 16];
    char *at;
    size_t used, capacity;
};

static void table_fail(const struct table_reader *in, const char *message) {
    fprintf(stderr, "%s:%ld:%ld: error: %s\n", in->path, in->line, (long)(in->at - in->text) + 1,
            message);
    exit(1);
}

static void *table_alloc(void *old, size_t count, size_t size) {
    size_t bytes = count ? count * size : 1;
    void *memory = count > (size_t)-1 / 2 / size ? NULL : realloc(old, bytes);
    if (!memory) {
        fprintf(stderr, "error: no memory for %zu elements of %zu bytes\n", count, size);
        exit(1);
    }
    return memory;
}

/* A number in [0, 1) made of two others (Steele, Lea, Flood: SplitMix, OOPSLA 2014). */
static double table_random(uint64_t seed, uint64_t index) {
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* The number at `in->at`; moves behind it and behind one comma. 0 at the line's end. */
static int table_next_number(struct table_reader *in, float *out) {
    in->at += strspn(in->at, " \t\r");
    if (*in->at == '\n' || !*in->at)
        return 0;
    char *end;
    *out = strtof(in->at, &end);
    if (end == in->at)
        table_fail(in, "expected a number");
    if (!isfinite(*out))
        table_fail(in, "the number is not finite");
    in->at = end + strspn(end, " \t\r");
    if (*in->at != ',')
        return 1;
    ++in->at;
    if (in->at[strspn(in->at, " \t\r")] == '\n')
        table_fail(in, "expected a number after the comma");
    return 1;
}

/* Appends the numbers of the current line. Returns how many. */
static int table_read_line(struct table_reader *in, struct table *out) {
    int count = 0;
    float value;
    while (table_next_number(in, &value)) {
        if (in->used == in->capacity) {
            in->capacity = in->capacity ? in->capacity * 2 : 4096;
            out->x = table_alloc(out->x, in->capacity, sizeof *out->x);
        }
        out->x[in->used++] = value;
        ++count;
    }
    return count;
}

static struct table table_read(const char *path) {
    static struct table_reader in;
    struct table out = {0};
    in = (struct table_reader){.path = path, .file = fopen(path, "r")};
    in.at = in.text;
    if (!in.file) {
        fprintf(stderr, "%s: error: cannot open: %s\n", path, strerror(errno));
        exit(1);
    }
    while (fgets(in.text, sizeof in.text, in.file)) {
        in.at = in.text;
        ++in.line;
        if (strlen(in.text) + 1 == sizeof in.text)
            table_fail(&in, "the line is too long");
        int count = table_read_line(&in, &out);
        if (count && out.rows && count != out.columns)
            table_fail(&in, "another number of columns than in the first row");
        if (count) {
            out.columns = count;
            ++out.rows;
        }
    }
    if (ferror(in.file))
        table_fail(&in, strerror(errno));
    if (!out.rows)
        table_fail(&in, "the file holds no rows");
    fclose(in.file);
    return out;
}

/* Leaves out the last column. */
static void table_drop_last(struct table *t) {
    if (t->columns == 1) {
        fprintf(stderr, "error: --label leaves no column\n");
        exit(1);
    }
    for (long i = 0; i < t->rows; ++i)
        memmove(t->x + i * (t->columns - 1), t->x + i * t->columns,
                (size_t)(t->columns - 1) * sizeof *t->x);
    --t->columns;
}

/* Each column gets mean 0 and deviation 1; constant ones get 0. */
static void table_scale(struct table *t) {
    for (int j = 0; j < t->columns; ++j) {
        double sum = 0, squares = 0;
        for (long i = 0; i < t->rows; ++i)
            sum += t->x[i * t->columns + j];
        double mean = sum / (double)t->rows;
        for (long i = 0; i < t->rows; ++i)
            squares += (t->x[i * t->columns + j] - mean) * (t->x[i * t->columns + j] - mean);
        double deviation = sqrt(squares / (double)t->rows);
        for (long i = 0; i < t->rows; ++i) {
            float *x = &t->x[i * t->columns + j];
            *x = deviation > 0 ? (float)((*x - mean) / deviation) : 0;
        }
    }
}

#endif
