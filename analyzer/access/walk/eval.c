/* Expressions in the abstract run: addresses, loads, arithmetic. */
#include "analyzer/access/subscripts/wrap.h"

#include <stdlib.h>
#include <string.h>

static bool is_array(const struct type *type) {
    return type && (type->kind == TYPE_ARRAY || type->kind == TYPE_VLA);
}

static bool is_pointer(const struct type *type) {
    return type && (type->kind == TYPE_POINTER || is_array(type));
}

/* `e` with its arguments replaced by what they stand for; NULL when one has no pure form. */
static struct expr *rebuild(struct walk *w, struct expr *e, int n, const struct value **args) {
    bool same = true;
    for (int i = 0; i < n; i++) {
        if (!args[i]->pure) {
            return NULL;
        }
        same = same && args[i]->pure == e->args[i];
    }
    if (same) {
        return e;
    }
    struct expr *copy = arena_alloc(w->arena, sizeof *copy);
    *copy = *e;
    copy->id = -1;
    copy->range.exact = false;
    copy->args = arena_alloc(w->arena, (size_t)(e->nargs + 1) * sizeof *copy->args);
    for (int i = 0; i < n; i++) {
        copy->args[i] = args[i]->pure;
    }
    return copy;
}

static const struct value *with_pure(struct walk *w, const struct value *v, struct expr *pure) {
    struct value *copy = arena_alloc(w->arena, sizeof *copy);
    *copy = *v;
    copy->pure = pure;
    return copy;
}

const struct poly *eval_type_size(struct walk *w, const struct type *type) {
    if (!type) {
        return NULL;
    }
    if (type->size >= 0 && type->kind != TYPE_VLA) {
        return poly_constant(w->arena, type->kind == TYPE_VOID ? 1 : type->size);
    }
    if (type->kind == TYPE_VOID || type->kind == TYPE_FUNCTION) {
        return poly_constant(w->arena, 1);
    }
    if (type->kind == TYPE_VLA && type->vla_count) {
        const struct expr *count = type->vla_count;
        const struct variable *var = lvalue_variable(count);
        if (count->kind != EXPR_INT && (!var || var->writes != 0 || var->address_taken)) {
            return NULL;
        }
        const struct value *v = eval(w, (struct expr *)count);
        return v->kind == VALUE_INT
                   ? poly_multiply(w->arena, v->poly, eval_type_size(w, type->element))
                   : NULL;
    }
    return NULL;
}

/* The bound that the type of the array puts on a subscript; NULL when it puts none. */
static const struct poly *type_extent(struct walk *w, const struct expr *base) {
    const struct type *type = base->type;
    if (!is_array(type)) {
        return NULL;
    }
    if (type->kind == TYPE_VLA) {
        const struct poly *size = eval_type_size(w, type);
        return poly_divide(w->arena, size, eval_type_size(w, type->element));
    }
    bool flexible = base->kind == EXPR_MEMBER && type->count <= 1;
    return flexible || type->count <= 0 ? NULL : poly_constant(w->arena, type->count);
}

static const struct value *address_of_variable(struct walk *w, struct expr *e) {
    struct variable *var = e->var;
    struct value *p = value_new(w, VALUE_POINTER);
    p->region = region_of_variable(w, var);
    p->poly = poly_constant(w->arena, 0);
    struct slot *slot = env_find(&w->env, var);
    if (var->storage == STORAGE_STATIC || var->storage == STORAGE_GLOBAL) {
        ARENA_PUSH(w->arena, w->used, w->nused, var);
    }
    if (slot) {
        p->pure = slot->value->pure;
        value_inherit(w, p, slot->value);
    } else if (p->region->kind == REGION_VARIABLE &&
               (var->storage != STORAGE_STATIC_LOCAL || var->function == w->loop->function)) {
        p->pure = e;
    }
    return p;
}

/* The address behind a pointer expression, with the lvalue `*e` as its pure form. */
static const struct value *pointed(struct walk *w, struct expr *pointer) {
    const struct value *p = eval(w, pointer);
    if (p->kind == VALUE_POINTER) {
        return p;
    }
    value_consume(w, p);
    struct value *unknown = value_new(w, VALUE_POINTER);
    unknown->region = region_unknown(w, p->why ? p->why : "nothing is known of the pointer");
    unknown->why = p->why;
    return unknown;
}

