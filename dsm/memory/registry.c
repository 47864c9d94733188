/*
 * Which block of the C library contains an address. Two sparse tables, no locks:
 *
 * `codes`: a byte per 16 bytes of address space, 0 but where a block begins. There it says how much
 * of the usable size was not asked for, or BIG, or WIDE: then the three codes behind it, DIGIT and
 * above, say it (the block is long enough for that). `units`: per 64 KiB, the record of the big
 * block that contains the unit's first byte. A big block has at least 64 KiB, so it contains the
 * beginning of some unit.
 *
 * Every entry belongs to the owner of the memory it stands for, so there are no races but those of
 * the program. Records are recycled, never freed: a reader may look at one that just died.
 */
#include "dsm/memory/memory.h"

#define GRAIN_BITS 4
#define UNIT_BITS 16
#define ADDRESS_BITS 47
#define UNIT (1UL << UNIT_BITS)
#define GRAINS_PER_UNIT (UNIT >> GRAIN_BITS)

#define CODE_LEAF_BITS 30
#define UNIT_LEAF_BITS 36

enum { CODE_NONE = 0, CODE_SLACK = 1, SLACK_MOST = 124, CODE_WIDE = 126, CODE_BIG = 127 };
enum { CODE_DIGIT = 128, DIGITS = 3, DIGIT_BITS = 7 };

struct record {
    _Atomic(char *) base;
    atomic_size_t bytes;
    enum dsm_block_kind kind;
    struct record *next;  /* of the free ones */
    struct record *older; /* of all */
};

typedef _Atomic(struct record *) unit_entry;

static struct {
    _Atomic(atomic_uchar *) codes[1UL << (ADDRESS_BITS - CODE_LEAF_BITS)]; /* NULL: all are 0 */
    _Atomic(unit_entry *) units[1UL << (ADDRESS_BITS - UNIT_LEAF_BITS)];   /* the same */
    struct dsm_lock lock; /* of `spare` and `all` */
    struct record *spare; /* records that are free */
    struct record *all;   /* what looks for leaks does not look into the tables */
    atomic_bool removed;  /* a block, since the epoch began */
    unsigned long epoch;
} registry;

/* Reads first: threads that free at the same time share the line. */
static void note_removed(void) {
    if (!atomic_load_explicit(&registry.removed, memory_order_relaxed))
        atomic_store_explicit(&registry.removed, true, memory_order_relaxed);
}

void dsm_registry_doubt(void) {
    note_removed();
}

unsigned long dsm_find_epoch(void) {
    bool same =
        !dsm_reservation.low && !atomic_load_explicit(&registry.removed, memory_order_relaxed);
    atomic_store_explicit(&registry.removed, false, memory_order_relaxed);
    return same ? registry.epoch : ++registry.epoch;
}

static void *table_map(size_t bytes) {
    void *table = dsm_clib_map(bytes);
    if (!table)
        dsm_fail(DSM_STATUS_ERROR, "out of address space: no room for the registry of blocks");
    return table;
}

static bool addressable(uintptr_t address) {
    return address >> ADDRESS_BITS == 0;
}

/* The code of the grain at address; NULL when nothing near was ever registered and !make. */
static atomic_uchar *code_at(uintptr_t address, bool make) {
    _Atomic(atomic_uchar *) *slot = &registry.codes[address >> CODE_LEAF_BITS];
    atomic_uchar *leaf = atomic_load_explicit(slot, memory_order_acquire);
    if (!leaf && make) {
        size_t bytes = 1UL << (CODE_LEAF_BITS - GRAIN_BITS);
        atomic_uchar *fresh = table_map(bytes);
        if (atomic_compare_exchange_strong(slot, &leaf, fresh))
            leaf = fresh;
        else
            dsm_clib_unmap(fresh, bytes);
    }
    size_t grain = (address & ((1UL << CODE_LEAF_BITS) - 1)) >> GRAIN_BITS;
    return leaf ? leaf + grain : NULL;
}

