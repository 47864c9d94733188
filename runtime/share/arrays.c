/* Arrays that ranks share: how each is cut, where it comes home to, what is out of date. */
#include "runtime/share/private.h"

#include "dsm/dsm.h"
#include "runtime/base/env.h"
#include "runtime/execute/panels_pending.h"
#include "runtime/merge/serve.h"

#include <string.h>

struct orrery_layout_dim *orrery_share_dim(const struct orrery_sharing *sharing, int a) {
    int d = orrery_layout_of(sharing->state->loop, a);
    if (orrery_share_is_whole(&sharing->blocks) || orrery_layout_is_whole(sharing->state, a))
        return NULL;
    return d >= 0 ? (struct orrery_layout_dim *)&sharing->dims[d]
           : orrery_layout_claimed(sharing->state->loop, a) >= 0 ? &sharing->claimed[a]
                                                                 : NULL;
}

/* Constants of the program stand at their home addresses on every rank already. */
static bool is_everywhere(const struct orrery_sharing *sharing, int a) {
    const struct orrery_array *array = &sharing->state->loop->arrays[a];
    const struct orrery_shape *shape = &sharing->state->shapes[a];
    const struct orrery_layout_dim *dim = orrery_share_dim(sharing, a);
    return dim->mode == DSM_INPLACE && !array->written && !shape->table &&
           dsm_is_constant(orrery_row_address(shape, dim->low));
}

void orrery_share_arrays_new(struct orrery_sharing *sharing, const struct orrery_region *region) {
    struct orrery_state *state = sharing->state;
    for (int a = 0; a < state->loop->narrays; ++a) {
        const struct orrery_layout_dim *dim = orrery_share_dim(sharing, a);
        if (!dim || !orrery_shape_exists(&state->shapes[a]) || is_everywhere(sharing, a))
            continue;
        sharing->arrays[a] = orrery_layout_array(state, a, region, dim);
    }
    memcpy(sharing->shapes, state->shapes, (size_t)state->nshapes * sizeof *state->shapes);
    sharing->laid = true;
    sharing->stale = false;
}

void orrery_share_arrays_free(struct orrery_sharing *sharing) {
    for (int a = 0; a < sharing->state->loop->narrays; ++a) {
        if (sharing->arrays[a])
            dsm_array_free(sharing->arrays[a]);
        sharing->arrays[a] = NULL;
        orrery_layout_dim_free(&sharing->claimed[a]);
    }
    orrery_layout_free(sharing->dims);
    memset(sharing->dims, 0, sizeof sharing->dims);
    sharing->laid = false;
}

static bool overlap(struct dsm_range a, struct dsm_range b) {
    return a.low < b.high && b.low < a.high;
}

/* Rank 0: written arrays of other loops whose home lies in the range come home. */
static void collect_others(const struct orrery_sharing *mine, struct dsm_range range) {
    for (struct orrery_state *state = orrery_states(); state; state = state->next) {
        struct orrery_sharing *other = state->sharing;
        if (!other || other == mine || !other->laid)
            continue;
        if (other->panels)
            orrery_panels_materialize(other->panels, range);
        for (int a = 0; a < state->loop->narrays; ++a)
            if (other->arrays[a] && state->loop->arrays[a].written &&
                overlap(other->homes[a], range))
                dsm_array_collect(other->arrays[a]);
    }
    for (struct orrery_state *state = orrery_states(); state; state = state->next)
        if (state->serve)
            orrery_serve_collect(state->serve, range);
}

static bool replica_overlaps(const struct orrery_replica *replica, struct dsm_range range) {
    for (int i = 0; i < replica->nranges; ++i)
        if (overlap(replica->ranges[i], range))
            return true;
    return false;
}

/* Rows behind pointers have other memory between them: not all of [low, high) is theirs. */
static bool replica_has_rows(const struct orrery_sharing *mine, int written,
                             const struct orrery_replica *replica, struct dsm_range range) {
    const struct orrery_layout_dim *dim = written < 0 ? NULL : orrery_share_dim(mine, written);
    const struct orrery_shape *shape = dim ? &mine->state->shapes[written] : NULL;
    if (!dim || !shape->table)
        return replica_overlaps(replica, range);
    for (int i = 0; i < replica->nranges; ++i)
        if (overlap(replica->ranges[i], range) && orrery_layout_has(shape, dim, replica->ranges[i]))
            return true;
    return false;
}

/* Rank 0: array `written` of the loop (-1: a served one), in the range, has been changed by a
 * region; what others made of it is out of date. */
static void stale_others(const struct orrery_sharing *mine, int written, struct dsm_range range) {
    for (struct orrery_state *state = orrery_states(); state; state = state->next) {
        struct orrery_sharing *other = state->sharing;
        for (int a = 0; other && a < state->loop->narrays; ++a) {
            if (replica_has_rows(mine, written, &other->replicas[a], range))
                orrery_replica_stale(&other->replicas[a]);
            if (other != mine && other->laid && other->arrays[a] && overlap(other->homes[a], range))
                other->stale = true;
        }
    }
}

/* Pointers in structures that the loop changes: the ranks would have to change those only. By levels
 * all have all of it, and are told what changes; sums go to copies, and to the structures when the
 * loop has ended. */
