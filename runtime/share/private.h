/* Inside of runtime/share: what a rank keeps of a loop's arrays, and the steps of a region. */
#ifndef ORRERY_RUNTIME_SHARE_PRIVATE_H
#define ORRERY_RUNTIME_SHARE_PRIVATE_H

#include "runtime/execute/exchange.h"
#include "runtime/execute/panels.h"
#include "runtime/layout/layout.h"
#include "runtime/layout/replica.h"
#include "runtime/region/region.h"
#include "runtime/threads/context.h"

/* What a rank keeps of a loop's arrays, between its regions (docs/runtime.md). */
struct orrery_sharing {
    struct orrery_state *state;     /* the loop's */
    struct orrery_inspection *part; /* ranks above 0: of what iterations read here; NULL: rank 0
                                     * looks at all */
    bool laid;                      /* dims and arrays are made, from what follows */
    bool held;                      /* rank 0: the others have records of the inspection */
    bool stale;                     /* another loop has written what is laid out here */
    bool keeps;                     /* the run verifies */
    struct orrery_shape *shapes;    /* per array and reduction: of the last region */
    long count, last_row, first;    /* iterations; of the region; the loop variable's first value */
    struct orrery_blocks blocks;    /* the grid */
    struct orrery_layout_dim dims[ORRERY_LAYOUTS]; /* how the grid's dims lie on ranks */
    struct orrery_layout_dim
        *claimed;                     /* per array: its own dim, where rows are told by intervals */
    struct dsm_array **arrays;        /* per array: NULL when it is not cut */
    int *cut;                         /* per array: its dim */
    struct dsm_range *homes;          /* per array */
    struct orrery_replica *replicas;  /* per array */
    struct orrery_exchange *exchange; /* levels: what columns change; NULL else */
    long *extents;                    /* ... of the touched objects */
    struct orrery_panels *panels;     /* wavefronts; NULL else */
    struct orrery_touched *touched;   /* batons that move by rows; NULL: all move whole */
    long *starts;                     /* this rank's blocks; ranks above 0 own it */
    long *cuts;   /* of the rows of a loop without keys; NULL: shares of equal length */
    long version; /* of the cuts that the arrays were laid out by */
    char *envs;   /* this rank's, one per pass */
    long room;    /* ... for so many */
};

/* Head of a region's command. Environments, shapes, sizes of reductions, starts of copies, wanted
 * replicas and globals follow. */
struct orrery_share_head {
    struct orrery_loop *loop;     /* the loop, at the same address on every rank */
    int slot;                     /* of its state */
    long passes, count, last_row; /* of the region */
    struct orrery_blocks blocks;  /* the grid */
    struct orrery_wave wave;      /* wavefronts: how positions are cut into columns */
    int lay;                      /* the layout is new */
    int records;                  /* the records are */
    int cuts;                     /* cuts of rows follow */
    int serves;                   /* arrays are served */
    int remote; /* ranks have inspected what lies with them, and send each other the records, */
    bool relabel[ORRERY_DIMS]; /* relabelled like this */
    int keeps;                 /* what passes fold to is kept */
    fenv_t floats;             /* what rank 0's program computes with */
};

struct orrery_share_message {
    char *data;
    size_t size, room;
};

/* The loop runs by levels: what columns change is exchanged. */
bool orrery_share_is_by_level(const struct orrery_blocks *blocks);

/* No array is cut along a dim: every rank has a copy of it, or what its panels touch. */
bool orrery_share_is_whole(const struct orrery_blocks *blocks);

/* ---- region.c -------------------------------------------------------------------------------- */

/* Array a stands elsewhere for the loop: addresses in it are not those of the program. Refuses a
 * loop that would tell. */
void orrery_share_addresses_check(const struct orrery_state *state, int a);

/* Collective, behind the command of a region; `envs` on rank 0: the user's environments; `lasts`:
 * where in the command the starts of copies stand. */
