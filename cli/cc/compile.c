#include "cli/cc/cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One marked source on its way. */
struct job {
    struct command_line *line; /* all words */
    const struct house *house; /* where the parts of Orrery are */
    /* `source`: what the user named ("-": a copy of standard input). `folder`: its folder with a
     * trailing slash, "" for the current one. `stem`: its name without the suffix. `emitted`: where
     * the emitted text goes, if there is any (`rewritten`). `output`: NULL = the host compiler's
     * standard output. `needs`: file with the names of the files whose functions were looked into.
     * `kernels`: where the kernels of its loops go, if there are any (`has_kernels`). */
    const char *source, *folder, *stem, *emitted, *kernels, *output, *needs;
    /* a loop runs in parallel; there is an emitted text; it carries a stamp of files looked into;
     * there are kernels */
    bool parallel, rewritten, stamped, has_kernels;
    struct word *word; /* the source's */
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
    for (int i = 0; i < job->line->nwords; ++i) {
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

/* ---- where things go ------------------------------------------------------------------------- */

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

/* --keep: beside the output, as STEM.orrery.c;
 * else in the temporary folder, ending in the user's name. */
static const char *emitted_name(const struct job *job, const char *suffix) {
    struct arena *arena = job->line->arena;
    if (!job->line->ours.keep)
        return spawn_file(arena,
                          arena_printf(arena, "%d-%s%s", job->line->serial, job->stem, suffix));
    const char *output = job->line->output ? job->line->output : "";
    const char *slash = strrchr(output, '/');
    return arena_printf(arena, "%.*s%s.orrery%s", slash ? (int)(slash + 1 - output) : 0, output,
                        job->stem, suffix);
}

static void job_start(struct job *job, struct word *word) {
    struct arena *arena = job->line->arena;
    const char *slash = strrchr(word->text, '/');
    ++job->line->serial;
    job->folder = slash ? arena_strndup(arena, word->text, (size_t)(slash + 1 - word->text)) : "";
    job->stem = without_suffix(arena, slash ? slash + 1 : word->text);
    job->source = word->text;
    job->word = word;
    if (strcmp(word->text, "-") == 0) {
        job->stem = "stdin";
        job->source = job->line->stdin_copy;
    }
    job->emitted = emitted_name(job, ".c");
    job->kernels = emitted_name(job, ".cu");
    job->needs = spawn_file(arena, arena_printf(arena, "%d-needs", job->line->serial));
    job->output =
        job->line->output && job->line->mode != CC_LINK ? job->line->output : default_output(job);
}

/* Files that may define what this one calls:
 * those of -with and the other sources of the command. */
static void push_others(const struct job *job, struct arg_list *command) {
    const struct command_line *line = job->line;
    for (int i = 0; i < line->ours.effects.count; ++i) {
        arg_list_push(command, "-effects");
        arg_list_push(command, line->ours.effects.items[i]);
    }
    for (int i = 0; i < line->ours.with.count; ++i) {
        arg_list_push(command, "-with");
        arg_list_push(command, line->ours.with.items[i]);
    }
    for (int i = 0; i < line->nwords; ++i) {
        const struct word *word = &line->words[i];
        if (word->kind != WORD_INPUT || word->input != INPUT_C || word == job->word ||
            strcmp(word->text, "-") == 0)
            continue;
        arg_list_push(command, "-with");
        arg_list_push(command, word->text);
    }
    arg_list_push(command, "--needs");
    arg_list_push(command, job->needs);
    if (job->word->stamped)
        arg_list_push(command, "--stamp");
}

/* ---- steps ----------------------------------------------------------------------------------- */

static int emit(struct job *job) {
    const struct ours *ours = &job->line->ours;
    const char *plan = plan_of(ours, job->line->arena, job->source);
    struct arg_list command = {.arena = job->line->arena};
    arg_list_push(&command, job->house->orrery);
    arg_list_push(&command, "emit");
    arg_list_push(&command, "--if-parallel");
    if (plan) {
        arg_list_push(&command, "-plan");
        arg_list_push(&command, plan);
    }
    const struct {
        bool on;
        const char *name;
    } flags[] = {{ours->automatic, "-auto"},
                 {ours->in_order, "-no-transform"},
                 {ours->allow_fallback, "-allow-fallback"},
                 {ours->accesses, "--accesses"},
                 {ours->strict, "-Werror=serial"},
                 {ours->remarks, "-Rorrery"}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
        if (flags[i].on)
            arg_list_push(&command, flags[i].name);
    if (ours->accesses && ours->drop) {
        arg_list_push(&command, "--debug-drop-reads");
        arg_list_push(&command, ours->drop);
    }
    if (ours->accesses && ours->change) {
        arg_list_push(&command, "--debug-change-vector");
        arg_list_push(&command, ours->change);
    }
    if (ours->target && strncmp(ours->target, "gpu", 3) == 0) {
        arg_list_push(&command, "-target");
        arg_list_push(&command, "gpu");
    }
    arg_list_push(&command, "--kernels");
    arg_list_push(&command, job->kernels);
    push_others(job, &command);
    arg_list_push(&command, "-o");
    arg_list_push(&command, job->emitted);
    arg_list_push(&command, job->source);
    arg_list_push(&command, "--");
    push_compile_words(job, &command);
    unlink(job->emitted);
    unlink(job->kernels);
    int status =
        ours->accesses ? accesses_try(job->line, &command) : spawn_run(&command, ours->show);
    if (status != 0 && ours->accesses && ours->effects.count > 0)
        return spawn_run(&command, ours->show);
    if (ours->accesses)
        status = 0;
    job->has_kernels = status == 0 && access(job->kernels, R_OK) == 0;
    job->rewritten = ours->show || (status == 0 && access(job->emitted, R_OK) == 0);
    job->parallel = ours->show || (job->rewritten && probe_text(job->emitted));
    return status;
}

/* ---- other files ----------------------------------------------------------------------------- */

/* The files whose functions were looked into, as emit wrote them down. */
static struct arg_list needed(const struct job *job) {
    struct arg_list files = {.arena = job->line->arena};
    char *name = NULL;
    size_t room = 0;
    ssize_t length;
    FILE *in = fopen(job->needs, "r");
    while (in && (length = getline(&name, &room, in)) > 0)
        arg_list_push(&files, arena_strndup(files.arena, name, (size_t)length - 1));
    free(name);
    if (in)
        fclose(in);
    return files;
}

/* Sources of the command that a job looked into have to say which definitions they have. */
static void stamp_needed(const struct job *job) {
    const struct arg_list files = needed(job);
    for (int i = 0; i < files.count; ++i)
        for (int j = 0; j < job->line->nwords; ++j) {
            struct word *word = &job->line->words[j];
            if (word->kind == WORD_INPUT && word->input == INPUT_C &&
                strcmp(word->text, files.items[i]) == 0)
                word->marked = word->stamped = true;
        }
}

/* ---- the depfile ----------------------------------------------------------------------------- */

/* Its default name and target are gcc's. The plan and the files looked into are inputs too. */
static int write_depends(const struct job *job) {
    struct command_line *line = job->line;
    struct arena *arena = line->arena;
    struct arg_list compile = {.arena = arena};
    const char *file = line->output            ? without_suffix(arena, line->output)
                       : line->mode == CC_LINK ? arena_printf(arena, "a-%s", job->stem)
                                               : job->stem;
    spawn_compiler(&compile);
    push_compile_words(job, &compile);
    struct depends_request request = {.line = line,
                                      .compile = &compile,
                                      .made = line->output ? line->output
                                                           : arena_printf(arena, "%s.o", job->stem),
                                      .file = arena_printf(arena, "%s.d", file),
                                      .source = job->source,
                                      .extra = needed(job)};
    const char *plan = plan_of(&line->ours, arena, job->source);
    if (plan)
        arg_list_push(&request.extra, plan);
    for (int i = 0; i < line->ours.effects.count; ++i)
        arg_list_push(&request.extra, line->ours.effects.items[i]);
    return depends_write(&request);
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

/* How a source is compiled. WATCHED: the text with marks, instrumented. BARE: its iterations tell
 * nothing of keys. SEEN: the user's, instrumented. */
enum how { HOW_USUAL, HOW_WATCHED, HOW_BARE, HOW_SEEN, HOW_PLAIN };

/* The user's -falign-X=..., -fno-align-X or -falign-X; `name`: "align-X". */
static bool is_said(const struct command_line *line, const char *name) {
    const char *yes = arena_printf(line->arena, "-f%s", name);
    const char *no = arena_printf(line->arena, "-fno-%s", name);
    for (int i = 0; i < line->nwords; ++i) {
        const char *text = line->words[i].text;
        if (strncmp(text, yes, strlen(yes)) == 0 || strncmp(text, no, strlen(no)) == 0)
            return true;
    }
    return false;
}

/* How fast a short loop runs may hang on where it stands: of 36 bytes, up to twice as fast where
 * they share a line. New text in front moves it, which must not make a program slower. A loop over
 * choices may be entered by a jump into its middle: gcc aligns that place, not where its iterations
 * begin, but for -falign-jumps, which clang has not. gcc -fno-align-loops does not undo
 * -falign-loops=64. */
static void push_placement(const struct command_line *line, struct arg_list *command) {
    static const char *const placed[] = {"align-loops", "align-jumps"};
    if (!line->ours.automatic || !line->fast)
        return;
    int known = spawn_is_clang(line->arena) ? 1 : 2;
    for (int i = 0; i < known; ++i)
        if (!is_said(line, placed[i]))
            arg_list_push(command, arena_printf(line->arena, "-f%s=64", placed[i]));
}

/* Programs stand at one address on all ranks. In a library a call of one of its own functions is a
 * call of that, whatever other library has one of the name: the analysis has looked into it. */
static void push_position(const struct command_line *line, struct arg_list *command) {
    if (line->shared && !line->pie_said)
        arg_list_push(command, "-fPIC");
    else if (!line->pie_said)
        arg_list_push(command, "-fno-pie");
    if (line->pic || (line->shared && !line->pie_said))
        arg_list_push(command, "-fno-semantic-interposition");
}

void compile_push_beside(const struct command_line *line, const char *name,
                         struct arg_list *command) {
    const char *made = line->output ? line->output : "a.out";
    const size_t length = strlen(made);
    const bool ends = !strcmp(made, "a.out") || (length > 4 && !strcmp(made + length - 4, ".exe"));
    if (line->mode != CC_LINK || spawn_is_clang(line->arena))
        return;
    arg_list_push(command, "-dumpdir");
    arg_list_push(command,
                  arena_printf(line->arena, "%.*s-", (int)(ends ? length - 4 : length), made));
    arg_list_push(command, "-dumpbase");
    arg_list_push(command, without_suffix(line->arena, name));
}

static int compile_as(const struct job *job, const char *output, enum how how) {
    struct command_line *line = job->line;
    bool original = !job->rewritten || line->mode == CC_SYNTAX || how >= HOW_SEEN;
    struct arg_list command = {.arena = line->arena};
    spawn_compiler(&command);
    if (!original)
        push_disguise(job, &command);
    if (!original && job->parallel) {
        if (!line->contraction_said)
            arg_list_push(&command, "-ffp-contract=off");
        push_position(line, &command);
        push_placement(line, &command);
        arg_list_push(&command,
                      line->contraction ? "-DORRERY_CONTRACTION=1" : "-DORRERY_CONTRACTION=0");
        if (line->sized)
            arg_list_push(&command, "-DORRERY_SIZES=1");
    }
    compile_push_beside(line, arena_printf(line->arena, "%s.c", job->stem), &command);
    push_compile_words(job, &command);
    bool may_fail = how >= HOW_WATCHED && how <= HOW_SEEN;
    if (may_fail && accesses_push_flags(job->house, &command) != 0)
        return 1;
    if (how == HOW_BARE)
        arg_list_push(&command, "-DORRERY_ACCESSES_BARE");
    arg_list_push(&command, "-Wno-unknown-pragmas");
    arg_list_push(&command, mode_flag(line->mode));
    if (output && line->mode != CC_SYNTAX) {
        arg_list_push(&command, "-o");
        arg_list_push(&command, output);
    }
    arg_list_push(&command, "-x");
    arg_list_push(&command, "c");
    arg_list_push(&command, original ? job->source : job->emitted);
    return may_fail ? accesses_try(line, &command) : spawn_run(&command, line->ours.show);
}

/* A source that does not compile as it should be watched is compiled as the user wrote it. */
static int compile_watched(const struct job *job, const char *output) {
    static const char *const notes[] = {
        [HOW_WATCHED] = NULL,
        [HOW_BARE] = NULL,
        [HOW_SEEN] = "its loops are not watched: with marks it does not compile",
        [HOW_PLAIN] = "its accesses are not seen: instrumented it does not compile"};
    for (enum how how = job->rewritten ? HOW_WATCHED : HOW_SEEN;; ++how) {
        int status = compile_as(job, output, how);
        if (status == 0 && notes[how] && (how == HOW_PLAIN || job->rewritten))
            fprintf(stderr, "orrery-cc: note: %s: %s\n", job->source, notes[how]);
        if (status == 0 || how == HOW_PLAIN)
            return status;
    }
}

static int compile(const struct job *job, const char *output) {
    return job->line->ours.accesses ? compile_watched(job, output)
                                    : compile_as(job, output, HOW_USUAL);
}

/* The loops' own text and their kernels are one object. */
static int compile_both(const struct job *job) {
    struct command_line *line = job->line;
    struct arena *arena = line->arena;
    if (line->mode != CC_LINK && line->mode != CC_OBJECT) {
        fprintf(stderr,
                "orrery-cc: error: %s: loops that run on a GPU are made into objects only\n",
                job->source);
        return 1;
    }
    const char *host = spawn_file(arena, arena_printf(arena, "%d-host.o", line->serial));
    const char *device = spawn_file(arena, arena_printf(arena, "%d-device.o", line->serial));
    ++line->serial;
    int status = compile(job, host);
    if (status == 0)
        status = kernels_compile(line, job->house, job->kernels, device);
    return status ? status : kernels_join(line, host, device, job->output);
}

/* requires: emitted. */
static int finish(const struct job *job) {
    int status = 0;
    if (job->line->depends.wanted)
        status = write_depends(job);
    bool plain = !job->has_kernels || job->line->mode == CC_SYNTAX;
    if (status == 0)
        status = plain ? compile(job, job->output) : compile_both(job);
    if (job->line->mode == CC_LINK)
        job->word->object = job->output;
    return status;
}

/*
 * Every source is emitted before one is compiled: a later one may look into an earlier one, which
 * then is emitted again, with its stamp.
 */
int compile_marked(struct command_line *line, const struct house *house) {
    struct arena *arena = line->arena;
    struct job *jobs = arena_alloc(arena, (size_t)(line->nwords + 1) * sizeof *jobs);
    int *statuses = arena_alloc(arena, (size_t)(line->nwords + 1) * sizeof *statuses);
    int status = 0;
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < line->nwords; ++i) {
            struct job *job = &jobs[i];
            struct word *word = &line->words[i];
            if (!word->marked || (job->word && job->stamped == word->stamped))
                continue;
            *job = (struct job){.line = line, .house = house};
            job_start(job, word);
            job->stamped = word->stamped;
            statuses[i] = emit(job);
            stamp_needed(job);
        }
    for (int i = 0; i < line->nwords; ++i) {
        if (!line->words[i].marked)
            continue;
        int one = statuses[i] ? statuses[i] : finish(&jobs[i]);
        status = status ? status : one;
    }
    return status;
}
