/*
 * Windows: under a budget (dsm_budget) rank 0 holds a part of each large block of its heap; the
 * rest is on the ranks that its chunks belong to (docs/dsm-protocol.md, "Windows").
 */
#include "dsm/arrays/window.h"
#include "dsm/memory/spill.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_CHUNK (1UL << 20)
#define LEAST_CHUNK (1UL << 16)
/* So many chunks are rank 0's whatever the budget: an instruction touches some at once. */
#define LEAST_HERE 4
#define MOST_HELD 3
#define BATCH 8
#define AHEAD 4
/* Of what a process may have beside its budget, for the program and the libraries. */
#define MOST_PROGRAM (20UL << 20)

/* A chunk that rank 0 holds of another rank's. */
struct here {
    struct dsm_window *window;
    long c;
};

static struct {
    struct dsm_lock lock; /* of all below, on rank 0 */
    struct dsm_window *first;
    int numbers;
    struct here *here; /* oldest first */
    long nhere, room;
    size_t resident;            /* bytes here: chunks, closed blocks, views, depots */
    size_t beside;              /* ... of stores without a window, which end no job */
    struct dsm_window *closing; /* of its chunks none goes */
    size_t program;             /* bytes of the process before it had a window */
    bool beyond;                /* a loop needed blocks whole: its checks say what is too much */
    struct dsm_window *next_in; /* sequential reading: the chunk expected next */
    long next;
    char *bounce; /* AHEAD chunks */
} all;

static size_t chunk_bytes(void) {
    size_t chunk = MOST_CHUNK;
    while (chunk > LEAST_CHUNK && chunk > dsm_job.budget / 64)
        chunk /= 2;
    return dsm_job.evict ? DSM_PAGE : chunk;
}

static _Noreturn void over_fail(const char *name, size_t more) {
    const char *where = dsm_context_get()->where;
    dsm_fail(1,
             "%s: rank %d would have %.1f MB of the program's arrays with %s%.1f MB of %s, more "
             "than the %.0f that they may have (%s of ORRERY_MEMORY)%s [ORR9233]",
             where ? where : "between loops", dsm_world.rank, (double)(all.resident + more) / 1e6,
             more ? "another " : "", (double)more / 1e6, name, (double)dsm_job.budget / 1e6,
             dsm_spill.on ? "three eighths" : "three quarters",
             dsm_spill.on ? "" : "; what is cut or read by its rows may be in files: ORRERY_SPILL");
}

static void resident_add(size_t bytes, const char *name) {
    if (all.resident + bytes > dsm_job.budget && !dsm_job.evict && !all.beyond)
        over_fail(name, bytes);
    all.resident += bytes;
}

/* ---- rank 0 and the owners ------------------------------------------------------------------- */

static struct dsm_window_order order_new(const struct dsm_window *window, int what) {
    return (struct dsm_window_order){
        .window = {window->number, window->bytes, window->chunk, window->home}, .what = what};
}

static void order_send(const struct dsm_window_order *order) {
    dsm_command_own(DSM_OP_WINDOW, order, sizeof *order);
}

void dsm_window_tell(const struct dsm_window *window, int what) {
    struct dsm_window_order order = order_new(window, what);
    order_send(&order);
}

void dsm_window_waits(struct dsm_request **requests, int count) {
    for (int i = 0; i < count; ++i)
        dsm_wait(requests[i]);
}

/* The chunks go to their owners; nobody can write them meanwhile. */
static void put(struct dsm_window *window, const struct dsm_window_order *order) {
    struct dsm_request *requests[DSM_WINDOW_LISTED];
    int n = 0;
    if (order->count == 0)
        return;
    order_send(order);
    for (int i = 0; i < order->count; ++i) {
        long c = order->chunks[i];
        char *from = dsm_window_memory(window, c);
        size_t length = dsm_window_length(window, c);
        if (dsm_window_owner(c) == 0) {
            dsm_window_depot_take(window, c);
            memcpy(dsm_window_owned(window, c), from, length);
        } else {
            requests[n++] =
                dsm_message_send(DSM_BULK, dsm_window_owner(c), DSM_TAG_CHUNK, from, length);
        }
    }
    dsm_window_waits(requests, n);
}

void dsm_window_protect(const struct dsm_window *window, long c, int protection) {
    char *low = dsm_window_memory(window, c);
    dsm_protect(low, low + dsm_window_length(window, c), protection);
}

