/*
 * The memory of PTX (docs/gpu.md, "The real PTX"; PTX ISA 9.0, "Memory consistency model").
 *
 * Weak accesses are looked at as the happens-before race detectors do (Flanagan and Freund,
 * FastTrack, PLDI 2009): two that overlap, one of them a write, have to be ordered by causality:
 * by what one lane does after the other, bar.warp.sync, bar.sync, and releases with the acquires
 * that read them, of scopes that reach. Else the job ends. So whatever a cache holds and whenever
 * it is written back, a kernel that passes reads the same.
 *
 * Strong accesses may read older values, as long as PTX's coherence and causality let them.
 */
#include "machine.h"

#include "dsm/dsm.h"

#include <stdlib.h>

enum { LANES = 32, BLOCK_WARPS = PTX_THREADS / LANES, GRAIN = 8, KEPT = 4, PLACES = 256 };

/* Of an access: writes; strong, by scope (SCOPE(cta) ...); by the cache of constant data. */
enum { WRITES = 1, STRONG = 2, CONSTANT = 16 };
#define SCOPE(scope) (STRONG + 4 * (scope))

/* One access, or several lanes' equal ones. `stamp`: the warp's time. `bytes`: a bit each. */
struct access {
    uint32_t lanes, stamp;
    int line;
    uint16_t warp;
    uint8_t bytes, kind;
};

/* Eight bytes: what of their accesses a later one may race with. Of launch `launch`. There is room
 * for 1 << `room`. `written`: by one of them. */
struct grain {
    struct access *list;
    uint16_t count;
    uint8_t room;
    bool written;
    uint32_t launch;
};

struct memory {
    char *low;
    size_t bytes;
    struct grain *grains;
    bool host;
    struct memory *next;
};

/* What an agent knew: of agent a all that came before its warp's time at[a]. */
struct knowledge {
    long users;
    uint32_t at[];
};

/* A strong store. `given[d]`: what one who acquires it at distance d (PTX_CTA: of the same block
 * ...) gets to know, NULL: nothing. `serial`: counts stores and fences. `seen[a]`: when agent a
 * first read it, 0: never. */
struct store {
    uint64_t value, serial;
    long agent;
    uint32_t stamp;
    struct knowledge *given[PTX_SCOPES];
    uint32_t *seen;
};

/* Where strong accesses are: its last stores, store i in last[i % KEPT]. */
struct place {
    const char *at;
    unsigned bytes, stores;
    bool host;
    struct store last[KEPT];
    struct place *next;
};

/* `clock`: what it knows; of lanes of a warp that know the same that of the warp, else `own`.
 * `fenced[d]`: what its strong stores give by a fence before them; `pending[d]`: what a fence gets
 * from loads before it. `fence`: the serial of its last sequential one. */
struct agent {
    uint32_t *clock, *own;
    struct knowledge *fenced[PTX_SCOPES];
    uint32_t *pending[PTX_SCOPES];
    uint64_t fence;
};

static struct memory *memories, *found;
static struct {
    uint32_t launch;
    long warps, agents; /* the host included */
    uint32_t *time;     /* of each warp, and of the host's */
    uint32_t *met;      /* ... when all of it met last */
    uint32_t **common;  /* of each warp */
    struct agent *of;
    struct place *places[PLACES];
    struct knowledge *host; /* what it gives by the flags that it sets */
    uint64_t serial;
    bool runs;
} order;

/* ---- agents and what they know ---- */

static long host(void) {
    return order.agents - 1;
}

static long warp_of(long agent) {
    return agent / LANES;
}

/* The least scope that has both. */
static int distance(long a, long b) {
    if (a == host() || b == host())
        return a == b ? PTX_CTA : PTX_SYS;
    return warp_of(a) / BLOCK_WARPS == warp_of(b) / BLOCK_WARPS ? PTX_CTA : PTX_GPU;
}

static void join(uint32_t *restrict to, const uint32_t *restrict from) {
    for (long i = 0; i < order.agents; ++i)
        to[i] = to[i] > from[i] ? to[i] : from[i];
}

static uint32_t *copy_of(const uint32_t *clock) {
    uint32_t *copy = machine_memory((size_t)order.agents, sizeof *copy);
    return memcpy(copy, clock, (size_t)order.agents * sizeof *copy);
}

static void learn(long agent, const uint32_t *what) {
    struct agent *self = &order.of[agent];
    if (self->clock != self->own) {
        if (!self->own)
            self->own = machine_memory((size_t)order.agents, sizeof *self->own);
        memcpy(self->own, self->clock, (size_t)order.agents * sizeof *self->own);
        self->clock = self->own;
    }
    join(self->clock, what);
}