static struct expr *dereferenced(struct walk *w, struct expr *e, const struct value *p) {
    if (!p->pure) {
        return NULL;
    }
    if (p->pure->kind == EXPR_ADDRESS) {
        return p->pure->args[0];
    }
    return rebuild(w, e, 1, &p);
}

/* A pointer to a variable the walk knows: what stands there now is what the variable holds. */
static const struct value *through_variable(struct walk *w, const struct value *p) {
    long offset;
    struct slot *slot = p->region->var ? env_find(&w->env, p->region->var) : NULL;
    struct value *fresh = arena_alloc(w->arena, sizeof *fresh);
    *fresh = *p;
    fresh->pure = NULL;
    if (slot && p->nparts == 0 && poly_is_constant(p->poly, &offset) && offset == 0) {
        fresh->pure = slot->value->pure;
        value_inherit(w, fresh, slot->value);
    }
    return fresh;
}

static const struct value *address_of_deref(struct walk *w, struct expr *e) {
    const struct value *p = pointed(w, e->args[0]);
    bool known = (p->region->kind == REGION_LOCAL || p->region->kind == REGION_VARIABLE) &&
                 env_find(&w->env, p->region->var);
    return known ? through_variable(w, p) : with_pure(w, p, dereferenced(w, e, p));
}

static const struct value *address_of_subscript(struct walk *w, struct expr *e) {
    const struct value *base = pointed(w, e->args[0]);
    const struct value *index = eval(w, e->args[1]);
    const struct poly *extent = type_extent(w, e->args[0]);
    const struct poly *size = eval_type_size(w, e->type);
    if (base->nparts > 0 && base->parts[base->nparts - 1].grows && is_array(e->args[0]->type)) {
        base = with_pure(w, base, base->pure);
        ((struct value *)base)->nparts--;
    }
    const struct value *p = value_advance(w, base, index, size, extent);
    const struct value *both[] = {base, index};
    return with_pure(w, p, rebuild(w, e, 2, both));
}

static const struct value *address_of_member(struct walk *w, struct expr *e) {
    const struct value *base = eval_address(w, e->args[0]);
    struct value *p = arena_alloc(w->arena, sizeof *p);
    *p = *base;
    p->pure = base->pure ? rebuild(w, e, 1, &base) : NULL;
    if (p->kind != VALUE_POINTER) {
        return p;
    }
    if (!e->field) {
        value_move(w, p, NULL, NULL);
    } else if (!is_bit_field(e)) {
        value_move(w, p, poly_constant(w->arena, e->field->offset_bits / 8), NULL);
    }
    return p;
}

static const struct value *address_of_other(struct walk *w, struct expr *e) {
    struct value *p = value_new(w, VALUE_POINTER);
    const struct value *v =
        e->kind == EXPR_COMPOUND ? eval_consumed(w, e->args[0]) : eval_consumed(w, e);
    p->pure = v->pure;
    value_inherit(w, p, v);
    p->region = arena_alloc(w->arena, sizeof *p->region);
    p->region->kind = REGION_TEXT;
    p->why = "it is in a temporary";
    return p;
}

const struct value *eval_address(struct walk *w, struct expr *e) {
    switch (e->kind) {
    case EXPR_VAR:
        return address_of_variable(w, e);
    case EXPR_DEREF:
        return address_of_deref(w, e);
    case EXPR_SUBSCRIPT:
        return address_of_subscript(w, e);
    case EXPR_MEMBER:
        return address_of_member(w, e);
    default:
        return address_of_other(w, e);
    }
}