static void chunk_give(struct dsm_window *window, long c) {
    if (window->states[c] != DSM_CHUNK_ZERO)
        all.resident -= dsm_window_length(window, c);
    dsm_window_protect(window, c, PROT_NONE);
    dsm_clib_advise(dsm_window_memory(window, c), dsm_window_length(window, c), MADV_DONTNEED);
    window->states[c] = DSM_CHUNK_AWAY;
}

static bool is_held(const struct here *here) {
    return here->window == all.closing || here->window->holds[here->c] > 0;
}

/* Chunks of one window, of those chosen the oldest, at most `most`, go to their owners. */
static bool evict(struct dsm_window *only, int most) {
    struct here gone[BATCH];
    int n = 0;
    long kept = 0;
    struct dsm_window_order order;
    for (long i = 0; i < all.nhere; ++i) {
        struct here here = all.here[i];
        if (n < most && (!only || here.window == only) && !is_held(&here)) {
            only = here.window;
            gone[n++] = here;
        } else {
            all.here[kept++] = here;
        }
    }
    all.nhere = kept;
    if (n == 0)
        return false;
    order = order_new(only, DSM_WINDOW_PUT);
    for (int i = 0; i < n; ++i) {
        if (only->states[gone[i].c] == DSM_CHUNK_DIRTY) {
            dsm_window_protect(only, gone[i].c, PROT_READ);
            order.chunks[order.count++] = (int)gone[i].c;
        }
    }
    put(only, &order);
    for (int i = 0; i < n; ++i)
        chunk_give(only, gone[i].c);
    return true;
}

/* What the process may have: a third on top of its arrays, or what it had before them, since with a
 * small budget that is more. */
static size_t process_budget(void) {
    size_t third = dsm_job.budget / 3,
           program = all.program < MOST_PROGRAM ? all.program : MOST_PROGRAM;
    return dsm_job.budget + (program > third ? program : third);
}

/* Too little room for so many bytes more: of arrays, or of what the process may have; a batch stays
 * in any case. */
bool dsm_windows_full(size_t bytes) {
    if (dsm_job.evict)
        return all.nhere >= LEAST_HERE;
    return all.resident + bytes > dsm_job.budget ||
           (all.nhere > BATCH && (all.resident + all.beside + bytes > dsm_job.budget ||
                                  dsm_process_bytes(!dsm_spill.on) + bytes > process_budget()));
}

void dsm_windows_room(size_t bytes) {
    int most = dsm_job.evict ? 1 : BATCH;
    while (dsm_windows_full(bytes))
        if (!evict(NULL, most))
            return;
}

static void here_add(struct dsm_window *window, long c) {
    if (all.nhere == all.room) {
        all.room = all.room ? 2 * all.room : 64;
        all.here = dsm_own_realloc(all.here, (size_t)all.room * sizeof *all.here);
    }
    all.here[all.nhere++] = (struct here){window, c};
}

/* The buffer is of use while serial code reads. Its room is for arrays while a loop runs. */
static void bounce_free(void) {
    dsm_own_free(all.bounce);
    all.bounce = NULL;
}

/* The chunks of `order`, which are away, are brought. */
static void get(struct dsm_window *window, const struct dsm_window_order *order) {
    struct dsm_request *requests[DSM_WINDOW_LISTED];
    if (!all.bounce)
        all.bounce = dsm_own_alloc(AHEAD * window->chunk);
    int n = 0;
    order_send(order);
    for (int i = 0; i < order->count; ++i) {
        long c = order->chunks[i];
        char *to = all.bounce + (size_t)i * window->chunk;
        size_t length = dsm_window_length(window, c);
        if (dsm_window_owner(c) == 0)
            memcpy(to, dsm_window_owned(window, c), length);
        else
            requests[n++] =
                dsm_message_receive(DSM_BULK, dsm_window_owner(c), DSM_TAG_CHUNK, to, length);
    }
    dsm_window_waits(requests, n);
    for (int i = 0; i < order->count; ++i) {
        long c = order->chunks[i];
        dsm_hidden_put(dsm_window_memory(window, c), all.bounce + (size_t)i * window->chunk,
                       dsm_window_length(window, c));
        dsm_window_protect(window, c, PROT_READ);
        window->states[c] = DSM_CHUNK_CLEAN;
        here_add(window, c);
    }
}

