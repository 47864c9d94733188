/* Loops that print: calls of printf and its like become calls that collect. */
#include "scheduler/transform/output.h"

#include "scheduler/transform/leaving.h"
#include "scheduler/transform/nest.h"
#include "scheduler/transform/rows_text.h"

#include <string.h>

enum { MOST_FUNCTIONS = 32, MOST_DEPTH = 8 };

/* A function that an iteration comes to, by `call` in `outer`; of the loop's own text: neither. */
struct place {
    const struct place *outer;
    const struct expr *call;
    const struct stmt *body;
    const struct variable *number; /* the loop's own variable */
};

struct prints {
    struct unit *unit;       /* of the loop */
    const struct loop *loop; /* the marked one */
    bool deep;               /* functions that it calls may print, and end the program; so may it */
    const char *out;         /* name of what collects */
    struct text_edits edits; /* of the main file's text */
    const struct place *place;                     /* what is looked at */
    int statements, calls;                         /* that print, as statements; all */
    bool looks;                                    /* the text is edited, or may not be */
    int nedited;                                   /* of `edited` */
    const struct function *edited[MOST_FUNCTIONS]; /* whose text is edited */
    bool is_unfit;                                 /* the loop stays as it is */
    bool may_end;                                  /* the program, in an iteration */
    struct leaving leaving;                        /* by what the loop's own text is left */
    int unsteady; /* inner loops whose bounds are an iteration's own */
    bool unsafe;  /* iterations behind that one might not end, or use up the stack */
};

/*
 * Functions that print. stream: which argument it is, -1: none, it is stdout; format: the one that
 * the function prints by, NULL: its argument in front of the others; "": it has none, and writes
 * bytes. To print nothing is to flush.
 */
struct printer {
    const char *name;
    int stream, arguments;
    const char *format;
};

static const struct printer printers[] = {
    {"printf", -1, 0, NULL},      {"fprintf", 0, 0, NULL},
    {"puts", -1, 1, "\"%s\\n\""}, {"fputs", 1, 2, "\"%s\""},
    {"putchar", -1, 1, "\"%c\""}, {"putc", 1, 2, "\"%c\""},
    {"fputc", 1, 2, "\"%c\""},    {"fflush", 0, 1, ", \"%.0s\", \"\""},
    {"fwrite", 3, 4, ""},
};

/* What the text of functions says already (docs/transform.md). */
static const struct printer collected = {"orrery_output_say", 0, 0, NULL};

static const struct printer *printer_of(const struct function *f) {
    for (size_t i = 0; f && !f->body && i < sizeof printers / sizeof *printers; ++i)
        if (strcmp(f->name, printers[i].name) == 0)
            return &printers[i];
    return f && strcmp(f->name, collected.name) == 0 ? &collected : NULL;
}

/* It ends the program, in words that a loop may collect: `becomes`, else NULL. */
static const char *end_of(const struct function *f) {
    static const struct {
        const char *name, *becomes;
    } ends[] = {{"exit", "orrery_output_exit"},
                {"abort", "orrery_output_abort"},
                {"orrery_output_exit", ""},
                {"orrery_output_abort", ""}};
    for (size_t i = 0; f && !f->body && i < sizeof ends / sizeof *ends; ++i)
        if (strcmp(f->name, ends[i].name) == 0)
            return ends[i].becomes;
    return NULL;
}

static bool is_own(const struct prints *prints) {
    return !prints->place->call;
}

/* Numbers and whole strings: nothing that an argument leads to is written. As spelled. */
static bool takes_values(const char *format) {
    for (const char *c = format; *c; ++c) {
        if (*c == '\\' && !strchr("abfnrtv\\\"'?", *++c))
            return false;
        if (*c != '%')
            continue;
        const char *flags = ++c;
        c += strspn(c, "-+ #0'123456789.hlLzjt");
        const bool plain = strcspn(flags, ".hlLzjt") >= (size_t)(c - flags);
        if (*c == '\0' || !strchr("diuoxXcfFeEgGaAs%", *c) || ((*c == 's' || *c == 'c') && !plain))
            return false;
    }
    return true;
}

