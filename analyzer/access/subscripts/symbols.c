/* Symbols and affine subscripts of the facts, out of atoms and polynomials. */
#include "analyzer/access/access.h"
#include "analyzer/access/subscripts/layout.h"

#include <stdlib.h>
#include <string.h>

static bool same_place(const struct trace *t, const struct ref *a, const struct ref *b) {
    long apart;
    const struct poly *p = poly_subtract(t->arena, a->address->poly, b->address->poly);
    return a->address->region == b->address->region && a->address->nparts == 0 &&
           b->address->nparts == 0 && poly_is_constant(p, &apart) && a->address->region->element &&
           labs(apart) < a->address->region->element->size;
}

static bool is_unconditional(const struct ref *ref) {
    return !ref->sometimes && !ref->when;
}

/* Can this load be evaluated in every iteration, since the body does it anyway? */
static bool load_is_safe(const struct trace *t, const struct ref *load) {
    if (is_unconditional(load))
        return true;
    for (int i = 0; i < t->nrefs; ++i) {
        if (is_unconditional(&t->refs[i]) && !t->refs[i].header && t->refs[i].nloops == 0 &&
            same_place(t, load, &t->refs[i])) {
            return true;
        }
    }
    return false;
}

bool access_atom_is_safe(const struct trace *t, const struct atom *atom) {
    for (int i = 0; i < atom->ndeps; ++i)
        if (expr_may_trap(t, atom->expr) || !load_is_safe(t, &t->refs[atom->deps[i]]))
            return false;
    return true;
}

struct symbol *access_symbol(const struct trace *t, struct atom *atom, enum symbol_kind kind) {
    struct loop_facts *facts = t->facts;
    if (atom->symbol)
        return atom->symbol;
    struct symbol *symbol = arena_alloc(t->arena, sizeof *symbol);
    symbol->kind = kind;
    symbol->loop = atom->loop;
    symbol->expr = kind == SYMBOL_LOOP || kind == SYMBOL_DERIVED ? NULL : atom->expr;
    symbol->name =
        atom->kind == SYMBOL_LOOP ? atom->loop->variable->name : expr_print(t->arena, atom->expr);
    symbol->inner = atom->kind == SYMBOL_KEY && atom->on_inner;
    if (kind == SYMBOL_PARAM ||
        (kind == SYMBOL_KEY && !(atom->impure_guard && access_atom_is_safe(t, atom)))) {
        symbol->nguards = atom->nguards;
        symbol->guards = atom->guards;
        symbol->sense = atom->sense;
    }
    symbol->id = facts->nsymbols;
    ARENA_PUSH(t->arena, facts->symbols, facts->nsymbols, symbol);
    atom->symbol = symbol;
    return symbol;
}

static struct symbol *symbol_of(const struct trace *t, struct atom *atom) {
    return access_symbol(t, atom, atom->kind);
}

static bool is_plain_key(const struct atom *atom) {
    return atom->kind == SYMBOL_KEY;
}

/* Does it change while an iteration runs: is a loop inside counted in it? */
static bool is_moving(const struct trace *t, const struct mono *m) {
    for (int j = 0; j < m->natoms; ++j) {
        const struct atom *atom = t->atoms->items[m->atoms[j]];
        if (atom->kind == SYMBOL_LOOP && atom->loop != t->loop)
            return true;
    }
    return false;
}

/* What of p stands still while an iteration runs, without the constant. */
static const struct poly *standing_part(const struct trace *t, const struct poly *p) {
    struct poly *part = arena_alloc(t->arena, sizeof *part);
    for (int i = 0; i < p->nmonos; ++i)
        if (p->monos[i].natoms > 0 && !is_moving(t, &p->monos[i]))
            ARENA_PUSH(t->arena, part->monos, part->nmonos, p->monos[i]);
    return part;
}

static int count_keys(const struct trace *t, const struct poly *p, int *level) {
    const struct atom *first = NULL;
    int nkeys = 0;
    for (int i = 0; i < p->nmonos; ++i) {
        for (int j = 0; j < p->monos[i].natoms; ++j) {
            const struct atom *atom = t->atoms->items[p->monos[i].atoms[j]];
            if (is_plain_key(atom) && atom != first) {
                ++nkeys;
                first = first ? first : atom;
            }
            *level = atom->scope > *level ? atom->scope : *level;
        }
    }
    return nkeys;
}

static void sources_add(const struct trace *t, struct atom *key, const struct atom *from,
                        int guards) {
    for (int d = 0; d < from->ndeps; ++d)
        ARENA_PUSH(t->arena, key->deps, key->ndeps, from->deps[d]);
    for (int g = 0; g < from->nguards; ++g) {
        ARENA_PUSH(t->arena, key->guards, guards, from->guards[g]);
        ARENA_PUSH(t->arena, key->sense, key->nguards, from->sense[g]);
    }
}

/* The key is made of what this atom is made of, too. Others may have the arrays that it has now. */
static void key_join(const struct trace *t, struct atom *key, const struct atom *atom) {
    const struct atom before = *key;
    bool some = atom->kind == SYMBOL_KEY && atom->impure_guard;
    key->ndeps = key->nguards = 0;
    sources_add(t, key, &before, 0);
    sources_add(t, key, atom, key->nguards);
    key->impure_guard = key->impure_guard || some;
}

