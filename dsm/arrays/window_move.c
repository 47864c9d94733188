/*
 * A window's bytes go from the owners of its chunks to those of an array's parts, or back: round by
 * round one chunk of each rank, from as many places of home, so that what a rank gives goes away as
 * what it gets comes, also where its rows follow each other. A rank's rows are in the order of home
 * meanwhile, so that whole pages come and go; where the array has another order they change places
 * before or after, within the store.
 */
#include "dsm/arrays/window.h"
#include "dsm/memory/spill.h"

#include <string.h>

#define TAG_MOVE 8
#define TAG_DONE 9
#define TAG_HOLDERS 10

/* A move on this rank. Sizes and offsets are per rank, of a round. */
struct move {
    struct dsm_array *array;   /* whose rows move */
    struct dsm_window *window; /* where they are, or go, at home */
    bool out;                  /* to the stores, else back */
    size_t home;               /* where the array begins in the window */
    const int *holders;        /* per part */
    uint32_t *place;     /* per row: its position, a seat if it is this rank's; NULL: the same */
    int part;            /* the last one found */
    uint16_t *left;      /* back, per page of the view: bytes of this rank's that are still there */
    size_t *give, *take; /* bytes for each rank, and from it */
    char **to, **from;   /* where they stand next in the buffers */
    char *going, *coming; /* the buffers */
};

typedef void see_rows(struct move *move, int with, int rank, char *chunk, char *store, size_t n);

static int rank_at(struct move *move, long position) {
    const long *cuts = move->array->layout.cuts;
    if (position >= cuts[move->part] && position < cuts[move->part + 1])
        return move->holders[move->part];
    move->part = dsm_part_at(move->array, position);
    return move->holders[move->part];
}

/* The stretches of rows in chunk c, whose owner is `with`. */
static void rows_see(struct move *move, long c, int with, see_rows *see) {
    struct dsm_array *array = move->array;
    size_t row = (size_t)array->row_bytes, low = (size_t)c * move->window->chunk;
    size_t end = move->home + (size_t)array->layout.nrows * row;
    size_t high = low + move->window->chunk, from = low > move->home ? low : move->home;
    bool mine = with == dsm_world.rank;
    char *chunk = mine ? dsm_window_owned(move->window, c) : NULL;
    high = high < end ? high : end;
    for (size_t at = from, stop; at < high; at = stop) {
        size_t v = (at - move->home) / row, first = move->home + v * row;
        stop = first + row < high ? first + row : high;
        long position = move->place ? (long)move->place[v] : (long)v;
        int rank = rank_at(move, position);
        if (mine || rank == dsm_world.rank)
            see(move, with, rank, mine ? chunk + (at - low) : NULL,
                array->view + (size_t)position * row + (at - first), stop - at);
    }
}

/* Bytes between this rank and another: it has the chunk, or the rows. */
static void see_count(struct move *move, int with, int rank, char *chunk, char *store, size_t n) {
    (void)store;
    if (chunk && rank != dsm_world.rank)
        (move->out ? move->give : move->take)[rank] += n;
    else if (!chunk)
        (move->out ? move->take : move->give)[with] += n;
}

/* Pages whose holes a file makes together. */
enum { GROUP = 64 };

/* No byte of the page is needed any more. What is spilled goes group by group. */
static void page_left(const struct move *move, size_t page) {
    size_t pages = dsm_page_up(move->array->view_bytes) / DSM_PAGE, first = page, n = 1;
    if (dsm_spill.on) {
        first = page / GROUP * GROUP;
        n = pages - first < GROUP ? pages - first : GROUP;
    }
    for (size_t i = first; i < first + n; ++i)
        if (move->left[i])
            return;
    dsm_view_give(move->array->view + first * DSM_PAGE, n * DSM_PAGE);
}

/* Bytes [store, store + n) of the view are needed no more. */
static void store_left(struct move *move, const char *store, size_t n) {
    size_t at = (size_t)(store - move->array->view);
    for (size_t end = at + n, stop; at < end; at = stop) {
        size_t page = at / DSM_PAGE;
        stop = (page + 1) * DSM_PAGE < end ? (page + 1) * DSM_PAGE : end;
        move->left[page] = (uint16_t)(move->left[page] - (stop - at));
        if (move->left[page] == 0)
            page_left(move, page);
    }
}