/* Chunk c, and those behind it where the program reads on. */
static void chunks_bring(struct dsm_window *window, long c) {
    struct dsm_window_order order = order_new(window, DSM_WINDOW_GET);
    bool onward = all.next_in == window && all.next == c && !dsm_job.evict;
    int most = onward ? AHEAD : 1;
    long end = c;
    size_t bytes = 0;
    for (; end < window->count && end < c + most; ++end) {
        if (window->states[end] == DSM_CHUNK_AWAY) {
            order.chunks[order.count++] = (int)end;
            bytes += dsm_window_length(window, end);
        }
    }
    dsm_windows_room(bytes);
    resident_add(bytes, "a block of the heap");
    get(window, &order);
    all.next_in = window;
    all.next = end;
}

static void chunk_dirty(struct dsm_window *window, long c) {
    window->states[c] = DSM_CHUNK_DIRTY;
    ++window->writes;
}

/* Chunk c can be read, or written. */
static void chunk_open(struct dsm_window *window, long c, bool write) {
    if (window->states[c] == DSM_CHUNK_ZERO) {
        dsm_windows_room(dsm_window_length(window, c));
        resident_add(dsm_window_length(window, c), "a block of the heap");
        dsm_window_protect(window, c, PROT_READ | PROT_WRITE);
        chunk_dirty(window, c);
        if (dsm_window_leaves(window, c))
            here_add(window, c);
    } else if (window->states[c] == DSM_CHUNK_AWAY) {
        chunks_bring(window, c);
    }
    if (write && window->states[c] == DSM_CHUNK_CLEAN) {
        dsm_window_protect(window, c, PROT_READ | PROT_WRITE);
        chunk_dirty(window, c);
    }
}

/* ---- windows --------------------------------------------------------------------------------- */

struct dsm_window *dsm_window_numbered(int number) {
    struct dsm_window *window = all.first;
    while (window && window->number != number)
        window = window->next;
    return window;
}

size_t dsm_window_least(void) {
    return dsm_job.evict ? LEAST_CHUNK : 2 * chunk_bytes();
}

void dsm_window_new(void *memory, size_t bytes) {
    size_t chunk = chunk_bytes();
    if (!dsm_job.budget || dsm_world.ranks == 1 || !memory || bytes < dsm_window_least() ||
        !dsm_in_heap(memory) || !dsm_job.started || !dsm_hidden_possible())
        return;
    struct dsm_window *window = dsm_own_alloc(sizeof *window);
    *window = (struct dsm_window){.bytes = dsm_page_up(bytes), .chunk = chunk, .low = memory};
    window->used = bytes;
    window->count = (long)((window->bytes + chunk - 1) / chunk);
    window->states =
        memset(dsm_own_alloc((size_t)window->count), DSM_CHUNK_ZERO, (size_t)window->count);
    size_t holds = (size_t)window->count * sizeof *window->holds;
    window->holds = memset(dsm_own_alloc(holds), 0, holds);
    dsm_clib_advise(memory, window->bytes, MADV_NOHUGEPAGE);
    if (dsm_spill.on)
        dsm_window_depot(window);
    dsm_lock_take(&all.lock);
    if (all.numbers == 0)
        all.program = dsm_process_bytes(!dsm_spill.on);
    window->number = ++all.numbers;
    dsm_window_list(window);
    atomic_fetch_add(&dsm_guarded, 1);
    dsm_protect(memory, window->low + window->bytes, PROT_NONE);
    dsm_lock_give(&all.lock);
}

/* The window that has a byte in [low, high); of those that are closed only if `closed`. */
static struct dsm_window *find(const char *low, const char *high, bool closed) {
    struct dsm_window *window = all.first;
    while (window &&
           (window->closed > closed || high <= window->low || window->low + window->bytes <= low))
        window = window->next;
    return window;
}

/* ... that no array has; what one has comes back first. Takes the lock, gives it where there is
 * none. */
static struct dsm_window *find_settled(const char *low, const char *high, bool closed, bool free) {
    struct dsm_window *window;
    dsm_lock_take(&all.lock);
    while ((window = find(low, high, closed)) && window->lent && !free) {
        struct dsm_array *array = window->lent;
        dsm_lock_give(&all.lock);
        dsm_home_wanted(array, low > window->low ? low : window->low);
        dsm_lock_take(&all.lock);
    }
    if (!window)
        dsm_lock_give(&all.lock);
    return window;
}

void dsm_window_list(struct dsm_window *window) {
    window->next = all.first;
    all.first = window;
}

