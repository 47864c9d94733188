/* Variables during the interpretation: what each holds, and what two paths agree on. */
#include "analyzer/access/interp/interp.h"

struct slot *env_find(const struct env *env, const struct variable *var) {
    for (int i = 0; i < env->count; ++i)
        if (env->slots[i].var == var)
            return &env->slots[i];
    return NULL;
}

void env_set(struct interp *w, struct variable *var, const struct value *value) {
    struct slot *slot = env_find(&w->env, var);
    if (!slot) {
        ARENA_PUSH(w->arena, w->env.slots, w->env.count, ((struct slot){.var = var}));
        slot = &w->env.slots[w->env.count - 1];
    }
    slot->value = value;
    slot->assigned = ASSIGNED_YES;
}

struct env env_copy(struct interp *w, const struct env *env) {
    struct env copy = {0};
    for (int i = 0; i < env->count; ++i)
        ARENA_PUSH(w->arena, copy.slots, copy.count, env->slots[i]);
    return copy;
}

bool variable_is_carried(struct interp *w, const struct variable *var) {
    for (int i = 0; i < w->trace.ncarried; ++i)
        if (w->trace.carried[i] == var)
            return true;
    return false;
}
