/*
 * What may be evaluated although the serial loop does not evaluate it (docs/analysis.md, "What is
 * evaluated"): what can neither end the program nor fail to end.
 *
 *   fault.c   expressions, by their operations
 *   span.c    the least and the greatest value of integers: subscripts inside of declared arrays
 *   inside.c  arrays and allocations, by the bounds of the loops
 *   sure.c    memory that the serial iteration reads or writes anyway
 *   called.c  functions: those of the C library, and bodies of the unit's
 */
#ifndef ORRERY_ANALYZER_FAULT_H
#define ORRERY_ANALYZER_FAULT_H

#include "analyzer/access/access.h"

/*
 * What the iterations in question surely evaluate. `at`: up to this touch they do what the serial
 * loop does, which gets there too; NULL: nothing is known but that they are iterations of the loop.
 * `done`: an expression of the body that they evaluate, at least on the ways through it that do not
 * pass `&&`, `||` or `?:`; nothing that it reads is changed before the expression asked about.
 * NULL: none.
 */
struct sure {
    const struct ref *at;
    const struct expr *done;
};

/*
 * May evaluating `e` end the program or not end, in iterations in which the serial loop does not
 * evaluate it? False only when that is proved. `e` stands in the body, or in a function called from
 * it, or is an expression over the loop's variables and captures; `sure` may be NULL.
 *
 * requires: the interpretation's references; with their objects it proves more.
 *
 * It may: dereferences and subscripts of pointers, subscripts that are not known to stay inside of
 * a declared array, volatile memory, integer division and % unless the divisor is known to be
 * neither 0 nor -1, shifts unless by less than the width, conversions of floating-point numbers to
 * integers, calls but of total functions of the C library and of the unit's functions whose bodies
 * cannot.
 *
 * It may not: variables and members of declared structures, arithmetic, memory that `sure`
 * iterations touch anyway. Floating-point operations give a number, an infinity or a NaN. Integers
 * that overflow wrap around on every host that we build for; where the user's flags make overflow
 * end the program (-ftrapv, a sanitizer) it may.
 */
bool expr_may_fault(const struct trace *t, const struct expr *e, const struct sure *sure);

/* The same of storing what `e` is worth as a `type`. */
bool expr_converted_may_fault(const struct trace *t, const struct expr *e, const struct type *type,
                              const struct sure *sure);

/* Do the bytes of `ref` lie in the structure that `other` touches a member of, or in that number? */
bool touch_is_within(const struct trace *t, const struct ref *ref, const struct ref *other);

/* Does every iteration touch, in each round of a loop inside that it does not leave, what the load
 * touches in the same round of its own loop, which has as many? */
bool sure_in_same_rounds(const struct trace *t, const struct ref *load);

/* ---- among these files ----------------------------------------------------------------------- */

/* Least and greatest value; not `known`: anything that the type holds, or no integer. */
struct span_long {
    bool known;
    long low, high;
};

/* What an integer expression may be worth, wherever it is evaluated in an iteration. */
struct span_long span_of_expr(const struct trace *t, const struct expr *e);
/* The same converted to a type. */
struct span_long span_converted(struct span_long span, const struct type *from,
                                const struct type *to);

/* Does the lvalue name a part of a declared variable, all of whose subscripts stay inside? */
bool place_is_declared(const struct trace *t, const struct expr *e);
/* Does the touch stay inside of a declared array, or of an allocation of the function's? */
bool touch_is_inside(const struct trace *t, const struct ref *ref);
/* Is the memory that the lvalue names touched by all `sure` iterations? */
bool sure_is_touched(const struct trace *t, const struct expr *lvalue, const struct sure *sure);
/* Do they evaluate an equal expression? */
bool sure_is_done(const struct expr *e, const struct sure *sure);

/* A question that is being answered. `depth`: of calls; `steps`: how much was looked at; `result`:
 * the type that a `return` converts to. */
struct fault_ask {
    const struct trace *t;
    const struct sure *sure;
    const struct type *result;
    int depth, steps;
};

bool fault_of(struct fault_ask *ask, const struct expr *e);
bool fault_of_converted(struct fault_ask *ask, const struct expr *e, const struct type *type);
bool fault_of_call(struct fault_ask *ask, const struct expr *call);

/* A jump in it may leave it, or a loop around it. */
bool stmt_may_leave(const struct stmt *s);

#endif
