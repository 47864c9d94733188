/*
 * A copy of a function says the same as the function: `x` is written `*p`, and p is `&x`. It stands
 * behind the function, so names and macros mean what they mean there. Functions that are not the same
 * twice (static variables, __func__) stay, and are called as before.
 */
#include "scheduler/transform/handed.h"

#include "scheduler/base/text.h"
#include "scheduler/base/walk.h"
#include "scheduler/transform/nest.h"
#include "scheduler/transform/rows_text.h"

#include <string.h>

enum { HANDED_FUNCTIONS = 32, HANDED_VARIABLES = 32 };

/* A function that the loop comes to. */
struct copied {
    const struct function *function;
    bool fits;       /* its text can be copied */
    unsigned handed; /* the variables that it names, or a copy that it calls, by their bits */
};

struct handing {
    struct unit *unit;                         /* of the loop */
    const struct loop *loop;                   /* whose calls are edited */
    const char *prefix;                        /* begins the names that are added */
    const struct copied *in;                   /* the one that is walked; NULL: the loop */
    int nfunctions, nvars;                     /* of `functions`, `vars` */
    struct copied functions[HANDED_FUNCTIONS]; /* called ones */
    struct variable *vars[HANDED_VARIABLES];   /* variables that they set */
    struct text_edits *edits;                  /* of the text that is walked */
};

/* ---- the functions ---------------------------------------------------------------------------- */

static struct copied *copied_of(struct handing *h, const struct function *function) {
    for (int i = 0; i < h->nfunctions; ++i)
        if (h->functions[i].function == function)
            return &h->functions[i];
    return NULL;
}

/* It has static variables, labels' addresses or statements that nothing is known of. */
static bool is_single(const void *data, const struct stmt *stmt) {
    (void)data;
    for (int i = 0; i < stmt->nvars; ++i)
        if (stmt->vars[i]->storage != STORAGE_LOCAL)
            return true;
    return stmt->kind == STMT_UNKNOWN;
}

/* Its own name and place are part of what it says. */
static bool names_itself(const struct unit *unit, const struct range *range) {
    static const char *const words[] = {"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__",
                                        "__LINE__", "__COUNTER__",  "assert",
                                        "extern"};
    struct token_scan scan =
        token_scan_start(unit->files[unit->main_file].text, range->begin.offset, range->end.offset);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
            if (token_spells(&scan, t, words[i]))
                return true;
    return false;
}

static bool can_be_copied(const struct unit *unit, const struct function *f) {
    return text_is_written(unit, &f->range) && text_is_written(unit, &f->body->range) &&
           !f->is_variadic && !f->is_entry && !f->is_weak && !f->is_alias && !f->is_replaceable &&
           !nest_has_directive(unit, &f->range) && !names_itself(unit, &f->range) &&
           !stmt_any(f->body, is_single, NULL);
}

static void find_functions(struct handing *h) {
    struct function *called[HANDED_FUNCTIONS];
    const int count = emit_walk_called(h->loop, HANDED_FUNCTIONS, called);
    for (int i = 0; i < count; ++i)
        h->functions[h->nfunctions++] =
            (struct copied){.function = called[i], .fits = can_be_copied(h->unit, called[i])};
}

/* ---- the variables ---------------------------------------------------------------------------- */

/* A number, a pointer, or an array, of the file, and no part of another variable. */
static bool is_of_file(const struct variable *v) {
    const struct type *t = v->type;
    while (t->kind == TYPE_ARRAY && !t->is_volatile && !t->is_atomic)
        t = t->element;
    return (v->storage == STORAGE_STATIC || v->storage == STORAGE_GLOBAL) && !v->is_alias &&
           (type_is_number(t) || t->kind == TYPE_POINTER ||
            (t->kind == TYPE_STRUCT && t != v->type)) &&
           !t->is_volatile && !t->is_atomic;
}

static unsigned bit_of(const struct handing *h, const struct variable *v) {
    for (int i = 0; i < h->nvars; ++i)
        if (h->vars[i] == v)
            return 1U << i;
    return 0;
}

