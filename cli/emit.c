/* `orrery emit`: the text that orrery-cc hands to the compiler. */
#include "scheduler/emit/emit.h"

#include "analyzer/analyzer.h"
#include "cli/command.h"
#include "cli/emit_accesses.h"
#include "cli/options.h"
#include "tools/report/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct emit_request {
    /* `target`: where loops run that do not say it; `kernels`: file that gets the kernels of those
     * on a GPU; `needs`: file that gets the names of those that did */
    const char *output, *plan_file, *name, *needs, *target, *kernels;
    /* an object of which the analysis is not told that it is read (a planted error) */
    const char *drop;
    const char *change; /* one whose vectors are made wrong (a planted error) */
    const char *forget; /* one whose dependences new orders do not heed (a planted error) */
    bool unproved;      /* ... which are used all the same */
    const char *dump;   /* "transform": print the text that is cut up */
    /* `strict`: a marked loop that stays serial is an error. `remarks`: say what became parallel
     * too. `if_parallel`: write nothing at all when no loop became parallel (orrery-cc then
     * compiles the user's file). `accesses`: the user's text with marks for `orrery verify
     * --accesses`, nothing made parallel; `stamp`: end with the symbols of the functions that other
     * files can call. */
    bool automatic, allow_fallback, strict, remarks, if_parallel, stamp, accesses, in_order;
    bool openmp, pthreads;               /* text that needs no library of ours */
    struct arg_list files, cflags, with; /* `with`: files that may define what this one calls */
    struct arg_list effects;             /* files about functions that are not seen */
};

static bool is_chosen(const struct plan *plan, int count, struct plan **chosen) {
    for (int i = 0; i < count; ++i)
        if (chosen[i] == plan)
            return true;
    return false;
}

/* Marked loops that stay serial; on demand what becomes parallel. Returns the errors. */
static int say_verdicts(const struct compilation *pipeline, const struct emit_request *request,
                        int count, struct plan **chosen) {
    int errors = 0;
    for (int i = 0; i < pipeline->nplans; ++i) {
        const struct plan *plan = pipeline->plans[i];
        bool serial = plan->strategy == STRATEGY_SERIAL;
        bool complain = serial && loop_is_marked(plan->analysis->loop);
        bool strict = request->strict || (plan->gpu && !plan->within);
        if (complain || (request->remarks && is_chosen(plan, count, chosen)))
            report_verdict(pipeline, plan, strict ? SEVERITY_ERROR : SEVERITY_WARNING, stderr);
        errors += complain && strict;
    }
    return errors;
}

static int write_text(const char *output, const char *text) {
    FILE *out = output ? fopen(output, "w") : stdout;
    if (out && fputs(text, out) >= 0 && fflush(out) == 0 && (!output || fclose(out) == 0))
        return STATUS_OK;
    fprintf(stderr, "orrery emit: cannot write %s: %s\n", output ? output : "standard output",
            strerror(errno));
    return STATUS_INPUT;
}

/* The message speaks of a loop that the user marked. */
static bool about_marked(const struct compilation *pipeline, const struct diag *diag) {
    if (diag->loop)
        return loop_is_marked(diag->loop);
    for (int i = 0; i < pipeline->nplans; ++i) {
        const struct loop *loop = pipeline->plans[i]->analysis->loop;
        struct range loop_at = loop->stmt->range;
        if (loop_is_marked(loop) && diag->range.begin.file == loop_at.begin.file &&
            diag->range.begin.offset >= loop_at.begin.offset &&
            diag->range.begin.offset < loop_at.end.offset)
            return true;
    }
    return false;
}

/* Loops that cannot be outlined: the marked ones always, the others on demand. */
static int say_refused(struct compilation *pipeline, const struct emit_request *request,
                       int first) {
    int marked = 0;
    for (int i = first; i < pipeline->diags.count; ++i) {
        struct diag *diag = &pipeline->diags.items[i];
        bool ours = about_marked(pipeline, diag);
        marked += ours;
        if (ours && diag->severity == SEVERITY_REMARK)
            diag->severity = request->strict ? SEVERITY_ERROR : SEVERITY_WARNING;
        if (ours || request->remarks || diag->severity == SEVERITY_ERROR)
            diag_print(pipeline->unit, diag, pipeline_color(stderr), stderr);
    }
    return marked;
}

