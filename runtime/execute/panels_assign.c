/* What rank 0 has made of a wavefront's panels, distributed: every rank gets what concerns it. */
#include "runtime/execute/panels.h"

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

static void pass_message(struct letter *letter, struct orrery_panel_message *message) {
    pass(letter, &message->panel, sizeof message->panel);
    pass(letter, &message->rank, sizeof message->rank);
    pass(letter, &message->stretch, sizeof message->stretch);
    pass_set(letter, &message->set);
}

static bool concerns(const struct orrery_panel_message *message, int rank, bool out) {
    return out ? orrery_panel_rank(message->panel) == rank : message->rank == rank;
}

/* Of rank 0's list of all messages those that a rank sends,
 * or gets; there the other end is said. */
static void write_messages(struct letter *letter, const struct orrery_panels *all, int rank,
                           bool out) {
    int n = 0;
    for (int i = 0; i < all->nout; ++i)
        n += concerns(&all->out[i], rank, out);
    pass(letter, &n, sizeof n);
    for (int i = 0; i < all->nout; ++i) {
        struct orrery_panel_message message = all->out[i];
        if (!concerns(&message, rank, out))
            continue;
        message.rank = out ? message.rank : orrery_panel_rank(message.panel);
        pass_message(letter, &message);
    }
}

static void read_messages(struct letter *letter, int *n, struct orrery_panel_message **messages) {
    pass(letter, n, sizeof *n);
    size_t bytes = (size_t)*n * sizeof **messages;
    *messages = memset(dsm_own_alloc(bytes + 1), 0, bytes);
    for (int i = 0; i < *n; ++i) {
        pass_message(letter, &(*messages)[i]);
        (*messages)[i].bytes = orrery_set_size(&(*messages)[i].set);
    }
}

static void pass_common(struct letter *letter, struct orrery_panels *panels) {
    pass(letter, &panels->npanels, sizeof panels->npanels);
    pass(letter, &panels->pace, sizeof panels->pace);
    pass(letter, &panels->stretches, sizeof panels->stretches);
    pass(letter, &panels->wave, sizeof panels->wave);
    pass(letter, &panels->ngroups, sizeof panels->ngroups);
    pass(letter, &panels->places.count, sizeof panels->places.count);
    size_t edges = (size_t)(panels->npanels + 1) * sizeof(long);
    pass_list(letter, (void **)&panels->cuts, edges);
    pass_list(letter, (void **)&panels->first, edges);
    pass_list(letter, (void **)&panels->end, edges);
    pass_list(letter, (void **)&panels->dirty, (size_t)panels->ngroups);
    pass_list(letter, (void **)&panels->places.items,
              (size_t)panels->places.count * sizeof *panels->places.items);
}

static void pass_share(struct letter *letter, struct orrery_panel_share *share) {
    pass_set(letter, &share->touched);
    pass_set(letter, &share->needed);
    pass_set(letter, &share->refreshed);
    pass_set(letter, &share->final);
    pass_set(letter, &share->home);
}

static struct letter letter_to(struct orrery_panels *all, int rank) {
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
    const struct orrery_panel_message *x = a, *y = b;
    if (x->panel != y->panel)
        return x->panel < y->panel ? -1 : 1;
    return x->stretch < y->stretch ? -1 : x->stretch > y->stretch;
}

static void read_letter(struct letter *letter, struct orrery_panels *panels) {
    pass_common(letter, panels);
    pass_share(letter, &panels->mine);
    read_messages(letter, &panels->nout, &panels->out);
    read_messages(letter, &panels->nin, &panels->in);
    panels->places.room = panels->places.count;
    places_here(&panels->places);
    qsort(panels->out, (size_t)panels->nout, sizeof *panels->out, by_stretch);
    qsort(panels->in, (size_t)panels->nin, sizeof *panels->in, by_stretch);
    pthread_mutex_init(&panels->taking, NULL);
    pthread_mutex_init(&panels->telling, NULL);
}

static struct orrery_panels *panels_new(void) {
    struct orrery_panels *panels = dsm_own_alloc(sizeof *panels);
    return memset(panels, 0, sizeof *panels);
}

static void send_letters(struct orrery_panels *all) {
    for (int rank = 1; rank < dsm_ranks(); ++rank) {
        struct letter letter = letter_to(all, rank);
        dsm_send(rank, ORRERY_TAG_SETUP, &letter.size, sizeof letter.size);
        dsm_send(rank, ORRERY_TAG_SETUP, letter.data, letter.size);
        dsm_own_free(letter.data);
    }
}

/* Rank 0 keeps what only it knows. */
static struct orrery_panels *keep(struct orrery_panels *all) {
    struct letter letter = letter_to(all, 0);
    struct orrery_panels *mine = panels_new();
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
    orrery_panels_free(all);
    dsm_own_free(letter.data);
    return mine;
}

struct orrery_panels *orrery_panels_assign(struct orrery_panels *panels) {
    if (dsm_rank() == 0) {
        send_letters(panels);
        return keep(panels);
    }
    struct letter letter = {0};
    panels = panels_new();
    dsm_receive(0, ORRERY_TAG_SETUP, &letter.size, sizeof letter.size);
    letter.from = letter.data = dsm_own_alloc(letter.size);
    dsm_receive(0, ORRERY_TAG_SETUP, letter.data, letter.size);
    read_letter(&letter, panels);
    dsm_own_free(letter.data);
    return panels;
}

static void messages_free(int n, struct orrery_panel_message *messages) {
    for (int i = 0; i < n; ++i)
        orrery_set_free(&messages[i].set);
    dsm_own_free(messages);
}

static void share_free(struct orrery_panel_share *share) {
    orrery_set_free(&share->touched);
    orrery_set_free(&share->needed);
    orrery_set_free(&share->refreshed);
    orrery_set_free(&share->final);
    orrery_set_free(&share->home);
}

void orrery_panels_free(struct orrery_panels *panels) {
    if (!panels)
        return;
    messages_free(panels->nout, panels->out);
    messages_free(panels->nin, panels->in);
    share_free(&panels->mine);
    for (int rank = 0; panels->shares && rank < dsm_ranks(); ++rank)
        share_free(&panels->shares[rank]);
    for (int g = 0; panels->watches && g < panels->ngroups; ++g)
        if (panels->watches[g])
            dsm_watch_end(panels->watches[g]);
    orrery_places_free(&panels->places);
    dsm_own_free(panels->shares);
    dsm_own_free(panels->pending);
    dsm_own_free(panels->cuts);
    dsm_own_free(panels->first);
    dsm_own_free(panels->end);
    dsm_own_free(panels->dirty);
    dsm_own_free(panels->written);
    dsm_own_free(panels->print);
    dsm_own_free(panels->watches);
    dsm_own_free(panels);
}
