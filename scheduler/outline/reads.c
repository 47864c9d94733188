/*
 * What gather, lists, weights and intervals read: functions that a run calls before an iteration
 * runs, and whose results it keeps as long as that stays the same. Memory has a span per pointer or
 * variable that it lies behind; of the environment those fields count that are named.
 */
#include "scheduler/base/guard.h"
#include "scheduler/outline/collect.h"
#include "scheduler/outline/touch.h"

#include <string.h>

/* ---- the gather ------------------------------------------------------------------------------ */

static void of_symbol(const struct outline *job, const struct symbol *s, const struct expr *expr,
                      reads_each *each, void *data) {
    each(data, job, expr, s->nguards, s->guards, s->sense);
}

static void of_key(const struct outline *job, int dim, reads_each *each, void *data) {
    const struct dim *d = dim >= 0 ? &job->plan->analysis->dims[dim] : NULL;
    if (!d || d->kind == DIM_VARIABLE)
        return;
    of_symbol(job, d->symbol, d->symbol->expr, each, data);
    if (d->symbol->row_guard)
        of_symbol(job, d->symbol, d->symbol->row_guard, each, data);
}

struct names {
    const char *text;
    bool all;
};

static void visit_name(void *data, struct expr *expr, struct expr *parent) {
    struct names *names = data;
    (void)parent;
    if (expr->kind == EXPR_VAR)
        names->all = names->all && token_uses(names->text, expr->var->name);
}

/* A guard about single iterations names all variables of the value. */
static bool is_guarded(const struct outline *job, const struct expr *value) {
    for (int i = 0; i < job->facts->nguards; ++i) {
        const struct guard *guard = &job->facts->guards[i];
        struct names names = {guard->text, true};
        emit_walk_expr((struct expr *)value, NULL, visit_name, &names);
        if (guard->kind == GUARD_KEY_RANGE && names.all)
            return true;
    }
    return false;
}

void reads_of_gather(const struct outline *job, reads_each *each, void *data) {
    int dims[PLAN_KEYS], nkeys = plan_keys(job->plan, dims);
    for (int k = 0; k < nkeys; ++k)
        of_key(job, dims[k], each, data);
    for (int i = 0; i < job->nslots; ++i) {
        const struct stream_load *load = job->slots[i].load;
        if (job->slots[i].touch)
            continue; /* the list reads it */
        each(data, job, load->expr, load->nguards, load->guards, load->sense);
    }
    for (int i = 0; i < job->facts->nsymbols && emit_has_key_ranges(job); ++i) {
        const struct symbol *s = job->facts->symbols[i];
        if (s->kind != SYMBOL_LOOP && !s->inner && s->expr &&
            (s->kind == SYMBOL_KEY || is_guarded(job, s->expr)))
            of_symbol(job, s, s->expr, each, data);
    }
}

/* ---- lists and weights ----------------------------------------------------------------------- */

static void of_affine(const struct outline *job, const struct affine *affine, reads_each *each,
                      void *data) {
    for (int i = 0; i < affine->nterms; ++i)
        if (affine->terms[i].symbol->kind != SYMBOL_LOOP)
            of_symbol(job, affine->terms[i].symbol, affine->terms[i].symbol->expr, each, data);
}

void reads_of_when(const struct outline *job, const struct emit_touch *touch, reads_each *each,
                   void *data) {
    if (touch->when)
        each(data, job, touch->when, 0, NULL, NULL);
}

static void reads_of_lists(const struct outline *job, reads_each *each, void *data) {
    for (int t = 0; t < job->ntouches; ++t) {
        const struct emit_touch *touch = &job->touches[t];
        for (int l = 0; l < touch->nloops; ++l) {
            of_affine(job, &job->facts->inner[touch->loops[l]].lower, each, data);
            of_affine(job, &job->facts->inner[touch->loops[l]].upper, each, data);
        }
        of_affine(job, &touch->access->subs[touch->sub].value, each, data);
        reads_of_when(job, touch, each, data);
    }
}

static void reads_of_weights(const struct outline *job, reads_each *each, void *data) {
    for (int i = 0; i < job->facts->ninner; ++i) {
        const struct inner_loop *inner = &job->facts->inner[i];
        if (!emit_is_weighed(job, inner))
            continue;
        of_affine(job, inner->step > 0 ? &inner->lower : &inner->upper, each, data);
        of_affine(job, inner->step > 0 ? &inner->upper : &inner->lower, each, data);
    }
}