static bool named_before(const struct unit *unit, int index) {
    for (int i = 0; i < index; ++i)
        if (unit->functions[i]->origin &&
            strcmp(unit->functions[i]->origin, unit->functions[index]->origin) == 0)
            return true;
    return false;
}

/* The files whose functions were looked into, one per line. */
static int write_needs(const struct unit *unit, const char *path) {
    FILE *out = fopen(path, "w");
    for (int i = 0; out && i < unit->nfunctions; ++i)
        if (unit->functions[i]->origin && !named_before(unit, i))
            fprintf(out, "%s\n", unit->functions[i]->origin);
    if (out && fclose(out) == 0)
        return STATUS_OK;
    fprintf(stderr, "orrery emit: cannot write %s: %s\n", path, strerror(errno));
    return STATUS_INPUT;
}

/* The chosen loop around it in its function, or NULL. */
static const struct loop *chosen_around(const struct compilation *pipeline,
                                        const struct loop *loop) {
    for (const struct loop *outer = loop->parent; outer; outer = outer->parent)
        for (int i = 0; i < pipeline->noutermost; ++i)
            if (pipeline->outermost[i]->analysis->loop == outer)
                return outer;
    return NULL;
}

/* Marked loops that could be distributed, but for a loop around them that is. */
static void find_covered(struct compilation *pipeline) {
    for (int i = 0; i < pipeline->nplans; ++i) {
        const struct loop *loop = pipeline->plans[i]->analysis->loop;
        const struct loop *outer = chosen_around(pipeline, loop);
        if (!outer || !loop_is_marked(loop) || pipeline->plans[i]->strategy == STRATEGY_SERIAL)
            continue;
        struct diag *diag = diag_add(
            &pipeline->diags, SEVERITY_REMARK, ORR2312, loop->header,
            "the loop stays serial: the loop around it in line %d is distributed in its place",
            outer->header.begin.line);
        diag->loop = loop;
        diag->fix = "take the mark away from one of the two";
    }
}

static enum standalone form_of(const struct emit_request *request) {
    return request->openmp     ? STANDALONE_OPENMP
           : request->pthreads ? STANDALONE_PTHREADS
                               : STANDALONE_NO;
}

/* requires: plans without errors. Emits, says what could not be, writes. */
static int emit(struct compilation *pipeline, const struct emit_request *request) {
    struct plan **chosen = pipeline->outermost;
    int count = pipeline->noutermost;
    if (say_verdicts(pipeline, request, count, chosen) > 0)
        return STATUS_INPUT;
    for (int i = 0; request->remarks && i < pipeline->said.count; ++i)
        diag_print(pipeline->written, &pipeline->said.items[i], pipeline_color(stderr), stderr);
    int first = pipeline->diags.count;
    find_covered(pipeline);
    const struct emitted emitted = compile_text(pipeline);
    const char *text = emitted.text, *kernels = emitted.kernels;
    bool parallel = emitted.parallel;
    int refused = say_refused(pipeline, request, first);
    if (pipeline->diags.nerrors > 0 || (request->strict && refused > 0))
        return STATUS_INPUT;
    if (form_of(request) && !parallel) {
        fprintf(stderr,
                "orrery emit: %s: no loop of it runs in parallel: mark one with `#pragma "
                "orrery parallel`, or say -auto\n",
                request->files.items[0]);
        return STATUS_INPUT;
    }
    if (kernels && !request->kernels) {
        fprintf(stderr, "orrery emit: the loops' kernels need a file: --kernels FILE\n");
        return STATUS_INPUT;
    }
    if (kernels && write_text(request->kernels, kernels) != STATUS_OK)
        return STATUS_INPUT;
    if (request->needs && parallel && write_needs(pipeline->unit, request->needs) != STATUS_OK)
        return STATUS_INPUT;
    if (request->stamp)
        text = arena_printf(pipeline->arena, "%s%s", text, import_stamp(pipeline->written));
    if (request->if_parallel && !parallel && !request->stamp)
        return STATUS_OK;
    return write_text(request->output, text);
}

