/* `orrery analyze`: what depends on what, and what will be done about it. */
#define _GNU_SOURCE
#include "cli/analyze_batch.h"
#include "cli/command.h"
#include "cli/options.h"
#include "tools/pipeline/compdb.h"
#include "tools/report/report.h"
#include "tools/report/sarif.h"
#include "tools/report/summary.h"
#include "tools/run/launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct analyze_request {
    /* `dump`: a comma-separated list of IRs, or NULL. `database`: of -p, or NULL. */
    const char *format, *dump, *database, *measured;
    /* `strict`: a marked serial loop is an error; `quiet`: text says nothing but what is wrong */
    bool all, strict, quiet;
    struct cost_profile profile;   /* read from `measured`, when that is not NULL */
    struct arg_list files, cflags; /* `files`: as the user named them */
    struct arg_list effects;       /* files about functions that are not seen */
    struct compdb inputs;          /* what is analyzed */
    struct summary *summaries;     /* one per input, seen by all processes */
    json_t *results;               /* SARIF's, of the inputs that are finished */
    int status;                    /* the exit status so far */
};

enum dump { DUMP_LOOPS = 1, DUMP_ACCESSES = 2, DUMP_DEPS = 4, DUMP_PLAN = 8, DUMP_FUNCTIONS = 16 };

/* The words of --dump as a set; -1 for a word it does not know. */
static int dump_set(const char *text) {
    static const char *const words[] = {"loops", "accesses", "deps", "plan", "functions"};
    enum { WORDS = sizeof words / sizeof *words };
    int set = 0;
    while (text && *text) {
        size_t length = strcspn(text, ",");
        int found = -1;
        for (int i = 0; i < WORDS; ++i)
            if (strlen(words[i]) == length && strncmp(words[i], text, length) == 0)
                found = i;
        if (found < 0)
            return -1;
        set |= 1 << found;
        text += length + (text[length] == ',');
    }
    return set;
}

static void dump(const struct compilation *pipeline, const char *file, int set) {
    if (set & DUMP_FUNCTIONS)
        report_functions(pipeline, file, stdout);
    if (set & DUMP_LOOPS && pipeline->unit)
        unit_dump(pipeline->unit, stdout);
    for (int i = 0; i < pipeline->nplans; ++i) {
        const struct plan *plan = pipeline->plans[i];
        if (set & DUMP_ACCESSES)
            facts_dump(plan->analysis->facts, stdout);
        if (set & DUMP_DEPS)
            analysis_dump(plan->analysis, stdout);
        if (set & DUMP_PLAN)
            plan_dump(plan, stdout);
    }
}

static bool marked_serial(const struct compilation *pipeline) {
    for (int i = 0; i < pipeline->nplans; ++i)
        if (pipeline->plans[i]->strategy == STRATEGY_SERIAL &&
            loop_is_marked(pipeline->plans[i]->analysis->loop))
            return true;
    return false;
}

static bool is_sarif(const struct analyze_request *request) {
    return strcmp(request->format, "sarif") == 0;
}

/* The way on from a file in which nothing is marked. */
static void say_how(const struct analyze_request *request, const struct compilation *pipeline,
                    FILE *out) {
    if (request->inputs.count == 1 && !request->all && pipeline->nplans == 0 &&
        pipeline->diags.nerrors == 0)
        fputs("  no loop is marked: put '#pragma orrery parallel' in front of one, or ask about "
              "all loops with --all\n",
              out);
}

static void report(const struct analyze_request *request, struct compilation *pipeline,
                   const char *file, FILE *out) {
    if (is_sarif(request)) {
        json_t *results = json_array();
        report_sarif(pipeline, request->strict, results);
        json_dumpf(results, out, JSON_COMPACT);
        json_decref(results);
    } else if (strcmp(request->format, "json") == 0) {
        report_json(pipeline, file, out);
    } else {
        report_text(pipeline, file, request->strict, request->quiet, out);
        if (!request->quiet)
            say_how(request, pipeline, out);
    }
}

