#include "cli/cc/cc.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * One marked source on its way. `source`: what the user named ("-": a copy of standard input).
 * `folder`: its folder with a trailing slash, "" for the current one. `stem`: its name without the
 * suffix. `emitted`: where the emitted text goes. `output`: NULL = the host compiler's standard
 * output.
 */
struct job {
    struct command_line *line;
    const struct house *house;
    const char *source, *folder, *stem, *emitted, *output;
    bool parallel;
};

static const char *mode_flag(enum cc_mode mode) {
    static const char *const flags[] = {[CC_LINK] = "-c",
                                        [CC_OBJECT] = "-c",
                                        [CC_ASSEMBLY] = "-S",
                                        [CC_PREPROCESS] = "-E",
                                        [CC_SYNTAX] = "-fsyntax-only"};
    return flags[mode];
}

/* The user's words that matter to compiling, and our definitions. */
static void push_compile_words(const struct job *job, struct arg_list *command) {
    arg_list_push(command, "-D__ORRERY__=1");
    for (int i = 0; i < job->line->nwords; i++) {
        const struct word *word = &job->line->words[i];
        if (word->kind != WORD_COMPILE)
            continue;
        arg_list_push(command, word->text);
        if (word->value)
            arg_list_push(command, word->value);
    }
    arg_list_push(command, "-I");
    arg_list_push(command, job->house->include);
}

/* ---- where things go --------------------------------------------------------------------------
 */

static const char *default_output(const struct job *job) {
    struct arena *arena = job->line->arena;
    switch (job->line->mode) {
    case CC_LINK:
        return spawn_file(arena, arena_printf(arena, "%d-%s.o", job->line->serial, job->stem));
    case CC_OBJECT:
        return arena_printf(arena, "%s.o", job->stem);
    case CC_ASSEMBLY:
        return arena_printf(arena, "%s.s", job->stem);
    default:
        return NULL;
    }
}

static const char *without_suffix(struct arena *arena, const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (!dot || (slash && dot < slash) || dot == path)
        return path;
    return arena_strndup(arena, path, (size_t)(dot - path));
}

/* --keep: beside the output, as STEM.orrery.c; else in the temporary folder, ending in the user's
 * name. */
static const char *emitted_name(const struct job *job) {
    struct arena *arena = job->line->arena;
    if (!job->line->ours.keep)
        return spawn_file(arena, arena_printf(arena, "%d-%s.c", job->line->serial, job->stem));
    const char *output = job->line->output ? job->line->output : "";
    const char *slash = strrchr(output, '/');
    return arena_printf(arena, "%.*s%s.orrery.c", slash ? (int)(slash + 1 - output) : 0, output,
                        job->stem);
}

static void job_start(struct job *job, struct word *word) {
    struct arena *arena = job->line->arena;
    const char *slash = strrchr(word->text, '/');
    job->line->serial++;
    job->folder = slash ? arena_strndup(arena, word->text, (size_t)(slash + 1 - word->text)) : "";
    job->stem = without_suffix(arena, slash ? slash + 1 : word->text);
    job->source = word->text;
    if (strcmp(word->text, "-") == 0) {
        job->stem = "stdin";
        job->source = job->line->stdin_copy;
    }
    job->emitted = emitted_name(job);
    job->output =
        job->line->output && job->line->mode != CC_LINK ? job->line->output : default_output(job);
}

/* ---- steps -------------------------------------------------------------------------------------
 */

static int emit(struct job *job) {
    const struct ours *ours = &job->line->ours;
    struct arg_list command = {.arena = job->line->arena};
    arg_list_push(&command, job->house->orrery);
    arg_list_push(&command, "emit");
    arg_list_push(&command, "--if-parallel");
    if (ours->plan) {
        arg_list_push(&command, "-plan");
        arg_list_push(&command, ours->plan);
    }
    const struct {
        bool on;
        const char *name;
    } flags[] = {{ours->automatic, "-auto"},
                 {ours->allow_fallback, "-allow-fallback"},
                 {ours->strict, "-Werror=serial"},
                 {ours->remarks, "-Rorrery"}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].on)
            arg_list_push(&command, flags[i].name);
    arg_list_push(&command, "-o");
    arg_list_push(&command, job->emitted);
    arg_list_push(&command, job->source);
    arg_list_push(&command, "--");
    push_compile_words(job, &command);
    unlink(job->emitted);
    int status = spawn_run(&command, ours->show);
    job->parallel = ours->show || (status == 0 && access(job->emitted, R_OK) == 0);
    return status;
}

