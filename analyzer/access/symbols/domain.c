/*
 * Where accesses are executed and what symbols mean, as linear constraints over symbols: what
 * cannot be said so is left out, which makes the domain larger.
 */
#include "analyzer/access/access.h"

#include <string.h>

enum { MAX_ROWS = 4, MAX_CLAUSES = 24, MAX_DEPTH = 8 };

/* Clauses on their way into a domain; no clause says nothing. */
struct clauses {
    int count;
    struct domain_clause items[MAX_CLAUSES];
};

static struct symbol *derived(const struct trace *t, const struct sym *sym, int depth);
static void explain(const struct trace *t, const struct sym *sym, int depth);

/* ---- values in symbols ----------------------------------------------------------------------- */

/* No symbol is made for a key that stands in conditions only. */
static struct symbol *symbol_for(const struct trace *t, const struct monomial *m, int depth) {
    const struct sym *sym = t->syms->items[m->syms[0]];
    if (m->nsyms > 1)
        return access_product(t, m);
    if (sym->kind == SYMBOL_KEY && !access_symbol_of(t, sym))
        return derived(t, sym, depth);
    bool known = access_symbol_of(t, sym) != NULL;
    struct symbol *symbol = access_symbol(t, sym, sym->kind);
    if (!known && sym->meaning)
        explain(t, sym, depth);
    return symbol;
}

static bool affine_of(const struct trace *t, const struct poly *p, int depth,
                      struct affine *affine) {
    *affine = (struct affine){0};
    for (int i = 0; p && i < p->nmonomials; ++i) {
        const struct monomial *m = &p->monomials[i];
        struct symbol *symbol = m->nsyms ? symbol_for(t, m, depth) : NULL;
        if (m->nsyms == 0)
            affine->constant = m->coeff;
        else if (!symbol)
            return false;
        else
            access_add_term(t, affine, symbol, m->coeff);
    }
    return p != NULL;
}

/* ---- clauses --------------------------------------------------------------------------------- */

static struct domain_clause one_row(const struct trace *t, bool equality, struct affine value) {
    struct domain_clause clause = {0};
    struct domain_row row = {equality, value};
    ARENA_PUSH(t->arena, clause.rows, clause.nrows, row);
    return clause;
}

static struct domain_clause either(const struct trace *t, struct domain_clause a,
                                   struct domain_clause b) {
    struct domain_clause clause = {0};
    for (int i = 0; i < a.nrows + b.nrows; ++i) {
        ARENA_PUSH(t->arena, clause.rows, clause.nrows,
                   i < a.nrows ? a.rows[i] : b.rows[i - a.nrows]);
    }
    return clause;
}

static void clause_add(struct clauses *clauses, struct domain_clause clause) {
    if (clauses->count < MAX_CLAUSES && clause.nrows <= MAX_ROWS)
        clauses->items[clauses->count++] = clause;
}

/* sign * p + constant (= 0 or >= 0); false: not to be said in symbols. */
static bool row_of(const struct trace *t, const struct poly *p, int sign, long constant,
                   bool equality, int depth, struct domain_clause *clause) {
    struct affine value;
    p = poly_add(t->arena, poly_scale(t->arena, p, sign), poly_constant(t->arena, constant));
    if (!affine_of(t, p, depth, &value))
        return false;
    *clause = one_row(t, equality, value);
    return true;
}

static void add_row(const struct trace *t, struct clauses *clauses, const struct poly *p, int sign,
                    long constant, bool equality, int depth) {
    struct domain_clause clause;
    if (row_of(t, p, sign, constant, equality, depth, &clause))
        clause_add(clauses, clause);
}

/* p >= 1 or p <= -1 */
static void add_other_than_zero(const struct trace *t, struct clauses *clauses,
                                const struct poly *p, int depth) {
    struct domain_clause above, below;
    if (meaning_nonnegative(t, p)) {
        add_row(t, clauses, p, 1, -1, false, depth);
    } else if (row_of(t, p, 1, -1, false, depth, &above) &&
               row_of(t, p, -1, -1, false, depth, &below)) {
        clause_add(clauses, either(t, above, below));
    }
}

