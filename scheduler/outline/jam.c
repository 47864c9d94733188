/*
 * Unroll-and-jam over iterations (jam() beside block()): iterations that share no key of the plan's
 * dims conflict in nothing, so a group of them may run interleaved, with the same bits. Without
 * leave to reassociate, a sum over an inner loop waits for its last addition; the sums of a group
 * run beside each other. Statements stand JAM_COPIES times in a row; only loops that carry a sum
 * have their copies within one header.
 */
#include "scheduler/outline/collect.h"
#include "scheduler/strategy/strategy.h"

#include <string.h>

struct jam {
    const struct outline *job;
    bool possible;
    int nlocals;
    struct variable **locals; /* what each copy has its own of */
    struct emit_jam made;
};

static bool is_local(const struct jam *jam, const struct variable *var) {
    for (int i = 0; i < jam->nlocals; ++i)
        if (jam->locals[i] == var)
            return true;
    return false;
}

static bool is_in_body(const struct jam *jam, const struct variable *var) {
    const struct range *body = &jam->job->loop->body->range;
    return var->range.begin.file == body->begin.file &&
           var->range.begin.offset >= body->begin.offset &&
           var->range.begin.offset < body->end.offset;
}

static bool is_scalar(const struct type *type) {
    return type->kind == TYPE_BOOL || type->kind == TYPE_INT || type->kind == TYPE_FLOAT ||
           type->kind == TYPE_POINTER;
}

/* ---- what each copy needs of its own --------------------------------------------------------- */

static void add_local(struct jam *jam, struct variable *var) {
    ARENA_PUSH(jam->job->arena, jam->locals, jam->nlocals, var);
    if ((var->storage != STORAGE_LOCAL && var->storage != STORAGE_PARAM) || var->type->is_local)
        jam->possible = false;
    for (int i = 0; i < jam->job->nfields; ++i)
        if (strcmp(jam->job->fields[i].name, var->name) == 0)
            jam->possible = false;
}

static void collect_declared(void *data, struct stmt *stmt) {
    struct jam *jam = data;
    for (int i = 0; i < stmt->nvars; ++i)
        add_local(jam, stmt->vars[i]);
    if (stmt->kind == STMT_LABEL || stmt->kind == STMT_GOTO || stmt->kind == STMT_UNKNOWN)
        jam->possible = false;
}

static void collect_outer(struct jam *jam) {
    const struct loop_facts *facts = jam->job->facts;
    for (int i = 0; i < facts->nprivates; ++i) {
        struct variable *var = facts->privates[i].var;
        if (!emit_is_outside(jam->job, var) || var == jam->job->loop->variable)
            continue;
        add_local(jam, var);
        if (!is_scalar(var->type) || emit_reduction_of(jam->job, var))
            jam->possible = false;
    }
    add_local(jam, jam->job->loop->variable);
}

/* ---- where they stand ------------------------------------------------------------------------ */

static void collect_use(void *data, struct expr *expr, struct expr *parent) {
    struct jam *jam = data;
    (void)parent;
    if (expr->kind == EXPR_UNKNOWN)
        jam->possible = false;
    if (expr->kind != EXPR_VAR || !is_local(jam, expr->var))
        return;
    struct text_edit use = {expr->range.begin.offset, expr->range.end.offset, expr->var->name,
                            jam->made.nuses};
    if (!expr->range.exact || use.end - use.begin != strlen(expr->var->name))
        jam->possible = false;
    ARENA_PUSH(jam->job->arena, jam->made.uses, jam->made.nuses, use);
}

static bool is_use(const struct jam *jam, struct token token) {
    for (int i = 0; i < jam->made.nuses; ++i)
        if (jam->made.uses[i].begin == token.begin && jam->made.uses[i].end == token.end)
            return true;
    return false;
}