/* A name as make reads it. */
static void put_escaped(FILE *out, const char *name) {
    for (; *name; name++) {
        if (strchr(" #\t", *name))
            fputc('\\', out);
        fputs(*name == '$' ? "$$" : (char[]){*name, 0}, out);
    }
}

/* The plan file is an input too. */
static int append_plan(const char *file, const char *target, const char *plan) {
    FILE *out = fopen(file, "a");
    if (!out) {
        fprintf(stderr, "orrery-cc: error: cannot write %s\n", file);
        return 1;
    }
    put_escaped(out, target);
    fputs(": ", out);
    put_escaped(out, plan);
    fputc('\n', out);
    return fclose(out) == 0 ? 0 : 1;
}

/* The depfile's default name and target are gcc's. */
static int write_depends(const struct job *job) {
    struct command_line *line = job->line;
    const struct depends *depends = &line->depends;
    struct arg_list command = {.arena = line->arena};
    const char *made = line->output ? line->output : arena_printf(line->arena, "%s.o", job->stem);
    const char *file = line->output            ? without_suffix(line->arena, line->output)
                       : line->mode == CC_LINK ? arena_printf(line->arena, "a-%s", job->stem)
                                               : job->stem;
    spawn_compiler(&command);
    push_compile_words(job, &command);
    arg_list_push(&command, depends->user_only ? "-MM" : "-M");
    if (depends->phony)
        arg_list_push(&command, "-MP");
    if (depends->missing_generated)
        arg_list_push(&command, "-MG");
    file = depends->file ? depends->file : arena_printf(line->arena, "%s.d", file);
    arg_list_push(&command, "-MF");
    arg_list_push(&command, file);
    for (int i = 0; i < depends->targets.count; i++)
        arg_list_push(&command, depends->targets.items[i]);
    if (depends->targets.count == 0) {
        arg_list_push(&command, "-MQ");
        arg_list_push(&command, made);
    }
    arg_list_push(&command, job->source);
    int status = spawn_run(&command, line->ours.show);
    if (status == 0 && line->ours.plan && !line->ours.show)
        status = append_plan(file, depends->targets.count ? depends->targets.items[1] : made,
                             line->ours.plan);
    return status;
}

/* What makes the emitted text behave as if it stood in the user's folder under the user's name. */
static void push_disguise(const struct job *job, struct arg_list *command) {
    struct arena *arena = job->line->arena;
    arg_list_push(command, "-iquote");
    arg_list_push(command, job->folder[0] ? job->folder : ".");
    if (job->line->ours.keep)
        return;
    const char *slash = strrchr(job->emitted, '-');
    arg_list_push(command,
                  arena_printf(arena, "-ffile-prefix-map=%.*s=%s", (int)(slash + 1 - job->emitted),
                               job->emitted, job->folder));
}

static int compile(const struct job *job) {
    const struct command_line *line = job->line;
    bool original = !job->parallel || line->mode == CC_SYNTAX;
    struct arg_list command = {.arena = line->arena};
    spawn_compiler(&command);
    if (!original) {
        if (!line->contraction_said)
            arg_list_push(&command, "-ffp-contract=off");
        if (!line->pie_said)
            arg_list_push(&command, "-fno-pie");
        arg_list_push(&command,
                      line->contraction ? "-DORRERY_CONTRACTION=1" : "-DORRERY_CONTRACTION=0");
        push_disguise(job, &command);
    }
    push_compile_words(job, &command);
    arg_list_push(&command, "-Wno-unknown-pragmas");
    arg_list_push(&command, mode_flag(line->mode));
    if (job->output && line->mode != CC_SYNTAX) {
        arg_list_push(&command, "-o");
        arg_list_push(&command, job->output);
    }
    arg_list_push(&command, "-x");
    arg_list_push(&command, "c");
    arg_list_push(&command, original ? job->source : job->emitted);
    return spawn_run(&command, line->ours.show);
}

int compile_marked(struct command_line *line, const struct house *house, struct word *word) {
    struct job job = {.line = line, .house = house};
    job_start(&job, word);
    int status = emit(&job);
    if (status == 0 && line->depends.wanted)
        status = write_depends(&job);
    if (status == 0)
        status = compile(&job);
    if (line->mode == CC_LINK)
        word->object = job.output;
    return status;
}