static unit_entry *unit_at(uintptr_t address, bool make) {
    _Atomic(unit_entry *) *slot = &registry.units[address >> UNIT_LEAF_BITS];
    unit_entry *leaf = atomic_load_explicit(slot, memory_order_acquire);
    if (!leaf && make) {
        size_t bytes = sizeof(unit_entry) << (UNIT_LEAF_BITS - UNIT_BITS);
        unit_entry *fresh = table_map(bytes);
        if (atomic_compare_exchange_strong(slot, &leaf, fresh))
            leaf = fresh;
        else
            dsm_clib_unmap(fresh, bytes);
    }
    size_t unit = (address & ((1UL << UNIT_LEAF_BITS) - 1)) >> UNIT_BITS;
    return leaf ? leaf + unit : NULL;
}

static struct record *record_at(uintptr_t address) {
    unit_entry *entry = unit_at(address, false);
    return entry ? atomic_load_explicit(entry, memory_order_acquire) : NULL;
}

static struct record *record_make(void) {
    struct record *record = dsm_own_alloc(sizeof *record);
    dsm_lock_take(&registry.lock);
    record->older = registry.all;
    registry.all = record;
    dsm_lock_give(&registry.lock);
    return record;
}

static struct record *record_new(void *base, size_t bytes, enum dsm_block_kind kind) {
    dsm_lock_take(&registry.lock);
    struct record *record = registry.spare;
    if (record)
        registry.spare = record->next;
    dsm_lock_give(&registry.lock);
    if (!record)
        record = record_make();
    atomic_store_explicit(&record->base, base, memory_order_relaxed);
    atomic_store_explicit(&record->bytes, bytes, memory_order_relaxed);
    record->kind = kind;
    return record;
}

static void record_free(struct record *record) {
    dsm_lock_take(&registry.lock);
    record->next = registry.spare;
    registry.spare = record;
    dsm_lock_give(&registry.lock);
}

/* Sets the entries of all units that begin inside the block. */
static void units_set(const struct record *block, struct record *value) {
    uintptr_t low = (uintptr_t)block->base, high = low + block->bytes;
    for (uintptr_t unit = (low + UNIT - 1) & ~(UNIT - 1); unit < high; unit += UNIT)
        atomic_store_explicit(unit_at(unit, true), value, memory_order_release);
}

/* Eight codes at once. */
typedef uint64_t __attribute__((may_alias)) code_word;

static void codes_clear_in_leaf(atomic_uchar *code, atomic_uchar *end) {
    while (code < end) {
        bool word = ((uintptr_t)code & 7) == 0 && end - code >= 8;
        if (word && __atomic_load_n((code_word *)code, __ATOMIC_RELAXED) == 0) {
            code += 8;
            continue;
        }
        if (atomic_load_explicit(code, memory_order_relaxed)) {
            atomic_store_explicit(code, CODE_NONE, memory_order_relaxed);
            note_removed();
        }
        ++code;
    }
}

/* Clears what a block left here that was freed behind our back. */
static void codes_clear(uintptr_t low, uintptr_t high) {
    while (low < high) {
        uintptr_t leaf_end = ((low >> CODE_LEAF_BITS) + 1) << CODE_LEAF_BITS;
        uintptr_t stop = high < leaf_end ? high : leaf_end;
        size_t grains = (stop - low + (1UL << GRAIN_BITS) - 1) >> GRAIN_BITS;
        atomic_uchar *code = code_at(low, true);
        codes_clear_in_leaf(code, code + grains);
        low = stop;
    }
}

static void code_set(uintptr_t base, unsigned char value) {
    atomic_store_explicit(code_at(base, true), value, memory_order_relaxed);
}

/*
 * Does the big block that has the first byte of address's unit have address too? An entry that did
 * not change while its record was read was alive all the time.
 */
