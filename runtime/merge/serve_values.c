/* Values of elements on their way from owners to those whose next chunk touches them. */
#include "runtime/merge/serve_private.h"

#include "runtime/base/commands.h"
#include "runtime/base/env.h"
#include "runtime/merge/elements.h"

#include <string.h>

/* ---- messages under way ---------------------------------------------------------------------- */

void orrery_serve_keep(struct orrery_serve *serve, struct dsm_request *request, char *buffer) {
    if (serve->nrequests == serve->room) {
        serve->room = serve->room ? 2 * serve->room : 16;
        size_t room = (size_t)serve->room;
        serve->requests = dsm_own_realloc((void *)serve->requests, room * sizeof *serve->requests);
        serve->buffers = dsm_own_realloc((void *)serve->buffers, room * sizeof *serve->buffers);
    }
    serve->requests[serve->nrequests] = request;
    serve->buffers[serve->nrequests++] = buffer;
}

static void request_end(struct orrery_serve *serve, int at) {
    dsm_own_free(serve->buffers[at]);
    serve->requests[at] = NULL;
    serve->buffers[at] = NULL;
}

/* While blocks run: whichever worker comes by. */
void orrery_serve_move(struct orrery_serve *serve) {
    if (atomic_flag_test_and_set_explicit(&serve->moving, memory_order_acquire))
        return;
    for (int k = 0; k < serve->nrequests; ++k)
        if (serve->requests[k] && dsm_test(serve->requests[k]))
            request_end(serve, k);
    atomic_flag_clear_explicit(&serve->moving, memory_order_release);
}

/* Between phases, by one thread. */
void orrery_serve_wait(struct orrery_serve *serve) {
    for (int k = 0; k < serve->nrequests; ++k)
        if (serve->requests[k]) {
            dsm_wait(serve->requests[k]);
            request_end(serve, k);
        }
    serve->nrequests = 0;
}

/* ---- all values of a phase ------------------------------------------------------------------- */

static const char *own_part(const struct orrery_served_array *array) {
    return array->base + array->first[dsm_rank()] * array->size;
}

/*
 * The chunk before is a cache. What it had is in its snapshot as the owner has it now: pushed, and
 * patched by the same merges. So elements that were on the list of phase p - 1 are not sent for phase
 * p, and both sides know from the lists which these are.
 */
static struct orrery_cache_figures figures;

struct orrery_cache_figures orrery_serve_figures(void) {
    return figures;
}

/* Elements [at, end) of the list before, which rise: is this one there? Those asked for rise, too. */
struct before {
    const uint32_t *at, *end;
};

static struct before before_of(const struct orrery_serve_list *list, size_t from, size_t end) {
    return (struct before){list->at + from, list->at + end};
}

static bool was_listed(struct before *before, uint32_t element) {
    while (before->at < before->end && *before->at < element)
        ++before->at;
    return before->at < before->end && *before->at == element;
}

static void values_send(struct orrery_serve *serve, int a, long p, int rank) {
    const struct orrery_served_array *array = &serve->arrays[a];
    const struct orrery_serve_list *list = &array->asked[rank];
    const uint32_t *at = list->at + list->starts[p];
    size_t n = orrery_serve_count(list, p), missed = 0;
    struct before before = before_of(list, list->starts[p > 0 ? p - 1 : 0], list->starts[p]);
    if (n == 0)
        return;
    uint32_t *which = dsm_own_alloc(n * sizeof *which);
    for (size_t k = 0; k < n; ++k)
        if (!was_listed(&before, at[k]))
            which[missed++] = at[k];
    if (missed > 0) {
        char *data = dsm_own_alloc(missed * array->size);
        orrery_elements_gather((struct orrery_elements){which, missed, array->size}, data,
                               own_part(array));
        orrery_serve_keep(
            serve, dsm_send_start(rank, ORRERY_TAG_VALUES + a, data, missed * array->size), data);
    }
    dsm_own_free(which);
}

/* Elements [from, end) of the list of phase p are an owner's; the list before had `before` of them. */
struct piece {
    size_t from, end;
    struct before before;
};

static struct piece piece_of(const struct orrery_served_array *array, long p, int owner) {
    struct piece piece = {
        orrery_serve_from(array, p, owner), orrery_serve_from(array, p, owner + 1), {NULL, NULL}};
    if (p > 0)
        piece.before = before_of(&array->mine, orrery_serve_from(array, p - 1, owner),
                                 orrery_serve_from(array, p - 1, owner + 1));
    return piece;
}

