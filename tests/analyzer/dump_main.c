/* orrery-dump WHAT FILE [ARGS...]: prints what the analyzer made of a file; for tests only. */
#include "analyzer/analysis.h"
#include "analyzer/parse.h"

#include <stdio.h>
#include <string.h>

static void dump_all(struct unit *unit, const char *what) {
    for (int i = 0; i < unit->nloops; ++i) {
        struct loop_facts *facts = facts_collect(unit, unit->loops[i]);
        if (strcmp(what, "accesses") == 0)
            facts_dump(facts, stdout);
        else
            analysis_dump(analysis_run(facts), stdout);
    }
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s loops|accesses|deps|errors FILE [ARGS...]\n", argv[0]);
        return 2;
    }
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct parse_options options = {.file = argv[2], .nargs = argc - 3};
    options.args = (const char *const *)argv + 3;
    struct unit *unit = parse_unit(arena, &options, &diags);
    for (int i = 0; i < diags.count; ++i)
        diag_print(unit, &diags.items[i], false, stderr);
    int failed = !unit || diags.nerrors > 0;
    if (!failed && strcmp(argv[1], "loops") == 0)
        unit_dump(unit, stdout);
    else if (!failed && strcmp(argv[1], "errors") != 0)
        dump_all(unit, argv[1]);
    arena_free(arena);
    return failed;
}
