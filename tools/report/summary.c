#include "tools/report/summary.h"

#include "analyzer/analyzer.h"

#include <stdio.h>
#include <string.h>

static void count_word(struct summary *summary, const char *name, bool serial, int count) {
    int at = 0;
    while (at < summary->nwords && strcmp(summary->by[at].name, name) != 0)
        ++at;
    if (at == SUMMARY_WORDS)
        return;
    if (at == summary->nwords) {
        struct summary_word *word = &summary->by[summary->nwords++];
        snprintf(word->name, sizeof word->name, "%s", name);
        word->serial = serial;
        word->count = 0;
    }
    summary->by[at].count += count;
}

void summary_count(struct summary *summary, const struct compilation *pipeline) {
    *summary = (struct summary){.loops = pipeline->nplans};
    for (int i = 0; i < pipeline->nplans; ++i) {
        const struct plan *plan = pipeline->plans[i];
        bool serial = plan->strategy == STRATEGY_SERIAL;
        summary->marked += loop_is_marked(plan->analysis->loop);
        summary->serial += serial;
        summary->parallel += !serial;
        count_word(summary, serial ? plan->code : strategy_name(plan->strategy), serial, 1);
    }
}

static void summary_add(struct summary *total, const struct summary *one) {
    total->loops += one->loops;
    total->marked += one->marked;
    total->parallel += one->parallel;
    total->serial += one->serial;
    for (int i = 0; i < one->nwords; ++i)
        count_word(total, one->by[i].name, one->by[i].serial, one->by[i].count);
}

static void print_words(const struct summary *summary, bool serial, FILE *out) {
    for (int i = 0; i < summary->nwords; ++i) {
        const struct summary_word *word = &summary->by[i];
        const char *title = serial ? diag_title(word->name) : NULL;
        if (word->serial == serial)
            fprintf(out, "    %-18s %5d%s%s\n", word->name, word->count, title ? "  " : "",
                    title ? title : "");
    }
}

void summary_print(const struct summary *summary, const char *file, void *stream) {
    FILE *out = stream;
    fprintf(out, "%s: %d loop%s considered, %d parallel, %d serial\n", file, summary->loops,
            summary->loops == 1 ? "" : "s", summary->parallel, summary->serial);
    if (summary->loops == 0)
        return;
    fprintf(out, "    %-18s %5d\n", "marked", summary->marked);
    print_words(summary, false, out);
    print_words(summary, true, out);
}

static void print_row(const char *name, int width, const struct summary *row, FILE *out) {
    fprintf(out, "%-*s %7d %7d %9d %7d", width, name, row->loops, row->marked, row->parallel,
            row->serial);
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < row->nwords; ++i)
            if (row->by[i].serial == pass)
                fprintf(out, "  %s %d", row->by[i].name, row->by[i].count);
    fputc('\n', out);
}

void summary_table(int nfiles, const char *const *names, const struct summary *summaries,
                   void *stream) {
    struct summary total = {0};
    int width = 5;
    for (int i = 0; i < nfiles; ++i)
        if ((int)strlen(names[i]) > width)
            width = (int)strlen(names[i]);
    fprintf(stream, "%-*s %7s %7s %9s %7s  by strategy and code\n", width, "file", "loops",
            "marked", "parallel", "serial");
    for (int i = 0; i < nfiles; ++i) {
        print_row(names[i], width, &summaries[i], stream);
        summary_add(&total, &summaries[i]);
    }
    print_row("total", width, &total, stream);
}
