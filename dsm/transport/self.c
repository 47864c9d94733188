/* The transport of one rank: messages to oneself meet in two queues. */
#include "dsm/transport/messages.h"

#include <string.h>

/* One side of a message. `done`: its other side was there and the bytes were copied. */
struct self_message {
    struct self_message *next;
    enum dsm_channel channel;
    int tag;
    char *data;
    size_t bytes;
    bool done;
};

/* Messages whose other side is not there yet, oldest first; changed under the lock. */
static struct {
    struct dsm_lock lock;
    struct self_message *sends, *receives;
} queues;

static void self_start(struct dsm_world *world) {
    world->direct = false;
}

static void self_finish(void) {
}

static void self_end(int status) {
    (void)status;
}

static struct self_message *take(struct self_message **queue, enum dsm_channel channel, int tag) {
    while (*queue && ((*queue)->channel != channel || (*queue)->tag != tag))
        queue = &(*queue)->next;
    struct self_message *found = *queue;
    if (found)
        *queue = found->next;
    return found;
}

static void append(struct self_message **queue, struct self_message *message) {
    while (*queue)
        queue = &(*queue)->next;
    *queue = message;
}

static void deliver(struct self_message *from, struct self_message *to) {
    if (from->bytes != to->bytes) {
        dsm_malformed(0, "it has %zu bytes where %zu are expected (tag %d)", from->bytes, to->bytes,
                      from->tag);
    }
    if (from->bytes > 0)
        memcpy(to->data, from->data, from->bytes);
    from->done = to->done = true;
}

static struct self_message *message_new(enum dsm_channel channel, int tag, char *data,
                                        size_t bytes) {
    struct self_message *message = dsm_own_alloc(sizeof *message);
    *message = (struct self_message){NULL, channel, tag, data, bytes, false};
    return message;
}

static void *self_send_start(enum dsm_channel channel, int rank, int tag, const void *data,
                             size_t bytes) {
    (void)rank;
    struct self_message *message = message_new(channel, tag, (char *)data, bytes);
    dsm_lock_take(&queues.lock);
    struct self_message *other = take(&queues.receives, channel, tag);
    if (other)
        deliver(message, other);
    else
        append(&queues.sends, message);
    dsm_lock_give(&queues.lock);
    return message;
}

static void *self_receive_start(enum dsm_channel channel, int rank, int tag, void *data,
                                size_t bytes) {
    (void)rank;
    struct self_message *message = message_new(channel, tag, data, bytes);
    dsm_lock_take(&queues.lock);
    struct self_message *other = take(&queues.sends, channel, tag);
    if (other)
        deliver(other, message);
    else
        append(&queues.receives, message);
    dsm_lock_give(&queues.lock);
    return message;
}

static bool self_test(void *request) {
    struct self_message *message = request;
    dsm_lock_take(&queues.lock);
    bool done = message->done;
    dsm_lock_give(&queues.lock);
    if (done)
        dsm_own_free(message);
    return done;
}

static int self_unasked(enum dsm_channel channel, int rank) {
    (void)rank;
    dsm_lock_take(&queues.lock);
    const struct self_message *message = queues.sends;
    while (message && message->channel != channel)
        message = message->next;
    int tag = message ? message->tag : -1;
    dsm_lock_give(&queues.lock);
    return tag;
}

const struct dsm_transport dsm_transport_self = {
    .start = self_start,
    .finish = self_finish,
    .end = self_end,
    .send_start = self_send_start,
    .receive_start = self_receive_start,
    .test = self_test,
    .unasked = self_unasked,
};
