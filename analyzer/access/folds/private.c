/* Variables declared outside of the loop: private to an iteration, or carried from one to the
 * next. */
#include "analyzer/access/access.h"

#include <string.h>

struct uses {
    const struct raw *read, *write;
    bool partial, in_callee;
};

static bool is_reduced(const struct loop_facts *facts, const struct variable *var) {
    for (int i = 0; i < facts->nreductions; i++) {
        if (facts->reductions[i].object->var == var && !facts->reductions[i].is_array) {
            return true;
        }
    }
    return false;
}

static struct uses uses_of(struct walk *w, const struct variable *var) {
    struct uses uses = {0};
    for (int i = 0; i < w->nraws; i++) {
        const struct raw *raw = &w->raws[i];
        const struct region *region = raw->address->region;
        if (region->kind != REGION_VARIABLE || region->var != var || raw->header) {
            continue;
        }
        uses.partial = uses.partial || !raw->scalar;
        uses.in_callee = uses.in_callee || (raw->in_callee && region->in_callee);
        if (!raw->write && raw->exposed && !uses.read) {
            uses.read = raw;
        }
        if (raw->write && !uses.write) {
            uses.write = raw;
        }
    }
    return uses;
}

/* ---- is the value used after the loop? ------------------------------------------------------- */

/* `skipped`: loops that set the variable themselves before they use it. */
struct later_use {
    struct walk *w;
    const struct variable *var;
    const struct expr *target;
    bool used;
    int nskipped;
    struct range *skipped;
};

static bool is_inside(const struct range *outer, const struct range *inner) {
    return inner->begin.file == outer->begin.file && inner->begin.offset >= outer->begin.offset &&
           inner->begin.offset < outer->end.offset;
}

static void see_use(void *data, struct expr *e) {
    struct later_use *later = data;
    if (e->kind == EXPR_ASSIGN && e->op == OP_NONE) {
        later->target = e->args[0];
    }
    if (e->kind != EXPR_VAR || e->var != later->var || e == later->target) {
        return;
    }
    for (int i = 0; i < later->nskipped; i++) {
        if (is_inside(&later->skipped[i], &e->range)) {
            return;
        }
    }
    later->used = true;
}

/* `k = 0` or `k = 0, t = 0`. */
static bool sets_first(const struct expr *e, const struct variable *var) {
    if (e->kind == EXPR_COMMA) {
        return sets_first(e->args[0], var) || sets_first(e->args[1], var);
    }
    return e->kind == EXPR_ASSIGN && e->op == OP_NONE && e->args[0]->kind == EXPR_VAR &&
           e->args[0]->var == var;
}

static void see_own_loop(void *data, struct stmt *s) {
    struct later_use *later = data;
    const struct stmt *init = s->kind == STMT_FOR ? s->loop->init : NULL;
    if (init && init->kind == STMT_EXPR && sets_first(init->expr, later->var) &&
        !is_inside(&s->range, &later->w->loop->stmt->range)) {
        ARENA_PUSH(later->w->arena, later->skipped, later->nskipped, s->range);
    }
}

/* Anywhere else but in loops that set it first: loops around may come back to any place. */
static bool is_used_outside(struct walk *w, const struct variable *var) {
    struct later_use later = {.w = w, .var = var};
    if (!var->function || var->storage == STORAGE_STATIC_LOCAL || var->address_taken) {
        return true;
    }
    ARENA_PUSH(w->arena, later.skipped, later.nskipped, w->loop->stmt->range);
    stmt_each(w->loop->function->body, see_own_loop, &later);
    stmt_visit(w->loop->function->body, see_use, &later);
    return later.used;
}

static enum assigned state_at_end(struct walk *w, const struct variable *var) {
    struct slot *slot = env_find(&w->env, var);
    return slot ? slot->assigned : ASSIGNED_MAYBE;
}

/* Static variables of the body itself and of functions called from it. */
static bool is_declared_outside(const struct walk *w, const struct variable *var) {
    const struct range *loop = &w->loop->stmt->range;
    bool inside =
        var->range.begin.offset >= loop->begin.offset && var->range.begin.offset < loop->end.offset;
    return var->function == w->loop->function && !inside;
}

static void refuse_carried(struct walk *w, const struct variable *var, const struct uses *uses) {
    const struct raw *read = uses->read;
    if (var->storage == STORAGE_STATIC_LOCAL && var->function != NULL &&
        !is_declared_outside(w, var)) {
        walk_refuse(w, "ORR2203", read->via ? read->via->range : read->range,
                    "use a variable of the body, or compute the value from the loop's variable",
                    "the static variable `%s` keeps its value from one iteration to the next",
                    var->name);
        return;
    }
    private_refuse_carried(w, var, read, uses->write);
}

static void add_private(struct walk *w, struct variable *var, const struct uses *uses) {
    bool last = is_used_outside(w, var);
    if (last && state_at_end(w, var) != ASSIGNED_YES && choice_last(w, var)) {
        return;
    }
    if (last && state_at_end(w, var) != ASSIGNED_YES) {
        walk_refuse(w, "ORR2202", uses->write ? uses->write->range : w->loop->header,
                    "set it in a statement of its own, in every iteration or under conditions that "
                    "do not read it",
                    "`%s` is used after the loop, but not every iteration sets it", var->name);
        return;
    }
    if (uses->in_callee || !uses->write) {
        walk_refuse(w, "ORR2206", uses->write ? uses->write->range : w->loop->header,
                    "use a variable declared in the body",
                    "`%s` is set by every iteration in a function called from the loop", var->name);
        return;
    }
    struct private_var private = {.var = var, .last_value = last};
    ARENA_PUSH(w->arena, w->facts->privates, w->facts->nprivates, private);
}

void private_collect(struct walk *w) {
    for (int i = 0; i < w->ncarried; i++) {
        struct variable *var = w->carried[i];
        if (is_reduced(w->facts, var)) {
            continue;
        }
        struct uses uses = uses_of(w, var);
        if (uses.partial && var->type->kind == TYPE_STRUCT) {
            continue; /* scratch.c */
        }
        if (uses.read) {
            refuse_carried(w, var, &uses);
        } else if (uses.partial && uses.write) {
            walk_refuse(w, "ORR2206", uses.write->range, "use a variable declared in the body",
                        "`%s` is set in parts by every iteration", var->name);
        } else if (uses.write) {
            add_private(w, var, &uses);
        }
    }
}