static const char *local_name(const struct jam *jam, const struct token_scan *scan,
                              struct token token) {
    for (int i = 0; i < jam->nlocals; ++i)
        if (token_spells(scan, token, jam->locals[i]->name))
            return jam->locals[i]->name;
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
static void collect_declarations(struct jam *jam) {
    const struct range *body = &jam->job->loop->body->range;
    struct token_scan scan =
        token_scan_start(jam->job->source, body->begin.offset, body->end.offset);
    struct token before[2] = {{0}, {0}};
    int open = 0;
    for (int i = 0; i < jam->nlocals; ++i)
        open += is_in_body(jam, jam->locals[i]);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        const char *name = t.kind == TOKEN_WORD ? local_name(jam, &scan, t) : NULL;
        bool member = token_spells(&scan, before[0], ".") ||
                      (token_spells(&scan, before[1], "-") && token_spells(&scan, before[0], ">"));
        if (t.kind == TOKEN_DIRECTIVE || declares_type(&scan, before, t))
            jam->possible = false;
        if (name && !member && !is_use(jam, t)) {
            struct text_edit use = {t.begin, t.end, name, jam->made.nuses};
            ARENA_PUSH(jam->job->arena, jam->made.uses, jam->made.nuses, use);
            --open;
        }
        before[1] = before[0];
        before[0] = t;
    }
    if (open != 0)
        jam->possible = false;
}

/* ---- which statements are jammed ------------------------------------------------------------- */

static bool is_written(const struct jam *jam, const struct object *object,
                       const struct variable *var) {
    const struct loop_facts *facts = jam->job->facts;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct object *here = facts->accesses[i].object;
        if (facts->accesses[i].write && (here == object || (var && here->var == var)))
            return true;
    }
    return false;
}

static bool is_invariant_variable(const struct jam *jam, const struct variable *var) {
    return !is_local(jam, var) && !emit_reduction_of(jam->job, var) && is_scalar(var->type) &&
           !is_written(jam, NULL, var);
}

/* A load of something that the loop does not write. */
static bool is_invariant_load(const struct jam *jam, const struct expr *expr) {
    const struct loop_facts *facts = jam->job->facts;
    bool seen = false;
    for (int i = 0; i < facts->naccesses; ++i) {
        if (facts->accesses[i].expr != expr)
            continue;
        if (is_written(jam, facts->accesses[i].object, NULL))
            return false;
        seen = true;
    }
    return seen;
}

/* The same for all iterations; `but`: a variable that may stand in it. */
static bool is_invariant(const struct jam *jam, const struct expr *expr,
                         const struct variable *but) {
    if (!expr)
        return false;
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_FLOAT:
        return true;
    case EXPR_VAR:
        return expr->var == but || is_invariant_variable(jam, expr->var);
    case EXPR_MEMBER:
        if (!is_invariant_load(jam, expr))
            return false;
        expr = expr->args[0];
        return expr->kind == EXPR_DEREF ? is_invariant(jam, expr->args[0], but)
                                        : expr->kind == EXPR_VAR && !is_local(jam, expr->var);
    case EXPR_UNARY:
    case EXPR_BINARY:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_CAST:
        for (int i = 0; i < expr->nargs; ++i)
            if (!is_invariant(jam, expr->args[i], but))
                return false;
        return true;
    default:
        return false;
    }
}

