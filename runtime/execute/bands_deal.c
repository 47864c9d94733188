/* What rank 0 has made of a wavefront's bands, dealt out: every rank gets what concerns it. */
#include "runtime/execute/bands.h"

#include "runtime/base/commands.h"
#include "runtime/base/memory.h"

#include "dsm/dsm.h"

#include <stdlib.h>
#include <string.h>

/* Bytes on their way to a rank (`from` NULL) or from rank 0. */
struct letter {
    char *data;
    size_t size, room;
    const char *from;
};

/* The same order on both sides. */
static void pass(struct letter *letter, void *data, size_t bytes) {
    if (bytes == 0)
        return;
    if (letter->from) {
        memcpy(data, letter->from, bytes);
        letter->from += bytes;
        return;
    }
    if (letter->size + bytes > letter->room) {
        letter->room = 2 * (letter->size + bytes);
        letter->data = dsm_own_realloc(letter->data, letter->room);
    }
    memcpy(letter->data + letter->size, data, bytes);
    letter->size += bytes;
}

/* A list whose length is known on both sides. */
static void pass_list(struct letter *letter, void **list, size_t bytes) {
    if (letter->from)
        *list = dsm_own_alloc(bytes + 1);
    pass(letter, *list, bytes);
}

static void pass_set(struct letter *letter, struct orrery_set *set) {
    pass(letter, &set->count, sizeof set->count);
    if (letter->from) {
        set->room = set->count;
        set->loose = false;
        set->items = NULL;
    }
    if (set->count)
        pass_list(letter, (void **)&set->items, (size_t)set->count * sizeof *set->items);
}

static void pass_message(struct letter *letter, struct orrery_band_message *message) {
    pass(letter, &message->band, sizeof message->band);
    pass(letter, &message->rank, sizeof message->rank);
    pass(letter, &message->stretch, sizeof message->stretch);
    pass_set(letter, &message->set);
}

static bool concerns(const struct orrery_band_message *message, int rank, bool out) {
    return out ? orrery_band_rank(message->band) == rank : message->rank == rank;
}

/* Of rank 0's list of all messages those that a rank sends,
 * or gets; there the other end is said. */
static void write_messages(struct letter *letter, const struct orrery_bands *all, int rank,
                           bool out) {
    int n = 0;
    for (int i = 0; i < all->nout; ++i)
        n += concerns(&all->out[i], rank, out);
    pass(letter, &n, sizeof n);
    for (int i = 0; i < all->nout; ++i) {
        struct orrery_band_message message = all->out[i];
        if (!concerns(&message, rank, out))
            continue;
        message.rank = out ? message.rank : orrery_band_rank(message.band);
        pass_message(letter, &message);
    }
}

static void read_messages(struct letter *letter, int *n, struct orrery_band_message **messages) {
    pass(letter, n, sizeof *n);
    size_t bytes = (size_t)*n * sizeof **messages;
    *messages = memset(dsm_own_alloc(bytes + 1), 0, bytes);
    for (int i = 0; i < *n; ++i) {
        pass_message(letter, &(*messages)[i]);
        (*messages)[i].bytes = orrery_set_size(&(*messages)[i].set);
    }
}

static void pass_common(struct letter *letter, struct orrery_bands *bands) {
    pass(letter, &bands->nbands, sizeof bands->nbands);
    pass(letter, &bands->pace, sizeof bands->pace);
    pass(letter, &bands->stretches, sizeof bands->stretches);
    pass(letter, &bands->wave, sizeof bands->wave);
    pass(letter, &bands->ngroups, sizeof bands->ngroups);
    pass(letter, &bands->places.count, sizeof bands->places.count);
    size_t edges = (size_t)(bands->nbands + 1) * sizeof(long);
    pass_list(letter, (void **)&bands->cuts, edges);
    pass_list(letter, (void **)&bands->first, edges);
    pass_list(letter, (void **)&bands->end, edges);
    pass_list(letter, (void **)&bands->dirty, (size_t)bands->ngroups);
    pass_list(letter, (void **)&bands->places.items,
              (size_t)bands->places.count * sizeof *bands->places.items);
}

static void pass_share(struct letter *letter, struct orrery_band_share *share) {
    pass_set(letter, &share->touched);
    pass_set(letter, &share->needed);
    pass_set(letter, &share->refreshed);
    pass_set(letter, &share->final);
    pass_set(letter, &share->home);
}

static struct letter letter_to(struct orrery_bands *all, int rank) {
    struct letter letter = {0};
    pass_common(&letter, all);
    pass_share(&letter, &all->shares[rank]);
    write_messages(&letter, all, rank, true);
    write_messages(&letter, all, rank, false);
    return letter;
}

