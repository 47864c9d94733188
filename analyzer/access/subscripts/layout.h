/*
 * Delinearization: byte offsets -> one subscript per stride, the same strides for all accesses of
 * an object.
 */
#ifndef ORRERY_ANALYZER_ACCESS_LAYOUT_H
#define ORRERY_ANALYZER_ACCESS_LAYOUT_H

#include "analyzer/access/access.h"

enum { LAYOUT_DIMS = 6, ROW_LEAST = 8 };

/* Strides in bytes, outermost first. */
struct layout {
    int n;
    const struct poly *stride[LAYOUT_DIMS];
};

/* What a fit needs a run to check: `poly` >= 0. `key`: it contains a key's value. */
struct obligation {
    const struct poly *poly;
    bool key;
};

/*
 * How one access lies in a layout: `subs[d]` (NULL: not known), `nsubs` of them. Obligations are
 * conditions that could not be proved. `why`: reason when it does not fit.
 */
struct fit {
    int nsubs;
    const struct poly *subs[LAYOUT_DIMS];
    bool unknown[LAYOUT_DIMS];
    long field_offset, field_size;
    int nobligations;
    struct obligation obligations[2 * LAYOUT_DIMS];
    const char *why;
};

bool layout_fit(const struct trace *t, const struct layout *layout, const struct ref *ref,
                struct fit *fit);

/* Of each of `refs` the place in that list of the first one that any layout fits as it does. */
int *layout_alike(const struct trace *t, int nrefs, const int *refs);

/* How well a layout fits accesses: how many, how many down to the last subscript, and what a run
 * has to check for that. */
struct score {
    int fitted, complete, dims, obligations;
    bool rows; /* of a width that is a number, in which something is set */
};

struct score layout_score(const struct trace *t, const struct layout *layout, int nrefs,
                          const int *refs);
bool layout_is_better(const struct score *a, const struct score *b);

/* The layout that fits most accesses among `refs` (indices into w->trace.refs). */
struct layout layout_choose(const struct trace *t, const struct type *element, int nrefs,
                            const int *refs);

/* The greatest and least value of p within the loops around `ref`; NULL when not known. */
const struct poly *layout_bound(const struct trace *t, const struct ref *ref, const struct poly *p,
                                bool upper, const struct lower_bounds *bounds);
struct lower_bounds layout_facts(const struct trace *t, const struct ref *ref);

#endif
