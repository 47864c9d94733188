/*
 * Hot rows (relax(hot)): those that so many iterations write that batches without a common row would
 * be narrow. They stand in nobody's way: each row of the grid has a copy of its own, and after every
 * batch the copies are averaged. Which rows these are depends on the keys alone.
 */
#ifndef ORRERY_RUNTIME_HOT_H
#define ORRERY_RUNTIME_HOT_H

#include "runtime/inspect/tables.h"

struct orrery_levels;

/* A row is hot where batches of so many iterations are too few for it; and then they have no more, so
 * that copies are merged as often. */
enum { ORRERY_HOT_WIDE = 512 };

/* Of one touched object. The body has its units from `low` to `high` in a table of ours, and behind
 * them, for every row of the grid, a copy of each hot one. */
struct orrery_hot_object {
    long low, high;
    long nhot;
    int *hot; /* by unit - low: which of these it is, from 1; 0: it is not hot; NULL: none is */
};

/* A hot row that some rows of the grid write in a column: a bit each. */
struct orrery_hot_merge {
    unsigned hot;
    uint64_t rows;
};

struct orrery_hots {
    long rows, columns, count;         /* of the grid; of hot rows */
    int nobjects;                      /* of `objects` */
    struct orrery_hot_object *objects; /* by touched object */
    int *object_of;                    /* by hot row: whose it is */
    long *unit_of;                     /* ... which unit */
    long *at_of;                       /* ... its number among those of its object */
    long *touch_first;  /* by iteration, until the grid is known: its first in `touches` */
    unsigned *touches;  /* 2 * hot row + 1 where it is written */
    long *taken_first;  /* by column * rows + row: its first in `taken` */
    unsigned *taken;    /* the hot rows that the block touches */
    long *merged_first; /* by column: its first in `merged` */
    struct orrery_hot_merge *merged; /* behind the column */
};

/* Takes the hot rows out of the lists: `items` of iteration i from listing->first[i] on, twice a
 * place and 1 where it is written; places of object t begin at offset[t]. NULL: none is hot. */
struct orrery_hots *orrery_hots_take(struct orrery_listing *listing, unsigned *items,
                                     const size_t *offset, size_t places);

/* When the grid is known. */
void orrery_hots_place(struct orrery_hots *hots, const struct orrery_levels *levels);

void orrery_hots_free(struct orrery_hots *hots);

/* Keys of hot rows in a record of row `row` of the grid become those of its copies. */
void orrery_hots_rename(const struct orrery_hots *hots, const struct orrery_loop *loop, long row,
                        char *record);

/* Which unit of the table grid row `row` has as its copy. */
static inline long orrery_hot_copy(const struct orrery_hots *hots, long row, unsigned hot) {
    const struct orrery_hot_object *object = &hots->objects[hots->object_of[hot]];
    return object->high + 1 + row * object->nhot + hots->at_of[hot];
}

#endif