/* Where the chunk that is laid has the element. */
static const char *laid(const struct orrery_served_array *array, size_t element) {
    size_t per = ORRERY_MARKED / array->size;
    size_t line = array->slots[element / per] - SERVE_GUARD;
    return array->copies.snapshot + line * ORRERY_MARKED + element % per * array->size;
}

/* What each owner sends lies in one piece: lists rise, and so do the owners' parts. Where the cache
 * has some of them, the others are put among these when they are here. */
static void values_expect(struct orrery_serve *serve, int a, long p, int owner) {
    const struct orrery_served_array *array = &serve->arrays[a];
    struct piece piece = piece_of(array, p, owner);
    size_t size = array->size, n = piece.end - piece.from, missed = 0;
    size_t at = piece.from - array->mine.starts[p];
    for (size_t k = 0; k < n; ++k) {
        uint32_t element = array->mine.at[piece.from + k];
        if (was_listed(&piece.before, element))
            memcpy(array->next + (at + k) * size, laid(array, element), size);
        else
            ++missed;
    }
    array->arrivals[owner] = missed;
    figures.asked += n;
    figures.hits += n - missed;
    if (missed > 0)
        orrery_serve_keep(serve,
                          dsm_receive_start(owner, ORRERY_TAG_VALUES + a,
                                            (missed < n ? array->missed : array->next) + at * size,
                                            missed * size),
                          NULL);
}

static void values_join(const struct orrery_served_array *array, long p, int owner) {
    struct piece piece = piece_of(array, p, owner);
    size_t size = array->size, at = piece.from - array->mine.starts[p];
    const char *from = array->missed + at * size;
    if (array->arrivals[owner] == 0 || array->arrivals[owner] == piece.end - piece.from)
        return;
    for (size_t k = piece.from; k < piece.end; ++k, ++at)
        if (!was_listed(&piece.before, array->mine.at[k])) {
            memcpy(array->next + at * size, from, size);
            from += size;
        }
}

/* This rank's own, as they are now. */
static void values_own(const struct orrery_served_array *array, long p) {
    size_t low = array->mine.starts[p], from = orrery_serve_from(array, p, dsm_rank()),
           end = orrery_serve_from(array, p, dsm_rank() + 1);
    if (end == from)
        return;
    struct orrery_elements own = {array->mine.at + from, end - from, array->size};
    orrery_elements_gather(own, array->next + (from - low) * array->size, array->base);
}

void orrery_serve_push(struct orrery_serve *serve, long p) {
    size_t bytes = 0;
    for (int a = 0; a < serve->narrays; ++a) {
        bytes += serve->arrays[a].room * ORRERY_MARKED;
        for (int rank = 0; rank < dsm_ranks(); ++rank)
            if (rank != dsm_rank())
                values_expect(serve, a, p, rank);
        for (int rank = 0; rank < dsm_ranks(); ++rank)
            if (rank != dsm_rank())
                values_send(serve, a, p, rank);
    }
    figures.bytes = bytes > figures.bytes ? bytes : figures.bytes;
}

void orrery_serve_take(struct orrery_serve *serve, long p) {
    orrery_serve_wait(serve);
    for (int a = 0; a < serve->narrays; ++a) {
        for (int owner = 0; owner < dsm_ranks(); ++owner)
            if (owner != dsm_rank())
                values_join(&serve->arrays[a], p, owner);
        values_own(&serve->arrays[a], p);
    }
}

/* ---- what a merge changed of them ------------------------------------------------------------ */

/* Per array: how many, their places in the list, their values. */
static size_t patch_fill(const struct orrery_served_array *array, long p, int rank, char *to) {
    const struct orrery_serve_list *list = &array->asked[rank];
    size_t n = orrery_serve_count(list, p), count = 0;
    const uint32_t *at = list->at + list->starts[p];
    uint32_t *places = (uint32_t *)(void *)(to + sizeof(uint64_t));
    for (size_t k = 0; k < n; ++k) {
        places[count] = (uint32_t)k;
        count += array->changed[at[k]];
    }
    uint64_t head = count;
    memcpy(to, &head, sizeof head);
    char *values = to + sizeof head + count * sizeof *places;
    const char *part = own_part(array);
    for (size_t k = 0; k < count; ++k)
        memcpy(values + k * array->size, part + (size_t)at[places[k]] * array->size, array->size);
    return sizeof head + count * (sizeof *places + array->size);
}