/* Nothing of it is done before the loop runs as it is written. */
static bool is_left(const struct prints *prints, const struct range *range) {
    return is_own(prints) && leaving_holds(&prints->leaving, range);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* What nothing is known of, or takes what there is of the stack. */
static bool call_harms(const struct expr *e) {
    return e->kind == EXPR_UNKNOWN ||
           (e->kind == EXPR_CALL && (!e->function || strstr(e->function->name, "alloca")));
}

static void call_see(void *data, struct expr *e) {
    struct prints *prints = data;
    if (is_left(prints, &e->range))
        return;
    prints->unsafe = prints->unsafe || call_harms(e);
    bool end = e->kind == EXPR_CALL && prints->deep && end_of(e->function);
    prints->calls += e->kind == EXPR_CALL && (printer_of(e->function) || end);
    bool ends = e->kind == EXPR_CALL && e->function && e->function->is_noreturn && !end &&
                !(prints->deep && e->function->body);
    prints->is_unfit =
        prints->is_unfit || ends || (e->kind == EXPR_FUNCTION && printer_of(e->function));
}

/* The name and `(` of a call as the file has them. */
static bool find_open(const struct prints *prints, const struct expr *call, struct token *name,
                      struct token *open) {
    const char *source = prints->unit->files[prints->unit->main_file].text;
    struct token_scan scan =
        token_scan_start(source, call->range.begin.offset, call->range.end.offset);
    *name = token_next(&scan);
    if (!token_spells(&scan, *name, call->function->name))
        return false;
    *open = token_next(&scan);
    return token_spells(&scan, *open, "(");
}

static bool writes_bytes(const struct printer *how) {
    return how->format && !*how->format;
}

/* `, stream` at the end of the arguments: cut out, and given back without its comma. */
static const char *cut_stream(struct prints *prints, const struct expr *call) {
    const char *source = prints->unit->files[prints->unit->main_file].text;
    const size_t end = call->range.end.offset - 1;
    struct token_scan scan = token_scan_start(source, call->range.begin.offset, end);
    size_t begin = 0;
    int depth = 0;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        depth += token_spells(&scan, t, "(") - token_spells(&scan, t, ")");
        begin = depth == 1 && token_spells(&scan, t, ",") ? t.begin : begin;
    }
    if (begin == 0 || depth != 1 || source[end] != ')')
        return NULL;
    text_edit_add(&prints->edits, begin, end, "");
    return arena_printf(prints->unit->arena, "%.*s", (int)(end - begin - 1), source + begin + 1);
}

static bool is_edited(const struct prints *prints, const struct function *f) {
    for (int i = 0; i < prints->nedited; ++i)
        if (prints->edited[i] == f)
            return true;
    return false;
}

/* Where text is only looked at, there is nothing to edit: it is edited, or must not be. */
static bool looks_done(const struct prints *prints) {
    return prints->place->call && is_edited(prints, prints->place->call->function);
}

static bool edit_call(struct prints *prints, const struct expr *call, const struct printer *how) {
    if (prints->looks)
        return looks_done(prints);
    struct arena *arena = prints->unit->arena;
    const char *stream = how->stream < 0 ? "0, " : "";
    struct token name, open;
    if (!find_open(prints, call, &name, &open))
        return false;
    if (how->stream > 0) {
        stream = cut_stream(prints, call);
        if (!stream)
            return false;
        stream = arena_printf(arena, "%s, ", stream);
    }
    const bool flushes = how->format && how->stream == 0;
    const size_t end = call->range.end.offset - 1;
    if (flushes)
        text_edit_add(&prints->edits, end, end, how->format);
    if (how->stream < 0 && !is_own(prints))
        stream = "(void *)0, ";
    const char *begin = is_own(prints) ? arena_printf(arena, "orrery_output_%s(%s, (long)%s, ",
                                                      writes_bytes(how) ? "bytes" : "print",
                                                      prints->out, prints->loop->variable->name)
                                       : "orrery_output_say(";
    text_edit_add(&prints->edits, name.begin, open.end,
                  arena_printf(arena, "%s%s%s%s", begin, stream,
                               how->format && !flushes ? how->format : "",
                               how->format && *how->format && !flushes ? ", " : ""));
    return true;
}

