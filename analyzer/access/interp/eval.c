/* Expressions in the abstract run: loads, arithmetic. */
#include "analyzer/access/interp/eval.h"
#include "analyzer/access/interp/interp.h"

#include "analyzer/access/interp/wrap.h"

#include <stdlib.h>
#include <string.h>

/* Unsigned arithmetic below 64 bits may wrap: only what surely stays in range is a polynomial. */
static bool may_wrap(struct interp *w, const struct poly *p, const struct type *type) {
    long number, lower;
    int sym;
    if (type->is_signed)
        return false;
    if (type->size == 8)
        return labs(poly_content(p)) > (1L << 40);
    if (poly_is_constant(p, &number))
        return number < 0 || (type->size == 4 && number > 0xffffffffL);
    if (!poly_is_sym_plus(p, &sym, &number))
        return true;
    const struct sym *a = w->trace.syms->items[sym];
    bool from = a->lower && poly_is_constant(a->lower, &lower) && lower + number >= 0;
    bool below = number <= 0 || (number == 1 && a->kind == SYMBOL_LOOP && a->loop->step == 1 &&
                                 a->loop->relation == OP_LT);
    return !from || !below;
}

/* x / y or x % y; without a sign a negative number stands for the large one that is 2^64 more. */
static long divided(enum op op, long x, long y, const struct type *type) {
    unsigned long a = (unsigned long)x, b = (unsigned long)y;
    return type->is_signed ? (op == OP_DIV ? x / y : x % y) : (long)(op == OP_DIV ? a / b : a % b);
}

static const struct poly *polynomial(struct interp *w, enum op op, const struct poly *a,
                                     const struct poly *b, const struct type *type) {
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
    case OP_REM:
        return constants && y > 0 ? poly_constant(w->arena, divided(op, x, y, type)) : NULL;
    default:
        return NULL;
    }
}