void dsm_window_unlist(const struct dsm_window *window) {
    struct dsm_window **link = &all.first;
    while (*link != window)
        link = &(*link)->next;
    *link = window->next;
}

struct dsm_window *dsm_window_settled(const char *address) {
    return dsm_job.budget ? find_settled(address, address + 1, false, false) : NULL;
}

void dsm_window_empty(struct dsm_window *window) {
    while (evict(window, BATCH))
        ;
    if (all.next_in == window)
        all.next_in = NULL;
    ++window->writes;
}

void dsm_windows_lock(void) {
    dsm_lock_take(&all.lock);
}

void dsm_windows_unlock(void) {
    dsm_lock_give(&all.lock);
}

static void here_forget(const struct dsm_window *window) {
    long kept = 0;
    for (long i = 0; i < all.nhere; ++i)
        if (all.here[i].window != window)
            all.here[kept++] = all.here[i];
    all.nhere = kept;
}

static size_t bytes_in(const struct dsm_window *window, unsigned char state) {
    size_t bytes = 0;
    for (long c = 0; c < window->count; ++c)
        if (window->states[c] == state)
            bytes += dsm_window_length(window, c);
    return bytes;
}

/* The whole block is here from now on: somebody needs it as one. That is a loop, most often, whose
 * tables come next: the windows are emptied. Chunks that nobody has touched have no memory yet, and
 * do not count. */
static void close_locked(struct dsm_window *window, bool watched) {
    size_t bytes = bytes_in(window, DSM_CHUNK_AWAY);
    all.closing = window;
    while (evict(NULL, BATCH))
        ;
    bool over = !dsm_job.evict && all.resident + bytes > dsm_job.budget;
    if (over && !watched)
        over_fail("a block that is needed whole", bytes);
    all.beyond |= over;
    for (long c = 0; c < window->count; ++c)
        if (window->states[c] != DSM_CHUNK_ZERO)
            chunk_open(window, c, true);
    dsm_protect(window->low, window->low + window->bytes, PROT_READ | PROT_WRITE);
    here_forget(window);
    window->closed = true;
    ++window->writes;
    all.closing = NULL;
    dsm_window_depot_end(window);
    dsm_window_tell(window, DSM_WINDOW_DROP);
}

/* The memory is the program's no more. */
static void drop_locked(struct dsm_window *window) {
    dsm_window_unlist(window);
    here_forget(window);
    if (all.next_in == window)
        all.next_in = NULL;
    dsm_window_peeks_end(window);
    if (window->lent)
        dsm_home_gone(window->lent);
    else
        all.resident -=
            window->bytes - bytes_in(window, DSM_CHUNK_ZERO) - bytes_in(window, DSM_CHUNK_AWAY);
    dsm_protect(window->low, window->low + window->bytes, PROT_READ | PROT_WRITE);
    if (!window->closed && !dsm_is_over())
        dsm_window_tell(window, DSM_WINDOW_DROP);
    atomic_fetch_sub(&dsm_guarded, 1);
    dsm_window_depot_end(window);
    dsm_own_free(window->states);
    dsm_own_free(window->holds);
    dsm_own_free(window);
}

void dsm_window_touch(const char *low, const char *high, enum dsm_touch how) {
    struct dsm_window *window;
    bool gone = how == DSM_TOUCH_FREE;
    while (dsm_job.budget && (window = find_settled(low, high, gone, gone)) != NULL) {
        if (gone)
            drop_locked(window);
        else
            close_locked(window, how == DSM_TOUCH_WATCH);
        dsm_lock_give(&all.lock);
    }
}

void dsm_windows_close(void) {
    dsm_window_touch(NULL, (const char *)UINTPTR_MAX, DSM_TOUCH_READ);
}

/* Of a block that an array has: the page as the stores have it. */
static bool is_peeked(const char *address) {
    dsm_lock_take(&all.lock);
    struct dsm_window *window = find(address, address + 1, false);
    bool seen = window && window->lent && dsm_window_peek(window, address);
    dsm_lock_give(&all.lock);
    return seen;
}

bool dsm_window_fault(const char *address, bool write) {
    if (!dsm_job.budget)
        return false;
    if (!write && is_peeked(address))
        return true;
    struct dsm_window *window = find_settled(address, address + 1, false, false);
    if (!window)
        return false;
    chunk_open(window, (long)((size_t)(address - window->low) / window->chunk), write);
    dsm_lock_give(&all.lock);
    return true;
}

