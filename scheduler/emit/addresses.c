/*
 * What a loop leaves behind that is an address. The body of a rank works on that rank's memory, a
 * kernel on the device's: an address made there means nothing elsewhere.
 */
#include "scheduler/emit/job.h"

#include <string.h>

static bool holds_address(const struct type *type) {
    while (type && (type->kind == TYPE_ARRAY || type->kind == TYPE_VLA))
        type = type->element;
    if (!type || (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION))
        return type && type->kind == TYPE_POINTER;
    for (int i = 0; type->record && i < type->record->nfields; ++i)
        if (holds_address(type->record->fields[i].type))
            return true;
    return !type->record;
}

/* The same on every rank: text, functions, NULL. */
static bool is_constant(const struct expr *value) {
    while (value->kind == EXPR_CAST || value->kind == EXPR_ADDRESS)
        value = value->args[0];
    if (value->kind == EXPR_CONDITIONAL)
        return value->args[1] && is_constant(value->args[1]) && is_constant(value->args[2]);
    return value->kind == EXPR_STRING || value->kind == EXPR_INT || value->kind == EXPR_FUNCTION;
}

/* Places that an address is put into: a variable, or an lvalue. */
struct put {
    const struct variable *var;
    const struct expr *lvalue;
    bool seen, varies;
};

static void see_put(void *data, struct expr *expr, struct expr *parent) {
    struct put *put = data;
    bool sets = expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT;
    (void)parent;
    if (!sets || (put->lvalue ? expr->args[0] != put->lvalue
                              : expr->args[0]->kind != EXPR_VAR || expr->args[0]->var != put->var))
        return;
    put->seen = true;
    put->varies = put->varies || expr->kind != EXPR_ASSIGN || expr->op != OP_NONE ||
                  !is_constant(expr->args[1]);
}

static bool varies(const struct emit_job *job, const struct variable *var,
                   const struct expr *lvalue) {
    struct put put = {.var = var, .lvalue = lvalue};
    emit_walk_stmt(job->loop->body, see_put, &put);
    return put.varies || !put.seen || (var && var->address_taken);
}

static const char *chosen_address(const struct emit_job *job, const struct choice *choice) {
    for (int m = 0; m < choice->nmembers; ++m)
        if (holds_address(choice->members[m]->type) && varies(job, choice->members[m], NULL))
            return choice->members[m]->name;
    return NULL;
}

static const char *kept_address(const struct emit_job *job, const struct emit_reduction *r) {
    const struct choice *choice =
        r->facts_index >= 0 ? job->facts->reductions[r->facts_index].choice : NULL;
    if (choice)
        return chosen_address(job, choice);
    if (!r->last || strcmp(r->op, "ORRERY_PRIVATE") == 0)
        return NULL;
    if (r->object)
        return holds_address(r->object->element) ? r->title : NULL;
    return r->var && holds_address(r->var->type) && varies(job, r->var, NULL) ? r->title : NULL;
}

static bool is_own(const struct emit_job *job, const struct object *object) {
    for (int i = 0; i < job->facts->nscratches; ++i)
        if (job->facts->scratches[i].object == object)
            return true;
    return emit_is_copied(job, object);
}

static bool stores_address(const struct emit_job *job, const struct access *access) {
    return access->write && access->expr && holds_address(access->expr->type) &&
           !is_own(job, access->object) && varies(job, NULL, access->expr);
}

static void see_number(void *data, struct expr *expr, struct expr *parent) {
    (void)parent;
    bool *found = data;
    const struct type *from = expr->kind == EXPR_CAST && expr->args[0] ? expr->args[0]->type : NULL;
    *found = *found ||
             (from && from->kind == TYPE_POINTER && expr->type && expr->type->kind == TYPE_INT);
}

const char *emit_addresses(struct emit_job *job) {
    const struct plan_pipe *pipe = job->plan->pipe;
    for (int j = 0; j < job->nreductions; ++j) {
        const char *kept = kept_address(job, &job->reductions[j]);
        if (kept)
            return kept;
    }
    for (int i = 0; pipe && i < pipe->nvalues; ++i)
        if (pipe->values[i].written && holds_address(pipe->values[i].var->type))
            return pipe->values[i].var->name;
    for (int i = 0; i < job->facts->naccesses; ++i)
        if (stores_address(job, &job->facts->accesses[i]))
            return job->facts->accesses[i].text;
    bool number = false;
    emit_walk_stmt(job->loop->body, see_number, &number);
    return number ? "an address as a number" : NULL;
}
