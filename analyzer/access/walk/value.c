/* Values of the abstract run: construction, conversion, joining. */
#include "analyzer/access/fault/fault.h"
#include "analyzer/access/subscripts/wrap.h"

#include <limits.h>
#include <string.h>

/* An expression of more operators and operands is not kept: its value is not known. */
enum { MOST_PURE = 2048 };

struct value *value_new(struct walk *w, enum value_kind kind) {
    struct value *v = arena_alloc(w->arena, sizeof *v);
    v->kind = kind;
    v->level = -1;
    return v;
}

const struct value *value_unknown(struct walk *w, const char *why) {
    struct value *v = value_new(w, VALUE_UNKNOWN);
    v->why = why ? why : "its value is not known";
    return v;
}

const struct value *value_integer(struct walk *w, long number) {
    struct value *v = value_new(w, VALUE_INT);
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
static void union_into(struct walk *w, int **items, int *count, int *more, int nmore) {
    int total = *count + nmore, n = 0, i = 0, j = 0;
    if (holds_all(*items, *count, more, nmore))
        return;
    if (holds_all(more, nmore, *items, *count)) {
        *items = more;
        *count = nmore;
        return;
    }
    int *merged = arena_alloc(w->arena, (size_t)total * sizeof *merged);
    while (i < *count || j < nmore) {
        bool left = j == nmore || (i < *count && (*items)[i] <= more[j]);
        int next = left ? (*items)[i++] : more[j++];
        if (n == 0 || merged[n - 1] != next)
            merged[n++] = next;
    }
    *items = merged;
    *count = n;
}

void value_depend(struct walk *w, struct value *to, int raw) {
    int *one = arena_alloc(w->arena, sizeof *one);
    *one = raw;
    union_into(w, &to->deps, &to->ndeps, one, 1);
}

void value_inherit(struct walk *w, struct value *to, const struct value *from) {
    if (!from)
        return;
    if (from->level > to->level)
        to->level = from->level;
    union_into(w, &to->deps, &to->ndeps, from->deps, from->ndeps);
}

void value_inherit_sites(struct walk *w, struct value *to, const struct value *from) {
    if (from)
        union_into(w, &to->sites, &to->nsites, from->sites, from->nsites);
}

void value_consume(struct walk *w, const struct value *v) {
    for (int i = 0; v && i < v->nsites; ++i)
        w->sites[v->sites[i]].value_used = true;
}

/* The conditions that hold here and can be told at `level`; false when some cannot be told. */
static bool current_guards(struct walk *w, int level, int *count, struct condition **guards) {
    bool all = true;
    *count = 0;
    *guards = arena_alloc(w->arena, (size_t)(w->nconditions + 1) * sizeof **guards);
    for (int i = 0; i < w->nconditions; ++i) {
        const struct value *v = w->conditions[i].value;
        if (v->pure && v->level <= level)
            (*guards)[(*count)++] = w->conditions[i];
        else
            all = false;
    }
    return all;
}

static void atom_set_guards(struct walk *w, struct atom *atom, int n,
                            const struct condition *guards, bool impure) {
    atom->guarded = true;
    atom->impure_guard = impure;
    atom->nguards = n;
    atom->guards = arena_alloc(w->arena, (size_t)(n + 1) * sizeof *atom->guards);
    atom->sense = arena_alloc(w->arena, (size_t)(n + 1) * sizeof *atom->sense);
    for (int i = 0; i < n; ++i) {
        atom->guards[i] = guards[i].value->pure;
        atom->sense[i] = guards[i].sense;
    }
}

static struct condition *atom_conditions(struct walk *w, const struct atom *atom, int from) {
    struct condition *old = arena_alloc(w->arena, (size_t)(atom->nguards + 1) * sizeof *old);
    for (int i = from; i < atom->nguards; ++i) {
        struct value *v = value_new(w, VALUE_OTHER);
        v->pure = atom->guards[i];
        old[i - from] = (struct condition){.value = v, .sense = atom->sense[i]};
    }
    return old;
}

/* An atom may be evaluated where any one of its uses would: the common guards, then "or". */
static void atom_widen_guards(struct walk *w, struct atom *atom, int n,
                              const struct condition *guards) {
    int common = 0;
    while (common < n && common < atom->nguards && atom->sense[common] == guards[common].sense &&
           expr_equal(atom->guards[common], guards[common].value->pure)) {
        ++common;
    }
    if (common < n && common < atom->nguards) {
        const struct condition *old = atom_conditions(w, atom, common);
        const struct value *a = walk_conjunction(w, atom->nguards - common, old);
        const struct value *b = walk_conjunction(w, n - common, guards + common);
        struct expr *either = expr_binary(w->arena, OP_NONE, a->pure, b->pure);
        either->kind = EXPR_OR;
        atom->impure_guard = value_is_long(either);
        atom->guards[common] = either;
        atom->sense[common] = true;
        common += !atom->impure_guard;
    }
    atom->nguards = common;
}

static bool is_among(const struct expr *guard, bool sense, int n, const struct condition *guards) {
    for (int i = 0; i < n; ++i)
        if (guards[i].sense == sense && expr_equal(guards[i].value->pure, guard))
            return true;
    return false;
}

/* Every condition of the atom is one of these. */
static bool atom_is_implied(const struct atom *atom, int n, const struct condition *guards) {
    for (int i = 0; i < atom->nguards; ++i)
        if (!is_among(atom->guards[i], atom->sense[i], n, guards))
            return false;
    return true;
}

static bool atom_implies(struct walk *w, const struct atom *atom, int n,
                         const struct condition *guards) {
    const struct condition *old = atom_conditions(w, atom, 0);
    for (int i = 0; i < n; ++i)
        if (!is_among(guards[i].value->pure, guards[i].sense, atom->nguards, old))
            return false;
    return true;
}

static void atom_keep_common(struct atom *atom, int n, const struct condition *guards) {
    int kept = 0;
    for (int i = 0; i < atom->nguards; ++i) {
        if (is_among(atom->guards[i], atom->sense[i], n, guards)) {
            atom->guards[kept] = atom->guards[i];
            atom->sense[kept++] = atom->sense[i];
        }
    }
    atom->nguards = kept;
}

/* All that may keep the loop from here are loops inside that never run. */
static bool all_steady(const struct walk *w) {
    for (int i = 0; i < w->nconditions; ++i)
        if (!w->conditions[i].steady)
            return false;
    return true;
}

/*
 * Collects the conditions under which an atom's expression is evaluated: the weakest of all uses.
 * Uses under a condition that cannot be told before the loop runs are covered by the atom's
 * conditions only when they hold for each of them; else the atom is one of those itself.
 */
static void atom_guard(struct walk *w, struct atom *atom, int level) {
    int n;
    struct condition *guards;
    bool impure = !current_guards(w, level, &n, &guards);
    if (all_steady(w) && !expr_may_fault(w, atom->expr, NULL))
        n = 0;
    if (!atom->guarded) {
        atom_set_guards(w, atom, n, guards, impure);
    } else if (!atom->impure_guard && !impure) {
        atom_widen_guards(w, atom, n, guards);
    } else if (atom->impure_guard && !impure && atom_implies(w, atom, n, guards)) {
        atom_set_guards(w, atom, n, guards, false);
    } else if (atom->impure_guard || !atom_is_implied(atom, n, guards)) {
        atom_keep_common(atom, n, guards);
        atom->impure_guard = true;
    }
}

/* Invariant conditions that hold here, up to the first that is another. */
static int front_guards(const struct walk *w, bool *sometimes) {
    int n = 0;
    while (n < w->nconditions && w->conditions[n].value->pure && w->conditions[n].value->level < 0)
        ++n;
    *sometimes = n < w->nconditions;
    return n;
}

/*
 * An invariant value that may fault: where some iteration evaluates it for sure, told in front of
 * the loop. `impure_guard`: where one may.
 */
static void param_guard(struct walk *w, struct atom *atom) {
    bool sometimes;
    int n = front_guards(w, &sometimes), common = 0;
    const struct condition *guards = w->conditions;
    if (!atom->guarded) {
        atom_set_guards(w, atom, n, guards, sometimes);
        return;
    }
    while (common < n && common < atom->nguards && atom->sense[common] == guards[common].sense &&
           expr_equal(atom->guards[common], guards[common].value->pure)) {
        ++common;
    }
    bool old = !atom->impure_guard && common == atom->nguards, now = !sometimes && common == n;
    if (!atom->impure_guard && !sometimes) {
        atom_widen_guards(w, atom, n, guards);
        return;
    }
    atom->nguards = common;
    atom->impure_guard = !old && !now;
}

/* Who evaluates it in an iteration that does not may end
 * the program where nothing can be asked beforehand. */
static bool is_dangerous(struct walk *w, const struct expr *pure) {
    bool sometimes;
    front_guards(w, &sometimes);
    return sometimes && expr_may_trap(w, pure);
}

bool value_is_long(struct expr *pure) {
    return pure && expr_measure(pure) > MOST_PURE;
}

static const char *why_unknown(const struct expr *pure, const struct value *a,
                               const struct value *b) {
    return pure                                      ? "too many operations make it"
           : a && a->kind == VALUE_UNKNOWN && a->why ? a->why
           : b && b->kind == VALUE_UNKNOWN && b->why ? b->why
                                                     : "it depends on data the loop writes";
}

const struct value *value_opaque(struct walk *w, struct expr *pure, const struct type *type,
                                 const struct value *a, const struct value *b) {
    struct value *v = value_new(w, VALUE_OTHER);
    value_inherit(w, v, a);
    value_inherit(w, v, b);
    if (!pure || value_is_long(pure)) {
        v->kind = VALUE_UNKNOWN;
        v->why = why_unknown(pure, a, b);
        return v;
    }
    v->pure = pure;
    if (type && type->kind != TYPE_INT && type->kind != TYPE_BOOL)
        return v;
    if (v->level < 0 && is_dangerous(w, pure)) {
        v->kind = VALUE_UNKNOWN;
        v->why = arena_printf(w->arena, "`%s` is evaluated in some iterations only",
                              expr_print(w->arena, pure));
        v->pure = NULL;
        return v;
    }
    v->kind = VALUE_INT;
    struct atom *atom = atom_of(&w->atoms, v->level < 0 ? SYMBOL_PARAM : SYMBOL_KEY, pure,
                                v->level > 0 ? v->level : -1);
    if (atom->kind == SYMBOL_KEY)
        atom_guard(w, atom, v->level);
    else if (!w->recalls && expr_may_fault(w, pure, NULL))
        param_guard(w, atom);
    if (!atom->deps) {
        atom->ndeps = v->ndeps;
        atom->deps = v->deps;
    }
    v->poly = poly_atom(w->arena, atom);
    return v;
}

int site_add(struct walk *w, struct expr *e, const struct value *v, bool is_load) {
    struct site site = {.expr = e,
                        .pure = v->pure,
                        .type = e->type,
                        .atom = -1,
                        .level = v->level,
                        .in_callee = w->frame->parent != NULL || w->in_header,
                        .is_load = is_load,
                        .ndeps = v->ndeps,
                        .deps = v->deps};
    int atom;
    long constant;
    if (v->kind == VALUE_INT && poly_is_atom_plus(v->poly, &atom, &constant) &&
        w->atoms.items[atom]->kind == SYMBOL_KEY) {
        site.atom = atom;
        site.constant = constant;
    }
    struct condition *guards;
    site.impure_guard = !current_guards(w, v->level, &site.nguards, &guards);
    site.guards = arena_alloc(w->arena, (size_t)(site.nguards + 1) * sizeof *site.guards);
    site.sense = arena_alloc(w->arena, (size_t)(site.nguards + 1) * sizeof *site.sense);
    for (int i = 0; i < site.nguards; ++i) {
        site.guards[i] = guards[i].value->pure;
        site.sense[i] = guards[i].sense;
    }
    ARENA_PUSH(w->arena, w->sites, w->nsites, site);
    return w->nsites - 1;
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

static bool has_fixed_size(const struct type *type) {
    while (type && (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY))
        type = type->element;
    return type && type->kind != TYPE_VLA;
}

/* The text of a pointer says what it points to, as which it is read: `*(unsigned char *)&key`. */
static const struct value *convert_pointer(struct walk *w, const struct value *v,
                                           const struct type *to) {
    struct expr *pure = v->pure;
    if (!pure || !pure->type || !pure->type->element ||
        type_reads_alike(pure->type->element, to->element)) {
        return v;
    }
    while (pure->kind == EXPR_CAST && pure->args[0]->type && pure->args[0]->type->element)
        pure = pure->args[0];
    struct value *converted = arena_alloc(w->arena, sizeof *converted);
    *converted = *v;
    bool alike = type_reads_alike(pure->type->element, to->element);
    converted->pure = alike ? pure : has_fixed_size(to) ? expr_cast(w->arena, to, pure) : NULL;
    return converted;
}

/* A literal that a variable of type `to` holds says the same in its place. */
static bool is_literal_of(const struct expr *e, const struct type *to) {
    const struct type *from = e ? e->type : NULL;
    return e && e->kind == EXPR_INT && to->is_signed && from && from->kind == TYPE_INT &&
           from->is_signed && (e->int_value >= 0 || from->size >= to->size);
}

/* May the polynomial's value be taken over unchanged into the integer type `to`? */
static bool keeps_value(struct walk *w, const struct value *v, const struct type *from,
                        const struct type *to) {
    long number;
    int atom;
    if (!from || from->kind != TYPE_INT || to->kind != TYPE_INT || to->size < 0)
        return from && from->kind == TYPE_BOOL && to->kind == TYPE_INT;
    if (type_is_alike(from, to) || to->size >= 8)
        return from->size <= 8;
    if (poly_is_constant(v->poly, &number)) {
        long top = to->is_signed ? (1L << (8 * to->size - 1)) - 1 : (1L << 8 * to->size) - 1;
        return number <= top && number >= (to->is_signed ? -top - 1 : 0);
    }
    if (to->size > from->size && (to->is_signed || !from->is_signed))
        return true;
    if (poly_is_atom_plus(v->poly, &atom, &number) && number == 0 && to->size == 4) {
        const struct atom *a = w->atoms.items[atom];
        long lower;
        bool from_zero = a->lower && poly_is_constant(a->lower, &lower) && lower >= 0;
        bool fits = a->kind == SYMBOL_LOOP && a->loop->upper && a->loop->upper->type &&
                    a->loop->upper->type->kind == TYPE_INT && a->loop->step > 0 &&
                    a->loop->relation != OP_NE && a->upper && a->loop->upper->type->size <= 4 &&
                    (a->loop->upper->type->is_signed || !to->is_signed);
        return from_zero && fits;
    }
    return false;
}

static const struct value *cast_opaque(struct walk *w, const struct value *v,
                                       const struct type *to) {
    value_consume(w, v);
    struct expr *pure = v->pure ? expr_cast(w->arena, to, v->pure) : NULL;
    return value_opaque(w, pure, to, v, NULL);
}

const struct value *value_convert(struct walk *w, const struct value *v, const struct type *from,
                                  const struct type *to) {
    if (to && to->kind == TYPE_POINTER && v->kind == VALUE_POINTER)
        return convert_pointer(w, v, to);
    if (!to || v->kind == VALUE_UNKNOWN || type_is_alike(from, to))
        return v;
    if (to->kind == TYPE_INT && v->kind == VALUE_INT && keeps_value(w, v, from, to)) {
        struct value *same = arena_alloc(w->arena, sizeof *same);
        *same = *v;
        bool cast = v->pure && !is_literal_of(v->pure, to);
        same->pure = cast ? expr_cast(w->arena, to, v->pure) : v->pure;
        return same;
    }
    if (to->kind == TYPE_INT || to->kind == TYPE_BOOL || to->kind == TYPE_FLOAT)
        return cast_opaque(w, v, to);
    if (to->kind == TYPE_POINTER && v->kind == VALUE_INT) {
        value_consume(w, v);
        long number;
        struct value *p = value_new(w, VALUE_POINTER);
        bool null = poly_is_constant(v->poly, &number) && number == 0;
        p->region = region_unknown(w, null ? "it is a null pointer" : "it is made of an integer");
        p->region->null = null;
        p->pure = v->pure;
        return p;
    }
    return v;
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
    *truth = v->kind == VALUE_POINTER && v->region->kind == REGION_LOCAL && !v->region->fresh;
    return *truth || (v->kind == VALUE_POINTER && v->region->null);
}

static bool same_row(const struct poly *a, const struct poly *b) {
    return (!a && !b) || (a && b && poly_equal(a, b));
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
           same_row(a->row, b->row) && same_row(a->outer, b->outer);
}

const struct value *value_select(struct walk *w, const struct value *cond, const struct value *a,
                                 const struct value *b) {
    if (a == b)
        return a;
    if (value_same(a, b)) {
        walk_demand(w, a->demand);
        walk_demand(w, b->demand);
        struct value *both = arena_alloc(w->arena, sizeof *both);
        *both = *a;
        value_inherit(w, both, b);
        value_inherit_sites(w, both, b);
        return both;
    }
    value_consume(w, a);
    value_consume(w, b);
    if (!cond || !cond->pure || !a->pure || !b->pure || a->kind == VALUE_POINTER ||
        b->kind == VALUE_POINTER) {
        if (a->kind == VALUE_POINTER || b->kind == VALUE_POINTER) {
            struct value *p = value_new(w, VALUE_POINTER);
            p->region = region_unknown(w, "it is one of two pointers");
            return p;
        }
        return value_unknown(w, "it is set under a condition");
    }
    struct expr *e = expr_new(w->arena, EXPR_CONDITIONAL, a->pure->type, cond->pure->range);
    e->nargs = 3;
    e->args[0] = cond->pure;
    e->args[1] = a->pure;
    e->args[2] = b->pure;
    struct value both = *cond;
    value_inherit(w, &both, a);
    value_inherit(w, &both, b);
    const struct value *v = value_opaque(w, e, a->pure->type, &both, NULL);
    meaning_of_choice(w, v, cond, a, b);
    return v;
}

static const struct value *advance_part(struct walk *w, const struct value *p,
                                        const struct value *index, const struct poly *stride,
                                        const struct poly *extent, bool grow) {
    struct value *moved = arena_alloc(w->arena, sizeof *moved);
    *moved = *p;
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
    value_inherit(w, moved, index);
    value_inherit_sites(w, moved, index);
    return moved;
}

static long common_divisor(long a, long b) {
    return b ? common_divisor(b, a % b) : a;
}

void value_move(struct walk *w, struct value *p, const struct poly *step, const struct poly *unit) {
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

const struct value *value_advance(struct walk *w, const struct value *p, const struct value *index,
                                  const struct poly *stride, const struct poly *extent) {
    if (p->kind != VALUE_POINTER) {
        value_consume(w, index);
        return p;
    }
    bool grow = !extent && p->nparts > 0 && p->parts[p->nparts - 1].grows &&
                poly_equal(p->parts[p->nparts - 1].stride, stride);
    if (extent || grow) {
        const struct value *moved = advance_part(w, p, index, stride, extent, grow);
        ((struct value *)moved)->pure = NULL;
        return moved;
    }
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
    value_inherit(w, moved, index);
    value_inherit_sites(w, moved, index);
    return moved;
}
