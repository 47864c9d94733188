#define _GNU_SOURCE
/* `orrery fix`: makes the edits that the messages propose, and shows the difference. */
#include "tools/fix/fix.h"
#include "cli/command.h"
#include "cli/options.h"
#include "tools/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the command line says. */
struct fix_options {
    const char *format;
    long line;
    bool write, strict;
    struct arg_list files, cflags, codes, effects;
};

/* ---- what became of a file ------------------------------------------------------------------- */

static void print_steps(const struct fix_result *result) {
    for (int i = 0; i < result->nsteps; ++i) {
        const struct fix_step *step = &result->steps[i];
        fprintf(stderr, "%s:%d:%d: %s: %s [%s]\n", result->name, step->line, step->column,
                step->why ? "not edited" : "edited", step->message, step->code);
        if (step->why)
            fprintf(stderr, "  why: %s\n", step->why);
        else if (step->gives_up)
            fprintf(stderr, "  gives up: %s\n", step->gives_up);
    }
}

static bool is_left(const struct plan *plan) {
    return plan->strategy == STRATEGY_SERIAL && loop_is_marked(plan->analysis->loop);
}

static int count_left(const struct compilation *left) {
    int count = 0;
    for (int i = 0; i < left->nplans; ++i)
        count += is_left(left->plans[i]);
    return count;
}

static void print_left(const struct fix_result *result, bool strict) {
    const struct compilation *left = &result->left;
    pipeline_print_diags(left);
    for (int i = 0; i < left->nplans; ++i)
        if (is_left(left->plans[i]))
            report_verdict(left, left->plans[i], strict ? SEVERITY_ERROR : SEVERITY_WARNING,
                           stderr);
    int loops = count_left(left);
    fprintf(stderr, "%s: %d marked loop%s left serial, %d error%s\n", result->name, loops,
            loops == 1 ? "" : "s", left->diags.nerrors, left->diags.nerrors == 1 ? "" : "s");
}

static json_t *steps_json(const struct fix_result *result, bool made) {
    json_t *list = json_array();
    for (int i = 0; i < result->nsteps; ++i) {
        const struct fix_step *step = &result->steps[i];
        if ((step->why == NULL) != made)
            continue;
        json_array_append_new(list,
                              json_pack("{s:s, s:i, s:i, s:o, s:o}", "code", step->code, "line",
                                        step->line, "column", step->column, "message",
                                        report_string(step->message), made ? "gives_up" : "why",
                                        report_string(made ? step->gives_up : step->why)));
    }
    return list;
}

static void print_json(const struct fix_result *result, const char *diff, bool written) {
    json_t *loops = json_array();
    for (int i = 0; i < result->left.nplans; ++i)
        if (is_left(result->left.plans[i]))
            json_array_append_new(loops, report_loop_json(&result->left, result->left.plans[i]));
    json_t *root =
        json_pack("{s:s, s:o, s:b, s:o, s:o, s:o, s:o, s:i}", "schema", "orrery-fix/1", "file",
                  report_string(result->name), "written", written, "edited",
                  steps_json(result, true), "not_edited", steps_json(result, false), "diff",
                  report_string(diff), "left", loops, "errors", result->left.diags.nerrors);
    json_dumpf(root, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(root);
}

/* ---- one file -------------------------------------------------------------------------------- */

static struct compile_request compile_request(struct arena *arena, const char *file,
                                              const struct fix_options *options) {
    struct compile_request request = pipeline_named(arena, file, &options->cflags, &options->files);
    request.neffects = options->effects.count;
    request.effects = options->effects.items;
    return request;
}

static int fix_file(const char *file, const struct fix_options *options) {
    struct arena *arena = arena_new();
    struct fix_result result;
    const struct fix_request request = {.compile = compile_request(arena, file, options),
                                        .ncodes = options->codes.count,
                                        .codes = options->codes.items,
                                        .line = options->line,
                                        .chosen = options->codes.count > 0 || options->line > 0};
    int status = fix_run(arena, &request, &result) ? STATUS_OK : STATUS_INPUT;
    if (status == STATUS_OK) {
        bool changed = strcmp(result.before, result.after) != 0;
        const char *diff = changed ? fix_diff(arena, result.name, result.before, result.after) : "";
        bool written = changed && options->write && fix_write(&result);
        bool failed = !diff || (changed && options->write && !written) ||
                      result.left.diags.nerrors > 0 ||
                      (options->strict && count_left(&result.left) > 0);
        if (strcmp(options->format, "json") == 0) {
            print_json(&result, diff, written);
        } else {
            fputs(diff ? diff : "", stdout);
            fflush(stdout);
            print_steps(&result);
            print_left(&result, options->strict);
        }
        status = failed ? STATUS_INPUT : STATUS_OK;
    }
    arena_free(arena);
    return status;
}

static int check_codes(const struct option_set *set, const struct arg_list *codes) {
    for (int i = 0; i < codes->count; ++i)
        if (!diag_title(codes->items[i]))
            return options_complain(set, "--code: there is no message '%s'", codes->items[i]);
    return -1;
}

int command_fix(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct fix_options options = {.format = "text",
                                  .files = {.arena = arena},
                                  .cflags = {.arena = arena},
                                  .codes = {.arena = arena},
                                  .effects = {.arena = arena}};
    const struct option_spec specs[] = {
        {"--write", OPTION_FLAG, NULL, "write the files; else the difference is only shown",
         &options.write},
        {"--code", OPTION_LIST, "CODE", "edits of this message only", &options.codes},
        {"--line", OPTION_NUMBER, "N", "edits of messages at this line only", &options.line},
        {"--format", OPTION_CHOICE, "text|json", "what is printed (docs/cli.md)", &options.format},
        {"-effects", OPTION_LIST, "FILE", "what functions do that are not seen (docs/effects.md)",
         &options.effects},
        {"-Werror=serial", OPTION_FLAG, NULL, "a marked loop that stays serial is an error",
         &options.strict},
    };
    const struct option_set set = {
        .command = "fix",
        .usage = "orrery fix [options] [compiler flags] FILE.c ... [-- compiler flags]",
        .about =
            "Makes the edits that 'orrery analyze' proposes, and prints the difference. An edit\n"
            "is kept when the analysis of the new text takes it. Promises (assume) are made only\n"
            "for a code or a line that is named; clauses that free a loop from its serial values\n"
            "(relax, unordered) only where it is parallel in the end. What is left is said on\n"
            "standard error.\n"
            "Exit status: 0 done, 1 errors are left, or a file cannot be read or written (or,\n"
            "under -Werror=serial, a marked loop stays serial), 2 wrong usage.",
        .examples = "  orrery fix mf.c\n"
                    "  orrery fix --code ORR2210 --write mf.c\n"
                    "  orrery fix --line 12 --format=json -Iinclude mf.c",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
        .compiler_flags = &options.cflags,
    };
    int status = options_parse(&set, argc, argv, &options.files);
    if (status < 0 && options.files.count == 0)
        status = options_complain(&set, "no input file");
    if (status < 0)
        status = check_codes(&set, &options.codes);
    if (status < 0) {
        status = STATUS_OK;
        for (int i = 0; i < options.files.count; ++i)
            if (fix_file(options.files.items[i], &options) != STATUS_OK)
                status = STATUS_INPUT;
    }
    arena_free(arena);
    return status;
}
