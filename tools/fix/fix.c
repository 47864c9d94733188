#define _GNU_SOURCE
/* One file: messages -> edits -> text, and again, until no edit is left that helps. */
#include "tools/fix/fix.h"

#include "tools/report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file on its way. `text`: what it is by now. `vain`: clauses that freed a loop which stayed
 * serial. */
struct work {
    struct arena *arena;
    const struct fix_request *request;
    struct fix_result *result;
    const char *text;
    int nvain;
    struct fix_step *vain;
};

/* ---- messages -------------------------------------------------------------------------------- */

/* `loop`: the index of its plan; -1: it is an error. */
struct message {
    const struct diag *diag;
    int loop;
};

/* Errors of the input, and all reasons of the marked loops that stay serial. */
struct messages {
    int count;
    struct message *items;
    struct compilation c;
};

static void add(struct work *w, struct messages *m, const struct diag *diag, int loop) {
    const struct message message = {diag, loop};
    ARENA_PUSH(w->arena, m->items, m->count, message);
}

static bool stays_serial(const struct plan *plan) {
    return plan->strategy == STRATEGY_SERIAL && loop_is_marked(plan->analysis->loop);
}

static void add_reasons(struct work *w, struct messages *m, int loop) {
    const struct plan *plan = m->c.plans[loop];
    struct diag_list *list = arena_alloc(w->arena, sizeof *list);
    *list = (struct diag_list){.arena = w->arena};
    if (!stays_serial(plan))
        return;
    const struct diag *diag = report_diag(&m->c, plan, SEVERITY_WARNING, list);
    add(w, m, diag, loop);
    for (int i = 0; i < diag->nnotes; ++i)
        if (diag->notes[i].code)
            add(w, m, &diag->notes[i], loop);
}

static struct messages messages_of(struct work *w, const char *text) {
    struct messages m = {0};
    struct compile_request request = w->request->compile;
    request.file.text = text;
    compile_unit(&m.c, w->arena, &request);
    for (int i = 0; i < m.c.diags.count; ++i)
        if (m.c.diags.items[i].severity == SEVERITY_ERROR)
            add(w, &m, &m.c.diags.items[i], -1);
    for (int i = 0; i < m.c.nplans; ++i)
        add_reasons(w, &m, i);
    return m;
}

/* ---- edits ----------------------------------------------------------------------------------- */

static const char *line_begin(const char *text, int line) {
    for (; text && line > 1; --line)
        text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
    return text;
}

/* The text must be the one that the analysis has seen, where nests of rows or macros are written
 * anew in front of it. */
static const char *place(const struct messages *m, const char *text, const struct loc *loc) {
    const struct source_file *file = &m->c.unit->files[loc->file];
    const char *line = line_begin(text, loc->line);
    size_t column = (size_t)loc->column - 1;
    bool fits = line && loc->column > 0 && strlen(line) >= column && loc->offset >= column &&
                loc->offset <= file->size &&
                memcmp(file->text + loc->offset - column, line, column) == 0;
    return fits ? line + column : NULL;
}

/* In descending order of their places. */
static void sort_edits(struct edit *edits, int count) {
    for (int i = 1; i < count; ++i) {
        struct edit one = edits[i];
        int at = i;
        for (; at > 0 && edits[at - 1].range.begin.offset < one.range.begin.offset; --at)
            edits[at] = edits[at - 1];
        edits[at] = one;
    }
}

/* A new line ends as the file's first one does. */
static const char *in_its_lines(struct arena *arena, const char *text, const char *edit) {
    const char *end = strchr(text, '\n');
    size_t bytes = strlen(edit);
    bool returns = end && end > text && end[-1] == '\r' && bytes > 0 && edit[bytes - 1] == '\n';
    return returns ? arena_printf(arena, "%.*s\r\n", (int)bytes - 1, edit) : edit;
}

