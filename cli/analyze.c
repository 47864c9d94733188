/* `orrery analyze`: what depends on what, and what will be done about it. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "scheduler/emit/emit.h"

#include <stdio.h>
#include <string.h>

/* `dump`: a comma-separated list of IRs, or NULL. `strict`: a marked serial loop is an error. */
struct analyze_request {
    const char *format, *dump;
    bool all, strict;
    struct arg_list files, cflags;
};

enum dump { DUMP_LOOPS = 1, DUMP_ACCESSES = 2, DUMP_DEPS = 4, DUMP_PLAN = 8 };

/* The words of --dump as a set; -1 for a word it does not know. */
static int dump_set(const char *text) {
    static const char *const words[] = {"loops", "accesses", "deps", "plan"};
    int set = 0;
    while (text && *text) {
        size_t length = strcspn(text, ",");
        int found = -1;
        for (int i = 0; i < 4; i++)
            if (strlen(words[i]) == length && strncmp(words[i], text, length) == 0)
                found = i;
        if (found < 0)
            return -1;
        set |= 1 << found;
        text += length + (text[length] == ',');
    }
    return set;
}

static void dump(const struct pipeline *pipeline, int set) {
    if (set & DUMP_LOOPS && pipeline->unit)
        unit_dump(pipeline->unit, stdout);
    for (int i = 0; i < pipeline->nplans; i++) {
        const struct plan *plan = pipeline->plans[i];
        if (set & DUMP_ACCESSES)
            facts_dump(plan->analysis->facts, stdout);
        if (set & DUMP_DEPS)
            analysis_dump(plan->analysis, stdout);
        if (set & DUMP_PLAN)
            plan_dump(plan, stdout);
    }
}

static bool marked_serial(const struct pipeline *pipeline) {
    for (int i = 0; i < pipeline->nplans; i++)
        if (pipeline->plans[i]->strategy == STRATEGY_SERIAL &&
            pipeline_is_marked(pipeline->plans[i]->analysis->loop))
            return true;
    return false;
}

/* One translation unit in its own arena; returns the exit status it asks for. */
static int analyze_file(const struct analyze_request *request, const char *file) {
    struct arena *arena = arena_new();
    struct pipeline pipeline;
    pipeline_run(&pipeline, arena,
                 &(struct pipeline_request){.file = file,
                                            .all = request->all,
                                            .ncflags = request->cflags.count,
                                            .cflags = request->cflags.items});
    int set = dump_set(request->dump);
    bool failed = pipeline.diags.nerrors > 0 || !pipeline.unit;
    pipeline_print_diags(&pipeline);
    if (!set && pipeline.unit)
        emit_settle(pipeline.unit, pipeline.nplans, pipeline.plans);
    if (set)
        dump(&pipeline, set);
    else if (strcmp(request->format, "json") == 0)
        report_json(&pipeline, file, stdout);
    else
        report_text(&pipeline, file, request->strict, stdout);
    if (request->strict && marked_serial(&pipeline))
        failed = true;
    arena_free(arena);
    return failed ? STATUS_INPUT : STATUS_OK;
}

int command_analyze(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct analyze_request request = {
        .format = "text", .files = {.arena = arena}, .cflags = {.arena = arena}};
    const struct option_spec specs[] = {
        {"--format", OPTION_CHOICE, "text|json", "text like a compiler's, or JSON (docs/cli.md)",
         &request.format},
        {"--all", OPTION_FLAG, NULL, "unmarked loops too", &request.all},
        {"--dump", OPTION_TEXT, "IR,...", "print loops, accesses, deps, plan instead",
         &request.dump},
        {"-Werror=serial", OPTION_FLAG, NULL, "a marked loop that stays serial is an error",
         &request.strict},
    };
    const struct option_set set = {
        .command = "analyze",
        .usage = "orrery analyze [options] [compiler flags] FILE.c ... [-- compiler flags]",
        .about = "Says for every marked loop what depends on what and what will be done about it.\n"
                 "Exit status: 0 analysed, 1 the input has errors, 2 wrong usage.",
        .examples = "  orrery analyze mf.c\n"
                    "  orrery analyze --format=json -Iinclude -DK=32 mf.c\n"
                    "  orrery analyze --all --dump=deps kernel.c -- -std=c11",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
        .compiler_flags = &request.cflags,
    };
    int status = options_parse(&set, argc, argv, &request.files);
    if (status < 0 && dump_set(request.dump) < 0)
        status = options_complain(&set, "--dump: '%s' is no list of loops, accesses, deps, plan",
                                  request.dump);
    if (status < 0 && request.files.count == 0)
        status = options_complain(&set, "no input file");
    if (status < 0) {
        status = STATUS_OK;
        for (int i = 0; i < request.files.count; i++)
            if (analyze_file(&request, request.files.items[i]) != STATUS_OK)
                status = STATUS_INPUT;
    }
    arena_free(arena);
    return status;
}
