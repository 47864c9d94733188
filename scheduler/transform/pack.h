/*
 * Loops that pack or unpack: a variable counts how often a condition has held, and tells which
 * element is written next, or read.
 *
 *   if (b[i] > 0) { j++; a[j] = b[i]; }            packs
 *   if (a[i] > 0) { j++; a[i] = b[j]; }            unpacks
 *
 * Blocks of iterations count first; then each knows where it begins.
 */
#ifndef ORRERY_SCHEDULER_TRANSFORM_PACK_H
#define ORRERY_SCHEDULER_TRANSFORM_PACK_H

#include "scheduler/transform/front.h"

enum { PACK_STORES = 12 };

struct pack {
    const struct loop *loop;                /* the loop */
    struct unit *unit;                      /* that it stands in */
    const char *prefix;                     /* begins names that are added */
    struct variable *counter;               /* what counts */
    const struct variable *packed;          /* the array that it packs into; NULL: it unpacks */
    bool behind;                            /* a[j++]: the element is the one before the sum */
    int most;                               /* times that an iteration counts, at most */
    int npacked;                            /* of `stores`, those to `packed` */
    int nstores;                            /* of `stores` */
    const struct stmt *stores[PACK_STORES]; /* assignments to elements, in the order of the text */
};

/* NULL: it is of another form. Looks at the text alone. */
struct pack *pack_read(struct unit *unit, const struct loop *loop, const char *prefix);

/* What stands in front of the loop: it is the loop's other way; and behind it. */
void pack_write(const struct pack *pack, struct text *out);
const char *pack_end(const struct pack *pack);

/* "the loop runs in blocks: where each begins to pack is counted in front: `j`" */
const char *pack_words(const struct pack *pack);

#endif
