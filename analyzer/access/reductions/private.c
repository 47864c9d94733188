/* Variables declared outside of the loop:
 * private to an iteration, or carried from one to the next. */
#include "analyzer/access/access.h"
#include "analyzer/access/reductions/liveness.h"

struct uses {
    const struct ref *read, *write;
    bool partial, in_callee;
};

static bool is_reduced(const struct loop_facts *facts, const struct variable *var) {
    for (int i = 0; i < facts->nreductions; ++i)
        if (facts->reductions[i].object->var == var && !facts->reductions[i].is_array)
            return true;
    return false;
}

static struct uses uses_of(const struct trace *t, const struct variable *var) {
    struct uses uses = {0};
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        const struct region *region = ref->address->region;
        if (region->kind != REGION_VARIABLE || region->var != var || ref->header)
            continue;
        uses.partial = uses.partial || !ref->scalar;
        uses.in_callee = uses.in_callee || (ref->in_callee && region->in_callee);
        if (!ref->write && ref->exposed && !uses.read)
            uses.read = ref;
        if (ref->write && !uses.write)
            uses.write = ref;
    }
    return uses;
}

static enum assigned state_at_end(const struct trace *t, const struct variable *var) {
    struct slot *slot = env_find(&t->end, var);
    return slot ? slot->assigned : ASSIGNED_MAYBE;
}

/* Static variables of the body itself and of functions called from it. */
static bool is_declared_outside(const struct trace *t, const struct variable *var) {
    const struct range *loop = &t->loop->stmt->range;
    bool inside =
        var->range.begin.offset >= loop->begin.offset && var->range.begin.offset < loop->end.offset;
    return var->function == t->loop->function && !inside;
}

static void refuse_carried(const struct trace *t, const struct variable *var,
                           const struct uses *uses) {
    const struct ref *read = uses->read;
    if (var->storage == STORAGE_STATIC_LOCAL && var->function != NULL &&
        !is_declared_outside(t, var)) {
        interp_refuse(t, ORR2203, read->via ? read->via->range : read->range,
                      "use a variable of the body, or compute the value from the loop's variable",
                      "the static variable `%s` keeps its value from one iteration to the next",
                      var->name);
        return;
    }
    const int before = t->facts->nrefusals;
    private_refuse_carried(t, var, read, uses->write);
    t->facts->ncarried += t->facts->nrefusals - before;
}

static void add_private(const struct trace *t, struct variable *var, const struct uses *uses) {
    bool last = liveness_is_read(t->arena, t->loop, var);
    if (last && state_at_end(t, var) != ASSIGNED_YES && argmin_last(t, var))
        return;
    if (last && state_at_end(t, var) != ASSIGNED_YES) {
        interp_refuse(
            t, ORR2202, uses->write ? uses->write->range : t->loop->header,
            "set it in a statement of its own, in every iteration or under conditions that "
            "do not read it",
            "`%s` is used after the loop, but not every iteration sets it", var->name);
        return;
    }
    if (uses->in_callee || !uses->write) {
        interp_refuse(t, ORR2206, uses->write ? uses->write->range : t->loop->header,
                      "use a variable declared in the body",
                      "`%s` is set by every iteration in a function called from the loop",
                      var->name);
        return;
    }
    struct private_var private = {.var = var, .last_value = last};
    ARENA_PUSH(t->arena, t->facts->privates, t->facts->nprivates, private);
}

void private_collect(const struct trace *t) {
    for (int i = 0; i < t->ncarried; ++i) {
        struct variable *var = t->carried[i];
        if (is_reduced(t->facts, var))
            continue;
        struct uses uses = uses_of(t, var);
        if (uses.partial && var->type->kind == TYPE_STRUCT)
            continue; /* scratch.c */
        if (uses.read) {
            refuse_carried(t, var, &uses);
        } else if (uses.partial && uses.write) {
            interp_refuse(t, ORR2206, uses.write->range, "use a variable declared in the body",
                          "`%s` is set in parts by every iteration", var->name);
        } else if (uses.write) {
            add_private(t, var, &uses);
        }
    }
}
