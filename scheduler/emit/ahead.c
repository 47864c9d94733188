/*
 * Relaxed arrays whose elements the data choose: what iterations some way ahead touch is asked for.
 * First the rows behind tables of pointers that tell which, then the elements themselves.
 */
#include "scheduler/emit/print.h"

/* Iterations between what asks and what touches: structures behind pointers, rows behind these, and
 * elements, whose numbers stand in the rows. */
enum { TABLES_AHEAD = 16, ROWS_AHEAD = 8, ELEMENTS_AHEAD = 2 };

/* ---- elements -------------------------------------------------------------------------------- */

static bool calls(const struct expr *e) {
    bool found = e->kind == EXPR_CALL;
    for (int i = 0; i < e->nargs && !found; ++i)
        found = e->args[i] && calls(e->args[i]);
    return found;
}

/* Do the data choose, in a way that costs little? */
static bool is_chosen(const struct affine *value) {
    bool chosen = false, costs = false;
    for (int i = 0; i < value->nterms; ++i) {
        const struct symbol *symbol = value->terms[i].symbol;
        chosen |= symbol->kind == SYMBOL_KEY;
        costs |= symbol->expr && calls(symbol->expr);
    }
    return chosen && !costs;
}

/* The relaxed array of which the data choose the elements that are listed; -1: none. */
static int relaxed_of(const struct outline *job, const struct emit_touch *touch) {
    bool chosen = is_chosen(&touch->access->subs[touch->sub].value);
    for (int j = 0; chosen && j < job->nreductions; ++j) {
        const struct reduction *r = emit_merged_at(job, j);
        if (r && r->op == REDUCE_RELAX && r->marked && r->object == touch->access->object)
            return j;
    }
    return -1;
}

static void print_element(const struct outline *job, const struct emit_touch *touch, int indent,
                          struct text *out) {
    const struct object *object = touch->access->object;
    text_print(
        out,
        "%*s__builtin_prefetch((const char *)orrery_b->accumulators[%d] + %s%s(%s) * (%s), 1);\n",
        indent, "", relaxed_of(job, touch),
        object->origin_text ? emit_localize(job, object->origin_text) : "",
        object->origin_text ? " + " : "",
        emit_affine_text(job, &touch->access->subs[touch->sub].value),
        emit_localize(job, object->dims[0].stride_text));
}

/* Which of the touch's loops counts by this variable; -1: none. */
static int round_of(const struct outline *job, const struct emit_touch *touch,
                    const struct variable *var) {
    for (int l = 0; l < touch->nloops; ++l)
        if (job->facts->inner[touch->loops[l]].loop->variable == var)
            return l;
    return -1;
}

/* Two touches, and a part of what each is made of. */
struct pair {
    const struct outline *job;
    const struct emit_touch *a, *b;
};

static bool alike(const struct pair *pair, const struct expr *a, const struct expr *b) {
    if (expr_equal(a, b))
        return true;
    if (a->kind == EXPR_VAR && b->kind == EXPR_VAR) {
        int round = round_of(pair->job, pair->a, a->var);
        return round >= 0 && round == round_of(pair->job, pair->b, b->var);
    }
    bool same = a->kind == b->kind && a->op == b->op && a->field == b->field && a->nargs > 0 &&
                a->nargs == b->nargs;
    for (int i = 0; i < a->nargs && same; ++i)
        same = alike(pair, a->args[i], b->args[i]);
    return same;
}

/* A loop over some elements that reads them, and one that writes them, are asked for once. */
static bool is_again(const struct pair *pair) {
    const struct affine *a = &pair->a->access->subs[pair->a->sub].value,
                        *b = &pair->b->access->subs[pair->b->sub].value;
    bool same = pair->a->object == pair->b->object && pair->a->nloops == pair->b->nloops &&
                a->nterms == b->nterms && a->constant == b->constant;
    for (int i = 0; i < a->nterms && same; ++i) {
        const struct symbol *x = a->terms[i].symbol, *y = b->terms[i].symbol;
        same = a->terms[i].coeff == b->terms[i].coeff &&
               (x == y || (x->expr && y->expr && alike(pair, x->expr, y->expr)));
    }
    return same;
}

