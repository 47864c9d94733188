/* Wavefronts on several ranks: what travels before, in and after a region. */
#include "runtime/execute/panels.h"

#include "runtime/base/commands.h"
#include "runtime/execute/panels_pending.h"

#include "dsm/dsm.h"

#include <limits.h>
#include <string.h>

enum { PIECE = 256 << 10, PIECES = 4 };

/* ---- before and after ------------------------------------------------------------------------ */

/* Of the thread that runs regions, once a set was sent: new memory in every region would cost more
 * than what it is for. */
static char *buffers[PIECES];

/* The set's bytes on their way to or from a rank, in pieces of which each is on its way while the
 * next one is packed, or the one before unpacked; short enough to stay in a cache. */
struct stream {
    struct orrery_place_walk walk;
    int rank;
    size_t left, piece;
    struct dsm_request *requests[PIECES];
    size_t bytes[PIECES];
};

static void stream_begin(struct stream *stream, const struct orrery_panels *panels,
                         const struct orrery_set *set, int rank) {
    *stream = (struct stream){.walk = {&panels->places, set, 0, 0}, .rank = rank};
    stream->left = orrery_set_size(set);
    stream->piece = dsm_chunk(PIECE);
    for (int i = 0; i < PIECES && !buffers[i] && stream->left; ++i)
        buffers[i] = dsm_own_alloc(PIECE);
}

/* Of what is left the next piece. */
static size_t next_piece(struct stream *stream) {
    size_t bytes = stream->left < stream->piece ? stream->left : stream->piece;
    stream->left -= bytes;
    return bytes;
}

static void slot_wait(struct stream *stream, int i) {
    if (stream->requests[i])
        dsm_wait(stream->requests[i]);
    stream->requests[i] = NULL;
}

static void slot_receive(struct stream *stream, int i) {
    stream->bytes[i] = next_piece(stream);
    if (stream->bytes[i])
        stream->requests[i] =
            dsm_receive_start(stream->rank, ORRERY_TAG_HOME, buffers[i], stream->bytes[i]);
}

static void set_send(const struct orrery_panels *panels, const struct orrery_set *set, int rank) {
    struct stream stream;
    stream_begin(&stream, panels, set, rank);
    for (int i = 0; stream.left; i = (i + 1) % PIECES) {
        slot_wait(&stream, i);
        size_t bytes = next_piece(&stream);
        orrery_places_move(&stream.walk, buffers[i], bytes, true);
        stream.requests[i] = dsm_send_start(rank, ORRERY_TAG_HOME, buffers[i], bytes);
    }
    for (int i = 0; i < PIECES; ++i)
        slot_wait(&stream, i);
}

static void set_receive(const struct orrery_panels *panels, const struct orrery_set *set,
                        int rank) {
    struct stream stream;
    stream_begin(&stream, panels, set, rank);
    for (int i = 0; i < PIECES; ++i)
        slot_receive(&stream, i);
    for (int i = 0; stream.requests[i]; i = (i + 1) % PIECES) {
        slot_wait(&stream, i);
        orrery_places_move(&stream.walk, buffers[i], stream.bytes[i], false);
        slot_receive(&stream, i);
    }
}

struct orrery_set orrery_panels_changed(const struct orrery_panels *panels,
                                        const struct orrery_set *of, bool changed) {
    struct orrery_set places = {0};
    for (long i = 0; i < panels->places.count; ++i) {
        const struct orrery_piece *piece = &panels->places.items[i];
        long next = i + 1 < panels->places.count ? panels->places.items[i + 1].origin
                                                 : piece->origin + (LONG_MAX - piece->origin) / 2;
        if (!panels->dirty[piece->group] == !changed)
            orrery_set_add(&places, piece->origin, next);
    }
    struct orrery_set both = orrery_set_both(of, &places);
    orrery_set_free(&places);
    return both;
}

/* Of groups that have changed all that the rank needs, of others what others made. */
static struct orrery_set brought(const struct orrery_panels *panels,
                                 const struct orrery_panel_share *share) {
    struct orrery_set all = orrery_panels_changed(panels, &share->needed, true);
    struct orrery_set others = orrery_panels_changed(panels, &share->refreshed, false);
    orrery_set_join(&all, &others);
    return all;
}

static void group_watch(struct orrery_panels *panels, int group) {
    struct dsm_range *ranges = dsm_own_alloc((size_t)(panels->places.count + 1) * sizeof *ranges);
    int n = 0;
    for (long i = 0; i < panels->places.count; ++i)
        if (panels->places.items[i].group == group)
            ranges[n++] =
                (struct dsm_range){panels->places.items[i].low, panels->places.items[i].high};
    if (n)
        panels->watches[group] = dsm_watch_start(n, ranges);
    dsm_own_free(ranges);
}