static void refuse_mixed_tables(const struct orrery_sharing *sharing, int a) {
    char *low, *other;
    size_t bytes;
    const struct orrery_state *state = sharing->state;
    const struct orrery_shape *shape = &state->shapes[a];
    if (!shape->table || !shape->table_step || orrery_share_is_by_level(&sharing->blocks) ||
        orrery_layout_table_comes(state, a) || !dsm_find(shape->table, &low, &bytes))
        return;
    for (int b = 0; b < state->loop->narrays; ++b)
        if (state->loop->arrays[b].written && !state->shapes[b].table && state->shapes[b].base &&
            state->loop->arrays[b].placement != ORRERY_ALIGNED &&
            dsm_find(state->shapes[b].base, &other, &bytes) && other == low)
            dsm_refuse(1,
                       "%s: the rows of %s (%s) stand behind pointers in structures that the loop "
                       "changes; run it on one rank",
                       state->where, state->loop->arrays[a].name, state->loop->arrays[a].where);
}

/* Memory that panels have parts of. */
static void panels_look(struct orrery_sharing *sharing) {
    const struct orrery_places *places = &sharing->panels->places;
    for (long i = 0; i < places->count; ++i)
        collect_others(sharing, (struct dsm_range){places->items[i].low, places->items[i].high});
    orrery_panels_look(sharing->panels);
}

/* Where array a is at home; of one behind a table the table. */
static struct dsm_range home_of(const struct orrery_sharing *sharing, int a) {
    const struct orrery_shape *shape = &sharing->state->shapes[a];
    const struct orrery_layout_dim *dim =
        a < sharing->state->loop->narrays ? orrery_share_dim(sharing, a) : NULL;
    const char *low = shape->table ? (const char *)shape->table : shape->base;
    if (dim && !shape->table)
        return orrery_layout_home(shape, dim);
    return (struct dsm_range){low, low + (shape->table ? 1 : orrery_shape_extent(shape))};
}

static bool has_bytes(const struct orrery_sharing *sharing, int a, struct dsm_range range) {
    const struct orrery_shape *shape = &sharing->state->shapes[a];
    const struct orrery_layout_dim *dim =
        a < sharing->state->loop->narrays ? orrery_share_dim(sharing, a) : NULL;
    if (!orrery_shape_exists(shape))
        return false;
    return overlap(home_of(sharing, a), range) ||
           (dim && shape->table && orrery_layout_has(shape, dim, range));
}

/* Under a budget: a block of which the loop has two arrays is needed whole, since the first would
 * take it from the second. */
static void blocks_look(const struct orrery_sharing *sharing) {
    const struct orrery_state *state = sharing->state;
    for (int a = 0; a < state->nshapes; ++a) {
        char *low;
        size_t bytes;
        if (!orrery_shape_exists(&state->shapes[a]) ||
            !dsm_find(home_of(sharing, a).low, &low, &bytes))
            continue;
        for (int b = 0; b < state->nshapes; ++b)
            if (b != a && has_bytes(sharing, b, (struct dsm_range){low, low + bytes}))
                dsm_whole(low, low + bytes);
    }
}

void orrery_share_homes_look(struct orrery_sharing *sharing) {
    const struct orrery_state *state = sharing->state;
    if (orrery_env()->memory || orrery_env()->evict)
        blocks_look(sharing);
    if (sharing->panels)
        panels_look(sharing);
    for (int a = 0; a < state->loop->narrays; ++a) {
        const struct orrery_array *array = &state->loop->arrays[a];
        const struct orrery_shape *shape = &state->shapes[a];
        struct orrery_replica *replica = &sharing->replicas[a];
        replica->wanted = 0;
        refuse_mixed_tables(sharing, a);
        if (array->placement == ORRERY_ALIGNED || !orrery_shape_exists(shape))
            continue;
        const struct orrery_layout_dim *dim = orrery_share_dim(sharing, a);
        if (orrery_panels_have(state->loop, a))
            continue;
        if (dim) {
            struct dsm_range table = {0};
            sharing->homes[a] = orrery_layout_home(shape, dim);
            collect_others(sharing, sharing->homes[a]);
            if (shape->table && !orrery_layout_table_comes(state, a)) {
                table = orrery_table_range(shape, dim->low, dim->range);
                orrery_replica_look(state, a, &table, replica);
            }
        } else {
            orrery_replica_look(state, a, NULL, replica);
            for (int i = 0; i < replica->nranges; ++i)
                collect_others(sharing, replica->ranges[i]);
        }
    }
}

static void panels_release(const struct orrery_sharing *sharing) {
    const struct orrery_places *places = &sharing->panels->places;
    for (long i = 0; i < places->count; ++i) {
        const struct orrery_piece *piece = &places->items[i];
        if (sharing->panels->written[piece->group])
            stale_others(sharing, piece->group, (struct dsm_range){piece->low, piece->high});
    }
}

void orrery_share_release(const struct orrery_sharing *sharing) {
    const struct orrery_loop *loop = sharing->state->loop;
    if (sharing->panels)
        panels_release(sharing);
    for (int a = 0; a < loop->narrays; ++a)
        if (sharing->arrays[a] && loop->arrays[a].written) {
            dsm_array_release(sharing->arrays[a]);
            stale_others(sharing, a, sharing->homes[a]);
        }
    for (int a = 0; a < loop->narrays && orrery_share_is_whole(&sharing->blocks); ++a)
        for (int i = 0; loop->arrays[a].written && i < sharing->replicas[a].nranges; ++i)
            stale_others(sharing, a, sharing->replicas[a].ranges[i]);
}

void orrery_share_serve_release(const struct orrery_sharing *sharing, struct orrery_serve *serve) {
    struct dsm_range home;
    orrery_serve_release(serve);
    for (int at = 0; orrery_serve_home(serve, at, &home); ++at)
        stale_others(sharing, -1, home);
}