static void print_elements(const struct outline *job, struct text *out) {
    for (int i = 0; i < job->ntouches; ++i) {
        bool again = relaxed_of(job, &job->touches[i]) < 0;
        for (int k = 0; k < i && !again; ++k)
            again = is_again(&(struct pair){job, &job->touches[k], &job->touches[i]});
        if (!again)
            emit_list_print(job, &job->touches[i], print_element, out);
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Do both begin with one table, or array of structures, and the same pointers in it? */
static bool begin_alike(const struct object *a, const struct object *b) {
    bool one = a->base ? b->base && expr_equal(a->base, b->base) : !b->base && a->var == b->var;
    return one &&
           (a->ntables == 0 || (a->table_at == b->table_at && a->table_step == b->table_step));
}

/* Every iteration reads what stands there, behind so many tables. */
static bool is_read(const struct outline *job, const struct object *object, int ntables,
                    const struct affine *value) {
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *a = &job->facts->accesses[i];
        if (a->object->ntables == ntables && begin_alike(a->object, object) && !a->conditional &&
            !a->when && !a->domain && a->nloops == 0 && a->nsubs > 0 && a->subs[0].known &&
            affine_equal(&a->subs[0].value, value))
            return true;
    }
    return false;
}

/* An access to rows that are this iteration's alone, of whose pointers each is there. */
static const struct access *row_access(const struct outline *job, const struct object *object) {
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *a = &job->facts->accesses[i];
        const struct affine *value = a->nsubs > 0 ? &a->subs[0].value : NULL;
        bool own = a->object == object && value && a->subs[0].known && value->nterms == 1 &&
                   value->terms[0].symbol->kind == SYMBOL_LOOP &&
                   value->terms[0].symbol->loop == job->loop;
        if (own && is_read(job, object, 0, value) &&
            (object->ntables == 1 || is_read(job, object, 1, value)))
            return a;
    }
    return NULL;
}

/* Where the pointer to the row of iteration `i` stands; in a structure behind a pointer for rows
 * behind two tables. */
static const char *pointer_text(const struct outline *job, const struct object *object,
                                const struct access *access) {
    const char *at = arena_printf(
        job->arena, "(const char *)(%s) + %ldL + (%s) * %ldL", emit_base_text(job, object),
        object->table_step ? object->table_at : 0, emit_affine_text(job, &access->subs[0].value),
        object->table_step ? object->table_step : (long)sizeof(char *));
    return object->ntables == 1 ? at
                                : arena_printf(job->arena, "*(const char *const *)(%s) + %ldL", at,
                                               object->inner_at);
}

/* Rows behind `ntables` tables. */
static void print_rows(const struct outline *job, int ntables, struct text *out) {
    for (int i = 0; i < job->narrays; ++i) {
        const struct object *object = job->arrays[i]->object;
        bool mine = object->kind == OBJECT_ROWS && object->ntables == ntables && !object->when &&
                    job->arrays[i]->placement == PLACE_REPLICATED;
        const struct access *access = mine ? row_access(job, object) : NULL;
        if (access && (ntables == 1 || object->inner_step))
            text_print(out, "    orrery_ask(*(const char *const *)(%s));\n",
                       pointer_text(job, object, access));
    }
}

/* ---- text ------------------------------------------------------------------------------------ */

enum asked { TABLES, ROWS, ELEMENTS };

static void print_function(const struct outline *job, enum asked what, const char *name,
                           struct text *out) {
    struct text body;
    text_start(&body, job->arena);
    text_print(&body, "%s",
               emit_variables_text(job, "orrery_env->orrery_lower", "orrery_i", "    "));
    if (what == ELEMENTS)
        print_elements(job, &body);
    else
        print_rows(job, what == ROWS ? 2 : 1, &body);
    text_print(out,
               "static __inline__ __attribute__((__always_inline__)) void orrery_%s_%d(\n"
               "    const struct orrery_block *orrery_b, long orrery_i) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_b->env;\n"
               "    struct orrery_span *const orrery_s = 0;\n    (void)orrery_s;\n",
               name, job->number, job->number);
    emit_locals_print(job, body.bytes, false, out);
    text_print(out, "%s}\n\n", body.bytes);
}

static bool asks(const struct outline *job) {
    bool any = false;
    for (int i = 0; i < job->ntouches; ++i)
        any |= relaxed_of(job, &job->touches[i]) >= 0;
    return any && !job->standalone && plan_serves(job->plan);
}

void emit_ahead_print(const struct outline *job, struct text *out) {
    if (!asks(job))
        return;
    print_function(job, TABLES, "tables", out);
    print_function(job, ROWS, "rows", out);
    print_function(job, ELEMENTS, "elements", out);
}

void emit_ahead_call_print(const struct outline *job, struct text *out) {
    if (!asks(job))
        return;
    text_print(out,
               "        if (orrery_i + %d < orrery_end) {\n"
               "            orrery_tables_%d(orrery_b, orrery_i + %d);\n"
               "            orrery_rows_%d(orrery_b, orrery_i + %d);\n"
               "            if (orrery_b->is_far)\n"
               "                orrery_elements_%d(orrery_b, orrery_i + %d);\n        }\n",
               TABLES_AHEAD, job->number, TABLES_AHEAD, job->number, ROWS_AHEAD, job->number,
               ELEMENTS_AHEAD);
}
