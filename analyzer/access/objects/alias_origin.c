/* Origins of pointers: allocations, declared arrays, parameters and what callers pass. */
#include "analyzer/access/objects/alias_origin.h"

#include "analyzer/access/access.h"

#include <string.h>

enum { MAX_DEPTH = 6 };

enum origin_kind { ORIGIN_OTHER, ORIGIN_UNESCAPED, ORIGIN_ARRAY, ORIGIN_PARAM };

struct origin {
    enum origin_kind kind;
    const struct variable *var;
};

/* ---- is a variable set to unescaped memory only? --------------------------------------------- */

static bool makes_unescaped(struct origins *o, const struct expr *e, int depth);

struct search {
    struct origins *o;
    const struct variable *var;
    int depth;
    int assigned;
    bool all_unescaped, escapes, returned;
};

static void see_assignment(void *data, struct expr *e) {
    struct search *s = data;
    if (e->kind != EXPR_ASSIGN || e->args[0]->kind != EXPR_VAR || e->args[0]->var != s->var ||
        e->op == OP_ADD || e->op == OP_SUB) {
        return;
    }
    const struct expr *value = expr_without_casts(e->args[1]);
    bool null = value->kind == EXPR_INT && value->int_value == 0;
    s->assigned += !null;
    s->all_unescaped = s->all_unescaped &&
                       (null || (e->op == OP_NONE && makes_unescaped(s->o, value, s->depth + 1)));
}

/* Expressions of all bodies, in order. */
struct expr_list {
    int count;
    struct expr **items;
};

/* `sets`: plain assignments of a variable, by its id; `calls`: what names a function, by its id. */
struct unit_uses {
    struct unit *unit;
    struct expr_list *sets, *calls;
};

static void note_use(void *data, struct expr *e) {
    struct unit_uses *uses = data;
    const struct variable *var =
        e->kind == EXPR_ASSIGN && e->args[0]->kind == EXPR_VAR ? e->args[0]->var : NULL;
    struct expr_list *list = NULL;
    if (var && var->id >= 0 && var->id < uses->unit->nvariables)
        list = &uses->sets[var->id];
    else if ((e->kind == EXPR_CALL || e->kind == EXPR_FUNCTION) && e->function)
        list = &uses->calls[e->function->id];
    if (list)
        ARENA_PUSH(uses->unit->arena, list->items, list->count, e);
}

/* requires: all bodies that the unit will have. One walk over them, for all loops. */
static struct unit_uses *uses_of(struct unit *unit) {
    if (unit->uses)
        return unit->uses;
    struct unit_uses *uses = arena_alloc(unit->arena, sizeof *uses);
    uses->unit = unit;
    uses->sets = arena_alloc(unit->arena, ((size_t)unit->nvariables + 1) * sizeof *uses->sets);
    uses->calls = arena_alloc(unit->arena, ((size_t)unit->nfunctions + 1) * sizeof *uses->calls);
    for (int i = 0; i < unit->nfunctions; ++i)
        if (unit->functions[i]->body)
            stmt_visit(unit->functions[i]->body, note_use, uses);
    unit->uses = uses;
    return uses;
}

static void each_of(const struct expr_list *list, void (*visit)(void *, struct expr *),
                    void *data) {
    for (int i = 0; i < list->count; ++i)
        visit(data, list->items[i]);
}

static void each_set(struct origins *o, const struct variable *var,
                     void (*visit)(void *, struct expr *), void *data) {
    if (var->id >= 0 && var->id < o->unit->nvariables)
        each_of(&uses_of(o->unit)->sets[var->id], visit, data);
}