static struct record *big_around(uintptr_t address) {
    struct record *record = record_at(address);
    if (!record)
        return NULL;
    uintptr_t base = (uintptr_t)atomic_load_explicit(&record->base, memory_order_relaxed);
    size_t bytes = atomic_load_explicit(&record->bytes, memory_order_relaxed);
    return address - base < bytes && record_at(address) == record ? record : NULL;
}

static void remove_big(struct record *record) {
    note_removed();
    units_set(record, NULL);
    code_set((uintptr_t)record->base, CODE_NONE);
    record_free(record);
}

/* Blocks that were freed behind our back, and of which no byte is anybody else's. */
static void remove_dead(uintptr_t low, uintptr_t high) {
    for (uintptr_t unit = (low + UNIT - 1) & ~(UNIT - 1); unit < high; unit += UNIT) {
        struct record *dead = record_at(unit);
        if (dead && (uintptr_t)dead->base >= low && (uintptr_t)dead->base + dead->bytes <= high)
            remove_big(dead);
    }
}

static void add_big(void *base, size_t bytes, enum dsm_block_kind kind) {
    remove_dead((uintptr_t)base, (uintptr_t)base + bytes);
    struct record *record = record_new(base, bytes, kind);
    units_set(record, record);
    code_set((uintptr_t)base, CODE_BIG);
}

static uintptr_t digit_at(uintptr_t base, int digit) {
    return base + ((uintptr_t)(digit + 1) << GRAIN_BITS);
}

/* More slack than the largest, which cannot be with blocks below a unit's length, reads as that. */
static void digits_set(uintptr_t base, size_t slack) {
    size_t most = (1UL << (DIGITS * DIGIT_BITS)) - 1, rest = slack < most ? slack : most;
    for (int i = 0; i < DIGITS; ++i, rest >>= DIGIT_BITS)
        code_set(digit_at(base, i), (unsigned char)(CODE_DIGIT | (rest & (CODE_DIGIT - 1))));
}

static size_t digits_get(uintptr_t base) {
    size_t slack = 0;
    for (int i = DIGITS - 1; i >= 0; --i) {
        unsigned char code =
            atomic_load_explicit(code_at(digit_at(base, i), true), memory_order_relaxed);
        slack = slack << DIGIT_BITS | (code & (CODE_DIGIT - 1));
    }
    return slack;
}

void dsm_registry_add(void *base, size_t bytes) {
    uintptr_t at = (uintptr_t)base;
    if (!base || !addressable(at) || !addressable(at + bytes))
        return;
    dsm_foreign_library(base, 1);
    if (bytes >= UNIT) {
        add_big(base, bytes, DSM_BLOCK_LIBRARY);
        return;
    }
    struct record *dead = big_around(at);
    if (dead)
        remove_big(dead);
    size_t slack = dsm_clib_usable(base) - bytes;
    codes_clear(at + (1UL << GRAIN_BITS), at + bytes);
    if (slack <= SLACK_MOST) {
        code_set(at, (unsigned char)(CODE_SLACK + slack));
    } else {
        code_set(at, CODE_WIDE);
        digits_set(at, slack);
    }
}

void dsm_registry_map(void *base, size_t bytes, enum dsm_block_kind kind) {
    if (bytes >= UNIT && addressable((uintptr_t)base + bytes)) {
        dsm_registry_unmap(base, bytes);
        add_big(base, bytes, kind);
    }
}

/* The big block that begins at base; NULL if none. */
static struct record *big_at(uintptr_t base) {
    struct record *record = record_at((base + UNIT - 1) & ~(UNIT - 1));
    return record && record->base == (char *)base ? record : NULL;
}

void dsm_registry_remove(void *base) {
    uintptr_t at = (uintptr_t)base;
    atomic_uchar *code = addressable(at) ? code_at(at, false) : NULL;
    unsigned char value = code ? atomic_load_explicit(code, memory_order_relaxed) : CODE_NONE;
    if (value != CODE_NONE) {
        dsm_foreign_library(base, -1);
        note_removed();
    }
    if (value == CODE_BIG) {
        struct record *record = big_at(at);
        if (record)
            remove_big(record);
    } else if (value != CODE_NONE) {
        atomic_store_explicit(code, CODE_NONE, memory_order_relaxed);
        for (int i = 0; value == CODE_WIDE && i < DIGITS; ++i)
            code_set(digit_at(at, i), CODE_NONE);
    }
}

