/* Values of the abstract run: construction, conversion, joining. */
#include "analyzer/access/interp/interp.h"
#include "analyzer/access/interp/wrap.h"

#include <string.h>

/* An expression of more operators and operands is not kept: its value is not known. */
enum { MOST_PURE = 2048 };

struct value *value_new(const struct trace *t, enum value_kind kind) {
    struct value *v = arena_alloc(t->arena, sizeof *v);
    v->kind = kind;
    v->level = -1;
    return v;
}

const struct value *value_unknown(struct interp *w, const char *why) {
    struct value *v = value_new(&w->trace, VALUE_UNKNOWN);
    v->why = why ? why : "its value is not known";
    return v;
}

const struct value *value_integer(struct interp *w, long number) {
    struct value *v = value_new(&w->trace, VALUE_INT);
    v->poly = poly_constant(w->arena, number);
    v->pure = expr_integer(w->arena, number);
    return v;
}

/* Are all of `few` among `items`? Both rise. */
static bool holds_all(const int *items, int count, const int *few, int nfew) {
    int i = 0, j = 0;
    for (; i < count && j < nfew; ++i)
        j += items[i] == few[j];
    return j == nfew;
}

/* Arrays are shared, and never changed once they are made. */
static void union_into(const struct trace *t, int **items, int *count, int *more, int nmore) {
    int total = *count + nmore, n = 0, i = 0, j = 0;
    if (holds_all(*items, *count, more, nmore))
        return;
    if (holds_all(more, nmore, *items, *count)) {
        *items = more;
        *count = nmore;
        return;
    }
    int *merged = arena_alloc(t->arena, (size_t)total * sizeof *merged);
    while (i < *count || j < nmore) {
        bool left = j == nmore || (i < *count && (*items)[i] <= more[j]);
        int next = left ? (*items)[i++] : more[j++];
        if (n == 0 || merged[n - 1] != next)
            merged[n++] = next;
    }
    *items = merged;
    *count = n;
}

void value_depend(struct interp *w, struct value *to, int ref) {
    int *one = arena_alloc(w->arena, sizeof *one);
    *one = ref;
    union_into(&w->trace, &to->deps, &to->ndeps, one, 1);
}

void value_inherit(const struct trace *t, struct value *to, const struct value *from) {
    if (!from)
        return;
    if (from->level > to->level)
        to->level = from->level;
    union_into(t, &to->deps, &to->ndeps, from->deps, from->ndeps);
}

void value_inherit_sites(struct interp *w, struct value *to, const struct value *from) {
    if (from)
        union_into(&w->trace, &to->sites, &to->nsites, from->sites, from->nsites);
}

void value_consume(struct interp *w, const struct value *v) {
    for (int i = 0; v && i < v->nsites; ++i)
        w->sites[v->sites[i]].value_used = true;
}