void orrery_panels_look(struct orrery_panels *panels) {
    for (int g = 0; g < panels->ngroups; ++g)
        panels->dirty[g] = !panels->watches[g] || dsm_watch_changed(panels->watches[g]);
    orrery_panels_defer_end(panels, panels->dirty);
    for (int g = 0; g < panels->ngroups; ++g) {
        if (panels->watches[g] && (panels->dirty[g] || panels->written[g])) {
            dsm_watch_end(panels->watches[g]);
            panels->watches[g] = NULL;
        }
    }
}

static void messages_begin(struct orrery_panels *panels) {
    for (int i = 0; i < panels->nin; ++i)
        panels->in[i].done = false;
    for (int i = 0; i < panels->nout; ++i)
        panels->out[i].done = false;
    panels->taken = panels->told = 0;
}

static void device_out(const struct orrery_panels *panels, const struct orrery_set *set,
                       bool only_apart) {
    if (panels->device.out)
        panels->device.out(panels->device.data, &panels->places, set, only_apart);
}

static void device_in(const struct orrery_panels *panels, const struct orrery_set *set) {
    if (panels->device.in)
        panels->device.in(panels->device.data, &panels->places, set);
}

/* What has changed wholly its device gets when the region starts, from all of this memory. */
static void bring_here(const struct orrery_panels *panels) {
    struct orrery_set all = brought(panels, &panels->mine);
    struct orrery_set others = orrery_panels_changed(panels, &panels->mine.refreshed, false);
    device_out(panels, &others, true);
    set_receive(panels, &all, 0);
    device_in(panels, &others);
    orrery_set_free(&others);
    orrery_set_free(&all);
}

/* Rank 0: what of the changed groups other ranks get where the program has it. */
static void dirty_sent(const struct orrery_panels *panels) {
    for (long i = 0; i < panels->places.count; ++i) {
        const struct orrery_piece *piece = &panels->places.items[i];
        if (panels->dirty[piece->group])
            dsm_watch_sent(piece->low, piece->high);
    }
}

void orrery_panels_bring(struct orrery_panels *panels) {
    dsm_broadcast(panels->dirty, (size_t)panels->ngroups);
    if (dsm_rank() == 0)
        dirty_sent(panels);
    if (dsm_rank() > 0)
        orrery_places_commit(&panels->places, &panels->mine.touched);
    if (dsm_rank() > 0)
        bring_here(panels);
    for (int rank = 1; dsm_rank() == 0 && rank < dsm_ranks(); ++rank) {
        struct orrery_set set = brought(panels, &panels->shares[rank]);
        set_send(panels, &set, rank);
        orrery_set_free(&set);
    }
    messages_begin(panels);
}

char *orrery_panels_base(const struct orrery_panels *panels, const struct orrery_state *state,
                         int a) {
    const char *base = state->shapes[a].base;
    const struct orrery_piece *piece = base && orrery_panels_have(state->loop, a)
                                           ? orrery_places_find(&panels->places, base)
                                           : NULL;
    return piece && piece->here != piece->low ? piece->here + (base - piece->low) : NULL;
}

struct dsm_range orrery_panels_span(const struct orrery_panels *panels,
                                    const struct orrery_state *state, int a) {
    const char *base = state->shapes[a].base;
    const struct orrery_piece *piece = base && orrery_panels_have(state->loop, a)
                                           ? orrery_places_find(&panels->places, base)
                                           : NULL;
    if (!piece || piece->constant)
        return (struct dsm_range){NULL, NULL};
    return (struct dsm_range){piece->here, piece->here + (piece->high - piece->low)};
}

/* ---- messages -------------------------------------------------------------------------------- */

static void message_take(const struct orrery_panels *panels, struct orrery_panel_message *message) {
    struct orrery_place_walk walk = {&panels->places, &message->set, 0, 0};
    char *buffer = dsm_own_alloc(message->bytes);
    dsm_receive(message->rank, ORRERY_TAG_SLOTS + message->panel, buffer, message->bytes);
    device_out(panels, &message->set, true);
    orrery_places_move(&walk, buffer, message->bytes, false);
    device_in(panels, &message->set);
    dsm_own_free(buffer);
    message->done = true;
}

