/* In which runs of the loop an object is touched at all, as far as that is told in front of it. */
#include "analyzer/access/access.h"

enum { MOST_WAYS = 4 };

/* The conditions of an object's accesses, none of which implies another. */
struct ways {
    bool always;
    int count;
    const struct expr *items[MOST_WAYS];
};

static void way_add(struct ways *ways, const struct expr *when) {
    int kept = 0;
    for (int i = 0; i < ways->count; ++i) {
        if (facts_implies(when, ways->items[i]))
            return;
        if (!facts_implies(ways->items[i], when))
            ways->items[kept++] = ways->items[i];
    }
    ways->count = kept;
    ways->always = ways->always || !when || kept == MOST_WAYS;
    if (!ways->always)
        ways->items[ways->count++] = when;
}

static const struct expr *any_way(const struct trace *t, const struct ways *ways) {
    struct expr *any = ways->always || ways->count == 0 ? NULL : (struct expr *)ways->items[0];
    for (int i = 1; any && i < ways->count; ++i) {
        any = expr_binary(t->arena, OP_NONE, any, (struct expr *)ways->items[i]);
        any->kind = EXPR_OR;
    }
    return any;
}

/* Is there an access that nothing but `when` keeps the loop from? */
static bool is_sure(const struct loop_facts *facts, const struct object *object,
                    const struct expr *when) {
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *access = &facts->accesses[i];
        if (access->object == object && !access->sometimes && facts_implies(when, access->when))
            return true;
    }
    return false;
}

static struct expr *conjunction(const struct trace *t, const struct sym *sym) {
    struct condition *all = arena_alloc(t->arena, (size_t)(sym->nguards + 1) * sizeof *all);
    for (int i = 0; i < sym->nguards; ++i) {
        struct value *v = value_new(t, VALUE_OTHER);
        v->pure = sym->guards[i];
        all[i] = (struct condition){.value = v, .sense = sym->sense[i]};
    }
    return sym->nguards > 0 ? interp_conjunction(t, sym->nguards, all)->pure : NULL;
}

void facts_fronts(const struct trace *t) {
    for (int i = 0; i < t->syms->count; ++i) {
        const struct sym *sym = t->syms->items[i];
        bool told = !sym->impure_guard && sym->nguards == 0;
        if (sym->kind == SYMBOL_PARAM && sym->guarded && !told) {
            struct front_value front = {.expr = sym->expr,
                                        .when = conjunction(t, sym),
                                        .sometimes = sym->impure_guard,
                                        .symbol = access_symbol_of(t, sym)};
            ARENA_PUSH(t->arena, t->facts->fronts, t->facts->nfronts, front);
        }
    }
}

void objects_when(const struct trace *t) {
    struct loop_facts *facts = t->facts;
    for (int i = 0; i < facts->nobjects; ++i) {
        struct object *object = facts->objects[i];
        struct ways ways = {0};
        for (int j = 0; j < facts->naccesses; ++j)
            if (facts->accesses[j].object == object)
                way_add(&ways, facts->accesses[j].when);
        object->when = any_way(t, &ways);
        object->surely = object->when || is_sure(facts, object, NULL);
        for (int n = 0; object->when && n < ways.count; ++n)
            object->surely = object->surely && is_sure(facts, object, ways.items[n]);
        object->all_entries =
            object->kind == OBJECT_ROWS && object->surely && rows_reads_all(t, object);
    }
}
