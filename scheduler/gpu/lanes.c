/*
 * Loops inside whose iterations do not conflict, or meet in sums only, are assigned to the lanes of
 * a warp. That they do not is asked of the analysis, as of any loop; what it would leave to a run's
 * check (that two rows do not overlap) has to follow from what is known of the loop around it.
 */
#include "scheduler/gpu/gpu.h"
#include "scheduler/plan/parts.h"

/* ---- rows that do not overlap ---------------------------------------------------------------- */

/* The object that the loop around knows for `object` of the loop inside; NULL: not one only. */
static const struct object *object_around(const struct loop_facts *around,
                                          const struct loop_facts *facts,
                                          const struct object *object) {
    const struct object *found = NULL;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *access = &facts->accesses[i];
        bool seen = false;
        if (access->object != object)
            continue;
        for (int j = 0; j < around->naccesses; ++j) {
            const struct access *same = &around->accesses[j];
            if (same->expr != access->expr || same->via != access->via || !same->expr)
                continue;
            if (found && found != same->object)
                return NULL;
            found = same->object;
            seen = true;
        }
        if (!seen)
            return NULL;
    }
    return found && found->kind != OBJECT_UNKNOWN && found->kind != OBJECT_HIDDEN ? found : NULL;
}

static bool is_settled(struct loop_facts *around, const struct loop_facts *facts,
                       const struct guard *guard) {
    int number = -1, guards = around->nguards;
    if (guard->kind != GUARD_NO_OVERLAP || guard->assumed || !guard->a || !guard->b)
        return false;
    const struct object *a = object_around(around, facts, guard->a);
    const struct object *b = object_around(around, facts, guard->b);
    if (!a || !b || a == b)
        return false;
    bool apart = facts_alias(around, a, b, &number) != ALIAS_MAY;
    bool known = around->nguards == guards;
    around->nguards = guards;
    return apart && known;
}

/* ---- sums ------------------------------------------------------------------------------------ */

struct sum_search {
    const struct variable *var;
    const struct expr *update;
    int changes;
};

static void visit_change(void *data, struct expr *expr, struct expr *parent) {
    struct sum_search *search = data;
    bool change = expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT;
    if (change && expr->args[0]->kind == EXPR_VAR && expr->args[0]->var == search->var) {
        ++search->changes;
        search->update = parent ? NULL : expr;
    }
}

/* The update as a statement of its own, not in a loop further inside. */
static bool has_statement(const struct stmt *stmt, const struct expr *update) {
    if (!stmt)
        return false;
    switch (stmt->kind) {
    case STMT_EXPR:
        return stmt->expr == update;
    case STMT_BLOCK:
        for (int i = 0; i < stmt->nbody; ++i)
            if (has_statement(stmt->body[i], update))
                return true;
        return false;
    case STMT_IF:
        return has_statement(stmt->then, update) || has_statement(stmt->other, update);
    default:
        return false;
    }
}

static bool is_sum_op(enum op op) {
    return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_BITAND || op == OP_BITOR ||
           op == OP_BITXOR;
}

static bool find_sum(const struct loop *loop, const struct reduction *reduction,
                     struct gpu_sum *sum) {
    const struct object *object = reduction->object;
    struct sum_search search = {object->var, NULL, 0};
    if (reduction->is_array || reduction->nfields || reduction->argmin ||
        object->kind != OBJECT_SCALAR || !object->var || object->var->address_taken ||
        !gpu_suffix(object->var->type))
        return false;
    emit_walk_stmt(loop->body, visit_change, &search);
    const struct expr *update = search.update;
    if (search.changes != 1 || !update || !has_statement(loop->body, update))
        return false;
    *sum = (struct gpu_sum){.var = object->var, .update = update, .op = OP_ADD};
    if (update->kind == EXPR_INCREMENT) {
        sum->op = update->delta > 0 ? OP_ADD : OP_SUB;
        return true;
    }
    sum->op = update->op;
    sum->value = update->args[1];
    sum->value_type = sum->value->type;
    return is_sum_op(sum->op) && sum->value_type && gpu_suffix(sum->value_type);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static bool is_jump(const void *data, const struct stmt *stmt) {
    (void)data;
    return stmt->kind == STMT_CONTINUE || stmt->kind == STMT_BREAK || stmt->kind == STMT_RETURN ||
           stmt->kind == STMT_GOTO || stmt->kind == STMT_LABEL || stmt->kind == STMT_SWITCH;
}

/* Nothing but its variable: lanes make a header of their own. */
static bool starts_alone(const struct loop *loop) {
    const struct stmt *init = loop->init;
    if (!init || init->kind == STMT_EMPTY)
        return true;
    if (init->kind == STMT_DECL)
        return init->nvars == 1 && init->vars[0] == loop->variable;
    const struct expr *set = init->kind == STMT_EXPR ? init->expr : NULL;
    return set && set->kind == EXPR_ASSIGN && set->op == OP_NONE &&
           set->args[0]->kind == EXPR_VAR && set->args[0]->var == loop->variable;
}

static bool header_fits(const struct loop *loop) {
    bool relation = loop->relation == OP_LT || loop->relation == OP_LE || loop->relation == OP_GT ||
                    loop->relation == OP_GE;
    return loop->form == LOOP_FOR && loop->canonical && relation && loop->variable &&
           loop->variable->type->kind == TYPE_INT && starts_alone(loop) && loop->lower &&
           loop->upper && !loop->stride && !loop->steps_in_body && loop->ahead == 0 &&
           loop->variable->storage == STORAGE_LOCAL &&
           (loop->relation == OP_LT || loop->relation == OP_LE) == (loop->step > 0);
}

/* ---- arrays of the iteration's own ----------------------------------------------------------- */

/* Casts that keep every number. */
static const struct expr *as_wide(const struct expr *expr) {
    while (expr->kind == EXPR_CAST && expr->type && expr->type->kind == TYPE_INT &&
           expr->args[0]->type && expr->args[0]->type->kind == TYPE_INT &&
           expr->type->size >= expr->args[0]->type->size)
        expr = expr->args[0];
    return expr;
}

/* `sum[k] = ...;`, of an array that every lane has: what it is set to they tell each other. */
static void find_fill(const struct gpu_kernel *k, struct gpu_lanes *lanes) {
    const struct loop *loop = lanes->loop;
    const struct stmt *stmt = loop->body;
    while (stmt->kind == STMT_BLOCK && stmt->nbody == 1)
        stmt = stmt->body[0];
    const struct expr *set = stmt->kind == STMT_EXPR ? stmt->expr : NULL;
    if (!set || set->kind != EXPR_ASSIGN || set->op != OP_NONE || loop->step != 1 ||
        set->args[0]->kind != EXPR_SUBSCRIPT || set->args[0]->args[0]->kind != EXPR_VAR)
        return;
    const struct variable *array = set->args[0]->args[0]->var;
    const struct expr *index = as_wide(set->args[0]->args[1]);
    if (array->type->kind != TYPE_ARRAY || !gpu_suffix(array->type->element) ||
        array->storage != STORAGE_LOCAL || array->address_taken || index->kind != EXPR_VAR ||
        index->var != loop->variable || expr_names(set->args[1], array) ||
        emit_field_of(k->job, array) || emit_reduction_of(k->job, array))
        return;
    lanes->filled = array;
    lanes->fill = set;
}

/* Every lane has its own copy of a variable of the body:
 * what one of them wrote the others do not see. */
static bool writes_own(const struct gpu_kernel *k, const struct loop_facts *facts,
                       const struct variable *filled) {
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *access = &facts->accesses[i];
        const struct variable *var = access->object->var;
        bool inside = access->object->kind == OBJECT_SCALAR || access->object->kind == OBJECT_ARRAY;
        if (access->write && access->reduction < 0 && inside && var && var != filled &&
            !plan_is_private(facts, var) && !emit_field_of(k->job, var) &&
            !emit_reduction_of(k->job, var))
            return true;
    }
    return false;
}

