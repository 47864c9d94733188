/*
 * Iterations in lanes. Where the body begins with a nest that computes numbers of its own from rows
 * that nobody writes (the nearest of many centroids, the values of a layer), a group of iterations
 * runs it together: each in a lane of the processor's vectors, its row in a tile where the elements
 * of all lanes stand side by side. Every lane does what its iteration would do, in that order, so no
 * bit changes, and sums need no leave to be reassociated. What stands behind the nest runs one
 * iteration after the other.
 *
 * Iterations that conflict in nothing may be taken in any order (STRATEGY_INDEPENDENT and
 * STRATEGY_REDUCTION); what is evaluated early is evaluated by the loop, too: the statements in front
 * of the nest are declarations without effect, and reads under no condition but that loops run.
 */
#include "scheduler/outline/lanes_private.h"

#include <string.h>

enum { MOST_CALLS = 4, MOST_VARS = 16, MOST_TILES = 4 };

static void refuse(struct lanes *lanes) {
    lanes->possible = false;
}

/* ---- variables ------------------------------------------------------------------------------- */

static struct variable *fresh_variable(struct lanes *lanes, const struct variable *var) {
    struct variable *fresh = arena_alloc(lanes->job->arena, sizeof *fresh);
    *fresh = *var;
    fresh->name = arena_printf(lanes->job->arena, "orrery_v%d", lanes->nnames++);
    return fresh;
}

static void bind(struct lanes *lanes, const struct variable *var, struct expr *with, int lane) {
    struct binding binding = {var, with, lane};
    ARENA_PUSH(lanes->job->arena, lanes->bindings, lanes->nbindings, binding);
}

static const struct binding *binding_of(const struct lanes *lanes, const struct variable *var) {
    for (int i = lanes->nbindings; i-- > 0;)
        if (lanes->bindings[i].var == var)
            return &lanes->bindings[i];
    return NULL;
}

/* All floating-point numbers of a nest have one type; whole ones fit beside them. */
static bool fits_lane(struct lanes *lanes, const struct type *type) {
    if (!type_is_number(type) || !is_plain(type))
        return false;
    if (type->kind == TYPE_INT)
        return true;
    if (type->size != 4 && type->size != 8)
        return false;
    if (!lanes->number)
        lanes->number = type;
    return type_is_alike(lanes->number, type);
}

static int lane_add(struct lanes *lanes, const struct variable *var, bool outer) {
    struct lane_var made = {.is_float = var->type->kind == TYPE_FLOAT,
                            .outer = outer ? var : NULL,
                            .fresh = fresh_variable(lanes, var)};
    if (lanes->made.nvars >= MOST_VARS)
        refuse(lanes);
    ARENA_PUSH(lanes->job->arena, lanes->made.vars, lanes->made.nvars, made);
    return lanes->made.nvars - 1;
}

/* ---- expressions with other variables in them ------------------------------------------------ */

static struct expr *variable_expr(struct lanes *lanes, const struct expr *like,
                                  const struct variable *var) {
    struct expr *expr = arena_alloc(lanes->job->arena, sizeof *expr);
    *expr = *like;
    expr->kind = EXPR_VAR;
    expr->var = (struct variable *)var;
    expr->type = var->type;
    return expr;
}

static struct expr *with_bindings(struct lanes *lanes, const struct expr *expr) {
    struct arena *arena = lanes->job->arena;
    const struct binding *binding = expr->kind == EXPR_VAR ? binding_of(lanes, expr->var) : NULL;
    if (binding)
        return binding->with ? binding->with
                             : variable_expr(lanes, expr, lanes->made.vars[binding->lane].fresh);
    struct expr *copy = arena_alloc(arena, sizeof *copy);
    *copy = *expr;
    copy->hash = 0;
    copy->args =
        expr->nargs ? arena_alloc(arena, (size_t)expr->nargs * sizeof(struct expr *)) : NULL;
    for (int i = 0; i < expr->nargs; ++i)
        copy->args[i] = expr->args[i] ? with_bindings(lanes, expr->args[i]) : NULL;
    return copy;
}

