/*
 * Variables that every iteration moves by the same amount. A candidate is set to a symbol that
 * stands for its value where the loop begins; what one interpretation of the body adds to it is the
 * amount, when nothing in it differs from iteration to iteration. The next interpretation begins
 * with entry + number
 * * amount, and has to end with the amount more.
 */
#include "analyzer/access/interp/interp.h"
#include "analyzer/access/interp/wrap.h"

#include <string.h>

/* ---- candidates ------------------------------------------------------------------------------ */

static struct iv *iv_of(const struct interp *w, const struct variable *var) {
    for (int i = 0; i < w->trace.nivs; ++i)
        if (w->trace.ivs[i].var == var)
            return &w->ivs[i];
    return NULL;
}

static struct variable *entry_new(struct interp *w, struct variable *var) {
    for (int i = 0; i < w->loop->nentries; ++i)
        if (w->loop->entries[i]->entry_of == var)
            return w->loop->entries[i];
    struct variable *entry = arena_alloc(w->arena, sizeof *entry);
    struct type *type = arena_alloc(w->arena, sizeof *type);
    *type = *var->type;
    type->is_const = false;
    *entry = *var;
    entry->type = type;
    entry->name = arena_printf(w->arena, "orrery_entry_%s", var->name);
    entry->entry_of = var;
    entry->init = NULL;
    entry->writes = entry->resets;
    return entry;
}

static struct iv *iv_add(struct interp *w, struct variable *var) {
    struct iv iv = {.var = var, .entry = entry_new(w, var)};
    ARENA_PUSH(w->arena, w->ivs, w->trace.nivs, iv);
    w->trace.ivs = w->ivs;
    return &w->ivs[w->trace.nivs - 1];
}

struct variable *inductions_entry(struct interp *w, struct variable *var) {
    struct iv *iv = iv_of(w, var);
    if (!iv) {
        iv = iv_add(w, var);
        iv->state = IV_NOT;
    }
    return iv->entry;
}

/* Integers that cannot wrap, pointers; local, and changed by nothing but the text. */
static bool may_move(const struct interp *w, const struct variable *var) {
    const struct type *type = var->type;
    bool integer =
        type->kind == TYPE_INT && (type->size == 8 || (type->size == 4 && type->is_signed));
    return (integer || type->kind == TYPE_POINTER) && !type->is_volatile && !type->is_atomic &&
           !var->address_taken && var->function == w->loop->function &&
           (var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM);
}

/* It brings a value along, and is set. A sum that nothing reads is better folded. */
static bool is_used(const struct interp *w, const struct variable *var) {
    bool brought = false, read = false, written = false;
    for (int i = 0; i < w->trace.nrefs; ++i) {
        const struct ref *ref = &w->trace.refs[i];
        if (ref->address->region->kind == REGION_VARIABLE && ref->address->region->var == var) {
            brought = brought || ref->exposed;
            read = read || (!ref->write && ref->reduction < 0);
            written = written || (ref->write && ref->scalar);
        }
    }
    return brought && written && (read || header_moves(w->loop->next, var));
}

/* ---- one interpretation ---------------------------------------------------------------------- */

static const struct value *at_iteration(struct interp *w, struct iv *iv, const struct value *start,
                                        const struct value *by) {
    struct expr *pure = expr_new(w->arena, EXPR_VAR, iv->var->type, iv->var->range);
    pure->var = iv->var;
    struct value *v = arena_alloc(w->arena, sizeof *v);
    if (start->kind == VALUE_POINTER) {
        struct value *index = value_new(&w->trace, VALUE_INT);
        index->poly =
            by ? poly_multiply(w->arena, w->trace.iteration, by->poly) : poly_constant(w->arena, 0);
        *v = *value_advance(w, start, index, eval_type_size(w, iv->var->type->element), NULL);
    } else {
        *v = *start;
        v->poly = by ? poly_add(w->arena, start->poly,
                                poly_multiply(w->arena, w->trace.iteration, by->poly))
                     : start->poly;
    }
    if (by)
        value_inherit(&w->trace, v, by);
    v->pure = pure;
    v->level = 0;
    v->nsites = 0;
    return v;
}