/* An array used as a pointer to its first element. */
static const struct value *decay(struct walk *w, struct expr *e) {
    const struct value *p = eval_address(w, e);
    if (p->kind != VALUE_POINTER || e->kind != EXPR_MEMBER || e->type->kind != TYPE_ARRAY ||
        e->type->count <= 1 || !e->type->element) {
        return p;
    }
    struct value *grown = arena_alloc(w->arena, sizeof *grown);
    *grown = *p;
    grown->parts = arena_alloc(w->arena, (size_t)(p->nparts + 1) * sizeof *grown->parts);
    if (p->nparts > 0) {
        memcpy(grown->parts, p->parts, (size_t)p->nparts * sizeof *p->parts);
    }
    grown->parts[grown->nparts++] =
        (struct part){poly_constant(w->arena, 0), eval_type_size(w, e->type->element),
                      poly_constant(w->arena, e->type->count), true};
    return grown;
}

static const struct value *eval_lvalue(struct walk *w, struct expr *e) {
    if (is_array(e->type)) {
        return decay(w, e);
    }
    if (e->kind == EXPR_DEREF && e->type && e->type->kind == TYPE_FUNCTION) {
        return eval(w, e->args[0]);
    }
    const struct value *address = eval_address(w, e);
    if (address->kind == VALUE_POINTER && address->region->kind == REGION_TEXT) {
        return value_opaque(w, address->pure, e->type, address, NULL);
    }
    return memory_load(w, address, e);
}

/*
 * `&a[i][0]` is a[i] used as a pointer, moved on: what is added to it later may be a subscript of
 * the same row.
 */
static const struct value *opened(struct walk *w, const struct expr *e, const struct value *p) {
    const struct part *last = p->nparts > 1 ? &p->parts[p->nparts - 1] : NULL;
    if (e->kind != EXPR_SUBSCRIPT || p->kind != VALUE_POINTER || !last || !last->index ||
        !last->extent || e->args[0]->type->kind == TYPE_POINTER ||
        (e->type->kind != TYPE_INT && e->type->kind != TYPE_FLOAT)) {
        return p;
    }
    struct value *open = arena_alloc(w->arena, sizeof *open);
    *open = *p;
    open->nparts--;
    value_move(w, open, poly_multiply(w->arena, last->index, last->stride), last->stride);
    return open;
}

static const struct value *eval_address_operator(struct walk *w, struct expr *e) {
    if (e->args[0]->kind == EXPR_FUNCTION) {
        return eval(w, e->args[0]);
    }
    const struct value *p = opened(w, e->args[0], eval_address(w, e->args[0]));
    bool changes = p->kind == VALUE_POINTER && p->region->var &&
                   p->region->kind != REGION_POINTER && env_find(&w->env, p->region->var);
    return with_pure(w, p, changes || !p->pure ? NULL : rebuild(w, e, 1, &p));
}

/* Unsigned arithmetic below 64 bits may wrap: only what surely stays in range is a polynomial. */
static bool may_wrap(struct walk *w, const struct poly *p, const struct type *type) {
    long number, lower;
    int atom;
    if (type->is_signed) {
        return false;
    }
    if (type->size == 8) {
        return labs(poly_content(p)) > (1L << 40);
    }
    if (poly_is_constant(p, &number)) {
        return number < 0 || (type->size == 4 && number > 0xffffffffL);
    }
    if (!poly_is_atom_plus(p, &atom, &number)) {
        return true;
    }
    const struct atom *a = w->atoms.items[atom];
    bool from = a->lower && poly_is_constant(a->lower, &lower) && lower + number >= 0;
    bool below = number <= 0 || (number == 1 && a->kind == SYMBOL_LOOP && a->loop->step == 1 &&
                                 a->loop->relation == OP_LT);
    return !from || !below;
}

static const struct poly *polynomial(struct walk *w, enum op op, const struct poly *a,
                                     const struct poly *b) {
    long x, y;
    bool constants = poly_is_constant(a, &x) && poly_is_constant(b, &y);
    switch (op) {
    case OP_ADD:
        return poly_add(w->arena, a, b);
    case OP_SUB:
        return poly_subtract(w->arena, a, b);
    case OP_MUL:
        return poly_multiply(w->arena, a, b);
    case OP_SHL:
        return poly_is_constant(b, &y) && y >= 0 && y < 31 ? poly_scale(w->arena, a, 1L << y)
                                                           : NULL;
    case OP_DIV:
        return constants && y > 0 ? poly_constant(w->arena, x / y) : NULL;
    case OP_REM:
        return constants && y > 0 ? poly_constant(w->arena, x % y) : NULL;
    default:
        return NULL;
    }
}

