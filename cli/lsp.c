/* `orrery lsp`: verdicts, plans and edits in an editor. */
#include "tools/lsp/lsp.h"
#include "cli/command.h"
#include "cli/options.h"

int command_lsp(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct arg_list rest = {.arena = arena};
    struct lsp_request request = {.cflags = {.arena = arena}, .effects = {.arena = arena}};
    const struct option_spec specs[] = {
        {"-p", OPTION_TEXT, "FOLDER",
         "the folder of compile_commands.json (default: the nearest around a file)",
         &request.database},
        {"--all", OPTION_FLAG, NULL, "unmarked loops too", &request.all},
        {"-effects", OPTION_LIST, "FILE", "what functions do that are not seen (docs/effects.md)",
         &request.effects},
    };
    const struct option_set set = {
        .command = "lsp",
        .usage = "orrery lsp [options] [compiler flags]",
        .about =
            "Serves an editor by the Language Server Protocol on standard input and output:\n"
            "verdicts are diagnostics, a loop's plan shows when the pointer is on its header,\n"
            "the edits that messages propose are code actions (docs/editors.md).\n"
            "Exit status: 0 the client is done, 1 it is no client, or ends without shutdown, 2\n"
            "wrong usage.",
        .examples = "  orrery lsp\n"
                    "  orrery lsp --all -p build",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
        .compiler_flags = &request.cflags,
    };
    int status = options_parse(&set, argc, argv, &rest);
    if (status < 0 && rest.count > 0)
        status = options_complain(&set, "it takes no files: the editor names them");
    if (status < 0)
        status = lsp_serve(&request);
    arena_free(arena);
    return status;
}