void dsm_registry_unmap(void *base, size_t bytes) {
    uintptr_t low = (uintptr_t)base, high = low + bytes;
    if (!addressable(high))
        return;
    for (uintptr_t unit = low & ~(UNIT - 1); unit < high + UNIT; unit += UNIT) {
        struct record *record = addressable(unit) ? record_at(unit) : NULL;
        if (record && (uintptr_t)record->base < high &&
            (uintptr_t)record->base + record->bytes > low &&
            (record->kind == DSM_BLOCK_MAPPED || record->kind == DSM_BLOCK_SHARED ||
             record->kind == DSM_BLOCK_CONSTANT)) {
            remove_big(record);
        }
    }
}

static bool record_give(struct record *record, uintptr_t address, struct dsm_block *block) {
    if (!record || address - (uintptr_t)record->base >= record->bytes)
        return false;
    bool mapped = record->kind != DSM_BLOCK_LIBRARY;
    *block = (struct dsm_block){record->base, record->bytes, record->kind, mapped};
    return true;
}

/* The nearest beginning of a block at or below address, in the same unit; 0 when none. */
static uintptr_t begin_below(uintptr_t address) {
    uintptr_t unit = address & ~(UNIT - 1), at = address & ~((1UL << GRAIN_BITS) - 1);
    for (;; at -= 1UL << GRAIN_BITS) {
        atomic_uchar *code = code_at(at, false);
        if (!code)
            return 0;
        unsigned char value = atomic_load_explicit(code, memory_order_relaxed);
        if (value != CODE_NONE && value < CODE_DIGIT)
            return at;
        if (at == unit)
            return 0;
    }
}

static bool find_from(uintptr_t base, uintptr_t address, struct dsm_block *block) {
    unsigned char code = atomic_load_explicit(code_at(base, false), memory_order_relaxed);
    if (code == CODE_BIG)
        return record_give(big_at(base), address, block);
    size_t slack = code == CODE_WIDE ? digits_get(base) : (size_t)(code - CODE_SLACK);
    size_t bytes = dsm_clib_usable((void *)base) - slack;
    *block = (struct dsm_block){(char *)base, bytes, DSM_BLOCK_LIBRARY, false};
    return address - base < bytes;
}

bool dsm_registry_find(const void *pointer, struct dsm_block *block) {
    uintptr_t address = (uintptr_t)pointer, unit = address & ~(UNIT - 1);
    if (!addressable(address) || !addressable(address + UNIT))
        return false;
    if (record_give(big_around(address), address, block))
        return true;
    uintptr_t base = begin_below(address);
    if (!base && unit)
        base = begin_below(unit - 1);
    return base && find_from(base, address, block);
}

/* The C library keeps at most a grain in front of a block: in less nobody else has memory. */
bool dsm_registry_filled(const char *low, const char *high) {
    struct dsm_block block;
    if (!dsm_registry_find(low, &block) || block.kind != DSM_BLOCK_LIBRARY)
        return false;
    uintptr_t at = (uintptr_t)block.base, end = (uintptr_t)high;
    while (addressable(at) && find_from(at, at, &block) && block.kind == DSM_BLOCK_LIBRARY) {
        at += dsm_clib_usable(block.base);
        if (at >= end)
            return true;
        at = (at + (1UL << GRAIN_BITS) - 1) & ~((1UL << GRAIN_BITS) - 1);
        if (at >= end)
            return true;
        atomic_uchar *code = code_at(at, false);
        unsigned char value = code ? atomic_load_explicit(code, memory_order_relaxed) : CODE_NONE;
        if (value == CODE_NONE || value >= CODE_DIGIT)
            return false;
    }
    return false;
}