size_t dsm_window_hold(const void *memory, size_t bytes, bool write, struct dsm_hold *hold) {
    const char *low = memory;
    if (!dsm_job.budget || bytes == 0)
        return 0;
    struct dsm_window *window = find_settled(low, low + bytes, false, false);
    if (!window)
        return 0;
    long c = (long)((size_t)(low - window->low) / window->chunk);
    if (low < window->low) {
        dsm_lock_give(&all.lock);
        return 0;
    }
    long end = c + 1;
    const char *high = dsm_window_memory(window, c) + dsm_window_length(window, c);
    for (; end < window->count && end < c + MOST_HELD && high < low + bytes; ++end)
        high += dsm_window_length(window, end);
    *hold = (struct dsm_hold){.window = window->number, .first = c, .end = end};
    for (long held = c; held < end; ++held)
        ++window->holds[held];
    for (; c < end; ++c)
        chunk_open(window, c, write);
    dsm_lock_give(&all.lock);
    return low + bytes < high ? bytes : (size_t)(high - low);
}

void dsm_window_let(const struct dsm_hold *hold) {
    int error = errno;
    if (hold->window == 0)
        return;
    dsm_lock_take(&all.lock);
    struct dsm_window *window = dsm_window_numbered(hold->window);
    for (long c = hold->first; window && c < hold->end; ++c)
        --window->holds[c];
    dsm_lock_give(&all.lock);
    errno = error;
}

/* Nothing of the window is written from here on without being counted: what is here goes to its
 * owners, too. */
static void all_clean(struct dsm_window *window) {
    struct dsm_window_order order = order_new(window, DSM_WINDOW_PUT);
    for (long c = 0; c < window->count; ++c) {
        if (window->states[c] != DSM_CHUNK_DIRTY)
            continue;
        dsm_window_protect(window, c, PROT_READ);
        window->states[c] = DSM_CHUNK_CLEAN;
        if (dsm_window_leaves(window, c))
            order.chunks[order.count++] = (int)c;
        if (order.count == sizeof order.chunks / sizeof *order.chunks) {
            put(window, &order);
            order.count = 0;
        }
    }
    put(window, &order);
}

bool dsm_window_is_held(const struct dsm_window *window) {
    for (long c = 0; c < window->count; ++c)
        if (window->holds[c] > 0)
            return true;
    return false;
}

bool dsm_window_watch(const char *low, const char *high, struct dsm_window_look *look) {
    struct dsm_window *window = dsm_job.budget ? find_settled(low, high, false, false) : NULL;
    if (!window)
        return false;
    bool can =
        low >= window->low && high <= window->low + window->bytes && !dsm_window_is_held(window);
    if (can) {
        all_clean(window);
        *look = (struct dsm_window_look){window->number, window->writes};
    }
    dsm_lock_give(&all.lock);
    return can;
}

bool dsm_window_unchanged(const struct dsm_window_look *look) {
    dsm_lock_take(&all.lock);
    const struct dsm_window *window = dsm_window_numbered(look->window);
    bool same = window && window->writes == look->writes;
    dsm_lock_give(&all.lock);
    return same;
}

