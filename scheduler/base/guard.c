/* What guards say, beside what they need. */
#include "scheduler/base/guard.h"

#include <string.h>

bool emit_guard_is_repeated(const struct loop_facts *facts, int index) {
    const struct guard *guard = &facts->guards[index];
    for (int i = 0; guard->kind != GUARD_NO_OVERLAP && i < index; ++i) {
        const struct guard *other = &facts->guards[i];
        if (other->kind == guard->kind && other->assumed == guard->assumed &&
            other->a == guard->a && other->b == guard->b && strcmp(other->text, guard->text) == 0)
            return true;
    }
    return guard->repeated;
}

const char *guard_serial_words(struct arena *arena, const struct guard *guard) {
    const char *words = expr_print(arena, guard->serial);
    return guard->when ? arena_printf(arena, "%s && %s", expr_print(arena, guard->when), words)
                       : words;
}

/* ---- pointers that may be equal --------------------------------------------------------------- */

static bool is_qualified(const struct type *type) {
    return type->is_restrict || type->is_volatile || type->is_atomic;
}

/* Both lead to such numbers in the same way; only what one of them leads to at once may be const. */
static bool is_alike(const struct type *a, const struct type *b) {
    int depth = 0;
    while (a->kind == TYPE_POINTER && b->kind == TYPE_POINTER) {
        if (is_qualified(a) || is_qualified(b) || (depth > 0 && a->is_const != b->is_const))
            return false;
        a = a->element;
        b = b->element;
        depth += 1;
    }
    return type_is_same_number(a, b) && !is_qualified(a) && !is_qualified(b) &&
           (depth == 1 || a->is_const == b->is_const);
}

/* The name says the same all through the loop. What a global variable holds the analysis has asked of
 * functions that are called. */
static bool is_pointer(const struct loop *loop, const struct object *object) {
    const struct variable *v = object->var;
    if (!v || v->entry_of || v->type->kind != TYPE_POINTER || !object->base ||
        object->base->kind != EXPR_VAR || object->base->var != v)
        return false;
    return !stmt_sets(loop->stmt, v) && (v->storage >= STORAGE_STATIC || !v->address_taken);
}

static bool is_same_place(const struct access *a, const struct access *b) {
    bool same = a->nsubs == b->nsubs;
    for (int i = 0; i < a->nsubs && same; ++i)
        same = a->subs[i].known && b->subs[i].known &&
               affine_equal(&a->subs[i].value, &b->subs[i].value);
    return same;
}

static bool is_written_at(const struct loop_facts *facts, const struct variable *kept,
                          const struct access *at) {
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if (a->write && a->object->var == kept && is_same_place(a, at))
            return true;
    }
    return false;
}

/* Of the twin only elements are used that are written by the other name: iterations that do not meet
 * there do not meet here. */
static bool is_elementwise(const struct loop_facts *facts, const struct variable *kept,
                           const struct variable *twin) {
    int deepest = 0;
    for (int i = 0; i < facts->naccesses; ++i)
        if (facts->accesses[i].object->var == twin && facts->accesses[i].nsubs > deepest)
            deepest = facts->accesses[i].nsubs;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if (a->object->var == twin && a->nsubs == deepest && !is_written_at(facts, kept, a))
            return false;
    }
    return deepest > 0;
}

bool guard_is_elementwise(const struct loop_facts *facts, const struct guard *guard,
                          const struct variable **kept, const struct variable **twin) {
    if (guard->kind != GUARD_NO_OVERLAP || !is_pointer(facts->loop, guard->a) ||
        !is_pointer(facts->loop, guard->b))
        return false;
    const struct variable *a = guard->a->var, *b = guard->b->var;
    if (a == b || !is_alike(a->type, b->type))
        return false;
    const bool first = is_elementwise(facts, a, b);
    *kept = first ? a : b;
    *twin = first ? b : a;
    return first || is_elementwise(facts, b, a);
}
