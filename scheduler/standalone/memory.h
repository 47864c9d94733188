#ifndef ORRERY_SCHEDULER_STANDALONE_MEMORY_H
#define ORRERY_SCHEDULER_STANDALONE_MEMORY_H
/* ---- how long arrays are: what this file allocates ------------------------------------------- */

struct orrery_place {
    char *at;
    unsigned long bytes;
};

/* Allocations by address, in a hash table with linear probing. */
static struct {
    struct orrery_place *places;
    unsigned long room, used, number; /* entries; those in use; changes so far */
    struct orrery_place changes[64];  /* the last ones */
    int busy;
} orrery_memory;

static unsigned long orrery_slot(const char *at, unsigned long room) {
    return ((unsigned long)at >> 4) * 0x9e3779b97f4a7c15u >> 20 & (room - 1);
}

static struct orrery_place *orrery_place_of(const char *at) {
    unsigned long slot = orrery_slot(at, orrery_memory.room);
    while (orrery_memory.places[slot].at && orrery_memory.places[slot].at != at)
        slot = (slot + 1) & (orrery_memory.room - 1);
    return &orrery_memory.places[slot];
}

static void orrery_memory_lock(void) {
    while (__atomic_exchange_n(&orrery_memory.busy, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void orrery_memory_unlock(void) {
    __atomic_store_n(&orrery_memory.busy, 0, __ATOMIC_RELEASE);
}

static void orrery_memory_changed(struct orrery_place place) {
    orrery_memory.changes[orrery_memory.number++ % 64] = place;
}

static void orrery_memory_widen(void) {
    struct orrery_place *old = orrery_memory.places;
    unsigned long room = orrery_memory.room;
    orrery_memory.room = room ? 2 * room : 64;
    orrery_memory.places = calloc(orrery_memory.room, sizeof *old);
    if (!orrery_memory.places)
        orrery_die("no memory");
    for (unsigned long i = 0; i < room; ++i)
        if (old[i].at)
            *orrery_place_of(old[i].at) = old[i];
    free(old);
}

static void orrery_note(void *at, unsigned long bytes) {
    if (!at)
        return;
    orrery_memory_lock();
    if (2 * (orrery_memory.used + 1) > orrery_memory.room)
        orrery_memory_widen();
    struct orrery_place *place = orrery_place_of(at);
    orrery_memory.used += !place->at;
    *place = (struct orrery_place){at, bytes};
    orrery_memory_changed(*place);
    orrery_memory_unlock();
}

/* What stands behind it in the table moves up. */
static void orrery_forget(void *at) {
    orrery_memory_lock();
    struct orrery_place *place = at && orrery_memory.room ? orrery_place_of(at) : 0;
    if (place && place->at) {
        orrery_memory_changed(*place);
        unsigned long mask = orrery_memory.room - 1,
                      hole = (unsigned long)(place - orrery_memory.places);
        for (unsigned long i = (hole + 1) & mask; orrery_memory.places[i].at; i = (i + 1) & mask) {
            unsigned long wanted = orrery_slot(orrery_memory.places[i].at, orrery_memory.room);
            if (((i - wanted) & mask) >= ((i - hole) & mask)) {
                orrery_memory.places[hole] = orrery_memory.places[i];
                hole = i;
            }
        }
        orrery_memory.places[hole].at = 0;
        --orrery_memory.used;
    }
    orrery_memory_unlock();
}

static int orrery_is_in(const struct orrery_place *place, const char *address) {
    return place->at && address >= place->at && address < place->at + place->bytes;
}

/* The allocation that an address is in; 0: none that this file made. Of addresses inside of one the
 * next one is often there, too. */
static int orrery_find(const char *address, char **base, unsigned long *bytes) {
    static char *last;
    struct orrery_place found = {0, 0};
    orrery_memory_lock();
    if (orrery_memory.room)
        found = *orrery_place_of(address);
    if (orrery_memory.room && !found.at && last && orrery_is_in(orrery_place_of(last), address))
        found = *orrery_place_of(last);
    for (unsigned long i = 0; i < orrery_memory.room && !found.at; ++i)
        if (orrery_is_in(&orrery_memory.places[i], address))
            found = orrery_memory.places[i];
    last = found.at ? found.at : last;
    orrery_memory_unlock();
    *base = found.at;
    *bytes = found.bytes;
    return found.at != 0;
}

static void *orrery_malloc(size_t size) {
    void *at = malloc(size);
    orrery_note(at, size);
    return at;
}

static void *orrery_calloc(size_t count, size_t size) {
    void *at = calloc(count, size);
    orrery_note(at, count * size);
    return at;
}

static void *orrery_realloc(void *old, size_t size) {
    orrery_forget(old);
    void *at = realloc(old, size);
    orrery_note(at, size);
    return at;
}

static void *orrery_aligned_alloc(size_t alignment, size_t size) {
    void *at = aligned_alloc(alignment, size);
    orrery_note(at, size);
    return at;
}

static void orrery_free(void *at) {
    orrery_forget(at);
    free(at);
}

#define malloc(size) orrery_malloc(size)
#define calloc(count, size) orrery_calloc(count, size)
#define realloc(old, size) orrery_realloc(old, size)
#define aligned_alloc(alignment, size) orrery_aligned_alloc(alignment, size)
#define free(at) orrery_free(at)

#endif