static void see_give(struct move *move, int with, int rank, char *chunk, char *store, size_t n) {
    if (move->out && chunk && rank == dsm_world.rank) {
        memcpy(store, chunk, n);
    } else if (move->out && chunk) {
        memcpy(move->to[rank], chunk, n);
        move->to[rank] += n;
    } else if (!move->out) {
        if (chunk && rank == dsm_world.rank) {
            memcpy(chunk, store, n);
            store_left(move, store, n);
        } else if (!chunk) {
            memcpy(move->to[with], store, n);
            move->to[with] += n;
            store_left(move, store, n);
        }
    }
}

static void see_take(struct move *move, int with, int rank, char *chunk, char *store, size_t n) {
    int other = chunk ? rank : with;
    char *to = chunk ? chunk : store;
    if (move->out == (chunk == NULL) && other != dsm_world.rank) {
        memcpy(to, move->from[other], n);
        move->from[other] += n;
    }
}

static long rounds_of(const struct dsm_window *window) {
    return (window->count + dsm_world.ranks - 1) / dsm_world.ranks;
}

/* The chunk of a rank's that moves in a round; its own begin where it would have its rows if they
 * were a share of home. At or above the count: none. */
static long chunk_in(const struct dsm_window *window, long round, int rank) {
    long rounds = rounds_of(window);
    return (round + rank * rounds / dsm_world.ranks) % rounds * dsm_world.ranks + rank;
}

static void all_see(struct move *move, long round, see_rows *see) {
    for (int rank = 0; rank < dsm_world.ranks; ++rank) {
        long c = chunk_in(move->window, round, rank);
        if (c < move->window->count)
            rows_see(move, c, rank, see);
    }
}

/* One buffer for all ranks: where each one's bytes begin. */
static char *buffer_cut(const size_t *bytes, char **starts) {
    size_t sum = 0;
    for (int rank = 0; rank < dsm_world.ranks; ++rank)
        sum += bytes[rank];
    char *buffer = dsm_own_alloc(sum + 1), *at = buffer;
    for (int rank = 0; rank < dsm_world.ranks; ++rank) {
        starts[rank] = at;
        at += bytes[rank];
    }
    return buffer;
}

static void exchange(struct move *move) {
    int ranks = dsm_world.ranks, n = 0;
    struct dsm_request *requests[2 * ranks];
    char *at = move->going;
    for (int rank = 0; rank < ranks; ++rank)
        if (move->take[rank] > 0)
            requests[n++] =
                dsm_message_receive(DSM_BULK, rank, TAG_MOVE, move->from[rank], move->take[rank]);
    for (int rank = 0; rank < ranks; at += move->give[rank++])
        if (move->give[rank] > 0)
            requests[n++] = dsm_message_send(DSM_BULK, rank, TAG_MOVE, at, move->give[rank]);
    for (int i = 0; i < n; ++i)
        dsm_wait(requests[i]);
}

bool dsm_window_is_rows(const struct dsm_window *window, const struct dsm_array *array, long c) {
    size_t low = (size_t)c * window->chunk, high = low + dsm_window_length(window, c);
    size_t end = window->home + (size_t)array->layout.nrows * (size_t)array->row_bytes;
    return low >= window->home && high <= end;
}

static void round_move(struct move *move, long round) {
    long mine = chunk_in(move->window, round, dsm_world.rank);
    memset(move->give, 0, (size_t)dsm_world.ranks * sizeof *move->give);
    memset(move->take, 0, (size_t)dsm_world.ranks * sizeof *move->take);
    if (mine < move->window->count)
        (move->out ? dsm_window_ready : dsm_window_enter)(move->window, mine);
    all_see(move, round, see_count);
    move->going = buffer_cut(move->give, move->to);
    move->coming = buffer_cut(move->take, move->from);
    all_see(move, round, see_give);
    exchange(move);
    all_see(move, round, see_take);
    dsm_own_free(move->going);
    dsm_own_free(move->coming);
    if (move->out && mine < move->window->count)
        (dsm_window_is_rows(move->window, move->array, mine) ? dsm_window_leave
                                                             : dsm_window_seal)(move->window, mine);
}

/* ---- before and after ------------------------------------------------------------------------ */

