/*
 * Unroll-and-jam over iterations (unroll() beside block()): iterations that share no key of the
 * plan's dims conflict in nothing, so a group of them may run interleaved, with the same bits.
 * Without leave to reassociate, a sum over an inner loop waits for its last addition; the sums of a
 * group run beside each other. Statements stand UNROLL_COPIES times in a row; only loops that carry
 * a sum have their copies within one header.
 */
#include "scheduler/outline/collect.h"
#include "scheduler/strategy/strategy.h"

#include <string.h>

struct unroll {
    const struct outline *job;
    bool possible;
    int nlocals;
    struct variable **locals; /* what each copy has its own of */
    struct emit_unroll made;
};

static bool is_local(const struct unroll *unroll, const struct variable *var) {
    for (int i = 0; i < unroll->nlocals; ++i)
        if (unroll->locals[i] == var)
            return true;
    return false;
}

static bool is_in_body(const struct unroll *unroll, const struct variable *var) {
    const struct range *body = &unroll->job->loop->body->range;
    return var->range.begin.file == body->begin.file &&
           var->range.begin.offset >= body->begin.offset &&
           var->range.begin.offset < body->end.offset;
}

static bool is_scalar(const struct type *type) {
    return type->kind == TYPE_BOOL || type->kind == TYPE_INT || type->kind == TYPE_FLOAT ||
           type->kind == TYPE_POINTER;
}

/* ---- what each copy needs of its own --------------------------------------------------------- */

static void add_local(struct unroll *unroll, struct variable *var) {
    ARENA_PUSH(unroll->job->arena, unroll->locals, unroll->nlocals, var);
    if ((var->storage != STORAGE_LOCAL && var->storage != STORAGE_PARAM) || var->type->is_local)
        unroll->possible = false;
    for (int i = 0; i < unroll->job->nfields; ++i)
        if (strcmp(unroll->job->fields[i].name, var->name) == 0)
            unroll->possible = false;
}

static void collect_declared(void *data, struct stmt *stmt) {
    struct unroll *unroll = data;
    for (int i = 0; i < stmt->nvars; ++i)
        add_local(unroll, stmt->vars[i]);
    if (stmt->kind == STMT_LABEL || stmt->kind == STMT_GOTO || stmt->kind == STMT_UNKNOWN)
        unroll->possible = false;
}

static void collect_outer(struct unroll *unroll) {
    const struct loop_facts *facts = unroll->job->facts;
    for (int i = 0; i < facts->nprivates; ++i) {
        struct variable *var = facts->privates[i].var;
        if (!emit_is_outside(unroll->job, var) || var == unroll->job->loop->variable)
            continue;
        add_local(unroll, var);
        if (!is_scalar(var->type) || emit_reduction_of(unroll->job, var))
            unroll->possible = false;
    }
    add_local(unroll, unroll->job->loop->variable);
}

/* ---- where they stand ------------------------------------------------------------------------ */

static void collect_use(void *data, struct expr *expr, struct expr *parent) {
    struct unroll *unroll = data;
    (void)parent;
    if (expr->kind == EXPR_UNKNOWN)
        unroll->possible = false;
    if (expr->kind != EXPR_VAR || !is_local(unroll, expr->var))
        return;
    struct text_edit use = {expr->range.begin.offset, expr->range.end.offset, expr->var->name,
                            unroll->made.nuses};
    if (!expr->range.exact || use.end - use.begin != strlen(expr->var->name))
        unroll->possible = false;
    ARENA_PUSH(unroll->job->arena, unroll->made.uses, unroll->made.nuses, use);
}

static bool is_use(const struct unroll *unroll, struct token token) {
    for (int i = 0; i < unroll->made.nuses; ++i)
        if (unroll->made.uses[i].begin == token.begin && unroll->made.uses[i].end == token.end)
            return true;
    return false;
}

static const char *local_name(const struct unroll *unroll, const struct token_scan *scan,
                              struct token token) {
    for (int i = 0; i < unroll->nlocals; ++i)
        if (token_spells(scan, token, unroll->locals[i]->name))
            return unroll->locals[i]->name;
    return NULL;
}

/* A type of the body's own would be declared by each copy. */
static bool declares_type(const struct token_scan *scan, const struct token *before,
                          struct token token) {
    static const char *const words[] = {"struct", "union", "enum"};
    if (token_spells(scan, token, "typedef"))
        return true;
    for (int i = 0; i < 3; ++i)
        if (token_spells(scan, token, "{") &&
            (token_spells(scan, before[0], words[i]) || token_spells(scan, before[1], words[i])))
            return true;
    return false;
}

