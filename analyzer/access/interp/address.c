/* Addresses in the abstract run: what an lvalue names, and arrays used as pointers. */
#include "analyzer/access/interp/eval.h"
#include "analyzer/access/interp/interp.h"

#include <string.h>

bool eval_is_pointer(const struct type *type) {
    return type_is_address(type);
}

struct expr *eval_rebuild(struct interp *w, struct expr *e, int n, const struct value **args) {
    bool same = true;
    for (int i = 0; i < n; ++i) {
        if (!args[i]->pure)
            return NULL;
        same = same && args[i]->pure == e->args[i];
    }
    if (same)
        return e;
    struct expr *copy = arena_alloc(w->arena, sizeof *copy);
    *copy = *e;
    copy->hash = 0;
    copy->size = 0;
    copy->id = -1;
    copy->range.exact = false;
    copy->args = arena_alloc(w->arena, (size_t)(e->nargs + 1) * sizeof *copy->args);
    for (int i = 0; i < n; ++i)
        copy->args[i] = args[i]->pure;
    return copy;
}

const struct value *eval_with_pure(struct interp *w, const struct value *v, struct expr *pure) {
    struct value *copy = arena_alloc(w->arena, sizeof *copy);
    *copy = *v;
    copy->pure = pure;
    return copy;
}

/*
 * Whether a variable is what it was where expression `id` stood, wherever what is declared there is
 * in scope: whoever changes it does so in front. Jumps back to that leave the scope (C17 6.2.4).
 */
static bool is_settled_variable(const struct variable *var, int id) {
    bool local = var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM;
    bool own = var->storage == STORAGE_STATIC || var->storage == STORAGE_STATIC_LOCAL;
    return local ? var->addresses == var->lent && var->changed <= id
                 : var->type->is_const || (own && var->writes == 0 && !var->address_taken);
}

/* The same of the number of elements of a variable array, as it is declared by expression `id`. */
static bool is_settled(const struct expr *e, int id) {
    switch (e->kind) {
    case EXPR_INT:
        return true;
    case EXPR_VAR:
        return is_settled_variable(e->var, id);
    case EXPR_CAST:
        return is_settled(e->args[0], id);
    case EXPR_BINARY:
        return (e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL) &&
               is_settled(e->args[0], id) && is_settled(e->args[1], id);
    default:
        return false;
    }
}

const struct poly *eval_type_size(struct interp *w, const struct type *type) {
    if (!type)
        return NULL;
    if (type->size >= 0 && type->kind != TYPE_VLA)
        return poly_constant(w->arena, type->kind == TYPE_VOID ? 1 : type->size);
    if (type->kind == TYPE_VOID || type->kind == TYPE_FUNCTION)
        return poly_constant(w->arena, 1);
    if (type->kind == TYPE_VLA && type->vla_count) {
        struct expr *count = (struct expr *)type->vla_count;
        if (!is_settled(count, count->id))
            return NULL;
        const struct value *v = eval(w, count);
        return v->kind == VALUE_INT
                   ? poly_multiply(w->arena, v->poly, eval_type_size(w, type->element))
                   : NULL;
    }
    return NULL;
}

/* The bound that the type of the array puts on a subscript; NULL when it puts none. */
static const struct poly *type_extent(struct interp *w, const struct expr *base) {
    const struct type *type = base->type;
    if (!type_is_array(type))
        return NULL;
    if (type->kind == TYPE_VLA) {
        const struct poly *size = eval_type_size(w, type);
        return poly_divide(w->arena, size, eval_type_size(w, type->element));
    }
    bool flexible = base->kind == EXPR_MEMBER && type->count <= 1;
    return flexible || type->count <= 0 ? NULL : poly_constant(w->arena, type->count);
}

static const struct value *address_of_variable(struct interp *w, struct expr *e) {
    struct variable *var = e->var;
    struct value *p = value_new(&w->trace, VALUE_POINTER);
    p->region = region_of_variable(w, var);
    p->poly = poly_constant(w->arena, 0);
    struct slot *slot = env_find(&w->env, var);
    if (var->storage == STORAGE_STATIC || var->storage == STORAGE_GLOBAL)
        TRACE_PUSH(w->arena, w->trace.used, w->trace.nused, var);
    if (slot) {
        p->pure = slot->value->pure;
        value_inherit(&w->trace, p, slot->value);
    } else if (p->region->kind == REGION_VARIABLE &&
               (var->storage != STORAGE_STATIC_LOCAL || var->function == w->loop->function)) {
        p->pure = e;
    }
    return p;
}

/* The address behind a pointer expression, with the lvalue `*e` as its pure form. */
static const struct value *pointed(struct interp *w, struct expr *pointer) {
    const struct value *p = eval(w, pointer);
    if (p->kind == VALUE_POINTER)
        return p;
    value_consume(w, p);
    struct value *unknown = value_new(&w->trace, VALUE_POINTER);
    unknown->region = region_unknown(w, p->why ? p->why : "nothing is known of the pointer");
    unknown->why = p->why;
    return unknown;
}

static struct expr *dereferenced(struct interp *w, struct expr *e, const struct value *p) {
    if (!p->pure)
        return NULL;
    if (p->pure->kind == EXPR_ADDRESS)
        return p->pure->args[0];
    return eval_rebuild(w, e, 1, &p);
}

/* A pointer to a variable the interpretation knows:
 * what stands there now is what the variable holds, read as what it is. */
