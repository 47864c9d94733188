/*
 * Wavefronts on several ranks: who runs which rows, and what they tell each other (docs/runtime.md,
 * "Wavefronts on several ranks"). Independent loops whose arrays cannot be cut run so, too.
 */
#ifndef ORRERY_RUNTIME_PANELS_H
#define ORRERY_RUNTIME_PANELS_H

#include "runtime/execute/places.h"
#include "runtime/region/region.h"

#include <pthread.h>

/*
 * What panel `panel` wrote up to stretch `stretch` of columns that a panel of another rank reads.
 * `rank`: to whom, or from whom. `bytes`: of the set. `request`, `buffer`: under way. `done`: has
 * come, or has gone.
 */
struct orrery_panel_message {
    int panel, rank;
    long stretch;
    struct orrery_set set;
    size_t bytes;
    struct dsm_request *request;
    char *buffer;
    bool done;
};

/* Sets of a rank: what it touches; what its panels need that they do not make; of these what others
 * make, who write it last; what it writes last of all, and what of that comes home after a region:
 * what other ranks need of it, and what is not pending (panels_pending.h). */
struct orrery_panel_share {
    struct orrery_set touched, needed, refreshed, final, home;
};

/*
 * Rows that run on a device, which has their bytes between regions too; zero: workers run them, or
 * nothing has run. `out` brings the set's bytes from there, `in` takes them there; bytes between
 * them may come along, but not by `in_alone`. `only_apart`: nothing, where no bytes between come
 * along. `read`: the bytes, and those between, to where they are in `to`, which stands for the
 * memory at `low` of rank 0.
 */
struct orrery_panels_device {
    void (*out)(void *data, const struct orrery_places *places, const struct orrery_set *set,
                bool only_apart);
    void (*in)(void *data, const struct orrery_places *places, const struct orrery_set *set);
    void (*in_alone)(void *data, const struct orrery_places *places, const struct orrery_set *set);
    void (*read)(void *data, const struct orrery_places *places, const struct orrery_set *set,
                 char *to, const char *low);
    void *data;
};

struct orrery_pending;

/*
 * A wavefront on several ranks (docs/runtime.md). Panel k is the rows [cuts[k], cuts[k + 1]) and
 * belongs to rank k modulo the ranks.
 */
struct orrery_panels {
    int npanels;                 /* of all ranks' rows together */
    long *cuts;                  /* npanels + 1 rows */
    long pace, stretches;        /* columns of a stretch; how many of these */
    long *first, *end;           /* per panel: it has something to do in stretches [first, end) */
    struct orrery_places places; /* what ranks read and write, byte by byte */
    int nout, nin;               /* messages */
    struct orrery_panel_message *out, *in; /* of this rank, by panel and stretch */
    int taken, told;                       /* in[0, taken) have come, out[0, told) have gone */
    pthread_mutex_t taking, telling;       /* their locks */
    struct orrery_panel_share mine;        /* this rank's sets */
    struct orrery_panel_share *shares;     /* rank 0: all ranks'; NULL else, as what follows */
    int ngroups;                           /* of places that are sent again together */
    char *dirty;                /* per group: the ranks' bytes are not rank 0's any more */
    char *written;              /* per group: the loop writes it */
    struct dsm_watch **watches; /* per group */
    long nprint, *print; /* what the first and the last iteration say: does all of it still hold? */
    struct orrery_wave wave;            /* how columns are cut into positions, in this region */
    struct orrery_panels_device device; /* where the rows run */
    const struct orrery_state *state;   /* of the loop */
    struct orrery_pending *pending;     /* memory that does not come home by itself */
    long npending;                      /* of `pending` */
};

/* Is array a among those that panels have parts of? */
static inline bool orrery_panels_have(const struct orrery_loop *loop, int a) {
    return loop->sections && loop->arrays[a].placement == ORRERY_RESIDENT &&
           loop->arrays[a].dim < 0;
}

/* Nobody waits for another panel: iterations need nothing of each other. What they read stood there
 * before the loop; a panel per rank, one stretch, and no messages. */
static inline bool orrery_panels_apart(const struct orrery_loop *loop) {
    return loop->strategy != ORRERY_WAVEFRONT;
}

static inline int orrery_panel_rank(int panel) {
    return panel % dsm_ranks();
}

/* Rank 0: which rows, and which columns, together (panels_cut.c); `state` of the panels is set. */
void orrery_panels_cut(struct orrery_panels *panels, const struct orrery_region *region);

/* Rank 0: all of it, for a region that is about to run (panels_make.c). `out`, `in`: of all ranks,
 * by the rank that is the other end. Owned by the caller. */
struct orrery_panels *orrery_panels_make(const struct orrery_state *state, const void *env,
                                         const struct orrery_region *region);

/* On one rank, for a model of several: bytes that the first half of the rows writes and the second
 * reads, and that all of them write. */
void orrery_panels_measure(const struct orrery_state *state, const void *env,
                           const struct orrery_region *region, double *told, double *written);

/* Collective: rank 0's, distributed; the others: NULL. Returns this rank's. */
struct orrery_panels *orrery_panels_assign(struct orrery_panels *panels);
void orrery_panels_free(struct orrery_panels *panels);

/* Rank 0: were they made of this environment? */
bool orrery_panels_hold(const struct orrery_panels *panels, const struct orrery_state *state,
                        const struct orrery_region *region, const void *env);

/* Rank 0, before the command: what is not the ranks' any more. */
void orrery_panels_look(struct orrery_panels *panels);

/* The memory of this rank that array a's stands in; empty: panels have no parts of it. */
struct dsm_range orrery_panels_span(const struct orrery_panels *panels,
                                    const struct orrery_state *state, int a);

/* Where array a begins on this rank when that is not its home, else NULL. */
char *orrery_panels_base(const struct orrery_panels *panels, const struct orrery_state *state,
                         int a);

/* Of a set what is in memory that rank 0's serial code has changed since the last region (the
 * panels' first: all), by what orrery_panels_bring was told; or of the rest. Owned by the
 * caller. */
struct orrery_set orrery_panels_changed(const struct orrery_panels *panels,
                                        const struct orrery_set *of, bool changed);

/* Collective, before and after a region: what panels need comes from rank 0; what they made goes
 * there, or is pending. */
void orrery_panels_bring(struct orrery_panels *panels);
void orrery_panels_return(struct orrery_panels *panels);

/* ---- while a region runs, any worker --------------------------------------------------------- */

/* Everything that others tell about panels before `panel` up to this stretch; waits for it. */
void orrery_panels_take(struct orrery_panels *panels, int panel, long stretch);

/* The same while a kernel runs on the panel, one thread: takes what has come. True: that is all. */
bool orrery_panels_arrive(struct orrery_panels *panels, int panel, long stretch);

/* The panel is done with the stretch: those who need it are told. */
void orrery_panels_tell(struct orrery_panels *panels, int panel, long stretch);

#endif
