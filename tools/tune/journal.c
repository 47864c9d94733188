#define _GNU_SOURCE
#include "analyzer/analyzer.h"
#include "tools/tune/tune.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int cannot_write(const struct tune *tune) {
    fprintf(stderr, "orrery tune: cannot write %s: %s\n", tune->state, strerror(errno));
    return -1;
}

/* A line without its end was being written when the machine, or the disk, had enough. */
int tune_journal_open(const struct tune *tune) {
    FILE *file = tune->state ? fopen(tune->state, "a+") : NULL;
    if (!file)
        return tune->state ? cannot_write(tune) : 0;
    long whole = 0, at = 0;
    rewind(file);
    for (int c; (c = getc(file)) != EOF;) {
        ++at;
        whole = c == '\n' ? at : whole;
    }
    int status = at == whole || ftruncate(fileno(file), whole) == 0 ? 0 : cannot_write(tune);
    fclose(file);
    return status;
}

/* One line of the file is one run that has ended well. */
static void take(const json_t *line, int nruns, struct tune_run *runs) {
    const char *key = json_string_value(json_object_get(line, "run"));
    for (int i = 0; key && i < nruns; ++i) {
        if (runs[i].done || strcmp(runs[i].key, key) != 0)
            continue;
        runs[i].seconds = json_number_value(json_object_get(line, "seconds"));
        runs[i].score = json_number_value(json_object_get(line, "score"));
        runs[i].done = true;
    }
}

int tune_journal_read(const struct tune *tune, int nruns, struct tune_run *runs) {
    FILE *in = tune->state ? fopen(tune->state, "r") : NULL;
    char *text = NULL;
    size_t room = 0;
    int status = 0;
    for (long number = 1; in && status == 0 && getline(&text, &room, in) > 0; ++number) {
        json_error_t error;
        json_t *line = text[0] == '\n' ? json_object() : json_loads(text, 0, &error);
        if (line) {
            take(line, nruns, runs);
        } else {
            fprintf(
                stderr,
                "%s: error: run %ld is no line of 'orrery tune --state': %s [%s]\n"
                "  fix: take the line out, so that the run is made again, or name another file\n",
                tune->state, number, error.text, ORR9231);
            status = -1;
        }
        json_decref(line);
    }
    free(text);
    if (in)
        fclose(in);
    return status;
}

int tune_journal_add(const struct tune *tune, const struct tune_run *run) {
    if (!tune->state)
        return 0;
    FILE *out = fopen(tune->state, "a");
    json_t *line =
        json_pack("{s:s, s:f, s:f}", "run", run->key, "seconds", run->seconds, "score", run->score);
    bool written =
        out && line && json_dumpf(line, out, JSON_COMPACT) == 0 && putc('\n', out) != EOF;
    json_decref(line);
    if (out && fclose(out) == 0 && written)
        return 0;
    return cannot_write(tune);
}