/* A product of two values that vary together is no affine subscript: better a key as a whole. */
static bool has_variable_product(struct walk *w, const struct poly *p) {
    for (int i = 0; i < p->nmonos; i++) {
        int varying = 0;
        for (int j = 0; j < p->monos[i].natoms; j++) {
            varying += w->atoms.items[p->monos[i].atoms[j]]->kind != SYMBOL_PARAM;
        }
        if (varying > 1) {
            return true;
        }
    }
    return false;
}

static bool is_number(const struct expr *e) {
    return e->kind == EXPR_INT || (e->kind == EXPR_CAST && e->args[0]->kind == EXPR_INT);
}

/*
 * A number that stands for a variable has another type than its text: `s << 40` of a long s = 1 is
 * not `1 << 40`. Beside an operand of the result's type the text is enough.
 */
static struct expr *number_of_type(struct walk *w, struct expr *number, bool beside,
                                   const struct type *type) {
    if (!is_number(number) || type->kind != TYPE_INT) {
        return number;
    }
    struct expr *plain = number->kind == EXPR_CAST ? number->args[0] : number;
    bool same = plain->type && plain->type->kind == TYPE_INT && plain->type->size >= type->size &&
                plain->type->is_signed == type->is_signed;
    return beside || same ? plain : expr_cast(w->arena, type, plain);
}

static struct expr *arithmetic_expr(struct walk *w, struct expr *e, enum op op,
                                    const struct value *a, const struct value *b,
                                    const struct type *type) {
    if (!a->pure || !b->pure) {
        return NULL;
    }
    if (e->kind == EXPR_BINARY && e->args[0] == a->pure && e->args[1] == b->pure) {
        return e;
    }
    bool shift = op == OP_SHL || op == OP_SHR;
    struct expr *left = number_of_type(w, a->pure, !shift && !is_number(b->pure), type);
    struct expr *right = shift ? b->pure : number_of_type(w, b->pure, true, type);
    struct expr *pure = expr_binary(w->arena, op, left, right);
    pure->type = type;
    pure->range = e->range;
    pure->range.exact = false;
    return pure;
}

/* A new place of the text for a value that is opaque as a whole (`hash(x) % B`). */
static const struct value *sited_opaque(struct walk *w, struct expr *e, struct expr *pure,
                                        const struct type *type, const struct value *a,
                                        const struct value *b) {
    value_consume(w, a);
    value_consume(w, b);
    const struct value *v = value_opaque(w, pure, type, a, b);
    if (v->kind != VALUE_INT || v->level < 0 || e->kind == EXPR_ASSIGN) {
        return v;
    }
    struct value *sited = arena_alloc(w->arena, sizeof *sited);
    *sited = *v;
    int id = site_add(w, e, v, false);
    ARENA_PUSH(w->arena, sited->sites, sited->nsites, id);
    return sited;
}

const struct value *eval_arithmetic(struct walk *w, struct expr *e, enum op op,
                                    const struct value *a, const struct type *a_type,
                                    const struct value *b, const struct type *b_type,
                                    const struct type *type) {
    bool shift = op == OP_SHL || op == OP_SHR;
    a = value_convert(w, a, a_type, type);
    b = shift ? b : value_convert(w, b, b_type, type);
    struct expr *pure = arithmetic_expr(w, e, op, a, b, type);
    const struct poly *p = NULL;
    if (type->kind == TYPE_INT && a->kind == VALUE_INT && b->kind == VALUE_INT) {
        p = polynomial(w, op, a->poly, b->poly);
        p = p && has_variable_product(w, p) ? NULL : p;
        if (p && !may_wrap(w, p, type)) {
            struct value *v = value_new(w, VALUE_INT);
            v->poly = p;
            v->pure = pure;
            value_inherit(w, v, a);
            value_inherit(w, v, b);
            value_inherit_sites(w, v, a);
            value_inherit_sites(w, v, b);
            return v;
        }
    }
    const struct value *opaque = sited_opaque(w, e, pure, type, a, b);
    meaning_of_arithmetic(w, opaque, op, a, b, type);
    wrap_note(w, opaque, p, type);
    return opaque;
}

