/* Expressions for symbolic values: equality, construction, polynomials as C text. */
#include "analyzer/access/subscripts/symbolic.h"

#include "analyzer/budget.h"

#include <stdlib.h>
#include <string.h>

const struct type *type_long(void) {
    static const struct type type = {.kind = TYPE_INT,
                                     .size = 8,
                                     .is_signed = true,
                                     .count = 0,
                                     .spelling = "long",
                                     .local_name = "long"};
    return &type;
}

struct expr *expr_new(struct arena *arena, enum expr_kind kind, const struct type *type,
                      struct range range) {
    struct expr *e = arena_alloc(arena, sizeof *e);
    e->kind = kind;
    e->type = type;
    e->range = range;
    e->range.exact = false;
    e->id = -1;
    e->args = arena_alloc(arena, 3 * sizeof *e->args);
    return e;
}

struct expr *expr_integer(struct arena *arena, long value) {
    struct expr *e = expr_new(arena, EXPR_INT, type_long(), (struct range){0});
    e->int_value = value;
    e->range.begin.file = -1;
    return e;
}

struct expr *expr_binary(struct arena *arena, enum op op, struct expr *a, struct expr *b) {
    struct expr *e = expr_new(arena, EXPR_BINARY, type_long(), a->range);
    e->op = op;
    e->nargs = 2;
    e->args[0] = a;
    e->args[1] = b;
    return e;
}

