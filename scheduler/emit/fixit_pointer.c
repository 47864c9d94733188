#include "scheduler/emit/fixit_pointer.h"

#include "scheduler/base/text.h"
#include "scheduler/base/walk.h"
#include "scheduler/emit/fixit_text.h"

enum { FUNCTIONS_MOST = 4, ENTERED_MOST = 32, CALLS_MOST = 8 };

/* Calls through pointers, and the functions of one type whose address the file takes. */
struct pointers {
    const struct unit *unit;                      /* that the loop stands in */
    struct arena *arena;                          /* of the texts */
    const struct type *type;                      /* of the functions that are looked for */
    int nfound, nentered, ncalls;                 /* of the arrays below */
    struct function *found[FUNCTIONS_MOST];       /* of that type */
    const struct function *entered[ENTERED_MOST]; /* called functions that were looked into */
    struct expr *calls[CALLS_MOST];               /* through pointers */
    bool unfit;                                   /* the edits are a person's to make */
};

/* ---- the calls ------------------------------------------------------------------------------- */

static bool enters(struct pointers *p, const struct function *function) {
    for (int i = 0; i < p->nentered; ++i)
        if (p->entered[i] == function)
            return false;
    if (p->nentered == ENTERED_MOST)
        return false;
    p->entered[p->nentered++] = function;
    return true;
}

static void see_call(void *data, struct expr *expr, struct expr *parent) {
    struct pointers *p = data;
    (void)parent;
    if (expr->kind != EXPR_CALL)
        return;
    if (expr->function) {
        if (expr->function->body && enters(p, expr->function))
            emit_walk_stmt(expr->function->body, see_call, p);
        return;
    }
    bool here = expr->range.exact && expr->range.begin.file == p->unit->main_file;
    p->unfit = p->unfit || !here || p->ncalls == CALLS_MOST || expr->nargs < 1 ||
               !expr->args[0]->range.exact || expr_has_effect(expr->args[0]);
    if (!p->unfit)
        p->calls[p->ncalls++] = expr;
}

/* ---- the functions --------------------------------------------------------------------------- */

static const struct type *function_type(const struct type *type) {
    const struct type *element = type && type->kind == TYPE_POINTER ? type->element : type;
    return element && element->kind == TYPE_FUNCTION ? element : NULL;
}

static void see_function(void *data, struct expr *expr, struct expr *parent) {
    struct pointers *p = data;
    (void)parent;
    if (expr->kind != EXPR_FUNCTION || !expr->function || function_type(expr->type) != p->type)
        return;
    for (int i = 0; i < p->nfound; ++i)
        if (p->found[i] == expr->function)
            return;
    p->unfit = p->unfit || p->nfound == FUNCTIONS_MOST;
    if (!p->unfit)
        p->found[p->nfound++] = expr->function;
}

static void find_functions(struct pointers *p, const struct expr *call) {
    p->type = function_type(call->args[0]->type);
    p->nfound = 0;
    for (int i = 0; p->type && i < p->unit->nfunctions; ++i)
        if (p->unit->functions[i]->body)
            emit_walk_stmt(p->unit->functions[i]->body, see_function, p);
    for (int i = 0; p->type && i < p->unit->nglobals; ++i)
        if (p->unit->globals[i]->init)
            emit_walk_expr(p->unit->globals[i]->init, NULL, see_function, p);
}

/* The call can name it: it stands further up, or a header declares it. */
static bool is_declared(const struct pointers *p, const struct function *f,
                        const struct expr *call) {
    return f->range.begin.file != p->unit->main_file || f->is_redeclared ||
           f->range.end.offset < call->range.begin.offset;
}

/* ---- the edits ------------------------------------------------------------------------------- */

/* `(p == f ? f(x) : g(x))`; NULL: that cannot be said there. */
static const char *choice_of(const struct pointers *p, const struct expr *call) {
    const struct range *pointer = &call->args[0]->range;
    struct range behind = {.begin = pointer->end, .end = call->range.end, .exact = true};
    const char *name = fixit_source(p->unit, *pointer), *arguments = fixit_source(p->unit, behind);
    struct text out;
    text_start(&out, p->arena);
    text_print(&out, "%s", p->nfound > 1 ? "(" : "");
    for (int i = 0; i < p->nfound; ++i) {
        if (!is_declared(p, p->found[i], call))
            return NULL;
        if (i + 1 < p->nfound)
            text_print(&out, "%s == %s ? ", name, p->found[i]->name);
        text_print(&out, "%s%s%s", p->found[i]->name, arguments, i + 1 < p->nfound ? " : " : "");
    }
    text_print(&out, "%s", p->nfound > 1 ? ")" : "");
    return out.bytes;
}

const char *fixit_pointer(const struct unit *unit, const struct loop *loop, struct diag_list *list,
                          struct diag *diag) {
    struct pointers p = {.unit = unit, .arena = list->arena};
    const char *choices[CALLS_MOST], *words = "";
    emit_walk_stmt(loop->body, see_call, &p);
    for (int i = 0; i < p.ncalls && !p.unfit; ++i) {
        find_functions(&p, p.calls[i]);
        choices[i] = p.nfound > 0 && !p.unfit ? choice_of(&p, p.calls[i]) : NULL;
        p.unfit = p.unfit || !choices[i];
        for (int f = 0; i == 0 && f < p.nfound; ++f)
            words = arena_printf(p.arena, "%s%s`%s`", words, f > 0 ? ", " : "", p.found[f]->name);
    }
    for (int i = 0; i < p.ncalls && !p.unfit; ++i)
        diag_edit(list, diag, p.calls[i]->range, choices[i]);
    return p.ncalls > 0 && !p.unfit ? words : NULL;
}