static bool edit_end(struct prints *prints, const struct expr *call, const char *becomes) {
    struct token name, open;
    if (prints->looks)
        return looks_done(prints);
    if (!find_open(prints, call, &name, &open))
        return false;
    text_edit_add(&prints->edits, name.begin, name.end, becomes);
    return true;
}

/* A macro of its name may be anything. */
static bool is_macro(const struct unit *unit, const char *name) {
    for (int i = 0; i < unit->nmacros; ++i)
        if (strcmp(unit->macros[i].name, name) == 0)
            return true;
    return false;
}

/* The call stands in the file from its name to its `)`; arguments may be macros (`stderr`). */
static bool stands_here(const struct unit *unit, const struct expr *call) {
    const struct range *range = &call->range;
    const struct source_file *file = &unit->files[unit->main_file];
    return range->exact && range->begin.file == unit->main_file && range->end.offset > 0 &&
           file->text[range->end.offset - 1] == ')' && !is_macro(unit, call->function->name);
}

static const struct expr *argument_for(const struct place *place, const struct variable *var) {
    const struct function *f = place->call ? place->call->function : NULL;
    for (int i = 0; f && i < f->nparams && i < place->call->nargs; ++i)
        if (f->params[i] == var)
            return place->call->args[i];
    return NULL;
}

/* Text of the program's own, or an array of the iteration's: of other memory the run would have to
 * find out what it overlaps. */
static bool is_text(const struct place *place, const struct expr *e) {
    while (e->kind == EXPR_CAST && e->nargs == 1)
        e = e->args[0];
    if (e->kind == EXPR_CONDITIONAL)
        return e->nargs == 3 && e->args[1] && is_text(place, e->args[1]) &&
               is_text(place, e->args[2]);
    if (e->kind != EXPR_VAR)
        return e->kind == EXPR_STRING;
    if (e->var->type->kind == TYPE_ARRAY)
        return e->var->storage == STORAGE_LOCAL && stmt_declares(place->body, e->var);
    const struct expr *argument = argument_for(place, e->var);
    return argument && !stmt_sets(place->body, e->var) && is_text(place->outer, argument);
}

static bool prints_values(const struct prints *prints, const struct expr *call, int stream) {
    bool values = true;
    for (int i = 0; i < call->nargs; ++i)
        values = values && (i == stream || !call->args[i]->type || !call->args[i]->type->element ||
                            is_text(prints->place, call->args[i]));
    return values;
}

/* The stream is the value of a variable, which tells nothing of the iteration. */
static bool is_taken(const struct prints *prints, const struct expr *call,
                     const struct printer *how) {
    const int at = how->stream + 1;
    const struct expr *stream =
        how->stream >= 0 && how->stream < call->nargs ? call->args[how->stream] : NULL;
    const struct expr *format = !how->format && at < call->nargs ? call->args[at] : NULL;
    bool streams = how->stream < 0 || (stream && stream->kind == EXPR_VAR &&
                                       !stmt_sets(prints->place->body, stream->var));
    bool formats = how->format
                       ? call->nargs == how->arguments &&
                             (how->stream <= 0 || writes_bytes(how) ||
                              text_is_written(prints->unit, &call->args[0]->range))
                       : format && format->kind == EXPR_STRING && takes_values(format->text) &&
                             text_is_written(prints->unit, &format->range);
    if (how == &collected)
        return prints_values(prints, call, how->stream);
    if (writes_bytes(how))
        return streams && formats && is_own(prints) && stands_here(prints->unit, call);
    return streams && formats && prints_values(prints, call, how->stream) &&
           stands_here(prints->unit, call);
}

