/* What stands between the program's memory and those who touch it: watches, homes, lazy copies. */
#ifndef ORRERY_DSM_ARRAYS_GUARD_H
#define ORRERY_DSM_ARRAYS_GUARD_H

#include "dsm/memory/memory.h"

/* ---- guard.c: what stands between user memory and those who touch it ------------------------- */

/* The kernel is about to read (or write) this memory. */
void dsm_guard_touch(const void *address, size_t bytes, bool write);

struct dsm_hold;
/* The same: so many bytes of it, at least one, can be used until dsm_let, whatever other threads do.
 * 0: that holds of all of it as long as nobody touches it otherwise, and nothing has happened. */
size_t dsm_hold(const void *address, size_t bytes, bool write, struct dsm_hold *hold);
/* The same, of all of it. */
void dsm_hold_all(const void *address, size_t bytes, bool write, struct dsm_hold *hold);
/* The call has returned. Keeps errno. */
void dsm_let(struct dsm_hold *hold);

/* The block is about to be freed; about to be resized or moved; was just handed out. */
void dsm_guard_free(const void *address, size_t bytes);
void dsm_guard_move(const void *address, size_t bytes);
void dsm_guard_new(const void *address, size_t bytes);

/* ---- watch.c --------------------------------------------------------------------------------- */

/* How many watches, protected homes and lazy copies there are: 0 = the hooks have nothing to do. */
extern atomic_int dsm_guarded;

/* Marks the watches that have a byte in [low, high) and opens their pages. */
void dsm_watch_hit(const char *low, const char *high);
/* A write fault: true when a watch had the page. Signal-safe. */
bool dsm_watch_fault(const char *address);
/* Pages that are no lazy copy any more: readable where a watch needs them so, else writable. */
void dsm_watch_reopen(char *low, char *high);

/* ---- home.c ---------------------------------------------------------------------------------- */

/* WATCH: windows only; a loop is about to look at it, and its own checks of memory follow. */
enum dsm_touch { DSM_TOUCH_READ, DSM_TOUCH_MOVE, DSM_TOUCH_FREE, DSM_TOUCH_WATCH };
void dsm_home_touch(const char *low, const char *high, enum dsm_touch how);
/* The same without lazy copies. */
void dsm_homes_touch(const char *low, const char *high, enum dsm_touch how);
/* A fault: true when it was a protected home page, which is valid now. */
bool dsm_home_fault(const char *address, bool write);

/* Rank 0: every pending home is valid again. */
void dsm_homes_collect(void);

/* ---- lazy.c ---------------------------------------------------------------------------------- */

void dsm_lazy_touch(const char *low, const char *high, enum dsm_touch how);
/* A fault: true when something was pending there, which is there now. */
bool dsm_lazy_fault(const char *address);
/* The first stretch of [low, high) that is pending; empty, at high: there is none. Signal-safe. */
struct dsm_range dsm_lazy_next(const char *low, const char *high);

/* Can bytes be written to pages that nobody may read? Writes them; what cannot ends the job. */
bool dsm_hidden_possible(void);
void dsm_hidden_put(char *to, const char *from, size_t bytes);

/* ---- window.c: rank 0, under a budget --------------------------------------------------------- */

/* A block that was just handed out, its bytes zero where it has pages of its own: it gets a window
 * if it is large. */
void dsm_window_new(void *memory, size_t bytes);
/* realloc(3) of a block with a window: chunks that other ranks have stay there. False: it has none,
 * or would have none with so few bytes, and nothing has happened. */
bool dsm_window_realloc(void *old, size_t bytes, void **memory);
/* The block has a window, or one of so many bytes would get one: it is copied when it is resized. */
bool dsm_window_copies(const void *old, size_t bytes);
/* A fault: true when the page was outside of its window, and is inside now. */
bool dsm_window_fault(const char *address, bool write);
/* Blocks with bytes in [low, high) are needed whole, and have no window any more; or are freed. */
void dsm_window_touch(const char *low, const char *high, enum dsm_touch how);
void dsm_windows_close(void);
/* Chunks of a window, or spilled memory, that a call of the kernel needs. */
struct dsm_hold {
    int window; /* its number, 0: none */
    long first, end;
    const char *spilled; /* bytes that stay, if there are any */
    size_t bytes;
};

/* The kernel is about to read (or write) this memory: so many bytes of it can be used until
 * dsm_window_let, whatever other threads do; 0: it has no window, and nothing is held. */
size_t dsm_window_hold(const void *memory, size_t bytes, bool write, struct dsm_hold *hold);
/* The call has returned. Keeps errno. */
void dsm_window_let(const struct dsm_hold *hold);
/* Memory that is only read, chunk by chunk: has anybody written to its window since? */
struct dsm_window_look {
    int window;
    long writes;
};
bool dsm_window_watch(const char *low, const char *high, struct dsm_window_look *look);
bool dsm_window_unchanged(const struct dsm_window_look *look);
/* The commands WINDOW and PEEK. */
bool dsm_window_serve(const void *order, size_t bytes);
bool dsm_window_peek_serve(const void *order, size_t bytes);

/* ---- placed.c -------------------------------------------------------------------------------- */

/* The command FETCH. */
bool dsm_place_serve(const void *fetch, size_t bytes);

/* ---- array.c --------------------------------------------------------------------------------- */

/* A fault inside a view ends the job with a report. */
void dsm_array_fault(const char *address, bool write);

#endif
