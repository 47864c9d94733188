/* `orrery plan`: the plans of a file's loops, as data. */
#include "cli/command.h"
#include "cli/options.h"
#include "tools/pipeline/pipeline.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int write_plans(const struct compilation *pipeline, const char *file, const char *output) {
    pipeline_print_diags(pipeline);
    if (!pipeline->unit || pipeline->diags.nerrors > 0)
        return STATUS_INPUT;
    if (plan_file_write(output, pipeline->unit, pipeline->nplans, pipeline->plans) == 0)
        return STATUS_OK;
    fprintf(stderr, "orrery plan: cannot write the plans of %s to %s: %s\n", file, output,
            strerror(errno));
    return STATUS_INPUT;
}

int command_plan(int argc, char **argv) {
    struct arena *arena = arena_new();
    const char *output = "/dev/stdout", *measured = NULL, *machine = NULL, *why;
    struct cost_profile profile;
    struct cost_cluster cluster;
    struct arg_list files = {.arena = arena}, cflags = {.arena = arena}, with = {.arena = arena};
    struct arg_list effects = {.arena = arena};
    bool all = false;
    const struct option_spec specs[] = {
        {"-o", OPTION_TEXT, "FILE", "where to write (default: standard output)", &output},
        {"-with", OPTION_LIST, "FILE", "a file that defines functions which this one calls", &with},
        {"-effects", OPTION_LIST, "FILE", "what functions do that are not seen (docs/effects.md)",
         &effects},
        {"--all", OPTION_FLAG, NULL, "unmarked loops too", &all},
        {"--profile", OPTION_TEXT, "FILE", "a run's ORRERY_PROFILE: choose by what was measured",
         &measured},
        {"--cluster", OPTION_TEXT, "FILE",
         "plan for this machine (default: two nodes of four cores)", &machine},
    };
    const struct option_set set = {
        .command = "plan",
        .usage = "orrery plan [options] [compiler flags] FILE.c [-- compiler flags]",
        .about = "Writes the plan of every marked loop as JSON. Edit it and hand it to orrery-cc\n"
                 "with -plan; a plan that breaks a dependence is refused there.\n"
                 "Exit status: 0 written, 1 the input has errors, 2 wrong usage.",
        .examples = "  orrery plan mf.c -o mf.plan.json\n"
                    "  orrery-cc -O3 -plan mf.plan.json mf.c -o mf -lm",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
        .compiler_flags = &cflags,
    };
    int status = options_parse(&set, argc, argv, &files);
    if (status < 0 && files.count != 1)
        status = options_complain(&set, "%s",
                                  files.count ? "one input file at a time" : "no input file");
    if (status < 0 && ((measured && !cost_profile_read(arena, measured, &profile, &why)) ||
                       (machine && !cost_cluster_read(arena, machine, &cluster, &why)))) {
        fprintf(stderr, "orrery plan: %s\n", why);
        status = STATUS_INPUT;
    }
    if (status < 0) {
        struct compilation pipeline;
        struct compile_request request = pipeline_named(arena, files.items[0], &cflags, &with);
        request.all = all;
        request.neffects = effects.count;
        request.effects = effects.items;
        request.profile = measured ? &profile : NULL;
        request.cluster = machine ? &cluster : NULL;
        compile_unit(&pipeline, arena, &request);
        status = write_plans(&pipeline, files.items[0], output);
    }
    arena_free(arena);
    return status;
}
