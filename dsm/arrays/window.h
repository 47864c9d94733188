/* Windows: blocks of rank 0's heap of which it holds a part (docs/dsm-protocol.md, "Windows"). */
#ifndef ORRERY_DSM_ARRAYS_WINDOW_H
#define ORRERY_DSM_ARRAYS_WINDOW_H

#include "dsm/arrays/array.h"
#include "dsm/arrays/window_depot.h"

/* How a window is named to other ranks; number 0: there is none. */
struct dsm_window_name {
    int number;
    size_t bytes, chunk, home;
};

#define DSM_TAG_CHUNK 7
#define DSM_WINDOW_LISTED 40

enum { DSM_WINDOW_PUT, DSM_WINDOW_GET, DSM_WINDOW_RESIZE, DSM_WINDOW_DROP };

/* The command WINDOW: rank 0 sends (PUT) or wants (GET) these chunks, gives the window other bytes
 * (RESIZE), or drops it. */
struct dsm_window_order {
    struct dsm_window_name window;
    int what, count;
    int chunks[DSM_WINDOW_LISTED];
};

/* Rank 0: the window that the array covers whole, and no other array has; number 0: none. Only its
 * owners have its chunks then. The others: the window of that name. */
struct dsm_window_name dsm_window_lend(struct dsm_array *array);
struct dsm_window *dsm_window_named(struct dsm_window_name name);

/* The window that this rank knows by a number; NULL. All that it knows: one more, one less. */
struct dsm_window *dsm_window_numbered(int number);
void dsm_window_list(struct dsm_window *window);
void dsm_window_unlist(const struct dsm_window *window);
void dsm_window_waits(struct dsm_request **requests, int count);

/* Rank 0: the window with an address, which no array has (the lock is taken then), or NULL; all
 * chunks of others go to them, and the lock is given. Is a call of the kernel under way there? */
struct dsm_window *dsm_window_settled(const char *address);
void dsm_window_empty(struct dsm_window *window);
bool dsm_window_is_held(const struct dsm_window *window);
void dsm_windows_lock(void);
void dsm_windows_unlock(void);
/* Blocks of fewer bytes have no window. */
size_t dsm_window_least(void);
/* The chunk can be used so. */
void dsm_window_protect(const struct dsm_window *window, long c, int protection);
/* The other ranks are told. */
void dsm_window_tell(const struct dsm_window *window, int what);

/* A chunk of this rank's is about to be read; to be filled; has been given away. */
void dsm_window_ready(struct dsm_window *window, long c);
void dsm_window_enter(struct dsm_window *window, long c);
void dsm_window_leave(struct dsm_window *window, long c);
/* ... keeps bytes that are not the array's. */
void dsm_window_seal(struct dsm_window *window, long c);
/* This rank's store of the array has so many bytes from now on; over the budget the job ends. */
void dsm_window_views(struct dsm_array *array, size_t bytes);
/* ... will have, once the chunks have been given away: rank 0 makes room. */
void dsm_window_views_come(const struct dsm_window *window, size_t bytes);
/* The stores of an array without a window are about to be filled; have so many bytes here; hold
 * nothing that is of use. */
void dsm_window_stores_come(struct dsm_array *array);
void dsm_window_stores(struct dsm_array *array, size_t bytes);
void dsm_window_stores_drop(struct dsm_array *array);
/* Rank 0: the array's rows are with the owners of the chunks again. */
void dsm_window_returned(struct dsm_window *window);

/* Bytes more (or less) that this rank has. Has rank 0 no room for so many? Makes some, as far as it can.
 * The lock of windows is held. */
void dsm_windows_count(long bytes);
bool dsm_windows_full(size_t bytes);
void dsm_windows_room(size_t bytes);

/* ---- window_peek.c; rank 0, the lock of windows is held -------------------------------------- */

/* The array's rows stay as they are from now on; they may change. */
void dsm_window_peeks_start(struct dsm_window *window);
void dsm_window_peeks_end(struct dsm_window *window);
/* Serial code reads there: true when it can now. */
bool dsm_window_peek(struct dsm_window *window, const char *address);

/* The same with the lock, of the window that an array has: its home is pending; is not. */
void dsm_window_pending(struct dsm_window *window, bool pending);

/* Does chunk c hold nothing but rows of the array that has the window? */
bool dsm_window_is_rows(const struct dsm_window *window, const struct dsm_array *array, long c);

/* Collective: from the owners of chunks to those of parts (out), or back. */
void dsm_window_move(struct dsm_array *array, bool out);

#endif
