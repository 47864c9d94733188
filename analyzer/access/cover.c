#include "analyzer/access/cover.h"

#include "analyzer/access/internal.h"
#include "analyzer/access/layout.h"
#include "analyzer/depend/affine_isl.h"

#include <stdlib.h>
#include <string.h>

/* Variables of one write alone, until it is known how many all systems share. */
enum { OWN = 1 << 20, MAX_SUBS = LAYOUT_DIMS + 1, MAX_OPERATIONS = 400000, MAX_QUESTIONS = 400 };

/* `running`: loops inside that were taken to run at least once, for the run to check. */
struct cover {
    struct walk *w;
    struct linear_solver *solver;
    int nrunning, *running;
};

/* A condition as a variable that is 0 or 1. */
struct decision {
    const struct value *value;
    int var;
};

/*
 * `outer`: the bytes that `raw` touches; `inner`: those that each write touches, one system per way
 * in which it comes first. `shared`, `primed`: the variable of a symbol in the iteration of `raw`,
 * and in the other iteration (ALWAYS), -1 when there is none yet. `anywhere`: `raw` may touch every
 * element of the object.
 */
struct question {
    struct cover *cover;
    struct walk *w;
    struct arena *arena;
    const struct raw *raw;
    enum cover_when when;
    bool anywhere;
    int *shared, *primed;
    int nshared;
    struct linear_system outer;
    struct linear_form subs[MAX_SUBS];
    int byte;
    int ndecisions;
    struct decision *decisions;
    int ninner;
    struct linear_system *inner;
    int nrunning, *running;
};

/* One write in one of its ways: the first `fixed` of its loops are where those of `raw` are. */
struct way {
    struct question *q;
    const struct raw *raw;
    int fixed;
    int nown;
    int *own; /* per symbol */
    struct linear_system system;
};

struct cover *cover_new(struct walk *w) {
    struct cover *cover = arena_alloc(w->arena, sizeof *cover);
    cover->w = w;
    cover->solver = linear_solver_new(MAX_OPERATIONS, MAX_QUESTIONS);
    return cover;
}

void cover_free(struct cover *cover) {
    linear_solver_free(cover->solver);
}

/* ---- forms ----------------------------------------------------------------------------------- */

static int *no_vars(struct walk *w) {
    int *vars = arena_alloc(w->arena, (size_t)(w->facts->nsymbols + 1) * sizeof *vars);
    for (int i = 0; i < w->facts->nsymbols; i++) {
        vars[i] = -1;
    }
    return vars;
}

static int fresh(struct question *q) {
    return q->nshared++;
}

/* A local variable that is initialised with a number and never changed. */
static void add_known_value(struct question *q, const struct symbol *symbol, int var) {
    const struct expr *e = symbol->kind == SYMBOL_PARAM ? symbol->expr : NULL;
    while (e && e->kind == EXPR_CAST && e->type->kind == TYPE_INT && e->type->size >= 4) {
        e = e->args[0];
    }
    bool fixed = e && e->kind == EXPR_VAR && e->var->storage == STORAGE_LOCAL &&
                 e->var->writes == 0 && !e->var->address_taken && e->var->init &&
                 e->var->init->kind == EXPR_INT && e->var->type->kind == TYPE_INT &&
                 labs((long)e->var->init->int_value) < 1 << 20;
    if (fixed) {
        struct linear_form form = {.constant = -(long)e->var->init->int_value};
        linear_form_add(q->arena, &form, var, 1);
        linear_system_add(q->arena, &q->outer, true, form);
    }
}

static int shared_var(struct question *q, const struct symbol *symbol) {
    int *var = &q->shared[symbol->id];
    if (*var < 0) {
        *var = fresh(q);
        add_known_value(q, symbol, *var);
    }
    return *var;
}

/* The variable that stands for `symbol` in the write; -1: what it is there is not known. */
static int way_var(struct way *way, const struct symbol *symbol) {
    struct question *q = way->q;
    bool index = q->w->facts->index == symbol;
    if (way->own[symbol->id] >= 0) {
        return way->own[symbol->id];
    }
    if (symbol->kind == SYMBOL_PARAM) {
        return shared_var(q, symbol);
    }
    if (index || (symbol->kind == SYMBOL_KEY && !symbol->inner)) {
        if (q->when != COVER_ALWAYS) {
            return shared_var(q, symbol);
        }
        if (q->primed[symbol->id] < 0) {
            q->primed[symbol->id] = fresh(q);
        }
        return q->primed[symbol->id];
    }
    for (int i = 0; symbol->kind == SYMBOL_LOOP && i < way->fixed; i++) {
        if (q->w->facts->inner[way->raw->loops[i]].symbol == symbol) {
            return shared_var(q, symbol);
        }
    }
    bool same = symbol->kind == SYMBOL_KEY && way->fixed == way->raw->nloops;
    return same ? shared_var(q, symbol) : -1;
}