static void add_comparison(const struct trace *t, struct clauses *clauses, const struct poly *p,
                           enum op op, bool sense, int depth) {
    static const enum op negated[] = {[OP_LT] = OP_GE, [OP_GE] = OP_LT, [OP_GT] = OP_LE,
                                      [OP_LE] = OP_GT, [OP_EQ] = OP_NE, [OP_NE] = OP_EQ};
    op = sense ? op : negated[op];
    if (op == OP_NE) {
        add_other_than_zero(t, clauses, p, depth);
    } else {
        int sign = op == OP_LT || op == OP_LE ? -1 : 1;
        add_row(t, clauses, p, sign, op == OP_LT || op == OP_GT ? -1 : 0, op == OP_EQ, depth);
    }
}

static void add_truth(const struct trace *t, struct clauses *clauses, const struct value *v,
                      bool sense, int depth);

/* At least one of the two: of each pair of clauses, one holds. */
static void add_either(const struct trace *t, struct clauses *clauses, const struct clauses *a,
                       const struct clauses *b) {
    for (int i = 0; i < a->count; ++i)
        for (int j = 0; j < b->count; ++j)
            clause_add(clauses, either(t, a->items[i], b->items[j]));
}

static void add_joined(const struct trace *t, struct clauses *clauses, const struct value *v,
                       bool sense, int depth) {
    if (sense == (v->joined == EXPR_AND)) {
        add_truth(t, clauses, v->sides[0], sense, depth);
        add_truth(t, clauses, v->sides[1], sense, depth);
        return;
    }
    struct clauses a = {0}, b = {0};
    add_truth(t, &a, v->sides[0], sense, depth);
    add_truth(t, &b, v->sides[1], sense, depth);
    add_either(t, clauses, &a, &b);
}

/* That v is true, or false. */
static void add_truth(const struct trace *t, struct clauses *clauses, const struct value *v,
                      bool sense, int depth) {
    if (depth > MAX_DEPTH)
        return;
    if (v->negates)
        add_truth(t, clauses, v->negates, !sense, depth + 1);
    else if (v->sides[0])
        add_joined(t, clauses, v, sense, depth + 1);
    else if (v->compared)
        add_comparison(t, clauses, v->compared, v->relation, sense, depth + 1);
    else if (v->kind == VALUE_INT && v->poly)
        add_comparison(t, clauses, v->poly, OP_NE, sense, depth + 1);
}

/* ---- domains --------------------------------------------------------------------------------- */

static bool same_clause(const struct domain_clause *a, const struct domain_clause *b) {
    bool same = a->nrows == b->nrows;
    for (int i = 0; same && i < a->nrows; ++i) {
        same = a->rows[i].equality == b->rows[i].equality &&
               affine_equal(&a->rows[i].value, &b->rows[i].value);
    }
    return same;
}

static bool same_domain(const struct domain *domain, const struct clauses *clauses) {
    bool same = domain->nclauses == clauses->count;
    for (int i = 0; same && i < clauses->count; ++i)
        same = same_clause(&domain->clauses[i], &clauses->items[i]);
    return same;
}

static const struct domain *domain_of(const struct trace *t, const struct clauses *clauses) {
    struct loop_facts *facts = t->facts;
    if (clauses->count == 0)
        return NULL;
    for (int i = 0; i < facts->ndomains; ++i)
        if (same_domain(facts->domains[i], clauses))
            return facts->domains[i];
    struct domain *domain = arena_alloc(t->arena, sizeof *domain);
    domain->id = facts->ndomains;
    for (int i = 0; i < clauses->count; ++i)
        ARENA_PUSH(t->arena, domain->clauses, domain->nclauses, clauses->items[i]);
    ARENA_PUSH(t->arena, facts->domains, facts->ndomains, domain);
    return domain;
}

/* ---- what symbols mean ----------------------------------------------------------------------- */

