/* Which objects are only folded into. */
#include "analyzer/access/internal.h"
#include "analyzer/access/must_write/must_write.h"
#include "analyzer/access/reductions/argmin.h"

struct fold {
    int op;
    bool all, any, exposed, in_callee;
    const struct ref *first, *other;
};

static struct fold fold_of(const struct trace *t, const struct object *object) {
    struct fold fold = {.op = -1, .all = true};
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (located(t, ref)->object != object)
            continue;
        fold.any = fold.any || located(t, ref)->reduction >= 0;
        fold.exposed = fold.exposed || !ref->scalar || ref->exposed;
        fold.in_callee = fold.in_callee || ref->in_callee;
        if (located(t, ref)->reduction < 0 ||
            (fold.op >= 0 && located(t, ref)->reduction != fold.op)) {
            fold.all = false;
            fold.other = fold.other ? fold.other : ref;
            continue;
        }
        fold.op = located(t, ref)->reduction;
        fold.first = fold.first ? fold.first : ref;
    }
    return fold;
}

/* Folding copies elements of one type: every touch must be of it. */
static bool one_type(const struct trace *t, const struct object *object, const struct type *type) {
    for (int i = 0; i < t->nrefs; ++i)
        if (located(t, &t->refs[i])->object == object && !type_is_alike(t->refs[i].type, type))
            return false;
    const struct region *region = ((const struct object_behind *)object)->region;
    return object->kind == OBJECT_SCALAR || type_is_alike(region->element, type);
}

/* Is the row the same in all iterations, or one of many in each? */
static bool is_of_all(const struct trace *t, const struct poly *row) {
    for (int i = 0; row && i < row->nmonomials; ++i) {
        for (int j = 0; j < row->monomials[i].nsyms; ++j) {
            const struct sym *sym = t->syms->items[row->monomials[i].syms[j]];
            bool own = sym->kind == SYMBOL_LOOP ? sym->loop == t->loop
                                                : sym->kind != SYMBOL_PARAM && !sym->on_inner;
            if (own)
                return false;
        }
    }
    return row != NULL;
}

/* The part of an lvalue that is `base`, where the text can be replaced. */
static bool has_part(const struct expr *e, const struct expr *base) {
    while (e && !expr_equal(e, base))
        e = e->nargs > 0 ? e->args[0] : NULL;
    return e && e->range.exact;
}

/* Every touch of `m->layer->sum`, and of the folded members of `c[k]->count`, stands in the body's
 * text by that name: another can take its place. */
static bool is_spelled(const struct trace *t, const struct object *object) {
    bool spelled = object->base && (object->base->kind == EXPR_MEMBER || object->parted);
    for (int i = 0; spelled && i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        spelled = located(t, ref)->object != object ||
                  (!ref->via && !ref->header && has_part(ref->expr, object->base));
    }
    return spelled;
}

/*
 * Every touch of `cs[best].sum[j]` or `cs[best]->sum[j]`, a row that a structure leads to, stands
 * in the body's text with the array's name and a subscript: another table can take the structures'
 * place.
 */
static bool is_spelled_row(const struct trace *t, const struct object *object) {
    bool inside = object->table_step && !object->inner_step && object->ntables == 1;
    bool behind = !object->table_step && object->inner_step && object->ntables == 2;
    bool spelled = inside || behind;
    for (int i = 0; spelled && i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        spelled = located(t, ref)->object != object ||
                  (!ref->via && !ref->header && rows_pointer(ref->expr, object->base, NULL));
    }
    return spelled;
}

/* What chooses the row: of structures behind a table, which structure. */
static const struct poly *chosen_row(const struct object *object, const struct value *address) {
    return object->inner_step ? address->outer : address->row;
}

/* Is the row computed by the iteration, and the place inside of it the same in all of them? */
static bool is_of_any(const struct trace *t, const struct object *object,
                      const struct value *address) {
    bool any = !chosen_row(object, address) && address->region->kind == REGION_ROWS &&
               (!address->poly || is_of_all(t, address->poly));
    for (int i = 0; any && i < address->nparts; ++i)
        any = is_of_all(t, address->parts[i].index);
    return any;
}

/*
 * Sums into rows behind a table of pointers, as one piece: not where the iteration's own key or
 * number chooses the row or the place in it, which keeps iterations apart without copies.
 */
static bool foldable_rows(const struct trace *t, const struct object *object,
                          const struct fold *fold, const struct variable *holder) {
    bool zero = fold->first->reduction >= 0 &&
                reduction_operator(fold->first->reduction)->identity == REDUCTION_ZERO;
    bool of_all = false;
    for (int i = 0; i < t->nrefs; ++i) {
        const struct value *address = located_address(t, &t->refs[i]);
        of_all = of_all ||
                 (located(t, &t->refs[i])->object == object &&
                  (is_of_all(t, chosen_row(object, address)) || is_of_any(t, object, address)));
    }
    return zero && of_all &&
           (is_spelled_row(t, object) || ((object->captured || holder || is_spelled(t, object)) &&
                                          !object->table_step && !object->inner_step));
}