static struct expr *as_type(struct lanes *lanes, struct expr *value, const struct type *type) {
    if (type_is_alike(value->type, type) || type->kind == TYPE_POINTER)
        return value;
    struct expr *cast = arena_alloc(lanes->job->arena, sizeof *cast);
    *cast = *value;
    cast->kind = EXPR_CAST;
    cast->op = OP_NONE;
    cast->type = type;
    cast->nargs = 1;
    cast->args = arena_alloc(lanes->job->arena, sizeof *cast->args);
    cast->args[0] = value;
    cast->hash = 0;
    return cast;
}

/* ---- values ---------------------------------------------------------------------------------- */

static const struct lane_value *value_new(struct lanes *lanes, struct lane_value value) {
    struct lane_value *made = arena_alloc(lanes->job->arena, sizeof *made);
    *made = value;
    return made;
}

/* The only open loop in the set, which counts up by one; `*none`: there is none in it. */
static const struct lane_step *round_of(const struct lanes *lanes, unsigned open, bool *none) {
    const struct lane_step *found = NULL;
    *none = open == 0;
    for (int i = 0; i < lanes->nopen; ++i)
        if (open == 1u << i)
            found = lanes->open[i].step;
    return found && found->op == OP_LT && found->step == 1 ? found : NULL;
}

static const struct lane_value *tile_value(struct lanes *lanes, const struct expr *expr,
                                           unsigned open) {
    struct emit_lanes *made = &lanes->made;
    bool none;
    const struct lane_step *round = round_of(lanes, open, &none);
    const char *text = emit_expr(lanes->job, expr);
    int at = 0;
    if ((!round && !none) || lanes->chosen) {
        refuse(lanes);
        return NULL;
    }
    while (at < made->ntiles &&
           (made->tiles[at].round != round || strcmp(made->tiles[at].text, text) != 0))
        ++at;
    if (at == made->ntiles) {
        struct lane_tile tile = {.text = text, .round = round};
        ARENA_PUSH(lanes->job->arena, made->tiles, made->ntiles, tile);
    }
    if (made->ntiles > MOST_TILES)
        refuse(lanes);
    lanes->pays = lanes->pays || (round && lanes->nopen > 1);
    return value_new(lanes, (struct lane_value){.kind = LANE_TILE, .index = at});
}

static bool is_arithmetic(const struct expr *expr) {
    return expr->kind == EXPR_BINARY &&
           (expr->op == OP_ADD || expr->op == OP_SUB || expr->op == OP_MUL || expr->op == OP_DIV);
}

/* `expr` (with bindings) as a value of type `want`; `converts`: it is assigned to that type. NULL:
 * refused. */
