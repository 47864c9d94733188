/*
 * What programs share: options, random numbers that are the same on every machine, the clock and
 * the report.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* `count` elements of `size` bytes or the end of the program. */
static inline void *make(void *old, size_t count, size_t size) {
    void *memory = count > SIZE_MAX / 2 / size ? NULL : realloc(old, count ? count * size : 1);
    if (!memory) {
        fprintf(stderr, "error: no memory for %zu elements of %zu bytes\n", count, size);
        exit(1);
    }
    return memory;
}

/* Bits that look random, made of two numbers (Steele, Lea, Flood: SplitMix, OOPSLA 2014). */
static inline uint64_t hash(uint64_t seed, uint64_t index) {
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The same, as a number in [0, 1). */
static inline double uniform(uint64_t seed, uint64_t index) {
    return (double)(hash(seed, index) >> 11) / 9007199254740992.0;
}

/* ---- options ---- */

enum option_kind { OPTION_TEXT, OPTION_INT, OPTION_REAL, OPTION_FLAG };

/* One option: where its value goes (offset in the program's options) and what it may be. */
struct option {
    const char *name;
    enum option_kind kind;
    size_t offset;
    double low, high;
    const char *help;
};

static inline void options_usage(FILE *stream, const char *usage, int n,
                                 const struct option *table) {
    fprintf(stream, "usage: %s\n", usage);
    for (int i = 0; i < n; ++i)
        fprintf(stream, "  %-21s %s\n", table[i].name, table[i].help);
}

static inline void option_set(const struct option *option, void *target, const char *text) {
    char *end;
    if (option->kind == OPTION_TEXT) {
        *(const char **)target = text;
        return;
    }
    double value = strtod(text, &end);
    int whole = option->kind == OPTION_INT;
    if (end == text || *end || !(value >= option->low && value <= option->high) ||
        (whole && value != floor(value))) {
        fprintf(stderr, "error: %s `%s`: expected %s from %g to %g\n", option->name, text,
                whole ? "a whole number" : "a number", option->low, option->high);
        exit(2);
    }
    if (whole)
        *(int *)target = (int)value;
    else
        *(double *)target = value;
}

/* Fills `options`; returns the one argument that is no option, NULL when there is none. */
static inline const char *options_parse(int argc, char **argv, const char *usage, int n,
                                        const struct option *table, void *options) {
    const char *file = NULL;
    for (int i = 1; i < argc; ++i) {
        int at = 0;
        if (strcmp(argv[i], "--help") == 0) {
            options_usage(stdout, usage, n, table);
            exit(0);
        }
        if (argv[i][0] != '-' && !file) {
            file = argv[i];
            continue;
        }
        while (at < n && strcmp(table[at].name, argv[i]) != 0)
            ++at;
        if (at == n || (table[at].kind != OPTION_FLAG && i + 1 == argc)) {
            fprintf(stderr,
                    at == n ? "error: unknown option `%s` (--help lists them)\n"
                            : "error: %s needs a value\n",
                    argv[i]);
            exit(2);
        }
        char *target = (char *)options + table[at].offset;
        if (table[at].kind == OPTION_FLAG)
            *(int *)target = 1;
        else
            option_set(&table[at], target, argv[++i]);
    }
    return file;
}

/* ---- the report ---- */

static inline double clock_seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/*
 * What the passes amounted to; `seconds` holds one entry per pass. `names`: of the two figures when
 * they are other than "train" and "held-out".
 */
struct report {
    int passes, quiet;
    double *seconds;
    double train, held_out;
    const char *names[2];
};

static inline const char *report_name(const struct report *report, int which) {
    return report->names[which] ? report->names[which] : which == 0 ? "train" : "held-out";
}

static inline void report_pass(struct report *report, double train, double held_out,
                               double seconds) {
    report->seconds = make(report->seconds, (size_t)report->passes + 1, sizeof(double));
    report->seconds[report->passes++] = seconds;
    report->train = train;
    report->held_out = held_out;
    if (!isfinite(train)) {
        fprintf(stderr, "error: epoch %d: the model diverged, try a lower --rate\n",
                report->passes);
        exit(1);
    }
    if (!report->quiet)
        printf("epoch %3d  %s %.6f  %s %.6f  %.4f s\n", report->passes, report_name(report, 0),
               train, report_name(report, 1), held_out, seconds);
}

static inline int report_compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void report_end(struct report *report) {
    double total = 0;
    for (int i = 0; i < report->passes; ++i)
        total += report->seconds[i];
    if (report->passes > 0)
        qsort(report->seconds, (size_t)report->passes, sizeof(double), report_compare);
    printf("%d passes in %.4f s, median %.6f s per pass, %s %.6f, %s %.6f\n", report->passes, total,
           report->passes ? report->seconds[report->passes / 2] : 0, report_name(report, 0),
           report->train, report_name(report, 1), report->held_out);
    free(report->seconds);
}

/* ---- the model file: a line of text, then native floats ---- */

static inline FILE *model_open(const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file) {
        fprintf(stderr, "%s: error: cannot write: %s\n", path, strerror(errno));
        exit(1);
    }
    return file;
}

static inline void model_close(const char *path, FILE *file) {
    int failed = ferror(file);
    if (fclose(file) || failed) {
        fprintf(stderr, "%s: error: the model could not be written whole\n", path);
        exit(1);
    }
}

#endif