static bool find_unescaped(struct origins *o, const struct variable *var, int depth) {
    if (var->address_taken || var->storage == STORAGE_PARAM || var->storage == STORAGE_GLOBAL ||
        var->is_extern || depth > MAX_DEPTH || var->type->kind != TYPE_POINTER) {
        return false;
    }
    struct search s = {.o = o, .var = var, .depth = depth, .all_unescaped = true};
    const struct expr *init = expr_without_casts(var->init);
    if (init && !(init->kind == EXPR_INT && init->int_value == 0)) {
        s.assigned = 1;
        s.all_unescaped = makes_unescaped(o, init, depth + 1);
    }
    int first = s.assigned;
    each_set(o, var, see_assignment, &s);
    return s.all_unescaped && s.assigned == 1 && var->resets <= 2 - first;
}

/* Set once, to memory that nothing else points to when it is set. */
static bool holds_unescaped(struct origins *o, const struct variable *var, int depth) {
    for (int i = 0; i < o->count; ++i)
        if (o->vars[i] == var)
            return o->unescaped[i];
    bool unescaped = find_unescaped(o, var, depth);
    int count = o->count;
    ARENA_PUSH(o->unit->arena, o->unescaped, count, unescaped);
    ARENA_PUSH(o->unit->arena, o->vars, o->count, var);
    return unescaped;
}

static bool leads_to(const struct expr *e, const struct variable *var);

static bool any_leads_to(const struct expr *e, const struct variable *var) {
    for (int i = 0; i < e->nargs; ++i)
        if (e->args[i] && leads_to(e->args[i], var))
            return true;
    return false;
}

/* The place that the lvalue names lies in what `var` is, or points to. */
static bool lies_in(const struct expr *e, const struct variable *var) {
    while (e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_MEMBER || e->kind == EXPR_DEREF)
        e = e->args[0];
    return e->kind == EXPR_VAR ? e->var == var : leads_to(e, var);
}

/* What the C library hands back may be what it was handed (memset, strchr). */
static bool hands_back(const struct expr *call) {
    return type_is_address(call->type) && call->function && !call->function->body &&
           !effects_say(call->function, EFFECT_NEW);
}

static bool leads_to(const struct expr *e, const struct variable *var) {
    e = expr_without_casts(e);
    if (!e)
        return false;
    switch (e->kind) {
    case EXPR_VAR:
        return e->var == var && type_is_address(e->type);
    case EXPR_MEMBER:
    case EXPR_SUBSCRIPT:
    case EXPR_DEREF:
        return type_is_array(e->type) && lies_in(e, var);
    case EXPR_ADDRESS:
        return lies_in(e->args[0], var);
    case EXPR_CALL:
        return hands_back(e) && any_leads_to(e, var);
    case EXPR_BINARY:
    case EXPR_CONDITIONAL:
    case EXPR_COMMA:
    case EXPR_ASSIGN:
    case EXPR_INCREMENT:
    case EXPR_COMPOUND:
    case EXPR_INIT:
        return any_leads_to(e, var);
    case EXPR_UNKNOWN:
        return true;
    default:
        return false;
    }
}

static bool variable_escapes(struct origins *o, const struct variable *var, int depth,
                             bool returned);

static void see_escape(void *data, struct expr *e) {
    struct search *s = data;
    if ((e->kind == EXPR_ASSIGN && leads_to(e->args[1], s->var)) ||
        (e->kind == EXPR_UNKNOWN && any_leads_to(e, s->var))) {
        s->escapes = true;
    }
    if (e->kind == EXPR_INIT)
        for (int i = 0; i < e->nargs; ++i)
            s->escapes = s->escapes || (e->args[i] && leads_to(e->args[i], s->var));
    for (int i = 0; e->kind == EXPR_CALL && i < e->nargs; ++i) {
        if (!leads_to(e->args[i], s->var))
            continue;
        const struct function *f = e->function;
        bool known = f && !f->body && effect_of_function(f) != EFFECT_UNKNOWN &&
                     effect_of_function(f) != EFFECT_STATE;
        bool inside = f && f->body && !f->is_weak && i < f->nparams &&
                      !variable_escapes(s->o, f->params[i], s->depth + 1, true);
        s->escapes = s->escapes || !(known || inside);
    }
}

