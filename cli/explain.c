/* `orrery explain CODE`: the page of a message code. */
#include "analyzer/analyzer.h"
#include "cli/command.h"
#include "cli/options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* "orr2103", "2103" -> "ORR2103". */
static const char *canonical(struct arena *arena, const char *word) {
    char *code = isdigit((unsigned char)word[0]) ? arena_printf(arena, "ORR%s", word)
                                                 : arena_strdup(arena, word);
    for (char *at = code; *at; ++at)
        *at = (char)toupper((unsigned char)*at);
    return code;
}

/* All known codes, found by asking for each of the 10,000 possible ones. */
static const char *nearest_code(struct arena *arena, const char *word) {
    const char **known = NULL;
    int count = 0;
    for (int i = 0; i < 10000; ++i) {
        const char *code = arena_printf(arena, "ORR%04d", i);
        if (diag_title(code))
            ARENA_PUSH(arena, known, count, code);
    }
    return diag_nearest(word, known, count);
}

static int explain(struct arena *arena, const struct option_set *set, const char *word) {
    const char *code = canonical(arena, word);
    const char *page = diag_explain(code);
    if (page) {
        printf("%s%s", page, page[0] && page[strlen(page) - 1] == '\n' ? "" : "\n");
        return STATUS_OK;
    }
    const char *nearest = nearest_code(arena, code);
    if (nearest)
        return options_complain(set, "unknown code '%s'; did you mean %s (%s)?", word, nearest,
                                diag_title(nearest));
    return options_complain(set, "unknown code '%s'", word);
}

int command_explain(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct arg_list codes = {.arena = arena};
    const struct option_set set = {
        .command = "explain",
        .usage = "orrery explain CODE ...",
        .about = "Prints what a message code means and what can be done about it.\n"
                 "Exit status: 0 printed, 2 no such code.",
        .examples = "  orrery explain ORR2103\n  orrery explain 1201",
    };
    int status = options_parse(&set, argc, argv, &codes);
    if (status < 0 && codes.count == 0)
        status = options_complain(&set, "no code given");
    for (int i = 0; status <= 0 && i < codes.count; ++i)
        status = explain(arena, &set, codes.items[i]);
    arena_free(arena);
    return status;
}
