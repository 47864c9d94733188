/* `orrery report`: one HTML page of what `orrery analyze` says, with pictures. */
#include "cli/command.h"
#include "cli/options.h"
#include "tools/page/page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct report_request {
    const char *output, *trace, *profile;
    bool all;
    struct arg_list cflags, with;
};

static int complain(const char *why) {
    fprintf(stderr, "orrery report: %s\n", why);
    return STATUS_INPUT;
}

static int write_page(struct page *page, const char *output) {
    page->out = output ? fopen(output, "w") : stdout;
    if (page->out)
        page_write(page);
    if (page->out && !ferror(page->out) && fflush(page->out) == 0 &&
        (!output || fclose(page->out) == 0))
        return STATUS_OK;
    fprintf(stderr, "orrery report: cannot write %s: %s\n", output ? output : "standard output",
            strerror(errno));
    return STATUS_INPUT;
}

static int report(struct arena *arena, const char *file, const struct report_request *request) {
    struct compilation pipeline;
    struct cost_profile profile;
    const char *why = NULL;
    if (request->profile && !cost_profile_read(arena, request->profile, &profile, &why))
        return complain(why);
    const struct compdb others = compdb_named(&request->with, &request->cflags);
    pipeline_run(&pipeline, arena,
                 &(struct pipeline_request){.file = file,
                                            .all = request->all,
                                            .profile = request->profile ? &profile : NULL,
                                            .nothers = others.count,
                                            .others = others.entries,
                                            .ncflags = request->cflags.count,
                                            .cflags = request->cflags.items});
    pipeline_print_diags(&pipeline);
    if (!pipeline.unit || pipeline.diags.nerrors > 0)
        return STATUS_INPUT;
    struct page page = {.arena = arena, .pipeline = &pipeline, .file = file};
    if (request->trace && !(page.trace = trace_read(arena, request->trace, &why)))
        return complain(why);
    page.profile = request->profile ? &profile : NULL;
    return write_page(&page, request->output);
}

int command_report(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct arg_list files = {.arena = arena};
    struct report_request request = {.cflags = {.arena = arena}, .with = {.arena = arena}};
    const struct option_spec specs[] = {
        {"-o", OPTION_TEXT, "FILE", "where to write (default: standard output)", &request.output},
        {"--trace", OPTION_TEXT, "FILE",
         "a run's ORRERY_TRACE: what was measured, beside the model", &request.trace},
        {"--profile", OPTION_TEXT, "FILE", "a run's ORRERY_PROFILE: what the model goes by",
         &request.profile},
        {"-with", OPTION_LIST, "FILE", "a file that defines functions which this one calls",
         &request.with},
        {"--all", OPTION_FLAG, NULL, "unmarked loops too", &request.all},
    };
    const struct option_set set = {
        .command = "report",
        .usage = "orrery report [options] [compiler flags] FILE.c [-- compiler flags]",
        .about = "Writes one HTML page that needs nothing else: the source with every loop's\n"
                 "verdict, its dependences as arrows, its blocks clock by clock, its arrays, and\n"
                 "with --trace where the time went.\n"
                 "Exit status: 0 written, 1 the input has errors, 2 wrong usage.",
        .examples = "  orrery report mf.c -o mf.html\n"
                    "  ORRERY_TRACE=mf.trace ./mf ratings.csv\n"
                    "  orrery report mf.c --trace mf.trace -o mf.html",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
        .compiler_flags = &request.cflags,
    };
    int status = options_parse(&set, argc, argv, &files);
    if (status < 0 && files.count != 1)
        status = options_complain(&set, "%s",
                                  files.count ? "one input file at a time" : "no input file");
    if (status < 0)
        status = report(arena, files.items[0], &request);
    arena_free(arena);
    return status;
}
