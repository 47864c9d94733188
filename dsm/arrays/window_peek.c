/*
 * Peeking: serial code reads pages of a block whose rows are in an array's stores
 * (docs/dsm-protocol.md, "Windows"). The rows stay where they are; rank 0 gets copies of the pages,
 * which go before anybody may change a row.
 */
#include "dsm/arrays/window.h"

#include <string.h>
#include <sys/mman.h>

#define TAG_PEEK 11
/* Of a stretch; of stretches at once, since the kernel's list of mappings is short; so many stay
 * whatever the budget, since an instruction touches some at once. */
#define MOST_PAGES 256
#define MOST_STRETCHES 2048
/* So many at once where one in eight is there already, and there is room for all. */
#define MANY_PAGES 16
#define LEAST_STRETCHES 4
/* A table of places is made for rows of so many bytes at least, where they have an order. */
#define LEAST_ROW 64

/* The command PEEK: rank 0 wants bytes [low, high) of the window that an array has. */
struct order {
    int array;
    size_t low, high;
};

/* Pages of a window that are copies. */
struct stretch {
    struct dsm_window *window;
    size_t page, pages;
};

/* Rank 0; the lock of windows is held. */
static struct {
    struct stretch all[MOST_STRETCHES]; /* the oldest first */
    int count;
    size_t run; /* pages of the last stretch; the next one is longer where the program reads on */
    const struct dsm_window *next_in; /* the page behind it */
    size_t next;
} peeks;

/* ---- which rows ------------------------------------------------------------------------------ */

static size_t rows_bytes(const struct dsm_array *array) {
    return (size_t)array->layout.nrows * (size_t)array->row_bytes;
}

/* Positions of rows, where they have an order; made once per array. */
static void places_need(struct dsm_array *array) {
    const struct dsm_layout *layout = &array->layout;
    if (!layout->order || array->places)
        return;
    array->places = dsm_own_alloc((size_t)layout->nrows * sizeof *array->places);
    for (long position = 0; position < layout->nrows; ++position)
        array->places[layout->order[position]] = (uint32_t)position;
}

/* A piece of the bytes: where it stands on this rank, NULL: on another one. `rank`: who has it;
 * ranks above 0 know of themselves only, and see -1. */
typedef void see_piece(void *data, int rank, const char *here, size_t n);

/* Of a row, `from` bytes behind its begin. */
static void row_see(const struct dsm_array *array, long position, size_t from, size_t n,
                    see_piece *see, void *data) {
    int part = dsm_part_at(array, position);
    bool mine = dsm_part_state(array, part) == DSM_PART_PRESENT;
    int rank = dsm_world.rank == 0 ? array->holders[part] : mine ? dsm_world.rank : -1;
    if (mine)
        dsm_store_need(array, part, position, position + 1);
    see(data, rank, mine ? dsm_row_store(array, position) + from : NULL, n);
}

/* Of what is no row of the array: with the owner of its chunk. Rank 0's are not read where it has
 * no depot. */