static void see_declaration(void *data, struct stmt *st) {
    struct search *s = data;
    for (int i = 0; st->kind == STMT_DECL && i < st->nvars; ++i)
        s->escapes = s->escapes || (st->vars[i]->init && leads_to(st->vars[i]->init, s->var));
    if (st->kind == STMT_RETURN && st->expr && s->returned)
        s->escapes = s->escapes || leads_to(st->expr, s->var);
}

static bool address_escapes(struct origins *o, const struct variable *var, int depth,
                            bool returned) {
    if (depth > MAX_DEPTH || !var->function || !var->function->body)
        return true;
    struct search s = {.o = o, .var = var, .depth = depth, .returned = returned};
    stmt_visit(var->function->body, see_escape, &s);
    stmt_each(var->function->body, see_declaration, &s);
    return s.escapes;
}

/* Does a copy of the pointer stay behind when the function it lives in is left? `returned`: handing
 * it back counts. */
static bool variable_escapes(struct origins *o, const struct variable *var, int depth,
                             bool returned) {
    return var->address_taken || address_escapes(o, var, depth, returned);
}

bool origins_keep_private(struct origins *o, const struct variable *var) {
    return (var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM) &&
           !address_escapes(o, var, 0, true);
}

bool origins_keep_static(struct origins *o, const struct variable *var) {
    struct search s = {.o = o, .var = var, .returned = true};
    for (int i = 0; i < o->unit->nfunctions; ++i) {
        if (!o->unit->functions[i]->body)
            continue;
        stmt_visit(o->unit->functions[i]->body, see_escape, &s);
        stmt_each(o->unit->functions[i]->body, see_declaration, &s);
    }
    for (int i = 0; i < o->unit->nglobals; ++i)
        s.escapes =
            s.escapes || (o->unit->globals[i]->init && leads_to(o->unit->globals[i]->init, var));
    return !s.escapes;
}

bool origins_own(struct origins *o, const struct variable *var) {
    return var->storage == STORAGE_LOCAL && holds_unescaped(o, var, 0) &&
           !variable_escapes(o, var, 0, true);
}

static bool is_plain_pointer(struct origins *o, const struct variable *var, int depth);

/* `c ? p : q`, `(p, q)`, `q = p`: the value goes on under another name. */
static void see_other_name(void *data, struct expr *e) {
    struct search *s = data;
    const bool goes_on = e->kind == EXPR_CONDITIONAL || e->kind == EXPR_COMMA ||
                         e->kind == EXPR_COMPOUND || e->kind == EXPR_INIT ||
                         e->kind == EXPR_UNKNOWN || (e->kind == EXPR_CALL && hands_back(e));
    s->escapes = s->escapes || (goes_on && any_leads_to(e, s->var)) ||
                 (e->kind == EXPR_ASSIGN && leads_to(e->args[1], s->var));
    for (int i = 0; e->kind == EXPR_CALL && e->function && e->function->body && i < e->nargs; ++i)
        if (leads_to(e->args[i], s->var))
            s->escapes = s->escapes || i >= e->function->nparams ||
                         !is_plain_pointer(s->o, e->function->params[i], s->depth + 1);
}

static bool is_plain_pointer(struct origins *o, const struct variable *var, int depth) {
    struct search s = {.o = o, .var = var, .depth = depth};
    if (depth > MAX_DEPTH || var->address_taken || !var->function || !var->function->body ||
        (var->storage == STORAGE_PARAM && var->resets > 0))
        return false;
    stmt_visit(var->function->body, see_other_name, &s);
    stmt_each(var->function->body, see_declaration, &s);
    return !s.escapes;
}

bool origins_alone(struct origins *o, const struct variable *var) {
    return origins_own(o, var) && is_plain_pointer(o, var, 0);
}

static void see_only_assignment(void *data, struct expr *e) {
    const struct expr **value = data;
    if (e->kind == EXPR_ASSIGN && e->args[0]->kind == EXPR_VAR && e->args[0]->var == value[0]->var)
        value[1] = expr_without_casts(e->args[1])->kind == EXPR_CALL
                       ? expr_without_casts(e->args[1])
                       : value[1];
}