/*
 * Every word of the body that is a local's name has to be a use of it, a member, or its
 * declaration: as many other words as there are declarations.
 */
static void collect_declarations(struct unroll *unroll) {
    const struct range *body = &unroll->job->loop->body->range;
    struct token_scan scan =
        token_scan_start(unroll->job->source, body->begin.offset, body->end.offset);
    struct token before[2] = {{0}, {0}};
    int open = 0;
    for (int i = 0; i < unroll->nlocals; ++i)
        open += is_in_body(unroll, unroll->locals[i]);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        const char *name = t.kind == TOKEN_NAME ? local_name(unroll, &scan, t) : NULL;
        bool member = token_spells(&scan, before[0], ".") ||
                      (token_spells(&scan, before[1], "-") && token_spells(&scan, before[0], ">"));
        if (t.kind == TOKEN_DIRECTIVE || declares_type(&scan, before, t))
            unroll->possible = false;
        if (name && !member && !is_use(unroll, t)) {
            struct text_edit use = {t.begin, t.end, name, unroll->made.nuses};
            ARENA_PUSH(unroll->job->arena, unroll->made.uses, unroll->made.nuses, use);
            --open;
        }
        before[1] = before[0];
        before[0] = t;
    }
    if (open != 0)
        unroll->possible = false;
}

/* ---- which statements are unrolled ----------------------------------------------------------- */

static bool is_written(const struct unroll *unroll, const struct object *object,
                       const struct variable *var) {
    const struct loop_facts *facts = unroll->job->facts;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct object *here = facts->accesses[i].object;
        if (facts->accesses[i].write && (here == object || (var && here->var == var)))
            return true;
    }
    return false;
}

static bool is_invariant_variable(const struct unroll *unroll, const struct variable *var) {
    return !is_local(unroll, var) && !emit_reduction_of(unroll->job, var) && is_scalar(var->type) &&
           !is_written(unroll, NULL, var);
}

/* A load of something that the loop does not write. */
static bool is_invariant_load(const struct unroll *unroll, const struct expr *expr) {
    const struct loop_facts *facts = unroll->job->facts;
    bool seen = false;
    for (int i = 0; i < facts->naccesses; ++i) {
        if (facts->accesses[i].expr != expr)
            continue;
        if (is_written(unroll, facts->accesses[i].object, NULL))
            return false;
        seen = true;
    }
    return seen;
}

/* The same for all iterations; `but`: a variable that may stand in it. */
static bool is_invariant(const struct unroll *unroll, const struct expr *expr,
                         const struct variable *but) {
    if (!expr)
        return false;
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_FLOAT:
        return true;
    case EXPR_VAR:
        return expr->var == but || is_invariant_variable(unroll, expr->var);
    case EXPR_MEMBER:
        if (!is_invariant_load(unroll, expr))
            return false;
        expr = expr->args[0];
        return expr->kind == EXPR_DEREF ? is_invariant(unroll, expr->args[0], but)
                                        : expr->kind == EXPR_VAR && !is_local(unroll, expr->var);
    case EXPR_UNARY:
    case EXPR_BINARY:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_CAST:
        for (int i = 0; i < expr->nargs; ++i)
            if (!is_invariant(unroll, expr->args[i], but))
                return false;
        return true;
    default:
        return false;
    }
}

struct look {
    const struct unroll *unroll;
    const struct loop *loop;
    bool sum, store, leaves;
};

static void look_expr(void *data, struct expr *expr, struct expr *parent) {
    struct look *look = data;
    (void)parent;
    if (expr->kind == EXPR_CALL &&
        (!expr->function || expr->function->body || expr->function->result->kind != TYPE_FLOAT))
        look->store = true;
    if (expr->kind != EXPR_ASSIGN && expr->kind != EXPR_INCREMENT)
        return;
    const struct variable *var = expr->args[0]->kind == EXPR_VAR ? expr->args[0]->var : NULL;
    if (!var || !is_local(look->unroll, var) || !is_scalar(var->type) ||
        var == look->loop->variable) {
        look->store = true;
        return;
    }
    const struct range *body = &look->loop->stmt->range;
    bool outside =
        var->range.begin.offset < body->begin.offset || var->range.begin.offset >= body->end.offset;
    look->sum = look->sum || (outside && var->type->kind == TYPE_FLOAT);
}