static struct knowledge *use(struct knowledge *what) {
    if (what)
        ++what->users;
    return what;
}

static void drop(struct knowledge *what) {
    if (what && --what->users == 0)
        free(what);
}

/* All that it did up to here, and knows. The caller uses it once. */
static struct knowledge *knowledge_of(long agent) {
    size_t size = (size_t)order.agents * sizeof(uint32_t);
    struct knowledge *made = machine_memory(1, sizeof *made + size);
    memcpy(made->at, order.of[agent].clock, size);
    made->at[agent] = ++order.time[warp_of(agent)];
    made->users = 1;
    return made;
}

void order_meet_warp(long warp, uint32_t lanes, bool all) {
    uint32_t now = ++order.time[warp];
    if (all)
        order.met[warp] = now;
    uint32_t *sum = all ? order.common[warp] : copy_of(order.common[warp]);
    for (long l = 0; l < LANES; ++l)
        if (lanes >> l & 1 && order.of[warp * LANES + l].clock != order.common[warp])
            join(sum, order.of[warp * LANES + l].clock);
    for (long l = 0; l < LANES; ++l)
        if (lanes >> l & 1)
            sum[warp * LANES + l] = now;
    for (long l = 0; l < LANES; ++l)
        if (lanes >> l & 1 && all)
            order.of[warp * LANES + l].clock = sum;
        else if (lanes >> l & 1)
            learn(warp * LANES + l, sum);
    if (!all)
        free(sum);
}

void order_meet_block(long first, long warps) {
    for (long w = 1; w < warps; ++w)
        join(order.common[first], order.common[first + w]);
    for (long w = 1; w < warps; ++w)
        join(order.common[first + w], order.common[first]);
}

/* ---- races ---- */

static bool is_before(const struct access *a, long agent) {
    const uint32_t *known = order.of[agent].clock;
    if (a->warp == warp_of(agent) && a->stamp < order.met[a->warp])
        return true;
    for (uint32_t left = a->lanes; left; left &= left - 1) {
        long other = a->warp * LANES + __builtin_ctz(left);
        if (other != agent && known[other] <= a->stamp)
            return false;
    }
    return true;
}

/* Strong ones of scopes that have each other do not conflict. */
static bool conflicts(const struct access *a, long agent, int kind) {
    int apart = distance(a->warp * (long)LANES, agent);
    if (!((a->kind | kind) & WRITES))
        return false;
    return !(a->kind & kind & STRONG) || a->kind / 4 % 4 < apart || kind / 4 % 4 < apart;
}

static _Noreturn void race(const struct access *a, int kind, const char *at, int line) {
    long other = a->warp * (long)LANES + __builtin_ctz(a->lanes);
    const char *how = (a->kind | kind) & CONSTANT ? "by the cache of constant data" : "unordered";
    if (other == host())
        machine_wrong(line, "a race: memory at %p, which the host copies, %s", (const void *)at,
                      how);
    machine_wrong(line, "a race: it %s memory at %p that lane %ld of warp %ld %s in line %d, %s",
                  kind & WRITES ? "writes" : "reads", (const void *)at, other % LANES,
                  warp_of(other), a->kind & WRITES ? "has written" : "has read", a->line, how);
}

static bool is_same(const struct access *a, const struct access *b) {
    return a->warp == b->warp && a->kind == b->kind && a->bytes == b->bytes;
}

static void grain_add(struct grain *grain, const struct access *new) {
    if (!grain->list || grain->count == 1 << grain->room) {
        ++grain->room;
        grain->list = realloc(grain->list, (sizeof *grain->list) << grain->room);
    }
    if (!grain->list)
        dsm_fail(1, "PTX: no memory is left");
    grain->list[grain->count++] = *new;
    grain->written |= new->kind & WRITES;
}

/* Nobody has written there: it is enough that its warp's last reading is known. */
static void grain_read(struct grain *grain, long agent, const struct access *new) {
    for (struct access *a = grain->list; a < grain->list + grain->count; ++a) {
        if (!is_same(a, new))
            continue;
        if (a->stamp == new->stamp) {
            a->lanes |= new->lanes;
            return;
        }
        if (is_before(a, agent)) {
            *a = *new;
            return;
        }
    }
    grain_add(grain, new);
}

