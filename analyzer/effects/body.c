/*
 * A line about a function whose body is seen: what the body surely does and the line does not say.
 * In this file the body counts; in others, which do not see it, the line would.
 */
#include "analyzer/effects/private.h"
#include "analyzer/ir_visit.h"

enum { MOST_CALLS = 8 };

/* `function`: the one the line is about; `depth`: of the calls from there. `what`: in words, what
 * was found first, at `where`; NULL: nothing yet. */
struct body {
    struct arena *arena;
    const struct function *function;
    const struct effects *effects;
    int depth;
    const struct function *entered[MOST_CALLS];
    const char *what;
    struct range where;
};

static void find(struct body *b, const struct expr *e, const char *what) {
    if (b->what)
        return;
    b->what = what;
    b->where = e->range;
}

static bool is_pointer(const struct expr *e) {
    return e->type && e->type->kind == TYPE_POINTER;
}

/* The variable that a place is in, or (`through`) is reached by. */
static const struct variable *root_of(const struct expr *e, bool *through) {
    *through = false;
    while (e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_DEREF || e->kind == EXPR_MEMBER ||
           e->kind == EXPR_CAST) {
        *through |= (e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_DEREF) && is_pointer(e->args[0]);
        e = e->args[0];
    }
    return e->kind == EXPR_VAR ? e->var : NULL;
}

/* Does the line say that memory behind the parameter is touched, or even written? */
static bool says_touched(const struct effects *effects, int param, bool write) {
    for (int i = 0; i < effects->ntouches; ++i)
        if (effects->touches[i].param == param && (!write || effects->touches[i].write))
            return true;
    return false;
}

static void see_place(struct body *b, const struct expr *e, bool write) {
    bool through;
    const struct variable *var = root_of(e, &through);
    if (!var)
        return;
    bool param = var->storage == STORAGE_PARAM && var->function == b->function &&
                 var->resets == 0 && !var->address_taken;
    if (param && through && !says_touched(b->effects, var->param_index, write))
        find(b, e,
             arena_printf(b->arena, "%s what `%s` points to", write ? "writes" : "reads",
                          var->name));
    bool lasts = var->storage == STORAGE_GLOBAL || var->storage == STORAGE_STATIC ||
                 var->storage == STORAGE_STATIC_LOCAL;
    if (lasts && write && !through)
        find(b, e, arena_printf(b->arena, "changes `%s`", var->name));
}

static const char *deed_of(enum effect effect) {
    switch (effect) {
    case EFFECT_RANDOM:
        return "draws random numbers";
    case EFFECT_IO:
        return "does input or output";
    case EFFECT_CLOCK:
        return "asks the system";
    case EFFECT_STATE:
        return "keeps a state";
    case EFFECT_ALLOCATE:
        return "allocates or frees memory";
    case EFFECT_EXIT:
        return "may end the program";
    default:
        return NULL;
    }
}

static void see_expr(void *data, struct expr *e);

static void enter(struct body *b, const struct function *function) {
    bool again = b->depth == MOST_CALLS || function == b->function;
    for (int i = 0; i < b->depth && !again; ++i)
        again = b->entered[i] == function;
    if (again)
        return;
    b->entered[b->depth++] = function;
    stmt_visit(function->body, see_expr, b);
}

static void see_call(struct body *b, const struct expr *e) {
    const struct function *f = e->function;
    const char *deed = f && !f->body ? deed_of(effect_of_function(f)) : NULL;
    if (deed)
        find(b, e, arena_printf(b->arena, "%s: it calls `%s`", deed, f->name));
    else if (f && f->body)
        enter(b, f);
}

static void see_expr(void *data, struct expr *e) {
    struct body *b = data;
    if (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT)
        see_place(b, e->args[0], true);
    else if (e->kind == EXPR_DEREF || e->kind == EXPR_SUBSCRIPT)
        see_place(b, e, false);
    else if (e->kind == EXPR_CALL)
        see_call(b, e);
}

void effects_check_body(struct unit *unit, const struct function *function,
                        const struct effects *effects, struct range line, struct diag_list *diags) {
    struct body b = {.arena = unit->arena, .function = function, .effects = effects};
    if (effects->effect != EFFECT_PURE && effects->effect != EFFECT_MEMORY)
        return;
    stmt_visit(function->body, see_expr, &b);
    if (!b.what)
        return;
    struct diag *diag = diag_add(diags, SEVERITY_ERROR, ORR9303, line,
                                 "`%s` %s, and this line does not say so", function->name, b.what);
    diag->fix = "write the clause, or take out the line: files that see the body need none";
    diag_note(diags, diag, b.where, "here");
}