/* ---- intervals ------------------------------------------------------------------------------- */

static void of_expr(const struct outline *job, const struct expr *expr, reads_each *each,
                    void *data) {
    if (expr)
        each(data, job, expr, 0, NULL, NULL);
}

static void of_interval(const struct outline *job, const struct interval *interval,
                        reads_each *each, void *data) {
    for (int i = 0; i < interval->nloops; ++i) {
        of_expr(job, interval->loops[i].when, each, data);
        of_expr(job, interval->loops[i].low, each, data);
        of_expr(job, interval->loops[i].high, each, data);
    }
    of_expr(job, interval->when, each, data);
    of_expr(job, interval->low, each, data);
    of_expr(job, interval->high, each, data);
}

static void reads_of_intervals(const struct outline *job, reads_each *each, void *data) {
    for (int g = 0; g < job->facts->nguards; ++g) {
        const struct intervals *intervals = job->facts->guards[g].intervals;
        for (int i = 0; intervals && !emit_guard_is_repeated(job->facts, g) && i < intervals->count;
             ++i)
            of_interval(job, &intervals->items[i], each, data);
    }
}

/* ---- spans ----------------------------------------------------------------------------------- */

static void add_span(struct outline *job, const char *behind) {
    for (int i = 0; i < job->nspans; ++i)
        if (strcmp(job->spans[i], behind) == 0)
            return;
    ARENA_PUSH(job->arena, job->spans, job->nspans, behind);
}

static void add_spans(void *data, const struct outline *job, const struct expr *expr, int nguards,
                      struct expr **guards, const bool *sense) {
    struct touches touches = {0};
    touches_add_guarded(job, expr, nguards, guards, sense, &touches);
    for (int i = 0; i < touches.count; ++i)
        if (touches.items[i].kind == TOUCH_READ)
            add_span(data, touches.items[i].behind);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static void see_variable(void *data, struct expr *expr, struct expr *parent) {
    struct outline *job = data;
    (void)parent;
    for (int i = 0; expr->kind == EXPR_VAR && i < job->nfields; ++i)
        job->fields[i].input =
            job->fields[i].input || (job->fields[i].role != FIELD_ADDRESS && job->fields[i].var &&
                                     job->fields[i].var == expr->var);
}

static void see_inputs(void *data, const struct outline *job, const struct expr *expr, int nguards,
                       struct expr **guards, const bool *sense) {
    (void)job;
    (void)sense;
    emit_walk_expr((struct expr *)expr, NULL, see_variable, data);
    for (int i = 0; i < nguards; ++i)
        emit_walk_expr(guards[i], NULL, see_variable, data);
}

static bool is_named_by_guard(const struct outline *job, const struct env_field *field) {
    for (int i = 0; i < job->facts->nguards; ++i)
        if (job->facts->guards[i].kind == GUARD_KEY_RANGE &&
            token_uses(job->facts->guards[i].text, field->name))
            return true;
    return false;
}

/* Where the variables are that move in each iteration, and by how much. */
static void see_inductions(struct outline *job) {
    for (int i = 0; i < job->nfields; ++i)
        for (int k = 0; k < job->facts->ninductions; ++k) {
            struct env_field *field = &job->fields[i];
            const struct induction *induction = &job->facts->inductions[k];
            field->input = field->input || field->var == induction->entry ||
                           strcmp(field->name, emit_by_name(job, induction)) == 0;
        }
}

bool outline_has_inputs(const struct outline *job) {
    return job->plan->by_key || emit_has_intervals(job) || emit_has_weights(job) ||
           plan_is_listed(job->plan) || plan_serves(job->plan);
}

void outline_reads(struct outline *job) {
    static void (*const of[])(const struct outline *, reads_each *, void *) = {
        reads_of_gather, reads_of_lists, reads_of_weights, reads_of_intervals};
    const bool there[] = {job->plan->by_key, plan_is_listed(job->plan) || plan_serves(job->plan),
                          emit_has_weights(job), emit_has_intervals(job)};
    bool any = false;
    for (int i = 0; i < 4; ++i) {
        if (there[i])
            of[i](job, add_spans, job);
        if (there[i])
            of[i](job, see_inputs, job);
        any = any || there[i];
    }
    if (any)
        see_inductions(job);
    for (int i = 0; i < job->nfields; ++i)
        job->fields[i].input = job->fields[i].input || job->fields[i].role == FIELD_EXTENT ||
                               (job->plan->by_key && is_named_by_guard(job, &job->fields[i]));
}
