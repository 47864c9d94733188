#include "tools/diff/plan_diff.h"

#include "tools/base/status.h"
#include "tools/pipeline/pipeline.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* What both files are analyzed with. */
struct diff {
    struct arena *arena;
    const struct arg_list *cflags, *with, *effects;
    bool all;
};

static bool is_plan_file(const char *path) {
    FILE *in = fopen(path, "r");
    int c = in ? fgetc(in) : EOF;
    while (c != EOF && isspace(c))
        c = fgetc(in);
    if (in)
        fclose(in);
    return c == '{';
}

static void run_pipeline(const struct diff *diff, const char *file, const char *plan_file,
                         struct compilation *pipeline) {
    struct compile_request request = pipeline_named(diff->arena, file, diff->cflags, diff->with);
    request.neffects = diff->effects->count;
    request.effects = diff->effects->items;
    request.all = diff->all;
    request.plan_file = plan_file;
    compile_unit(pipeline, diff->arena, &request);
}

static bool take_file(const struct diff *diff, const char *file, struct plan_text *text) {
    struct compilation pipeline;
    *text = (struct plan_text){.name = file};
    if (is_plan_file(file))
        return true;
    run_pipeline(diff, file, NULL, &pipeline);
    pipeline_print_diags(&pipeline);
    if (!pipeline.unit || pipeline.diags.nerrors > 0)
        return false;
    text->text = plan_file_text(pipeline.unit, pipeline.nplans, pipeline.plans);
    return text->text != NULL;
}

static void print_changes(const struct plan_text texts[2], int count,
                          const struct plan_change *changes) {
    const char *loop = NULL;
    int loops = 0;
    for (int i = 0; i < count; ++i) {
        if (changes[i].loop != loop)
            printf("%s:\n", changes[i].loop);
        loops += changes[i].loop != loop;
        loop = changes[i].loop;
        printf("  %s\n", changes[i].words);
    }
    if (count == 0)
        printf("%s and %s: the same plans\n", texts[0].name, texts[1].name);
    else
        printf("%s and %s: %d loop%s differ%s\n", texts[0].name, texts[1].name, loops,
               loops == 1 ? "" : "s", loops == 1 ? "s" : "");
}

/* A plan file beside a C file: would orrery-cc -plan take it? */
static void check_fit(const struct diff *diff, const struct plan_text texts[2]) {
    const struct plan_text *plan = texts[0].text ? &texts[1] : &texts[0];
    const struct plan_text *source = texts[0].text ? &texts[0] : &texts[1];
    struct compilation pipeline;
    if (plan->text || !source->text)
        return;
    run_pipeline(diff, source->name, plan->name, &pipeline);
    if (pipeline.diags.nerrors > 0) {
        printf("orrery-cc -plan %s %s would refuse it:\n", plan->name, source->name);
        for (int i = 0; i < pipeline.diags.count; ++i)
            if (pipeline.diags.items[i].severity == SEVERITY_ERROR)
                diag_print(pipeline.unit, &pipeline.diags.items[i], pipeline_color(stdout), stdout);
    }
}

int plan_diff(struct arena *arena, const struct arg_list *files, const struct arg_list *cflags,
              const struct arg_list *with, const struct arg_list *effects, bool all) {
    struct diff diff = {
        .arena = arena, .cflags = cflags, .with = with, .effects = effects, .all = all};
    struct compilation shown = {.arena = arena, .diags = {.arena = arena}};
    struct unit unit = {.arena = arena};
    struct plan_text texts[2];
    struct plan_change *changes;
    for (int i = 0; i < 2; ++i)
        if (!take_file(&diff, files->items[i], &texts[i]))
            return STATUS_USAGE;
    int count = plan_compare(&unit, &texts[0], &texts[1], &shown.diags, &changes);
    shown.unit = &unit;
    pipeline_print_diags(&shown);
    if (count < 0)
        return STATUS_USAGE;
    print_changes(texts, count, changes);
    if (count > 0)
        check_fit(&diff, texts);
    return count > 0 ? STATUS_INPUT : STATUS_OK;
}
