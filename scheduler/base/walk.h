/* Walks over a loop's body: statements, and the expressions in them. */
#ifndef ORRERY_SCHEDULER_WALK_H
#define ORRERY_SCHEDULER_WALK_H

#include "analyzer/analyzer.h"

typedef void emit_visit(void *data, struct expr *expr, struct expr *parent);
void emit_walk_expr(struct expr *expr, struct expr *parent, emit_visit *visit, void *data);
void emit_walk_stmt(struct stmt *stmt, emit_visit *visit, void *data);

/* Calls `visit` for every statement below and including `stmt`. */
typedef void emit_visit_stmt(void *data, struct stmt *stmt);
void emit_walk_stmts(struct stmt *stmt, emit_visit_stmt *visit, void *data);

/* The functions with a body that the loop's body comes to, each once; -1: more than `most`. */
int emit_walk_called(const struct loop *loop, int most, struct function **functions);

/* Does `loop` stand in the body of `around`, or in a function that is called from there by its name?
 * Yes where too many are. */
bool emit_runs_loop(const struct loop *around, const struct loop *loop);

/* The variable at the bottom of an lvalue's chain (`m` of m->W[i].x), or NULL. */
const struct variable *emit_root(const struct expr *expr);

#endif