/* What the new access makes needless: who is behind the new one is behind the old one. */
static bool covers(const struct access *new, const struct access *a, long agent) {
    if (new->kind & WRITES)
        return !(a->bytes & ~new->bytes) && !(a->kind & CONSTANT);
    return is_same(a, new) && (a->stamp == new->stamp || is_before(a, agent));
}

static void grain_visit(struct grain *grain, long agent, struct access new, const char *at) {
    int kept = 0;
    if (grain->launch != order.launch) {
        grain->count = 0;
        grain->written = false;
        grain->launch = order.launch;
    }
    if (!grain->written && !(new.kind &WRITES)) {
        grain_read(grain, agent, &new);
        return;
    }
    if (!(new.kind &(WRITES | STRONG)))
        machine_trace(new.line, true);
    for (int i = 0; i < grain->count; ++i) {
        struct access *a = &grain->list[i];
        bool meets = a->bytes & new.bytes;
        if (meets && conflicts(a, agent, new.kind) &&
            ((a->kind | new.kind) & CONSTANT || !is_before(a, agent)))
            race(a, new.kind, at, new.line);
        if (meets && is_same(a, &new) && a->stamp == new.stamp)
            new.lanes |= a->lanes;
        if (!meets || !covers(&new, a, agent))
            grain->list[kept++] = *a;
    }
    grain->count = (uint16_t)kept;
    grain_add(grain, &new);
}

static bool is_in(const struct memory *memory, const char *at, size_t bytes) {
    return memory && at >= memory->low && at + bytes <= memory->low + memory->bytes;
}

static struct memory *memory_of(const char *at, size_t bytes) {
    if (is_in(found, at, bytes))
        return found;
    for (found = memories; found && !is_in(found, at, bytes);)
        found = found->next;
    return found;
}

static void touch(const struct memory *memory, long agent, const char *at, size_t bytes, int kind,
                  int line) {
    struct access new = {.lanes = 1u << agent % LANES,
                         .stamp = order.time[warp_of(agent)],
                         .line = line,
                         .warp = (uint16_t)warp_of(agent),
                         .kind = (uint8_t)kind};
    for (size_t low = (size_t)(at - memory->low), end = low + bytes; low < end;) {
        size_t first = low % GRAIN, next = low - first + GRAIN, last = end < next ? end : next;
        new.bytes = (uint8_t)((1u << (last - low)) - 1u) << first;
        grain_visit(&memory->grains[low / GRAIN], agent, new, memory->low + low);
        low = next;
    }
}

void ptx_aligned(const void *at, unsigned bytes, int line) {
    if ((uintptr_t)at % bytes)
        machine_wrong(line, "%u bytes at %p, which is no multiple of that", bytes, at);
}

static const struct memory *check(const void *at, unsigned bytes, int kind, int line) {
    machine_trace(line, false);
    ptx_aligned(at, bytes, line);
    if (machine_is_local(at))
        return NULL;
    struct memory *memory = memory_of(at, bytes);
    if (!memory)
        machine_wrong(line, "%u bytes at %p, where the device has no memory", bytes, at);
    touch(memory, machine_agent(), at, bytes, kind, line);
    return memory;
}

void ptx_read(const void *at, unsigned bytes, int line) {
    check(at, bytes, 0, line);
}

void ptx_read_constant(const void *at, unsigned bytes, int line) {
    check(at, bytes, CONSTANT, line);
}

void ptx_write(void *at, unsigned bytes, int line) {
    check(at, bytes, WRITES, line);
}

/* ---- strong accesses ---- */

static struct store *newest(struct place *place) {
    return &place->last[(place->stores - 1) % KEPT];
}

static struct store *place_push(struct place *place, long agent, uint64_t value) {
    struct store *store = &place->last[place->stores++ % KEPT];
    for (int d = 0; d < PTX_SCOPES; ++d)
        drop(store->given[d]);
    uint32_t *seen = store->seen ? store->seen : machine_memory((size_t)order.agents, sizeof *seen);
    memset(seen, 0, (size_t)order.agents * sizeof *seen);
    *store = (struct store){.value = value,
                            .serial = ++order.serial,
                            .agent = agent,
                            .stamp = order.time[warp_of(agent)],
                            .seen = seen};
    return store;
}

static uint64_t value_at(const char *at, unsigned bytes) {
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    return value;
}

/* The place; behind stores that were none of ours (the host's, weak ones that are ordered) its
 * value is a new one. */