static bool facts_fit(struct gpu_kernel *k, const struct loop_facts *facts,
                      const struct variable *filled) {
    bool fit = facts->nrefusals == 0 && facts->nscratches == 0 && facts->ninductions == 0 &&
               !facts->by_number && !writes_own(k, facts, filled);
    for (int i = 0; fit && i < facts->nprivates; ++i)
        fit = !facts->privates[i].last_value || facts->privates[i].var == facts->loop->variable;
    for (int i = 0; fit && i < facts->nguards; ++i)
        fit = is_settled(k->job->facts, facts, &facts->guards[i]);
    return fit;
}

/* Too short to be worth the lanes. */
static bool is_short(const struct loop *loop) {
    enum { LEAST = 4 };
    return loop->lower->kind == EXPR_INT && loop->upper->kind == EXPR_INT &&
           (loop->upper->int_value - loop->lower->int_value) / loop->step < LEAST;
}

static const struct plan *plan_inside(const struct outline *job, const struct loop *loop) {
    for (int i = 0; i < job->ninside; ++i)
        if (job->inside[i]->analysis->loop == loop)
            return job->inside[i];
    return NULL;
}

static bool find_lanes(struct gpu_kernel *k, struct loop *loop, struct gpu_lanes *lanes) {
    *lanes = (struct gpu_lanes){.loop = loop};
    if (stmt_any(loop->body, is_jump, NULL) || !header_fits(loop) || is_short(loop))
        return false;
    const struct plan *plan = plan_inside(k->job, loop);
    bool free =
        plan && (plan->strategy == STRATEGY_INDEPENDENT || plan->strategy == STRATEGY_REDUCTION);
    find_fill(k, lanes);
    if (!free || !facts_fit(k, plan->analysis->facts, lanes->filled))
        return false;
    const struct loop_facts *facts = plan->analysis->facts;
    for (int i = 0; i < facts->nreductions; ++i) {
        struct gpu_sum sum;
        if (!find_sum(loop, &facts->reductions[i], &sum))
            return false;
        ARENA_PUSH(k->arena, lanes->sums, lanes->nsums, sum);
    }
    if (!lanes->filled)
        gpu_wide_find(k, lanes);
    return true;
}

/* The outermost loops that can be: what is inside of one runs on a single lane. */
static void find_in(struct gpu_kernel *k, const struct stmt *stmt) {
    struct gpu_lanes lanes;
    if (!stmt)
        return;
    if (stmt->kind == STMT_FOR && find_lanes(k, stmt->loop, &lanes)) {
        ARENA_PUSH(k->arena, k->lanes, k->nlanes, lanes);
        return;
    }
    if (stmt->kind == STMT_FOR) {
        find_in(k, stmt->loop->body);
        return;
    }
    for (int i = 0; i < stmt->nbody; ++i)
        find_in(k, stmt->body[i]);
    find_in(k, stmt->then);
    find_in(k, stmt->other);
}

void gpu_lanes_find(struct gpu_kernel *k) {
    find_in(k, k->job->loop->body);
}

const struct gpu_lanes *gpu_lanes_of(const struct gpu_kernel *k, const struct loop *loop) {
    for (int i = 0; i < k->nlanes; ++i)
        if (k->lanes[i].loop == loop)
            return &k->lanes[i];
    return NULL;
}