/* Says of `whole` = by * `quotient` + `rest` what C's division makes of it. */
static void add_division(const struct trace *t, struct clauses *clauses, const struct poly *whole,
                         const struct poly *quotient, const struct meaning *m, int depth) {
    const struct poly *rest = poly_subtract(t->arena, whole, poly_scale(t->arena, quotient, m->by));
    struct domain_clause rest_up, rest_down, up, down;
    add_row(t, clauses, rest, -1, m->by - 1, false, depth);
    add_row(t, clauses, rest, 1, m->floors ? 0 : m->by - 1, false, depth);
    bool said = !m->floors && row_of(t, rest, 1, 0, false, depth, &rest_up) &&
                row_of(t, rest, -1, 0, false, depth, &rest_down) &&
                row_of(t, quotient, 1, 0, false, depth, &up) &&
                row_of(t, quotient, -1, 0, false, depth, &down);
    if (said) {
        clause_add(clauses, either(t, rest_up, down));
        clause_add(clauses, either(t, up, rest_down));
    }
}

/* The quotient that `sym` is the remainder of. */
static const struct sym *quotient_of(const struct trace *t, const struct sym *sym) {
    struct sym *quotient = arena_alloc(t->arena, sizeof *quotient);
    *quotient = (struct sym){.kind = SYMBOL_DERIVED,
                             .expr = sym->expr,
                             .on_inner = sym->on_inner,
                             .scope = sym->scope,
                             .id = t->syms->count};
    ARENA_PUSH(t->arena, t->syms->items, t->syms->count, quotient);
    access_symbol(t, quotient, SYMBOL_DERIVED);
    return quotient;
}

static void add_remainder(const struct trace *t, struct clauses *clauses, const struct sym *sym,
                          int depth) {
    const struct meaning *m = sym->meaning;
    const struct poly *q = poly_sym(t->arena, quotient_of(t, sym)), *r = poly_sym(t->arena, sym);
    const struct poly *sum = poly_add(t->arena, poly_scale(t->arena, q, m->by), r);
    add_row(t, clauses, poly_subtract(t->arena, m->a, sum), 1, 0, true, depth);
    add_division(t, clauses, sum, q, m, depth);
}

static void add_choice(const struct trace *t, struct clauses *clauses, const struct sym *sym,
                       int depth) {
    const struct meaning *m = sym->meaning;
    const struct poly *p = poly_sym(t->arena, sym);
    for (int i = 0; i < 2; ++i) {
        struct clauses not = {0}, is = {0};
        add_truth(t, &not, m->when, i == 1, depth);
        add_row(t, &is, poly_subtract(t->arena, p, i == 0 ? m->a : m->b), 1, 0, true, depth);
        add_either(t, clauses, &not, &is);
    }
}

/* `a < b ? a : b` and its like. 1: the greater one is chosen, -1: the lesser; 0: neither is told. */
static int extreme_of(const struct trace *t, const struct meaning *m) {
    const struct value *when = m->when;
    if (!when->compared || when->negates || when->sides[0] || !m->a || !m->b)
        return 0;
    const struct poly *apart = poly_subtract(t->arena, m->a, m->b);
    const int sign = poly_equal(when->compared, apart)                             ? 1
                     : poly_equal(when->compared, poly_scale(t->arena, apart, -1)) ? -1
                                                                                   : 0;
    switch (when->relation) {
    case OP_LT:
    case OP_LE:
        return -sign;
    case OP_GT:
    case OP_GE:
        return sign;
    default:
        return 0;
    }
}

/* It is beyond neither, and not short of both. */
static void add_extreme(const struct trace *t, struct clauses *clauses, const struct sym *sym,
                        int side, int depth) {
    const struct poly *p = poly_sym(t->arena, sym);
    const struct poly *over_a = poly_subtract(t->arena, p, sym->meaning->a);
    const struct poly *over_b = poly_subtract(t->arena, p, sym->meaning->b);
    struct domain_clause at_a, at_b;
    add_row(t, clauses, over_a, side, 0, false, depth);
    add_row(t, clauses, over_b, side, 0, false, depth);
    if (row_of(t, over_a, -side, 0, false, depth, &at_a) &&
        row_of(t, over_b, -side, 0, false, depth, &at_b))
        clause_add(clauses, either(t, at_a, at_b));
}

