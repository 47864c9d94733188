/* Inside of loop.c, loop_header.c, loop_bound.c: how a loop is recognized as one that counts. */
#ifndef ORRERY_ANALYZER_LOOP_PRIVATE_H
#define ORRERY_ANALYZER_LOOP_PRIVATE_H

#include "analyzer/parse/private.h"

/* Reads variable, lower, upper, relation and step. What is wrong, in words, or NULL. */
const char *loop_header_read(struct translator *t, struct loop *loop);

/* Is it a variable that nothing but the text of the function can change? */
const char *loop_variable_check(struct translator *t, const struct loop *loop);

/* Sets relation and upper from a condition that is linear in the variable; false: it is not. */
bool loop_bound_solve(struct translator *t, struct loop *loop);

/* Does a variable stand in it that the loop moves? */
bool loop_bound_moves(struct translator *t, const struct loop *loop, const struct expr *e);

/* The one assignment of the variable that every iteration reaches in the body; NULL: none. */
const struct expr *loop_body_step(struct translator *t, const struct loop *loop,
                                  const struct variable *variable);

bool loop_constant(const struct expr *expr, long long *value);

/* How often the expression, or the loop's body, assigns the variable or a part of it. */
int loop_expr_assigns(const struct expr *expr, const struct variable *variable);
int loop_body_assigns(struct translator *t, const struct loop *loop,
                      const struct variable *variable);

#endif