/* `end`: what it becomes that ends the program. */
static void end_see(struct prints *prints, const struct expr *call, const char *end) {
    ++prints->statements;
    prints->may_end = true;
    if (*end && !(stands_here(prints->unit, call) && edit_end(prints, call, end)))
        prints->is_unfit = true;
}

/* Numbers that are the same in all iterations, or those that loops around `within` count: a loop up
 * to them takes as long in those behind an end of the program as in those before it. */
static bool is_steady(const struct place *place, const struct loop *within, const struct expr *e) {
    while (e->kind == EXPR_CAST && e->nargs == 1)
        e = e->args[0];
    if (e->kind == EXPR_MEMBER)
        return is_steady(place, within, e->args[0]);
    if (e->kind == EXPR_DEREF || e->kind == EXPR_UNARY)
        return is_steady(place, within, e->args[0]);
    if (e->kind == EXPR_BINARY)
        return is_steady(place, within, e->args[0]) && is_steady(place, within, e->args[1]);
    if (e->kind != EXPR_VAR)
        return e->kind == EXPR_INT;
    for (const struct loop *l = within->around; l && l != within; l = l->around)
        if (l->canonical && l->variable == e->var && l->function == within->function)
            return true;
    if (e->var->address_taken || stmt_sets(place->body, e->var))
        return false;
    const struct expr *argument = argument_for(place, e->var);
    if (argument)
        return is_steady(place->outer, within, argument);
    if (stmt_declares(place->body, e->var))
        return variable_is_value(e->var) && is_steady(place, within, e->var->init);
    return true;
}

/* The loop ends: after as many steps as in any other iteration or, once at most, as an int counts. */
static bool counts(struct prints *prints, const struct loop *loop) {
    const struct place *place = prints->place;
    if (!loop || !loop->canonical || loop->relation == OP_NE || loop->stride || loop->positive ||
        loop->limited || !loop->lower)
        return false;
    return (is_steady(place, loop, loop->lower) && is_steady(place, loop, loop->upper)) ||
           (loop->variable->type->size <= 4 && prints->unsteady++ == 0);
}

static bool variable_is_kept(const struct place *place, const struct variable *var);
static bool is_kept(const struct place *place, const struct expr *e);

/* A member of a structure that is the same in all iterations. */
static bool is_fixed(const struct place *place, const struct expr *e) {
    while (e->kind == EXPR_MEMBER || e->kind == EXPR_DEREF)
        e = e->args[0];
    return e->kind == EXPR_VAR && variable_is_kept(place, e->var) &&
           !stmt_declares(place->body, e->var) && !argument_for(place, e->var);
}

static bool variable_is_kept(const struct place *place, const struct variable *var) {
    if (var->type->kind == TYPE_ARRAY)
        return true;
    if (var->address_taken || stmt_sets(place->body, var))
        return false;
    const struct expr *argument = argument_for(place, var);
    if (argument)
        return is_kept(place->outer, argument);
    return !stmt_declares(place->body, var) ||
           (variable_is_value(var) && is_kept(place, var->init));
}

struct counter_search {
    const struct place *place;
    const struct variable *var;
    bool found, steady;
};

static void counter_see(void *data, struct stmt *stmt) {
    struct counter_search *s = data;
    const struct loop *loop = stmt->kind == STMT_FOR ? stmt->loop : NULL;
    if (!loop || loop->variable != s->var)
        return;
    s->found = true;
    s->steady = loop->canonical && loop->declares_variable && loop->lower &&
                is_steady(s->place, loop, loop->lower) && is_steady(s->place, loop, loop->upper);
}

/* The value is one that iterations in front of an end of the program have, too: as a subscript it
 * stays inside, as a length it fits. */
