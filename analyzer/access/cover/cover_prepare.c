/* What questions of coverage need in symbols, made before anybody counts these: conditions, sizes
 * of allocations. */
#include "analyzer/access/internal.h"

#include <string.h>

/* ---- conditions ------------------------------------------------------------------------------ */

/* No symbol is made for a key that stands in conditions only. */
static bool has_symbols(const struct walk *w, const struct poly *p) {
    int nkeys = 0;
    for (int i = 0; i < p->nmonos; ++i) {
        for (int j = 0; j < p->monos[i].natoms; ++j) {
            const struct atom *atom = w->atoms.items[p->monos[i].atoms[j]];
            nkeys += atom->kind == SYMBOL_KEY;
            if (nkeys > 1 || (atom->kind == SYMBOL_KEY && (!atom->symbol || atom->impure_guard)))
                return false;
        }
    }
    return true;
}

static const struct affine *affine_of(struct walk *w, const struct value *v) {
    bool known;
    const char *why;
    if (!v->compared || !has_symbols(w, v->compared))
        return NULL;
    struct affine *affine = arena_alloc(w->arena, sizeof *affine);
    *affine = access_affine(w, v->compared, &known, &why);
    return known ? affine : NULL;
}

/* Raws of one place have the same conditions in front. */
static const struct affine *known_before(const struct walk *w, int raw, int at) {
    const struct raw *before = raw > 0 ? &w->raws[raw - 1] : NULL;
    bool same = before && at < before->nconditions &&
                before->conditions[at].value == w->raws[raw].conditions[at].value;
    return same ? before->conditions[at].compared : NULL;
}

/* ---- allocations ----------------------------------------------------------------------------- */

struct inside {
    const struct variable *var;
    bool found;
};

static void see_loop(void *data, struct stmt *s) {
    struct inside *inside = data;
    bool loop = s->kind == STMT_FOR || s->kind == STMT_WHILE || s->kind == STMT_DO;
    const struct range *var = &inside->var->range;
    inside->found = inside->found || (loop && var->begin.file == s->range.begin.file &&
                                      var->begin.offset >= s->range.begin.offset &&
                                      var->begin.offset < s->range.end.offset);
}

/* One value for as long as its function runs. */
static bool is_fixed(struct walk *w, const struct variable *var) {
    struct inside inside = {var, false};
    if (var->writes > 0 || var->address_taken || var->type->kind != TYPE_INT ||
        var->function != w->loop->function ||
        (var->storage == STORAGE_LOCAL ? !var->init : var->storage != STORAGE_PARAM)) {
        return false;
    }
    stmt_each(w->loop->function->body, see_loop, &inside);
    return !inside.found;
}

static const struct poly *poly_of(struct walk *w, struct expr *e) {
    if (e->kind == EXPR_INT)
        return poly_constant(w->arena, (long)e->int_value);
    if (e->kind == EXPR_CAST && e->type && e->type->kind == TYPE_INT && e->type->size == 8)
        return poly_of(w, e->args[0]);
    if (e->kind == EXPR_VAR && is_fixed(w, e->var))
        return poly_atom(w->arena, atom_of(&w->atoms, SYMBOL_PARAM, e, -1));
    if (e->kind != EXPR_BINARY || (e->op != OP_ADD && e->op != OP_MUL))
        return NULL;
    const struct poly *a = poly_of(w, e->args[0]), *b = poly_of(w, e->args[1]);
    return e->op == OP_ADD ? poly_add(w->arena, a, b) : poly_multiply(w->arena, a, b);
}

/* malloc(n) or calloc(n, size). */
static const struct poly *bytes_of(struct walk *w, const struct expr *call) {
    if (strcmp(call->function->name, "malloc") == 0 && call->nargs == 1)
        return poly_of(w, call->args[0]);
    bool array = strcmp(call->function->name, "calloc") == 0 && call->nargs == 2;
    return array ? poly_multiply(w->arena, poly_of(w, call->args[0]), poly_of(w, call->args[1]))
                 : NULL;
}

const struct poly *cover_allocation(struct walk *w, const struct variable *var) {
    const struct expr *call = origins_allocation(&w->origins, var);
    return call ? bytes_of(w, call) : NULL;
}

static void measure(struct walk *w, struct object_behind *behind) {
    const struct variable *var = behind->object.var;
    bool own = behind->object.kind == OBJECT_POINTER && var && behind->object.written &&
               var->function == w->loop->function;
    const struct poly *bytes = own ? cover_allocation(w, var) : NULL;
    bool known;
    const char *why;
    if (bytes) {
        struct affine *affine = arena_alloc(w->arena, sizeof *affine);
        *affine = access_affine(w, bytes, &known, &why);
        behind->bytes = known ? affine : NULL;
    }
}

void cover_prepare(struct walk *w) {
    for (int i = 0; i < w->nraws; ++i) {
        for (int j = 0; j < w->raws[i].nconditions; ++j) {
            struct condition *c = &w->raws[i].conditions[j];
            c->compared = known_before(w, i, j);
            c->compared = c->compared ? c->compared : affine_of(w, c->value);
        }
    }
    for (int i = 0; i < w->facts->nobjects; ++i)
        measure(w, (struct object_behind *)w->facts->objects[i]);
}
