/* `orrery diff`: which loops gained or lost parallelism between two analyses. */
#include "tools/diff/diff.h"

#include "tools/base/status.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum change { LOST, GAINED, CHANGED, NEW, GONE, SAME, NCHANGES };

static const char *const change_names[] = {
    [LOST] = "lost", [GAINED] = "gained", [CHANGED] = "changed",
    [NEW] = "new",   [GONE] = "gone",     [SAME] = "same"};

/* `loops`: of the JSON output, NULL when text is wanted. */
struct diff_report {
    json_t *loops;
    int counts[NCHANGES];
};

static enum change change_of(const struct diff_loop *before, const struct diff_loop *after) {
    if (!before || !after)
        return before ? GONE : NEW;
    if (before->parallel != after->parallel)
        return after->parallel ? GAINED : LOST;
    return strcmp(before->strategy, after->strategy) != 0 ? CHANGED : SAME;
}

static void print_side(const struct diff_loop *loop) {
    printf("%s", loop->strategy);
    if (!loop->parallel)
        printf(" (%s [%s])", loop->message, loop->code);
}

static void print_loop(enum change change, const struct diff_loop *before,
                       const struct diff_loop *after) {
    const struct diff_loop *place = after ? after : before;
    printf("%-7s  %s:%d: %s, loop %s: ", change_names[change], place->file, place->line,
           place->function, place->variable);
    if (before)
        print_side(before);
    if (before && after)
        printf(" -> ");
    if (after)
        print_side(after);
    putchar('\n');
}

static json_t *side_json(const struct diff_loop *loop) {
    if (!loop)
        return json_null();
    return json_pack("{s:s, s:i, s:s, s:s, s:s, s:s}", "file", loop->file, "line", loop->line,
                     "verdict", loop->parallel ? "parallel" : "serial", "strategy", loop->strategy,
                     "code", loop->code, "message", loop->message);
}

static void add(struct diff_report *report, const struct diff_loop *before,
                const struct diff_loop *after) {
    const struct diff_loop *place = after ? after : before;
    enum change change = change_of(before, after);
    ++report->counts[change];
    if (change == SAME)
        return;
    if (!report->loops)
        print_loop(change, before, after);
    else
        json_array_append_new(report->loops,
                              json_pack("{s:s, s:s, s:s, s:o, s:o}", "change", change_names[change],
                                        "function", place->function, "variable", place->variable,
                                        "before", side_json(before), "after", side_json(after)));
}

/* A file that can no longer be analyzed has lost every loop that was parallel. */
static void add_broken(struct diff_report *report, const struct diff_file *before,
                       const struct diff_file *after) {
    for (int i = 0; i < before->nloops; ++i) {
        struct diff_loop broken = before->loops[i];
        broken.parallel = false;
        broken.strategy = "error";
        broken.code = "";
        broken.message = after->error;
        broken.file = after->name;
        add(report, &before->loops[i], &broken);
    }
}

static void compare(struct diff_report *report, const struct diff_analysis *before,
                    const struct diff_analysis *after) {
    for (int i = 0; i < before->nfiles; ++i) {
        const struct diff_file *file = &before->files[i];
        if (file->pair && file->pair->error && !file->error) {
            add_broken(report, file, file->pair);
            continue;
        }
        for (int j = 0; j < file->nloops; ++j)
            add(report, &file->loops[j], file->loops[j].pair);
    }
    for (int i = 0; i < after->nfiles; ++i)
        for (int j = 0; j < after->files[i].nloops; ++j)
            if (!after->files[i].loops[j].pair)
                add(report, NULL, &after->files[i].loops[j]);
}

static void print_counts(const struct diff_report *report) {
    if (!report->loops) {
        for (int i = 0; i < NCHANGES; ++i)
            printf("%d %s%s", report->counts[i], change_names[i], i + 1 < NCHANGES ? ", " : "\n");
        return;
    }
    json_t *root = json_pack("{s:s}", "schema", "orrery-diff/1");
    for (int i = 0; i < NCHANGES; ++i)
        json_object_set_new(root, change_names[i], json_integer(report->counts[i]));
    json_object_set(root, "loops", report->loops);
    json_dumpf(root, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(root);
}

int diff_run(struct arena *arena, const char *const *paths, bool json) {
    struct diff_analysis before, after;
    if (diff_read(&before, arena, paths[0]) != 0 || diff_read(&after, arena, paths[1]) != 0)
        return STATUS_USAGE;
    struct diff_report report = {.loops = json ? json_array() : NULL};
    diff_match(&before, &after);
    compare(&report, &before, &after);
    print_counts(&report);
    json_decref(report.loops);
    return report.counts[LOST] ? STATUS_INPUT : STATUS_OK;
}