static const struct value *pointer_sum(struct walk *w, struct expr *e, const struct value *p,
                                       const struct value *index, const struct type *pointer,
                                       bool negate) {
    const struct poly *size = eval_type_size(w, pointer->element);
    if (negate && index->kind == VALUE_INT) {
        struct value *minus = arena_alloc(w->arena, sizeof *minus);
        *minus = *index;
        minus->poly = poly_scale(w->arena, index->poly, -1);
        index = minus;
    }
    const struct value *sum = value_advance(w, p, index, size, NULL);
    const struct value *both[] = {p, index};
    if (e->nargs == 2 && e->kind == EXPR_BINARY && is_pointer(e->args[0]->type)) {
        return with_pure(w, sum, rebuild(w, e, 2, both));
    }
    return sum;
}

/* p - q for pointers into one object; NULL when their distance is not known. */
static const struct value *pointer_difference(struct walk *w, struct expr *e, const struct value *p,
                                              const struct value *q, const struct type *pointer) {
    if (p->kind != VALUE_POINTER || q->kind != VALUE_POINTER || p->region != q->region ||
        p->nparts || q->nparts || p->row || q->row || !wrap_same(p, q)) {
        return NULL;
    }
    const struct poly *apart = poly_divide(w->arena, poly_subtract(w->arena, p->poly, q->poly),
                                           eval_type_size(w, pointer->element));
    if (!apart) {
        return NULL;
    }
    const struct value *both[] = {p, q};
    struct value *v = value_new(w, VALUE_INT);
    v->poly = apart;
    v->pure = rebuild(w, e, 2, both);
    value_inherit(w, v, p);
    value_inherit(w, v, q);
    value_inherit_sites(w, v, p);
    value_inherit_sites(w, v, q);
    return v;
}

static const struct value *with_comparison(struct walk *w, const struct expr *e,
                                           const struct value *v, const struct value *a,
                                           const struct value *b) {
    const struct poly *difference = meaning_difference(w, a, e->args[0]->type, b, e->args[1]->type);
    if (!difference) {
        return v;
    }
    struct value *compared = arena_alloc(w->arena, sizeof *compared);
    *compared = *v;
    compared->compared = difference;
    compared->relation = e->op;
    return compared;
}

/* `p == NULL` where both are known to be null pointers or not; NULL: it is not known. */
static const struct value *compare_null(struct walk *w, const struct expr *e, const struct value *a,
                                        const struct value *b) {
    bool first, second;
    bool pointers = is_pointer(e->args[0]->type) || is_pointer(e->args[1]->type);
    if (!pointers || (e->op != OP_EQ && e->op != OP_NE) || !value_truth(a, &first) ||
        !value_truth(b, &second) || (first && second)) {
        return NULL;
    }
    return value_integer(w, (first == second) == (e->op == OP_EQ));
}

static const struct value *eval_binary(struct walk *w, struct expr *e) {
    const struct value *a = eval(w, e->args[0]), *b = eval(w, e->args[1]);
    const struct type *at = e->args[0]->type, *bt = e->args[1]->type;
    if (e->op == OP_ADD && is_pointer(at)) {
        return pointer_sum(w, e, a, b, at, false);
    }
    if (e->op == OP_ADD && is_pointer(bt)) {
        return pointer_sum(w, e, b, a, bt, false);
    }
    if (e->op == OP_SUB && is_pointer(at) && !is_pointer(bt)) {
        return pointer_sum(w, e, a, b, at, true);
    }
    if (e->op == OP_SUB && is_pointer(at)) {
        const struct value *apart = pointer_difference(w, e, a, b, at);
        if (apart) {
            return apart;
        }
    }
    const struct value *decided = compare_null(w, e, a, b);
    if (decided) {
        return decided;
    }
    if (e->op >= OP_LT || is_pointer(at) || is_pointer(bt)) {
        const struct value *both[] = {a, b};
        const struct value *v = sited_opaque(w, e, rebuild(w, e, 2, both), e->type, a, b);
        return e->op >= OP_LT && e->op <= OP_NE ? with_comparison(w, e, v, a, b) : v;
    }
    return eval_arithmetic(w, e, e->op, a, at, b, bt, e->type);
}

