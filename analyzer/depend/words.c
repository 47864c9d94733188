/*
 * Why two iterations conflict or cannot, in words.
 */
#include "analyzer/depend/depend.h"

#include <stdlib.h>
#include <string.h>

/* ---- refuted --------------------------------------------------------------------------------- */

static bool same_terms(const struct affine *a, const struct affine *b) {
    if (a->nterms != b->nterms)
        return false;
    for (int i = 0; i < a->nterms; ++i)
        if (a->terms[i].symbol != b->terms[i].symbol || a->terms[i].coeff != b->terms[i].coeff)
            return false;
    return true;
}

static unsigned long gcd(unsigned long a, unsigned long b) {
    return b == 0 ? a : gcd(b, a % b);
}

static long step_of(const struct loop_facts *facts, const struct symbol *symbol) {
    for (int i = 0; i < facts->ninner; ++i) {
        if (facts->inner[i].symbol == symbol) {
            bool start_is_one = i == 0 || facts->inner[i].has_lower;
            return start_is_one ? facts->inner[i].step : 1;
        }
    }
    return 1;
}

/* What every change of the subscript between iterations is a multiple of; 0 = it never changes. */
static unsigned long stride_of(const struct loop_facts *facts, const struct affine *value) {
    unsigned long stride = 0;
    for (int i = 0; i < value->nterms; ++i) {
        const struct symbol *s = value->terms[i].symbol;
        if (s->kind != SYMBOL_PARAM) {
            long step = s->kind == SYMBOL_LOOP ? step_of(facts, s) : 1;
            stride =
                gcd(stride, (unsigned long)labs(step) * (unsigned long)labs(value->terms[i].coeff));
        }
    }
    return stride;
}

static const char *apart_text(const struct loop_facts *facts, const struct affine *a,
                              const struct affine *b) {
    long apart;
    if (!same_terms(a, b) || __builtin_sub_overflow(a->constant, b->constant, &apart))
        return NULL;
    unsigned long distance = (unsigned long)labs(apart), stride = stride_of(facts, a);
    if (distance == 0 || (stride != 0 && distance % stride == 0))
        return NULL;
    return stride == 0
               ? arena_printf(facts->unit->arena, "subscripts are always %lu apart", distance)
               : arena_printf(facts->unit->arena, "subscripts differ by %lu, step is %lu", distance,
                              stride);
}

static bool is_own(const struct loop_facts *facts, const struct affine *a, const struct affine *b) {
    return same_terms(a, b) && a->constant == b->constant && facts->index != NULL &&
           stride_of(facts, a) != 0 && a->terms[0].symbol == facts->index && a->nterms == 1;
}

const char *depend_refutation(const struct loop_facts *facts, const struct access *a,
                              const struct access *b) {
    if (!access_bytes_meet(a, b))
        return "they touch different fields";
    for (int d = 0; d < a->nsubs && d < b->nsubs; ++d) {
        const struct subscript *x = &a->subs[d], *y = &b->subs[d];
        const char *apart = x->known && y->known ? apart_text(facts, &x->value, &y->value) : NULL;
        if (apart)
            return apart;
    }
    for (int d = 0; d < a->nsubs && d < b->nsubs; ++d) {
        const struct subscript *x = &a->subs[d], *y = &b->subs[d];
        if (x->known && y->known && is_own(facts, &x->value, &y->value)) {
            return arena_printf(facts->unit->arena, "every %s has its own elements",
                                facts->index->name);
        }
    }
    return "the subscripts are never equal in two iterations";
}

/* ---- carried --------------------------------------------------------------------------------- */

static const char *same_keys(const struct analysis *analysis, const struct dependence *dep) {
    struct arena *arena = analysis->facts->unit->arena;
    const char *text = NULL;
    for (int d = 0; d < analysis->ndims; ++d) {
        if (analysis->dims[d].kind == DIM_KEY && entry_is_zero(dep->vector[d])) {
            text = text ? arena_printf(arena, "%s and %s", text, analysis->dims[d].name)
                        : analysis->dims[d].name;
        }
    }
    return text ? arena_printf(arena, "iterations with the same %s conflict", text) : NULL;
}

