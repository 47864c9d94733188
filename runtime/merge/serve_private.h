/* Served arrays, inside of their files (serve*.c): what a rank keeps of its served arrays. */
#ifndef ORRERY_RUNTIME_SERVE_PRIVATE_H
#define ORRERY_RUNTIME_SERVE_PRIVATE_H

#include "runtime/layout/owners.h"
#include "runtime/merge/merge.h"
#include "runtime/merge/serve.h"

#include <stdatomic.h>

/* Elements by phase: those of phase p are at[starts[p]] .. at[starts[p + 1] - 1], rising. */
struct orrery_serve_list {
    size_t *starts;
    uint32_t *at;
};

/*
 * One array. Owner r has its elements [first[r], first[r + 1]). A *chunk* is what this rank's rows
 * touch, in lines of ORRERY_MARKED bytes.
 */
struct orrery_served_array {
    const struct orrery_reduction *what; /* the loop's own words of it */
    int reduction, touched;              /* its number; that in the lists which touches() makes */
    size_t n, size, *first;              /* elements; bytes of one */
    char *home;                          /* what the program calls it */
    char *base;                          /* where element 0 of this rank's part would stand */
    char **bases; /* where its function finds this rank's part of array b beside it; NULL: at its
                   * address */
    int besides;  /* serve->stores[besides + b] is that array */
    struct orrery_serve_list mine;   /* what this rank's rows touch */
    struct orrery_serve_list *asked; /* what rank r's rows touch of this rank's part, counted from
                                      * its first (this rank's own are in `mine`) */
    unsigned *slots;                 /* per line: SERVE_GUARD + its number in the chunk, 0: it is
                                      * not here */
    size_t slots_bytes;              /* of these */
    size_t nlines, room;             /* of the chunk; for so many */
    uint32_t *lines;                 /* which lines of the array they are */
    char *snapshots;                 /* memory of copies.snapshot */
    char *next;                      /* values of the chunk's list, from which lines are made */
    char *missed;                    /* those of it that come, where the last chunk has others */
    size_t *arrivals;                /* per owner: how many come */
    struct orrery_merged copies; /* the chunk as the last merge left it, and once per worker; the
                                  * changes of this rank's rows */
    struct orrery_merged owner;  /* this rank's part, and all rows' changes of it */
    unsigned char *changed;      /* per element of it, by the merge that has just been */
};

/* What is cut into parts: a served array, or one beside it; and where the program has it. */
struct orrery_serve_store {
    struct dsm_array *array;
    struct dsm_range home;
};

/* Arrays from here on: below it every rank may as well have a copy. */
enum { SERVE_LARGE = 1 << 20 };

/* Lines at the start of a chunk's memory that nobody may touch: a page. */
enum { SERVE_GUARD = 64, SERVE_PAGE = SERVE_GUARD * ORRERY_MARKED };

/* What a rank keeps of a loop's served arrays. */
struct orrery_serve {
    struct orrery_state *state;         /* the loop's */
    long phases, count;                 /* of a pass; iterations */
    long row_low, row_high, nrows;      /* this rank's rows, and all */
    unsigned long epoch;                /* of the dealing of rows */
    int workers, narrays;               /* of this rank; of `arrays` */
    struct orrery_served_array *arrays; /* those that are served */
    int nstores;                        /* of `stores` */
    struct orrery_serve_store *stores;  /* arrays beside them */
    bool fresh; /* the lists hold, as far as this rank knows; made of what follows */
    /* bytes of the environment and of variables that the lists were made of */
    char *inputs, *globals;
    struct orrery_span *spans;     /* of memory */
    struct dsm_watch *watch;       /* rank 0: on it; NULL else */
    struct orrery_served *views;   /* per own row and reduction */
    struct dsm_request **requests; /* under way */
    char **buffers;                /* of lists that others sent, to be freed with them */
    int nrequests, room;           /* of `requests`; for so many */
    atomic_flag moving;            /* somebody tests the requests */
};

/* Elements of the list in phase p. */
static inline size_t orrery_serve_count(const struct orrery_serve_list *list, long p) {
    return list->starts[p + 1] - list->starts[p];
}

/* Where those of owner r begin among the elements of phase p: an index of list->at. */
size_t orrery_serve_from(const struct orrery_served_array *array, long p, int r);

/* ---- serve_lists.c ---- */

/* Collective: lists are made anew where they do not hold (true), and told to the owners. */
bool orrery_serve_lists(struct orrery_serve *serve, const struct orrery_region *region);
void orrery_serve_list_free(struct orrery_serve_list *list);

/* ---- serve_ask.c: collective; `fresh`: this rank's lists are those that it told before. ---- */
void orrery_serve_ask(struct orrery_serve *serve, bool fresh);

/* ---- serve_values.c ---- */

/* The values of phase p start to travel, as they are now. */
void orrery_serve_push(struct orrery_serve *serve, long p);

/* They are in, this rank's own too.
 * What the last merge changed of those of others is sent after them. */
void orrery_serve_take(struct orrery_serve *serve, long p);
void orrery_serve_patch(struct orrery_serve *serve, long p);

/* Lines are made of them, in all workers' copies; and are gone. */
void orrery_serve_lay(struct orrery_serve *serve, long p);
void orrery_serve_clear(struct orrery_serve *serve);

/* A message under way: kept until it is over, with its buffer (may be NULL). */
void orrery_serve_keep(struct orrery_serve *serve, struct dsm_request *request, char *buffer);
void orrery_serve_move(struct orrery_serve *serve);
void orrery_serve_wait(struct orrery_serve *serve);

/* ---- serve_updates.c: every row's changes go to the owners, which merge them. ---- */
void orrery_serve_update(struct orrery_serve *serve, struct orrery_region *region);

#endif
