/* `orrery tune`: finds the options, grid, threads and ranks that a program does best with. */
#include "tools/tune/tune.h"
#include "cli/command.h"
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

/* The options as they were given. */
struct texts {
    struct arg_list sets;
    const char *rungs, *threads, *ranks, *grids, *format;
};

/* "a,b,c" into `values`; false when one is empty. */
static bool split(struct arena *arena, const char *text, struct arg_list *values) {
    *values = (struct arg_list){.arena = arena};
    for (;; ++text) {
        size_t length = strcspn(text, ",");
        if (length == 0)
            return false;
        arg_list_push(values, arena_strndup(arena, text, length));
        text += length;
        if (!*text)
            return true;
    }
}

/* NAME=v1,v2,... */
static int read_named(struct tune *tune, const struct option_set *set, const char *option,
                      const char *text, struct tune_axis *axis) {
    const char *equals = strchr(text, '=');
    *axis = (struct tune_axis){.kind = TUNE_SET};
    if (!equals || equals == text || !split(tune->arena, equals + 1, &axis->values))
        return options_complain(set, "%s: '%s' is not NAME=VALUE,VALUE...", option, text);
    axis->name = arena_strndup(tune->arena, text, (size_t)(equals - text));
    return -1;
}

static int add_numbers(struct tune *tune, const struct option_set *set, enum tune_axis_kind kind,
                       const char *name, const char *text) {
    long *numbers;
    struct tune_axis axis = {.kind = kind, .name = name};
    if (!text)
        return -1;
    if (!options_number_list(tune->arena, text, &numbers) ||
        !split(tune->arena, text, &axis.values))
        return options_complain(set, "--%s: '%s' is no list like 1,2,4", name, text);
    ARENA_PUSH(tune->arena, tune->axes, tune->naxes, axis);
    return -1;
}

static int add_grids(struct tune *tune, const struct option_set *set, const char *text) {
    struct tune_axis axis = {.kind = TUNE_GRID, .name = "grid"};
    bool sound = text && split(tune->arena, text, &axis.values);
    for (int i = 0; sound && i < axis.values.count; ++i) {
        int end = 0;
        unsigned rows, columns;
        sound = sscanf(axis.values.items[i], "%5ux%5u%n", &rows, &columns, &end) == 2 &&
                axis.values.items[i][end] == '\0';
    }
    if (text && !sound)
        return options_complain(
            set, "--grid: '%s' is no list like 8x8,16x16 (0x0: the run's choice)", text);
    if (text)
        ARENA_PUSH(tune->arena, tune->axes, tune->naxes, axis);
    return -1;
}

static int read_axes(struct tune *tune, const struct option_set *set, const struct texts *texts) {
    for (int i = 0; i < texts->sets.count; ++i) {
        struct tune_axis axis;
        int status = read_named(tune, set, "--set", texts->sets.items[i], &axis);
        if (status >= 0)
            return status;
        ARENA_PUSH(tune->arena, tune->axes, tune->naxes, axis);
    }
    if (texts->rungs && read_named(tune, set, "--rungs", texts->rungs, &tune->budget) >= 0)
        return STATUS_USAGE;
    if (add_numbers(tune, set, TUNE_THREADS, "threads", texts->threads) >= 0 ||
        add_numbers(tune, set, TUNE_RANKS, "ranks", texts->ranks) >= 0)
        return STATUS_USAGE;
    return add_grids(tune, set, texts->grids);
}

/* Two axes of one name: the second would never be heard of. */
static const char *named_twice(const struct tune *tune) {
    for (int i = 0; i < tune->naxes; ++i) {
        const char *name = tune->axes[i].name;
        if (tune->axes[i].kind != TUNE_SET)
            continue;
        if (tune->budget.name && strcmp(tune->budget.name, name) == 0)
            return name;
        for (int j = 0; j < i; ++j)
            if (tune->axes[j].kind == TUNE_SET && strcmp(tune->axes[j].name, name) == 0)
                return name;
    }
    return NULL;
}

