/*
 * Scratch space under a wavefront. A block runs whole iterations of the loops inside, one after
 * another, so what such an iteration has for itself a worker may have.
 */
#include "scheduler/strategy/wavefront/wave.h"

/* The loop inside that alone touches the object, NULL: there is none. */
static struct loop *home_of(const struct loop_facts *facts, const struct object *object) {
    struct strategy_miss miss;
    const struct plan_wave *wave = wave_parts(facts, &miss);
    int home = -1;
    for (int i = 0; wave && i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        int part = a->object == object ? plan_part_of(wave, a) : home;
        if (a->object == object &&
            (part < 0 || wave->parts[part].kind != WAVE_LOOP || (home >= 0 && home != part)))
            return NULL;
        home = part;
    }
    return home < 0 ? NULL : wave->parts[home].loop->loop;
}

static bool is_guarded_alike(const struct loop_facts *facts, const struct guard *guard) {
    for (int i = 0; i < facts->nguards; ++i) {
        const struct guard *mine = &facts->guards[i];
        if (mine->kind == GUARD_NO_OVERLAP && mine->a->var && mine->b->var &&
            ((mine->a->var == guard->a->var && mine->b->var == guard->b->var) ||
             (mine->a->var == guard->b->var && mine->b->var == guard->a->var)))
            return true;
    }
    return false;
}

/* What the run would have to check for the loop inside it checks for the whole one. */
static bool needs_no_more(const struct loop_facts *facts, const struct loop_facts *inside) {
    for (int i = 0; i < inside->nguards; ++i)
        if (inside->guards[i].kind != GUARD_NO_OVERLAP ||
            !is_guarded_alike(facts, &inside->guards[i]))
            return false;
    return true;
}

bool wave_is_copied(const struct loop_facts *facts, const struct object *object) {
    struct loop *home = object->kind == OBJECT_ARRAY && object->var ? home_of(facts, object) : NULL;
    if (!home)
        return false;
    const struct loop_facts *inside = analysis_run(facts_collect(facts->unit, home))->facts;
    bool own = false;
    for (int i = 0; i < inside->nscratches; ++i)
        own = own || (inside->scratches[i].object->kind == OBJECT_ARRAY &&
                      inside->scratches[i].object->var == object->var);
    return own && inside->nrefusals == 0 && needs_no_more(facts, inside);
}

void wave_copies(struct loop_facts *facts, const struct loop_facts *whole) {
    for (int i = 0; i < whole->nscratches; ++i) {
        const struct scratch *scratch = &whole->scratches[i];
        if (!scratch->last_value && wave_is_copied(whole, scratch->object))
            ARENA_PUSH(facts->unit->arena, facts->copied, facts->ncopied, scratch->object->var);
    }
}
