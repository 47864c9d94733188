/* Calls that may end the program or not end. */
#include "analyzer/access/fault/fault.h"

enum { MOST_CALLS = 6, MOST_TRIPS = 1 << 10 };

static bool stmt_may_fault(struct fault_ask *ask, const struct stmt *s);

/* It is defined for what it is given, and ends. */
static bool is_total(const struct trace *t, const struct expr *call) {
    const struct effects *effects = effects_of(call->function);
    if (effects->domain >= 0 && effects->marks & EFFECT_TOTAL) {
        struct span_long at = {0};
        at = effects->domain < call->nargs ? span_of_expr(t, call->args[effects->domain]) : at;
        return at.known && at.low >= effects->low && at.high <= effects->high;
    }
    return effects->marks & EFFECT_TOTAL;
}

static bool args_may_fault(struct fault_ask *ask, const struct expr *call) {
    const struct function *f = call->function;
    for (int i = 0; i < call->nargs; ++i) {
        const struct type *type = i < f->nparams ? f->params[i]->type : call->args[i]->type;
        if (fault_of_converted(ask, call->args[i], type))
            return true;
    }
    return false;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static bool vars_may_fault(struct fault_ask *ask, const struct stmt *s) {
    for (int i = 0; i < s->nvars; ++i) {
        const struct variable *var = s->vars[i];
        if (!var->type || var->type->kind == TYPE_VLA || var->type->is_volatile ||
            (var->init && fault_of_converted(ask, var->init, var->type))) {
            return true;
        }
    }
    return false;
}

/* It ends soon whatever the data are: both of its bounds are numbers. */
static bool loop_ends(const struct trace *t, const struct loop *loop) {
    if (!loop->canonical || loop->form != LOOP_FOR || loop->limited || !loop->lower ||
        !loop->upper || loop->steps_in_body || loop->stride) {
        return false;
    }
    struct span_long from = span_of_expr(t, loop->lower), to = span_of_expr(t, loop->upper);
    bool numbers = from.known && to.known && from.low == from.high && to.low == to.high;
    return numbers && from.low > -MOST_TRIPS && from.low < MOST_TRIPS && to.low > -MOST_TRIPS &&
           to.low < MOST_TRIPS;
}

static bool loop_may_fault(struct fault_ask *ask, const struct loop *loop) {
    return !loop_ends(ask->t, loop) || (loop->init && stmt_may_fault(ask, loop->init)) ||
           (loop->cond && fault_of(ask, loop->cond)) || (loop->next && fault_of(ask, loop->next)) ||
           stmt_may_fault(ask, loop->body);
}

static bool block_may_fault(struct fault_ask *ask, const struct stmt *s) {
    for (int i = 0; i < s->nbody; ++i)
        if (stmt_may_fault(ask, s->body[i]))
            return true;
    return false;
}

static bool stmt_may_fault(struct fault_ask *ask, const struct stmt *s) {
    switch (s->kind) {
    case STMT_EMPTY:
    case STMT_BREAK:
    case STMT_CONTINUE:
        return false;
    case STMT_EXPR:
        return s->expr && fault_of(ask, s->expr);
    case STMT_RETURN:
        return s->expr && fault_of_converted(ask, s->expr, ask->result);
    case STMT_DECL:
        return vars_may_fault(ask, s);
    case STMT_BLOCK:
        return block_may_fault(ask, s);
    case STMT_IF:
    case STMT_SWITCH:
        return fault_of(ask, s->expr) || (s->then && stmt_may_fault(ask, s->then)) ||
               (s->other && stmt_may_fault(ask, s->other));
    case STMT_CASE:
        return s->then && stmt_may_fault(ask, s->then);
    case STMT_FOR:
        return !s->loop || loop_may_fault(ask, s->loop);
    default:
        return true;
    }
}

static bool body_may_fault(struct fault_ask *ask, const struct function *f) {
    bool other = f->is_replaceable || f->is_weak || f->is_alias || f->is_noreturn;
    if (other || f->is_variadic || ask->depth >= MOST_CALLS)
        return true;
    struct fault_ask inside = *ask;
    ++inside.depth;
    inside.result = f->result;
    bool faults = stmt_may_fault(&inside, f->body);
    ask->steps = inside.steps;
    return faults;
}

bool fault_of_call(struct fault_ask *ask, const struct expr *call) {
    const struct function *f = call->function;
    if (!f || args_may_fault(ask, call))
        return true;
    return f->body ? body_may_fault(ask, f) : !effects_pure(f) || !is_total(ask->t, call);
}