static int check(struct tune *tune, const struct option_set *set, const struct texts *texts) {
    const char *name = NULL;
    if (tune->program.count == 0)
        return options_complain(set, "no program");
    if (tune->halve < 2)
        return options_complain(set, "--halve: at least 2");
    if (tune->score && !*tune->score)
        return options_complain(set, "--score: the text is empty");
    if (tune->maximize && !tune->score)
        return options_complain(set, "--maximize needs --score TEXT");
    int status = read_axes(tune, set, texts);
    if (status >= 0)
        return status;
    if (tune->naxes == 0)
        return options_complain(set, "nothing to vary: --set, --threads, --ranks or --grid");
    if ((name = named_twice(tune)) != NULL)
        return options_complain(set, "values for {%s} are given twice", name);
    if (tune_misfit(tune, &name))
        return options_complain(set, "no argument of the program holds {%s}", name);
    return -1;
}

int command_tune(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct tune tune = {.arena = arena, .halve = 2, .program = {.arena = arena}};
    struct texts texts = {.sets = {.arena = arena}, .format = "text"};
    const struct option_spec specs[] = {
        {"--set", OPTION_LIST, "NAME=V,V...",
         "values for {NAME} in the arguments; any number of such", &texts.sets},
        {"--threads", OPTION_TEXT, "LIST", "numbers of threads per rank", &texts.threads},
        {"--ranks", OPTION_TEXT, "LIST", "numbers of ranks", &texts.ranks},
        {"--grid", OPTION_TEXT, "LIST", "grids for loops whose plan leaves them open: 8x8,16x16",
         &texts.grids},
        {"--score", OPTION_TEXT, "TEXT",
         "the number behind the last TEXT of the output is what counts (least is\n"
         "best); without it the seconds of a run",
         &tune.score},
        {"--maximize", OPTION_FLAG, NULL, "the greatest score is best", &tune.maximize},
        {"--rungs", OPTION_TEXT, "NAME=V,V...",
         "small to large budgets for {NAME} (passes, lines): losers see the small only",
         &texts.rungs},
        {"--halve", OPTION_NUMBER, "N", "one of N goes on to the next rung (default 2)",
         &tune.halve},
        {"--jobs", OPTION_NUMBER, "N",
         "runs at a time (default: as many as there are cores for, when a score\n"
         "counts; one, when seconds do)",
         &tune.jobs},
        {"--timeout", OPTION_NUMBER, "S", "seconds for one run (default: none)", &tune.timeout},
        {"--state", OPTION_TEXT, "FILE", "what was measured; called again, it goes on from there",
         &tune.state},
        {"--quiet", OPTION_FLAG, NULL, "do not name runs as they start", &tune.quiet},
        {"--format", OPTION_CHOICE, "text|json", "how the table is printed", &texts.format},
    };
    const struct option_set set = {
        .command = "tune",
        .usage = "orrery tune [options] [--] PROGRAM [arguments]",
        .about =
            "Runs a program that orrery-cc built with all combinations of the values, the worse\n"
            "half of them on the first rung only, and prints a table, the best in front, and the\n"
            "best command line. Rungs are growing budgets, or repetitions where seconds count.\n"
            "Exit status: 0 there is a best one, 1 every one failed, 2 wrong usage.",
        .examples =
            "  orrery tune --threads 1,2,4 --grid 0x0,8x8,32x32 ./mf ratings.csv\n"
            "  orrery tune --set rate=.01,.02,.05 --set rank=16,32 --rungs epochs=2,8,32 \\\n"
            "      --score held-out --state mf.tune -- ./mf --rate {rate} --rank {rank} \\\n"
            "      --epochs {epochs} ratings.csv",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
        .program = true,
    };
    int status = options_parse(&set, argc, argv, &tune.program);
    if (status < 0)
        status = check(&tune, &set, &texts);
    if (status < 0) {
        tune.json = strcmp(texts.format, "json") == 0;
        status = tune_run(&tune);
    }
    arena_free(arena);
    return status;
}