/* What `e` is a part of without a pointer in between. */
static struct variable *part_of(const struct expr *e) {
    while ((e->kind == EXPR_MEMBER && !e->arrow) ||
           (e->kind == EXPR_SUBSCRIPT && e->args[0]->type && e->args[0]->type->kind == TYPE_ARRAY))
        e = e->args[0];
    return e->kind == EXPR_VAR ? e->var : NULL;
}

static void see_set(void *data, struct expr *expr, struct expr *parent) {
    struct handing *h = data;
    struct variable *v = NULL;
    (void)parent;
    if (expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT)
        v = part_of(expr->args[0]);
    else if (expr->kind == EXPR_VAR && expr->var->address_taken)
        v = expr->var;
    if (v && is_of_file(v) && !bit_of(h, v) && h->nvars < HANDED_VARIABLES)
        h->vars[h->nvars++] = v;
}

/* What the function that is walked has to be handed. */
struct naming {
    struct handing *h;
    unsigned handed;
};

static void see_name(void *data, struct expr *expr, struct expr *parent) {
    struct naming *n = data;
    struct copied *called = expr->kind == EXPR_CALL ? copied_of(n->h, expr->function) : NULL;
    (void)parent;
    if (expr->kind == EXPR_VAR)
        n->handed |= bit_of(n->h, expr->var);
    else if (called && called->fits)
        n->handed |= called->handed;
}

static void find_handed(struct handing *h) {
    bool more = true;
    while (more) {
        more = false;
        for (int i = 0; i < h->nfunctions; ++i) {
            struct copied *f = &h->functions[i];
            struct naming naming = {.h = h};
            emit_walk_stmt(f->function->body, see_name, &naming);
            more = more || naming.handed != f->handed;
            f->handed = naming.handed;
        }
    }
}

/* ---- other variables of these names ------------------------------------------------------------ */

static bool is_name_of(const struct handing *h, const char *name) {
    for (int i = 0; i < h->nvars; ++i)
        if (strcmp(h->vars[i]->name, name) == 0)
            return true;
    return false;
}

static bool hides(const void *data, const struct stmt *stmt) {
    for (int i = 0; i < stmt->nvars; ++i)
        if (is_name_of(data, stmt->vars[i]->name))
            return true;
    return false;
}

static bool hides_any(const struct handing *h, const struct function *f) {
    bool any = stmt_any(f->body, hides, h);
    for (int i = 0; i < f->nparams; ++i)
        any = any || is_name_of(h, f->params[i]->name);
    for (int i = 0; i < f->nlocal_names; ++i)
        any = any || is_name_of(h, f->local_names[i].name);
    return any;
}

/* A macro of that name stands for something else from there on. */
static bool are_macros(const struct handing *h) {
    const struct source_file *file = &h->unit->files[h->unit->main_file];
    struct token_scan scan = token_scan_start(file->text, 0, file->size);
    bool any = false;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        any = any || (t.kind == TOKEN_DIRECTIVE &&
                      is_name_of(h, token_directive_word(h->unit->arena, file->text, t)));
    for (int i = 0; i < h->unit->nmacros; ++i)
        any = any || is_name_of(h, h->unit->macros[i].name);
    return any;
}

/* ---- the text --------------------------------------------------------------------------------- */

static bool has_copy(const struct copied *c) {
    return c && c->fits && c->handed;
}

static bool is_array(const struct variable *v) {
    return v->type->kind == TYPE_ARRAY;
}

/* As parameters of a copy: an array as the pointer to its first element, that it decays to. */
static void print_parameters(const struct handing *h, const struct copied *c, struct text *out) {
    bool first = c->function->nparams == 0;
    for (int i = 0; i < h->nvars; ++i) {
        const struct variable *v = h->vars[i];
        if (!(c->handed & 1U << i))
            continue;
        text_print(out, "%s__typeof__(%s%s) *const %s%s", first ? "" : ", ", v->name,
                   is_array(v) ? "[0]" : "", h->prefix, v->name);
        first = false;
    }
}