struct expr *expr_cast(struct arena *arena, const struct type *type, struct expr *e) {
    struct expr *cast = expr_new(arena, EXPR_CAST, type, e->range);
    cast->nargs = 1;
    cast->args[0] = e;
    return cast;
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Of numbers the names and qualifiers do not matter: `const int`, `int32_t`. */
static bool same_type(const struct type *a, const struct type *b) {
    return a == b ||
           (type_is_alike(a, b) && (type_is_number(a) || same_text(a->spelling, b->spelling)));
}

static bool same_field(const struct field *a, const struct field *b) {
    return a == b || (a && b && a->offset_bits == b->offset_bits && same_text(a->name, b->name));
}

/* `*(p + i)` and `p[i]`: the expression whose arguments are p and i; NULL for others. */
static const struct expr *element_parts(const struct expr *e) {
    if (e->kind == EXPR_SUBSCRIPT)
        return e;
    const struct expr *sum = e->kind == EXPR_DEREF ? e->args[0] : NULL;
    bool in_order = sum && sum->kind == EXPR_BINARY && sum->op == OP_ADD && sum->args[0]->type &&
                    sum->args[0]->type->kind == TYPE_POINTER;
    return in_order ? sum : NULL;
}

static unsigned mixed(unsigned hash, uint64_t number) {
    uint64_t product = (hash ^ number) * 0x9e3779b97f4a7c15u;
    return (unsigned)(product >> 32 ^ product);
}

static unsigned text_hash(unsigned hash, const char *text) {
    while (text && *text)
        hash = mixed(hash, (unsigned char)*text++);
    return hash;
}

/* Of the expression itself, without its arguments: `*(p + i)` as `p[i]`. */
static unsigned own_hash(const struct expr *e) {
    if (e->kind == EXPR_SUBSCRIPT || element_parts(e))
        return mixed(1, EXPR_SUBSCRIPT);
    unsigned hash = mixed(mixed(mixed(2, e->kind), e->op), (uint64_t)e->int_value);
    hash = mixed(mixed(hash, (uintptr_t)e->var), (uintptr_t)e->function);
    return text_hash(mixed(hash, (uint64_t)e->delta), e->text);
}

int expr_measure(struct expr *e) {
    const struct expr *parts = element_parts(e) ? element_parts(e) : e;
    long size = 1;
    if (e->size)
        return e->size;
    unsigned hash = own_hash(e);
    for (int i = 0; i < parts->nargs; ++i) {
        size += parts->args[i] ? expr_measure(parts->args[i]) : 0;
        hash = mixed(hash, parts->args[i] ? parts->args[i]->hash : 0);
    }
    e->hash = hash ? hash : 1;
    e->size = size < EXPR_SIZE_MOST ? (int)size : EXPR_SIZE_MOST;
    return e->size;
}

/* Without the arguments; what has an effect, or is not understood, equals nothing. */
static bool same_node(const struct expr *a, const struct expr *b) {
    bool same = a->kind == b->kind && a->op == b->op && a->nargs == b->nargs && a->var == b->var &&
                a->function == b->function && a->int_value == b->int_value &&
                a->delta == b->delta && same_field(a->field, b->field) &&
                same_text(a->text, b->text);
    return same && a->kind != EXPR_UNKNOWN && a->kind != EXPR_ASSIGN && a->kind != EXPR_INCREMENT &&
           (a->kind != EXPR_CAST || same_type(a->type, b->type));
}

bool expr_equal(const struct expr *a, const struct expr *b) {
    if (a == b)
        return true;
    if (a && b && a->hash && b->hash && a->hash != b->hash)
        return false;
    if (a && b && a->kind != b->kind && element_parts(a) && element_parts(b)) {
        a = element_parts(a);
        b = element_parts(b);
        return expr_equal(a->args[0], b->args[0]) && expr_equal(a->args[1], b->args[1]);
    }
    if (!a || !b || !same_node(a, b))
        return false;
    for (int i = 0; i < a->nargs; ++i)
        if (!expr_equal(a->args[i], b->args[i]))
            return false;
    return true;
}

struct sym *sym_of(struct syms *syms, enum symbol_kind kind, struct expr *expr, int scope) {
    if (expr && kind != SYMBOL_LOOP)
        expr_measure(expr);
    budget_spend(syms->count / 8);
    for (int i = 0; i < syms->count; ++i) {
        const struct sym *old = syms->items[i];
        if (old->kind == kind && old->scope == scope && kind != SYMBOL_LOOP &&
            same_type(old->expr->type, expr->type) && expr_equal(old->expr, expr)) {
            return (struct sym *)old;
        }
    }
    struct sym *sym = arena_alloc(syms->arena, sizeof *sym);
    sym->kind = kind;
    sym->expr = expr;
    sym->scope = scope;
    sym->on_inner = scope >= 0;
    sym->id = syms->count;
    sym->unsigned_type =
        expr && expr->type && expr->type->kind == TYPE_INT && !expr->type->is_signed;
    ARENA_PUSH(syms->arena, syms->items, syms->count, (const struct sym *)sym);
    return sym;
}

static struct expr *monomial_expr(const struct syms *syms, const struct monomial *m, bool wide) {
    struct arena *arena = syms->arena;
    struct expr *product = NULL;
    for (int i = 0; i < m->nsyms; ++i) {
        struct expr *e = syms->items[m->syms[i]]->expr;
        if (wide && !product && e->type && e->type->size < 8)
            e = expr_cast(arena, type_long(), e);
        product = product ? expr_binary(arena, OP_MUL, product, e) : e;
    }
    long factor = labs(m->coeff);
    if (!product)
        return expr_integer(arena, factor);
    if (factor == 1)
        return product;
    return wide ? expr_binary(arena, OP_MUL, product, expr_integer(arena, factor))
                : expr_binary(arena, OP_MUL, expr_integer(arena, factor), product);
}

struct expr *poly_expr(const struct syms *syms, const struct poly *p, bool wide) {
    struct arena *arena = syms->arena;
    struct expr *sum = NULL;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < p->nmonomials; ++i) {
            bool negative = p->monomials[i].coeff < 0;
            if (negative != (pass == 1))
                continue;
            struct expr *e = monomial_expr(syms, &p->monomials[i], wide);
            if (!sum && negative)
                sum = expr_integer(arena, 0);
            sum = sum ? expr_binary(arena, negative ? OP_SUB : OP_ADD, sum, e) : e;
        }
    }
    return sum ? sum : expr_integer(arena, 0);
}

const char *poly_text(const struct syms *syms, const struct poly *p, bool wide) {
    return expr_print(syms->arena, poly_expr(syms, p, wide));
}

const char *poly_text_plain(const struct syms *syms, const struct poly *p) {
    char *text = arena_strdup(syms->arena, poly_text(syms, p, false)), *to = text;
    for (const char *from = text; *from; ++from) {
        bool suffix = *from == 'L' && from > text && from[-1] >= '0' && from[-1] <= '9';
        if (!suffix)
            *to++ = *from;
    }
    *to = '\0';
    return text;
}
