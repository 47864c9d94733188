/*
 * The global heap as a whole: its blocks, and its structure as words.
 *
 *   image: MAGIC, address of the heap, number of runs, then for each run in use, addresses rising:
 *          first, units, bytes, pages, class + 1 (0: one block), blocks;
 *          of a span: taken, a bit per block; slack, two bytes per block
 */
#include "dsm/memory/spans.h"

#include <string.h>

#define MAGIC 0x3170616568726fUL /* "orheap1" */

enum { FIRST, UNITS, BYTES, PAGES, CLASS, BLOCKS, RUN_WORDS };

static struct run *run_after(const struct run *run) {
    char *from = run ? run_address(run) + run->units * RUN_UNIT : dsm_reservation.low;
    return run_next(from, dsm_reservation.middle);
}

static void span_each(struct run *run, void (*block)(void *, char *, size_t), void *data) {
    const struct span *span = run->span;
    size_t room = heap_class_bytes(span->class);
    for (unsigned i = 0; i < span->blocks; ++i)
        if (span->taken[i / 64] >> (i % 64) & 1)
            block(data, run_address(run) + i * room, room - span->slack[i]);
}

void dsm_heap_each(void (*block)(void *data, char *base, size_t bytes), void *data) {
    pthread_mutex_lock(&dsm_heap.lock);
    for (struct run *run = run_after(NULL); run; run = run_after(run))
        if (run->span)
            span_each(run, block, data);
        else
            block(data, run_address(run), run->bytes);
    pthread_mutex_unlock(&dsm_heap.lock);
}

struct dsm_range dsm_heap_range(void) {
    return (struct dsm_range){dsm_reservation.low, dsm_reservation.high};
}

/* ---- to words ---- */

static size_t taken_words(unsigned blocks) {
    return (blocks + 63) / 64;
}

static size_t slack_words(unsigned blocks) {
    return (blocks * sizeof(uint16_t) + 7) / 8;
}

static size_t run_words(const struct run *run) {
    unsigned blocks = run->span ? run->span->blocks : 0;
    return RUN_WORDS + taken_words(blocks) + slack_words(blocks);
}

static uint64_t *run_write(const struct run *run, uint64_t *at) {
    const struct span *span = run->span;
    at[FIRST] = run->first;
    at[UNITS] = run->units;
    at[BYTES] = run->bytes;
    at[PAGES] = run->pages;
    at[CLASS] = span ? (uint64_t)span->class + 1 : 0;
    at[BLOCKS] = span ? span->blocks : 0;
    at += RUN_WORDS;
    if (span) {
        size_t taken = taken_words(span->blocks), slack = slack_words(span->blocks);
        memcpy(at, span->taken, taken * 8);
        memset(at + taken, 0, slack * 8);
        memcpy(at + taken, span->slack, span->blocks * sizeof *span->slack);
        at += taken + slack;
    }
    return at;
}

void *dsm_heap_get(size_t *bytes) {
    size_t words = 3;
    uint64_t runs = 0;
    pthread_mutex_lock(&dsm_heap.lock);
    for (struct run *run = run_after(NULL); run; run = run_after(run)) {
        words += run_words(run);
        ++runs;
    }
    uint64_t *image = dsm_own_alloc(words * sizeof *image), *at = image + 3;
    image[0] = MAGIC;
    image[1] = (uint64_t)(uintptr_t)dsm_reservation.low;
    image[2] = runs;
    for (struct run *run = run_after(NULL); run; run = run_after(run))
        at = run_write(run, at);
    pthread_mutex_unlock(&dsm_heap.lock);
    *bytes = words * sizeof *image;
    return image;
}

/* ---- and back ---- */

/* The words of the run at `at`, 0 when it cannot be one. */
static size_t words_at(const uint64_t *at, size_t left, uint64_t least) {
    size_t limit = (size_t)(dsm_reservation.middle - dsm_reservation.low) / RUN_UNIT;
    if (left < RUN_WORDS || at[CLASS] > HEAP_CLASSES || at[FIRST] < least || at[UNITS] == 0 ||
        at[UNITS] > limit || at[FIRST] > limit - at[UNITS] || at[PAGES] > at[UNITS] * RUN_UNIT ||
        at[BYTES] > at[PAGES] || at[PAGES] % DSM_PAGE != 0) {
        return 0;
    }
    if (at[CLASS] == 0)
        return RUN_WORDS;
    if (at[BLOCKS] != at[UNITS] * RUN_UNIT / heap_class_bytes((int)at[CLASS] - 1))
        return 0;
    size_t words =
        RUN_WORDS + taken_words((unsigned)at[BLOCKS]) + slack_words((unsigned)at[BLOCKS]);
    return words <= left ? words : 0;
}