bool value_is_long(struct expr *pure) {
    return pure && expr_measure(pure) > MOST_PURE;
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool type_reads_alike(const struct type *a, const struct type *b) {
    if (a == b)
        return true;
    if (!a || !b || a->kind != b->kind || a->size != b->size)
        return false;
    switch (a->kind) {
    case TYPE_VOID:
    case TYPE_BOOL:
    case TYPE_FLOAT:
        return true;
    case TYPE_INT:
        return a->is_signed == b->is_signed;
    case TYPE_POINTER:
    case TYPE_ARRAY:
        return type_reads_alike(a->element, b->element);
    case TYPE_STRUCT:
    case TYPE_UNION:
        return a->record ? a->record == b->record : same_text(a->spelling, b->spelling);
    default:
        return same_text(a->spelling, b->spelling);
    }
}

bool type_fits(const struct type *type, const struct expr *e) {
    if (e->kind != EXPR_INT || !e->type || type->kind != TYPE_INT || type->size > 8)
        return false;
    bool huge = !e->type->is_signed && e->int_value < 0;
    if (type->size == 8)
        return type->is_signed ? !huge : huge || e->int_value >= 0;
    long long top = (1LL << (8 * type->size - type->is_signed)) - 1;
    return !huge && e->int_value <= top && e->int_value >= (type->is_signed ? -top - 1 : 0);
}

/* Parameters that a caller leaves out: a null pointer, against the address of a local variable. */
bool value_truth(const struct value *v, bool *truth) {
    long number;
    if (v->negates && value_truth(v->negates, truth)) {
        *truth = !*truth;
        return true;
    }
    if (v->kind == VALUE_INT && poly_is_constant(v->poly, &number)) {
        *truth = number != 0;
        return true;
    }
    *truth = v->kind == VALUE_POINTER && v->region->kind == REGION_LOCAL && !v->region->unescaped;
    return *truth || (v->kind == VALUE_POINTER && v->region->null);
}

bool value_same(const struct value *a, const struct value *b) {
    if (a == b)
        return true;
    if (a->kind != b->kind || a->kind == VALUE_UNKNOWN || a->nparts || b->nparts ||
        !wrap_same(a, b)) {
        return false;
    }
    bool pure = (!a->pure && !b->pure) || (a->pure && b->pure && expr_equal(a->pure, b->pure));
    if (a->kind == VALUE_OTHER)
        return a->pure && b->pure && pure;
    return a->poly && b->poly && poly_equal(a->poly, b->poly) && a->region == b->region &&
           poly_is_same(a->row, b->row) && poly_is_same(a->outer, b->outer);
}

static struct value *advance_part(struct interp *w, const struct value *p,
                                  const struct value *index, const struct poly *stride,
                                  const struct poly *extent, bool grow) {
    struct value *moved = arena_alloc(w->arena, sizeof *moved);
    *moved = *p;
    moved->pure = NULL;
    moved->parts = arena_alloc(w->arena, (size_t)(p->nparts + 1) * sizeof *moved->parts);
    if (p->nparts > 0)
        memcpy(moved->parts, p->parts, (size_t)p->nparts * sizeof *p->parts);
    const struct poly *value = index->kind == VALUE_INT ? wrap_expand(w, index->poly, moved) : NULL;
    if (grow) {
        struct part *last = &moved->parts[p->nparts - 1];
        last->index = poly_add(w->arena, last->index, value);
    } else {
        moved->parts[moved->nparts++] = (struct part){value, stride, extent, false};
    }
    value_inherit(&w->trace, moved, index);
    value_inherit_sites(w, moved, index);
    return moved;
}

static long common_divisor(long a, long b) {
    return b ? common_divisor(b, a % b) : a;
}

void value_move(struct interp *w, struct value *p, const struct poly *step,
                const struct poly *unit) {
    const struct poly *before = p->poly ? p->poly : p->unit ? p->lead : NULL;
    long known = p->poly ? 0 : p->unit, size = 0;
    p->poly = poly_add(w->arena, p->poly, step);
    p->lead = step ? poly_add(w->arena, before, step) : before;
    if (p->poly || !p->lead || (!step && (!poly_is_constant(unit, &size) || size <= 0))) {
        p->lead = NULL;
        p->unit = 0;
        return;
    }
    p->unit = step ? known : common_divisor(size, known);
}

struct value *value_advance_pointer(struct interp *w, const struct value *p,
                                    const struct value *index, const struct poly *stride,
                                    const struct poly *extent) {
    bool grow = !extent && p->nparts > 0 && p->parts[p->nparts - 1].grows &&
                poly_equal(p->parts[p->nparts - 1].stride, stride);
    if (extent || grow)
        return advance_part(w, p, index, stride, extent, grow);
    struct value *moved = arena_alloc(w->arena, sizeof *moved);
    *moved = *p;
    const struct poly *step =
        index->kind == VALUE_INT
            ? poly_multiply(w->arena, wrap_expand(w, index->poly, moved), stride)
            : NULL;
    value_move(w, moved, step, stride);
    if (!moved->poly) {
        moved->why = index->kind == VALUE_UNKNOWN && index->why ? index->why
                     : p->why                                   ? p->why
                                                                : "the subscript is not linear";
    }
    moved->pure = NULL;
    value_inherit(&w->trace, moved, index);
    value_inherit_sites(w, moved, index);
    return moved;
}

const struct value *value_advance(struct interp *w, const struct value *p,
                                  const struct value *index, const struct poly *stride,
                                  const struct poly *extent) {
    if (p->kind == VALUE_POINTER)
        return value_advance_pointer(w, p, index, stride, extent);
    value_consume(w, index);
    return p;
}
