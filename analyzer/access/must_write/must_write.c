#include "analyzer/access/must_write/must_write_private.h"

struct must_write *must_write_new(const struct trace *t) {
    struct must_write *must_write = arena_alloc(t->arena, sizeof *must_write);
    must_write->t = t;
    must_write->solver = linear_solver_new(MAX_OPERATIONS, MAX_QUESTIONS);
    return must_write;
}

void must_write_free(struct must_write *must_write) {
    linear_solver_free(must_write->solver);
}

/* The other iteration is one of the loop's. */
static void add_other_iteration(struct question *q) {
    const struct inner_loop *loop = &q->t->facts->inner[0];
    struct way other = {.q = q, .ref = q->ref, .own = must_write_no_vars(q->t)};
    if (q->when != MUST_WRITE_ALWAYS || !q->t->facts->index)
        return;
    int var = must_write_way_var(&other, loop->symbol), up = loop->step > 0 ? 1 : -1;
    if (loop->has_lower)
        must_write_add_bound(q, NULL, var, &loop->lower, up);
    if (loop->has_upper)
        must_write_add_bound(q, NULL, var, &loop->upper, -up);
}

static void number_own(struct question *q) {
    for (int i = 0; i < q->ninner; ++i) {
        for (int r = 0; r < q->inner[i].nrows; ++r) {
            struct linear_form *form = &q->inner[i].rows[r].form;
            for (int t = 0; t < form->nterms; ++t) {
                int var = form->terms[t].var;
                form->terms[t].var = var >= OWN ? q->nshared + var - OWN : var;
            }
        }
        q->inner[i].nvars += q->nshared;
    }
    q->outer.nvars = q->nshared;
}

static bool is_covered(struct question *q) {
    struct must_write *must_write = q->must_write;
    number_own(q);
    if (linear_covered(must_write->solver, &q->outer, q->ninner, q->inner) == LINEAR_EMPTY)
        return true;
    int nshared = q->nshared;
    must_write_assume_running(q);
    if (q->nrunning == 0 || q->nshared != nshared ||
        linear_covered(must_write->solver, &q->outer, q->ninner, q->inner) != LINEAR_EMPTY) {
        return false;
    }
    for (int i = 0; i < q->nrunning; ++i)
        ARENA_PUSH(q->arena, must_write->running, must_write->nrunning, q->running[i]);
    return true;
}

static bool ask_within(struct must_write *must_write, int at, enum must_write_when when,
                       bool anywhere, long begin, long size,
                       bool (*counts)(const struct trace *t, const struct ref *write)) {
    const struct trace *trace = must_write->t;
    struct question q = {.must_write = must_write,
                         .t = trace,
                         .arena = trace->arena,
                         .ref = &trace->refs[at],
                         .when = when,
                         .anywhere = anywhere};
    q.shared = must_write_no_vars(trace);
    q.primed = must_write_no_vars(trace);
    must_write_add_own_loops(&q);
    must_write_add_own_subs(&q);
    must_write_add_extents(&q, located(trace, q.ref)->object);
    must_write_add_allocation(&q, located(trace, q.ref)->object);
    if (!must_write_add_own_bytes(&q, begin, size))
        return false;
    must_write_add_own_conditions(&q);
    add_other_iteration(&q);
    for (int i = 0; i < trace->nrefs; ++i) {
        const struct ref *write = &trace->refs[i];
        if (write->write && !write->partial && !write->header &&
            located(trace, write)->object == located(trace, q.ref)->object &&
            (!counts || counts(trace, write))) {
            must_write_add_write(&q, write);
        }
    }
    return is_covered(&q);
}

static bool ask(struct must_write *must_write, int at, enum must_write_when when, long begin,
                long size, bool (*counts)(const struct trace *t, const struct ref *write)) {
    const struct object *object = located(must_write->t, &must_write->t->refs[at])->object;
    return ask_within(must_write, at, when, false, begin, size, counts) ||
           (object->kind == OBJECT_ARRAY && object->ndims > 1 &&
            ask_within(must_write, at, when, true, begin, size, counts));
}

bool must_write_from_base(struct must_write *must_write, int at) {
    const struct trace *t = must_write->t;
    const struct ref *ref = &t->refs[at];
    struct question q = {
        .must_write = must_write, .t = t, .arena = t->arena, .ref = ref, .when = MUST_WRITE_BEFORE};
    struct linear_form below = {.constant = -1};
    q.shared = must_write_no_vars(t);
    q.primed = must_write_no_vars(t);
    if (located(t, ref)->object->ndims == 0)
        return false;
    must_write_add_own_loops(&q);
    must_write_add_own_subs(&q);
    must_write_add_own_conditions(&q);
    must_write_add_at_least(&q, &q.subs[0], -1, below);
    return is_covered(&q);
}

/* A structure's padding belongs to nobody: each of its fields is asked for. */
static bool ask_fields(struct must_write *must_write, int at, enum must_write_when when,
                       const struct type *type, long begin,
                       bool (*counts)(const struct trace *t, const struct ref *write)) {
    const struct record *record = type->record;
    for (int i = 0; i < record->nfields; ++i) {
        const struct field *field = &record->fields[i];
        long offset = begin + field->offset_bits / 8;
        if (field->bit_width >= 0 || field->type->size < 0)
            return false;
        bool deep = field->type->kind == TYPE_STRUCT && field->type->record;
        if (deep ? !ask_fields(must_write, at, when, field->type, offset, counts)
                 : !ask(must_write, at, when, offset, field->type->size, counts)) {
            return false;
        }
    }
    return true;
}

bool must_write_holds(struct must_write *must_write, int at, enum must_write_when when,
                      bool (*counts)(const struct trace *t, const struct ref *write)) {
    const struct ref *ref = &must_write->t->refs[at];
    const struct located *place = located(must_write->t, ref);
    const struct type *type = ref->type;
    if (ask(must_write, at, when, place->field_offset, place->field_size, counts))
        return true;
    return type && type->kind == TYPE_STRUCT && type->record && place->field_size == type->size &&
           ask_fields(must_write, at, when, type, place->field_offset, counts);
}

const struct ref *must_write_last_write(const struct trace *t, int read) {
    const struct ref *last = NULL;
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (ref->write && !ref->header &&
            located(t, ref)->object == located(t, &t->refs[read])->object && i < read)
            last = ref;
    }
    return last;
}

void must_write_guards(struct must_write *must_write, struct object *object) {
    const struct trace *t = must_write->t;
    for (int i = 0; i < must_write->nrunning; ++i) {
        const struct interp_inner *loop = &t->inner[must_write->running[i]];
        const struct poly *more = poly_subtract(t->arena, loop->upper, loop->lower);
        int at =
            guard_add(t->facts, GUARD_CONDITION, object, NULL, false, access_condition(t, more));
        guard_needed(t, at, false, NULL);
        guard_computes(t, more);
    }
}