static bool foldable_place(const struct trace *t, const struct object *object,
                           const struct fold *fold, const struct variable *holder) {
    if (object->kind == OBJECT_ROWS)
        return foldable_rows(t, object, fold, holder);
    bool array = object->kind == OBJECT_ARRAY || object->kind == OBJECT_POINTER;
    if (object->kind == OBJECT_SCALAR) {
        bool cell = ((const struct object_behind *)object)->cell;
        return cell || (object->var && (object->captured || !fold->in_callee || holder)) ||
               is_spelled(t, object);
    }
    return array && (object->captured || holder || is_spelled(t, object));
}

void facts_mark_accesses(const struct trace *t, const struct object *object, int reduction) {
    for (int i = 0; i < t->facts->naccesses; ++i)
        if (t->facts->accesses[i].object == object)
            t->facts->accesses[i].reduction = reduction;
}

/* Is a number in an array of a structure chosen? Then the object is no single number, unless it is
 * that one element. */
static bool is_inside_structure(const struct trace *t, const struct object *object) {
    const struct object_behind *behind = (const struct object_behind *)object;
    const struct type *element = behind->region->element;
    if (behind->cell || object->kind != OBJECT_SCALAR || !element || element->kind != TYPE_STRUCT)
        return false;
    for (int i = 0; i < t->nrefs; ++i)
        if (located(t, &t->refs[i])->object == object &&
            located_address(t, &t->refs[i])->nparts > 0)
            return true;
    return false;
}

/* Folds of one kind into elements of one type. */
static bool is_plain(const struct trace *t, const struct object *object, const struct fold *fold) {
    return fold->all && one_type(t, object, fold->first->type) && !is_inside_structure(t, object) &&
           (reduction_operator(fold->op)->in_elements || object->kind == OBJECT_SCALAR);
}

/* Folds of any kinds into members of structures. */
static bool by_fields(const struct trace *t, const struct object *object, struct reduction *out) {
    int nrefs = 0, *refs = arena_alloc(t->arena, (size_t)(t->nrefs + 1) * sizeof *refs);
    for (int i = 0; i < t->nrefs; ++i)
        if (located(t, &t->refs[i])->object == object)
            refs[nrefs++] = i;
    return reduce_fields(t, ((const struct object_behind *)object)->region, nrefs, refs, out);
}

/* Other bits in another order. */
static bool is_rounded(const struct trace *t, const struct object *object) {
    bool found = false;
    for (int i = 0; i < t->nrefs; ++i) {
        found = found || (located(t, &t->refs[i])->object == object && t->refs[i].type &&
                          t->refs[i].type->kind == TYPE_FLOAT);
    }
    return found;
}

/* `ok = ok && E` where E changes something, or may fault. Refused here where no variable is
 * carried, which says so itself. */
static bool is_flag_no_fold(const struct trace *t, const struct object *object,
                            const struct fold *fold) {
    bool flag = object->kind == OBJECT_SCALAR && reduction_is_logical(fold->op);
    bool changes = flag && flag_changes_else(t, object);
    const struct expr *faulty = flag && !changes ? flag_speculates(t, object) : NULL;
    if (faulty && !object->var)
        flag_refuse(t, object->base, faulty);
    return changes || faulty;
}

bool object_reaches_front(const struct trace *t, const struct object *object) {
    bool reaches = false;
    if (object->kind != OBJECT_POINTER || object->size_text ||
        (object->var && origins_allocation(t->origins, object->var))) {
        return false;
    }
    struct must_write *must_write = must_write_new(t);
    for (int i = 0; i < t->nrefs && !reaches; ++i) {
        reaches = located(t, &t->refs[i])->object == object && !must_write_flat_from_base(t, i) &&
                  !must_write_from_base(must_write, i);
    }
    must_write_free(must_write);
    return reaches;
}

void reduce_collect(const struct trace *t) {
    struct loop_facts *facts = t->facts;
    for (int i = 0; i < facts->nobjects; ++i) {
        struct object *object = facts->objects[i];
        struct fold fold = fold_of(t, object);
        struct variable *holder = object->parted ? NULL : reduce_holder(t, object);
        if (facts->keeps_sums && object->kind != OBJECT_SCALAR && is_rounded(t, object))
            continue;
        if (!fold.any || !fold.first || !fold.exposed ||
            !foldable_place(t, object, &fold, holder) || is_flag_no_fold(t, object, &fold)) {
            continue;
        }
        struct reduction reduction = {.op = (enum reduction_op)fold.first->reduction,
                                      .object = object,
                                      .type = fold.first->type,
                                      .holder = holder,
                                      .is_array = object->kind != OBJECT_SCALAR,
                                      .range = fold.first->range};
        if (!is_plain(t, object, &fold) && !by_fields(t, object, &reduction))
            continue;
        reduction.is_array = reduction.is_array || reduction.nfields > 0;
        reduction.ties = fold_has_ties(t, object);
        reduction.in_front = reduction.is_array && object_reaches_front(t, object);
        ARENA_PUSH(t->arena, facts->reductions, facts->nreductions, reduction);
        facts_mark_accesses(t, object, facts->nreductions - 1);
    }
}