const struct expr *origins_allocation(struct origins *o, const struct variable *var) {
    const struct expr *call = expr_without_casts(var->init);
    bool set = call && call->kind == EXPR_CALL;
    if (!origins_own(o, var) || var->writes > (set ? 0 : 1))
        return NULL;
    if (!set) {
        const struct expr key = {.kind = EXPR_VAR, .var = (struct variable *)var};
        const struct expr *found[2] = {&key, NULL};
        each_set(o, var, see_only_assignment, found);
        call = found[1];
    }
    return call && call->function && !call->function->body ? call : NULL;
}

static void see_return(void *data, struct stmt *st) {
    struct search *s = data;
    if (st->kind != STMT_RETURN || !st->expr)
        return;
    const struct expr *e = expr_without_casts(st->expr);
    bool null = e->kind == EXPR_INT && e->int_value == 0;
    bool local = e->kind == EXPR_VAR && e->var->storage == STORAGE_LOCAL &&
                 holds_unescaped(s->o, e->var, s->depth + 1) &&
                 !variable_escapes(s->o, e->var, s->depth + 1, false);
    ++s->assigned;
    s->all_unescaped =
        s->all_unescaped && (null || local || makes_unescaped(s->o, e, s->depth + 1));
}

/* It may be left inside of an expression. */
static void see_hidden_return(void *data, struct expr *e) {
    struct search *s = data;
    s->all_unescaped = s->all_unescaped && e->kind != EXPR_UNKNOWN;
}

static bool makes_unescaped(struct origins *o, const struct expr *e, int depth) {
    e = expr_without_casts(e);
    if (!e || e->kind != EXPR_CALL || !e->function || depth > MAX_DEPTH)
        return false;
    if (e->function->is_weak)
        return false;
    if (e->function->body) {
        struct search s = {.o = o, .depth = depth, .all_unescaped = true};
        stmt_each(e->function->body, see_return, &s);
        stmt_visit(e->function->body, see_hidden_return, &s);
        return s.all_unescaped && s.assigned > 0;
    }
    return effects_say(e->function, EFFECT_NEW);
}

/* ---- origins --------------------------------------------------------------------------------- */

static struct origin origin_of(struct origins *o, const struct expr *e, int depth);

/* Of the memory that an lvalue names: `s.v[3]` is in s, `s.p[3]` is where the pointer leads. */
static struct origin origin_of_place(struct origins *o, const struct expr *e, int depth) {
    struct origin other = {ORIGIN_OTHER, NULL};
    while (e->kind == EXPR_SUBSCRIPT || (e->kind == EXPR_MEMBER && !e->arrow)) {
        const struct type *type = e->args[0]->type;
        if (e->kind == EXPR_SUBSCRIPT && type && type->kind == TYPE_POINTER)
            return origin_of(o, e->args[0], depth + 1);
        e = e->args[0];
    }
    return e->kind == EXPR_VAR && !e->var->is_alias ? (struct origin){ORIGIN_ARRAY, e->var} : other;
}

static struct origin origin_of(struct origins *o, const struct expr *e, int depth) {
    struct origin other = {ORIGIN_OTHER, NULL};
    e = expr_without_casts(e);
    if (!e || depth > MAX_DEPTH)
        return other;
    if (e->kind == EXPR_BINARY && (e->op == OP_ADD || e->op == OP_SUB)) {
        bool left = e->args[0]->type && (e->args[0]->type->kind == TYPE_POINTER ||
                                         e->args[0]->type->kind == TYPE_ARRAY);
        return origin_of(o, e->args[left ? 0 : 1], depth + 1);
    }
    if (e->kind == EXPR_ADDRESS)
        return origin_of_place(o, e->args[0], depth + 1);
    if (e->kind != EXPR_VAR)
        return other;
    const struct variable *var = e->var;
    if (type_is_array(var->type))
        return origin_of_place(o, e, depth + 1);
    if (var->type->kind != TYPE_POINTER)
        return other;
    if (holds_unescaped(o, var, 0))
        return (struct origin){ORIGIN_UNESCAPED, var};
    if (var->storage == STORAGE_PARAM && var->resets == 0 && !var->address_taken)
        return (struct origin){ORIGIN_PARAM, var};
    if (var->init && var->resets == 0 && !var->address_taken && var->storage == STORAGE_LOCAL)
        return origin_of(o, var->init, depth + 1);
    return other;
}