/* NULL: `why` says it. */
static const char *edited(struct work *w, const struct messages *m, const struct diag *diag,
                          const char **why) {
    const char *text = w->text, *limit = text + strlen(text);
    struct edit *edits = arena_alloc(w->arena, (size_t)diag->nedits * sizeof *edits);
    memcpy(edits, diag->edits, (size_t)diag->nedits * sizeof *edits);
    sort_edits(edits, diag->nedits);
    const char *tail = "";
    for (int i = 0; i < diag->nedits; ++i) {
        const struct range *range = &edits[i].range;
        if (range->begin.file != m->c.unit->main_file)
            return *why = "the words stand in a header, which other files may share", NULL;
        const char *begin = place(m, text, &range->begin), *end = place(m, text, &range->end);
        if (!begin || !end || end < begin)
            return *why = "the words stand in text that was written anew", NULL;
        if (end > limit)
            return *why = "its edits overlap", NULL;
        tail = arena_printf(w->arena, "%s%.*s%s", in_its_lines(w->arena, text, edits[i].text),
                            (int)(limit - end), end, tail);
        limit = begin;
    }
    return arena_printf(w->arena, "%.*s%s", (int)(limit - text), text, tail);
}

/* ---- one message ----------------------------------------------------------------------------- */

static bool is_wanted(const struct work *w, const struct diag *diag) {
    const struct fix_request *request = w->request;
    bool named = request->ncodes == 0;
    for (int i = 0; i < request->ncodes; ++i)
        named |= strcmp(request->codes[i], diag->code) == 0;
    return named && (request->line == 0 || request->line == diag->range.begin.line);
}

/* What was tried once for a loop is not tried again, wherever it stands by now. */
static bool was_tried(const struct work *w, const struct message *message) {
    const struct diag *diag = message->diag;
    for (int i = 0; i < w->result->nsteps; ++i) {
        const struct fix_step *step = &w->result->steps[i];
        if (strcmp(step->code, diag->code) == 0 && strcmp(step->message, diag->message) == 0 &&
            step->loop == message->loop && (step->why || step->line == diag->range.begin.line))
            return true;
    }
    return false;
}

static bool is_vain(const struct work *w, const struct diag *diag) {
    for (int i = 0; i < w->nvain; ++i)
        if (strcmp(w->vain[i].code, diag->code) == 0 &&
            strcmp(w->vain[i].message, diag->message) == 0)
            return true;
    return false;
}

static void note(struct work *w, const struct message *message, const char *why) {
    const struct diag *diag = message->diag;
    const struct loc *at = &diag->range.begin;
    struct fix_step step = {diag->code, diag->message, diag->gives_up, at->line,
                            at->column, message->loop, diag->frees,    why};
    ARENA_PUSH(w->arena, w->result->steps, w->result->nsteps, step);
}

static int errors_of(const struct messages *m) {
    return m->c.diags.nerrors + (m->c.unit == NULL);
}

static bool is_there(const struct messages *m, const struct diag *diag) {
    for (int i = 0; i < m->count; ++i)
        if (m->items[i].diag->code == diag->code &&
            strcmp(m->items[i].diag->message, diag->message) == 0)
            return true;
    return false;
}

/* Errors hide what else there is to say; so does what an edit lifts that is only kept where it frees
 * the loop. */
static const char *verdict(const struct messages *before, const struct messages *after,
                           const struct diag *diag) {
    if (errors_of(after) > errors_of(before))
        return "the text would have an error";
    if (errors_of(after) < errors_of(before))
        return NULL;
    if (is_there(after, diag) && after->count >= before->count)
        return "it does not help: the message would stay";
    return after->count > before->count && !diag->frees
               ? "it does not help: more would stand in the way"
               : NULL;
}