/* Two keys in one subscript are one key: their sum, with whatever else stands still. */
static const struct poly *collapse_keys(const struct trace *t, const struct poly *p) {
    int level = -1, before = t->atoms->count;
    const struct poly *rest = standing_part(t, p);
    if (count_keys(t, rest, &level) < 2)
        return p;
    struct atom *whole = atom_of(t->atoms, SYMBOL_KEY, poly_expr(t->atoms, rest, true), level);
    for (int i = 0; whole->id == before && i < rest->nmonos; ++i) {
        for (int j = 0; j < rest->monos[i].natoms; ++j)
            key_join(t, whole, t->atoms->items[rest->monos[i].atoms[j]]);
        whole->guarded = true;
    }
    return poly_add(t->arena, poly_atom(t->arena, whole), poly_subtract(t->arena, p, rest));
}

struct symbol *access_product(const struct trace *t, const struct mono *m) {
    for (int i = 0; i < m->natoms; ++i)
        if (t->atoms->items[m->atoms[i]]->kind != SYMBOL_PARAM)
            return NULL;
    struct mono unit = *m;
    unit.coeff = 1;
    struct poly p = {.nmonos = 1, .monos = &unit};
    int before = t->atoms->count;
    struct atom *whole = atom_of(t->atoms, SYMBOL_PARAM, poly_expr(t->atoms, &p, true), -1);
    for (int i = 0; whole->id == before && i < m->natoms; ++i)
        key_join(t, whole, t->atoms->items[m->atoms[i]]);
    return symbol_of(t, whole);
}

static void affine_add(const struct trace *t, struct affine *a, struct symbol *symbol, long coeff) {
    int at = 0;
    while (at < a->nterms && a->terms[at].symbol->id < symbol->id)
        ++at;
    ARENA_PUSH(t->arena, a->terms, a->nterms, ((struct term){0}));
    memmove(&a->terms[at + 1], &a->terms[at], (size_t)(a->nterms - 1 - at) * sizeof *a->terms);
    a->terms[at] = (struct term){symbol, coeff};
}

struct affine access_affine(const struct trace *t, const struct poly *p, bool *known,
                            const char **why) {
    struct affine a = {0};
    *known = p != NULL;
    if (!p)
        return a;
    p = collapse_keys(t, p);
    for (int i = 0; i < p->nmonos; ++i) {
        const struct mono *m = &p->monos[i];
        if (m->natoms == 0) {
            a.constant = m->coeff;
            continue;
        }
        struct atom *atom = t->atoms->items[m->atoms[0]];
        if (m->natoms == 1 && atom->kind == SYMBOL_KEY && atom->impure_guard &&
            !access_atom_is_safe(t, atom)) {
            *known = false;
            *why = arena_printf(t->arena,
                                "`%s` is evaluated under a condition on data the loop writes",
                                expr_print(t->arena, atom->expr));
            return a;
        }
        struct symbol *symbol = m->natoms == 1 ? symbol_of(t, atom) : access_product(t, m);
        if (!symbol) {
            *known = false;
            *why = "it is a product of values that vary";
            return a;
        }
        affine_add(t, &a, symbol, m->coeff);
    }
    return a;
}

void access_symbols(const struct trace *t) {
    struct loop_facts *facts = t->facts;
    const char *why;
    for (int i = 0; i < t->ninner; ++i) {
        const struct interp_inner *from = &t->inner[i];
        struct inner_loop to = {
            .loop = from->loop, .step = from->step, .by_number = from->by_number};
        bool up = from->step > 0;
        to.symbol = symbol_of(t, from->atom);
        to.lower = access_affine(t, up ? from->lower : from->upper, &to.has_lower, &why);
        to.upper = access_affine(t, up ? from->upper : from->lower, &to.has_upper, &why);
        ARENA_PUSH(t->arena, facts->inner, facts->ninner, to);
    }
    facts->index = facts->ninner > 0 ? facts->inner[0].symbol : NULL;
}

/* ---- when rows are touched ------------------------------------------------------------------- */

enum { MAX_PATHS = 8 };

/* The paths on which some row is reached through a key; `always`: one of them has no condition. */
struct key_paths {
    bool always;
    int count;
    struct expr *guards[MAX_PATHS];
};

static void path_add(struct key_paths *paths, struct expr *guard) {
    for (int i = 0; guard && i < paths->count; ++i)
        if (expr_equal(paths->guards[i], guard))
            return;
    paths->always = paths->always || !guard || paths->count == MAX_PATHS;
    if (!paths->always)
        paths->guards[paths->count++] = guard;
}

static bool ref_names(const struct ref *ref, const struct symbol *key) {
    for (int d = 0; d < ref->nsubs; ++d) {
        const struct affine *value = &ref->subs[d].value;
        for (int i = 0; ref->subs[d].known && i < value->nterms; ++i)
            if (value->terms[i].symbol == key)
                return true;
    }
    return false;
}

static struct expr *either(const struct trace *t, const struct key_paths *paths) {
    struct expr *any = paths->always || paths->count == 0 ? NULL : paths->guards[0];
    for (int i = 1; any && i < paths->count; ++i) {
        any = expr_binary(t->arena, OP_NONE, any, paths->guards[i]);
        any->kind = EXPR_OR;
    }
    return any;
}

/* requires: subscripts. An iteration that reaches no row through a key needs no key. */
void access_row_guards(const struct trace *t) {
    for (int k = 0; k < t->facts->nsymbols; ++k) {
        struct symbol *key = t->facts->symbols[k];
        struct key_paths paths = {0};
        for (int i = 0; key->kind == SYMBOL_KEY && !key->inner && i < t->nrefs; ++i)
            if (t->refs[i].object && ref_names(&t->refs[i], key))
                path_add(&paths, t->refs[i].row_guard);
        key->row_guard = either(t, &paths);
    }
}