/* A number with each, so that the messages' lengths need not be told apart. */
static void patches_send(struct orrery_serve *serve, int a, long p, int rank) {
    const struct orrery_served_array *array = &serve->arrays[a];
    size_t n = orrery_serve_count(&array->asked[rank], p);
    if (n == 0)
        return;
    char *data = dsm_own_alloc(sizeof(uint64_t) + (n + 1) * (sizeof(uint32_t) + array->size));
    char *head = dsm_own_alloc(sizeof(uint64_t));
    uint64_t bytes = patch_fill(array, p, rank, data);
    memcpy(head, &bytes, sizeof bytes);
    orrery_serve_keep(serve, dsm_send_start(rank, ORRERY_TAG_PATCH, head, sizeof bytes), head);
    orrery_serve_keep(serve, dsm_send_start(rank, ORRERY_TAG_PATCH, data, (size_t)bytes), data);
}

static void patches_receive(const struct orrery_serve *serve, int a, long p, int owner) {
    const struct orrery_served_array *array = &serve->arrays[a];
    size_t from = orrery_serve_from(array, p, owner), end = orrery_serve_from(array, p, owner + 1);
    if (end == from)
        return;
    uint64_t bytes, count;
    dsm_receive(owner, ORRERY_TAG_PATCH, &bytes, sizeof bytes);
    char *data = dsm_own_alloc((size_t)bytes);
    dsm_receive(owner, ORRERY_TAG_PATCH, data, (size_t)bytes);
    memcpy(&count, data, sizeof count);
    const uint32_t *places = (const uint32_t *)(void *)(data + sizeof count);
    const char *values = (const char *)(places + count);
    char *to = array->next + (from - array->mine.starts[p]) * array->size;
    struct orrery_elements patched = {places, (size_t)count, array->size};
    orrery_elements_scatter(patched, to, values);
    dsm_own_free(data);
}

void orrery_serve_patch(struct orrery_serve *serve, long p) {
    for (int a = 0; a < serve->narrays; ++a)
        for (int rank = 0; rank < dsm_ranks(); ++rank)
            if (rank != dsm_rank())
                patches_send(serve, a, p, rank);
    for (int a = 0; a < serve->narrays; ++a)
        for (int rank = 0; rank < dsm_ranks(); ++rank)
            if (rank != dsm_rank())
                patches_receive(serve, a, p, rank);
    orrery_serve_wait(serve);
}

/* ---- lines of a chunk ------------------------------------------------------------------------ */

/* Numbers the lines of the list's elements, and puts the values where they belong. (Tortured: what
 * is not on the list is no number.) */
static void lines_lay(struct orrery_served_array *array, long p) {
    size_t per = ORRERY_MARKED / array->size, low = array->mine.starts[p],
           end = array->mine.starts[p + 1];
    array->nlines = 0;
    if (orrery_env()->torture)
        memset(array->copies.snapshot, 0xff, array->room * ORRERY_MARKED);
    for (size_t k = low; k < end; ++k) {
        size_t element = array->mine.at[k];
        uint32_t line = (uint32_t)(element / per);
        if (array->nlines == 0 || array->lines[array->nlines - 1] != line) {
            array->slots[line] = (unsigned)(SERVE_GUARD + array->nlines);
            array->lines[array->nlines++] = line;
        }
        memcpy(array->copies.snapshot + (array->nlines - 1) * ORRERY_MARKED +
                   element % per * array->size,
               array->next + (k - low) * array->size, array->size);
    }
    array->copies.n = array->nlines * per;
}

/* Relaxed ones start as the snapshot; buffered ones are zero between merges. */
static void copies_job(void *data, int worker) {
    const struct orrery_serve *serve = data;
    for (int a = 0; a < serve->narrays; ++a) {
        const struct orrery_served_array *array = &serve->arrays[a];
        if (array->what->op == ORRERY_RELAXED)
            memcpy(array->copies.copies + (size_t)worker * array->copies.stride,
                   array->copies.snapshot, array->nlines * ORRERY_MARKED);
    }
}

void orrery_serve_lay(struct orrery_serve *serve, long p) {
    size_t bytes = 0;
    for (int a = 0; a < serve->narrays; ++a) {
        lines_lay(&serve->arrays[a], p);
        bytes += serve->arrays[a].nlines * ORRERY_MARKED;
    }
    for (int w = 0; bytes < 1 << 15 && w < serve->workers; ++w)
        copies_job(serve, w);
    if (bytes >= 1 << 15)
        orrery_workers_run(copies_job, serve);
}

void orrery_serve_clear(struct orrery_serve *serve) {
    for (int a = 0; a < serve->narrays; ++a) {
        struct orrery_served_array *array = &serve->arrays[a];
        for (size_t k = 0; k < array->nlines; ++k)
            array->slots[array->lines[k]] = 0;
        array->nlines = 0;
    }
}
