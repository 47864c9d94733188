/* The analyzed loop's own header: where its variable begins, how it moves, and its bounds. */
#include "analyzer/access/interp/interp.h"

/* ---- what a variable holds where the loop begins --------------------------------------------- */

static const struct value *header_value(struct interp *w, struct expr *e) {
    const struct value *v = eval(w, e);
    value_consume(w, v);
    return v;
}

/* The value of `var` in the header's initial part, the last one in the order of the text. */
static void set_by(struct expr *e, const struct variable *var, struct expr **value) {
    if (e->kind == EXPR_COMMA) {
        set_by(e->args[0], var, value);
        set_by(e->args[1], var, value);
    } else if (e->kind == EXPR_ASSIGN && e->op == OP_NONE) {
        struct expr *from = e->args[1];
        set_by(from, var, value);
        while (from->kind == EXPR_ASSIGN)
            from = from->args[1];
        if (e->args[0]->kind == EXPR_VAR && e->args[0]->var == var)
            *value = from;
    }
}

struct touches {
    const struct variable *var;
    struct stmt *init;
    bool written, label;
    int times;
};

static void count_write(void *data, struct expr *e) {
    struct touches *touches = data;
    touches->times += (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT) &&
                      lvalue_variable(e->args[0]) == touches->var;
}

/* What a declaration or an assignment sets `var` to, when it sets it once. */
static struct expr *set_in(struct stmt *s, const struct variable *var) {
    struct expr *value = NULL;
    struct touches touches = {.var = var};
    if (s)
        stmt_visit(s, count_write, &touches);
    if (touches.times > (s && s->kind == STMT_EXPR ? 1 : 0))
        return NULL;
    for (int i = 0; s && s->kind == STMT_DECL && i < s->nvars; ++i)
        value = s->vars[i] == var ? s->vars[i]->init : value;
    if (s && s->kind == STMT_EXPR)
        set_by(s->expr, var, &value);
    return value;
}

static void see_write(void *data, struct expr *e) {
    struct touches *touches = data;
    bool writes = (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT) &&
                  lvalue_variable(e->args[0]) == touches->var;
    touches->written = touches->written || writes;
}

static void see_label(void *data, struct stmt *s) {
    struct touches *touches = data;
    touches->label = touches->label || s->kind == STMT_LABEL || s->kind == STMT_CASE;
    if (s->loop && s->loop->init)
        stmt_visit(s->loop->init, see_write, data);
}

/* May anything in these statements, the loop at the end included, set the variable otherwise? */
static bool is_kept(struct stmt *const *from, int count, const struct variable *var) {
    struct touches touches = {.var = var};
    for (int i = 0; i < count; ++i) {
        stmt_visit(from[i], see_write, &touches);
        stmt_each(from[i], see_label, &touches);
    }
    return !touches.written && !touches.label;
}

/* Constants and variables that stay what they are through `from`. */
static bool stays(const struct expr *e, struct stmt *const *from, int count) {
    switch (e->kind) {
    case EXPR_INT:
        return true;
    case EXPR_VAR:
        return type_is_array(e->type) ||
               (e->var->function && !e->var->address_taken &&
                e->var->storage != STORAGE_STATIC_LOCAL && is_kept(from, count, e->var));
    case EXPR_UNARY:
    case EXPR_CAST:
        return stays(e->args[0], from, count);
    case EXPR_ADDRESS:
        return e->args[0]->kind == EXPR_SUBSCRIPT && stays(e->args[0]->args[0], from, count) &&
               stays(e->args[0]->args[1], from, count);
    case EXPR_BINARY:
        return stays(e->args[0], from, count) && stays(e->args[1], from, count);
    default:
        return false;
    }
}

/* What the statements in front of statement `at` of a block leave in `var`; NULL: not known. */
static struct expr *set_before(const struct stmt *block, int at, const struct variable *var) {
    for (int i = at - 1; i >= 0; --i) {
        struct stmt *s = block->body[i];
        struct expr *value = set_in(s, var);
        if (value)
            return stays(value, &block->body[i + 1], at - i) ? value : NULL;
        if (!is_kept(&block->body[i], 1, var))
            return NULL;
    }
    return NULL;
}

struct search {
    const struct loop *loop;
    const struct variable *var;
    struct expr *value;
};