/* ---- what callers pass ----------------------------------------------------------------------- */

struct callers {
    struct origins *o;
    const struct function *function;
    const struct variable *a, *b;
    const struct expr *fixed;
    int depth, calls;
    bool distinct;
};

static bool distinct_at(struct origins *o, const struct expr *a, const struct expr *b, int depth);

static void see_call(void *data, struct expr *e) {
    struct callers *c = data;
    if (e->kind == EXPR_FUNCTION && e->function == c->function)
        c->distinct = false;
    if (e->kind != EXPR_CALL || e->function != c->function)
        return;
    ++c->calls;
    const struct expr *a = c->a->param_index < e->nargs ? e->args[c->a->param_index] : NULL;
    const struct expr *b = c->fixed;
    if (c->b)
        b = c->b->param_index < e->nargs ? e->args[c->b->param_index] : NULL;
    c->distinct = c->distinct && a && b && distinct_at(c->o, a, b, c->depth + 1);
}

/* Some function of the file is an alias: of which one, its text says. */
static bool may_have_other_name(const struct unit *unit) {
    for (int i = 0; i < unit->nfunctions; ++i)
        if (unit->functions[i]->is_alias)
            return true;
    return false;
}

static bool callers_keep_apart(struct origins *o, const struct variable *a,
                               const struct variable *b, const struct expr *fixed, int depth) {
    if (!a->function || !a->function->is_static || (b && b->function != a->function) ||
        may_have_other_name(o->unit)) {
        return false;
    }
    struct callers c = {.o = o,
                        .function = a->function,
                        .a = a,
                        .b = b,
                        .fixed = fixed,
                        .depth = depth,
                        .distinct = true};
    each_of(&uses_of(o->unit)->calls[a->function->id], see_call, &c);
    for (int i = 0; i < o->unit->nglobals; ++i)
        expr_visit(o->unit->globals[i]->init, see_call, &c);
    return c.distinct && c.calls > 0;
}

static bool is_local_to(const struct variable *var, const struct function *function) {
    return var->storage == STORAGE_LOCAL && var->function == function;
}

static bool is_file_scope(const struct variable *var) {
    return var->storage == STORAGE_STATIC || var->storage == STORAGE_GLOBAL ||
           var->storage == STORAGE_STATIC_LOCAL;
}

static bool distinct_at(struct origins *o, const struct expr *a, const struct expr *b, int depth) {
    if (depth > MAX_DEPTH)
        return false;
    struct origin x = origin_of(o, a, 0), y = origin_of(o, b, 0);
    if (x.kind == ORIGIN_OTHER || y.kind == ORIGIN_OTHER)
        return false;
    if (x.kind != ORIGIN_PARAM && y.kind != ORIGIN_PARAM)
        return x.var != y.var;
    if (x.kind == ORIGIN_PARAM && y.kind == ORIGIN_PARAM)
        return x.var != y.var && callers_keep_apart(o, x.var, y.var, NULL, depth);
    const struct variable *param = x.kind == ORIGIN_PARAM ? x.var : y.var;
    struct origin other = x.kind == ORIGIN_PARAM ? y : x;
    if (is_local_to(other.var, param->function))
        return true;
    return is_file_scope(other.var) &&
           callers_keep_apart(o, param, NULL, x.kind == ORIGIN_PARAM ? b : a, depth);
}

