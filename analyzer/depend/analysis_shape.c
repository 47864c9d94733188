/*
 * How the arrays of a loop lie along its dims, and which can be cut along which (analysis.h).
 */
#include "analyzer/depend/depend.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool subscript_has(const struct subscript *sub, const struct symbol *symbol) {
    for (int i = 0; sub->known && i < sub->value.nterms; ++i)
        if (sub->value.terms[i].symbol == symbol)
            return true;
    return false;
}

bool access_has_key(const struct access *access, const struct symbol *key) {
    bool has = !key->row_guard;
    for (int g = 0; g < key->nguards && has; ++g) {
        has = key->sense[g] ? facts_implies(access->when, key->guards[g])
                            : facts_excludes(access->when, key->guards[g]);
    }
    for (int d = 0; d < access->nsubs && !has; ++d)
        has = subscript_has(&access->subs[d], key);
    return has;
}

/* ---- C text ---------------------------------------------------------------------------------- */

bool shape_number(const char *text, long *value) {
    char *end;
    *value = text ? strtol(text, &end, 10) : 0;
    return text && end != text && strspn(end, "uUlL") == strlen(end) && *value < INT_MAX &&
           *value > INT_MIN;
}

static bool is_plain(const char *text) {
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")] ==
           '\0';
}

static const char *factor(struct arena *arena, const char *text) {
    return is_plain(text) ? text : arena_printf(arena, "(%s)", text);
}

static const char *times(struct arena *arena, const char *a, const char *b) {
    long x, y;
    bool xn = shape_number(a, &x), yn = shape_number(b, &y);
    if (xn && yn)
        return arena_printf(arena, "%lld", (long long)x * y);
    if ((xn && x == 1) || (yn && y == 0))
        return b;
    if ((yn && y == 1) || (xn && x == 0))
        return a;
    return arena_printf(arena, "(long)%s * %s", factor(arena, a), factor(arena, b));
}

/* ---- one dim --------------------------------------------------------------------------------- */

/*
 * What all subscripts in one dimension of an object have in common: coeff * symbol + params +
 * [low, high]. `partner`: a symbol that may stand in symbol's place, or NULL; `met`: it does.
 */
struct cut {
    const struct affine *model;
    const struct symbol *symbol, *partner;
    bool met;
    long coeff, low, high;
};

static bool is_cut_by(const struct cut *cut, const struct symbol *symbol) {
    return symbol == cut->symbol || (cut->partner && symbol == cut->partner);
}

static bool has_term(const struct affine *value, const struct cut *cut, const struct term *term) {
    for (int i = 0; i < value->nterms; ++i) {
        const struct term *t = &value->terms[i];
        bool same = t->symbol == term->symbol ||
                    (is_cut_by(cut, t->symbol) && is_cut_by(cut, term->symbol));
        if (same)
            return t->coeff == term->coeff;
    }
    return false;
}

static bool same_but_constant(const struct cut *cut, const struct affine *b) {
    bool same = cut->model->nterms == b->nterms;
    for (int i = 0; same && i < b->nterms; ++i)
        same = has_term(cut->model, cut, &b->terms[i]);
    return same;
}

static bool cut_start(struct cut *cut, const struct affine *value) {
    cut->model = value;
    cut->low = cut->high = value->constant;
    for (int i = 0; i < value->nterms; ++i) {
        const struct term *t = &value->terms[i];
        if (is_cut_by(cut, t->symbol))
            cut->coeff = t->coeff;
        else if (t->symbol->kind != SYMBOL_PARAM)
            return false;
    }
    return cut->coeff > 0;
}

static bool cut_join(struct cut *cut, const struct subscript *sub) {
    bool own = subscript_has(sub, cut->symbol);
    bool other = cut->partner && subscript_has(sub, cut->partner);
    if (own == other)
        return false;
    cut->met = cut->met || other;
    if (!cut->model)
        return cut_start(cut, &sub->value);
    long constant = sub->value.constant;
    cut->low = constant < cut->low ? constant : cut->low;
    cut->high = constant > cut->high ? constant : cut->high;
    return same_but_constant(cut, &sub->value);
}

/* Do all subscripts of `object` in its dimension `d` have the form of a cut? */
static bool cut_common(const struct loop_facts *facts, const struct object *object, int d,
                       const struct symbol *symbol, const struct symbol *partner, struct cut *cut) {
    *cut = (struct cut){.symbol = symbol, .partner = partner};
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if (a->object == object && (a->nsubs <= d || !cut_join(cut, &a->subs[d])))
            return false;
    }
    return cut->model;
}