/* As arguments of a call. */
static void print_arguments(const struct handing *h, const struct copied *c, bool first,
                            struct text *out) {
    for (int i = 0; i < h->nvars; ++i) {
        const struct variable *v = h->vars[i];
        if (!(c->handed & 1U << i))
            continue;
        text_print(out, "%s%s%s", first ? "" : ", ",
                   h->in         ? h->prefix
                   : is_array(v) ? ""
                                 : "&",
                   v->name);
        first = false;
    }
}

static struct token find_token(const struct unit *unit, size_t begin, size_t end,
                               const char *word) {
    struct token_scan scan = token_scan_start(unit->files[unit->main_file].text, begin, end);
    struct token t = token_next(&scan);
    while (t.kind != TOKEN_END && !token_spells(&scan, t, word))
        t = token_next(&scan);
    return t;
}

/* `f(x)` becomes `PREFIXf(x, &v)`, in a copy `PREFIXf(x, PREFIXv)`. What cannot be edited stays. */
static void edit_call(struct handing *h, const struct expr *call, const struct copied *called) {
    const size_t begin = call->range.begin.offset, end = call->range.end.offset;
    const char *source = h->unit->files[h->unit->main_file].text;
    const char *name = called->function->name;
    struct text out;
    if (!text_is_written(h->unit, &call->range) || source[end - 1] != ')' ||
        find_token(h->unit, begin, end, name).begin != begin)
        return;
    text_start(&out, h->unit->arena);
    print_arguments(h, called, call->nargs == 0, &out);
    text_edit_add(h->edits, begin, begin + strlen(name),
                  arena_printf(h->unit->arena, "%s%s", h->prefix, name));
    text_edit_add(h->edits, end - 1, end - 1, out.bytes);
}

/* What `x` is in a copy; the address of an array, and one as long as its type says, is not there. */
static void edit_use(struct handing *h, const struct expr *use, const struct expr *parent) {
    const struct range *range = &use->range;
    const bool whole = is_array(use->var) && parent && parent->kind == EXPR_ADDRESS;
    if (!h->in || !bit_of(h, use->var) || whole || !text_is_written(h->unit, range))
        return;
    text_edit_add(h->edits, range->begin.offset, range->end.offset,
                  arena_printf(h->unit->arena, is_array(use->var) ? "%s%s" : "(*%s%s)", h->prefix,
                               use->var->name));
}

static void see_use(void *data, struct expr *expr, struct expr *parent) {
    struct handing *h = data;
    const struct copied *called = expr->kind == EXPR_CALL ? copied_of(h, expr->function) : NULL;
    if (has_copy(called))
        edit_call(h, expr, called);
    if (expr->kind == EXPR_VAR)
        edit_use(h, expr, parent);
}

/* "static type PREFIXname(parameters, their addresses)"; false: it is not written so. */
static bool write_head(const struct handing *h, const struct copied *c, struct text *out) {
    const struct function *f = c->function;
    const char *source = h->unit->files[h->unit->main_file].text;
    const size_t begin = f->range.begin.offset, end = f->body->range.begin.offset;
    const struct token name = find_token(h->unit, begin, end, f->name);
    const struct token open = find_token(h->unit, name.end, end, "(");
    struct range before = f->range, inside = f->range;
    size_t close = end;
    while (close > open.end && source[close - 1] != ')')
        --close;
    if (name.kind == TOKEN_END || open.kind == TOKEN_END || close <= open.end)
        return false;
    before.end.offset = (unsigned)name.begin;
    inside.begin.offset = (unsigned)open.end;
    inside.end.offset = (unsigned)close - 1;
    text_print(out, " %s%s %s%s(%s", f->is_static ? "" : "static ", text_source(h->unit, &before),
               h->prefix, f->name, f->nparams > 0 ? text_source(h->unit, &inside) : "");
    print_parameters(h, c, out);
    text_print(out, ")");
    return true;
}

static void write_piece(const struct handing *h, size_t begin, size_t end, struct text *out) {
    const struct range whole = h->in->function->body->range;
    struct range piece = whole;
    piece.begin.offset = (unsigned)begin;
    piece.end.offset = (unsigned)end;
    text_print(out, " %s", text_source(h->unit, &piece));
}