bool origins_distinct(struct origins *o, const struct expr *a, const struct expr *b) {
    return distinct_at(o, a, b, 0);
}

bool origins_not_based_on(struct origins *o, const struct expr *e, const struct variable *var) {
    struct origin origin = origin_of(o, e, 0);
    return origin.kind != ORIGIN_OTHER ? origin.var != var : !variable_escapes(o, var, 0, true);
}

/* ---- pointers made from pointers ------------------------------------------------------------- */

struct derivation {
    struct origins *o;
    const struct variable *var, *base;
    bool found;
};

/* `base + n * k`, `&base[m]`: one allocation cut in two at a place that only the run knows. */
static bool is_cut(const struct expr *e) {
    if (e->kind == EXPR_ADDRESS && e->args[0]->kind == EXPR_SUBSCRIPT)
        e = e->args[0];
    else if (e->kind != EXPR_BINARY || e->op != OP_ADD)
        return false;
    return expr_without_casts(e->args[0])->kind == EXPR_VAR &&
           expr_without_casts(e->args[1])->kind != EXPR_INT && type_is_address(e->args[0]->type);
}

static bool computes_from(struct origins *o, const struct expr *e, const struct variable *base) {
    e = expr_without_casts(e);
    if (!e || e->kind == EXPR_VAR || is_cut(e))
        return false;
    for (int i = 0; e->kind == EXPR_CALL && i < e->nargs; ++i)
        if (leads_to(e->args[i], base) && !makes_unescaped(o, e, 0))
            return true;
    return leads_to(e, base);
}

static void see_derivation(void *data, struct expr *e) {
    struct derivation *d = data;
    bool sets = e->kind == EXPR_ASSIGN && e->op == OP_NONE && e->args[0]->kind == EXPR_VAR &&
                e->args[0]->var == d->var;
    d->found = d->found || (sets && computes_from(d->o, e->args[1], d->base));
}

bool origins_computed_from(struct origins *o, const struct variable *var,
                           const struct variable *base) {
    struct derivation d = {.o = o, .var = var, .base = base};
    if (var == base || !type_is_address(base->type))
        return false;
    if (var->init && computes_from(o, var->init, base))
        return true;
    each_set(o, var, see_derivation, &d);
    return d.found;
}

static void see_copy(void *data, struct expr *e) {
    struct derivation *d = data;
    bool sets = e->kind == EXPR_ASSIGN && e->op == OP_NONE && e->args[0]->kind == EXPR_VAR &&
                e->args[0]->var == d->var;
    d->found = d->found || (sets && leads_to(e->args[1], d->base));
}

bool origins_lead_to(struct origins *o, const struct variable *var, const struct variable *base) {
    struct derivation d = {.o = o, .var = var, .base = base};
    d.found = var != base && var->init && leads_to(var->init, base);
    if (var != base)
        each_set(o, var, see_copy, &d);
    return d.found;
}

static bool names_member(const struct expr *e, const struct expr *member) {
    if (!e || !member->field->name)
        return false;
    if (e->kind == EXPR_MEMBER && e->field && e->field->name &&
        strcmp(e->field->name, member->field->name) == 0)
        return true;
    for (int i = 0; i < e->nargs; ++i)
        if (names_member(e->args[i], member))
            return true;
    return false;
}

struct member_copy {
    const struct variable *var;
    const struct expr *member;
    bool found;
};

static void see_member(void *data, struct expr *e) {
    struct member_copy *copy = data;
    bool sets =
        e->kind == EXPR_ASSIGN && e->args[0]->kind == EXPR_VAR && e->args[0]->var == copy->var;
    copy->found = copy->found || (sets && names_member(e->args[1], copy->member));
}

bool origins_names_member(struct origins *o, const struct variable *var,
                          const struct expr *member) {
    struct member_copy copy = {var, member, names_member(var->init, member)};
    each_set(o, var, see_member, &copy);
    return copy.found;
}