static bool is_bounded(const struct place *place, const struct expr *e) {
    while (e->kind == EXPR_CAST && e->nargs == 1)
        e = e->args[0];
    if (e->kind == EXPR_UNARY)
        return is_bounded(place, e->args[0]);
    if (e->kind == EXPR_BINARY && e->op == OP_BITAND)
        return e->args[0]->kind == EXPR_INT || e->args[1]->kind == EXPR_INT;
    if (e->kind == EXPR_BINARY && e->op == OP_REM && e->args[1]->kind == EXPR_INT)
        return true;
    if (e->kind == EXPR_BINARY)
        return is_bounded(place, e->args[0]) && is_bounded(place, e->args[1]);
    if (e->kind != EXPR_VAR)
        return e->kind == EXPR_INT;
    struct counter_search counter = {.place = place, .var = e->var};
    stmt_each((struct stmt *)place->body, counter_see, &counter);
    if (counter.found)
        return counter.steady;
    if (e->var == place->number || e->var->address_taken || stmt_sets(place->body, e->var))
        return false;
    const struct expr *argument = argument_for(place, e->var);
    if (argument)
        return is_bounded(place->outer, argument);
    return !stmt_declares(place->body, e->var) ||
           (variable_is_value(e->var) && e->var->init && is_bounded(place, e->var->init));
}

/* An array or pointer of the program's own, whose first subscript is known to be inside before the
 * loop runs: by the iterations' keys. */
static bool is_checked(const struct place *place, const struct expr *e) {
    while (e->kind == EXPR_CAST && e->nargs == 1)
        e = e->args[0];
    if (e->kind == EXPR_MEMBER)
        return is_checked(place, e->args[0]);
    if (e->kind != EXPR_VAR || stmt_declares(place->body, e->var))
        return false;
    const struct expr *argument = argument_for(place, e->var);
    return argument ? is_checked(place->outer, argument) : true;
}

static bool object_is_kept(const struct place *place, const struct expr *e) {
    if (e->kind == EXPR_MEMBER)
        return object_is_kept(place, e->args[0]);
    if (e->kind == EXPR_SUBSCRIPT)
        return is_kept(place, e->args[0]) &&
               (is_bounded(place, e->args[1]) || is_checked(place, e->args[0]));
    return e->kind == EXPR_VAR || (e->kind == EXPR_DEREF && is_kept(place, e->args[0]));
}

/* The pointer leads into a variable, or to what one points to that no iteration sets. Pointers of
 * rows may lead anywhere behind an end of the program. */
static bool is_kept(const struct place *place, const struct expr *e) {
    while (e->kind == EXPR_CAST && e->nargs == 1)
        e = e->args[0];
    if (e->kind == EXPR_ADDRESS)
        return object_is_kept(place, e->args[0]);
    if (e->kind == EXPR_BINARY) {
        const int pointer = e->args[1]->type->element ? 1 : 0;
        return is_kept(place, e->args[pointer]) &&
               (is_bounded(place, e->args[1 - pointer]) || is_checked(place, e->args[pointer]));
    }
    if (e->kind == EXPR_VAR)
        return variable_is_kept(place, e->var);
    if (type_is_array(e->type))
        return object_is_kept(place, e);
    return e->kind == EXPR_MEMBER && is_fixed(place, e);
}

/* It writes text of whose length nothing is said. */
static bool writes_any_length(const struct function *f) {
    static const char *const names[] = {"strcpy",  "stpcpy",   "strcat", "strncat",
                                        "sprintf", "vsprintf", "gets"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strcmp(f->name, names[i]) == 0)
            return true;
    return false;
}

