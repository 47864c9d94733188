#include "analyzer/access/cover/cover_private.h"

struct cover *cover_new(struct walk *w) {
    struct cover *cover = arena_alloc(w->arena, sizeof *cover);
    cover->w = w;
    cover->solver = linear_solver_new(MAX_OPERATIONS, MAX_QUESTIONS);
    return cover;
}

void cover_free(struct cover *cover) {
    linear_solver_free(cover->solver);
}

/* The other iteration is one of the loop's. */
static void add_other_iteration(struct question *q) {
    const struct inner_loop *loop = &q->w->facts->inner[0];
    struct way other = {.q = q, .raw = q->raw, .own = cover_no_vars(q->w)};
    if (q->when != COVER_ALWAYS || !q->w->facts->index)
        return;
    int var = cover_way_var(&other, loop->symbol), up = loop->step > 0 ? 1 : -1;
    if (loop->has_lower)
        cover_add_bound(q, NULL, var, &loop->lower, up);
    if (loop->has_upper)
        cover_add_bound(q, NULL, var, &loop->upper, -up);
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
    struct cover *cover = q->cover;
    number_own(q);
    if (linear_covered(cover->solver, &q->outer, q->ninner, q->inner) == LINEAR_EMPTY)
        return true;
    int nshared = q->nshared;
    cover_assume_running(q);
    if (q->nrunning == 0 || q->nshared != nshared ||
        linear_covered(cover->solver, &q->outer, q->ninner, q->inner) != LINEAR_EMPTY) {
        return false;
    }
    for (int i = 0; i < q->nrunning; ++i)
        ARENA_PUSH(q->arena, cover->running, cover->nrunning, q->running[i]);
    return true;
}

static bool ask_within(struct cover *cover, int at, enum cover_when when, bool anywhere, long begin,
                       long size, bool (*counts)(struct walk *w, const struct raw *write)) {
    struct walk *w = cover->w;
    struct question q = {.cover = cover,
                         .w = w,
                         .arena = w->arena,
                         .raw = &w->raws[at],
                         .when = when,
                         .anywhere = anywhere};
    q.shared = cover_no_vars(w);
    q.primed = cover_no_vars(w);
    cover_add_own_loops(&q);
    cover_add_own_subs(&q);
    cover_add_extents(&q, q.raw->object);
    cover_add_allocation(&q, q.raw->object);
    if (!cover_add_own_bytes(&q, begin, size))
        return false;
    cover_add_own_conditions(&q);
    add_other_iteration(&q);
    for (int i = 0; i < w->nraws; ++i) {
        const struct raw *write = &w->raws[i];
        if (write->write && !write->partial && !write->header && write->object == q.raw->object &&
            (!counts || counts(w, write))) {
            cover_add_write(&q, write);
        }
    }
    return is_covered(&q);
}

static bool ask(struct cover *cover, int at, enum cover_when when, long begin, long size,
                bool (*counts)(struct walk *w, const struct raw *write)) {
    const struct object *object = cover->w->raws[at].object;
    return ask_within(cover, at, when, false, begin, size, counts) ||
           (object->kind == OBJECT_ARRAY && object->ndims > 1 &&
            ask_within(cover, at, when, true, begin, size, counts));
}

bool cover_from_base(struct cover *cover, int at) {
    struct walk *w = cover->w;
    const struct raw *raw = &w->raws[at];
    struct question q = {
        .cover = cover, .w = w, .arena = w->arena, .raw = raw, .when = COVER_BEFORE};
    struct linear_form below = {.constant = -1};
    q.shared = cover_no_vars(w);
    q.primed = cover_no_vars(w);
    if (raw->object->ndims == 0)
        return false;
    cover_add_own_loops(&q);
    cover_add_own_subs(&q);
    cover_add_own_conditions(&q);
    cover_add_at_least(&q, &q.subs[0], -1, below);
    return is_covered(&q);
}

/* A structure's padding belongs to nobody: each of its fields is asked for. */
static bool ask_fields(struct cover *cover, int at, enum cover_when when, const struct type *type,
                       long begin, bool (*counts)(struct walk *w, const struct raw *write)) {
    const struct record *record = type->record;
    for (int i = 0; i < record->nfields; ++i) {
        const struct field *field = &record->fields[i];
        long offset = begin + field->offset_bits / 8;
        if (field->bit_width >= 0 || field->type->size < 0)
            return false;
        bool deep = field->type->kind == TYPE_STRUCT && field->type->record;
        if (deep ? !ask_fields(cover, at, when, field->type, offset, counts)
                 : !ask(cover, at, when, offset, field->type->size, counts)) {
            return false;
        }
    }
    return true;
}

bool cover_holds(struct cover *cover, int at, enum cover_when when,
                 bool (*counts)(struct walk *w, const struct raw *write)) {
    const struct raw *raw = &cover->w->raws[at];
    const struct type *type = raw->type;
    if (ask(cover, at, when, raw->field_offset, raw->field_size, counts))
        return true;
    return type && type->kind == TYPE_STRUCT && type->record && raw->field_size == type->size &&
           ask_fields(cover, at, when, type, raw->field_offset, counts);
}

const struct raw *cover_last_write(struct walk *w, int read) {
    const struct raw *last = NULL;
    for (int i = 0; i < w->nraws; ++i) {
        const struct raw *raw = &w->raws[i];
        if (raw->write && !raw->header && raw->object == w->raws[read].object && i < read)
            last = raw;
    }
    return last;
}

void cover_guards(struct cover *cover, struct object *object) {
    struct walk *w = cover->w;
    for (int i = 0; i < cover->nrunning; ++i) {
        const struct walk_inner *loop = &w->inner[cover->running[i]];
        const struct poly *more = poly_subtract(w->arena, loop->upper, loop->lower);
        int at =
            guard_add(w->facts, GUARD_CONDITION, object, NULL, false, access_condition(w, more));
        guard_needed(w, at, false, NULL);
        guard_computes(w, more);
    }
}