bool dsm_is_windowed(const char *low, const char *high) {
    dsm_lock_take(&all.lock);
    const struct dsm_window *window = dsm_job.budget ? find(low, high, false) : NULL;
    bool has = window && low >= window->low && high <= window->low + window->bytes;
    dsm_lock_give(&all.lock);
    return has;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* A view of half of the block or more, since what is not of the array brings it home when it is
 * touched; of any part where the whole block would not fit, or in a test. */
static bool covers(const struct dsm_array *array, const struct dsm_window *window) {
    const struct dsm_layout *layout = &array->layout;
    size_t bytes = (size_t)layout->nrows * (size_t)array->row_bytes;
    return array->view && !array->shared && layout->base >= window->low &&
           layout->base + bytes <= window->low + window->bytes && layout->nrows < UINT32_MAX &&
           (dsm_job.evict || bytes >= window->bytes / 2 ||
            all.resident + bytes_in(window, DSM_CHUNK_AWAY) > dsm_job.budget);
}

struct dsm_window_name dsm_window_lend(struct dsm_array *array) {
    struct dsm_window_name name = {0};
    const char *low = array->layout.base;
    struct dsm_window *window =
        dsm_job.budget && array->view ? find_settled(low, low + 1, false, false) : NULL;
    if (!window)
        return name;
    if (covers(array, window) && !dsm_window_is_held(window)) {
        while (evict(window, BATCH))
            ;
        bounce_free();
        for (long c = 0; c < window->count; ++c)
            if (dsm_window_leaves(window, c))
                window->states[c] = DSM_CHUNK_AWAY;
        window->lent = array;
        ++window->writes;
        window->home = (size_t)(low - window->low);
        name = (struct dsm_window_name){window->number, window->bytes, window->chunk, window->home};
    }
    dsm_lock_give(&all.lock);
    return name;
}

void dsm_window_ready(struct dsm_window *window, long c) {
    if (!window->depot && window->states[c] == DSM_CHUNK_ZERO)
        dsm_window_protect(window, c, PROT_READ);
}

static void enter_here(struct dsm_window *window, long c) {
    dsm_lock_take(&all.lock);
    if (window->states[c] != DSM_CHUNK_DIRTY && window->states[c] != DSM_CHUNK_CLEAN) {
        size_t bytes = dsm_window_length(window, c);
        dsm_windows_room(bytes);
        resident_add(bytes, "a block of the heap");
    }
    dsm_window_protect(window, c, PROT_READ | PROT_WRITE);
    window->states[c] = DSM_CHUNK_DIRTY;
    dsm_lock_give(&all.lock);
}

void dsm_window_enter(struct dsm_window *window, long c) {
    if (window->depot)
        resident_add(dsm_window_depot_take(window, c), "rank 0's heap");
    else
        enter_here(window, c);
}

void dsm_window_leave(struct dsm_window *window, long c) {
    if (window->depot) {
        all.resident -= dsm_window_depot_give(window, c);
        return;
    }
    dsm_lock_take(&all.lock);
    chunk_give(window, c);
    dsm_lock_give(&all.lock);
}

void dsm_window_seal(struct dsm_window *window, long c) {
    if (!window->depot)
        dsm_window_protect(window, c, PROT_NONE);
}

void dsm_window_views(struct dsm_array *array, size_t bytes) {
    dsm_lock_take(&all.lock);
    bytes = dsm_spill.on ? 0 : bytes;
    all.resident -= array->counted;
    if (bytes > 0)
        resident_add(bytes, array->layout.name);
    array->counted = bytes;
    dsm_lock_give(&all.lock);
}

/* Counted on rank 0, which makes room as far as it can: all ranks' checks are behind the loop. */
void dsm_window_stores(struct dsm_array *array, size_t bytes) {
    if (dsm_job.budget && dsm_world.rank == 0 && !dsm_spill.on) {
        dsm_lock_take(&all.lock);
        all.beside -= array->beside;
        dsm_windows_room(bytes);
        all.beside += bytes;
        array->beside = bytes;
        dsm_lock_give(&all.lock);
    }
}

void dsm_window_views_come(const struct dsm_window *window, size_t bytes) {
    size_t leaves = 0;
    dsm_lock_take(&all.lock);
    for (long c = 0; c < window->count && dsm_world.rank == 0; ++c)
        if (dsm_window_owner(c) == 0 && window->states[c] != DSM_CHUNK_ZERO &&
            dsm_window_is_rows(window, window->lent, c))
            leaves += dsm_window_length(window, c);
    if (dsm_world.rank == 0 && bytes > leaves && !dsm_spill.on)
        dsm_windows_room(bytes - leaves);
    dsm_lock_give(&all.lock);
}

void dsm_windows_count(long bytes) {
    all.resident += (size_t)bytes;
}

size_t dsm_window_room(size_t bytes) {
    if (!dsm_job.budget)
        return 0;
    dsm_lock_take(&all.lock);
    dsm_windows_room(bytes);
    dsm_lock_give(&all.lock);
    return dsm_process_bytes(true);
}

void dsm_window_pending(struct dsm_window *window, bool pending) {
    dsm_lock_take(&all.lock);
    if (pending)
        dsm_window_peeks_start(window);
    else
        dsm_window_peeks_end(window);
    dsm_lock_give(&all.lock);
}

void dsm_window_returned(struct dsm_window *window) {
    dsm_lock_take(&all.lock);
    window->lent = NULL;
    dsm_lock_give(&all.lock);
}

void dsm_whole(const char *low, const char *high) {
    dsm_window_touch(low, high, DSM_TOUCH_READ);
}