static void explain(const struct trace *t, const struct sym *sym, int depth) {
    struct clauses clauses = {0};
    const struct meaning *m = sym->meaning;
    if (depth > MAX_DEPTH)
        return;
    if (m->kind == MEANING_QUOTIENT)
        add_division(t, &clauses, m->a, poly_sym(t->arena, sym), m, depth + 1);
    else if (m->kind == MEANING_REMAINDER)
        add_remainder(t, &clauses, sym, depth + 1);
    else if (extreme_of(t, m) != 0)
        add_extreme(t, &clauses, sym, extreme_of(t, m), depth + 1);
    else
        add_choice(t, &clauses, sym, depth + 1);
    access_symbol_of(t, sym)->domain = domain_of(t, &clauses);
}

static struct symbol *derived(const struct trace *t, const struct sym *sym, int depth) {
    if (!sym->meaning || depth > MAX_DEPTH)
        return NULL;
    struct symbol *symbol = access_symbol(t, sym, SYMBOL_DERIVED);
    explain(t, sym, depth);
    return symbol;
}

/* ---- accesses -------------------------------------------------------------------------------- */

static bool is_around(const struct trace *t, const struct access *access,
                      const struct symbol *symbol) {
    bool around = symbol->kind != SYMBOL_LOOP || symbol == t->facts->index;
    for (int i = 0; i < access->nloops && !around; ++i)
        around = t->facts->inner[access->loops[i]].symbol == symbol;
    return around;
}

/* Keeps the clauses of loops that are around the access. */
static void keep_around(const struct trace *trace, const struct access *access,
                        struct clauses *clauses) {
    int kept = 0;
    for (int i = 0; i < clauses->count; ++i) {
        const struct domain_clause *clause = &clauses->items[i];
        bool around = true;
        for (int r = 0; r < clause->nrows; ++r)
            for (int t = 0; t < clause->rows[r].value.nterms; ++t)
                around = around && is_around(trace, access, clause->rows[r].value.terms[t].symbol);
        if (around)
            clauses->items[kept++] = *clause;
    }
    clauses->count = kept;
}

static bool same_conditions(const struct ref *a, const struct ref *b) {
    bool same = a->nconditions == b->nconditions && a->nloops == b->nloops;
    for (int i = 0; same && i < a->nconditions; ++i) {
        same = a->conditions[i].value == b->conditions[i].value &&
               a->conditions[i].sense == b->conditions[i].sense;
    }
    for (int i = 0; same && i < a->nloops; ++i)
        same = a->loops[i] == b->loops[i];
    return same;
}

static const struct domain *where_executed(const struct trace *t, const struct ref *ref,
                                           const struct access *access) {
    struct clauses clauses = {0};
    for (int i = 0; i < ref->nconditions; ++i)
        if (!ref->conditions[i].trip)
            add_truth(t, &clauses, ref->conditions[i].value, ref->conditions[i].sense, 0);
    keep_around(t, access, &clauses);
    return domain_of(t, &clauses);
}

void access_domains(const struct trace *t) {
    for (int i = 0; i < t->syms->count; ++i) {
        const struct sym *sym = t->syms->items[i];
        const struct symbol *symbol = access_symbol_of(t, sym);
        if (symbol && sym->meaning && !symbol->domain)
            explain(t, sym, 0);
    }
    const struct ref *last = NULL;
    const struct domain *domain = NULL;
    int at = 0;
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (!located(t, ref)->object)
            continue;
        struct access *access = &t->facts->accesses[at++];
        if (!last || !same_conditions(last, ref))
            domain = where_executed(t, ref, access);
        last = ref;
        access->domain = domain;
    }
}
