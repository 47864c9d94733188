/* Going over the IR (ir.h): every statement, every expression, what an lvalue names. */
#ifndef ORRERY_ANALYZER_IR_VISIT_H
#define ORRERY_ANALYZER_IR_VISIT_H

#include "analyzer/ir.h"

/* Calls `visit` for every expression below s or e, in the order of the text. */
void stmt_visit(struct stmt *s, void (*visit)(void *data, struct expr *e), void *data);
void expr_visit(struct expr *e, void (*visit)(void *data, struct expr *e), void *data);
/* It sets something, calls something, or is not understood. */
bool expr_has_effect(const struct expr *e);
/* The same for s and every statement below it. */
void stmt_each(struct stmt *s, void (*visit)(void *data, struct stmt *s), void *data);

/* The variable an lvalue is a part of, without going through a pointer; NULL otherwise. */
struct variable *lvalue_variable(const struct expr *e);
/* A member that shares its bytes with its neighbours. */
bool is_bit_field(const struct expr *e);

/* For stmt_visit and expr_visit: is `var` set there? */
struct setting {
    const struct variable *var;
    bool found;
};
void setting_see(void *setting, struct expr *e);

/* The loop's body sets it nowhere, so that it says the same all through an iteration. */
bool variable_is_steady(const struct loop *loop, const struct variable *var);

#endif
