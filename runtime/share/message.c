/* The command that starts a region, as bytes. */
#include "runtime/share/private.h"

#include "dsm/dsm.h"
#include "runtime/serve/serve.h"

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

static void get(const char **from, void *to, size_t bytes) {
    memcpy(to, *from, bytes);
    *from += bytes;
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
static void get_global(const char **from, const struct orrery_global *global) {
    if (memcmp(global->address, *from, global->size) != 0)
        memcpy(global->address, *from, global->size);
    *from += global->size;
}

void orrery_share_message_get(const char *from, const struct orrery_share_head *head,
                              struct orrery_sharing *sharing, const char **lasts) {
    long passes = head->passes;
    struct orrery_state *state = sharing->state;
    const struct orrery_loop *loop = state->loop;
    size_t cuts = (size_t)(head->blocks.rows + 1) * sizeof *sharing->cuts;
    if (head->cuts)
        get(&from, sharing->cuts = dsm_own_realloc(sharing->cuts, cuts), cuts);
    if (sharing->room < passes)
        sharing->envs = dsm_own_realloc(sharing->envs, (size_t)passes * loop->env_size);
    sharing->room = sharing->room < passes ? passes : sharing->room;
    get(&from, sharing->envs, (size_t)passes * loop->env_size);
    get(&from, state->shapes, (size_t)state->nshapes * sizeof *state->shapes);
    get(&from, state->bytes, (size_t)loop->nreductions * sizeof *state->bytes);
    get(&from, state->front, (size_t)loop->nreductions * sizeof *state->front);
    *lasts = from;
    for (int j = 0; j < loop->nreductions; ++j)
        if (starts(state, j))
            from += state->bytes[j];
    for (int a = 0; a < loop->narrays; ++a)
        get(&from, &sharing->replicas[a].wanted, sizeof(int));
    if (orrery_share_is_by_level(&head->blocks))
        get(&from, sharing->extents, (size_t)loop->ntouched * sizeof *sharing->extents);
    for (int g = 0; g < loop->nglobals; ++g)
        get_global(&from, &loop->globals[g]);
}