static bool image_holds(const uint64_t *image, size_t words) {
    if (words < 3 || image[0] != MAGIC || image[1] != (uint64_t)(uintptr_t)dsm_reservation.low)
        return false;
    size_t at = 3;
    uint64_t least = 0;
    for (uint64_t run = 0; run < image[2]; ++run) {
        size_t length = words_at(image + at, words - at, least);
        if (!length)
            return false;
        least = image[at + FIRST] + image[at + UNITS];
        at += length;
    }
    return at == words;
}

static bool is_same(const struct run *run, const uint64_t *at) {
    uint64_t class = run->span ? (uint64_t)run->span->class + 1 : 0;
    return run->first == at[FIRST] && run->units == at[UNITS] && run->pages == at[PAGES] &&
           class == at[CLASS];
}

/* Both go up; runs of the heap that are not in the image lose their pages, all lose their spans. */
static void runs_leave(const uint64_t *image) {
    const uint64_t *at = image + 3;
    uint64_t left = image[2];
    for (struct run *run = run_after(NULL); run; run = run_after(run)) {
        while (left && at[FIRST] < run->first) {
            at += RUN_WORDS + taken_words((unsigned)at[BLOCKS]) + slack_words((unsigned)at[BLOCKS]);
            --left;
        }
        if (!left || !is_same(run, at))
            heap_pages_drop(run_address(run), run->pages);
        if (run->span) {
            dsm_own_free(run->span->taken);
            dsm_own_free(run->span->slack);
            dsm_own_free(run->span);
        }
    }
}

static void span_make(struct run *run, const uint64_t *at) {
    struct span *span = dsm_own_alloc(sizeof *span);
    unsigned blocks = (unsigned)at[BLOCKS], used = 0;
    size_t taken = taken_words(blocks);
    *span = (struct span){.run = run, .class = (int)at[CLASS] - 1, .blocks = blocks};
    span->taken = memcpy(dsm_own_alloc(taken * 8), at + RUN_WORDS, taken * 8);
    span->slack = dsm_own_alloc(blocks * sizeof *span->slack);
    memcpy(span->slack, at + RUN_WORDS + taken, blocks * sizeof *span->slack);
    for (size_t i = 0; i < taken; ++i)
        used += (unsigned)__builtin_popcountl(span->taken[i]);
    span->free = blocks - used;
    run->span = span;
    if (span->free > 0)
        heap_span_list(span);
}

static void run_make(const uint64_t *at) {
    struct run *run = run_place(at[FIRST], at[UNITS]);
    run->bytes = at[BYTES];
    run->pages = at[PAGES];
    if (!(at[CLASS] ? heap_pages_commit(run_address(run), run->pages) : heap_block_commit(run))) {
        dsm_fail(DSM_STATUS_ERROR, "out of memory: %lu bytes of a checkpoint's heap",
                 (unsigned long)run->pages);
    }
    if (at[CLASS])
        span_make(run, at);
}

bool dsm_image_is(const void *image, size_t bytes) {
    return bytes % sizeof(uint64_t) == 0 && image_holds(image, bytes / sizeof(uint64_t));
}

void dsm_image_put(const void *bytes) {
    const uint64_t *image = bytes, *at = image + 3;
    pthread_mutex_lock(&dsm_heap.lock);
    runs_leave(image);
    run_clear();
    memset(dsm_heap.spans, 0, sizeof dsm_heap.spans);
    for (uint64_t run = 0; run < image[2]; ++run) {
        run_make(at);
        at += RUN_WORDS + taken_words((unsigned)at[BLOCKS]) + slack_words((unsigned)at[BLOCKS]);
    }
    pthread_mutex_unlock(&dsm_heap.lock);
}
