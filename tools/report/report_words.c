#include "tools/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *report_op(enum reduction_op op) {
    return reduction_word(reduction_base(op));
}

const char *report_dep_kind(enum dep_kind kind) {
    static const char *const words[] = {
        [DEP_FLOW] = "flow", [DEP_ANTI] = "anti", [DEP_OUTPUT] = "output"};
    return words[kind];
}

const char *report_dep_status(enum dep_status status) {
    static const char *const words[] = {
        [DEP_CARRIED] = "carried",     [DEP_REFUTED] = "refuted", [DEP_PRIVATE] = "private",
        [DEP_REDUCTION] = "reduction", [DEP_RELAXED] = "relaxed", [DEP_LIMIT] = "limit",
    };
    return words[status];
}

const char *report_ratio(double ratio) {
    static char words[48];
    if (ratio > 0.995 && ratio < 1.005)
        return "as long";
    snprintf(words, sizeof words, ratio < 100 ? "%.3g times as long" : "%.0f times as long", ratio);
    return words;
}

void report_best(const struct plan_best *best, FILE *out) {
    fprintf(out, "%ld rank%s of %ld thread%s, grid %ld x %ld, %.3g s per pass", best->ranks,
            best->ranks == 1 ? "" : "s", best->threads, best->threads == 1 ? "" : "s",
            best->grid[0], best->grid[1], best->seconds);
    if (best->grid[0] != best->before[0] || best->grid[1] != best->before[1])
        fprintf(out, "; rejected: grid %ld x %ld as measured, %s", best->before[0], best->before[1],
                report_ratio(best->ratio));
    for (int i = 0; i < best->nruns; ++i)
        fprintf(out, "%s%ld x %ld, %s",
                i ? "; " : "; ranks x threads rejected: ", best->runs[i].ranks,
                best->runs[i].threads, report_ratio(best->runs[i].ratio));
    if (best->fixed)
        fprintf(out, " (the grid is as the text says)");
    else
        fprintf(out, " (%d tried)", best->tried);
}

json_t *report_string(const char *text) {
    json_t *value = text ? json_string(text) : json_null();
    if (value)
        return value;
    if (!text)
        return NULL;
    json_t *copy = json_string("");
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);
    for (; out && *text; ++text) {
        unsigned char byte = (unsigned char)*text;
        if (byte < 0x80)
            fputc(byte, out);
        else
            fprintf(out, "%c%c", 0xc0 | byte >> 6, 0x80 | (byte & 0x3f));
    }
    if (out && fclose(out) == 0)
        json_string_set(copy, buffer);
    free(buffer);
    return copy;
}

json_t *report_uri(const char *path) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-_.~/+,@";
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);
    fputs(path[0] == '/' ? "file://" : "", out);
    for (; *path; ++path)
        fprintf(out, strchr(plain, *path) ? "%c" : "%%%02X", (unsigned char)*path);
    fclose(out);
    json_t *uri = json_string(buffer);
    free(buffer);
    return uri;
}