static const struct value *eval_unary(struct walk *w, struct expr *e) {
    const struct value *v = eval(w, e->args[0]);
    const struct type *from = e->args[0]->type;
    if (e->op == OP_PLUS || (e->op == OP_MINUS && e->type && e->type->kind == TYPE_INT)) {
        v = value_convert(w, v, from, e->type);
        struct expr *pure = rebuild(w, e, 1, &v);
        if (e->op == OP_PLUS && v->kind == VALUE_INT) {
            return with_pure(w, v, pure);
        }
        const struct poly *minus = poly_scale(w->arena, v->kind == VALUE_INT ? v->poly : NULL, -1);
        if (minus && (e->type->is_signed || e->type->size == 8)) {
            struct value *negated = arena_alloc(w->arena, sizeof *negated);
            *negated = *v;
            negated->poly = minus;
            negated->pure = pure;
            return negated;
        }
    }
    const struct value *opaque = sited_opaque(w, e, rebuild(w, e, 1, &v), e->type, v, NULL);
    if (e->op != OP_NOT) {
        return opaque;
    }
    struct value *negation = arena_alloc(w->arena, sizeof *negation);
    *negation = *opaque;
    negation->negates = v;
    return negation;
}

/* && and ||: the right side runs only when the left side lets it. */
static const struct value *eval_logical(struct walk *w, struct expr *e) {
    const struct value *a = eval_consumed(w, e->args[0]);
    bool truth;
    if (value_truth(a, &truth) && truth == (e->kind == EXPR_OR)) {
        return value_integer(w, truth);
    }
    struct env before = env_copy(w, &w->env);
    int conditions = w->nconditions;
    walk_push_condition(w, a, e->kind == EXPR_AND);
    const struct value *b = eval_consumed(w, e->args[1]);
    w->nconditions = conditions;
    w->env = env_join(w, &w->env, &before, NULL);
    const struct value *both[] = {a, b};
    struct value *v = arena_alloc(w->arena, sizeof *v);
    *v = *sited_opaque(w, e, rebuild(w, e, 2, both), e->type, a, b);
    v->joined = e->kind;
    v->sides[0] = a;
    v->sides[1] = b;
    return v;
}

static const struct value *eval_conditional(struct walk *w, struct expr *e) {
    const struct value *c = eval_consumed(w, e->args[0]);
    bool truth;
    if (e->args[1] && value_truth(c, &truth)) {
        struct expr *chosen = e->args[truth ? 1 : 2];
        return value_convert(w, eval(w, chosen), chosen->type, e->type);
    }
    struct env before = env_copy(w, &w->env);
    int conditions = w->nconditions;
    const struct value *a = c;
    if (e->args[1]) {
        walk_push_condition(w, c, true);
        a = value_convert(w, eval(w, e->args[1]), e->args[1]->type, e->type);
        w->nconditions = conditions;
    }
    struct env after = w->env;
    w->env = before;
    walk_push_condition(w, c, false);
    const struct value *b = value_convert(w, eval(w, e->args[2]), e->args[2]->type, e->type);
    w->nconditions = conditions;
    w->env = env_join(w, &after, &w->env, c);
    if (!e->args[1]) {
        value_consume(w, b);
        return value_unknown(w, "it is one of two values");
    }
    const struct value *v = value_select(w, c, a, b);
    if (v->kind != VALUE_INT || v->level < 0 || v->nsites > 0) {
        return v;
    }
    struct value *sited = arena_alloc(w->arena, sizeof *sited);
    *sited = *v;
    int id = site_add(w, e, v, false);
    ARENA_PUSH(w->arena, sited->sites, sited->nsites, id);
    return sited;
}