/* The function's body in one line, with its edits. */
static bool write_body(struct handing *h, const struct copied *c, struct text *out) {
    struct text_edits edits = {.arena = h->unit->arena};
    const struct range *body = &c->function->body->range;
    size_t at = body->begin.offset;
    h->in = c;
    h->edits = &edits;
    emit_walk_stmt(c->function->body, see_use, h);
    if (!text_edits_fit(&edits, body->begin.offset, body->end.offset))
        return false;
    for (int i = 0; i < edits.count; ++i) {
        write_piece(h, at, edits.items[i].begin, out);
        text_print(out, " %s", edits.items[i].with);
        at = edits.items[i].end;
    }
    write_piece(h, at, body->end.offset, out);
    return true;
}

struct callees {
    const struct handing *h;
    const struct function *in;
    struct text out;
    unsigned declared; /* by their numbers */
    bool unfit;
};

static void see_callee(void *data, struct expr *expr, struct expr *parent) {
    struct callees *callees = data;
    const struct handing *h = callees->h;
    (void)parent;
    for (int i = 0; expr->kind == EXPR_CALL && i < h->nfunctions; ++i) {
        const struct copied *c = &h->functions[i];
        if (c->function != expr->function || !has_copy(c) || callees->declared & 1U << i ||
            c->function->range.begin.offset <= callees->in->range.begin.offset)
            continue;
        callees->declared |= 1U << i;
        callees->unfit = callees->unfit || !write_head(h, c, &callees->out);
        text_print(&callees->out, ";");
    }
}

/* Copies that stand further down are declared in front of what calls them. */
static bool declare_callees(const struct handing *h, const struct function *in,
                            struct text_edits *edits) {
    struct callees callees = {.h = h, .in = in};
    text_start(&callees.out, h->unit->arena);
    emit_walk_stmt(in->body, see_callee, &callees);
    if (callees.declared)
        text_edit_add(edits, in->range.begin.offset, in->range.begin.offset,
                      arena_printf(h->unit->arena, "%s ", callees.out.bytes));
    return !callees.unfit;
}

/* Behind the function, which nobody may call any more: no reason for a warning. */
static bool write_copy(struct handing *h, const struct copied *c, struct text_edits *edits) {
    const struct function *f = c->function;
    struct text out;
    text_start(&out, h->unit->arena);
    if (!write_head(h, c, &out) || !write_body(h, c, &out))
        return false;
    if (f->is_static)
        text_print(&out, " static __typeof__(%s) %s __attribute__((__unused__));", f->name,
                   f->name);
    text_edit_add(edits, f->range.end.offset, f->range.end.offset, out.bytes);
    return true;
}

static bool write_text(struct handing *h, struct text *out) {
    const struct source_file *file = &h->unit->files[h->unit->main_file];
    struct text_edits edits = {.arena = h->unit->arena};
    bool copied = false, fits = declare_callees(h, h->loop->function, &edits);
    for (int i = 0; i < h->nfunctions && fits; ++i) {
        const struct copied *c = &h->functions[i];
        if (!has_copy(c))
            continue;
        copied = true;
        fits = !hides_any(h, c->function) && declare_callees(h, c->function, &edits) &&
               write_copy(h, c, &edits);
    }
    h->in = NULL;
    h->edits = &edits;
    emit_walk_stmt(h->loop->body, see_use, h);
    return copied && fits && !hides_any(h, h->loop->function) &&
           text_edits_apply(&edits, file->text, 0, file->size, true, out);
}

const char *handed_text(struct unit *unit, const struct loop *loop) {
    struct handing h = {.unit = unit, .loop = loop};
    struct text out;
    if (!loop_is_marked(loop) || !text_is_written(unit, &loop->body->range) ||
        nest_has_directive(unit, &loop->stmt->range))
        return NULL;
    find_functions(&h);
    emit_walk_stmt(loop->body, see_set, &h);
    for (int i = 0; i < h.nfunctions; ++i)
        emit_walk_stmt(h.functions[i].function->body, see_set, &h);
    if (h.nvars == 0 || are_macros(&h))
        return NULL;
    h.prefix = text_new_prefix(unit, "handed");
    find_handed(&h);
    text_start(&out, unit->arena);
    return write_text(&h, &out) ? out.bytes : NULL;
}
