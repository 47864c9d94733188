/* What the files that join units share. */
#ifndef ORRERY_ANALYZER_JOIN_PRIVATE_H
#define ORRERY_ANALYZER_JOIN_PRIVATE_H

#include "analyzer/join.h"

/*
 * `unit` gets, `other` gives; `function`, of the unit, is the one at hand. `files`: what is added
 * to other's file indices, `exprs`, `variables`: to its ids. `code`, `wrong`: why the function
 * cannot be joined, NULL as long as it can.
 */
struct join_pair {
    const struct type *from, *to;
};

struct join {
    struct arena *arena;
    struct unit *unit, *other;
    struct function *function;
    int files, exprs, variables;
    const char *code, *wrong;
    int npairs; /* types of other that were made anew */
    struct join_pair *pairs;
};

/* The first reason counts. */
void join_fail(struct join *join, const char *code, const char *words);

/* ---- join_type.c: types, records and fields of one unit as another has them */

/* NULL for NULL; where the unit has another type of that name, other's, and `wrong` is set. */
const struct type *join_type(struct join *join, const struct type *type);
/* The field of `record` (the unit's) that is like `field`; NULL and `wrong` when there is none. */
const struct field *join_field(struct join *join, const struct record *record,
                               const struct field *field);
/* The same but for qualifiers of the type itself, as parameters and results are. */
bool join_same_parameter(const struct type *a, const struct type *b);

/* ---- join_body.c, join.c: expressions, statements, variables, in place */

void join_expr(struct join *join, struct expr *expr);
void join_stmt(struct join *join, struct stmt *stmt);
void join_variable(struct join *join, struct variable *var);
void join_range(const struct join *join, struct range *range);

/* The unit's function for one of other's (join.c). */
struct function *join_function(struct join *join, struct function *function);

#endif