static void look_stmt(void *data, struct stmt *stmt) {
    struct look *look = data;
    if (stmt->kind == STMT_BREAK || stmt->kind == STMT_CONTINUE || stmt->kind == STMT_RETURN)
        look->leaves = true;
}

static bool is_unrolled(const struct unroll *unroll, const struct stmt *stmt);

/* One header for all copies: it says the same for each, and the body writes nothing but locals. */
static bool is_sum_loop(const struct unroll *unroll, const struct loop *loop) {
    struct look look = {.unroll = unroll, .loop = loop};
    if (!loop->canonical || !loop->declares_variable || !loop->header.exact || !loop->init ||
        loop->init->nvars != 1 || !is_invariant(unroll, loop->lower, NULL) ||
        !is_invariant(unroll, loop->cond, loop->variable))
        return false;
    emit_walk_stmt(loop->body, look_expr, &look);
    emit_walk_stmts(loop->body, look_stmt, &look);
    return !look.store && !look.leaves && (look.sum || is_unrolled(unroll, loop->body));
}

static bool is_unrolled(const struct unroll *unroll, const struct stmt *stmt) {
    if (!stmt || !stmt->range.exact)
        return false;
    if (stmt->kind == STMT_FOR)
        return is_sum_loop(unroll, stmt->loop);
    if (stmt->kind == STMT_IF)
        return is_invariant(unroll, stmt->expr, NULL) &&
               (is_unrolled(unroll, stmt->then) || is_unrolled(unroll, stmt->other));
    for (int i = 0; stmt->kind == STMT_BLOCK && i < stmt->nbody; ++i)
        if (is_unrolled(unroll, stmt->body[i]))
            return true;
    return false;
}

/* ---- sums of the whole loop keep their order ------------------------------------------------- */

static const struct range *unit_of(const struct unroll *unroll, const struct stmt *stmt,
                                   const struct range *place) {
    if (!stmt || !range_holds(&stmt->range, place))
        return NULL;
    if (!is_unrolled(unroll, stmt))
        return &stmt->range;
    if (stmt->kind == STMT_IF) {
        const struct range *found = unit_of(unroll, stmt->then, place);
        return found ? found : unit_of(unroll, stmt->other, place);
    }
    for (int i = 0; stmt->kind == STMT_BLOCK && i < stmt->nbody; ++i)
        if (range_holds(&stmt->body[i]->range, place))
            return unit_of(unroll, stmt->body[i], place);
    return NULL; /* in a loop whose copies are interleaved, or in its header */
}

/* All accesses to a reduced object are in one statement, whose copies follow each other. */
static bool keeps_order(const struct unroll *unroll, const struct object *object) {
    const struct range *unit = NULL;
    const struct loop_facts *facts = unroll->job->facts;
    for (int i = 0; i < facts->naccesses; ++i) {
        if (facts->accesses[i].object != object)
            continue;
        const struct range *here =
            unit_of(unroll, unroll->job->loop->body, &facts->accesses[i].range);
        if (!here || (unit && here != unit))
            return false;
        unit = here;
    }
    return unit != NULL;
}

/* All that are set together with it, too. */
static bool keeps_orders(const struct unroll *unroll, const struct reduction *reduction) {
    const struct loop_facts *facts = unroll->job->facts;
    for (int i = 0; i < facts->nreductions; ++i)
        if (reduction->argmin && facts->reductions[i].argmin == reduction->argmin &&
            !keeps_order(unroll, facts->reductions[i].object))
            return false;
    return keeps_order(unroll, reduction->object);
}

static bool is_ordered(const struct unroll *unroll) {
    if (emit_argmin_by_index(unroll->job))
        return false;
    for (int j = 0; j < unroll->job->nreductions; ++j) {
        const struct emit_reduction *r = &unroll->job->reductions[j];
        if (r->last || r->merged || r->facts_index < 0 ||
            !keeps_orders(unroll, &unroll->job->facts->reductions[r->facts_index]))
            return false;
    }
    return true;
}

/* ---- which iterations may form a group ------------------------------------------------------- */