static const struct value *value_of_entry(struct interp *w, const struct iv *iv) {
    struct expr *e = expr_new(w->arena, EXPR_VAR, iv->entry->type, iv->entry->range);
    e->var = iv->entry;
    return eval(w, e);
}

void inductions_stand(struct interp *w) {
    for (int i = 0; i < w->trace.nivs; ++i) {
        const struct iv *iv = &w->trace.ivs[i];
        if (iv->state != IV_NOT && !env_find(&w->env, iv->var))
            env_set(w, iv->var, value_of_entry(w, iv));
    }
}

static void begin(struct interp *w, struct iv *iv) {
    const struct value *by = NULL, *start;
    if (iv->state == IV_KNOWN) {
        start = header_start(w, iv->var, iv->entry);
        w->recalls = true;
        by = eval(w, iv->by);
        w->recalls = false;
    } else {
        start = value_of_entry(w, iv);
    }
    iv->start = at_iteration(w, iv, start, by);
    iv->step = by ? by->poly : NULL;
    env_set(w, iv->var, iv->start);
    env_find(&w->env, iv->var)->outer = false;
    if (iv->state == IV_KNOWN && !iv->start->poly) {
        iv->state = IV_NOT;
        w->afresh = true;
    }
}

/* The iteration's number is not the distance of the loop's variable from where it began. */
static bool count_otherwise(struct interp *w) {
    if (w->trace.by_number || w->trace.iteration)
        return false;
    w->trace.by_number = w->again = w->afresh = true;
    iv_of(w, w->loop->variable)->state = IV_KNOWN;
    return true;
}

void inductions_begin(struct interp *w) {
    for (int i = 0; i < w->trace.nivs; ++i)
        w->ivs[i].start = NULL;
    for (int i = 0; i < w->trace.nivs; ++i) {
        if (w->trace.ivs[i].state != IV_NOT && !env_find(&w->env, w->trace.ivs[i].var)) {
            if (w->trace.ivs[i].state == IV_KNOWN && count_otherwise(w))
                return;
            begin(w, &w->ivs[i]);
        }
    }
}

const struct value *inductions_header(struct interp *w) {
    struct iv *iv = iv_of(w, w->loop->variable);
    begin(w, iv);
    return header_start(w, iv->var, iv->entry);
}

/* Units by which the interpretation moved the variable; NULL when they are not known. */
static const struct poly *moved_by(struct interp *w, const struct iv *iv) {
    const struct value *from = iv->start, *to = env_find(&w->env, iv->var)->value;
    if (from->kind != to->kind || from->region != to->region || !from->poly || !to->poly ||
        from->nparts != to->nparts || (from->nparts && from->parts != to->parts) ||
        from->row != to->row || from->outer != to->outer || !wrap_same(from, to) ||
        env_find(&w->env, iv->var)->assigned != ASSIGNED_YES) {
        return NULL;
    }
    interp_demand(w, to->demand);
    const struct poly *by = poly_subtract(w->arena, to->poly, from->poly);
    return from->kind == VALUE_POINTER
               ? poly_divide(w->arena, by, eval_type_size(w, iv->var->type->element))
               : by;
}

/* Does it say the same in every iteration? What other candidates hold does not. */
static bool is_fixed(const struct interp *w, const struct poly *by) {
    if (!poly_is_invariant(w->trace.syms, by))
        return false;
    for (int i = 0; i < by->nmonomials; ++i) {
        for (int j = 0; j < by->monomials[i].nsyms; ++j) {
            const struct expr *e = w->trace.syms->items[by->monomials[i].syms[j]]->expr;
            if (e->kind == EXPR_VAR && e->var->entry_of)
                return false;
        }
    }
    return true;
}

static bool is_header_variable(const struct interp *w, const struct iv *iv) {
    return iv->var == w->loop->variable;
}

static void end(struct interp *w, struct iv *iv) {
    if (iv->state == IV_NOT || is_header_variable(w, iv))
        return;
    const struct poly *by = moved_by(w, iv);
    if (iv->state == IV_QUERIED) {
        iv->state = by && is_fixed(w, by) ? IV_KNOWN : IV_NOT;
        iv->by = iv->state == IV_KNOWN ? poly_expr(w->trace.syms, by, true) : NULL;
        w->afresh = true;
    } else if (!by || !poly_equal(by, iv->step)) {
        iv->state = IV_NOT;
        w->afresh = true;
    }
}

