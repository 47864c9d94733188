/* What the touch in question reaches: the set that has to be covered. */
#include "analyzer/access/must_write/must_write_private.h"

#include <stdlib.h>
#include <string.h>

static bool number_of(const char *text, long *number) {
    char *end;
    if (!text)
        return false;
    *number = strtol(text, &end, 10);
    return end != text && (*end == '\0' || strcmp(end, "L") == 0);
}

void must_write_add_at_least(struct question *q, const struct linear_form *form, long factor,
                             struct linear_form rest) {
    for (int i = 0; i < form->nterms; ++i)
        linear_form_add(q->arena, &rest, form->terms[i].var, factor * form->terms[i].coeff);
    rest.constant += factor * form->constant;
    linear_system_add(q->arena, &q->outer, false, rest);
}

/* An access stays inside of its allocation, where that has a known size. */
void must_write_add_allocation(struct question *q, const struct object *object) {
    const struct affine *bytes = ((const struct object_behind *)object)->bytes;
    struct linear_form size = {.constant = -1}, none = {0};
    long stride;
    if (!bytes || object->ndims == 0 || !number_of(object->dims[0].stride_text, &stride) ||
        stride <= 0 || stride > 1 << 20 || !must_write_add_affine(q, NULL, &size, bytes, 1)) {
        return;
    }
    must_write_add_at_least(q, &q->subs[0], 1, none);
    must_write_add_at_least(q, &q->subs[0], -stride, size);
}

/* The byte that it begins at is one of the array's. */
static void add_whole(struct question *q, const struct object *object) {
    struct linear_form at = {0}, low = {0}, high = {.constant = -1};
    long extent, stride = 0;
    for (int d = 0; d < object->ndims; ++d) {
        if (!number_of(object->dims[d].stride_text, &stride) || stride <= 0 || stride > 1 << 20)
            return;
        for (int i = 0; i < q->subs[d].nterms; ++i)
            linear_form_add(q->arena, &at, q->subs[d].terms[i].var,
                            stride * q->subs[d].terms[i].coeff);
        at.constant += stride * q->subs[d].constant;
        if (d == 0 && number_of(object->dims[0].extent_text, &extent) && extent < 1 << 20)
            high.constant += extent * stride;
    }
    must_write_add_at_least(q, &at, 1, low);
    if (high.constant > 0)
        must_write_add_at_least(q, &at, -1, high);
}

/*
 * An access stays inside of a declared array, but not always of its row: which row it is and which
 * element of it is known when all are asked for.
 */
void must_write_add_extents(struct question *q, const struct object *object) {
    long extent;
    if (object->kind == OBJECT_ARRAY && object->ndims > 1 && !object->origin_text && !q->anywhere)
        add_whole(q, object);
    for (int d = 0; d < object->ndims && object->kind == OBJECT_ARRAY; ++d) {
        if ((object->ndims > 1 && !q->anywhere) || !number_of(object->dims[d].extent_text, &extent))
            continue;
        struct linear_form low = {0}, high = {.constant = extent - 1};
        must_write_add_at_least(q, &q->subs[d], 1, low);
        must_write_add_at_least(q, &q->subs[d], -1, high);
    }
}

void must_write_add_own_subs(struct question *q) {
    const struct located *place = located(q->t, q->ref);
    for (int d = 0; d < place->object->ndims; ++d) {
        struct linear_form form = {0};
        bool known = !q->anywhere && d < place->nsubs && place->subs[d].known &&
                     must_write_add_affine(q, NULL, &form, &place->subs[d].value, 1);
        if (!known) {
            form = (struct linear_form){0};
            linear_form_add(q->arena, &form, must_write_fresh(q), 1);
        }
        q->subs[d] = form;
    }
}

/* The bytes of an element that it touches; all of them when that is not known. */
bool must_write_add_own_bytes(struct question *q, long begin, long size) {
    const struct object *object = located(q->t, q->ref)->object;
    long stride;
    q->byte = must_write_fresh(q);
    if (size < 0) {
        begin = 0;
        bool known =
            object->ndims > 0 && number_of(object->dims[object->ndims - 1].stride_text, &stride);
        if (!known)
            return false;
        size = stride;
    }
    must_write_add_range(q, &q->outer, q->byte, begin, begin + size - 1);
    return true;
}

void must_write_add_own_loops(struct question *q) {
    struct loop_facts *facts = q->t->facts;
    for (int i = -1; i < q->ref->nloops; ++i) {
        const struct inner_loop *loop = &facts->inner[i < 0 ? 0 : q->ref->loops[i]];
        must_write_add_loop(q, NULL, must_write_shared_var(q, loop->symbol), loop);
    }
}