/* No iteration of the group names by `dim` what another names by `other`. */
static bool add_distinct(const struct unroll *unroll, int dim, int other, const char **condition) {
    struct arena *arena = unroll->job->arena;
    const struct analysis *analysis = unroll->job->plan->analysis;
    if (analysis->dims[dim].kind != DIM_KEY)
        return analysis->dims[dim].symbol->loop == unroll->job->loop;
    const struct record_slot *slot = emit_key_slot(unroll->job, dim);
    const struct record_slot *second = emit_key_slot(unroll->job, other);
    if (!slot || !second || slot->load->key_constant != second->load->key_constant)
        return false;
    for (int a = 0; a < UNROLL_COPIES; ++a)
        for (int b = dim == other ? a + 1 : 0; b < UNROLL_COPIES; ++b)
            if (a != b)
                *condition = arena_printf(arena, "%s%sorrery_r[%d].%s != orrery_r[%d].%s",
                                          *condition, **condition ? " &&\n            " : "", a,
                                          slot->name, b, second->name);
    return true;
}

/* Iterations that differ in all dims the plan is cut by conflict in nothing; NULL: not known. */
static const char *distinct_text(const struct unroll *unroll) {
    const struct plan *plan = unroll->job->plan;
    const char *condition = "";
    int keys[PLAN_KEYS], nkeys = plan_keys(plan, keys);
    if (!plan->by_key && !strategy_of(plan)->cuts_iterations)
        return condition;
    if (nkeys == 0)
        return NULL;
    for (int k = 0; k < nkeys; ++k)
        if (!add_distinct(unroll, keys[k], keys[k], &condition))
            return NULL;
    if (strategy_form(plan->strategy)->pairs &&
        !add_distinct(unroll, plan->space, plan->partner, &condition))
        return NULL;
    return condition;
}

/* ---- the text can be had once for each copy -------------------------------------------------- */

/* What is replaced in a copy; its own names stand in all but the first. */
static bool fits(const struct unroll *unroll, size_t begin, size_t end, bool named) {
    const struct outline *job = unroll->job;
    struct text_edits edits = emit_body_edits(job, job->plan->by_key, WHOLE);
    for (int i = 0; named && i < unroll->made.nuses; ++i)
        text_edit_add(&edits, unroll->made.uses[i].begin, unroll->made.uses[i].end, "");
    return text_edits_fit(&edits, begin, end);
}

/* Notes the statements that the copies share. False: some text cannot be had. */
static bool collect_unrolled(struct unroll *unroll, const struct stmt *stmt) {
    const struct range *range = &stmt->range;
    if (!is_unrolled(unroll, stmt))
        return stmt->kind == STMT_EMPTY ||
               fits(unroll, range->begin.offset, range->end.offset, true);
    ARENA_PUSH(unroll->job->arena, unroll->made.unrolled, unroll->made.nunrolled, stmt);
    for (int i = 0; stmt->kind == STMT_BLOCK && i < stmt->nbody; ++i)
        if (!collect_unrolled(unroll, stmt->body[i]))
            return false;
    if (stmt->kind == STMT_BLOCK)
        return true;
    const struct stmt *then = stmt->kind == STMT_FOR ? stmt->loop->body : stmt->then;
    return fits(unroll, range->begin.offset, then->range.begin.offset, false) &&
           collect_unrolled(unroll, then) &&
           (stmt->kind != STMT_IF || !stmt->other || collect_unrolled(unroll, stmt->other));
}

/* `continue` of the loop itself would leave out the other copies. */
static bool continues(const struct stmt *stmt) {
    if (!stmt || stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO)
        return false;
    if (stmt->kind == STMT_CONTINUE || continues(stmt->then) || continues(stmt->other))
        return true;
    for (int i = 0; i < stmt->nbody; ++i)
        if (continues(stmt->body[i]))
            return true;
    return false;
}

static void collect(struct unroll *unroll) {
    const struct outline *job = unroll->job;
    collect_outer(unroll);
    emit_walk_stmts(job->loop->body, collect_declared, unroll);
    emit_walk_stmt(job->loop->body, collect_use, unroll);
    collect_declarations(unroll);
}

/* The copies of a group would share their worker's scratch arrays. */
void outline_unroll(struct outline *job) {
    struct unroll unroll = {.job = job, .possible = true};
    const struct stmt *body = job->loop->body;
    if (job->facts->nscratches > 0 || job->plan->pipe || !body->range.exact ||
        body->kind != STMT_BLOCK || emit_is_moving(job) || job->nmacros)
        return;
    collect(&unroll);
    unroll.made.distinct = unroll.possible ? distinct_text(&unroll) : NULL;
    if (!unroll.made.distinct || !is_unrolled(&unroll, body) || continues(body) ||
        !is_ordered(&unroll) || !collect_unrolled(&unroll, body))
        return;
    struct emit_unroll *made = arena_alloc(job->arena, sizeof *made);
    *made = unroll.made;
    job->unroll = made;
}
