#include "scheduler/choose/passes_look.h"

#include "scheduler/base/text.h"
#include "scheduler/strategy/strategy.h"

#include <string.h>

bool passes_stands(struct passes_look *look, struct range where, const char *why, const char *fix) {
    look->passes->where = where;
    look->passes->why = why;
    look->passes->fix = fix;
    return false;
}

/* ---- the loop itself ------------------------------------------------------------------------- */

/* A fold into one variable of the function: its value is that of the last pass. */
static const struct variable *folded_variable(const struct reduction *reduction) {
    const struct variable *var = reduction->object->var;
    bool plain = reduction_operator(reduction->op) && !reduction_is_logical(reduction->op) &&
                 !reduction->argmin && !reduction->is_array && reduction->nfields == 0 && var &&
                 reduction->object->kind == OBJECT_SCALAR;
    bool own = plain && !var->address_taken &&
               (var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM);
    return own ? var : NULL;
}

static bool loop_is_fit(struct passes_look *look) {
    const struct loop_facts *facts = look->plan->analysis->facts;
    struct range header = look->loop->header;
    const char *last = NULL;
    const char *apart = strategy_of(look->plan)->passes_apart;
    if (apart)
        return passes_stands(look, header, apart, NULL);
    const struct other_words *words = other_words_of(facts->unit, look->loop);
    if (words && words->lists)
        return passes_stands(look, header, "its rows are looked at in front of each", NULL);
    for (int i = 0; i < facts->nprivates; ++i)
        last = facts->privates[i].last_value ? facts->privates[i].var->name : last;
    for (int i = 0; i < facts->nscratches; ++i)
        last = facts->scratches[i].last_value ? facts->scratches[i].object->name : last;
    if (last) {
        return passes_stands(
            look, header,
            arena_printf(plan_arena(look->plan), "what %s holds is used after the loop", last),
            NULL);
    }
    for (int i = 0; i < facts->nreductions; ++i) {
        if (!folded_variable(&facts->reductions[i])) {
            return passes_stands(look, facts->reductions[i].range,
                                 arena_printf(plan_arena(look->plan),
                                              "what a pass leaves in %s may be needed by the next",
                                              facts->reductions[i].object->name),
                                 NULL);
        }
    }
    struct passes_unsafe unsafe = {.why = NULL};
    if (look->loop->init)
        unsafe = passes_unsafe_stmt(look->plan, look->loop->init, NULL);
    return !unsafe.why || passes_stands(look, unsafe.where, unsafe.why, NULL);
}

/* ---- folds begin anew in each pass ----------------------------------------------------------- */

static bool begins(const struct stmt *stmt, const struct variable *var) {
    const struct expr *e = stmt->kind == STMT_EXPR ? stmt->expr : NULL;
    for (int i = 0; i < stmt->nvars; ++i)
        if (stmt->vars[i] == var && var->init)
            return true;
    return e && e->kind == EXPR_ASSIGN && e->op == OP_NONE && e->args[0]->kind == EXPR_VAR &&
           e->args[0]->var == var;
}

/* `sum = 0;` is a write that names the sum: only its right-hand side counts. */
static struct passes_unsafe begin_unsafe(const struct passes_look *look, const struct stmt *stmt) {
    const struct loop_facts *facts = look->plan->analysis->facts;
    for (int i = 0; stmt->kind == STMT_EXPR && i < facts->nreductions; ++i)
        if (begins(stmt, facts->reductions[i].object->var))
            return passes_unsafe_expr(look->plan, stmt->expr->args[1]);
    return passes_unsafe_stmt(look->plan, stmt, NULL);
}

static void begin_find(struct passes_look *look) {
    const struct stmt *body = look->inner->body;
    look->begin = 0;
    look->at = -1;
    for (int i = 0; body->kind == STMT_BLOCK && i < body->nbody && look->at < 0; ++i) {
        const struct stmt *stmt = body->body[i];
        bool simple =
            stmt->kind == STMT_EXPR || stmt->kind == STMT_DECL || stmt->kind == STMT_EMPTY;
        if (stmt == look->loop->stmt)
            look->at = i;
        else if (!simple || begin_unsafe(look, stmt).why)
            look->begin = i + 1;
    }
}

/* Does the variable get a value right in front of the loop in every pass? Then what the pass before
 * left in it is not wanted. */
static bool begins_anew(struct passes_look *look, const struct reduction *reduction) {
    for (int i = look->begin; i < look->at; ++i)
        if (begins(look->inner->body->body[i], reduction->object->var))
            return true;
    const char *name = reduction->object->name;
    return passes_stands(look, reduction->range,
                         arena_printf(plan_arena(look->plan),
                                      "every pass goes on with the %s of the one before", name),
                         arena_printf(plan_arena(look->plan),
                                      "let %s begin anew right in front of the loop in every pass",
                                      name));
}

static bool folds_are_fit(struct passes_look *look) {
    const struct loop_facts *facts = look->plan->analysis->facts;
    if (facts->nreductions > 0)
        begin_find(look);
    for (int i = 0; i < facts->nreductions; ++i)
        if (!begins_anew(look, &facts->reductions[i]))
            return false;
    return true;
}

/* ---- the loops around ------------------------------------------------------------------------ */

/* What a loop around it does in every round, its body apart. */
static struct passes_unsafe round_unsafe(const struct passes_look *look,
                                         const struct loop *around) {
    struct passes_unsafe unsafe = {.why = NULL};
    if (around->why_not && !around->cond && !around->next)
        return (struct passes_unsafe){around->why_not, around->header};
    if (around->cond)
        unsafe = passes_unsafe_expr(look->plan, around->cond);
    if (around->next && !unsafe.why)
        unsafe = passes_unsafe_expr(look->plan, around->next);
    return unsafe;
}