struct look {
    const struct jam *jam;
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
    if (!var || !is_local(look->jam, var) || !is_scalar(var->type) || var == look->loop->variable) {
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

static bool is_jammed(const struct jam *jam, const struct stmt *stmt);

/* One header for all copies: it says the same for each, and the body writes nothing but locals. */
static bool is_sum_loop(const struct jam *jam, const struct loop *loop) {
    struct look look = {.jam = jam, .loop = loop};
    if (!loop->canonical || !loop->declares_variable || !loop->header.exact || !loop->init ||
        loop->init->nvars != 1 || !is_invariant(jam, loop->lower, NULL) ||
        !is_invariant(jam, loop->cond, loop->variable))
        return false;
    emit_walk_stmt(loop->body, look_expr, &look);
    emit_walk_stmts(loop->body, look_stmt, &look);
    return !look.store && !look.leaves && (look.sum || is_jammed(jam, loop->body));
}

static bool is_jammed(const struct jam *jam, const struct stmt *stmt) {
    if (!stmt || !stmt->range.exact)
        return false;
    if (stmt->kind == STMT_FOR)
        return is_sum_loop(jam, stmt->loop);
    if (stmt->kind == STMT_IF)
        return is_invariant(jam, stmt->expr, NULL) &&
               (is_jammed(jam, stmt->then) || is_jammed(jam, stmt->other));
    for (int i = 0; stmt->kind == STMT_BLOCK && i < stmt->nbody; ++i)
        if (is_jammed(jam, stmt->body[i]))
            return true;
    return false;
}

/* ---- sums of the whole loop keep their order ------------------------------------------------- */

static bool holds(const struct range *outer, const struct range *inner) {
    return inner->begin.file == outer->begin.file && inner->begin.offset >= outer->begin.offset &&
           inner->end.offset <= outer->end.offset;
}

static const struct range *unit_of(const struct jam *jam, const struct stmt *stmt,
                                   const struct range *place) {
    if (!stmt || !holds(&stmt->range, place))
        return NULL;
    if (!is_jammed(jam, stmt))
        return &stmt->range;
    if (stmt->kind == STMT_IF) {
        const struct range *found = unit_of(jam, stmt->then, place);
        return found ? found : unit_of(jam, stmt->other, place);
    }
    for (int i = 0; stmt->kind == STMT_BLOCK && i < stmt->nbody; ++i)
        if (holds(&stmt->body[i]->range, place))
            return unit_of(jam, stmt->body[i], place);
    return NULL; /* in a loop whose copies are interleaved, or in its header */
}

/* All accesses to a reduced object are in one statement, whose copies follow each other. */
static bool keeps_order(const struct jam *jam, const struct object *object) {
    const struct range *unit = NULL;
    const struct loop_facts *facts = jam->job->facts;
    for (int i = 0; i < facts->naccesses; ++i) {
        if (facts->accesses[i].object != object)
            continue;
        const struct range *here = unit_of(jam, jam->job->loop->body, &facts->accesses[i].range);
        if (!here || (unit && here != unit))
            return false;
        unit = here;
    }
    return unit != NULL;
}

/* All that are set together with it, too. */
static bool keeps_orders(const struct jam *jam, const struct reduction *reduction) {
    const struct loop_facts *facts = jam->job->facts;
    for (int i = 0; i < facts->nreductions; ++i)
        if (reduction->argmin && facts->reductions[i].argmin == reduction->argmin &&
            !keeps_order(jam, facts->reductions[i].object))
            return false;
    return keeps_order(jam, reduction->object);
}

static bool is_ordered(const struct jam *jam) {
    if (emit_argmin_by_index(jam->job))
        return false;
    for (int j = 0; j < jam->job->nreductions; ++j) {
        const struct emit_reduction *r = &jam->job->reductions[j];
        if (r->last || r->merged || r->facts_index < 0 ||
            !keeps_orders(jam, &jam->job->facts->reductions[r->facts_index]))
            return false;
    }
    return true;
}

/* ---- which iterations may form a group ------------------------------------------------------- */

/* No iteration of the group names by `dim` what another names by `other`. */
static bool add_distinct(const struct jam *jam, int dim, int other, const char **condition) {
    struct arena *arena = jam->job->arena;
    const struct analysis *analysis = jam->job->plan->analysis;
    if (analysis->dims[dim].kind != DIM_KEY)
        return analysis->dims[dim].symbol->loop == jam->job->loop;
    const struct record_slot *slot = emit_key_slot(jam->job, dim);
    const struct record_slot *second = emit_key_slot(jam->job, other);
    if (!slot || !second || slot->load->key_constant != second->load->key_constant)
        return false;
    for (int a = 0; a < JAM_COPIES; ++a)
        for (int b = dim == other ? a + 1 : 0; b < JAM_COPIES; ++b)
            if (a != b)
                *condition = arena_printf(arena, "%s%sorrery_r[%d].%s != orrery_r[%d].%s",
                                          *condition, **condition ? " &&\n            " : "", a,
                                          slot->name, b, second->name);
    return true;
}

/* Iterations that differ in all dims the plan is cut by conflict in nothing; NULL: not known. */
static const char *distinct_text(const struct jam *jam) {
    const struct plan *plan = jam->job->plan;
    const char *condition = "";
    int keys[PLAN_KEYS], nkeys = plan_keys(plan, keys);
    if (!plan->by_key && !strategy_of(plan)->cuts_iterations)
        return condition;
    if (nkeys == 0)
        return NULL;
    for (int k = 0; k < nkeys; ++k)
        if (!add_distinct(jam, keys[k], keys[k], &condition))
            return NULL;
    if (strategy_form(plan->strategy)->pairs &&
        !add_distinct(jam, plan->space, plan->partner, &condition))
        return NULL;
    return condition;
}

/* ---- the text can be had once for each copy -------------------------------------------------- */

/* What is replaced in a copy; its own names stand in all but the first. */
static bool fits(const struct jam *jam, size_t begin, size_t end, bool named) {
    const struct outline *job = jam->job;
    struct text_edits edits = emit_body_edits(job, job->plan->by_key, WHOLE);
    for (int i = 0; named && i < jam->made.nuses; ++i)
        text_edit_add(&edits, jam->made.uses[i].begin, jam->made.uses[i].end, "");
    return text_edits_fit(&edits, begin, end);
}

/* Notes the statements that the copies share. False: some text cannot be had. */
static bool collect_jammed(struct jam *jam, const struct stmt *stmt) {
    const struct range *range = &stmt->range;
    if (!is_jammed(jam, stmt))
        return stmt->kind == STMT_EMPTY || fits(jam, range->begin.offset, range->end.offset, true);
    ARENA_PUSH(jam->job->arena, jam->made.jammed, jam->made.njammed, stmt);
    for (int i = 0; stmt->kind == STMT_BLOCK && i < stmt->nbody; ++i)
        if (!collect_jammed(jam, stmt->body[i]))
            return false;
    if (stmt->kind == STMT_BLOCK)
        return true;
    const struct stmt *then = stmt->kind == STMT_FOR ? stmt->loop->body : stmt->then;
    return fits(jam, range->begin.offset, then->range.begin.offset, false) &&
           collect_jammed(jam, then) &&
           (stmt->kind != STMT_IF || !stmt->other || collect_jammed(jam, stmt->other));
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

static void collect(struct jam *jam) {
    const struct outline *job = jam->job;
    collect_outer(jam);
    emit_walk_stmts(job->loop->body, collect_declared, jam);
    emit_walk_stmt(job->loop->body, collect_use, jam);
    collect_declarations(jam);
}

/* The copies of a group would share their worker's scratch arrays. */
void outline_jam(struct outline *job) {
    struct jam jam = {.job = job, .possible = true};
    const struct stmt *body = job->loop->body;
    if (job->facts->nscratches > 0 || job->plan->pipe || !body->range.exact ||
        body->kind != STMT_BLOCK || emit_is_moving(job) || job->nmacros)
        return;
    collect(&jam);
    jam.made.distinct = jam.possible ? distinct_text(&jam) : NULL;
    if (!jam.made.distinct || !is_jammed(&jam, body) || continues(body) || !is_ordered(&jam) ||
        !collect_jammed(&jam, body))
        return;
    struct emit_jam *made = arena_alloc(job->arena, sizeof *made);
    *made = jam.made;
    job->jam = made;
}