/* One translation unit in its own arena; returns the exit status it asks for. */
static int analyze_unit(const struct analyze_request *request, int item, FILE *out) {
    const struct compdb_entry *input = &request->inputs.entries[item];
    struct arena *arena = arena_new();
    struct compilation pipeline;
    struct compile_request asked = pipeline_request(arena, input, &request->inputs);
    asked.all = request->all;
    asked.neffects = request->effects.count;
    asked.effects = request->effects.items;
    asked.profile = request->measured ? &request->profile : NULL;
    compile_unit(&pipeline, arena, &asked);
    int set = dump_set(request->dump);
    bool failed = pipeline.diags.nerrors > 0 || !pipeline.unit;
    pipeline_print_diags(&pipeline);
    if (set)
        dump(&pipeline, input->file, set);
    else
        report(request, &pipeline, input->file, out);
    summary_count(&request->summaries[item], &pipeline);
    if (request->strict && marked_serial(&pipeline))
        failed = true;
    arena_free(arena);
    return failed ? STATUS_INPUT : STATUS_OK;
}

/* ---- several files --------------------------------------------------------------------------- */

static int work(void *data, int item) {
    const struct analyze_request *request = data;
    const struct compdb_entry *input = &request->inputs.entries[item];
    if (input->directory && chdir(input->directory) != 0) {
        fprintf(stderr,
                "%s: error: its folder %s: %s [%s]\n"
                "  fix: build where the database says, or have the build system write it again\n",
                input->file, input->directory, strerror(errno), ORR9121);
        return STATUS_INPUT;
    }
    return analyze_unit(request, item, stdout);
}

/* A part of the log that could not be read is the worker's fault, which `status` says. */
static void collect_results(struct analyze_request *request, FILE *output) {
    json_t *results = json_loadf(output, 0, NULL);
    if (results)
        json_array_extend(request->results, results);
    json_decref(results);
}

static void finish(void *data, int item, int status, FILE *output, FILE *errors) {
    struct analyze_request *request = data;
    batch_copy(errors, stderr);
    if (is_sarif(request))
        collect_results(request, output);
    else
        batch_copy(output, stdout);
    if (status > 128)
        fprintf(stderr, "%s: error: its analysis was ended by signal %d (%s)\n",
                request->inputs.entries[item].file, status - 128, strsignal(status - 128));
    if (status != STATUS_OK)
        request->status = STATUS_INPUT;
}

static void print_table(const struct analyze_request *request) {
    const struct compdb *inputs = &request->inputs;
    const char **names = arena_alloc(inputs->arena, (size_t)inputs->count * sizeof *names);
    for (int i = 0; i < inputs->count; ++i)
        names[i] = inputs->entries[i].file;
    summary_table(inputs->count, names, request->summaries, stdout);
    if (inputs->left_out)
        printf("%d file%s of the database left out: not C\n", inputs->left_out,
               inputs->left_out == 1 ? "" : "s");
}

static int analyze_many(struct analyze_request *request) {
    const struct batch batch = {.count = request->inputs.count,
                                .workers = launch_cores(),
                                .work = work,
                                .finish = finish,
                                .data = request};
    if (batch_run(&batch) != 0)
        return STATUS_INPUT;
    if (strcmp(request->format, "text") == 0 && !request->dump && !request->quiet)
        print_table(request);
    return request->status;
}

/* One file of the command line needs no process of its own. */
static int analyze_one(struct analyze_request *request) {
    if (!is_sarif(request))
        return analyze_unit(request, 0, stdout);
    FILE *out = tmpfile();
    if (!out)
        return STATUS_INPUT;
    int status = analyze_unit(request, 0, out);
    rewind(out);
    collect_results(request, out);
    fclose(out);
    return status;
}

static int analyze(struct analyze_request *request) {
    size_t size = (size_t)(request->inputs.count + 1) * sizeof *request->summaries;
    request->summaries =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (request->summaries == MAP_FAILED) {
        perror("orrery analyze");
        return STATUS_INPUT;
    }
    request->results = json_array();
    bool alone = request->inputs.count == 1 && !request->inputs.entries[0].directory;
    int status = alone ? analyze_one(request) : analyze_many(request);
    if (is_sarif(request) && !request->dump)
        sarif_print(request->results, status, stdout);
    else
        json_decref(request->results);
    munmap(request->summaries, size);
    return status;
}

/* ---- what is analyzed ------------------------------------------------------------------------ */