struct child {
    const struct stmt *wanted;
    bool in_block, found;
};

static void find_child(struct child *child, const struct stmt *stmt, bool in_block) {
    if (!stmt || child->found)
        return;
    if (stmt == child->wanted) {
        child->found = true;
        child->in_block = in_block;
        return;
    }
    for (int i = 0; i < stmt->nbody; ++i)
        find_child(child, stmt->body[i], stmt->kind == STMT_BLOCK);
    find_child(child, stmt->then, false);
    find_child(child, stmt->other, false);
    if (stmt->kind == STMT_FOR && stmt->loop)
        find_child(child, stmt->loop->body, false);
}

/* A directive about the statement stands in front of it, and it is not one of ours. */
static bool follows_pragma(const struct passes_look *look, const struct stmt *stmt) {
    return text_follows_directive(look->plan->analysis->facts->unit, &stmt->range) &&
           !(stmt->loop && stmt->loop->pragma);
}

const char *passes_no_edit(const struct passes_look *look, const struct stmt *stmt) {
    if (!stmt->range.exact ||
        stmt->range.begin.file != look->plan->analysis->facts->unit->main_file)
        return "a macro stands in the way of waiting for the passes here";
    return follows_pragma(look, stmt)
               ? "a directive stands in front of where to wait for the passes"
               : NULL;
}

static bool around_is_fit(struct passes_look *look) {
    look->inner = look->loop->parent;
    for (const struct loop *l = look->loop->parent; l; l = l->parent) {
        struct passes_unsafe unsafe = round_unsafe(look, l);
        struct child child = {.wanted = l->stmt};
        find_child(&child, look->loop->function->body, true);
        const char *why = unsafe.why ? unsafe.why : passes_no_edit(look, l->stmt);
        if (why || !child.found) {
            return look->passes->around ||
                   passes_stands(look, unsafe.why ? unsafe.where : l->header, why, NULL);
        }
        look->passes->around = l;
        look->passes->in_block = child.in_block;
    }
    return look->passes->around != NULL;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* The innermost block or loop that the place is in. */
struct scope {
    const struct range *place;
    const struct stmt *found;
};

static void see_scope(void *data, struct stmt *stmt) {
    struct scope *scope = data;
    if (range_holds(&stmt->range, scope->place) &&
        (stmt->kind == STMT_BLOCK || stmt->kind == STMT_FOR))
        scope->found = stmt;
}

/* Where the statement waits, the variable of the pass before lives still. */
static bool lives(const struct passes_look *look, const struct variable *var,
                  const struct stmt *stmt) {
    const struct stmt *around = look->passes->around->stmt;
    struct scope in = {.place = &var->range, .found = around};
    if (!range_holds(&around->range, &var->range))
        return true;
    stmt_each((struct stmt *)around, see_scope, &in);
    const struct stmt *scope = in.found;
    bool behind = stmt->range.begin.offset > look->loop->stmt->range.begin.offset;
    return range_holds(&scope->range, &stmt->range) &&
           stmt->range.begin.offset > var->range.begin.offset &&
           (behind || !range_holds(&look->inner->stmt->range, &scope->range) ||
            scope == look->inner->stmt);
}

/* How many of the variables that are folded into live where a statement waits;
 * NULL: behind the loop around. */
static int living(const struct passes_look *look, const struct stmt *stmt) {
    const struct loop_facts *facts = look->plan->analysis->facts;
    int count = 0;
    for (int i = 0; i < facts->nreductions; ++i) {
        const struct variable *var = facts->reductions[i].object->var;
        count += stmt ? lives(look, var, stmt)
                      : !range_holds(&look->passes->around->stmt->range, &var->range);
    }
    return count;
}

/* All of the sums are kept where the program waits, or none. */
static bool keeps_set(struct passes_look *look) {
    int all = look->plan->analysis->facts->nreductions;
    struct plan_passes *passes = look->passes;
    int behind = living(look, NULL);
    bool good = behind == 0 || behind == all;
    passes->keeps = behind > 0;
    for (int i = 0; i < passes->nwaits; ++i) {
        int count = living(look, passes->waits[i].stmt);
        passes->waits[i].keeps = count > 0;
        good = good && (count == 0 || count == all);
    }
    return good ||
           passes_stands(
               look, look->loop->header,
               "some of its sums are declared outside and some inside of the loop around it", NULL);
}

const struct plan_passes *plan_passes(const struct plan *plan) {
    struct arena *arena = plan->analysis->facts->unit->arena;
    struct plan_passes *passes = arena_alloc(arena, sizeof *passes);
    struct passes_look look = {
        .plan = plan, .loop = plan->analysis->loop, .at = -1, .passes = passes};
    *passes = (struct plan_passes){.around = NULL};
    if (!look.loop->parent || !loop_is_marked(look.loop))
        return passes;
    bool fit = loop_is_fit(&look) && around_is_fit(&look) && folds_are_fit(&look) &&
               passes_waits_fit(&look) && passes_values_fit(&look) && keeps_set(&look);
    if (!fit)
        passes->around = NULL;
    return passes;
}

const char *plan_passes_words(const struct plan *plan, const struct plan_passes *passes,
                              const char **code) {
    struct arena *arena = plan->analysis->facts->unit->arena;
    *code = passes->around ? ORR1404 : ORR1405;
    if (passes->around) {
        return arena_printf(arena, "they flow into each other, inside of the loop in line %d",
                            passes->around->header.begin.line);
    }
    return passes->why ? arena_printf(arena, "each is waited for: %s, %d:%d", passes->why,
                                      passes->where.begin.line, passes->where.begin.column)
                       : NULL;
}
