/* What two paths agree on, and what is forgotten. */
#include "analyzer/access/interp/interp.h"

static enum assigned join_assigned(enum assigned a, enum assigned b) {
    return a == b ? a : ASSIGNED_MAYBE;
}

/* A variable that only one path knows: declared there, or carried and first touched there. */
static struct slot join_single(struct interp *w, const struct slot *slot) {
    struct slot joined = *slot;
    if (slot->outer) {
        value_consume(w, slot->value);
        joined.value = value_unknown(w, "it is set under a condition");
        joined.assigned = slot->assigned == ASSIGNED_NO ? ASSIGNED_NO : ASSIGNED_MAYBE;
    }
    return joined;
}

struct env env_join(struct interp *w, const struct env *a, const struct env *b,
                    const struct value *cond) {
    struct env joined = {0};
    for (int i = 0; i < a->count; ++i) {
        struct slot slot = a->slots[i];
        const struct slot *other = env_find(b, slot.var);
        if (other) {
            slot.value = value_select(w, cond, slot.value, other->value);
            slot.assigned = join_assigned(slot.assigned, other->assigned);
        } else {
            slot = join_single(w, &slot);
        }
        ARENA_PUSH(w->arena, joined.slots, joined.count, slot);
    }
    for (int i = 0; i < b->count; ++i)
        if (!env_find(a, b->slots[i].var))
            ARENA_PUSH(w->arena, joined.slots, joined.count, join_single(w, &b->slots[i]));
    return joined;
}

static const struct value *forgotten(struct interp *w, const struct variable *var,
                                     const char *why) {
    if (var->type->kind == TYPE_POINTER) {
        struct value *p = value_new(&w->trace, VALUE_POINTER);
        p->region = region_unknown(w, why);
        p->why = why;
        return p;
    }
    return value_unknown(w, why);
}

void env_forget(struct interp *w, struct variable *var, const char *why) {
    struct slot *slot = env_find(&w->env, var);
    if (slot) {
        value_consume(w, slot->value);
        slot->value = forgotten(w, var, why);
    }
}

static bool ends_with(const struct variable *var, const struct function *function) {
    return var->function == function && !var->address_taken &&
           (var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM);
}

void env_end(struct interp *w, const struct function *function) {
    for (int i = 0; i < w->env.count; ++i) {
        struct slot *slot = &w->env.slots[i];
        if (ends_with(slot->var, function))
            slot->value = forgotten(w, slot->var, "a local variable of a call that is over");
    }
}