static void search_block(void *data, struct stmt *s) {
    struct search *search = data;
    for (int i = 0; s->kind == STMT_BLOCK && i < s->nbody; ++i)
        if (s->body[i] == search->loop->stmt)
            search->value = set_before(s, i, search->var);
}

static struct expr *set_in_front(const struct interp *w, const struct variable *var) {
    struct search search = {.loop = w->loop, .var = var};
    if (w->loop->function && w->loop->function->body)
        stmt_each(w->loop->function->body, search_block, &search);
    return search.value;
}

static bool is_start(const struct value *v, const struct variable *var) {
    bool integer = v->kind == VALUE_INT && var->type->kind == TYPE_INT;
    bool pointer = v->kind == VALUE_POINTER && var->type->kind == TYPE_POINTER &&
                   v->region->kind != REGION_UNKNOWN && v->region->kind != REGION_TEXT;
    return v->level < 0 && v->poly && (integer || pointer);
}

static void region_is_shared(struct interp *w, const struct region *region) {
    for (; region; region = region->table)
        region_change(w, region)->in_callee = true;
}

/* A variable that the header sets, too, need not hold any more what `init` read of it. */
static void see_set(void *data, struct expr *e) {
    struct touches *touches = data;
    const struct variable *read = e->kind == EXPR_VAR ? e->var : NULL;
    struct touches own = {.var = read};
    if (read) {
        stmt_visit(touches->init, count_write, &own);
        touches->times += own.times;
    }
}

static bool reads_what_is_set(const struct interp *w, struct expr *init) {
    struct touches touches = {.init = w->loop->init};
    if (w->loop->init && w->loop->init->kind == STMT_EXPR)
        expr_visit(init, see_set, &touches);
    return touches.times > 0;
}

/* What it says of variables that the body moves is said of what they hold where the loop begins. */
static const struct value *start_value(struct interp *w, struct expr *init) {
    struct env kept = env_copy(w, &w->env);
    inductions_stand(w);
    const struct value *v = header_value(w, init);
    w->env = kept;
    return v;
}