static struct place *place_of(const char *at, unsigned bytes, bool is_host) {
    struct place **slot = &order.places[(uintptr_t)at / 4 % PLACES], *place = *slot;
    while (place && place->at != at)
        place = place->next;
    if (!place) {
        place = machine_memory(1, sizeof *place);
        *place = (struct place){.at = at, .bytes = bytes, .host = is_host, .next = *slot};
        *slot = place;
    }
    uint64_t value = value_at(at, bytes);
    if (place->stores && newest(place)->value == value)
        return place;
    for (int i = 0; i < KEPT; ++i) {
        struct store *store = place_push(place, host(), value);
        if (is_host)
            store->given[PTX_SYS] = use(order.host);
    }
    return place;
}

/* The agent must not read what is older than this store. */
static bool must_see(const struct store *store, long agent) {
    const struct agent *self = &order.of[agent];
    if (store->agent == agent || store->agent == host() || store->serial < self->fence ||
        self->clock[store->agent] > store->stamp || store->seen[agent])
        return true;
    for (long a = 0; a < order.agents; ++a)
        if (store->seen[a] && self->clock[a] >= store->seen[a])
            return true;
    return false;
}

/* One of the stores that it may read: mostly the newest. */
static struct store *pick(struct place *place, long agent) {
    unsigned first = place->stores - 1, oldest = place->stores - KEPT;
    if (machine_random(4))
        return newest(place);
    while (first > oldest && !must_see(&place->last[first % KEPT], agent))
        --first;
    return &place->last[(first + machine_random(place->stores - first)) % KEPT];
}

/* What the store gives at this scope: now, or to a fence behind. */
static void take(long agent, const struct store *store, int order_of, int scope) {
    int apart = distance(store->agent, agent);
    const struct knowledge *given = store->given[apart];
    uint32_t **pending = &order.of[agent].pending[apart];
    if (!given || scope < apart)
        return;
    if (order_of == PTX_ACQUIRE || order_of == PTX_ACQ_REL) {
        learn(agent, given->at);
        return;
    }
    if (!*pending)
        *pending = machine_memory((size_t)order.agents, sizeof **pending);
    join(*pending, given->at);
}

/* What one who reads the agent's next strong store gets. */
static void give(struct store *store, long agent, int order_of, int scope) {
    struct knowledge *all =
        order_of == PTX_RELEASE || order_of == PTX_ACQ_REL ? knowledge_of(agent) : NULL;
    for (int d = 0; d <= scope; ++d)
        store->given[d] = use(all ? all : order.of[agent].fenced[d]);
    drop(all);
}

static uint64_t load_from(struct place *place, struct store *store, int order_of, int scope) {
    long agent = machine_agent();
    (void)place;
    if (!store->seen[agent])
        store->seen[agent] = order.time[warp_of(agent)] + 1;
    take(agent, store, order_of, scope);
    return store->value;
}

static struct place *strong(const char *at, unsigned bytes, int kind, int line) {
    machine_yield();
    const struct memory *memory = check(at, bytes, kind, line);
    if (!memory)
        machine_wrong(line, "a strong access of a lane's own memory");
    return place_of(at, bytes, memory->host);
}

uint64_t ptx_load(const char *at, unsigned bytes, int order_of, int scope, int line) {
    struct place *place = strong(at, bytes, SCOPE(scope), line);
    return load_from(place, pick(place, machine_agent()), order_of, scope);
}

static struct store *store_to(struct place *place, char *at, uint64_t value, int order_of,
                              int scope) {
    struct store *store = place_push(place, machine_agent(), value);
    give(store, store->agent, order_of, scope);
    memcpy(at, &value, place->bytes);
    machine_progress();
    return store;
}

void ptx_store(char *at, uint64_t value, unsigned bytes, int order_of, int scope, int line) {
    store_to(strong(at, bytes, SCOPE(scope) | WRITES, line), at, value, order_of, scope);
}

uint64_t ptx_atom_load(const char *at, unsigned bytes, int order_of, int scope, int line) {
    struct place *place = strong(at, bytes, SCOPE(scope) | WRITES, line);
    return load_from(place, newest(place), order_of, scope);
}

