/* Wavefronts on several ranks: what travels before, in and after a region. */
#include "runtime/execute/bands.h"

#include "runtime/base/commands.h"
#include "runtime/execute/bands_pending.h"

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

static void stream_begin(struct stream *stream, const struct orrery_bands *bands,
                         const struct orrery_set *set, int rank) {
    *stream = (struct stream){.walk = {&bands->places, set, 0, 0}, .rank = rank};
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

static void set_send(const struct orrery_bands *bands, const struct orrery_set *set, int rank) {
    struct stream stream;
    stream_begin(&stream, bands, set, rank);
    for (int i = 0; stream.left; i = (i + 1) % PIECES) {
        slot_wait(&stream, i);
        size_t bytes = next_piece(&stream);
        orrery_places_move(&stream.walk, buffers[i], bytes, true);
        stream.requests[i] = dsm_send_start(rank, ORRERY_TAG_HOME, buffers[i], bytes);
    }
    for (int i = 0; i < PIECES; ++i)
        slot_wait(&stream, i);
}

static void set_receive(const struct orrery_bands *bands, const struct orrery_set *set, int rank) {
    struct stream stream;
    stream_begin(&stream, bands, set, rank);
    for (int i = 0; i < PIECES; ++i)
        slot_receive(&stream, i);
    for (int i = 0; stream.requests[i]; i = (i + 1) % PIECES) {
        slot_wait(&stream, i);
        orrery_places_move(&stream.walk, buffers[i], stream.bytes[i], false);
        slot_receive(&stream, i);
    }
}

struct orrery_set orrery_bands_changed(const struct orrery_bands *bands,
                                       const struct orrery_set *of, bool changed) {
    struct orrery_set places = {0};
    for (long i = 0; i < bands->places.count; ++i) {
        const struct orrery_piece *piece = &bands->places.items[i];
        long next = i + 1 < bands->places.count ? bands->places.items[i + 1].origin
                                                : piece->origin + (LONG_MAX - piece->origin) / 2;
        if (!bands->dirty[piece->group] == !changed)
            orrery_set_add(&places, piece->origin, next);
    }
    struct orrery_set both = orrery_set_both(of, &places);
    orrery_set_free(&places);
    return both;
}

/* Of groups that have changed all that the rank needs, of others what others made. */
static struct orrery_set brought(const struct orrery_bands *bands,
                                 const struct orrery_band_share *share) {
    struct orrery_set all = orrery_bands_changed(bands, &share->needed, true);
    struct orrery_set others = orrery_bands_changed(bands, &share->refreshed, false);
    orrery_set_join(&all, &others);
    return all;
}

static void group_watch(struct orrery_bands *bands, int group) {
    struct dsm_range *ranges = dsm_own_alloc((size_t)(bands->places.count + 1) * sizeof *ranges);
    int n = 0;
    for (long i = 0; i < bands->places.count; ++i)
        if (bands->places.items[i].group == group)
            ranges[n++] =
                (struct dsm_range){bands->places.items[i].low, bands->places.items[i].high};
    if (n)
        bands->watches[group] = dsm_watch_start(n, ranges);
    dsm_own_free(ranges);
}

void orrery_bands_look(struct orrery_bands *bands) {
    for (int g = 0; g < bands->ngroups; ++g)
        bands->dirty[g] = !bands->watches[g] || dsm_watch_changed(bands->watches[g]);
    orrery_bands_defer_end(bands, bands->dirty);
    for (int g = 0; g < bands->ngroups; ++g) {
        if (bands->watches[g] && (bands->dirty[g] || bands->written[g])) {
            dsm_watch_end(bands->watches[g]);
            bands->watches[g] = NULL;
        }
    }
}

static void messages_begin(struct orrery_bands *bands) {
    for (int i = 0; i < bands->nin; ++i)
        bands->in[i].done = false;
    for (int i = 0; i < bands->nout; ++i)
        bands->out[i].done = false;
    bands->taken = bands->told = 0;
}

static void device_out(const struct orrery_bands *bands, const struct orrery_set *set,
                       bool only_apart) {
    if (bands->device.out)
        bands->device.out(bands->device.data, &bands->places, set, only_apart);
}

static void device_in(const struct orrery_bands *bands, const struct orrery_set *set) {
    if (bands->device.in)
        bands->device.in(bands->device.data, &bands->places, set);
}

/* What has changed wholly its device gets when the region starts, from all of this memory. */
static void bring_here(const struct orrery_bands *bands) {
    struct orrery_set all = brought(bands, &bands->mine);
    struct orrery_set others = orrery_bands_changed(bands, &bands->mine.refreshed, false);
    device_out(bands, &others, true);
    set_receive(bands, &all, 0);
    device_in(bands, &others);
    orrery_set_free(&others);
    orrery_set_free(&all);
}

/* Rank 0: what of the changed groups other ranks get where the program has it. */
static void dirty_sent(const struct orrery_bands *bands) {
    for (long i = 0; i < bands->places.count; ++i) {
        const struct orrery_piece *piece = &bands->places.items[i];
        if (bands->dirty[piece->group])
            dsm_watch_sent(piece->low, piece->high);
    }
}

void orrery_bands_bring(struct orrery_bands *bands) {
    dsm_broadcast(bands->dirty, (size_t)bands->ngroups);
    if (dsm_rank() == 0)
        dirty_sent(bands);
    if (dsm_rank() > 0)
        orrery_places_commit(&bands->places, &bands->mine.touched);
    if (dsm_rank() > 0)
        bring_here(bands);
    for (int rank = 1; dsm_rank() == 0 && rank < dsm_ranks(); ++rank) {
        struct orrery_set set = brought(bands, &bands->shares[rank]);
        set_send(bands, &set, rank);
        orrery_set_free(&set);
    }
    messages_begin(bands);
}

char *orrery_bands_base(const struct orrery_bands *bands, const struct orrery_state *state, int a) {
    const char *base = state->shapes[a].base;
    const struct orrery_piece *piece =
        base && orrery_bands_have(state->loop, a) ? orrery_places_find(&bands->places, base) : NULL;
    return piece && piece->here != piece->low ? piece->here + (base - piece->low) : NULL;
}

struct dsm_range orrery_bands_span(const struct orrery_bands *bands,
                                   const struct orrery_state *state, int a) {
    const char *base = state->shapes[a].base;
    const struct orrery_piece *piece =
        base && orrery_bands_have(state->loop, a) ? orrery_places_find(&bands->places, base) : NULL;
    if (!piece || piece->constant)
        return (struct dsm_range){NULL, NULL};
    return (struct dsm_range){piece->here, piece->here + (piece->high - piece->low)};
}

/* ---- messages -------------------------------------------------------------------------------- */

static void message_take(const struct orrery_bands *bands, struct orrery_band_message *message) {
    struct orrery_place_walk walk = {&bands->places, &message->set, 0, 0};
    char *buffer = dsm_own_alloc(message->bytes);
    dsm_receive(message->rank, ORRERY_TAG_SLOTS + message->band, buffer, message->bytes);
    device_out(bands, &message->set, true);
    orrery_places_move(&walk, buffer, message->bytes, false);
    device_in(bands, &message->set);
    dsm_own_free(buffer);
    message->done = true;
}

void orrery_bands_take(struct orrery_bands *bands, int band, long stretch) {
    pthread_mutex_lock(&bands->taking);
    while (bands->taken < bands->nin && bands->in[bands->taken].done)
        ++bands->taken;
    for (int i = bands->taken; i < bands->nin && bands->in[i].band < band; ++i)
        if (!bands->in[i].done && bands->in[i].stretch <= stretch)
            message_take(bands, &bands->in[i]);
    pthread_mutex_unlock(&bands->taking);
}

static void message_gone(struct orrery_band_message *message) {
    dsm_own_free(message->buffer);
    message->buffer = NULL;
    message->request = NULL;
    message->done = true;
}

/* Its kernel may write what lies between. False: it has not come. */
static bool message_arrive(const struct orrery_bands *bands, struct orrery_band_message *message) {
    struct orrery_place_walk walk = {&bands->places, &message->set, 0, 0};
    if (!message->buffer) {
        message->buffer = dsm_own_alloc(message->bytes);
        message->request = dsm_receive_start(message->rank, ORRERY_TAG_SLOTS + message->band,
                                             message->buffer, message->bytes);
    }
    if (!dsm_test(message->request))
        return false;
    orrery_places_move(&walk, message->buffer, message->bytes, false);
    bands->device.in_alone(bands->device.data, &bands->places, &message->set);
    message_gone(message);
    return true;
}

/* In the order of orrery_bands_take. */
bool orrery_bands_arrive(struct orrery_bands *bands, int band, long stretch) {
    while (bands->taken < bands->nin && bands->in[bands->taken].done)
        ++bands->taken;
    for (int i = bands->taken; i < bands->nin && bands->in[i].band < band; ++i)
        if (!bands->in[i].done && bands->in[i].stretch <= stretch &&
            !message_arrive(bands, &bands->in[i]))
            return false;
    return true;
}

static void message_tell(const struct orrery_bands *bands, struct orrery_band_message *message) {
    struct orrery_place_walk walk = {&bands->places, &message->set, 0, 0};
    message->buffer = dsm_own_alloc(message->bytes);
    device_out(bands, &message->set, false);
    orrery_places_move(&walk, message->buffer, message->bytes, true);
    message->request = dsm_send_start(message->rank, ORRERY_TAG_SLOTS + message->band,
                                      message->buffer, message->bytes);
}

/* The first of this rank's messages about the band's stretch, or a later one. */
static int first_out(const struct orrery_bands *bands, int band, long stretch) {
    int low = 0, high = bands->nout;
    while (low < high) {
        int middle = (low + high) / 2;
        const struct orrery_band_message *message = &bands->out[middle];
        if (message->band < band || (message->band == band && message->stretch < stretch))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void orrery_bands_tell(struct orrery_bands *bands, int band, long stretch) {
    pthread_mutex_lock(&bands->telling);
    for (int i = first_out(bands, band, stretch);
         i < bands->nout && bands->out[i].band == band && bands->out[i].stretch == stretch; ++i)
        message_tell(bands, &bands->out[i]);
    while (bands->told < bands->nout && bands->out[bands->told].done)
        ++bands->told;
    for (int i = bands->told; i < bands->nout && bands->out[i].band <= band; ++i)
        if (bands->out[i].request && dsm_test(bands->out[i].request))
            message_gone(&bands->out[i]);
    pthread_mutex_unlock(&bands->telling);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void messages_end(struct orrery_bands *bands) {
    orrery_bands_take(bands, bands->nbands, bands->stretches);
    for (int i = 0; i < bands->nout; ++i)
        if (bands->out[i].request) {
            dsm_wait(bands->out[i].request);
            message_gone(&bands->out[i]);
        }
}

/* What bytes between may bring along that is older than other ranks' comes before those. */
static void homes_take(const struct orrery_bands *bands) {
    device_out(bands, &bands->mine.refreshed, true);
    for (int rank = 1; rank < dsm_ranks(); ++rank)
        set_receive(bands, &bands->shares[rank].home, rank);
    device_in(bands, &bands->mine.refreshed);
}

void orrery_bands_return(struct orrery_bands *bands) {
    messages_end(bands);
    if (dsm_rank() > 0) {
        set_send(bands, &bands->mine.home, 0);
        return;
    }
    homes_take(bands);
    orrery_bands_defer_begin(bands);
    for (int g = 0; g < bands->ngroups; ++g)
        if (!bands->watches[g])
            group_watch(bands, g);
    orrery_bands_defer(bands);
}
