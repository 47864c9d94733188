/* What the writes reach, one system per way in which a write comes first. */
#include "analyzer/access/must_write/must_write_private.h"

static bool add_way_loops(struct way *way) {
    struct question *q = way->q;
    for (int i = way->fixed; i < way->ref->nloops; ++i) {
        const struct inner_loop *loop = &q->t->facts->inner[way->ref->loops[i]];
        int var = OWN + way->nown++;
        way->own[loop->symbol->id] = var;
        if (!must_write_add_loop(q, way, var, loop))
            return false;
    }
    return true;
}

/* The round of loop number `fixed` comes before (after) that of the touch in question. */
static void add_round(struct way *way) {
    struct question *q = way->q;
    const struct inner_loop *loop = &q->t->facts->inner[way->ref->loops[way->fixed]];
    int later = (q->when == MUST_WRITE_AFTER) == (loop->step > 0) ? 1 : -1;
    struct linear_form form = {.constant = -1};
    linear_form_add(q->arena, &form, way->own[loop->symbol->id], later);
    linear_form_add(q->arena, &form, must_write_shared_var(q, loop->symbol), -later);
    linear_system_add(q->arena, &way->system, false, form);
}

static bool add_way_subs(struct way *way) {
    struct question *q = way->q;
    const struct located *place = located(q->t, way->ref);
    for (int d = 0; d < place->object->ndims; ++d) {
        struct linear_form form = {0};
        if (d >= place->nsubs || !place->subs[d].known ||
            !must_write_add_affine(q, way, &form, &place->subs[d].value, 1) ||
            __builtin_sub_overflow(form.constant, q->subs[d].constant, &form.constant)) {
            return false;
        }
        for (int i = 0; i < q->subs[d].nterms; ++i) {
            if (!linear_form_add(q->arena, &form, q->subs[d].terms[i].var,
                                 -q->subs[d].terms[i].coeff)) {
                return false;
            }
        }
        linear_system_add(q->arena, &way->system, true, form);
    }
    must_write_add_range(q, &way->system, q->byte, place->field_offset,
                         place->field_offset + place->field_size - 1);
    return true;
}

/* Loops of the write whose bounds are the same in all iterations: a run can see that they run. */
static void note_running(struct question *q, const struct ref *write, int fixed) {
    for (int i = fixed; i < write->nloops; ++i) {
        const struct inner_loop *loop = &q->t->facts->inner[write->loops[i]];
        bool noted = !affine_is_invariant(&loop->lower) || !affine_is_invariant(&loop->upper);
        for (int j = 0; j < q->nrunning; ++j)
            noted = noted || q->running[j] == write->loops[i];
        if (!noted)
            ARENA_PUSH(q->arena, q->running, q->nrunning, write->loops[i]);
    }
}

void must_write_assume_running(struct question *q) {
    for (int i = 0; i < q->nrunning; ++i) {
        const struct inner_loop *loop = &q->t->facts->inner[q->running[i]];
        int up = loop->step > 0 ? 1 : -1;
        struct linear_form form = {0};
        if (must_write_add_affine(q, NULL, &form, &loop->upper, up) &&
            must_write_add_affine(q, NULL, &form, &loop->lower, -up)) {
            linear_system_add(q->arena, &q->outer, false, form);
        }
    }
}

static void add_way(struct question *q, const struct ref *write, int fixed, bool round) {
    struct way way = {.q = q, .ref = write, .fixed = fixed, .own = must_write_no_vars(q->t)};
    if (located(q->t, write)->field_size <= 0 || !add_way_loops(&way))
        return;
    if (round)
        add_round(&way);
    if (must_write_add_way_conditions(&way) && add_way_subs(&way)) {
        way.system.nvars = way.nown;
        note_running(q, write, fixed);
        ARENA_PUSH(q->arena, q->inner, q->ninner, way.system);
    }
}

/* Every way in which the write comes before (after) the touch in question. */
void must_write_add_write(struct question *q, const struct ref *write) {
    if (q->when == MUST_WRITE_ALWAYS) {
        add_way(q, write, 0, false);
        return;
    }
    int common = must_write_common_loops(q->ref, write);
    if (q->when == MUST_WRITE_BEFORE ? write < q->ref : write > q->ref)
        add_way(q, write, common, false);
    for (int d = 0; d < common; ++d)
        add_way(q, write, d, true);
}