/* form += sign * value, in the iteration of the question (`way` NULL) or of a write. */
static bool add_affine(struct question *q, struct way *way, struct linear_form *form,
                       const struct affine *value, int sign) {
    long constant;
    if (__builtin_mul_overflow(value->constant, (long)sign, &constant) ||
        __builtin_add_overflow(form->constant, constant, &form->constant)) {
        return false;
    }
    for (int i = 0; i < value->nterms; i++) {
        const struct term *t = &value->terms[i];
        int var = way ? way_var(way, t->symbol) : shared_var(q, t->symbol);
        long coeff;
        if (var < 0 || __builtin_mul_overflow(t->coeff, (long)sign, &coeff) ||
            !linear_form_add(q->arena, form, var, coeff)) {
            return false;
        }
    }
    return true;
}

static struct linear_system *system_of(struct question *q, struct way *way) {
    return way ? &way->system : &q->outer;
}

/* sign * (var - bound) >= 0 */
static bool add_bound(struct question *q, struct way *way, int var, const struct affine *bound,
                      int sign) {
    struct linear_form form = {0};
    if (!linear_form_add(q->arena, &form, var, sign) || !add_affine(q, way, &form, bound, -sign)) {
        return false;
    }
    linear_system_add(q->arena, system_of(q, way), false, form);
    return true;
}

/* low <= var <= high */
static void add_range(struct question *q, struct linear_system *system, int var, long low,
                      long high) {
    struct linear_form up = {.constant = -low}, down = {.constant = high};
    linear_form_add(q->arena, &up, var, 1);
    linear_form_add(q->arena, &down, var, -1);
    linear_system_add(q->arena, system, false, up);
    linear_system_add(q->arena, system, false, down);
}

