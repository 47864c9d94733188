/* `orrery report`: one HTML page of what `orrery analyze` says, with pictures. */
#include "cli/command.h"
#include "cli/options.h"
#include "tools/page/page.h"

int command_report(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct arg_list files = {.arena = arena};
    struct page_request request = {
        .cflags = {.arena = arena}, .with = {.arena = arena}, .effects = {.arena = arena}};
    const struct option_spec specs[] = {
        {"-o", OPTION_TEXT, "FILE", "where to write (default: standard output)", &request.output},
        {"--trace", OPTION_TEXT, "FILE",
         "a run's ORRERY_TRACE: what was measured, beside the model", &request.trace},
        {"--profile", OPTION_TEXT, "FILE", "a run's ORRERY_PROFILE: what the model goes by",
         &request.profile},
        {"-with", OPTION_LIST, "FILE", "a file that defines functions which this one calls",
         &request.with},
        {"-effects", OPTION_LIST, "FILE", "what functions do that are not seen (docs/effects.md)",
         &request.effects},
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
        status = page_make(arena, files.items[0], &request);
    arena_free(arena);
    return status;
}