/* What a library's function may write to, and how much. */
static void arguments_see(struct prints *prints, const struct expr *call) {
    const int values = strcmp(call->function->name, "snprintf") == 0 ? 2 : call->nargs;
    bool points = false, bounded = !writes_any_length(call->function);
    for (int i = 0; i < call->nargs; ++i) {
        const struct expr *e = call->args[i];
        const bool pointer = e->type && e->type->element;
        while (e->kind == EXPR_CAST && e->nargs == 1)
            e = e->args[0];
        points = points || pointer;
        prints->unsafe = prints->unsafe || (e->kind != EXPR_STRING && e->type && e->type->element &&
                                            !is_kept(prints->place, e));
        bounded = bounded && (pointer || i >= values || e->type->kind != TYPE_INT ||
                              is_bounded(prints->place, e));
    }
    prints->unsafe = prints->unsafe || (points && !bounded);
}

static void store_see(void *data, struct expr *e) {
    struct prints *prints = data;
    if (is_left(prints, &e->range))
        return;
    if (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT)
        prints->unsafe = prints->unsafe || !object_is_kept(prints->place, e->args[0]);
    if (e->kind == EXPR_CALL && e->function && !e->function->body && !printer_of(e->function))
        arguments_see(prints, e);
}

/* `a[k] += x`, where `a` is an array of the program's own: copies of sums have as many elements as it
 * has, so what chooses one is held against that (check_sums, scheduler/outline/readiness.c). */
static void sum_see(void *data, struct expr *e) {
    struct prints *prints = data;
    if (is_left(prints, &e->range))
        return;
    const bool sums = (e->kind == EXPR_ASSIGN && e->op != OP_NONE) || e->kind == EXPR_INCREMENT;
    const struct expr *element = sums ? e->args[0] : NULL;
    if (!element || element->kind != EXPR_SUBSCRIPT || element->args[0]->kind != EXPR_VAR)
        return;
    const struct variable *var = element->args[0]->var;
    const struct expr *at = element->args[1];
    if (var->type->kind != TYPE_ARRAY || var->storage == STORAGE_PARAM ||
        is_bounded(prints->place, at) || !text_is_written(prints->unit, &at->range))
        return;
    text_edit_add(&prints->edits, at->range.begin.offset, at->range.begin.offset,
                  "orrery_output_inside((long)(");
    text_edit_add(&prints->edits, at->range.end.offset, at->range.end.offset,
                  arena_printf(prints->unit->arena, "), (long)(sizeof %s / sizeof *%s))", var->name,
                               var->name));
}

static bool statement_harms(struct prints *prints, const struct stmt *stmt) {
    for (int i = 0; i < stmt->nvars; ++i)
        if (stmt->vars[i]->type->kind == TYPE_VLA)
            return true;
    const bool loops = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO;
    return stmt->kind == STMT_GOTO || stmt->kind == STMT_UNKNOWN ||
           (loops && !counts(prints, stmt->loop));
}

/* Where nothing is told of jumps they would take the collected text with them. */
static void statement_see(void *data, struct stmt *stmt) {
    struct prints *prints = data;
    if (is_left(prints, &stmt->range))
        return;
    prints->unsafe = prints->unsafe || statement_harms(prints, stmt);
    const struct expr *call = stmt->kind == STMT_EXPR ? stmt->expr : NULL;
    while (call && call->kind == EXPR_CAST && call->type->kind == TYPE_VOID)
        call = call->args[0];
    prints->is_unfit = prints->is_unfit ||
                       (is_own(prints) && (stmt->kind == STMT_RETURN || stmt->kind == STMT_GOTO));
    for (int i = 0; i < stmt->nvars && is_own(prints); ++i)
        prints->is_unfit =
            prints->is_unfit || strcmp(stmt->vars[i]->name, prints->loop->variable->name) == 0;
    const struct printer *how = call && call->kind == EXPR_CALL ? printer_of(call->function) : NULL;
    const char *end =
        call && call->kind == EXPR_CALL && prints->deep ? end_of(call->function) : NULL;
    if (end)
        end_see(prints, call, end);
    if (!how)
        return;
    ++prints->statements;
    prints->is_unfit = prints->is_unfit || !is_taken(prints, call, how) ||
                       (how != &collected && !edit_call(prints, call, how));
}

