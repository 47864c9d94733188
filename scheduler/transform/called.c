#include "scheduler/transform/called.h"

#include "scheduler/base/walk.h"
#include "scheduler/transform/rows_text.h"

enum { ENTERED_MOST = 32 };

struct search {
    const struct unit *unit; /* that the loop stands in */
    struct calls *out;
    struct called *called;                        /* whose functions are looked for */
    const struct type *type;                      /* of them */
    int nentered;                                 /* of `entered` */
    const struct function *entered[ENTERED_MOST]; /* called functions that were looked into */
    bool unfit;                                   /* the text cannot be told */
};

/* ---- the calls ------------------------------------------------------------------------------- */

static bool enters(struct search *s, const struct function *function) {
    for (int i = 0; i < s->nentered; ++i)
        if (s->entered[i] == function)
            return false;
    if (s->nentered == ENTERED_MOST)
        return false;
    s->entered[s->nentered++] = function;
    return true;
}

/* Where the parenthesis of the arguments of `p(x)`, `m->f(x)`, `(*p)(x)` stands; 0: nowhere. */
static unsigned arguments_at(const struct unit *unit, const struct expr *call) {
    const char *text = unit->files[unit->main_file].text;
    struct token_scan scan =
        token_scan_start(text, call->args[0]->range.end.offset, call->range.end.offset);
    struct token t = token_next(&scan);
    while (token_spells(&scan, t, ")"))
        t = token_next(&scan);
    return token_spells(&scan, t, "(") ? (unsigned)t.begin : 0;
}

static bool is_plain(const struct unit *unit, const struct expr *call) {
    return text_is_written(unit, &call->range) && text_is_written(unit, &call->args[0]->range) &&
           arguments_at(unit, call) > 0 && !expr_has_effect(call->args[0]);
}

static void see_call(void *data, struct expr *expr, struct expr *parent) {
    struct search *s = data;
    (void)parent;
    if (expr->kind != EXPR_CALL)
        return;
    if (expr->function) {
        if (expr->function->body && enters(s, expr->function))
            emit_walk_stmt(expr->function->body, see_call, s);
        return;
    }
    s->unfit =
        s->unfit || s->out->ncalls == CALLED_CALLS || expr->nargs < 1 || !is_plain(s->unit, expr);
    if (!s->unfit)
        s->out->calls[s->out->ncalls++] = (struct called){.call = expr};
}

/* ---- the functions --------------------------------------------------------------------------- */

static const struct type *function_type(const struct type *type) {
    const struct type *element = type && type->kind == TYPE_POINTER ? type->element : type;
    return element && element->kind == TYPE_FUNCTION ? element : NULL;
}

static void see_function(void *data, struct expr *expr, struct expr *parent) {
    struct search *s = data;
    struct called *called = s->called;
    (void)parent;
    if (expr->kind != EXPR_FUNCTION || !expr->function || function_type(expr->type) != s->type)
        return;
    for (int i = 0; i < called->nfunctions; ++i)
        if (called->functions[i] == expr->function)
            return;
    s->unfit = s->unfit || called->nfunctions == CALLED_FUNCTIONS;
    if (!s->unfit)
        called->functions[called->nfunctions++] = expr->function;
}

static void find_functions(struct search *s, struct called *called) {
    s->called = called;
    s->type = function_type(called->call->args[0]->type);
    for (int i = 0; s->type && i < s->unit->nfunctions; ++i)
        if (s->unit->functions[i]->body)
            emit_walk_stmt(s->unit->functions[i]->body, see_function, s);
    for (int i = 0; s->type && i < s->unit->nglobals; ++i)
        if (s->unit->globals[i]->init)
            emit_walk_expr(s->unit->globals[i]->init, NULL, see_function, s);
}

/* The call can name it: it stands further up, or a header declares it. */
static bool is_declared(const struct unit *unit, const struct function *f,
                        const struct expr *call) {
    return f->range.begin.file != unit->main_file || f->is_redeclared ||
           f->range.end.offset < call->range.begin.offset;
}

static bool are_declared(const struct unit *unit, const struct called *called) {
    for (int i = 0; i < called->nfunctions; ++i)
        if (!is_declared(unit, called->functions[i], called->call))
            return false;
    return called->nfunctions > 0;
}

bool called_find(const struct unit *unit, const struct loop *loop, struct calls *out) {
    struct search s = {.unit = unit, .out = out};
    out->ncalls = 0;
    emit_walk_stmt(loop->body, see_call, &s);
    for (int i = 0; i < out->ncalls && !s.unfit; ++i) {
        find_functions(&s, &out->calls[i]);
        s.unfit = s.unfit || !are_declared(unit, &out->calls[i]);
    }
    return out->ncalls > 0 && !s.unfit;
}

/* ---- the text -------------------------------------------------------------------------------- */

const char *called_choice(const struct unit *unit, const struct called *called, bool open) {
    const struct expr *call = called->call;
    struct range callee = call->range, behind = call->range;
    callee.end.offset = behind.begin.offset = arguments_at(unit, call);
    const char *name = text_source(unit, &callee);
    const char *arguments = text_source(unit, &behind);
    const bool several = open || called->nfunctions > 1;
    struct text out;
    text_start(&out, unit->arena);
    text_print(&out, "%s", several ? "(" : "");
    for (int i = 0; i < called->nfunctions; ++i) {
        const bool last = !open && i + 1 == called->nfunctions;
        if (!last)
            text_print(&out, "%s == %s ? ", name, called->functions[i]->name);
        text_print(&out, "%s%s%s", called->functions[i]->name, arguments, last ? "" : " : ");
    }
    if (open)
        text_print(&out, "%s%s", name, arguments);
    text_print(&out, "%s", several ? ")" : "");
    return out.bytes;
}

const char *called_text(struct unit *unit, const struct loop *loop) {
    const struct source_file *file = &unit->files[unit->main_file];
    struct text_edits edits = {.arena = unit->arena};
    struct calls calls;
    struct text out;
    if (!loop_is_marked(loop) || !called_find(unit, loop, &calls))
        return NULL;
    for (int i = 0; i < calls.ncalls; ++i) {
        const struct range *range = &calls.calls[i].call->range;
        text_edit_add(&edits, range->begin.offset, range->end.offset,
                      called_choice(unit, &calls.calls[i], true));
    }
    text_start(&out, unit->arena);
    return text_edits_apply(&edits, file->text, 0, file->size, true, &out) ? out.bytes : NULL;
}
