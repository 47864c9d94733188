/* What is asked of accesses, and said of objects. */
#include "analyzer/facts.h"

const char *object_words(struct arena *arena, const struct object *object) {
    if (object->kind == OBJECT_ROWS) {
        return arena_printf(arena, "the rows of %s%s",
                            object->ntables > 1 && !object->inner_step ? "the tables in " : "",
                            object->name);
    }
    bool pointer =
        object->kind == OBJECT_SCALAR && object->element && object->element->kind == TYPE_POINTER;
    return pointer ? arena_printf(arena, "the pointer %s", object->name) : object->name;
}

const struct access *facts_unplaced(const struct loop_facts *facts) {
    for (int i = 0; i < facts->naccesses; ++i)
        if (facts->accesses[i].object->kind == OBJECT_UNKNOWN)
            return &facts->accesses[i];
    return NULL;
}

bool affine_equal(const struct affine *a, const struct affine *b) {
    bool same = a->constant == b->constant && a->nterms == b->nterms;
    for (int i = 0; same && i < a->nterms; ++i)
        same = a->terms[i].symbol == b->terms[i].symbol && a->terms[i].coeff == b->terms[i].coeff;
    return same;
}

bool affine_is_invariant(const struct affine *value) {
    for (int i = 0; i < value->nterms; ++i)
        if (value->terms[i].symbol->kind != SYMBOL_PARAM)
            return false;
    return true;
}

const struct subscript *access_unknown(const struct access *a) {
    for (int d = 0; d < a->nsubs; ++d)
        if (!a->subs[d].known)
            return &a->subs[d];
    return NULL;
}

const struct symbol *access_key(const struct access *a, bool inner) {
    for (int d = 0; d < a->nsubs; ++d) {
        for (int i = 0; a->subs[d].known && i < a->subs[d].value.nterms; ++i) {
            const struct symbol *s = a->subs[d].value.terms[i].symbol;
            if (s->kind == SYMBOL_KEY && s->inner == inner)
                return s;
        }
    }
    return NULL;
}
