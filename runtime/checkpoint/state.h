/* What save.c and restore.c move: the state at a head, as seen from the entry of its loop. */
#ifndef ORRERY_CHECKPOINT_STATE_H
#define ORRERY_CHECKPOINT_STATE_H

#include "runtime/checkpoint/image.h"
#include "runtime/orrery_run.h"

/*
 * How it stood when the loop was entered, for the `ordinal`th time, 1 the first. `frame`: of the
 * head's function; `callers`: the bytes from there to the stack's end; `live`: of each variable.
 */
struct orrery_entry {
    struct orrery_ckpt_point *ckpt_point;
    long ordinal;
    const char *frame;
    struct orrery_image image;
    char *callers;
    int nlive;
    char **live;
};

/* A place at a head: its loop's entry, the variables, the number of the pass that begins. */
struct orrery_place {
    struct orrery_entry *entry;
    const struct orrery_live *live;
    long pass;
};

/* ---- manifest.c: text that says what has to be equal ----------------------------------------- */

/* Of the run: program, arguments, grid, seed, addresses. Owned by the caller (dsm_own_free). */
char *orrery_manifest_run(int argc, char **argv);
/* Of the place: loop, entry, frame, variables. */
char *orrery_manifest_place(const struct orrery_place *place);
/* The first line of `is` that `was` has not at this place, and that of `was`: false when all of
 * `is` stands at the beginning of `was`. */
bool orrery_manifest_differs(const char *is, const char *was, char is_line[256],
                             char was_line[256]);

/* ---- reach.c: have loops written only what is saved? ----------------------------------------- */

bool orrery_inside(struct dsm_status *status);

/* ---- save.c ---------------------------------------------------------------------------------- */

/* Writes the temporary file. Failed: it cannot be saved, and there is none. `run`:
 * orrery_manifest_run. */
bool orrery_save_write(const char *path, const char *run, const struct orrery_place *place,
                       struct dsm_status *status);

/* ---- restore.c ------------------------------------------------------------------------------- */

struct orrery_saved;

/* A whole checkpoint. Ends the run when it is one of another run. */
struct orrery_saved *orrery_saved_open(const char *path, const char *run);

/* Is it of this loop, entered for this time? */
bool orrery_saved_is_of(const struct orrery_saved *saved, const struct orrery_entry *entry);

/* Where the saved loop is: "mf.c:81, entry 1, pass 5". */
const char *orrery_saved_where(const struct orrery_saved *saved);

/* Puts the state in place and closes the file. Ends the run, nothing changed, when the entry is not
 * the one that was saved. Returns the pass. */
long orrery_saved_restore(struct orrery_saved *saved, const struct orrery_place *place);

#endif