/* Memory that others do not have at its address: this rank's own, taken when it is touched. */
static void places_here(struct orrery_places *places) {
    for (long i = 0; i < places->count; ++i) {
        struct orrery_piece *piece = &places->items[i];
        if (piece->apart && dsm_rank() > 0)
            piece->here = orrery_memory_map((size_t)(piece->high - piece->low));
    }
}

static int by_stretch(const void *a, const void *b) {
    const struct orrery_band_message *x = a, *y = b;
    if (x->band != y->band)
        return x->band < y->band ? -1 : 1;
    return x->stretch < y->stretch ? -1 : x->stretch > y->stretch;
}

static void read_letter(struct letter *letter, struct orrery_bands *bands) {
    pass_common(letter, bands);
    pass_share(letter, &bands->mine);
    read_messages(letter, &bands->nout, &bands->out);
    read_messages(letter, &bands->nin, &bands->in);
    bands->places.room = bands->places.count;
    places_here(&bands->places);
    qsort(bands->out, (size_t)bands->nout, sizeof *bands->out, by_stretch);
    qsort(bands->in, (size_t)bands->nin, sizeof *bands->in, by_stretch);
    pthread_mutex_init(&bands->taking, NULL);
    pthread_mutex_init(&bands->telling, NULL);
}

static struct orrery_bands *bands_new(void) {
    struct orrery_bands *bands = dsm_own_alloc(sizeof *bands);
    return memset(bands, 0, sizeof *bands);
}

static void send_letters(struct orrery_bands *all) {
    for (int rank = 1; rank < dsm_ranks(); ++rank) {
        struct letter letter = letter_to(all, rank);
        dsm_send(rank, ORRERY_TAG_SETUP, &letter.size, sizeof letter.size);
        dsm_send(rank, ORRERY_TAG_SETUP, letter.data, letter.size);
        dsm_own_free(letter.data);
    }
}

/* Rank 0 keeps what only it knows. */
static struct orrery_bands *keep(struct orrery_bands *all) {
    struct letter letter = letter_to(all, 0);
    struct orrery_bands *mine = bands_new();
    letter.from = letter.data;
    read_letter(&letter, mine);
    mine->shares = all->shares;
    mine->written = all->written;
    mine->watches = all->watches;
    mine->print = all->print;
    mine->nprint = all->nprint;
    mine->state = all->state;
    mine->pending = all->pending;
    mine->npending = all->npending;
    all->shares = NULL;
    all->written = NULL;
    all->print = NULL;
    all->watches = NULL;
    all->pending = NULL;
    orrery_bands_free(all);
    dsm_own_free(letter.data);
    return mine;
}

struct orrery_bands *orrery_bands_deal(struct orrery_bands *bands) {
    if (dsm_rank() == 0) {
        send_letters(bands);
        return keep(bands);
    }
    struct letter letter = {0};
    bands = bands_new();
    dsm_receive(0, ORRERY_TAG_SETUP, &letter.size, sizeof letter.size);
    letter.from = letter.data = dsm_own_alloc(letter.size);
    dsm_receive(0, ORRERY_TAG_SETUP, letter.data, letter.size);
    read_letter(&letter, bands);
    dsm_own_free(letter.data);
    return bands;
}

static void messages_free(int n, struct orrery_band_message *messages) {
    for (int i = 0; i < n; ++i)
        orrery_set_free(&messages[i].set);
    dsm_own_free(messages);
}

static void share_free(struct orrery_band_share *share) {
    orrery_set_free(&share->touched);
    orrery_set_free(&share->needed);
    orrery_set_free(&share->refreshed);
    orrery_set_free(&share->final);
    orrery_set_free(&share->home);
}

void orrery_bands_free(struct orrery_bands *bands) {
    if (!bands)
        return;
    messages_free(bands->nout, bands->out);
    messages_free(bands->nin, bands->in);
    share_free(&bands->mine);
    for (int rank = 0; bands->shares && rank < dsm_ranks(); ++rank)
        share_free(&bands->shares[rank]);
    for (int g = 0; bands->watches && g < bands->ngroups; ++g)
        if (bands->watches[g])
            dsm_watch_end(bands->watches[g]);
    orrery_places_free(&bands->places);
    dsm_own_free(bands->shares);
    dsm_own_free(bands->pending);
    dsm_own_free(bands->cuts);
    dsm_own_free(bands->first);
    dsm_own_free(bands->end);
    dsm_own_free(bands->dirty);
    dsm_own_free(bands->written);
    dsm_own_free(bands->print);
    dsm_own_free(bands->watches);
    dsm_own_free(bands);
}