/* Do all accesses to `object` stay within one row each, in dimension `d` of the object? */
static bool cut_find(const struct loop_facts *facts, const struct object *object, int d,
                     const struct symbol *symbol, const struct symbol *partner, struct cut *cut) {
    long width;
    return cut_common(facts, object, d, symbol, partner, cut) &&
           !__builtin_sub_overflow(cut->high, cut->low, &width) && width < cut->coeff;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* The subscript of a row's first element at dim value 0, as C text. */
static const char *first_index(struct arena *arena, const struct cut *cut) {
    const char *text = arena_printf(arena, "%ld", cut->low);
    for (int i = 0; i < cut->model->nterms; ++i) {
        const struct term *t = &cut->model->terms[i];
        if (!is_cut_by(cut, t->symbol)) {
            const char *value =
                t->symbol->expr ? expr_print(arena, t->symbol->expr) : t->symbol->name;
            text = arena_printf(arena, "%s + %ldL * (%s)", text, t->coeff, value);
        }
    }
    return text;
}

/* Is `text` a product, so that it may stand in one with more factors as it is? */
static bool is_product(const char *text, size_t length) {
    int depth = 0;
    for (size_t i = 0; i < length; ++i) {
        depth += (text[i] == '(') - (text[i] == ')');
        if (depth < 0 || (depth == 0 && strchr("+-/%?:,<>=&|^!~", text[i])))
            return false;
    }
    return depth == 0;
}

/* `outer` / `inner` as C text when it is a whole number for certain: numbers, or "x * inner". */
static const char *ratio_of(struct arena *arena, const char *outer, const char *inner) {
    static const char star[] = " * ";
    long x, y;
    if (shape_number(outer, &x) && shape_number(inner, &y))
        return y > 0 && x % y == 0 ? arena_printf(arena, "%ld", x / y) : NULL;
    size_t n = strlen(outer), m = strlen(inner), gap = sizeof star - 1;
    if (n <= m + gap || strcmp(outer + n - m, inner) != 0 ||
        strncmp(outer + n - m - gap, star, gap) != 0 || !is_product(outer, n)) {
        return NULL;
    }
    return arena_strndup(arena, outer, n - m - gap);
}

/* (a - 1) * ratio + b */
static const char *progression(struct arena *arena, const char *a, const char *ratio,
                               const char *b) {
    long x, y, z;
    if (shape_number(a, &x) && shape_number(ratio, &y) && shape_number(b, &z))
        return arena_printf(arena, "%lld", (long long)(x - 1) * y + z);
    return arena_printf(arena, "((long)%s - 1) * %s + %s", factor(arena, a), factor(arena, ratio),
                        factor(arena, b));
}

/*
 * Rows along the second dimension lie in one piece per index of the first. Deeper ones only when
 * each stride divides the one before: the pieces then lie in one arithmetic progression.
 */
static bool pieces_of(struct arena *arena, const struct object *object, int d,
                      struct row_shape *shape) {
    const struct object_dim *dims = object->dims;
    const char *pieces = dims[0].extent_text;
    for (int i = 1; i < d; ++i) {
        bool known =
            pieces && dims[i].extent_text && dims[i - 1].stride_text && dims[i].stride_text;
        const char *ratio =
            known ? ratio_of(arena, dims[i - 1].stride_text, dims[i].stride_text) : NULL;
        pieces = ratio ? progression(arena, pieces, ratio, dims[i].extent_text) : NULL;
    }
    shape->pieces = pieces || d > 1 ? pieces : "0";
    shape->piece_stride = dims[d - 1].stride_text;
    return shape->pieces && shape->piece_stride;
}

static bool shape_of(struct arena *arena, const struct object *object, int d, const struct cut *cut,
                     struct row_shape *shape) {
    const char *stride = object->dims[d].stride_text;
    if (object->ntables > 1)
        return false;
    if (object->kind == OBJECT_ROWS && d == 0) {
        const struct object_dim *row = object->ndims > 1 ? &object->dims[1] : NULL;
        shape->by_table = cut->coeff == 1 && cut->model->nterms == 1;
        shape->table_offset = cut->low;
        if (row && row->extent_text && row->stride_text) {
            shape->pieces = "1";
            shape->piece_bytes = times(arena, row->extent_text, row->stride_text);
        }
        return shape->by_table;
    }
    if (!stride)
        return false;
    shape->row_stride = times(arena, stride, arena_printf(arena, "%ld", cut->coeff));
    shape->row_offset = times(arena, first_index(arena, cut), stride);
    if (object->origin_text)
        shape->row_offset = arena_printf(arena, "%s + %s", object->origin_text, shape->row_offset);
    shape->piece_bytes = shape->row_stride;
    shape->pieces = "1";
    shape->piece_stride = shape->row_stride;
    if (object->kind == OBJECT_ROWS) {
        shape->pieces_by_table = d == 1;
        shape->pieces = object->dims[0].extent_text ? object->dims[0].extent_text : "0";
        shape->piece_stride = "0";
        return d == 1;
    }
    return d == 0 || pieces_of(arena, object, d, shape);
}

static void shapes_along(struct analysis *analysis, struct array_use *use, int dim, int partner) {
    struct arena *arena = analysis->facts->unit->arena;
    struct object *object = use->object;
    const struct symbol *second = partner < 0 ? NULL : analysis->dims[partner].symbol;
    for (int d = 0; d < object->ndims; ++d) {
        struct cut cut;
        struct row_shape shape = {.dim = dim, .partner = partner};
        if (cut_find(analysis->facts, object, d, analysis->dims[dim].symbol, second, &cut) &&
            cut.met == (partner >= 0) && shape_of(arena, object, d, &cut, &shape)) {
            ARENA_PUSH(arena, use->shapes, use->nshapes, shape);
            return;
        }
    }
}

/* One dim alone, or else two keys together. */
static void shapes_find(struct analysis *analysis, struct array_use *use) {
    for (int d = 0; d < analysis->ndims; ++d)
        shapes_along(analysis, use, d, -1);
    for (int a = 0; use->nshapes == 0 && a < analysis->ndims; ++a) {
        for (int b = a + 1; analysis->dims[a].kind == DIM_KEY && b < analysis->ndims; ++b)
            if (analysis->dims[b].kind == DIM_KEY)
                shapes_along(analysis, use, a, b);
    }
}

/*
 * Every iteration has its own part of the object: [low, high] of one iteration ends before that of
 * the next begins.
 */
static void shape_by_iteration(struct analysis *analysis, struct array_use *use) {
    struct arena *arena = analysis->facts->unit->arena;
    struct row_shape *shape = arena_alloc(arena, sizeof *shape);
    struct cut cut;
    long step = labs(analysis->loop->step), width, bytes;
    *shape = (struct row_shape){.dim = -1, .partner = -1};
    if (use->object->kind == OBJECT_ROWS || use->object->ndims == 0 || step == 0 ||
        !use->object->dims[0].stride_text) {
        return;
    }
    bool found = cut_common(analysis->facts, use->object, 0, analysis->facts->index, NULL, &cut) &&
                 !__builtin_sub_overflow(cut.high, cut.low, &width) &&
                 cut.coeff < LONG_MAX / step && width < cut.coeff * step;
    if (!found || !shape_of(arena, use->object, 0, &cut, shape) ||
        __builtin_add_overflow(width, 1, &bytes)) {
        return;
    }
    shape->piece_bytes =
        times(arena, use->object->dims[0].stride_text, arena_printf(arena, "%ld", bytes));
    use->own = shape;
}

static bool is_used(const struct loop_facts *facts, const struct object *object) {
    for (int i = 0; i < facts->naccesses; ++i)
        if (facts->accesses[i].object == object)
            return true;
    return false;
}

void analysis_shapes(struct analysis *analysis) {
    struct loop_facts *facts = analysis->facts;
    for (int i = 0; i < facts->nobjects; ++i) {
        struct object *object = facts->objects[i];
        if ((object->kind != OBJECT_ARRAY && object->kind != OBJECT_POINTER &&
             object->kind != OBJECT_ROWS) ||
            !is_used(facts, object) || depend_is_private(facts, object) ||
            depend_is_reduction(facts, object)) {
            continue;
        }
        struct array_use use = {.object = object};
        shapes_find(analysis, &use);
        shape_by_iteration(analysis, &use);
        use.needed_whole = use.nshapes == 0;
        ARENA_PUSH(facts->unit->arena, analysis->arrays, analysis->narrays, use);
    }
}