void orrery_panels_take(struct orrery_panels *panels, int panel, long stretch) {
    pthread_mutex_lock(&panels->taking);
    while (panels->taken < panels->nin && panels->in[panels->taken].done)
        ++panels->taken;
    for (int i = panels->taken; i < panels->nin && panels->in[i].panel < panel; ++i)
        if (!panels->in[i].done && panels->in[i].stretch <= stretch)
            message_take(panels, &panels->in[i]);
    pthread_mutex_unlock(&panels->taking);
}

static void message_gone(struct orrery_panel_message *message) {
    dsm_own_free(message->buffer);
    message->buffer = NULL;
    message->request = NULL;
    message->done = true;
}

/* Its kernel may write what lies between. False: it has not come. */
static bool message_arrive(const struct orrery_panels *panels,
                           struct orrery_panel_message *message) {
    struct orrery_place_walk walk = {&panels->places, &message->set, 0, 0};
    if (!message->buffer) {
        message->buffer = dsm_own_alloc(message->bytes);
        message->request = dsm_receive_start(message->rank, ORRERY_TAG_SLOTS + message->panel,
                                             message->buffer, message->bytes);
    }
    if (!dsm_test(message->request))
        return false;
    orrery_places_move(&walk, message->buffer, message->bytes, false);
    panels->device.in_alone(panels->device.data, &panels->places, &message->set);
    message_gone(message);
    return true;
}

/* In the order of orrery_panels_take. */
bool orrery_panels_arrive(struct orrery_panels *panels, int panel, long stretch) {
    while (panels->taken < panels->nin && panels->in[panels->taken].done)
        ++panels->taken;
    for (int i = panels->taken; i < panels->nin && panels->in[i].panel < panel; ++i)
        if (!panels->in[i].done && panels->in[i].stretch <= stretch &&
            !message_arrive(panels, &panels->in[i]))
            return false;
    return true;
}

static void message_tell(const struct orrery_panels *panels, struct orrery_panel_message *message) {
    struct orrery_place_walk walk = {&panels->places, &message->set, 0, 0};
    message->buffer = dsm_own_alloc(message->bytes);
    device_out(panels, &message->set, false);
    orrery_places_move(&walk, message->buffer, message->bytes, true);
    message->request = dsm_send_start(message->rank, ORRERY_TAG_SLOTS + message->panel,
                                      message->buffer, message->bytes);
}

/* The first of this rank's messages about the panel's stretch, or a later one. */
static int first_out(const struct orrery_panels *panels, int panel, long stretch) {
    int low = 0, high = panels->nout;
    while (low < high) {
        int middle = (low + high) / 2;
        const struct orrery_panel_message *message = &panels->out[middle];
        if (message->panel < panel || (message->panel == panel && message->stretch < stretch))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void orrery_panels_tell(struct orrery_panels *panels, int panel, long stretch) {
    pthread_mutex_lock(&panels->telling);
    for (int i = first_out(panels, panel, stretch);
         i < panels->nout && panels->out[i].panel == panel && panels->out[i].stretch == stretch;
         ++i)
        message_tell(panels, &panels->out[i]);
    while (panels->told < panels->nout && panels->out[panels->told].done)
        ++panels->told;
    for (int i = panels->told; i < panels->nout && panels->out[i].panel <= panel; ++i)
        if (panels->out[i].request && dsm_test(panels->out[i].request))
            message_gone(&panels->out[i]);
    pthread_mutex_unlock(&panels->telling);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void messages_end(struct orrery_panels *panels) {
    orrery_panels_take(panels, panels->npanels, panels->stretches);
    for (int i = 0; i < panels->nout; ++i)
        if (panels->out[i].request) {
            dsm_wait(panels->out[i].request);
            message_gone(&panels->out[i]);
        }
}

/* What bytes between may bring along that is older than other ranks' comes before those. */
static void homes_take(const struct orrery_panels *panels) {
    device_out(panels, &panels->mine.refreshed, true);
    for (int rank = 1; rank < dsm_ranks(); ++rank)
        set_receive(panels, &panels->shares[rank].home, rank);
    device_in(panels, &panels->mine.refreshed);
}

void orrery_panels_return(struct orrery_panels *panels) {
    messages_end(panels);
    if (dsm_rank() > 0) {
        set_send(panels, &panels->mine.home, 0);
        return;
    }
    homes_take(panels);
    orrery_panels_defer_begin(panels);
    for (int g = 0; g < panels->ngroups; ++g)
        if (!panels->watches[g])
            group_watch(panels, g);
    orrery_panels_defer(panels);
}