/* It gives what the store gave that it read, too. */
void ptx_atom_store(char *at, uint64_t value, unsigned bytes, int order_of, int scope) {
    struct place *place = place_of(at, bytes, false);
    struct store before = *newest(place);
    for (int d = 0; d < PTX_SCOPES; ++d)
        use(before.given[d]);
    struct store *store = store_to(place, at, value, order_of, scope);
    for (int d = 0; d < PTX_SCOPES; ++d) {
        struct knowledge *own = store->given[d];
        if (own && before.given[d]) {
            store->given[d] =
                machine_memory(1, sizeof *own + (size_t)order.agents * sizeof(uint32_t));
            memcpy(store->given[d]->at, own->at, (size_t)order.agents * sizeof(uint32_t));
            store->given[d]->users = 1;
            join(store->given[d]->at, before.given[d]->at);
            drop(own);
        } else if (before.given[d]) {
            store->given[d] = use(before.given[d]);
        }
        drop(before.given[d]);
    }
}

void ptx_fence(int scope, int sequential, int line) {
    machine_trace(line, false);
    long agent = machine_agent();
    struct agent *self = &order.of[agent];
    for (int d = 0; d <= scope; ++d)
        if (self->pending[d]) {
            learn(agent, self->pending[d]);
            memset(self->pending[d], 0, (size_t)order.agents * sizeof(uint32_t));
        }
    struct knowledge *all = knowledge_of(agent);
    for (int d = 0; d <= scope; ++d) {
        drop(self->fenced[d]);
        self->fenced[d] = use(all);
    }
    drop(all);
    if (sequential)
        self->fence = ++order.serial;
}

/* ---- the host ---- */

void order_memory_add(char *low, size_t bytes, bool is_host) {
    struct memory *memory = machine_memory(1, sizeof *memory);
    *memory = (struct memory){low, bytes, machine_memory(bytes / GRAIN + 1, sizeof(struct grain)),
                              is_host, memories};
    memories = memory;
}

void order_memory_remove(const char *low) {
    struct memory **link = &memories;
    while (*link && (*link)->low != low)
        link = &(*link)->next;
    struct memory *memory = *link;
    if (!memory)
        dsm_fail(1, "PTX: memory is freed that was not allocated");
    *link = memory->next;
    found = NULL;
    for (size_t i = 0; i < memory->bytes / GRAIN + 1; ++i)
        free(memory->grains[i].list);
    free(memory->grains);
    free(memory);
}

void order_host_copies(const char *at, size_t bytes, bool writes) {
    const struct memory *memory = memory_of(at, bytes);
    if (!memory)
        dsm_fail(1, "PTX: the host copies what is no memory of the device");
    if (order.runs)
        touch(memory, host(), at, bytes, writes ? WRITES : 0, 0);
}

void order_host_gives(void) {
    drop(order.host);
    order.host = knowledge_of(host());
}

void order_host_takes(void) {
    for (int i = 0; i < PLACES; ++i)
        for (struct place *place = order.places[i]; place; place = place->next)
            if (place->host && newest(place)->given[PTX_SYS])
                learn(host(), newest(place)->given[PTX_SYS]->at);
}

/* ---- launches ---- */

void order_begin(long warps) {
    ++order.launch;
    order.warps = warps;
    order.agents = warps * LANES + 1;
    order.time = machine_memory((size_t)warps + 1, sizeof *order.time);
    order.met = machine_memory((size_t)warps + 1, sizeof *order.met);
    order.common = machine_memory((size_t)warps + 1, sizeof *order.common);
    order.of = machine_memory((size_t)order.agents, sizeof *order.of);
    for (long w = 0; w <= warps; ++w) {
        order.time[w] = 1;
        order.common[w] = machine_memory((size_t)order.agents, sizeof **order.common);
    }
    for (long a = 0; a < order.agents; ++a)
        order.of[a].clock = order.common[warp_of(a)];
    order.runs = true;
}

static void place_free(struct place *place) {
    for (int i = 0; i < KEPT; ++i) {
        for (int d = 0; d < PTX_SCOPES; ++d)
            drop(place->last[i].given[d]);
        free(place->last[i].seen);
    }
    free(place);
}

static void agent_free(struct agent *agent) {
    free(agent->own);
    for (int d = 0; d < PTX_SCOPES; ++d) {
        drop(agent->fenced[d]);
        free(agent->pending[d]);
    }
}

void order_end(void) {
    for (int i = 0; i < PLACES; ++i)
        while (order.places[i]) {
            struct place *place = order.places[i];
            order.places[i] = place->next;
            place_free(place);
        }
    for (long a = 0; a < order.agents; ++a)
        agent_free(&order.of[a]);
    for (long w = 0; w <= order.warps; ++w)
        free(order.common[w]);
    free(order.common);
    free(order.time);
    free(order.met);
    free(order.of);
    drop(order.host);
    order.host = NULL;
    order.runs = false;
}
