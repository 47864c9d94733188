#include "runtime/inspect/batches.h"

#include "dsm/dsm.h"
#include "runtime/base/memory.h"
#include "runtime/schedule/batches.h"
#include "runtime/threads/workers.h"

struct batches {
    struct orrery_listing *listing; /* what iterations touch, measured */
    struct orrery_batching of;      /* the same by numbers of places */
    unsigned *items;                /* of all iterations, one after another */
    size_t *offset;                 /* of each table's places among all of them */
    size_t places;                  /* of all tables */
    unsigned long range;            /* the places that there would be without hash tables */
    long parts;                     /* of the loop, with batches of their own */
    struct orrery_colored *colored; /* part by part, one per place */
    unsigned *found;                /* by part: how many batches */
};

/* ---- what iterations touch, as numbers of places --------------------------------------------- */

static void items_fill(struct batches *b, long begin, long end) {
    struct orrery_touches list = orrery_list_new();
    for (long i = begin; i < end; ++i) {
        orrery_list_fill(&list, b->listing, i);
        unsigned *items = b->items + b->listing->first[i];
        for (long n = 0; n < list.count; ++n) {
            const struct orrery_touch *touch = &list.items[n];
            struct orrery_table *table = &b->listing->tables[touch->object];
            size_t place = b->offset[touch->object] + orrery_place_of(table, touch->unit);
            items[n] = (unsigned)place << 1 | (touch->written != 0);
        }
    }
    dsm_own_free(list.items);
}

static void fill_share(void *data, int worker) {
    struct batches *b = data;
    long count = b->listing->count;
    items_fill(b, orrery_share(count, worker, b->listing->workers),
               orrery_share(count, worker + 1, b->listing->workers));
}

/* Places of a hash table are given when they are first asked for. */
static bool is_hashed(const struct orrery_listing *listing) {
    for (int t = 0; t < listing->loop->ntouched; ++t)
        if (listing->tables[t].slots)
            return true;
    return false;
}

static void places_count(struct batches *b) {
    const struct orrery_loop *loop = b->listing->loop;
    for (int t = 0; t < loop->ntouched; ++t) {
        const struct orrery_table *table = &b->listing->tables[t];
        b->offset[t] = b->places;
        b->places += orrery_places_of(table);
        b->range += table->touches ? (unsigned long)table->high - (unsigned long)table->low + 1 : 0;
    }
    if (b->places >> 31)
        dsm_refuse(1, "%s:%d: the iterations touch elements of %zu places, too many for batches",
                   loop->file, loop->line, b->places);
}

static void items_list(struct batches *b) {
    struct orrery_listing *listing = b->listing;
    for (long i = 0; i < listing->count; ++i)
        listing->first[i + 1] += listing->first[i];
    size_t touches = (size_t)listing->first[listing->count];
    b->items = orrery_memory_aligned((touches + 1) * sizeof *b->items);
    if (is_hashed(listing))
        items_fill(b, 0, listing->count);
    else
        orrery_workers_run(fill_share, b);
}

/* ---- batches, part by part ------------------------------------------------------------------- */

static long part_begin(const struct batches *b, long part) {
    return orrery_share(b->listing->count, part, b->parts);
}

static void find_share(void *data, int worker) {
    struct batches *b = data;
    for (long p = worker; p < b->parts; p += b->listing->workers) {
        b->found[p] = orrery_batches_find(&b->of, b->colored + (size_t)p * b->places,
                                          part_begin(b, p), part_begin(b, p + 1));
    }
}

/* The batches of a part come behind those of the parts before it. */
static void parts_join(struct batches *b) {
    unsigned before = 0;
    for (long p = 0; p < b->parts; ++p) {
        for (long i = part_begin(b, p); before && i < part_begin(b, p + 1); ++i)
            b->of.batch[i] += before;
        before += b->found[p];
    }
    b->listing->leveled->nlevels = before;
}

static long unit_at(const struct orrery_table *table, size_t place) {
    return table->slots ? table->units[place] : table->low + (long)place;
}

static void hot_find(const struct batches *b, struct orrery_hot *hot) {
    *hot = (struct orrery_hot){0};
    for (int t = 0; t < b->listing->loop->ntouched; ++t) {
        const struct orrery_table *table = &b->listing->tables[t];
        for (size_t place = 0; place < orrery_places_of(table); ++place) {
            long times = 0;
            for (long p = 0; p < b->parts; ++p)
                times += b->colored[(size_t)p * b->places + b->offset[t] + place].times;
            if (times > hot->times)
                *hot = (struct orrery_hot){t, unit_at(table, place), times};
        }
    }
}

/* requires: orrery_tables_measure, with `first`. */
struct orrery_hots *orrery_batches_make(struct orrery_listing *listing, struct orrery_hot *hot) {
    size_t offset[listing->loop->ntouched + 1];
    struct batches b = {.listing = listing, .offset = offset};
    places_count(&b);
    items_list(&b);
    struct orrery_hots *hots =
        listing->loop->hot ? orrery_hots_take(listing, b.items, offset, b.places) : NULL;
    b.parts = orrery_batches_parts(listing->first[listing->count], b.range);
    unsigned found[b.parts];
    b.found = found;
    b.of = (struct orrery_batching){listing->count, listing->first, b.items,
                                    listing->leveled->level, hots ? ORRERY_HOT_WIDE : 0};
    b.colored = orrery_memory_aligned(((size_t)b.parts * b.places + 1) * sizeof *b.colored);
    orrery_workers_run(find_share, &b);
    parts_join(&b);
    hot_find(&b, hot);
    orrery_memory_free(b.colored);
    orrery_memory_free(b.items);
    return hots;
}