static uint32_t *places(const struct dsm_layout *layout) {
    uint32_t *place = layout->order ? dsm_own_alloc((size_t)layout->nrows * sizeof *place) : NULL;
    for (long position = 0; place && position < layout->nrows; ++position)
        place[layout->order[position]] = (uint32_t)position;
    return place;
}

/* The next position from `at` that is this rank's. */
static long mine_from(struct move *move, long at) {
    while (at < move->array->layout.nrows && rank_at(move, at) != dsm_world.rank)
        ++at;
    return at;
}

/* Positions whose rows change places among themselves: all, or what fits into memory. */
static long stretch_of(const struct move *move) {
    size_t row = (size_t)move->array->row_bytes, most = dsm_spill.budget / 4;
    long nrows = move->array->layout.nrows;
    if (!dsm_spill.on || (size_t)nrows * row <= most)
        return nrows > 0 ? nrows : 1;
    return most > row ? (long)(most / row) : 1;
}

/* This rank's rows, in the order of home, are seated on its positions in their order, each within
 * the stretch that it is to be in. */
static void seats_take(struct move *move) {
    long nrows = move->array->layout.nrows, stretch = stretch_of(move);
    long *next = move->place ? dsm_own_alloc((size_t)(nrows / stretch + 1) * sizeof *next) : NULL;
    for (long i = 0; next && i <= nrows / stretch; ++i)
        next[i] = i * stretch;
    for (long v = 0; next && v < nrows; ++v) {
        long *seat = &next[move->place[v] / stretch];
        if (rank_at(move, move->place[v]) == dsm_world.rank) {
            *seat = mine_from(move, *seat);
            move->place[v] = (uint32_t)(*seat)++;
        }
    }
    dsm_own_free(next);
}

