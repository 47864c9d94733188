#include "cli/tune/tune.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* One line of the file is one run that has ended well. */
static void take(const json_t *line, int nruns, struct tune_run *runs) {
    const char *key = json_string_value(json_object_get(line, "run"));
    for (int i = 0; key && i < nruns; i++) {
        if (runs[i].done || strcmp(runs[i].key, key) != 0)
            continue;
        runs[i].seconds = json_number_value(json_object_get(line, "seconds"));
        runs[i].score = json_number_value(json_object_get(line, "score"));
        runs[i].done = true;
    }
}

int tune_journal_read(const struct tune *tune, int nruns, struct tune_run *runs) {
    FILE *in = tune->state ? fopen(tune->state, "r") : NULL;
    if (!in)
        return 0;
    json_error_t error;
    json_t *line;
    long number = 0;
    int c;
    while ((c = getc(in)) != EOF) {
        ungetc(c, in);
        line = json_loadf(in, JSON_DISABLE_EOF_CHECK, &error);
        number++;
        if (!line)
            break;
        take(line, nruns, runs);
        json_decref(line);
        while ((c = getc(in)) == '\n')
            ;
        if (c != EOF)
            ungetc(c, in);
    }
    bool whole = c == EOF;
    fclose(in);
    if (whole)
        return 0;
    fprintf(stderr, "%s: error: run %ld is no line of 'orrery tune --state': %s [%s]\n",
            tune->state, number, error.text, "ORR9231");
    return -1;
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
    fprintf(stderr, "orrery tune: cannot write %s: %s\n", tune->state, strerror(errno));
    return -1;
}