static const char *distance_words(const struct analysis *analysis, const struct dependence *dep) {
    struct arena *arena = analysis->facts->unit->arena;
    for (int d = 0; d < analysis->ndims; ++d) {
        const struct entry e = dep->vector[d];
        const struct dim *dim = &analysis->dims[d];
        if (dim->kind == DIM_VARIABLE && e.kind == ENTRY_NUMBER) {
            return labs(e.number) == 1
                       ? "neighbouring iterations conflict"
                       : arena_printf(arena, "iterations that are %ld apart conflict",
                                      labs(e.number));
        }
        if (dim->kind == DIM_KEY && e.kind == ENTRY_NUMBER) {
            return arena_printf(arena, "iterations whose %s differ by %ld conflict", dim->name,
                                labs(e.number));
        }
    }
    return NULL;
}

static const char *keys_words(struct arena *arena, const struct dependence *dep) {
    const struct symbol *inner = access_key(dep->source, true);
    inner = inner ? inner : access_key(dep->sink, true);
    if (inner)
        return arena_printf(arena, "iterations that share a value of %s conflict", inner->name);
    const struct symbol *a = access_key(dep->source, false), *b = access_key(dep->sink, false);
    if (a && b && a != b) {
        return arena_printf(arena,
                            "an iteration conflicts with every other whose %s equals its own %s",
                            b->name, a->name);
    }
    return NULL;
}

/* The memory an access reaches; by its text where nothing else is known of it. */
static const char *memory_words(struct arena *arena, const struct access *a) {
    return a->object->kind == OBJECT_UNKNOWN && a->text ? a->text : object_words(arena, a->object);
}

static const char *objects_words(struct arena *arena, const struct dependence *dep) {
    const struct object *o = dep->object;
    if (dep->source->object != dep->sink->object) {
        return arena_printf(arena, "%s and %s may overlap", memory_words(arena, dep->source),
                            memory_words(arena, dep->sink));
    }
    if (o->kind == OBJECT_HIDDEN)
        return arena_printf(arena, "every call changes the hidden state of %s", o->name);
    if (o->kind == OBJECT_UNKNOWN) {
        return arena_printf(arena, "nothing is known of where %s lies",
                            memory_words(arena, dep->source));
    }
    if (o->kind == OBJECT_SCALAR) {
        return dep->kind == DEP_OUTPUT
                   ? arena_printf(arena, "every iteration writes the same %s", o->name)
                   : arena_printf(arena, "an iteration reads the %s that another one wrote",
                                  o->name);
    }
    return NULL;
}

static const char *unknown_words(struct arena *arena, const struct dependence *dep) {
    const struct access *a = access_unknown(dep->source) ? dep->source : dep->sink;
    const struct subscript *sub = access_unknown(a);
    if (!sub)
        return NULL;
    return arena_printf(arena, "the subscript of %s is not known%s%s", a->text ? a->text : "?",
                        sub->why_not ? ": " : "", sub->why_not ? sub->why_not : "");
}

static const char *plain_words(struct arena *arena, const struct dependence *dep) {
    const char *a = dep->source->text ? dep->source->text : dep->object->name;
    const char *b = dep->sink->text ? dep->sink->text : dep->object->name;
    if (access_is_fixed(dep->source) && access_is_fixed(dep->sink) && strcmp(a, b) == 0)
        return arena_printf(arena, "every iteration touches the same %s", a);
    return strcmp(a, b) == 0
               ? arena_printf(arena, "different iterations may touch the same %s", a)
               : arena_printf(arena, "%s of one iteration may be %s of another", a, b);
}

const char *depend_words(const struct analysis *analysis, const struct dependence *dep) {
    struct arena *arena = analysis->facts->unit->arena;
    if (dep->status == DEP_LIMIT)
        return "the question took too much work: taken as a conflict of any two iterations";
    const char *text = objects_words(arena, dep);
    text = text ? text : same_keys(analysis, dep);
    text = text ? text : distance_words(analysis, dep);
    text = text ? text : unknown_words(arena, dep);
    text = text ? text : keys_words(arena, dep);
    return text ? text : plain_words(arena, dep);
}