void orrery_share_region(struct orrery_sharing *sharing, const struct orrery_share_head *head,
                         const char *envs, const char *lasts, struct orrery_region *region);

/* ---- arrays.c -------------------------------------------------------------------------------- */

/*
 * The dim that array a is cut along: one of the loop's, that of the iterations, or its own; NULL
 * when it is not cut.
 */
struct orrery_layout_dim *orrery_share_dim(const struct orrery_sharing *sharing, int a);

/* Collective. */
void orrery_share_arrays_new(struct orrery_sharing *sharing, const struct orrery_region *region);

/* Collective; homes are valid. */
void orrery_share_arrays_free(struct orrery_sharing *sharing);

/* Rank 0: homes of what is cut become valid and known; replicas are looked at. */
void orrery_share_homes_look(struct orrery_sharing *sharing);

/* Rank 0: what the region has written is serial code's again,
 * and what others made of it is out of date. */
void orrery_share_release(const struct orrery_sharing *sharing);

/* The same of what was served. */
void orrery_share_serve_release(const struct orrery_sharing *sharing, struct orrery_serve *serve);

/* ---- records.c: collective between them, rank 0 sends ---------------------------------------- */

void orrery_share_records_send(struct orrery_state *state, const void *env);
void orrery_share_records_receive(struct orrery_sharing *sharing);

/* Collective: every rank has the records of its part, and sends them to where they run. */
void orrery_share_records_trade(struct orrery_sharing *sharing, struct orrery_inspection *part,
                                const void *env);

/* Of a loop, made when there is none yet. */
struct orrery_sharing *orrery_sharing_of(struct orrery_state *state);

/* ---- rest.c ---------------------------------------------------------------------------------- */
/* Local, around a region's blocks, under torture: parts that no running block touches can't be
 * touched (sharing.h has what a block does). */
void orrery_share_rest(const struct orrery_sharing *sharing, struct orrery_region *region);
void orrery_share_wake(const struct orrery_sharing *sharing, struct orrery_region *region);

/* ---- rows.c ---------------------------------------------------------------------------------- */

/* Collective, when arrays are laid and rank 0 has the inspection of these environments: makes
 * `touched` anew. `part`: this rank's, NULL: rank 0 has looked at all iterations. */
void orrery_share_rows_list(struct orrery_sharing *sharing, const struct orrery_inspection *part,
                            const void *env);

/* ---- copies.c -------------------------------------------------------------------------------- */

/* Copies that start as what they are folded into: their bytes, as they stand in the message. */
void orrery_share_lasts_start(struct orrery_region *region, const char *from);

/* Collective between them: rank 0 receives and folds, row by row. */
void orrery_share_copies_send(const struct orrery_region *region);
void orrery_share_copies_receive(const struct orrery_region *region, const void *env);

/* ---- chain.c --------------------------------------------------------------------------------- */
/* Collective between them, one reduction after the other: a large one is folded
 * from rank to rank; its target is rank 0's. */
bool orrery_share_is_chained(const struct orrery_region *region, int j);
void orrery_share_chain_begin(const struct orrery_region *region, int j, char *target);
void orrery_share_chain_join(const struct orrery_region *region, int j);

/* copies.c. Collective: what a stage of a pipeline has changed comes to rank 0. */
void orrery_share_homes_bring(const struct orrery_sharing *sharing,
                              const struct orrery_region *region);

/* ---- message.c ------------------------------------------------------------------------------- */

/* Rank 0: `message` grows by what follows a head, the head first. */
void orrery_share_message_put(struct orrery_share_message *message,
                              const struct orrery_share_head *head,
                              const struct orrery_sharing *sharing, const void *envs);

/* The other half: the `bytes` behind the head; the starts of copies stay in the message: *lasts. */
void orrery_share_message_get(const char *from, size_t bytes, const struct orrery_share_head *head,
                              struct orrery_sharing *sharing, const char **lasts);

#endif