const struct value *header_start(struct interp *w, struct variable *var, struct variable *entry) {
    struct expr *init = set_in(w->loop->init, var);
    if (!init && (!w->loop->init || is_kept(&w->loop->init, 1, var)))
        init = set_in_front(w, var);
    const struct value *v = NULL;
    if (init && !expr_has_effect(init) && !reads_what_is_set(w, init))
        v = value_convert(w, start_value(w, init), init->type, var->type);
    if (!v || !is_start(v, var)) {
        struct expr *e = expr_new(w->arena, EXPR_VAR, entry->type, entry->range);
        e->var = entry;
        v = header_value(w, e);
    }
    if (v->kind == VALUE_POINTER)
        region_is_shared(w, v->region);
    return v;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static void refuse_carried_bound(struct interp *w, const struct expr *e) {
    for (int i = 0; i < w->trace.nrefs; ++i) {
        const struct ref *ref = &w->trace.refs[i];
        if (ref->header && ref->scalar) {
            interp_refuse(&w->trace, ORR2224, e->range,
                          "copy it into a local variable before the loop",
                          "the loop's bound reads `%s`, which the loop changes",
                          expr_print(w->arena, ref->expr));
        }
    }
}

static struct expr *variable_read(struct interp *w, struct variable *var) {
    struct expr *e = expr_new(w->arena, EXPR_VAR, var->type, var->range);
    e->var = var;
    return e;
}

/* What the variable begins with, as the run can say it in front of the loop. */
static struct expr *begin_expr(struct interp *w, const struct poly *begin) {
    struct variable *var = w->loop->variable;
    struct expr *e =
        begin ? poly_expr(w->trace.syms, begin, true) : variable_read(w, inductions_entry(w, var));
    return expr_cast(w->arena, var->type, e);
}

/* The type's own order of what the variable begins with and its bound, for the run to check. */
static void demand_order(struct interp *w, const struct poly *begin) {
    const struct loop *loop = w->loop;
    enum op op = loop->step > 0 ? loop->ahead ? OP_LT : OP_LE : loop->ahead ? OP_GT : OP_GE;
    interp_demand(w, expr_binary(w->arena, op, begin_expr(w, begin),
                                 expr_cast(w->arena, loop->variable->type, loop->upper)));
}

/* What comes behind the first round of `do ... while` must not have gone around the type's end. */
static void demand_first_step(struct interp *w, const struct poly *begin) {
    const struct loop *loop = w->loop;
    struct expr *last = expr_integer(w->arena, access_last_start(loop));
    interp_demand(w, expr_binary(w->arena, loop->step > 0 ? OP_LE : OP_GE, begin_expr(w, begin),
                                 expr_cast(w->arena, loop->variable->type, last)));
}

/* `!=` of a variable that wraps around is reached from the other side as well. */
static void check_order(struct interp *w, const struct poly *begin, const struct poly *end) {
    const struct loop *loop = w->loop;
    const struct type *type = loop->variable->type;
    const struct poly *first = poly_add(w->arena, begin, poly_constant(w->arena, loop->ahead));
    const struct poly *way = poly_scale(w->arena, poly_subtract(w->arena, end, first), loop->step);
    if (!access_wraps(w, type))
        return;
    if (loop->form == LOOP_DO) {
        if (!access_steps_inside(loop, first))
            demand_first_step(w, begin);
    } else if (loop->relation == OP_NE && type->size >= 4 && !meaning_nonnegative(&w->trace, way)) {
        demand_order(w, begin);
    }
}

/* The loop's variable as LOOP symbol: from `lower` to `upper` by a constant step. */
static void count_by_variable(struct interp *w, const struct value *lower,
                              const struct value *upper) {
    struct loop *loop = w->loop;
    struct sym *sym = trips_counter(w, loop);
    const struct poly *ahead = poly_constant(w->arena, loop->ahead);
    const struct poly *start = poly_add(w->arena, value_int_poly(lower), ahead);
    bool strict = loop->relation == OP_LT || loop->relation == OP_GT || loop->relation == OP_NE;
    long off = strict ? (loop->step > 0 ? -1 : 1) : 0;
    const struct poly *end =
        poly_add(w->arena, value_int_poly(upper), poly_constant(w->arena, off));
    check_order(w, value_int_poly(lower), value_int_poly(upper));
    if (loop->form == LOOP_DO)
        end = NULL;
    sym->lower = loop->step > 0 ? start : end;
    sym->unsigned_type = !loop->variable->type->is_signed &&
                         (loop->relation != OP_NE || meaning_nonnegative(&w->trace, sym->lower));
    sym->upper = loop->step > 0 ? end : start;
    struct interp_inner inner = {
        .loop = loop, .sym = sym, .lower = sym->lower, .upper = sym->upper, .step = loop->step};
    ARENA_PUSH(w->arena, w->inner, w->trace.ninner, inner);
    w->trace.inner = w->inner;
    struct value *v = value_new(&w->trace, VALUE_INT);
    v->poly = poly_sym(w->arena, sym);
    v->pure = variable_read(w, loop->variable);
    v->level = 0;
    sym->expr = v->pure;
    const struct poly *trips = poly_subtract(w->arena, v->poly, start);
    w->trace.iteration = poly_divide(w->arena, trips, poly_constant(w->arena, loop->step));
    env_set(w, loop->variable, v);
    env_find(&w->env, loop->variable)->outer = false;
}

/* How many elements lie between two pointers into one object; NULL when that is not known. */
static const struct poly *elements_between(struct interp *w, const struct value *from,
                                           const struct value *to, const struct type *type) {
    bool same = from->kind == VALUE_POINTER && to->kind == VALUE_POINTER &&
                from->region == to->region && !from->nparts && !to->nparts && !from->row &&
                !to->row;
    return same ? poly_divide(w->arena, poly_subtract(w->arena, to->poly, from->poly),
                              eval_type_size(w, type->element))
                : NULL;
}

/* The greatest number of an iteration, when the step is 1. */
static const struct poly *last_number(struct interp *w, const struct value *start,
                                      const struct value *end) {
    const struct loop *loop = w->loop;
    const struct type *type = loop->variable->type;
    bool equal = loop->relation == OP_LE || loop->relation == OP_GE;
    if (loop->stride || (loop->step != 1 && loop->step != -1) || loop->form == LOOP_DO)
        return NULL;
    bool up = loop->step > 0;
    const struct poly *count = type->kind == TYPE_POINTER
                                   ? elements_between(w, up ? start : end, up ? end : start, type)
                                   : poly_subtract(w->arena, value_int_poly(up ? end : start),
                                                   value_int_poly(up ? start : end));
    return poly_add(w->arena, count, poly_constant(w->arena, equal ? 0 : -1));
}

/*
 * The iteration's number 0, 1, ... as LOOP symbol; the loop's variable is one of the inductions. In
 * a loop that goes down it is 0, -1, ..., so that what its variable reaches lies in the symbol's
 * order.
 */
static void count_by_number(struct interp *w, const struct value *upper) {
    struct loop *loop = w->loop;
    struct sym *sym = trips_counter(w, loop);
    bool up = loop->step > 0;
    const struct poly *zero = poly_constant(w->arena, 0);
    sym->unsigned_type = up;
    sym->expr = variable_read(w, w->trace.number);
    if (!up)
        sym->expr = expr_binary(w->arena, OP_SUB, expr_integer(w->arena, 0), sym->expr);
    w->trace.iteration = poly_scale(w->arena, poly_sym(w->arena, sym), up ? 1 : -1);
    struct interp_inner inner = {.loop = loop, .sym = sym, .step = up ? 1 : -1};
    ARENA_PUSH(w->arena, w->inner, w->trace.ninner, inner);
    w->trace.inner = w->inner;
    const struct value *first = inductions_header(w);
    const struct poly *last = last_number(w, first, upper);
    check_order(w, value_int_poly(first), value_int_poly(upper));
    sym->lower = up ? zero : poly_scale(w->arena, last, -1);
    sym->upper = up ? last : zero;
    w->inner[0].lower = sym->lower;
    w->inner[0].upper = sym->upper;
}

/* What the bound says of variables is said of what they hold where the loop begins. */
static void set_entries(struct interp *w) {
    for (int i = 0; i < w->loop->nentries; ++i) {
        struct variable *entry = w->loop->entries[i];
        env_set(w, entry, header_start(w, (struct variable *)entry->entry_of, entry));
    }
}

/* The header must not depend on what the body does: its bounds are taken once. */
void header_interp(struct interp *w) {
    struct loop *loop = w->loop;
    w->in_header = true;
    set_entries(w);
    const struct value *upper = header_value(w, loop->upper);
    refuse_carried_bound(w, loop->upper);
    if (loop->stride)
        header_value(w, loop->stride);
    if (w->trace.by_number) {
        count_by_number(w, upper);
    } else {
        count_by_variable(w, header_start(w, loop->variable, inductions_entry(w, loop->variable)),
                          upper);
    }
    inductions_begin(w);
    w->in_header = false;
}

static void see_input(void *data, struct expr *e) {
    bool *reads = data;
    *reads =
        *reads || (e->kind == EXPR_CALL && e->function && effects_say(e->function, EFFECT_INPUT));
}

/* `while (fscanf(...) == 3)` */
static bool reads_input(const struct loop *loop) {
    bool reads = false;
    expr_visit(loop->cond, see_input, &reads);
    return reads;
}

static const char *header_why(const struct loop *loop) {
    return reads_input(loop)
               ? "its condition reads input, and how often that succeeds is known afterwards only"
           : loop->why_not                                   ? loop->why_not
           : loop->variable && loop->variable->address_taken ? "its variable's address is taken"
                                                             : "its variable is not known";
}

static const char *header_fix(const struct loop *loop) {
    if (reads_input(loop))
        return "read all records into an array first, in a serial loop, and count through that";
    if (loop->variable && loop->variable->address_taken)
        return "take the address of a copy of the variable, declared in the body";
    bool pointer = loop->variable && loop->variable->type->kind == TYPE_POINTER;
    return pointer ? "gather what it visits in an array first, and count through that"
                   : "write it as for (long i = first; i < last; ++i), with a bound and a variable "
                     "that the body does not change";
}

bool header_check(struct interp *w) {
    struct loop *loop = w->loop;
    if (!loop->canonical || !loop->variable || loop->variable->address_taken || !loop->upper ||
        loop->step == 0) {
        interp_refuse(&w->trace, ORR2223, loop->header, header_fix(loop),
                      "the loop's header is not canonical: %s", header_why(loop));
        return false;
    }
    return true;
}