static const struct value *eval_cast(struct walk *w, struct expr *e) {
    const struct value *v = eval(w, e->args[0]);
    if (!e->type || e->type->kind == TYPE_VOID) {
        value_consume(w, v);
        return value_unknown(w, "no value");
    }
    if (v->kind == VALUE_POINTER && e->type->kind == TYPE_POINTER) {
        return v;
    }
    if (v->kind == VALUE_POINTER) {
        value_consume(w, v);
        return value_unknown(w, "it is a pointer taken as a number");
    }
    const struct value *converted = value_convert(w, v, e->args[0]->type, e->type);
    if (converted->kind == VALUE_INT && converted->nsites == 0 && converted->level >= 0) {
        struct value *sited = arena_alloc(w->arena, sizeof *sited);
        *sited = *converted;
        int id = site_add(w, e, converted, false);
        ARENA_PUSH(w->arena, sited->sites, sited->nsites, id);
        return sited;
    }
    return converted;
}

static const struct value *eval_other(struct walk *w, struct expr *e) {
    for (int i = 0; i < e->nargs; i++) {
        if (e->args[i]) {
            eval_consumed(w, e->args[i]);
        }
    }
    if (e->kind == EXPR_UNKNOWN) {
        walk_refuse(w, "ORR2229", e->range, "write it in plain C, or compute it before the loop",
                    "the loop uses %s, which is not analyzed", e->text ? e->text : "an expression");
    }
    return value_unknown(w, "its value is not known");
}

static const struct value *eval_constant(struct walk *w, struct expr *e) {
    struct value *v = value_new(w, VALUE_OTHER);
    v->pure = e;
    if (e->kind == EXPR_INT) {
        v->kind = VALUE_INT;
        v->poly = poly_constant(w->arena, (long)e->int_value);
    } else if (e->kind == EXPR_STRING) {
        v->kind = VALUE_POINTER;
        v->poly = poly_constant(w->arena, 0);
        v->region = arena_alloc(w->arena, sizeof *v->region);
        v->region->kind = REGION_TEXT;
    }
    return v;
}

const struct value *eval(struct walk *w, struct expr *e) {
    w->steps++;
    switch (e->kind) {
    case EXPR_INT:
    case EXPR_FLOAT:
    case EXPR_STRING:
    case EXPR_FUNCTION:
        return eval_constant(w, e);
    case EXPR_VAR:
    case EXPR_DEREF:
    case EXPR_SUBSCRIPT:
    case EXPR_MEMBER:
    case EXPR_COMPOUND:
        return eval_lvalue(w, e);
    case EXPR_ADDRESS:
        return eval_address_operator(w, e);
    case EXPR_UNARY:
        return eval_unary(w, e);
    case EXPR_BINARY:
        return eval_binary(w, e);
    case EXPR_AND:
    case EXPR_OR:
        return eval_logical(w, e);
    case EXPR_CONDITIONAL:
        return eval_conditional(w, e);
    case EXPR_COMMA:
        eval_discarded(w, e->args[0]);
        return eval(w, e->args[1]);
    case EXPR_ASSIGN:
        return eval_assign(w, e, false);
    case EXPR_INCREMENT:
        return eval_increment(w, e, false);
    case EXPR_CAST:
        return eval_cast(w, e);
    case EXPR_CALL:
        return eval_call(w, e, false);
    default:
        return eval_other(w, e);
    }
}

const struct value *eval_consumed(struct walk *w, struct expr *e) {
    const struct value *v = eval(w, e);
    value_consume(w, v);
    return v;
}

void eval_discarded(struct walk *w, struct expr *e) {
    while (e->kind == EXPR_CAST && e->type && e->type->kind == TYPE_VOID) {
        e = e->args[0];
    }
    switch (e->kind) {
    case EXPR_ASSIGN:
        eval_assign(w, e, true);
        break;
    case EXPR_INCREMENT:
        eval_increment(w, e, true);
        break;
    case EXPR_CALL:
        eval_call(w, e, true);
        break;
    case EXPR_COMMA:
        eval_discarded(w, e->args[0]);
        eval_discarded(w, e->args[1]);
        break;
    default:
        eval_consumed(w, e);
    }
}