/* ---- functions that the loop calls ----------------------------------------------------------- */

static const char says[] = "extern void orrery_output_say(const void *, const char *, ...) "
                           "__attribute__((__format__(__printf__, 2, 3))); ";
static const char ends[] = "extern void orrery_output_exit(int) __attribute__((__noreturn__)); "
                           "extern void orrery_output_abort(void) __attribute__((__noreturn__)); ";
static const char leaves[] = "extern void orrery_output_leave(void); ";

static void body_see(struct prints *prints);

static bool is_entered(const struct prints *prints, const struct function *f) {
    int depth = 0;
    for (const struct place *at = prints->place; at->call; at = at->outer, ++depth)
        if (at->call->function == f)
            return true;
    return depth >= MOST_DEPTH;
}

/* Its text is this file's, and says what its calls do. */
static bool may_edit(const struct prints *prints, const struct function *f) {
    return f->body->kind == STMT_BLOCK && text_is_written(prints->unit, &f->body->range) &&
           !f->is_weak && !f->is_alias && prints->nedited < MOST_FUNCTIONS;
}

/* A function is edited once; where it is called again, its arguments are looked at. */
static void function_see(struct prints *prints, const struct expr *call) {
    struct place place = {prints->place, call, call->function->body, NULL};
    const bool looks = prints->looks, again = is_edited(prints, call->function);
    const int edits = prints->edits.count;
    prints->place = &place;
    prints->looks = again || !may_edit(prints, call->function);
    body_see(prints);
    if (prints->edits.count > edits && !prints->looks)
        text_edit_add(&prints->edits, place.body->range.begin.offset + 1,
                      place.body->range.begin.offset + 1,
                      arena_printf(prints->unit->arena, " %s%s", says, ends));
    if (prints->edits.count > edits && !again)
        prints->edited[prints->nedited++] = call->function;
    prints->looks = looks;
    prints->place = place.outer;
}

static void call_enter(void *data, struct expr *e) {
    struct prints *prints = data;
    if (e->kind != EXPR_CALL || !e->function || !e->function->body || prints->is_unfit ||
        is_left(prints, &e->range))
        return;
    if (is_entered(prints, e->function))
        prints->is_unfit = true;
    else
        function_see(prints, e);
}

static void body_see(struct prints *prints) {
    struct stmt *body = (struct stmt *)prints->place->body;
    stmt_visit(body, call_see, prints);
    stmt_each(body, statement_see, prints);
    stmt_visit(body, store_see, prints);
    if (prints->deep)
        stmt_visit(body, call_enter, prints);
}

/* ---- the loop -------------------------------------------------------------------------------- */

static const char declarations[] =
    "extern void *orrery_output_begin(const void *); "
    "extern void orrery_output_print(void *, long, const void *, const char *, ...) "
    "__attribute__((__format__(__printf__, 4, 5))); "
    "extern void orrery_output_bytes(void *, long, const void *, const void *, __SIZE_TYPE__, "
    "__SIZE_TYPE__); "
    "extern void orrery_output_end(void *); ";
static const char more_declarations[] =
    "extern void orrery_output_at(void *, long, const char *, int); "
    "extern long orrery_output_inside(long, long); ";

static bool may_collect(const struct unit *unit, const struct loop *loop) {
    return loop_is_marked(loop) && loop_counts_up(unit, loop) &&
           text_is_written(unit, &loop->body->range) &&
           loop_follows_mark(unit, &loop->pragma->range, loop) &&
           !nest_has_directive(unit, &loop->stmt->range) && !output_is_collected(loop->body);
}