/* The user's text with marks. Files without loops, and those that cannot be read, stay. */
static int emit_marked(struct compilation *pipeline, const struct emit_request *request) {
    struct marks *marks = marks_plan(pipeline->unit);
    if (marks->nloops == 0 && request->if_parallel)
        return STATUS_OK;
    const char *text = marks_text(marks, emit_accesses_table(pipeline, marks));
    if (text)
        return write_text(request->output, text);
    fprintf(stderr, "orrery emit: %s: marks of loops cut each other\n", request->files.items[0]);
    return STATUS_INPUT;
}

/* All of standard input, NUL-terminated. */
static const char *read_stdin(struct arena *arena) {
    size_t used = 0, room = 1 << 16;
    char *text = arena_alloc(arena, room);
    for (;;) {
        used += fread(text + used, 1, room - 1 - used, stdin);
        if (used < room - 1)
            return text;
        char *larger = arena_alloc(arena, room * 2);
        memcpy(larger, text, used);
        text = larger;
        room *= 2;
    }
}

/* The compiler may take what clang does not: GNU's functions in functions, decimal numbers. A file
 * in which nobody marked a loop is then left to it, errors and all. */
static bool leave_to_compiler(struct compilation *pipeline, const struct emit_request *request) {
    if (!request->automatic || !request->if_parallel || request->stamp || !pipeline->unit ||
        pipeline->unit->has_marks)
        return false;
    for (int i = 0; i < pipeline->diags.count; ++i)
        if (pipeline->diags.items[i].severity == SEVERITY_ERROR &&
            pipeline->diags.items[i].code != ORR9001)
            return false;
    for (int i = 0; i < pipeline->diags.count; ++i)
        pipeline->diags.items[i].severity = SEVERITY_WARNING;
    fprintf(stderr, "%s: warning: its loops stay serial: clang does not understand it\n",
            request->name ? request->name : request->files.items[0]);
    return true;
}

static int run(struct arena *arena, const struct emit_request *request) {
    const char *file = request->files.items[0];
    bool from_stdin = strcmp(file, "-") == 0;
    struct compilation pipeline;
    struct compile_request asked = pipeline_named(arena, request->name ? request->name : file,
                                                  &request->cflags, &request->with);
    asked.file.text = from_stdin ? read_stdin(arena) : NULL;
    asked.all = request->automatic || request->accesses;
    asked.brief = !request->accesses && !request->plan_file && !request->change;
    asked.transform =
        request->automatic && !request->in_order && !request->accesses && !request->plan_file;
    asked.keep_rows = request->in_order || request->accesses;
    asked.transform_only = request->dump != NULL;
    asked.drop = request->drop;
    asked.change = request->change;
    asked.planted = (struct transform_planted){request->forget, request->unproved};
    asked.neffects = request->effects.count;
    asked.effects = request->effects.items;
    asked.allow_fallback = request->allow_fallback;
    asked.standalone = form_of(request);
    asked.gpu = request->target && strcmp(request->target, "gpu") == 0;
    asked.plan_file = request->plan_file;
    compile_unit(&pipeline, arena, &asked);
    if (request->dump && pipeline.unit)
        return write_text(request->output, pipeline.unit->files[pipeline.unit->main_file].text);
    bool failed = !pipeline.unit || pipeline.diags.nerrors > 0;
    bool left = failed && leave_to_compiler(&pipeline, request);
    pipeline_print_diags(&pipeline);
    if (failed)
        return left ? STATUS_OK : STATUS_INPUT;
    return request->accesses ? emit_marked(&pipeline, request) : emit(&pipeline, request);
}

