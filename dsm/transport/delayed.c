/*
 * Torture: a transport whose messages start late and whose ends are seen late, at random. Nothing
 * that the protocol promises may depend on when either happens.
 */
#include "dsm/transport/messages.h"

/* `hold`: how often test() still says no after the message is over. */
struct delayed {
    void *handle;
    bool over;
    unsigned hold;
};

static struct {
    const struct dsm_transport *below; /* what carries the messages */
    struct dsm_transport table;        /* its functions, some of them replaced by ours */
    atomic_uint state;                 /* of the random numbers */
} torture;

static unsigned draw(void) {
    unsigned x = atomic_fetch_add_explicit(&torture.state, 0x9e3779b9u, memory_order_relaxed);
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return x ^ (x >> 16);
}

static void dawdle(void) {
    for (unsigned i = draw() % 64; i > 56; --i)
        for (unsigned j = 0; j < 20; ++j)
            sched_yield();
}

static void delayed_start(struct dsm_world *world) {
    torture.below->start(world);
    atomic_fetch_add(&torture.state, (unsigned)world->rank * 7919u);
}

/* Most ends are seen at once, some a few tests late, few so late that many others are seen before. */
static unsigned hold_draw(void) {
    unsigned x = draw() % 64;
    return x >= 16 ? 0 : draw() % (x > 0 ? 12 : 200);
}

static struct delayed *delay(void *handle) {
    struct delayed *delayed = dsm_own_alloc(sizeof *delayed);
    *delayed = (struct delayed){handle, false, hold_draw()};
    return delayed;
}

static void *delayed_send(enum dsm_channel channel, int rank, int tag, const void *data,
                          size_t bytes) {
    dawdle();
    return delay(torture.below->send_start(channel, rank, tag, data, bytes));
}

static void *delayed_receive(enum dsm_channel channel, int rank, int tag, void *data,
                             size_t bytes) {
    dawdle();
    return delay(torture.below->receive_start(channel, rank, tag, data, bytes));
}

static bool delayed_test(void *request) {
    struct delayed *delayed = request;
    delayed->over = delayed->over || torture.below->test(delayed->handle);
    if (!delayed->over || delayed->hold-- > 0)
        return false;
    dsm_own_free(delayed);
    return true;
}

const struct dsm_transport *dsm_transport_delayed(const struct dsm_transport *transport,
                                                  unsigned seed) {
    torture.below = transport;
    atomic_store(&torture.state, seed);
    torture.table = *transport;
    torture.table.start = delayed_start;
    torture.table.send_start = delayed_send;
    torture.table.receive_start = delayed_receive;
    torture.table.test = delayed_test;
    return &torture.table;
}