/* The files named, or those of the database; with both, the database's entries for those named. */
static int find_inputs(struct analyze_request *request, struct arena *arena) {
    struct compdb db;
    struct compdb *inputs = &request->inputs;
    *inputs = (struct compdb){.arena = arena};
    if (request->database && compdb_read(&db, arena, request->database) != 0)
        return STATUS_INPUT;
    if (request->database && request->files.count == 0)
        *inputs = db;
    for (int i = 0; i < request->files.count; ++i) {
        const char *file = request->files.items[i];
        struct compdb_entry entry = {.file = file};
        if (!request->database) {
            ARENA_PUSH(arena, inputs->entries, inputs->count, entry);
        } else if (compdb_select(&db, file, inputs) == 0) {
            fprintf(stderr,
                    "%s: error: the compilation database %s has no entry for it [%s]\n"
                    "  fix: name a file of the database, or leave out -p and give the flags here\n",
                    file, request->database, ORR9122);
            return STATUS_INPUT;
        }
    }
    for (int i = 0; i < inputs->count; ++i) {
        struct compdb_entry *entry = &inputs->entries[i];
        entry->cflags.arena = arena;
        for (int j = 0; j < request->cflags.count; ++j)
            arg_list_push(&entry->cflags, request->cflags.items[j]);
    }
    return -1;
}

static int read_profile(struct analyze_request *request, struct arena *arena) {
    const char *why;
    if (cost_profile_read(arena, request->measured, &request->profile, &why))
        return -1;
    fprintf(stderr, "orrery analyze: %s\n", why);
    return STATUS_INPUT;
}

/* Files of a database are analyzed in their own folders. */
static void absolute(struct arg_list *files) {
    char *here = getcwd(NULL, 0);
    for (int i = 0; here && i < files->count; ++i)
        if (files->items[i][0] != '/')
            files->items[i] = arena_printf(files->arena, "%s/%s", here, files->items[i]);
    free(here);
}

int command_analyze(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct analyze_request request = {.format = "text",
                                      .files = {.arena = arena},
                                      .cflags = {.arena = arena},
                                      .effects = {.arena = arena}};
    const struct option_spec specs[] = {
        {"--format", OPTION_CHOICE, "text|json|sarif",
         "text like a compiler's, JSON (docs/cli.md), or a SARIF 2.1.0 log", &request.format},
        {"--quiet", OPTION_FLAG, NULL, "text: only marked loops that stay serial, and errors",
         &request.quiet},
        {"-p", OPTION_TEXT, "FOLDER", "the C files of FOLDER/compile_commands.json, or those named",
         &request.database},
        {"--all", OPTION_FLAG, NULL, "unmarked loops too", &request.all},
        {"--dump", OPTION_TEXT, "IR,...", "print loops, accesses, deps, plan, functions",
         &request.dump},
        {"--profile", OPTION_TEXT, "FILE", "a run's ORRERY_PROFILE: choose by what was measured",
         &request.measured},
        {"-effects", OPTION_LIST, "FILE", "what functions do that are not seen (docs/effects.md)",
         &request.effects},
        {"-Werror=serial", OPTION_FLAG, NULL, "a marked loop that stays serial is an error",
         &request.strict},
    };
    const struct option_set set = {
        .command = "analyze",
        .usage = "orrery analyze [options] [compiler flags] FILE.c ... [-- compiler flags]",
        .about = "Says for every marked loop what depends on what and what will be done about it.\n"
                 "Several files are analyzed in parallel; a table of all follows their reports.\n"
                 "Exit status: 0 analysed, 1 the input has errors (or, under -Werror=serial, a\n"
                 "marked loop stays serial), 2 wrong usage.",
        .examples = "  orrery analyze mf.c\n"
                    "  orrery analyze --format=json -Iinclude -DK=32 mf.c\n"
                    "  orrery analyze --all --dump=deps kernel.c -- -std=c11\n"
                    "  orrery analyze --format=sarif -p build > orrery.sarif",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
        .compiler_flags = &request.cflags,
    };
    int status = options_parse(&set, argc, argv, &request.files);
    if (status < 0 && dump_set(request.dump) < 0)
        status = options_complain(
            &set, "--dump: '%s' is no list of loops, accesses, deps, plan, functions",
            request.dump);
    if (status < 0 && request.files.count == 0 && !request.database)
        status = options_complain(&set, "no input file");
    if (request.database)
        absolute(&request.effects);
    if (status < 0 && request.measured)
        status = read_profile(&request, arena);
    if (status < 0)
        status = find_inputs(&request, arena);
    if (status < 0)
        status = analyze(&request);
    arena_free(arena);
    return status;
}
