/*
 * Sums and scratch space behind structures: `m->grad[j] += g`, also in a called function that is
 * handed `m`. A block gets a copy of the structure whose pointer leads to the block's own array.
 * That is the same to the body as long as nothing else in the structure is changed there.
 */
#include "analyzer/access/internal.h"

enum { COPY_MOST = 4096 };

/* `m` of `m->grad`, `m.layer[1].grad`: members and constant subscripts, and one step through a
 * pointer, the variable itself. */
static struct variable *root_of(const struct expr *e) {
    while (e->kind == EXPR_MEMBER ||
           (e->kind == EXPR_SUBSCRIPT && e->args[0]->type && e->args[0]->type->kind == TYPE_ARRAY &&
            e->args[1]->kind == EXPR_INT)) {
        e = e->args[0];
    }
    e = e->kind == EXPR_DEREF ? e->args[0] : e;
    return e->kind == EXPR_VAR ? e->var : NULL;
}

static bool can_be_copied(const struct trace *t, const struct variable *var) {
    const struct type *type = var->type->kind == TYPE_POINTER ? var->type->element : var->type;
    bool own = var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM;
    return own && var->function == t->loop->function && !var->type->is_const &&
           type->kind == TYPE_STRUCT && type->size > 0 && type->size <= COPY_MOST;
}

static bool lies_in(const struct ref *ref, const struct variable *var) {
    const struct region *region = ref->address->region;
    if (region->kind == REGION_VARIABLE)
        return region->var == var && var->type->kind == TYPE_STRUCT;
    return region->kind == REGION_POINTER && region->expr && region->expr->kind == EXPR_VAR &&
           region->expr->var == var;
}

static bool is_scratch(const struct loop_facts *facts, const struct object *object) {
    for (int i = 0; i < facts->nscratches; ++i)
        if (facts->scratches[i].object == object)
            return true;
    return false;
}

/* All that changes in the structure is single numbers that are folded into, or scratch space. */
static bool only_folds(const struct trace *t, const struct variable *var) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        const struct object *object = located(t, ref)->object;
        bool number = object && object->kind == OBJECT_SCALAR && object->base &&
                      object->base->kind == EXPR_MEMBER &&
                      (located(t, ref)->reduction >= 0 || is_scratch(t->facts, object));
        if (ref->write && lies_in(ref, var) && !number)
            return false;
    }
    return true;
}

struct variable *reduce_holder(const struct trace *t, const struct object *object) {
    const struct expr *base = object->base;
    if (!base || base->kind != EXPR_MEMBER || !base->field)
        return NULL;
    const struct type *type =
        base->field->type; /* behind a `const` pointer all members are const */
    bool pointer = (object->kind == OBJECT_POINTER || object->kind == OBJECT_ROWS) &&
                   type->kind == TYPE_POINTER && !type->is_const;
    if (!pointer && object->kind != OBJECT_SCALAR)
        return NULL;
    struct variable *root = root_of(base);
    return root && can_be_copied(t, root) && only_folds(t, root) ? root : NULL;
}

const struct variable *facts_holder(const struct loop_facts *facts, const struct object *object) {
    return reduce_holder(((const struct facts_behind *)facts)->trace, object);
}
