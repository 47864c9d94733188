/*
 * 32-bit sums without a sign in subscripts: taken for what they say, with a guard that they do not
 * wrap around.
 */
#ifndef ORRERY_ANALYZER_ACCESS_WRAP_H
#define ORRERY_ANALYZER_ACCESS_WRAP_H

#include "analyzer/access/interp/interp.h"

/* v, opaque, is p modulo 2^32 when `type` is unsigned int. */
void wrap_note(struct interp *w, const struct value *v, const struct poly *p,
               const struct type *type);

/* p with such symbols taken for what they say; they are noted in to->wraps. */
const struct poly *wrap_expand(struct interp *w, const struct poly *p, struct value *to);

/* Do two pointers rest on the same ones? Else their distance is not that of their offsets. */
bool wrap_same(const struct value *a, const struct value *b);

/* The sum cannot be checked by the run. */
bool wrap_is_given_up(const struct trace *t, const struct expr *e);

/*
 * requires: an interpretation. Some of them cannot be checked by the run: they are left as they are
 * in the next interpretation.
 */
bool wrap_given_up(struct interp *w);

/* requires: objects. */
void wrap_guards(const struct trace *t);

#endif
