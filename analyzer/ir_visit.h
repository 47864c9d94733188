/* Going over the IR (ir.h): every statement, every expression, what an lvalue names. */
#ifndef ORRERY_ANALYZER_IR_VISIT_H
#define ORRERY_ANALYZER_IR_VISIT_H

#include "analyzer/ir.h"

/* Calls `visit` for every expression below s or e, in the order of the text. */
void stmt_visit(struct stmt *s, void (*visit)(void *data, struct expr *e), void *data);
void expr_visit(struct expr *e, void (*visit)(void *data, struct expr *e), void *data);
/* The same for s and every statement below it. */
void stmt_each(struct stmt *s, void (*visit)(void *data, struct stmt *s), void *data);

/* Is it so of some expression, or statement, there? NULL: of none. */
typedef bool expr_is(const void *data, const struct expr *e);
typedef bool stmt_is(const void *data, const struct stmt *s);
bool expr_any(const struct expr *e, expr_is *is, const void *data);
bool stmt_any_expr(const struct stmt *s, expr_is *is, const void *data);
bool stmt_any(const struct stmt *s, stmt_is *is, const void *data);

/* It sets something, calls something, or is not understood. */
bool expr_has_effect(const struct expr *e);
/* `var` is set, named, or declared there. */
bool expr_sets(const struct expr *e, const struct variable *var);
bool stmt_sets(const struct stmt *s, const struct variable *var);
bool stmt_names(const struct stmt *s, const struct variable *var);
bool stmt_declares(const struct stmt *s, const struct variable *var);

/* The variable an lvalue is a part of, without going through a pointer; NULL otherwise. */
struct variable *lvalue_variable(const struct expr *e);
/* A member that shares its bytes with its neighbours. */
bool is_bit_field(const struct expr *e);

/* The loop's body sets it nowhere, so that it says the same all through an iteration. */
bool variable_is_steady(const struct loop *loop, const struct variable *var);

#endif
