/* `orrery explain CODE`: the page of a message code. `--effects NAME`: what a function does. */
#include "analyzer/analyzer.h"
#include "cli/command.h"
#include "cli/options.h"
#include "tools/pipeline/pipeline.h"

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

/* ---- functions ------------------------------------------------------------------------------- */

static const char *kind_words(const struct effects *effects) {
    switch (effects->effect) {
    case EFFECT_UNKNOWN:
        return "what it touches is not said in full: a loop that calls it stays serial (ORR2213)";
    case EFFECT_PURE:
        return "a function of its arguments";
    case EFFECT_MEMORY:
        return "touches this memory and nothing else";
    case EFFECT_RANDOM:
        return "draws random numbers: refused in a parallel loop (ORR2210)";
    case EFFECT_IO:
        return "input or output: refused in a parallel loop (ORR2211)";
    case EFFECT_CLOCK:
        return "asks the system: refused in a parallel loop (ORR2212)";
    case EFFECT_STATE:
        return "keeps a state: refused in a parallel loop (ORR2219)";
    case EFFECT_ALLOCATE:
        return "allocates or frees: an iteration may do so for itself only (ORR2216)";
    case EFFECT_EXIT:
        return "may end the program: refused in a parallel loop (ORR2217)";
    case EFFECT_UNEVALUATED:
        return "the compiler's answer: nothing is evaluated";
    case EFFECT_ASSERT:
        return "ends the program where something is wrong already";
    case EFFECT_SETJMP:
        return "a place to jump back to: refused in a parallel loop (ORR2228)";
    }
    return "";
}

static bool print_effects(struct effect_files *files, const char *name) {
    struct effect_line line;
    const struct effects *effects = effects_find(files, name, &line);
    if (effects)
        printf("%s: %s\n  %s:%d: %.*s\n", name, kind_words(effects), line.file, line.line,
               (int)(line.end - line.begin), line.begin);
    return effects;
}

/* Users' own lines come first. */
static int explain_effects(struct arena *arena, const struct option_set *set, const char *name,
                           const struct arg_list *own) {
    struct unit unit = {.arena = arena};
    struct diag_list diags = {.arena = arena};
    struct effect_files *library = effect_files_new(arena);
    struct effect_files *files = effects_take(&unit, own->count, own->items, &diags);
    const char *const *names;
    for (int i = 0; i < diags.count; ++i)
        diag_print(&unit, &diags.items[i], pipeline_color(stderr), stderr);
    if (diags.nerrors)
        return STATUS_INPUT;
    if (print_effects(files, name) || print_effects(library, name))
        return STATUS_OK;
    int count = effect_files_names(library, &names);
    const char *nearest = diag_nearest(name, names, count);
    return options_complain(set, "nothing is known of '%s'%s%s%s; a file for -effects can say it",
                            name, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                            nearest ? "'?" : "");
}

int command_explain(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct arg_list codes = {.arena = arena}, own = {.arena = arena};
    const char *function = NULL;
    const struct option_spec specs[] = {
        {"--effects", OPTION_TEXT, "NAME", "what is known of the function NAME, and from where",
         &function},
        {"-effects", OPTION_LIST, "FILE", "what functions do that are not seen (docs/effects.md)",
         &own},
    };
    const struct option_set set = {
        .command = "explain",
        .usage = "orrery explain CODE ...\n       orrery explain [-effects FILE] --effects NAME",
        .about =
            "Prints what a message code means and what can be done about it, or what is known\n"
            "of a library's function.\n"
            "Exit status: 0 printed, 1 a file of effects has errors, 2 no such code or name.",
        .examples = "  orrery explain ORR2103\n  orrery explain 1201\n"
                    "  orrery explain --effects memcpy",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
    };
    int status = options_parse(&set, argc, argv, &codes);
    if (status < 0 && function)
        status = explain_effects(arena, &set, function, &own);
    if (status < 0 && codes.count == 0)
        status = options_complain(&set, "no code given");
    for (int i = 0; status <= 0 && !function && i < codes.count; ++i)
        status = explain(arena, &set, codes.items[i]);
    arena_free(arena);
    return status;
}
