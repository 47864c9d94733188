/*
 * Integer values as polynomials over symbols, and what can be proved of them.
 */
#ifndef ORRERY_ANALYZER_SYMBOLIC_H
#define ORRERY_ANALYZER_SYMBOLIC_H

#include "analyzer/facts.h"

struct poly;
struct value;

/*
 * QUOTIENT: a / by, REMAINDER: what is left; `floors`: rounded down (a right shift), or `a` is
 * never negative; else towards 0, as C's division does. CHOICE: `a` when `when` holds, else `b`.
 */
enum meaning_kind { MEANING_QUOTIENT, MEANING_REMAINDER, MEANING_CHOICE };

struct meaning {
    enum meaning_kind kind;
    const struct poly *a, *b;
    const struct value *when;
    long by;
    bool floors;
};

/* What a polynomial is made of. */
struct sym {
    /* LOOP: a loop's variable. PARAM: no iteration changes it. KEY: by the iteration and
     * memory */
    enum symbol_kind kind;
    struct expr *expr;                /* the expression at the loop's head; of LOOP the variable */
    struct loop *loop;                /* LOOP: whose variable it is */
    const struct poly *lower, *upper; /* LOOP: its bounds, inclusive; NULL: not known */
    bool on_inner;                    /* it depends on a loop inside the analyzed one */
    bool unsigned_type;               /* it is never negative */
    /* tells apart equal expressions over variables of different loops inside, -1: not needed */
    int scope;
    const struct meaning *meaning; /* how its value is made of others, NULL: not told */
    const struct poly *exact;      /* its value unless it wraps around, NULL: not told */
    int nguards;                   /* conditions under which it may be evaluated */
    struct expr **guards;          /* ... */
    bool *sense;                   /* which truth each of them has then */
    bool guarded;                  /* its conditions have been noted */
    bool impure_guard;             /* there are others, which cannot be told in front of the loop */
    int ndeps, *deps;              /* references it was made of */
    int id;                        /* its place in the list */
};

struct syms {
    struct arena *arena;
    int count;
    const struct sym **items; /* sym_of gives whoever makes one to be changed */
};

enum { POLY_DEGREE = 4 };

/* coeff * product of symbols (ids ascending, repeated for powers). */
struct monomial {
    long coeff;
    int nsyms;
    int syms[POLY_DEGREE];
};

/* A sum of monomials in canonical order, no zero coefficients; 0 is the empty sum. */
struct poly {
    int nmonomials;
    struct monomial *monomials;
};

/* Every operation returns NULL when an operand is NULL, on overflow and beyond POLY_DEGREE. */
const struct poly *poly_constant(struct arena *arena, long value);
const struct poly *poly_sym(struct arena *arena, const struct sym *sym);
const struct poly *poly_add(struct arena *arena, const struct poly *a, const struct poly *b);
const struct poly *poly_subtract(struct arena *arena, const struct poly *a, const struct poly *b);
const struct poly *poly_scale(struct arena *arena, const struct poly *a, long factor);
const struct poly *poly_multiply(struct arena *arena, const struct poly *a, const struct poly *b);

/* a / b when b divides every monomial (b one monomial) or a == q * b (q constant), else NULL. */
const struct poly *poly_divide(struct arena *arena, const struct poly *a, const struct poly *b);

bool poly_equal(const struct poly *a, const struct poly *b);

static inline bool poly_is_same(const struct poly *a, const struct poly *b) {
    return (!a && !b) || (a && b && poly_equal(a, b));
}
bool poly_is_constant(const struct poly *p, long *value);
bool poly_is_invariant(const struct syms *syms, const struct poly *p);

/* True when p is 1 * symbol + *constant. */
bool poly_is_sym_plus(const struct poly *p, int *sym, long *constant);

/* The greatest common divisor of all coefficients, 0 for the zero polynomial. */
long poly_content(const struct poly *p);

/* The part of p that is linear in `sym`: *coeff * symbol + *rest. False when a power occurs. */
bool poly_split(struct arena *arena, const struct poly *p, int sym, const struct poly **coeff,
                const struct poly **rest);

/* As C. `wide`: each product in type long; else as a person would write it. */
struct expr *poly_expr(const struct syms *syms, const struct poly *p, bool wide);
const char *poly_text(const struct syms *syms, const struct poly *p, bool wide);
/* For messages: as a person would write it, numbers without a suffix. */
const char *poly_text_plain(const struct syms *syms, const struct poly *p);

/* Known least values of symbols, by their ids, for poly_nonnegative. */
struct lower_bounds {
    int count;
    struct lower_bound {
        int sym;
        long least;
    } *items;
};

/* Is p >= 0 for all values of its symbols allowed by `bounds`? False means: not proved. */
bool poly_nonnegative(const struct syms *syms, const struct poly *p,
                      const struct lower_bounds *bounds);

void lower_bounds_add(const struct syms *syms, struct lower_bounds *bounds, int sym, long least);
/* Adds what p >= 0 says of a symbol, when p is c * symbol + constant. */
void lower_bounds_learn(const struct syms *syms, struct lower_bounds *bounds, const struct poly *p);
/* The same of greater - less. */
void lower_bounds_learn_order(const struct syms *syms, struct lower_bounds *bounds,
                              const struct poly *greater, const struct poly *less);

/* The symbol of `kind` with this expression, made when new. */
struct sym *sym_of(struct syms *syms, enum symbol_kind kind, struct expr *expr, int scope);

/* New nodes for substituted expressions. */
struct expr *expr_new(struct arena *arena, enum expr_kind kind, const struct type *type,
                      struct range range);
struct expr *expr_integer(struct arena *arena, long value);
struct expr *expr_binary(struct arena *arena, enum op op, struct expr *a, struct expr *b);
struct expr *expr_cast(struct arena *arena, const struct type *type, struct expr *e);
const struct type *type_long(void);

#endif