/* True: the text is another one, or one more message is not tried again. */
static bool try_one(struct work *w, const struct messages *m, const struct message *message) {
    const struct diag *diag = message->diag;
    const char *why = diag->held;
    const char *text = NULL;
    if (!why && diag->promises && !w->request->chosen)
        why = "it is a promise, which only you can make: choose it by --code or --line";
    if (!why && is_vain(w, diag))
        why = "the loop would stay serial all the same";
    if (!why)
        text = edited(w, m, diag, &why);
    if (text) {
        const struct messages after = messages_of(w, text);
        why = verdict(m, &after, diag);
    }
    note(w, message, why);
    w->text = why ? w->text : text;
    return true;
}

static bool step(struct work *w, const struct messages *m) {
    for (int i = 0; i < m->count; ++i) {
        const struct diag *diag = m->items[i].diag;
        if ((diag->nedits > 0 || diag->held) && is_wanted(w, diag) && !was_tried(w, &m->items[i]))
            return try_one(w, m, &m->items[i]);
    }
    return false;
}

/* ---- the file -------------------------------------------------------------------------------- */

static const char *read_text(struct arena *arena, const char *name) {
    FILE *in = fopen(name, "rb");
    struct stat status;
    if (!in || fstat(fileno(in), &status) != 0 || !S_ISREG(status.st_mode)) {
        fprintf(stderr, "orrery fix: cannot read '%s': %s [%s]\n", name,
                in ? "it is no plain file" : strerror(errno), ORR9002);
        if (in)
            fclose(in);
        return NULL;
    }
    char *text = arena_alloc(arena, (size_t)status.st_size + 1);
    text[fread(text, 1, (size_t)status.st_size, in)] = '\0';
    fclose(in);
    return text;
}

enum { MOST = 64 };

/* Clauses that freed a loop which `last` leaves serial: they are not added then. */
static bool finds_vain(struct work *w, const struct messages *last) {
    int before = w->nvain;
    for (int i = 0; i < w->result->nsteps; ++i) {
        const struct fix_step *step = &w->result->steps[i];
        if (!step->why && step->frees && step->loop < last->c.nplans &&
            stays_serial(last->c.plans[step->loop]))
            ARENA_PUSH(w->arena, w->vain, w->nvain, *step);
    }
    return w->nvain > before;
}

bool fix_run(struct arena *arena, const struct fix_request *request, struct fix_result *result) {
    struct work w = {.arena = arena, .request = request, .result = result};
    *result = (struct fix_result){.name = request->compile.file.name};
    w.text = result->before = read_text(arena, result->name);
    if (!w.text)
        return false;
    struct messages m;
    do {
        w.text = result->before;
        result->nsteps = 0;
        result->steps = NULL;
        m = messages_of(&w, w.text);
        for (int i = 0; i < MOST && step(&w, &m); ++i)
            m = messages_of(&w, w.text);
    } while (!request->chosen && finds_vain(&w, &m));
    result->after = w.text;
    result->left = m.c;
    return true;
}

/* A copy beside the file takes its place: who reads it sees the old text or the new one. */
bool fix_write(const struct fix_result *result) {
    char *name = realpath(result->name, NULL), *copy = NULL;
    struct stat status;
    bool good = name && access(name, W_OK) == 0 && stat(name, &status) == 0 &&
                asprintf(&copy, "%s.XXXXXX", name) >= 0;
    int file = good ? mkstemp(copy) : -1;
    FILE *out = file >= 0 ? fdopen(file, "wb") : NULL;
    good = out && fputs(result->after, out) >= 0 && fchmod(file, status.st_mode & 07777) == 0;
    good = out && fflush(out) == 0 && good;
    int error = errno;
    if (out)
        good = fclose(out) == 0 && good;
    good = good && rename(copy, name) == 0;
    if (!good) {
        error = error ? error : errno;
        fprintf(stderr, "orrery fix: cannot write '%s': %s; it is as it was\n", result->name,
                strerror(error));
        if (file >= 0)
            unlink(copy);
    }
    free(name);
    free(copy);
    return good;
}
