/* What expressions (eval.c) and addresses (address.c) of the abstract run need of each other. */
#ifndef ORRERY_ANALYZER_EVAL_H
#define ORRERY_ANALYZER_EVAL_H

#include "analyzer/access/interp/interp.h"

/* A pointer, or an array that is used as one. */
bool eval_is_pointer(const struct type *type);

/* `e` with its arguments replaced by what they stand for; NULL when one has no pure form. */
struct expr *eval_rebuild(struct interp *w, struct expr *e, int n, const struct value **args);
const struct value *eval_with_pure(struct interp *w, const struct value *v, struct expr *pure);

/* What is stored there; of an array its address. */
const struct value *eval_lvalue(struct interp *w, struct expr *e);
/* `&place` */
const struct value *eval_address_operator(struct interp *w, struct expr *e);

#endif
