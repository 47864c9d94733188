/* The command that starts a region, as bytes. */
#include "runtime/share/private.h"

#include "dsm/dsm.h"
#include "runtime/merge/serve.h"

#include <string.h>

static void put(struct orrery_share_message *message, const void *data, size_t bytes) {
    if (message->size + bytes > message->room) {
        message->room = 2 * (message->size + bytes);
        message->data = dsm_own_realloc(message->data, message->room);
    }
    if (bytes)
        memcpy(message->data + message->size, data, bytes);
    message->size += bytes;
}

/* What has not been read of a message. */
struct rest {
    const char *at;
    size_t bytes;
    const char *where;
};

static const char *take(struct rest *rest, size_t bytes) {
    const char *at = rest->at;
    if (bytes > rest->bytes)
        dsm_fail(1,
                 "%s: rank 0's command lacks %zu bytes at its end; all ranks have to run the same "
                 "program, built by the same Orrery: compare the files on their hosts [ORR9234]",
                 rest->where, bytes - rest->bytes);
    rest->at += bytes;
    rest->bytes -= bytes;
    return at;
}

static void get(struct rest *rest, void *to, size_t bytes) {
    memcpy(to, take(rest, bytes), bytes);
}

/* A copy of reduction j, or its snapshot, starts as the target, of which every rank has all. */
static bool starts(const struct orrery_state *state, int j) {
    return orrery_starts_as_target(&state->loop->reductions[j]) && !orrery_serve_has(state, j);
}

void orrery_share_message_put(struct orrery_share_message *message,
                              const struct orrery_share_head *head,
                              const struct orrery_sharing *sharing, const void *envs) {
    const struct orrery_state *state = sharing->state;
    const struct orrery_loop *loop = head->loop;
    put(message, head, sizeof *head);
    if (head->cuts)
        put(message, state->weights.cuts, (size_t)(head->blocks.rows + 1) * sizeof(long));
    put(message, envs, (size_t)head->passes * loop->env_size);
    put(message, state->shapes, (size_t)state->nshapes * sizeof *state->shapes);
    put(message, state->bytes, (size_t)loop->nreductions * sizeof *state->bytes);
    put(message, state->front, (size_t)loop->nreductions * sizeof *state->front);
    for (int j = 0; j < loop->nreductions; ++j)
        if (starts(state, j))
            put(message, orrery_target_of(loop, j, envs), state->bytes[j]);
    for (int a = 0; a < loop->narrays; ++a)
        put(message, &sharing->replicas[a].wanted, sizeof(int));
    if (orrery_share_is_by_level(&head->blocks))
        put(message, sharing->extents, (size_t)loop->ntouched * sizeof *sharing->extents);
    for (int g = 0; g < loop->nglobals; ++g)
        put(message, loop->globals[g].address, loop->globals[g].size);
}

/* A global that has its value already may be a constant, which cannot be written. */
static void get_global(struct rest *rest, const struct orrery_global *global) {
    const char *from = take(rest, global->size);
    if (memcmp(global->address, from, global->size) != 0)
        memcpy(global->address, from, global->size);
}

void orrery_share_message_get(const char *from, size_t bytes, const struct orrery_share_head *head,
                              struct orrery_sharing *sharing, const char **lasts) {
    long passes = head->passes;
    struct orrery_state *state = sharing->state;
    struct rest rest = {from, bytes, state->where};
    const struct orrery_loop *loop = state->loop;
    size_t cuts = (size_t)(head->blocks.rows + 1) * sizeof *sharing->cuts;
    if (head->cuts)
        get(&rest, sharing->cuts = dsm_own_realloc(sharing->cuts, cuts), cuts);
    if (sharing->room < passes)
        sharing->envs = dsm_own_realloc(sharing->envs, (size_t)passes * loop->env_size);
    sharing->room = sharing->room < passes ? passes : sharing->room;
    get(&rest, sharing->envs, (size_t)passes * loop->env_size);
    get(&rest, state->shapes, (size_t)state->nshapes * sizeof *state->shapes);
    get(&rest, state->bytes, (size_t)loop->nreductions * sizeof *state->bytes);
    get(&rest, state->front, (size_t)loop->nreductions * sizeof *state->front);
    *lasts = rest.at;
    for (int j = 0; j < loop->nreductions; ++j)
        if (starts(state, j))
            take(&rest, state->bytes[j]);
    for (int a = 0; a < loop->narrays; ++a)
        get(&rest, &sharing->replicas[a].wanted, sizeof(int));
    if (orrery_share_is_by_level(&head->blocks))
        get(&rest, sharing->extents, (size_t)loop->ntouched * sizeof *sharing->extents);
    for (int g = 0; g < loop->nglobals; ++g)
        get_global(&rest, &loop->globals[g]);
}