/* Both bounds of a loop and its stride; false: one of them is not known. */
static bool add_loop(struct question *q, struct way *way, int var, const struct inner_loop *loop) {
    int up = loop->step > 0 ? 1 : -1;
    bool known = loop->has_lower && add_bound(q, way, var, &loop->lower, up);
    known = loop->has_upper && add_bound(q, way, var, &loop->upper, -up) && known;
    if (known && way && loop->step != 1 && loop->step != -1) {
        struct linear_form form = {0};
        int count = OWN + way->nown++;
        known = linear_form_add(q->arena, &form, var, -1) &&
                linear_form_add(q->arena, &form, count, loop->step) &&
                add_affine(q, way, &form, &loop->lower, 1);
        linear_system_add(q->arena, &way->system, true, form);
    }
    return known;
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* The comparison as a row; false when it is none of affine values. */
static bool comparison_row(struct question *q, struct way *way, const struct condition *c,
                           struct linear_row *row) {
    const struct value *v = c->value;
    static const enum op negated[] = {[OP_LT] = OP_GE, [OP_GE] = OP_LT, [OP_GT] = OP_LE,
                                      [OP_LE] = OP_GT, [OP_EQ] = OP_NE, [OP_NE] = OP_EQ};
    if (!c->compared) {
        return false;
    }
    enum op op = c->sense ? v->relation : negated[v->relation];
    int sign = op == OP_LT || op == OP_LE ? -1 : 1;
    *row = (struct linear_row){.equality = op == OP_EQ};
    row->form.constant = op == OP_LT || op == OP_GT ? -1 : 0;
    return op != OP_NE && add_affine(q, way, &row->form, c->compared, sign);
}

static bool same_decision(const struct value *a, const struct value *b) {
    return a == b || (a->pure && b->pure && a->level == b->level && expr_equal(a->pure, b->pure));
}

static int decision_var(struct question *q, const struct value *value) {
    for (int i = 0; i < q->ndecisions; i++) {
        if (same_decision(q->decisions[i].value, value)) {
            return q->decisions[i].var;
        }
    }
    struct decision made = {value, fresh(q)};
    ARENA_PUSH(q->arena, q->decisions, q->ndecisions, made);
    add_range(q, &q->outer, made.var, 0, 1);
    return made.var;
}

static void add_decision(struct question *q, struct linear_system *system,
                         const struct condition *c) {
    struct linear_form form = {.constant = c->sense ? -1 : 0};
    linear_form_add(q->arena, &form, decision_var(q, c->value), 1);
    linear_system_add(q->arena, system, true, form);
}

/* Conditions of the touch in question only make it smaller: those that are not known are left. */
static void add_own_conditions(struct question *q) {
    for (int i = 0; i < q->raw->nconditions; i++) {
        const struct condition *c = &q->raw->conditions[i];
        struct linear_row row;
        if (comparison_row(q, NULL, c, &row)) {
            linear_system_add(q->arena, &q->outer, row.equality, row.form);
        }
        if (!c->trip) {
            add_decision(q, &q->outer, c);
        }
    }
}

/* Was it decided for the write just as it was for the touch in question? */
static bool is_one_decision(const struct way *way, const struct condition *c) {
    int level = c->value->pure ? c->value->level : 1;
    if (way->q->when == COVER_ALWAYS) {
        return level < 0;
    }
    return level <= 0 || c->depth <= way->fixed;
}

/* A loop that may be left early does not get to its later rounds. */
static bool may_be_left(const struct way *way, const struct condition *c) {
    return way->q->when == COVER_AFTER && way->fixed < way->raw->nloops && c->depth == way->fixed &&
           !c->value->pure;
}

static bool add_way_conditions(struct way *way) {
    for (int i = 0; i < way->raw->nconditions; i++) {
        const struct condition *c = &way->raw->conditions[i];
        struct linear_row row;
        if (c->trip) {
            continue;
        }
        if (may_be_left(way, c)) {
            return false;
        }
        if (comparison_row(way->q, way, c, &row)) {
            linear_system_add(way->q->arena, &way->system, row.equality, row.form);
        } else if (is_one_decision(way, c)) {
            add_decision(way->q, &way->system, c);
        } else {
            return false;
        }
    }
    return true;
}

/* ---- the touch in question ------------------------------------------------------------------- */

static bool number_of(const char *text, long *number) {
    char *end;
    if (!text) {
        return false;
    }
    *number = strtol(text, &end, 10);
    return end != text && (*end == '\0' || strcmp(end, "L") == 0);
}

static void add_at_least(struct question *q, const struct linear_form *form, long factor,
                         struct linear_form rest) {
    for (int i = 0; i < form->nterms; i++) {
        linear_form_add(q->arena, &rest, form->terms[i].var, factor * form->terms[i].coeff);
    }
    rest.constant += factor * form->constant;
    linear_system_add(q->arena, &q->outer, false, rest);
}

/* Nor does any leave an allocation. */
static void add_allocation(struct question *q, const struct object *object) {
    const struct affine *bytes = ((const struct object_behind *)object)->bytes;
    struct linear_form size = {.constant = -1}, none = {0};
    long stride;
    if (!bytes || object->ndims == 0 || !number_of(object->dims[0].stride_text, &stride) ||
        stride <= 0 || stride > 1 << 20 || !add_affine(q, NULL, &size, bytes, 1)) {
        return;
    }
    add_at_least(q, &q->subs[0], 1, none);
    add_at_least(q, &q->subs[0], -stride, size);
}

/*
 * An access stays inside of a declared array, but not always of its row: which row it is and which
 * element of it is known when all are asked for.
 */
static void add_extents(struct question *q, const struct object *object) {
    long extent;
    for (int d = 0; d < object->ndims && object->kind == OBJECT_ARRAY; d++) {
        if ((object->ndims > 1 && !q->anywhere) ||
            !number_of(object->dims[d].extent_text, &extent)) {
            continue;
        }
        struct linear_form low = {0}, high = {.constant = extent - 1};
        add_at_least(q, &q->subs[d], 1, low);
        add_at_least(q, &q->subs[d], -1, high);
    }
}

static void add_own_subs(struct question *q) {
    const struct raw *raw = q->raw;
    for (int d = 0; d < raw->object->ndims; d++) {
        struct linear_form form = {0};
        bool known = !q->anywhere && d < raw->nsubs && raw->subs[d].known &&
                     add_affine(q, NULL, &form, &raw->subs[d].value, 1);
        if (!known) {
            form = (struct linear_form){0};
            linear_form_add(q->arena, &form, fresh(q), 1);
        }
        q->subs[d] = form;
    }
}

/* The bytes of an element that it touches; all of them when that is not known. */
static bool add_own_bytes(struct question *q, long begin, long size) {
    const struct object *object = q->raw->object;
    long stride;
    q->byte = fresh(q);
    if (size < 0) {
        begin = 0;
        bool known =
            object->ndims > 0 && number_of(object->dims[object->ndims - 1].stride_text, &stride);
        if (!known) {
            return false;
        }
        size = stride;
    }
    add_range(q, &q->outer, q->byte, begin, begin + size - 1);
    return true;
}

static void add_own_loops(struct question *q) {
    struct loop_facts *facts = q->w->facts;
    for (int i = -1; i < q->raw->nloops; i++) {
        const struct inner_loop *loop = &facts->inner[i < 0 ? 0 : q->raw->loops[i]];
        add_loop(q, NULL, shared_var(q, loop->symbol), loop);
    }
}

/* ---- the writes ------------------------------------------------------------------------------ */

static bool add_way_loops(struct way *way) {
    struct question *q = way->q;
    for (int i = way->fixed; i < way->raw->nloops; i++) {
        const struct inner_loop *loop = &q->w->facts->inner[way->raw->loops[i]];
        int var = OWN + way->nown++;
        way->own[loop->symbol->id] = var;
        if (!add_loop(q, way, var, loop)) {
            return false;
        }
    }
    return true;
}

/* The round of loop number `fixed` comes before (after) that of the touch in question. */
static void add_round(struct way *way) {
    struct question *q = way->q;
    const struct inner_loop *loop = &q->w->facts->inner[way->raw->loops[way->fixed]];
    int later = (q->when == COVER_AFTER) == (loop->step > 0) ? 1 : -1;
    struct linear_form form = {.constant = -1};
    linear_form_add(q->arena, &form, way->own[loop->symbol->id], later);
    linear_form_add(q->arena, &form, shared_var(q, loop->symbol), -later);
    linear_system_add(q->arena, &way->system, false, form);
}

static bool add_way_subs(struct way *way) {
    struct question *q = way->q;
    const struct raw *raw = way->raw;
    for (int d = 0; d < raw->object->ndims; d++) {
        struct linear_form form = {0};
        if (d >= raw->nsubs || !raw->subs[d].known ||
            !add_affine(q, way, &form, &raw->subs[d].value, 1) ||
            __builtin_sub_overflow(form.constant, q->subs[d].constant, &form.constant)) {
            return false;
        }
        for (int i = 0; i < q->subs[d].nterms; i++) {
            if (!linear_form_add(q->arena, &form, q->subs[d].terms[i].var,
                                 -q->subs[d].terms[i].coeff)) {
                return false;
            }
        }
        linear_system_add(q->arena, &way->system, true, form);
    }
    add_range(q, &way->system, q->byte, raw->field_offset, raw->field_offset + raw->field_size - 1);
    return true;
}

static bool is_invariant(const struct affine *value) {
    for (int i = 0; i < value->nterms; i++) {
        if (value->terms[i].symbol->kind != SYMBOL_PARAM) {
            return false;
        }
    }
    return true;
}

/* Loops of the write whose bounds are the same in all iterations: a run can see that they run. */
static void note_running(struct question *q, const struct raw *write, int fixed) {
    for (int i = fixed; i < write->nloops; i++) {
        const struct inner_loop *loop = &q->w->facts->inner[write->loops[i]];
        bool noted = !is_invariant(&loop->lower) || !is_invariant(&loop->upper);
        for (int j = 0; j < q->nrunning; j++) {
            noted = noted || q->running[j] == write->loops[i];
        }
        if (!noted) {
            ARENA_PUSH(q->arena, q->running, q->nrunning, write->loops[i]);
        }
    }
}

static void assume_running(struct question *q) {
    for (int i = 0; i < q->nrunning; i++) {
        const struct inner_loop *loop = &q->w->facts->inner[q->running[i]];
        int up = loop->step > 0 ? 1 : -1;
        struct linear_form form = {0};
        if (add_affine(q, NULL, &form, &loop->upper, up) &&
            add_affine(q, NULL, &form, &loop->lower, -up)) {
            linear_system_add(q->arena, &q->outer, false, form);
        }
    }
}

static void add_way(struct question *q, const struct raw *write, int fixed, bool round) {
    struct way way = {.q = q, .raw = write, .fixed = fixed, .own = no_vars(q->w)};
    if (write->field_size <= 0 || !add_way_loops(&way)) {
        return;
    }
    if (round) {
        add_round(&way);
    }
    if (add_way_conditions(&way) && add_way_subs(&way)) {
        way.system.nvars = way.nown;
        note_running(q, write, fixed);
        ARENA_PUSH(q->arena, q->inner, q->ninner, way.system);
    }
}

static int common_loops(const struct raw *a, const struct raw *b) {
    int n = 0;
    while (n < a->nloops && n < b->nloops && a->loops[n] == b->loops[n]) {
        n++;
    }
    return n;
}

/* Every way in which the write comes before (after) the touch in question. */
static void add_write(struct question *q, const struct raw *write) {
    if (q->when == COVER_ALWAYS) {
        add_way(q, write, 0, false);
        return;
    }
    int common = common_loops(q->raw, write);
    if (q->when == COVER_BEFORE ? write < q->raw : write > q->raw) {
        add_way(q, write, common, false);
    }
    for (int d = 0; d < common; d++) {
        add_way(q, write, d, true);
    }
}

/* ---- the question ---------------------------------------------------------------------------- */

/* The other iteration is one of the loop's. */
static void add_other_iteration(struct question *q) {
    const struct inner_loop *loop = &q->w->facts->inner[0];
    struct way other = {.q = q, .raw = q->raw, .own = no_vars(q->w)};
    if (q->when != COVER_ALWAYS || !q->w->facts->index) {
        return;
    }
    int var = way_var(&other, loop->symbol), up = loop->step > 0 ? 1 : -1;
    if (loop->has_lower) {
        add_bound(q, NULL, var, &loop->lower, up);
    }
    if (loop->has_upper) {
        add_bound(q, NULL, var, &loop->upper, -up);
    }
}

static void number_own(struct question *q) {
    for (int i = 0; i < q->ninner; i++) {
        for (int r = 0; r < q->inner[i].nrows; r++) {
            struct linear_form *form = &q->inner[i].rows[r].form;
            for (int t = 0; t < form->nterms; t++) {
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
    if (linear_covered(cover->solver, &q->outer, q->ninner, q->inner) == LINEAR_EMPTY) {
        return true;
    }
    int nshared = q->nshared;
    assume_running(q);
    if (q->nrunning == 0 || q->nshared != nshared ||
        linear_covered(cover->solver, &q->outer, q->ninner, q->inner) != LINEAR_EMPTY) {
        return false;
    }
    for (int i = 0; i < q->nrunning; i++) {
        ARENA_PUSH(q->arena, cover->running, cover->nrunning, q->running[i]);
    }
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
    q.shared = no_vars(w);
    q.primed = no_vars(w);
    add_own_loops(&q);
    add_own_subs(&q);
    add_extents(&q, q.raw->object);
    add_allocation(&q, q.raw->object);
    if (!add_own_bytes(&q, begin, size)) {
        return false;
    }
    add_own_conditions(&q);
    add_other_iteration(&q);
    for (int i = 0; i < w->nraws; i++) {
        const struct raw *write = &w->raws[i];
        if (write->write && !write->header && write->object == q.raw->object &&
            (!counts || counts(w, write))) {
            add_write(&q, write);
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
    q.shared = no_vars(w);
    q.primed = no_vars(w);
    if (raw->object->ndims == 0) {
        return false;
    }
    add_own_loops(&q);
    add_own_subs(&q);
    add_own_conditions(&q);
    add_at_least(&q, &q.subs[0], -1, below);
    return is_covered(&q);
}

/* A structure's padding belongs to nobody: each of its fields is asked for. */
static bool ask_fields(struct cover *cover, int at, enum cover_when when, const struct type *type,
                       long begin, bool (*counts)(struct walk *w, const struct raw *write)) {
    const struct record *record = type->record;
    for (int i = 0; i < record->nfields; i++) {
        const struct field *field = &record->fields[i];
        long offset = begin + field->offset_bits / 8;
        if (field->bit_width >= 0 || field->type->size < 0) {
            return false;
        }
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
    if (ask(cover, at, when, raw->field_offset, raw->field_size, counts)) {
        return true;
    }
    return type && type->kind == TYPE_STRUCT && type->record && raw->field_size == type->size &&
           ask_fields(cover, at, when, type, raw->field_offset, counts);
}

const struct raw *cover_last_write(struct walk *w, int read) {
    const struct raw *last = NULL;
    for (int i = 0; i < w->nraws; i++) {
        const struct raw *raw = &w->raws[i];
        if (raw->write && !raw->header && raw->object == w->raws[read].object && i < read) {
            last = raw;
        }
    }
    return last;
}

void cover_guards(struct cover *cover, struct object *object) {
    struct walk *w = cover->w;
    for (int i = 0; i < cover->nrunning; i++) {
        const struct walk_inner *loop = &w->inner[cover->running[i]];
        const struct poly *more = poly_subtract(w->arena, loop->upper, loop->lower);
        guard_add(w->facts, GUARD_CONDITION, object, NULL, false, access_condition(w, more));
    }
}
