#include "tools/tune/tune.h"

#include "tools/base/ask.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CANDIDATES = 10000 };

int tune_expand(struct tune *tune) {
    long count = 1;
    for (int i = 0; i < tune->naxes; ++i) {
        count *= tune->axes[i].values.count;
        if (count > MOST_CANDIDATES)
            return -1;
    }
    for (long number = 0; number < count; ++number) {
        struct tune_candidate candidate = {.rung = -1};
        candidate.values =
            arena_alloc(tune->arena, (size_t)(tune->naxes + 1) * sizeof *candidate.values);
        long rest = number;
        for (int i = tune->naxes - 1; i >= 0; --i) {
            const struct arg_list *values = &tune->axes[i].values;
            candidate.values[i] = values->items[rest % values->count];
            rest /= values->count;
        }
        ARENA_PUSH(tune->arena, tune->candidates, tune->ncandidates, candidate);
    }
    return 0;
}

/* ---- placeholders ---------------------------------------------------------------------------- */

/* The value of the placeholder whose name starts at `name`, or NULL. */
static const char *value_of(const struct tune *tune, const struct tune_candidate *candidate,
                            int rung, const char *name, size_t length) {
    const struct arg_list *budgets = &tune->budget.values;
    if (tune->budget.name && strlen(tune->budget.name) == length &&
        strncmp(tune->budget.name, name, length) == 0)
        return budgets->items[rung < budgets->count ? rung : budgets->count - 1];
    for (int i = 0; i < tune->naxes; ++i)
        if (tune->axes[i].kind == TUNE_SET && strlen(tune->axes[i].name) == length &&
            strncmp(tune->axes[i].name, name, length) == 0)
            return candidate->values[i];
    return NULL;
}

/* `{name}` replaced where there is such a name; other braces stay. */
static const char *fill(const struct tune *tune, const struct tune_candidate *candidate, int rung,
                        const char *argument) {
    const char *text = "";
    while (*argument) {
        size_t plain = strcspn(argument, "{"), length = 0;
        const char *name = argument[plain] ? argument + plain + 1 : NULL, *value = NULL;
        if (name && (length = strcspn(name, "}")) && name[length] == '}')
            value = value_of(tune, candidate, rung, name, length);
        if (value) {
            text = arena_printf(tune->arena, "%s%.*s%s", text, (int)plain, argument, value);
            argument = name + length + 1;
        } else {
            plain += name != NULL;
            text = arena_printf(tune->arena, "%s%.*s", text, (int)plain, argument);
            argument += plain;
        }
    }
    return text;
}

static bool is_used(const struct tune *tune, const char *name) {
    const char *mark = arena_printf(tune->arena, "{%s}", name);
    for (int i = 1; i < tune->program.count; ++i)
        if (strstr(tune->program.items[i], mark))
            return true;
    return false;
}

const char *tune_misfit(const struct tune *tune, const char **name) {
    for (int i = 0; i < tune->naxes; ++i)
        if (tune->axes[i].kind == TUNE_SET && !is_used(tune, tune->axes[i].name))
            return *name = tune->axes[i].name;
    if (tune->budget.name && !is_used(tune, tune->budget.name))
        return *name = tune->budget.name;
    return NULL;
}

/* ---- what is run ----------------------------------------------------------------------------- */

static const char *axis_value(const struct tune *tune, const struct tune_candidate *candidate,
                              enum tune_axis_kind kind) {
    for (int i = 0; i < tune->naxes; ++i)
        if (tune->axes[i].kind == kind)
            return candidate->values[i];
    return NULL;
}

struct launch tune_launch(const struct tune *tune, const struct tune_candidate *candidate,
                          int rung) {
    const char *threads = axis_value(tune, candidate, TUNE_THREADS);
    const char *ranks = axis_value(tune, candidate, TUNE_RANKS);
    struct launch launch = {.threads = threads ? atol(threads) : 0,
                            .ranks = ranks ? atol(ranks) : 0,
                            .timeout = tune->timeout,
                            .program = {.arena = tune->arena}};
    if (launch.ranks == 1)
        launch.ranks = 0;
    for (int i = 0; i < tune->program.count; ++i)
        arg_list_push(&launch.program, fill(tune, candidate, rung, tune->program.items[i]));
    return launch;
}

const char *tune_grid(const struct tune *tune, const struct tune_candidate *candidate) {
    return axis_value(tune, candidate, TUNE_GRID);
}

/* As a shell needs it. */
static const char *shell_word(struct arena *arena, const char *word) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-_=+./,:@%^";
    return *word && word[strspn(word, plain)] == '\0' ? word : ask_quote(arena, word);
}

const char *tune_command(const struct tune *tune, const struct tune_candidate *candidate,
                         int rung) {
    struct arena *arena = tune->arena;
    const struct launch launch = tune_launch(tune, candidate, rung);
    const char *grid = tune_grid(tune, candidate);
    const char *text = grid ? arena_printf(arena, "ORRERY_GRID=%s orrery run", grid) : "orrery run";
    if (launch.ranks)
        text = arena_printf(arena, "%s -n %ld", text, launch.ranks);
    if (launch.threads)
        text = arena_printf(arena, "%s --threads %ld", text, launch.threads);
    for (int i = 0; i < launch.program.count; ++i)
        text = arena_printf(arena, "%s %s", text, shell_word(arena, launch.program.items[i]));
    return text;
}
