/* What the files that import functions share. */
#ifndef ORRERY_ANALYZER_IMPORT_PRIVATE_H
#define ORRERY_ANALYZER_IMPORT_PRIVATE_H

#include "analyzer/import.h"

/*
 * `unit` gets, `other` gives; `function`, of the unit, is the one at hand. `files`: what is added
 * to other's file indices, `exprs`, `variables`: to its ids. `code`, `wrong`: why the function
 * cannot be imported, NULL as long as it can.
 */
struct import_pair {
    const struct type *from, *to;
};

struct import {
    struct arena *arena; /* of `unit` */
    /* which gets the body; the other file's, whose nodes are changed in place */
    struct unit *unit, *other;
    struct function *function;   /* of `unit`, which gets it */
    int files, exprs, variables; /* what numbers of `other` are moved by: how many `unit` had */
    const char *code, *wrong;    /* why it cannot be used, NULL: it can so far */
    int npairs;                  /* types of other that were made anew */
    struct import_pair *pairs;   /* what of `other` became what */
};

/* The first reason counts. */
void import_fail(struct import *import, const char *code, const char *words);

/* ---- import_type.c: types, records and fields of one unit as another has them */

/* NULL for NULL; where the unit has another type of that name, other's, and `wrong` is set. */
const struct type *import_type(struct import *import, const struct type *type);
/* The field of `record` (the unit's) that is like `field`; NULL and `wrong` when there is none. */
const struct field *import_field(struct import *import, const struct record *record,
                                 const struct field *field);
/* The same but for qualifiers of the type itself, as parameters and results are. */
bool import_same_parameter(const struct type *a, const struct type *b);

/* ---- import_body.c, import.c: expressions, statements, variables, in place */

void import_expr(struct import *import, struct expr *expr);
void import_stmt(struct import *import, struct stmt *stmt);
void import_variable(struct import *import, struct variable *var);
void import_range(const struct import *import, struct range *range);

/* The unit's function for one of other's (import.c). */
struct function *import_function(struct import *import, struct function *function);

#endif