static const struct lane_value *value_of(struct lanes *lanes, const struct expr *expr,
                                         const struct type *want, bool converts) {
    struct mentions m = lanes_mentions(lanes, expr);
    bool alike = type_is_alike(expr->type, want);
    int lane = lanes_own(lanes, expr);
    const struct expr *bare = expr_without_casts(expr);
    if (lanes->chosen && bare->kind != EXPR_VAR && bare->kind != EXPR_INT &&
        bare->kind != EXPR_FLOAT) {
        refuse(lanes);
        return NULL;
    }
    if (lane >= 0)
        lanes->made.vars[lane].used = true;
    if (lane >= 0 && alike)
        return value_new(lanes, (struct lane_value){.kind = LANE_OWN, .index = lane});
    if (!m.lane && lanes_can_read(lanes, expr, !lanes->chosen) && type_is_number(expr->type) &&
        (alike || expr->kind == EXPR_INT || (converts && !m.index))) {
        if (!m.index)
            return value_new(lanes, (struct lane_value){.kind = LANE_UNIFORM,
                                                        .text = emit_expr(lanes->job, expr)});
        bool none, one = round_of(lanes, m.open, &none) || none;
        if (one && want->kind == TYPE_FLOAT)
            return tile_value(lanes, expr, m.open);
    }
    bool negates = expr->kind == EXPR_UNARY && expr->op == OP_MINUS;
    if (!alike || want->kind != TYPE_FLOAT || lanes->chosen || (!is_arithmetic(expr) && !negates)) {
        refuse(lanes);
        return NULL;
    }
    struct lane_value made = {.kind = negates ? LANE_NEGATE : LANE_BINARY, .op = expr->op};
    for (int i = 0; i < expr->nargs && i < 2; ++i)
        made.args[i] = value_of(lanes, expr->args[i], want, false);
    return value_new(lanes, made);
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Where steps are added: of the nest, or of one that has others inside. */
struct steps {
    int *count;
    const struct lane_step ***items;
};

static void step_add(struct lanes *lanes, struct steps to, const struct lane_step *step) {
    ARENA_PUSH(lanes->job->arena, *to.items, *to.count, step);
}

static struct lane_step *step_new(struct lanes *lanes, struct lane_step step) {
    struct lane_step *made = arena_alloc(lanes->job->arena, sizeof *made);
    *made = step;
    return made;
}

static const struct expr *write_out(struct lanes *lanes, const struct expr *call, struct steps to);

/* Variable `lane` op= what `value`, of the text, is. */
static void set(struct lanes *lanes, int lane, enum op op, const struct expr *value,
                struct steps to) {
    struct lane_var *var = &lanes->made.vars[lane];
    const struct type *type = var->fresh->type;
    bool sums = op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_DIV;
    if (!fits_lane(lanes, type) || (op != OP_NONE && (!sums || !var->is_float || lanes->chosen))) {
        refuse(lanes);
        return;
    }
    var->set = var->used = true;
    const struct expr *with =
        value->kind == EXPR_CALL ? write_out(lanes, value, to) : with_bindings(lanes, value);
    if (!lanes->possible)
        return;
    const struct lane_value *made = value_of(lanes, with, type, op == OP_NONE);
    if (lanes->possible)
        step_add(lanes, to,
                 step_new(lanes, (struct lane_step){
                                     .kind = LANE_SET, .index = lane, .op = op, .value = made}));
}

/* A pointer or a whole number that is never changed stands for what it is declared with. */
static bool bind_value(struct lanes *lanes, const struct variable *var, const struct expr *value) {
    bool fixed = var->writes == 0 && !var->address_taken && is_plain(var->type);
    if (!fixed || !value || (var->type->kind != TYPE_POINTER && var->type->kind != TYPE_INT))
        return false;
    struct expr *with = with_bindings(lanes, value);
    if (lanes_mentions(lanes, with).lane || !lanes_can_read(lanes, with, false))
        return false;
    bind(lanes, var, as_type(lanes, with, var->type), -1);
    return true;
}

static void take_declared(struct lanes *lanes, const struct variable *var, struct steps to) {
    if (var->storage != STORAGE_LOCAL || var->address_taken) {
        refuse(lanes);
        return;
    }
    if (bind_value(lanes, var, var->init))
        return;
    if (!fits_lane(lanes, var->type)) {
        refuse(lanes);
        return;
    }
    int lane = lane_add(lanes, var, false);
    if (var->init)
        set(lanes, lane, OP_NONE, var->init, to);
    bind(lanes, var, NULL, lane);
}

static void take(struct lanes *lanes, const struct stmt *stmt, struct steps to);

static void take_assignment(struct lanes *lanes, const struct expr *expr, struct steps to) {
    const struct binding *binding = expr->kind == EXPR_ASSIGN && expr->args[0]->kind == EXPR_VAR
                                        ? binding_of(lanes, expr->args[0]->var)
                                        : NULL;
    if (!binding || binding->with)
        refuse(lanes);
    else
        set(lanes, binding->lane, expr->op, expr->args[1], to);
}

/* Bounds are the environment's, so that all lanes have the same rounds. */
static const char *bound_text(struct lanes *lanes, const struct expr *bound) {
    struct expr *with = with_bindings(lanes, bound);
    struct mentions m = lanes_mentions(lanes, with);
    if (m.lane || m.index || m.open || with->type->kind != TYPE_INT ||
        !lanes_can_read(lanes, with, false))
        refuse(lanes);
    return emit_expr(lanes->job, with);
}

static bool is_counted(const struct loop *loop) {
    const struct variable *var = loop->variable;
    const struct expr *lower =
        loop->canonical && loop->lower ? expr_without_casts(loop->lower) : NULL;
    return lower && (lower->kind == EXPR_INT || lower->type->size <= var->type->size) &&
           loop->form == LOOP_FOR && loop->declares_variable && loop->init &&
           loop->init->nvars == 1 && !loop->steps_in_body && !loop->limited && !loop->stride &&
           !loop->positive && loop->nentries == 0 && loop->lower && loop->upper && loop->step &&
           (loop->relation == OP_LT || loop->relation == OP_LE || loop->relation == OP_GT ||
            loop->relation == OP_GE) &&
           var->type->kind == TYPE_INT && var->type->size >= 4 && !var->address_taken &&
           is_plain(var->type);
}

static void take_loop(struct lanes *lanes, const struct loop *loop, struct steps to) {
    if (!is_counted(loop) || lanes->nopen == MOST_OPEN || lanes->chosen) {
        refuse(lanes);
        return;
    }
    struct variable *fresh = fresh_variable(lanes, loop->variable);
    struct lane_step *step = step_new(
        lanes, (struct lane_step){.kind = LANE_FOR,
                                  .op = loop->relation,
                                  .name = fresh->name,
                                  .declared = outline_declare_plain((struct outline *)lanes->job,
                                                                    fresh->type, fresh->name),
                                  .lower = bound_text(lanes, loop->lower),
                                  .upper = bound_text(lanes, loop->upper),
                                  .step = loop->step});
    int bound = lanes->nbindings;
    struct expr like = {.type = fresh->type};
    lanes->open[lanes->nopen++] = (struct open_loop){fresh, step};
    bind(lanes, loop->variable, variable_expr(lanes, &like, fresh), -1);
    take(lanes, loop->body, (struct steps){&step->nsteps, &step->steps});
    lanes->nbindings = bound;
    --lanes->nopen;
    step_add(lanes, to, step);
}

static bool is_comparison(const struct expr *expr) {
    return expr->kind == EXPR_BINARY &&
           (expr->op == OP_LT || expr->op == OP_GT || expr->op == OP_LE || expr->op == OP_GE ||
            expr->op == OP_EQ || expr->op == OP_NE);
}

static void take_condition(struct lanes *lanes, const struct stmt *stmt, struct steps to) {
    if (!is_comparison(stmt->expr) || stmt->other || lanes->chosen || !lanes->number) {
        refuse(lanes);
        return;
    }
    struct lane_step *step =
        step_new(lanes, (struct lane_step){.kind = LANE_WHEN, .op = stmt->expr->op});
    step->value = value_of(lanes, with_bindings(lanes, stmt->expr->args[0]), lanes->number, false);
    step->other = value_of(lanes, with_bindings(lanes, stmt->expr->args[1]), lanes->number, false);
    lanes->chosen = true;
    take(lanes, stmt->then, (struct steps){&step->nsteps, &step->steps});
    lanes->chosen = false;
    step_add(lanes, to, step);
}

/* Declarations end with their block. */
static void take(struct lanes *lanes, const struct stmt *stmt, struct steps to) {
    int bound = lanes->nbindings;
    if (!lanes->possible)
        return;
    switch (stmt->kind) {
    case STMT_EMPTY:
        return;
    case STMT_BLOCK:
        for (int i = 0; i < stmt->nbody; ++i)
            take(lanes, stmt->body[i], to);
        lanes->nbindings = bound;
        return;
    case STMT_DECL:
        if (stmt->expr || lanes->chosen)
            refuse(lanes);
        for (int i = 0; i < stmt->nvars && lanes->possible; ++i)
            take_declared(lanes, stmt->vars[i], to);
        return;
    case STMT_EXPR:
        take_assignment(lanes, stmt->expr, to);
        return;
    case STMT_FOR:
        take_loop(lanes, stmt->loop, to);
        return;
    case STMT_IF:
        take_condition(lanes, stmt, to);
        return;
    default:
        refuse(lanes);
    }
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool has_known_body(const struct function *function) {
    return function && function->body && function->body->kind == STMT_BLOCK &&
           function->body->nbody > 0 && !function->is_variadic && !function->is_noreturn &&
           !function->is_replaceable && !function->is_weak && !function->is_alias &&
           !function->apart && !function->apart_code && type_is_number(function->result);
}

static void bind_parameter(struct lanes *lanes, const struct variable *param,
                           const struct expr *value, struct steps to) {
    if (param->writes || param->address_taken) {
        refuse(lanes);
        return;
    }
    if (bind_value(lanes, param, value))
        return;
    if (!fits_lane(lanes, param->type) || param->type->kind != TYPE_FLOAT) {
        refuse(lanes);
        return;
    }
    int lane = lane_add(lanes, param, false);
    set(lanes, lane, OP_NONE, value, to);
    bind(lanes, param, NULL, lane);
}

/* The statements of the function that is called, and what it returns, of the call's type. */
static const struct expr *write_out(struct lanes *lanes, const struct expr *call, struct steps to) {
    const struct function *function = call->function;
    if (!has_known_body(function) || lanes->calls == MOST_CALLS || lanes->chosen ||
        call->nargs != function->nparams) {
        refuse(lanes);
        return call;
    }
    const struct stmt *body = function->body, *last = body->body[body->nbody - 1];
    if (last->kind != STMT_RETURN || !last->expr || last->expr->kind == EXPR_CALL) {
        refuse(lanes);
        return call;
    }
    int bound = lanes->nbindings;
    ++lanes->calls;
    for (int i = 0; i < call->nargs && lanes->possible; ++i)
        bind_parameter(lanes, function->params[i], call->args[i], to);
    for (int i = 0; i < body->nbody - 1; ++i)
        take(lanes, body->body[i], to);
    const struct expr *value = with_bindings(lanes, last->expr);
    if (!type_is_alike(value->type, function->result))
        refuse(lanes);
    lanes->nbindings = bound;
    --lanes->calls;
    return value;
}

/* ---- the body -------------------------------------------------------------------------------- */

static bool is_infinity(const struct expr *expr) {
    static const char *const names[] = {"__builtin_inff", "__builtin_inf", "__builtin_huge_valf",
                                        "__builtin_huge_val"};
    for (int i = 0; i < 4; ++i)
        if (expr->kind == EXPR_CALL && expr->nargs == 0 && expr->function &&
            strcmp(expr->function->name, names[i]) == 0)
            return true;
    return false;
}

/* In front of the nest stand declarations that read no memory, so that they can be had twice. */
static void take_front(struct lanes *lanes, const struct stmt *stmt) {
    if (stmt->kind != STMT_DECL || stmt->expr || !stmt->range.exact) {
        if (stmt->kind != STMT_EMPTY)
            refuse(lanes);
        return;
    }
    for (int i = 0; i < stmt->nvars && lanes->possible; ++i) {
        const struct variable *var = stmt->vars[i];
        if (var->storage != STORAGE_LOCAL || var->address_taken) {
            refuse(lanes);
            return;
        }
        if (bind_value(lanes, var, var->init))
            continue;
        struct expr *init = var->init ? with_bindings(lanes, var->init) : NULL;
        const struct expr *bare = init ? expr_without_casts(init) : NULL;
        bool plain =
            !init || is_infinity(bare) ||
            (bare->kind == EXPR_UNARY && bare->op == OP_MINUS && is_infinity(bare->args[0])) ||
            lanes_can_read(lanes, init, false);
        if (!plain || !type_is_number(var->type) || !is_plain(var->type)) {
            refuse(lanes);
            return;
        }
        bind(lanes, var, NULL, lane_add(lanes, var, true));
    }
}

static void see_bound(void *data, struct stmt *stmt) {
    struct lanes *lanes = data;
    if (stmt->kind == STMT_LABEL || stmt->kind == STMT_GOTO || stmt->kind == STMT_UNKNOWN ||
        stmt->kind == STMT_RETURN)
        refuse(lanes);
}

/* Every loop of the nest has rounds, the outer one enough of them. */
static void add_rounds(struct lanes *lanes, const struct lane_step *step, bool first) {
    struct arena *arena = lanes->job->arena;
    static const char *const words[] = {
        [OP_LT] = "<", [OP_LE] = "<=", [OP_GT] = ">", [OP_GE] = ">="};
    if (step->kind != LANE_FOR)
        return;
    const char *before =
        lanes->made.when ? arena_printf(arena, "%s &&\n        ", lanes->made.when) : "";
    lanes->made.when =
        arena_printf(arena, "%s(%s) %s (%s)", before, step->lower, words[step->op], step->upper);
    if (first && step->op == OP_LT && step->step == 1)
        lanes->made.when = arena_printf(
            arena,
            "%s &&\n        (unsigned long)(%s) - (unsigned long)(%s) >= ORRERY_VECTORS_ROUNDS",
            lanes->made.when, step->upper, step->lower);
    for (int i = 0; i < step->nsteps; ++i)
        add_rounds(lanes, step->steps[i], false);
}

/* All floating-point variables are of the nest's type; what is only looked at has to fit, too. */
static bool fit_together(struct lanes *lanes) {
    long most = lanes->number ? lanes->number->size : 0;
    for (int i = 0; i < lanes->made.nvars; ++i) {
        const struct type *type = lanes->made.vars[i].fresh->type;
        if (lanes->made.vars[i].used && (!fits_lane(lanes, type) || type->size > most))
            return false;
    }
    return lanes->number && lanes->possible && lanes->pays;
}

static bool has_text(const struct lanes *lanes) {
    const struct range *body = &lanes->job->loop->body->range;
    const struct range *nest = &lanes->made.nest->range;
    struct text_edits edits = emit_body_edits(lanes->job, false, WHOLE);
    return nest->exact && text_edits_fit(&edits, body->begin.offset, nest->begin.offset) &&
           text_edits_fit(&edits, nest->end.offset, body->end.offset) &&
           !emit_directive_between(lanes->job, body->begin.offset, body->end.offset);
}

static bool is_possible(const struct outline *job) {
    const struct stmt *body = job->loop->body;
    enum strategy strategy = job->plan->strategy;
    if ((strategy != STRATEGY_INDEPENDENT && strategy != STRATEGY_REDUCTION) || job->plan->by_key ||
        job->plan->pipe || job->plan->wave || job->plan->gpu || emit_is_moving(job) ||
        job->nmacros || job->facts->nscratches || job->facts->allocates || !body->range.exact ||
        body->kind != STMT_BLOCK)
        return false;
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].merged)
            return false;
    return true;
}

/* The first loop of the body, which is a nest. */
static const struct stmt *find_nest(const struct stmt *body, int *at) {
    for (*at = 0; *at < body->nbody; ++*at)
        if (body->body[*at]->kind == STMT_FOR)
            return body->body[*at];
    return NULL;
}

void outline_lanes(struct outline *job) {
    struct lanes lanes = {.job = job, .possible = true};
    const struct stmt *body = job->loop->body;
    int at;
    if (!is_possible(job))
        return;
    lanes.made.nest = find_nest(body, &at);
    if (!lanes.made.nest)
        return;
    emit_walk_stmts((struct stmt *)body, see_bound, &lanes);
    for (int i = 0; i < at && lanes.possible; ++i)
        take_front(&lanes, body->body[i]);
    if (!lanes.possible || !has_text(&lanes))
        return;
    take(&lanes, lanes.made.nest, (struct steps){&lanes.made.nsteps, &lanes.made.steps});
    if (!fit_together(&lanes))
        return;
    lanes.made.wide = lanes.number->size == 8;
    add_rounds(&lanes, lanes.made.steps[0], true);
    struct emit_lanes *made = arena_alloc(job->arena, sizeof *made);
    *made = lanes.made;
    job->lanes = made;
}