static const struct value *through_variable(struct interp *w, const struct value *p,
                                            const struct type *type) {
    long offset;
    struct slot *slot = p->region->var ? env_find(&w->env, p->region->var) : NULL;
    struct value *copy = arena_alloc(w->arena, sizeof *copy);
    *copy = *p;
    copy->pure = NULL;
    if (slot && p->nparts == 0 && poly_is_constant(p->poly, &offset) && offset == 0 &&
        type_reads_alike(type, slot->var->type)) {
        copy->pure = slot->value->pure;
        value_inherit(&w->trace, copy, slot->value);
    }
    return copy;
}

static const struct value *address_of_deref(struct interp *w, struct expr *e) {
    const struct value *p = pointed(w, e->args[0]);
    bool known = (p->region->kind == REGION_LOCAL || p->region->kind == REGION_VARIABLE) &&
                 env_find(&w->env, p->region->var);
    return known ? through_variable(w, p, e->type) : eval_with_pure(w, p, dereferenced(w, e, p));
}

static const struct value *address_of_subscript(struct interp *w, struct expr *e) {
    const struct value *base = pointed(w, e->args[0]);
    const struct value *index = eval(w, e->args[1]);
    const struct poly *extent = type_extent(w, e->args[0]);
    const struct poly *size = eval_type_size(w, e->type);
    if (base->nparts > 0 && base->parts[base->nparts - 1].grows &&
        type_is_array(e->args[0]->type)) {
        base = eval_with_pure(w, base, base->pure);
        ((struct value *)base)->nparts--;
    }
    struct value *p = value_advance_pointer(w, base, index, size, extent);
    const struct value *both[] = {base, index};
    p->pure = eval_rebuild(w, e, 2, both);
    return p;
}

static const struct value *address_of_member(struct interp *w, struct expr *e) {
    const struct value *base = eval_address(w, e->args[0]);
    struct value *p = arena_alloc(w->arena, sizeof *p);
    *p = *base;
    p->pure = base->pure ? eval_rebuild(w, e, 1, &base) : NULL;
    if (p->kind != VALUE_POINTER)
        return p;
    if (!e->field)
        value_move(w, p, NULL, NULL);
    else if (!is_bit_field(e))
        value_move(w, p, poly_constant(w->arena, e->field->offset_bits / 8), NULL);
    return p;
}

static const struct value *address_of_other(struct interp *w, struct expr *e) {
    struct value *p = value_new(&w->trace, VALUE_POINTER);
    const struct value *v =
        e->kind == EXPR_COMPOUND ? eval_consumed(w, e->args[0]) : eval_consumed(w, e);
    p->pure = v->pure;
    value_inherit(&w->trace, p, v);
    p->region = region_text(w);
    p->why = "it is in a temporary";
    return p;
}

const struct value *eval_address(struct interp *w, struct expr *e) {
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
static const struct value *decay(struct interp *w, struct expr *e) {
    const struct value *p = eval_address(w, e);
    if (p->kind != VALUE_POINTER || e->kind != EXPR_MEMBER || e->type->kind != TYPE_ARRAY ||
        e->type->count <= 1 || !e->type->element) {
        return p;
    }
    struct value *grown = arena_alloc(w->arena, sizeof *grown);
    *grown = *p;
    grown->parts = arena_alloc(w->arena, (size_t)(p->nparts + 1) * sizeof *grown->parts);
    if (p->nparts > 0)
        memcpy(grown->parts, p->parts, (size_t)p->nparts * sizeof *p->parts);
    grown->parts[grown->nparts++] =
        (struct part){poly_constant(w->arena, 0), eval_type_size(w, e->type->element),
                      poly_constant(w->arena, e->type->count), true};
    return grown;
}

const struct value *eval_lvalue(struct interp *w, struct expr *e) {
    if (type_is_array(e->type))
        return decay(w, e);
    if (e->kind == EXPR_DEREF && e->type && e->type->kind == TYPE_FUNCTION)
        return eval(w, e->args[0]);
    const struct value *address = eval_address(w, e);
    if (address->kind == VALUE_POINTER && address->region->kind == REGION_TEXT)
        return value_opaque(w, address->pure, e->type, address, NULL);
    return memory_load(w, address, e);
}

/*
 * `&a[i][0]` is a[i] used as a pointer, moved on: what is added to it later may be a subscript of
 * the same row.
 */
static const struct value *opened(struct interp *w, const struct expr *e, const struct value *p) {
    const struct part *last = p->nparts > 1 ? &p->parts[p->nparts - 1] : NULL;
    if (e->kind != EXPR_SUBSCRIPT || p->kind != VALUE_POINTER || !last || !last->index ||
        !last->extent || e->args[0]->type->kind == TYPE_POINTER ||
        (e->type->kind != TYPE_INT && e->type->kind != TYPE_FLOAT)) {
        return p;
    }
    struct value *open = arena_alloc(w->arena, sizeof *open);
    *open = *p;
    --open->nparts;
    value_move(w, open, poly_multiply(w->arena, last->index, last->stride), last->stride);
    return open;
}

const struct value *eval_address_operator(struct interp *w, struct expr *e) {
    if (e->args[0]->kind == EXPR_FUNCTION)
        return eval(w, e->args[0]);
    const struct value *p = opened(w, e->args[0], eval_address(w, e->args[0]));
    bool changes = p->kind == VALUE_POINTER && p->region->var &&
                   p->region->kind != REGION_POINTER && env_find(&w->env, p->region->var);
    return eval_with_pure(w, p, changes || !p->pure ? NULL : eval_rebuild(w, e, 1, &p));
}
