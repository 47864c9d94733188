/*
 * The text of a choice, `if (x[i] < best) { best = x[i]; at = i; }`: what choice.c takes for one,
 * and what choice_words.c says of one that is none.
 */
#ifndef ORRERY_ANALYZER_CHOICE_H
#define ORRERY_ANALYZER_CHOICE_H

#include "analyzer/access/access.h"

/*
 * `best` is compared with something (`mine` is its side of the comparison) and set to that; `sets`,
 * one assignment to each member, are all that the `if` at `where` does. `odd`: where it does
 * something else.
 */
struct choosing {
    const struct stmt *where;
    struct expr *mine;
    const struct variable *best;
    const struct expr *field; /* `best.gain` is compared; NULL: `best` */
    enum reduction_op op;
    bool first;
    int nsets;
    struct expr **sets;
    struct range odd;
};

/* Assignments to variables from outside of the loop, and nothing else? */
bool choosing_sets(const struct walk *w, const struct stmt *s, struct choosing *out);
/* The comparison in `cond` (one of several that `&&` joins) that the members hang on. */
bool choosing_compares(const struct walk *w, struct expr *cond, struct choosing *out);
struct expr *choosing_set_of(const struct choosing *c, const struct variable *var);
/* Is this touch of a member accounted for? */
bool choosing_expects(const struct choosing *c, const struct raw *raw);
/* Set to e, x is exactly that: a rounded minimum depends on the order. */
bool choosing_is_exact(const struct type *x, const struct expr *e);

/* `var` is read at `read` in the condition of `s`, which sets it, and no choice: says why not. */
void choice_refuse(struct walk *w, const struct stmt *s, const struct variable *var,
                   const struct raw *read);

#endif
