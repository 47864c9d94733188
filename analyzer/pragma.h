/*
 * `#pragma orrery ...` and ORRERY_PARALLEL(...): clauses as data (docs/pragma.md).
 */
#ifndef ORRERY_ANALYZER_PRAGMA_H
#define ORRERY_ANALYZER_PRAGMA_H

#include "analyzer/ir.h"

enum pragma_kind { PRAGMA_PARALLEL, PRAGMA_SERIAL };

enum clause_kind {
    CLAUSE_UNORDERED,
    CLAUSE_RELAX,     /* rule : names[] */
    CLAUSE_HOT,       /* relax(hot : names[]) */
    CLAUSE_BUFFER,    /* names[0] : names[1] */
    CLAUSE_SYNC,      /* number, names[0] = "steps" or "iterations" */
    CLAUSE_REDUCTION, /* names[0] = operator, names[1..] variables */
    CLAUSE_ASSUME,    /* names[0] = fact ("noalias", ...), names[1..] its arguments as text */
    CLAUSE_EXTENT,    /* names[0] : names[1] (an expression's text) */
    CLAUSE_GRID,      /* number, number2 */
    CLAUSE_TARGET     /* names[0] = "cpu" or "gpu" */
};

/* What a merge makes of an element that several rows changed (docs/relaxed.md). */
enum relax_rule {
    RELAX_UNSAID, /* whole numbers and totals (relax_is_sum) are added, others scaled */
    RELAX_ADD,
    RELAX_AVERAGE,
    RELAX_SCALE
};

/* `exprs`: beside names[], what the access passes read as an expression (arguments of range, the
 * size of extent), NULL where that cannot be read. */
struct clause {
    enum clause_kind kind;
    struct range range;
    int nnames;
    const char **names;
    struct expr **exprs;
    long number, number2;
    enum relax_rule rule; /* CLAUSE_RELAX */
};

/* `scope`: the variables in scope at the loop, inner ones last. */
struct pragma {
    enum pragma_kind kind;
    struct range
        range; /* the whole directive, from `#` to the end of its line, or the macro's use */
    bool unordered;
    int nclauses;
    struct clause *clauses;
    int nscope;
    struct variable **scope;
};

/* How it is written in a clause; RELAX_UNSAID: NULL. */
const char *relax_rule_word(enum relax_rule rule);

/* The loop asks for parallel execution (`#pragma orrery parallel`). */
bool loop_is_marked(const struct loop *loop);

#endif