/* requires: the walk over the body and what the header adds. */
void inductions_end(struct interp *w) {
    for (int i = 0; i < w->trace.nivs; ++i)
        if (w->trace.ivs[i].start)
            end(w, &w->ivs[i]);
}

/* ---- between interpretations ----------------------------------------------------------------- */

static void forget_assumptions(struct interp *w) {
    w->trace.tainted = (struct int_table){.arena = w->arena};
    w->trace.ntaints = 0;
    w->trace.taints = NULL;
    w->trace.ncarried = w->nextra = 0;
    w->trace.carried = NULL;
    w->extra = NULL;
}

bool inductions_learn(struct interp *w) {
    bool asked = false;
    for (int i = 0; i < w->trace.ncarried && !w->afresh; ++i) {
        struct variable *var = w->trace.carried[i];
        if (!iv_of(w, var) && may_move(w, var) && is_used(w, var)) {
            iv_add(w, var)->state = IV_QUERIED;
            asked = true;
        }
    }
    bool afresh = asked || w->afresh;
    w->afresh = false;
    if (afresh)
        forget_assumptions(w);
    return afresh;
}

void inductions_prepare(struct interp *w) {
    struct loop *loop = w->loop;
    struct variable *number = arena_alloc(w->arena, sizeof *number);
    *number = (struct variable){.name = "orrery_i", .type = type_long(), .storage = STORAGE_LOCAL};
    number->entry_of = number;
    w->trace.number = number;
    if (!loop->canonical || !loop->variable)
        return;
    struct iv *iv = iv_add(w, loop->variable);
    bool pointer = loop->variable->type->kind == TYPE_POINTER;
    w->trace.by_number = pointer || loop->stride;
    iv->state = w->trace.by_number ? IV_KNOWN : IV_NOT;
    iv->by = expr_integer(w->arena, loop->step);
    if (loop->stride) {
        iv->by = expr_cast(w->arena, type_long(), loop->stride);
        iv->by = loop->step > 0 ? iv->by
                                : expr_binary(w->arena, OP_SUB, expr_integer(w->arena, 0), iv->by);
    }
    for (int i = 0; i < loop->nentries; ++i)
        if (loop->entries[i]->entry_of != loop->variable)
            iv_add(w, (struct variable *)loop->entries[i]->entry_of)->state = IV_QUERIED;
}

/* Variables that the header moves have to be known: its text is not kept. */
static void refuse_moved(struct interp *w, const struct expr *next) {
    if (!next)
        return;
    if (next->kind == EXPR_COMMA) {
        refuse_moved(w, next->args[0]);
        refuse_moved(w, next->args[1]);
        return;
    }
    const struct variable *var = lvalue_variable(next->args[0]);
    const struct iv *iv = iv_of(w, var);
    if (var != w->loop->variable && (!iv || iv->state != IV_KNOWN)) {
        interp_refuse(&w->trace, ORR2240, next->range,
                      "compute it in the body from the loop's variable",
                      "the loop's header changes `%s`, which does not move by the same amount each "
                      "time",
                      var ? var->name : "something");
    }
}

void inductions_collect(struct interp *w) {
    struct loop_facts *facts = w->facts;
    facts->by_number = w->trace.by_number;
    if (!w->loop->canonical)
        return;
    int refusals = facts->nrefusals;
    refuse_moved(w, w->loop->next);
    if (facts->nrefusals > refusals) {
        struct refusal first = facts->refusals[refusals];
        memmove(&facts->refusals[1], &facts->refusals[0],
                (size_t)refusals * sizeof *facts->refusals);
        facts->refusals[0] = first;
    }
    for (int i = 0; i < w->trace.nivs; ++i) {
        const struct iv *iv = &w->trace.ivs[i];
        if (iv->state == IV_KNOWN) {
            struct induction induction = {iv->var, iv->entry, iv->by};
            ARENA_PUSH(w->arena, facts->inductions, facts->ninductions, induction);
        }
    }
}

bool inductions_has(const struct loop_facts *facts, const struct variable *var) {
    for (int i = 0; i < facts->ninductions; ++i)
        if (facts->inductions[i].var == var || facts->inductions[i].entry == var)
            return true;
    return false;
}
