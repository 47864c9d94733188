/*
 * The text of a choice, `if (x[i] < best) { best = x[i]; at = i; }`: what argmin.c takes for one,
 * and what argmin_words.c says of one that is none.
 */
#ifndef ORRERY_ANALYZER_ARGMIN_H
#define ORRERY_ANALYZER_ARGMIN_H

#include "analyzer/access/access.h"

/* `best` is compared with something and set to that, and other members with it. */
struct choosing {
    const struct stmt *where;           /* the `if`, all of which is `sets` */
    const struct expr *cond, *compared; /* its condition; the other side of the comparison in it */
    struct expr *mine;                  /* the side of `best` */
    const struct variable *best;        /* the member that is compared, or leads to it */
    const struct expr *field;           /* `best.gain` is compared; NULL: `best` */
    const struct expr *worth;           /* `x[best]` is compared; NULL: `best` */
    enum reduction_op op;               /* minimum or maximum */
    bool first;                         /* of equal ones the first is kept */
    int nsets;                          /* of `sets`, of `bases` */
    struct expr **sets;                 /* one assignment to each member */
    const struct variable **bases; /* what each of them sets, or stands for it (chosen_places) */
    int nreads;                    /* of `reads` */
    const struct expr *
        *reads;       /* members that the comparison, and what `?:` leaves as it is, name */
    struct range odd; /* where it does something else */
    bool held;        /* a local holds the comparison, as it was where that is declared */
};

struct choosings {
    const struct trace *t;
    int count;
    struct choosing *items;
};

/* Assignments to variables from outside of the loop, and nothing else? */
bool choosing_sets(const struct trace *t, const struct stmt *s, struct choosing *out);
/* The comparison in `cond` (one of several that `&&` joins) that the members hang on. */
bool choosing_compares(const struct trace *t, struct expr *cond, struct choosing *out);
void choosing_add_set(const struct trace *t, struct choosing *out, struct expr *set);
struct expr *choosing_set_of(const struct choosing *c, const struct variable *var);
/* A variable from outside of the loop that can be a member. */
bool choosing_is_outer(const struct trace *t, const struct expr *e);
/* `at = better ? i : at; best = better ? x[i] : best;`: those of a block, or
 * the one that is a loop's body (argmin_ternary.c). */
void choosing_see_ternaries(struct choosings *all, struct stmt *s);
/*
 * `x[i]` beside `x[at]`, where at is set to i and the loop changes nothing that x[at] is made of:
 * the place of the best, which is `x[at]` (argmin_place.c).
 */
bool choosing_compares_place(const struct trace *t, const struct expr *mine,
                             const struct expr *other, struct choosing *c);
/* What a local of the body is set to where it is declared, when nothing else sets it; else e. */
const struct expr *choosing_named(const struct trace *t, const struct expr *e);
/* ... when it says the same all through an iteration, but for members of `c` (NULL: none). */
const struct expr *choosing_value(const struct trace *t, const struct expr *e,
                                  const struct choosing *c);
/* Is this touch of a member accounted for? */
bool choosing_expects(const struct choosing *c, const struct ref *ref);
/*
 * What choosing evaluates that the serial loop may not, and that may fault; NULL: nothing
 * (speculate.c). requires: objects.
 */
const struct expr *choosing_speculates(const struct trace *t, const struct choosing *c);
/* Set to e, x is exactly that: a rounded minimum depends on the order. */
bool choosing_is_exact(const struct type *x, const struct expr *e);

/*
 * `ok = ok && E`, `any = any || E`: the E of some fold into the object that may fault where the
 * serial loop does not evaluate it; NULL: there is none (speculate.c). requires: objects.
 */
const struct expr *flag_speculates(const struct trace *t, const struct object *object);
/* The assignment to this very lvalue, in the body or in a function; NULL: it is `++`. */
const struct expr *fold_assignment(const struct trace *t, const struct expr *lvalue);
/* Does the order of the iterations decide between equal numbers, -0.0 and 0.0, in the minimum or
 * maximum that is folded into the object (ties.c)? */
bool fold_has_ties(const struct trace *t, const struct object *object);
/* `ok = ok && f(i)`: f is not called in every iteration, so it may change nothing. Does it? */
bool flag_changes_else(const struct trace *t, const struct object *object);
/* Refuses the fold into `flag` for what it evaluates. */
void flag_refuse(const struct trace *t, const struct expr *flag, const struct expr *speculated);

/* `var` is read at `read` in the condition of `s`, which sets it, and no choice: says why not. */
void argmin_refuse(const struct trace *t, const struct stmt *s, const struct variable *var,
                   const struct ref *read);

#endif