int command_emit(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct emit_request request = {.files = {.arena = arena},
                                   .cflags = {.arena = arena},
                                   .with = {.arena = arena},
                                   .effects = {.arena = arena}};
    const struct option_spec specs[] = {
        {"-o", OPTION_TEXT, "FILE", "where to write (default: standard output)", &request.output},
        {"-plan", OPTION_TEXT, "FILE", "plans to use instead of the chosen ones",
         &request.plan_file},
        {"-target", OPTION_TEXT, "cpu|gpu", "where marked loops run that do not say it",
         &request.target},
        {"--kernels", OPTION_TEXT, "FILE", "gets the kernels of loops that run on a GPU",
         &request.kernels},
        {"--openmp", OPTION_FLAG, NULL,
         "text that needs no library of ours, with OpenMP's threads (docs/emitted.md)",
         &request.openmp},
        {"--pthreads", OPTION_FLAG, NULL, "the same with POSIX threads", &request.pthreads},
        {"-auto", OPTION_FLAG, NULL, "unmarked loops that are provably parallel too",
         &request.automatic},
        {"-allow-fallback", OPTION_FLAG, NULL, "run a loop serially when a check of the run fails",
         &request.allow_fallback},
        {"-Werror=serial", OPTION_FLAG, NULL, "a marked loop that stays serial is an error",
         &request.strict},
        {"-Rorrery", OPTION_FLAG, NULL, "say what became parallel too", &request.remarks},
        {"-no-transform", OPTION_FLAG, NULL, "-auto leaves the order of nested loops alone",
         &request.in_order},
        {"--dump", OPTION_TEXT, "transform", "prints the text with nests in their new orders only",
         &request.dump},
        {"--if-parallel", OPTION_FLAG, NULL, "write nothing when no loop became parallel",
         &request.if_parallel},
        {"-with", OPTION_LIST, "FILE", "a file that defines functions which this one calls",
         &request.with},
        {"-effects", OPTION_LIST, "FILE", "what functions do that are not seen (docs/effects.md)",
         &request.effects},
        {"--needs", OPTION_TEXT, "FILE", "gets the names of the files of -with that define one",
         &request.needs},
        {"--stamp", OPTION_FLAG, NULL,
         "define the symbols that objects need which were compiled with -with this file",
         &request.stamp},
        {"--accesses", OPTION_FLAG, NULL,
         "the user's loops with marks, for `orrery verify --accesses`", &request.accesses},
        {"--debug-drop-reads", OPTION_TEXT, "NAME",
         "overlook reads of this object, to test -accesses", &request.drop},
        {"--debug-change-vector", OPTION_TEXT, "NAME",
         "other iterations than the verdict says meet in this object: to be found",
         &request.change},
        {"--debug-forget-dependences", OPTION_TEXT, "NAME",
         "find new orders without this object's dependences: none may be used", &request.forget},
        {"--debug-unproved", OPTION_FLAG, NULL,
         "use them all the same: `orrery verify` has to find it", &request.unproved},
        {"--name", OPTION_TEXT, "NAME", "the input's name in messages, for standard input",
         &request.name},
    };
    const struct option_set set = {
        .command = "emit",
        .usage = "orrery emit [options] [compiler flags] FILE.c|- [-- compiler flags]",
        .about = "Prints the C text that orrery-cc hands to the compiler: the user's, with each\n"
                 "parallel loop replaced by a table and a call of the runtime.\n"
                 "Exit status: 0 emitted, 1 the input has errors, 2 wrong usage.",
        .examples = "  orrery emit mf.c | less\n  orrery emit -plan mf.plan.json mf.c -o mf.out.c",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
        .compiler_flags = &request.cflags,
    };
    int status = options_parse(&set, argc, argv, &request.files);
    if (status < 0 && request.files.count != 1)
        status = options_complain(
            &set, "%s", request.files.count ? "one input file at a time" : "no input file");
    if (status < 0 && request.target && strcmp(request.target, "cpu") != 0 &&
        strcmp(request.target, "gpu") != 0)
        status = options_complain(&set, "-target: '%s' is neither cpu nor gpu", request.target);
    if (status < 0 && request.openmp && request.pthreads)
        status = options_complain(&set, "either --openmp or --pthreads");
    if (status < 0 && request.dump && strcmp(request.dump, "transform") != 0)
        status = options_complain(&set, "--dump: '%s' is not transform", request.dump);
    request.strict |= request.openmp || request.pthreads;
    if (status < 0)
        status = run(arena, &request);
    arena_free(arena);
    return status;
}