static void swap(char *a, char *b, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) {
        char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

static char *row_at(const struct move *move, long position) {
    return move->array->view + (size_t)position * (size_t)move->array->row_bytes;
}

/* The rows of one cycle go from their seats to their positions (out), or back; `row`: room for
 * one. */
static void cycle_turn(const struct move *move, long first, unsigned char *seen, char *row) {
    size_t bytes = (size_t)move->array->row_bytes;
    const uint32_t *order = move->array->layout.order;
    long at = first, seat = -1;
    memcpy(row, row_at(move, first), bytes);
    for (; seat != first; at = seat) {
        seen[at / 8] |= (unsigned char)(1U << at % 8);
        seat = move->place[order[at]];
        if (move->out)
            memcpy(row_at(move, at), seat == first ? row : row_at(move, seat), bytes);
        else
            swap(row_at(move, seat), row, bytes);
    }
}

static void rows_turn(struct move *move) {
    long nrows = move->array->layout.nrows;
    size_t bytes = (size_t)nrows / 8 + 1;
    if (!move->place)
        return;
    unsigned char *seen = memset(dsm_own_alloc(bytes), 0, bytes);
    char *row = dsm_own_alloc((size_t)move->array->row_bytes);
    for (long at = mine_from(move, 0); at < nrows; at = mine_from(move, at + 1))
        if (!(seen[at / 8] >> at % 8 & 1))
            cycle_turn(move, at, seen, row);
    dsm_own_free(seen);
    dsm_own_free(row);
}

/* Bytes of this rank's parts; `left` gets them page by page. */
static size_t part_bytes(const struct move *move) {
    const struct dsm_layout *layout = &move->array->layout;
    size_t row = (size_t)move->array->row_bytes, sum = 0;
    for (int part = 0; part < layout->nparts; ++part) {
        size_t at = (size_t)layout->cuts[part] * row, end = (size_t)layout->cuts[part + 1] * row;
        if (move->holders[part] != dsm_world.rank)
            continue;
        sum += end - at;
        for (size_t stop; move->left && at < end; at = stop) {
            stop = (at / DSM_PAGE + 1) * DSM_PAGE < end ? (at / DSM_PAGE + 1) * DSM_PAGE : end;
            move->left[at / DSM_PAGE] = (uint16_t)(move->left[at / DSM_PAGE] + (stop - at));
        }
    }
    return sum;
}

/* Rows on devices come to their stores. */
static void parts_need(const struct dsm_array *array) {
    for (int part = 0; part < array->layout.nparts; ++part)
        if (dsm_part_state(array, part) == DSM_PART_PRESENT)
            dsm_store_need(array, part, array->layout.cuts[part], array->layout.cuts[part + 1]);
}

void dsm_window_stores_drop(struct dsm_array *array) {
    for (int part = 0; part < array->layout.nparts; ++part) {
        if (array->holders)
            array->holders[part] = -1;
        if (dsm_part_state(array, part) == DSM_PART_PRESENT)
            dsm_store_drop(array, part);
        dsm_part_set(array, part, DSM_PART_ABSENT);
    }
    dsm_store_back(array);
    dsm_window_stores(array, 0);
    if (!array->view)
        return;
    dsm_store_forget(array);
    dsm_view_give(array->view, dsm_page_up(array->view_bytes));
}

void dsm_window_stores_come(struct dsm_array *array) {
    size_t bytes = 0;
    for (int part = 0; array->view && array->holders && part < array->layout.nparts; ++part)
        if (array->holders[part] == 0)
            bytes += (size_t)dsm_part_rows(array, part) * (size_t)array->row_bytes;
    dsm_window_stores(array, bytes);
}

struct dsm_window *dsm_window_named(struct dsm_window_name name) {
    struct dsm_window *window = dsm_window_numbered(name.number);
    if (window)
        window->home = name.home;
    if (window || dsm_world.rank == 0)
        return window;
    window = dsm_own_alloc(sizeof *window);
    *window = (struct dsm_window){.number = name.number, .bytes = name.bytes};
    window->chunk = name.chunk;
    window->home = name.home;
    window->count = (long)((name.bytes + name.chunk - 1) / name.chunk);
    dsm_window_depot(window);
    dsm_window_list(window);
    return window;
}

/* Nobody asks for chunks before all have theirs. */
static void all_done(void) {
    char word = 1;
    if (dsm_world.rank > 0)
        dsm_wait(dsm_message_send(DSM_BULK, 0, TAG_DONE, &word, 1));
    for (int rank = 1; dsm_world.rank == 0 && rank < dsm_world.ranks; ++rank)
        dsm_wait(dsm_message_receive(DSM_BULK, rank, TAG_DONE, &word, 1));
}

/* Rank 0's table of who has which part, on all ranks. No broadcast: they may wait for one. */
static int *holders_share(const struct dsm_array *array) {
    size_t bytes = (size_t)array->layout.nparts * sizeof(int);
    int *holders = dsm_own_alloc(bytes);
    if (dsm_world.rank > 0)
        dsm_wait(dsm_message_receive(DSM_BULK, 0, TAG_HOLDERS, holders, bytes));
    else
        memcpy(holders, array->holders, bytes);
    for (int rank = 1; dsm_world.rank == 0 && rank < dsm_world.ranks; ++rank)
        dsm_wait(dsm_message_send(DSM_BULK, rank, TAG_HOLDERS, holders, bytes));
    return holders;
}

void dsm_window_move(struct dsm_array *array, bool out) {
    size_t ranks = (size_t)dsm_world.ranks, pages = dsm_page_up(array->view_bytes) / DSM_PAGE;
    size_t sizes[2 * ranks];
    char *starts[2 * ranks];
    int *holders = holders_share(array);
    struct move move = {.array = array, .window = array->window, .out = out, .holders = holders};
    move.home = array->window->home;
    move.place = places(&array->layout);
    seats_take(&move);
    move.give = sizes;
    move.take = sizes + ranks;
    move.to = starts;
    move.from = starts + ranks;
    if (!out)
        move.left = memset(dsm_own_alloc(pages * sizeof *move.left), 0, pages * sizeof *move.left);
    size_t bytes = part_bytes(&move);
    if (out)
        dsm_window_views_come(array->window, bytes);
    else
        parts_need(array);
    if (!out)
        rows_turn(&move);
    dsm_window_views(array, 0);
    for (long round = 0; round < rounds_of(array->window); ++round)
        round_move(&move, round);
    if (out)
        dsm_window_views(array, bytes);
    else
        dsm_window_stores_drop(array);
    if (out)
        rows_turn(&move);
    all_done();
    dsm_own_free(move.place);
    dsm_own_free(move.left);
    dsm_own_free(holders);
}