/* A product of two values that vary together is no affine subscript: better a key as a whole. */
static bool has_variable_product(struct interp *w, const struct poly *p) {
    for (int i = 0; i < p->nmonomials; ++i) {
        int varying = 0;
        for (int j = 0; j < p->monomials[i].nsyms; ++j)
            varying += w->trace.syms->items[p->monomials[i].syms[j]]->kind != SYMBOL_PARAM;
        if (varying > 1)
            return true;
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
static struct expr *number_of_type(struct interp *w, struct expr *number, bool beside,
                                   const struct type *type) {
    if (!is_number(number) || type->kind != TYPE_INT)
        return number;
    struct expr *plain = number->kind == EXPR_CAST ? number->args[0] : number;
    bool same = plain->type && plain->type->kind == TYPE_INT && plain->type->size >= type->size &&
                plain->type->is_signed == type->is_signed;
    return beside || same ? plain : expr_cast(w->arena, type, plain);
}

static struct expr *arithmetic_expr(struct interp *w, struct expr *e, enum op op,
                                    const struct value *a, const struct value *b,
                                    const struct type *type) {
    if (!a->pure || !b->pure)
        return NULL;
    if (e->kind == EXPR_BINARY && e->args[0] == a->pure && e->args[1] == b->pure)
        return e;
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
static const struct value *sited_opaque(struct interp *w, struct expr *e, struct expr *pure,
                                        const struct type *type, const struct value *a,
                                        const struct value *b) {
    value_consume(w, a);
    value_consume(w, b);
    const struct value *v = value_opaque(w, pure, type, a, b);
    if (v->kind != VALUE_INT || v->level < 0 || e->kind == EXPR_ASSIGN)
        return v;
    struct value *sited = arena_alloc(w->arena, sizeof *sited);
    *sited = *v;
    int id = site_add(w, e, v, false);
    ARENA_PUSH(w->arena, sited->sites, sited->nsites, id);
    return sited;
}

/* The polynomial's text, where what stands in the program is long
 * (`x = x + 1`, a thousand times). */
static struct expr *shorter(struct interp *w, const struct expr *e, const struct poly *p,
                            const struct type *type) {
    struct expr *pure = expr_cast(w->arena, type, poly_expr(w->trace.syms, p, true));
    pure->range = e->range;
    pure->range.exact = false;
    return pure;
}

const struct value *eval_arithmetic(struct interp *w, struct expr *e, enum op op,
                                    const struct value *a, const struct type *a_type,
                                    const struct value *b, const struct type *b_type,
                                    const struct type *type) {
    bool shift = op == OP_SHL || op == OP_SHR;
    a = value_convert(w, a, a_type, type);
    b = shift ? b : value_convert(w, b, b_type, type);
    struct expr *pure = arithmetic_expr(w, e, op, a, b, type);
    const struct poly *p = NULL;
    if (type->kind == TYPE_INT && a->kind == VALUE_INT && b->kind == VALUE_INT) {
        p = polynomial(w, op, a->poly, b->poly, type);
        p = p && has_variable_product(w, p) ? NULL : p;
        if (p && !may_wrap(w, p, type)) {
            struct value *v = value_new(&w->trace, VALUE_INT);
            v->poly = p;
            v->pure = pure && value_is_long(pure) ? shorter(w, e, p, type) : pure;
            value_inherit(&w->trace, v, a);
            value_inherit(&w->trace, v, b);
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

static const struct value *pointer_sum(struct interp *w, struct expr *e, const struct value *p,
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
    if (e->nargs == 2 && e->kind == EXPR_BINARY && eval_is_pointer(e->args[0]->type))
        return eval_with_pure(w, sum, eval_rebuild(w, e, 2, both));
    return sum;
}

/* p - q for pointers into one object; NULL when their distance is not known. */
static const struct value *pointer_difference(struct interp *w, struct expr *e,
                                              const struct value *p, const struct value *q,
                                              const struct type *pointer) {
    if (p->kind != VALUE_POINTER || q->kind != VALUE_POINTER || p->region != q->region ||
        p->nparts || q->nparts || p->row || q->row || !wrap_same(p, q)) {
        return NULL;
    }
    const struct poly *apart = poly_divide(w->arena, poly_subtract(w->arena, p->poly, q->poly),
                                           eval_type_size(w, pointer->element));
    if (!apart)
        return NULL;
    const struct value *both[] = {p, q};
    struct value *v = value_new(&w->trace, VALUE_INT);
    v->poly = apart;
    v->pure = eval_rebuild(w, e, 2, both);
    value_inherit(&w->trace, v, p);
    value_inherit(&w->trace, v, q);
    value_inherit_sites(w, v, p);
    value_inherit_sites(w, v, q);
    return v;
}

static const struct value *with_comparison(struct interp *w, const struct expr *e,
                                           const struct value *v, const struct value *a,
                                           const struct value *b) {
    const struct poly *difference = meaning_difference(w, a, e->args[0]->type, b, e->args[1]->type);
    if (!difference)
        return v;
    struct value *compared = arena_alloc(w->arena, sizeof *compared);
    *compared = *v;
    compared->compared = difference;
    compared->relation = e->op;
    return compared;
}

/* `p == NULL` where both are known to be null pointers or not; NULL: it is not known. */
static const struct value *compare_null(struct interp *w, const struct expr *e,
                                        const struct value *a, const struct value *b) {
    bool first, second;
    bool pointers = eval_is_pointer(e->args[0]->type) || eval_is_pointer(e->args[1]->type);
    if (!pointers || (e->op != OP_EQ && e->op != OP_NE) || !value_truth(a, &first) ||
        !value_truth(b, &second) || (first && second)) {
        return NULL;
    }
    return value_integer(w, (first == second) == (e->op == OP_EQ));
}

static const struct value *eval_binary(struct interp *w, struct expr *e) {
    const struct value *a = eval(w, e->args[0]), *b = eval(w, e->args[1]);
    const struct type *at = e->args[0]->type, *bt = e->args[1]->type;
    if (e->op == OP_ADD && eval_is_pointer(at))
        return pointer_sum(w, e, a, b, at, false);
    if (e->op == OP_ADD && eval_is_pointer(bt))
        return pointer_sum(w, e, b, a, bt, false);
    if (e->op == OP_SUB && eval_is_pointer(at) && !eval_is_pointer(bt))
        return pointer_sum(w, e, a, b, at, true);
    if (e->op == OP_SUB && eval_is_pointer(at)) {
        const struct value *apart = pointer_difference(w, e, a, b, at);
        if (apart)
            return apart;
    }
    const struct value *decided = compare_null(w, e, a, b);
    if (decided)
        return decided;
    if (e->op >= OP_LT || eval_is_pointer(at) || eval_is_pointer(bt)) {
        const struct value *both[] = {a, b};
        const struct value *v = sited_opaque(w, e, eval_rebuild(w, e, 2, both), e->type, a, b);
        return e->op >= OP_LT && e->op <= OP_NE ? with_comparison(w, e, v, a, b) : v;
    }
    return eval_arithmetic(w, e, e->op, a, at, b, bt, e->type);
}

static const struct value *eval_unary(struct interp *w, struct expr *e) {
    const struct value *v = eval(w, e->args[0]);
    const struct type *from = e->args[0]->type;
    if (e->op == OP_PLUS || (e->op == OP_MINUS && e->type && e->type->kind == TYPE_INT)) {
        v = value_convert(w, v, from, e->type);
        struct expr *pure = eval_rebuild(w, e, 1, &v);
        if (e->op == OP_PLUS && v->kind == VALUE_INT)
            return eval_with_pure(w, v, pure);
        const struct poly *minus = poly_scale(w->arena, v->kind == VALUE_INT ? v->poly : NULL, -1);
        if (minus && (e->type->is_signed || e->type->size == 8)) {
            struct value *negated = arena_alloc(w->arena, sizeof *negated);
            *negated = *v;
            negated->poly = minus;
            negated->pure = pure;
            return negated;
        }
    }
    const struct value *opaque = sited_opaque(w, e, eval_rebuild(w, e, 1, &v), e->type, v, NULL);
    if (e->op != OP_NOT)
        return opaque;
    struct value *negation = arena_alloc(w->arena, sizeof *negation);
    *negation = *opaque;
    negation->negates = v;
    return negation;
}

/*
 * After one of two ways, which left `one`, the other left what `w` holds now. A way that ended the
 * program (`ok ? 0 : fail()`) says nothing of what follows.
 */
static void join_ways(struct interp *w, struct env one, bool one_dead, const struct value *cond) {
    if (w->dead) {
        w->env = one;
        w->dead = one_dead;
    } else if (!one_dead) {
        w->env = env_join(w, &one, &w->env, cond);
    }
}

/* && and ||: the right side runs only when the left side lets it. */
static const struct value *eval_logical(struct interp *w, struct expr *e) {
    const struct value *a = eval_consumed(w, e->args[0]);
    bool truth;
    if (value_truth(a, &truth) && truth == (e->kind == EXPR_OR))
        return value_integer(w, truth);
    struct env before = env_copy(w, &w->env);
    int conditions = w->nconditions;
    interp_push_condition(w, a, e->kind == EXPR_AND);
    bool dead = w->dead;
    const struct value *b = eval_consumed(w, e->args[1]);
    w->nconditions = conditions;
    struct env after = w->env;
    bool after_dead = w->dead;
    w->env = before;
    w->dead = dead;
    join_ways(w, after, after_dead, NULL);
    const struct value *both[] = {a, b};
    struct value *v = arena_alloc(w->arena, sizeof *v);
    *v = *sited_opaque(w, e, eval_rebuild(w, e, 2, both), e->type, a, b);
    v->joined = e->kind;
    v->sides[0] = a;
    v->sides[1] = b;
    return v;
}

static const struct value *eval_conditional(struct interp *w, struct expr *e) {
    const struct value *c = eval_consumed(w, e->args[0]);
    bool truth;
    if (e->args[1] && value_truth(c, &truth)) {
        struct expr *chosen = e->args[truth ? 1 : 2];
        return value_convert(w, eval(w, chosen), chosen->type, e->type);
    }
    struct env before = env_copy(w, &w->env);
    bool dead = w->dead;
    int conditions = w->nconditions;
    const struct value *a = c;
    if (e->args[1]) {
        interp_push_condition(w, c, true);
        a = value_convert(w, eval(w, e->args[1]), e->args[1]->type, e->type);
        w->nconditions = conditions;
    }
    struct env after = w->env;
    bool after_dead = w->dead;
    w->env = before;
    w->dead = dead;
    interp_push_condition(w, c, false);
    const struct value *b = value_convert(w, eval(w, e->args[2]), e->args[2]->type, e->type);
    w->nconditions = conditions;
    join_ways(w, after, after_dead, c);
    if (!e->args[1]) {
        value_consume(w, b);
        return value_unknown(w, "it is one of two values");
    }
    const struct value *v = value_select(w, c, a, b);
    if (v->kind != VALUE_INT || v->level < 0 || v->nsites > 0)
        return v;
    struct value *sited = arena_alloc(w->arena, sizeof *sited);
    *sited = *v;
    int id = site_add(w, e, v, false);
    ARENA_PUSH(w->arena, sited->sites, sited->nsites, id);
    return sited;
}

static const struct value *eval_cast(struct interp *w, struct expr *e) {
    if (e->nargs == 2)
        eval_discarded(w, e->args[1]);
    const struct value *v = eval(w, e->args[0]);
    if (!e->type || e->type->kind == TYPE_VOID) {
        value_consume(w, v);
        return value_unknown(w, "no value");
    }
    if (v->kind == VALUE_POINTER && e->type->kind == TYPE_POINTER)
        return value_convert(w, v, e->args[0]->type, e->type);
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

static const struct value *eval_other(struct interp *w, struct expr *e) {
    for (int i = 0; i < e->nargs; ++i)
        if (e->args[i])
            eval_consumed(w, e->args[i]);
    if (e->kind == EXPR_UNKNOWN) {
        interp_refuse(
            &w->trace, ORR2229, e->range, "write it in plain C, or compute it before the loop",
            "the loop uses %s, which is not analyzed", e->text ? e->text : "an expression");
    }
    return value_unknown(w, "its value is not known");
}

static const struct value *eval_constant(struct interp *w, struct expr *e) {
    struct value *v = value_new(&w->trace, VALUE_OTHER);
    v->pure = e;
    if (e->kind == EXPR_INT) {
        v->kind = VALUE_INT;
        v->poly = poly_constant(w->arena, (long)e->int_value);
    } else if (e->kind == EXPR_STRING) {
        v->kind = VALUE_POINTER;
        v->poly = poly_constant(w->arena, 0);
        v->region = region_text(w);
    }
    return v;
}

/*
 * `(*__ctype_b_loc())[c]`: what glibc's macros make of isspace(c). Nobody writes these tables, and
 * which one is used only setlocale changes.
 */
static bool is_ctype_table(const struct expr *e) {
    while (e->kind == EXPR_CAST && e->nargs == 1)
        e = e->args[0];
    const struct expr *call = e->kind == EXPR_DEREF ? e->args[0] : NULL;
    const struct function *f = call && call->kind == EXPR_CALL ? call->function : NULL;
    return f && !f->body && strncmp(f->name, "__ctype_", 8) == 0 &&
           strcmp(f->name + strlen(f->name) - 4, "_loc") == 0;
}

static const struct value *eval_ctype(struct interp *w, struct expr *e) {
    struct value *table = value_new(&w->trace, VALUE_OTHER);
    table->pure = e->args[0];
    const struct value *both[] = {table, eval(w, e->args[1])};
    return sited_opaque(w, e, eval_rebuild(w, e, 2, both), e->type, table, both[1]);
}

const struct value *eval(struct interp *w, struct expr *e) {
    ++w->steps;
    switch (e->kind) {
    case EXPR_INT:
    case EXPR_FLOAT:
    case EXPR_STRING:
    case EXPR_FUNCTION:
        return eval_constant(w, e);
    case EXPR_SUBSCRIPT:
        return is_ctype_table(e->args[0]) ? eval_ctype(w, e) : eval_lvalue(w, e);
    case EXPR_VAR:
    case EXPR_DEREF:
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

const struct value *eval_consumed(struct interp *w, struct expr *e) {
    const struct value *v = eval(w, e);
    value_consume(w, v);
    return v;
}

void eval_discarded(struct interp *w, struct expr *e) {
    while (e->kind == EXPR_CAST && e->type && e->type->kind == TYPE_VOID)
        e = e->args[0];
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