static void rest_see(const struct dsm_window *window, size_t at, size_t n, see_piece *see,
                     void *data) {
    long c = (long)(at / window->chunk);
    bool mine = c % dsm_world.ranks == dsm_world.rank;
    int rank = dsm_world.rank == 0 ? (int)(c % dsm_world.ranks) : mine ? dsm_world.rank : -1;
    bool read = mine && window->depot;
    see(data, rank, read ? dsm_window_owned(window, c) + at % window->chunk : NULL, n);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static void pieces_see(const struct dsm_array *array, size_t low, size_t high, see_piece *see,
                       void *data) {
    const struct dsm_window *window = array->window;
    size_t row = (size_t)array->row_bytes, end = window->home + rows_bytes(array);
    for (size_t at = low, stop; at < high; at = stop) {
        if (at < window->home || at >= end) {
            stop = least((at / window->chunk + 1) * window->chunk, high);
            stop = at < window->home ? least(stop, window->home) : stop;
            rest_see(window, at, stop - at, see, data);
            continue;
        }
        size_t v = (at - window->home) / row, begin = window->home + v * row;
        long position = array->places ? (long)array->places[v] : (long)v;
        stop = least(begin + row, high);
        row_see(array, position, at - begin, stop - at, see, data);
    }
}

/* ---- the owners of rows and chunks ----------------------------------------------------------- */

static void see_count(void *data, int rank, const char *here, size_t n) {
    size_t *bytes = data;
    *bytes += here && rank == dsm_world.rank ? n : 0;
}

static void see_pack(void *data, int rank, const char *here, size_t n) {
    char **to = data;
    if (here && rank == dsm_world.rank) {
        memcpy(*to, here, n);
        *to += n;
    }
}

bool dsm_window_peek_serve(const void *payload, size_t bytes) {
    struct order order;
    size_t mine = 0;
    if (bytes != sizeof order)
        return false;
    memcpy(&order, payload, sizeof order);
    struct dsm_array *array = dsm_array_numbered(order.array);
    if (!array->window || order.low >= order.high || order.high > array->window->bytes)
        dsm_malformed(0, "the block of array %s has not got the bytes that it names",
                      array->layout.name);
    places_need(array);
    pieces_see(array, order.low, order.high, see_count, &mine);
    if (mine == 0)
        return true;
    char *buffer = dsm_own_alloc(mine), *to = buffer;
    pieces_see(array, order.low, order.high, see_pack, &to);
    dsm_wait(dsm_message_send(DSM_BULK, 0, TAG_PEEK, buffer, mine));
    dsm_own_free(buffer);
    return true;
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

/* What comes from each rank: its bytes, then where the next ones stand. `to`: the pages' bytes. */
struct coming {
    size_t *bytes;
    char **from, *to;
};

static void see_coming(void *data, int rank, const char *here, size_t n) {
    struct coming *coming = data;
    (void)here;
    coming->bytes[rank] += n;
}

static void see_here(void *data, int rank, const char *here, size_t n) {
    struct coming *coming = data;
    if (rank > 0 || here)
        memcpy(coming->to, rank > 0 ? coming->from[rank] : here, n);
    else
        memset(coming->to, 0, n);
    coming->to += n;
    coming->from[rank] += n;
}

/* Bytes [low, high) of the window that the array has, in `to`; zeros for what is no row and rank
 * 0's. */
static void bytes_get(struct dsm_array *array, size_t low, size_t high, char *to) {
    int ranks = dsm_world.ranks, n = 0;
    size_t bytes[ranks];
    char *from[ranks], *buffer = dsm_own_alloc(high - low), *at = buffer;
    struct dsm_request *requests[ranks];
    struct coming coming = {bytes, from, to};
    struct order order = {array->number, low, high};
    memset(bytes, 0, sizeof bytes);
    places_need(array);
    pieces_see(array, low, high, see_coming, &coming);
    dsm_command_own(DSM_OP_PEEK, &order, sizeof order);
    for (int rank = 0; rank < ranks; ++rank) {
        from[rank] = at;
        if (rank > 0 && bytes[rank] > 0)
            requests[n++] = dsm_message_receive(DSM_BULK, rank, TAG_PEEK, at, bytes[rank]);
        at += rank > 0 ? bytes[rank] : 0;
    }
    for (int i = 0; i < n; ++i)
        dsm_wait(requests[i]);
    pieces_see(array, low, high, see_here, &coming);
    dsm_own_free(buffer);
}

static bool bit_of(const struct dsm_window *window, size_t page) {
    return window->peeked[page / 8] >> page % 8 & 1;
}

static void bits_set(struct dsm_window *window, const struct stretch *stretch, bool set) {
    for (size_t page = stretch->page; page < stretch->page + stretch->pages; ++page) {
        unsigned char bit = (unsigned char)(1U << page % 8);
        window->peeked[page / 8] =
            (unsigned char)(set ? window->peeked[page / 8] | bit : window->peeked[page / 8] & ~bit);
    }
    window->npeeked += set ? stretch->pages : -stretch->pages;
}

/* The window's pages that hold nothing but rows, and what is nobody's behind the block's last byte:
 * [first, end). */
static void pages_of(const struct dsm_window *window, size_t *first, size_t *end) {
    size_t high = window->home + rows_bytes(window->lent);
    *first = dsm_page_up(window->home) / DSM_PAGE;
    *end = (high == window->used ? dsm_page_up(high) : dsm_page_down(high)) / DSM_PAGE;
}

static bool is_rows(const struct dsm_window *window, size_t page) {
    size_t first, end;
    pages_of(window, &first, &end);
    return page >= first && page < end;
}

/* The page has bytes of rank 0's own that are nowhere else. */
static bool is_own(const struct dsm_window *window, size_t page) {
    long c = (long)(page * DSM_PAGE / window->chunk);
    return !is_rows(window, page) && !dsm_window_leaves(window, c);
}

static void stretch_drop(const struct stretch *stretch) {
    char *low = stretch->window->low + stretch->page * DSM_PAGE;
    dsm_protect(low, low + stretch->pages * DSM_PAGE, PROT_NONE);
    if (!is_own(stretch->window, stretch->page))
        dsm_clib_advise(low, stretch->pages * DSM_PAGE, MADV_DONTNEED);
    bits_set(stretch->window, stretch, false);
    dsm_windows_count(-(long)(stretch->pages * DSM_PAGE));
}

static void oldest_drop(void) {
    stretch_drop(&peeks.all[0]);
    memmove(peeks.all, peeks.all + 1, (size_t)--peeks.count * sizeof *peeks.all);
}

/* Room for a stretch from `page` on; longer ones where the program reads on, or all over, and no
 * pages that are there. One that is not of rows is alone. */
static struct stretch stretch_choose(struct dsm_window *window, size_t page) {
    bool onward = peeks.next_in == window && peeks.next == page && is_rows(window, page);
    bool many = 8 * window->npeeked * DSM_PAGE > window->bytes && !dsm_windows_full(window->bytes);
    size_t most = onward ? 2 * peeks.run : many ? MANY_PAGES : 1;
    struct stretch stretch = {window, page, 1};
    most = dsm_job.evict ? 1 : most;
    while (peeks.count > LEAST_STRETCHES &&
           (dsm_job.evict || peeks.count == MOST_STRETCHES || dsm_windows_full(most * DSM_PAGE)))
        oldest_drop();
    dsm_windows_room(most * DSM_PAGE);
    if (dsm_windows_full(most * DSM_PAGE))
        most = 1;
    while (stretch.pages < most && stretch.pages < MOST_PAGES &&
           is_rows(window, page + stretch.pages) && !bit_of(window, page + stretch.pages))
        ++stretch.pages;
    return stretch;
}

/* What rank 0 has itself of its page stays. */
static void stretch_put(const struct stretch *stretch, const char *bytes) {
    const struct dsm_window *window = stretch->window;
    size_t low = stretch->page * DSM_PAGE, high = low + stretch->pages * DSM_PAGE, from = low;
    if (is_own(window, stretch->page)) {
        from = low > window->home ? low : window->home;
        high = least(high, window->home + rows_bytes(window->lent));
    }
    if (from < high)
        dsm_hidden_put(window->low + from, bytes + (from - low), high - from);
    dsm_protect(window->low + low, window->low + low + stretch->pages * DSM_PAGE, PROT_READ);
}

static void stretch_bring(const struct stretch *stretch) {
    struct dsm_window *window = stretch->window;
    size_t low = stretch->page * DSM_PAGE, bytes = stretch->pages * DSM_PAGE;
    char *buffer = dsm_own_alloc(bytes);
    bytes_get(window->lent, low, low + bytes, buffer);
    stretch_put(stretch, buffer);
    dsm_own_free(buffer);
    bits_set(window, stretch, true);
    dsm_windows_count((long)bytes);
    peeks.all[peeks.count++] = *stretch;
    peeks.run = stretch->pages;
    peeks.next_in = window;
    peeks.next = stretch->page + stretch->pages;
}

bool dsm_window_peek(struct dsm_window *window, const char *address) {
    size_t page = (size_t)(address - window->low) / DSM_PAGE;
    if (!window->peeked || dsm_context_get()->row >= 0)
        return false;
    if (!bit_of(window, page)) {
        struct stretch stretch = stretch_choose(window, page);
        stretch_bring(&stretch);
    }
    return true;
}

void dsm_window_peeks_start(struct dsm_window *window) {
    const struct dsm_array *array = window->lent;
    size_t bytes = window->bytes / DSM_PAGE / 8 + 1;
    if (window->peeked || (array->layout.order && array->row_bytes < LEAST_ROW) ||
        !dsm_hidden_possible())
        return;
    window->peeked = memset(dsm_own_alloc(bytes), 0, bytes);
    window->npeeked = 0;
}

void dsm_window_peeks_end(struct dsm_window *window) {
    int kept = 0;
    size_t first, end;
    if (!window->peeked)
        return;
    for (int i = 0; i < peeks.count; ++i) {
        const struct stretch *stretch = &peeks.all[i];
        if (stretch->window != window)
            peeks.all[kept++] = *stretch;
        else if (is_rows(window, stretch->page))
            dsm_windows_count(-(long)(stretch->pages * DSM_PAGE));
        else
            stretch_drop(stretch);
    }
    if (kept < peeks.count) {
        pages_of(window, &first, &end);
        dsm_protect(window->low + first * DSM_PAGE, window->low + end * DSM_PAGE, PROT_NONE);
        dsm_clib_advise(window->low + first * DSM_PAGE, (end - first) * DSM_PAGE, MADV_DONTNEED);
    }
    peeks.count = kept;
    if (peeks.next_in == window)
        peeks.next_in = NULL;
    dsm_own_free(window->peeked);
    window->peeked = NULL;
}