/* No iteration reads what one behind it in the loop has written. */
static bool is_in_order(const struct pragma *pragma) {
    for (int i = 0; i < pragma->nclauses; ++i) {
        const enum clause_kind kind = pragma->clauses[i].kind;
        if (kind == CLAUSE_UNORDERED || kind == CLAUSE_RELAX || kind == CLAUSE_HOT ||
            kind == CLAUSE_BUFFER)
            return false;
    }
    return true;
}

/* In front of what an iteration does, which iteration it is. */
static void edit_body(struct prints *prints) {
    const struct range *body = &prints->loop->body->range;
    const char *variable = prints->loop->variable->name;
    const bool in_order = prints->may_end && is_in_order(prints->loop->pragma);
    text_edit_add(&prints->edits, body->begin.offset, body->begin.offset,
                  arena_printf(prints->unit->arena,
                               "{ orrery_output_at(%s, (long)%s, \"%s\", %d); ", prints->out,
                               variable, variable, in_order));
    text_edit_add(&prints->edits, body->end.offset, body->end.offset, " }");
}

static const char *announces(const struct prints *prints) {
    return arena_printf(prints->unit->arena,
                        "extern void orrery_output_ends(void *); orrery_output_ends(%s); ",
                        prints->out);
}

static void edit_loop(struct prints *prints) {
    const struct range *pragma = &prints->loop->pragma->range;
    const unsigned end = prints->loop->stmt->range.end.offset;
    struct arena *arena = prints->unit->arena;
    if (prints->deep && prints->statements > 0)
        edit_body(prints);
    text_edit_add(&prints->edits, pragma->begin.offset, pragma->end.offset,
                  arena_printf(arena,
                               "{ %s%s%s%sstatic const char %s_here = 0; void *const %s = "
                               "orrery_output_begin(&%s_here); %s%s",
                               declarations, prints->deep ? more_declarations : "",
                               prints->deep ? ends : "", prints->leaving.count > 0 ? leaves : "",
                               prints->out, prints->out, prints->out,
                               prints->may_end ? announces(prints) : "",
                               text_mark(prints->unit, prints->loop)));
    text_edit_add(&prints->edits, end, end,
                  arena_printf(arena, " orrery_output_end(%s); }", prints->out));
}

const char *output_text(struct unit *unit, const struct loop *loop, bool deep) {
    const struct place own = {.body = loop->body, .number = loop->variable};
    struct prints prints = {
        .unit = unit, .loop = loop, .deep = deep, .place = &own, .edits = {.arena = unit->arena}};
    const struct source_file *file = &unit->files[unit->main_file];
    struct text out;
    if (!may_collect(unit, loop))
        return NULL;
    prints.out = arena_printf(unit->arena, "%sout", text_new_prefix(unit, "printed"));
    if (deep)
        prints.leaving = leaving_find(unit, loop);
    prints.may_end = prints.leaving.count > 0;
    body_see(&prints);
    if (!leaving_edit(&prints.leaving, &prints.edits) || prints.is_unfit ||
        (prints.may_end && prints.unsafe) || (prints.calls == 0 && prints.leaving.count == 0) ||
        prints.calls != prints.statements)
        return NULL;
    if (prints.may_end)
        stmt_visit((struct stmt *)loop->body, sum_see, &prints);
    edit_loop(&prints);
    text_start(&out, unit->arena);
    return text_edits_apply(&prints.edits, file->text, 0, file->size, true, &out) ? out.bytes
                                                                                  : NULL;
}

/* ---- loops that collect ---------------------------------------------------------------------- */

static bool is_collecting(const void *data, const struct expr *e) {
    (void)data;
    return e->kind == EXPR_CALL && e->function &&
           (strcmp(e->function->name, "orrery_output_print") == 0 ||
            strcmp(e->function->name, "orrery_output_bytes") == 0 ||
            strcmp(e->function->name, "orrery_output_leave") == 0 ||
            strcmp(e->function->name, "orrery_output_at") == 0);
}

bool output_is_collected(const struct stmt *stmt) {
    return stmt_any_expr(stmt, is_collecting, NULL);
}
