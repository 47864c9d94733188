/* Does a parallel loop write where no checkpoint looks: in memory that a library gave out? */
#include "runtime/checkpoint/checkpoint.h"
#include "runtime/checkpoint/stack.h"
#include "runtime/checkpoint/state.h"
#include "runtime/region/region.h"

/* Failed: some loop has written there. */
static struct dsm_status inside;

bool orrery_inside(struct dsm_status *status) {
    return !inside.failed || dsm_status_fail(status, "%s", inside.why);
}

static bool is_saved(const void *address) {
    const char *at = address;
    struct dsm_range heap = dsm_heap_range(), statics = dsm_static_range(),
                     stack = orrery_stack_range();
    return (at >= heap.low && at < heap.high) || (at >= statics.low && at < statics.high) ||
           (at >= stack.low && at < stack.high);
}

/* A table itself, and the first row that it leads to. */
static const void *unsaved_in(const struct orrery_shape *shape) {
    if (shape->base && !is_saved(shape->base))
        return shape->base;
    if (shape->table && shape->tables < 2 && !is_saved(shape->table))
        return shape->table;
    const char *row = shape->table ? shape->table[shape->table_offset] : NULL;
    return row && !is_saved(row) ? row : NULL;
}

static void note(const struct orrery_state *state, const char *name, const void *at) {
    if (at)
        dsm_status_fail(
            &inside,
            "%s: the loop writes %s at %p, memory that a library gave out; only what malloc "
            "gave to the program is saved",
            state->where, name, at);
}

void orrery_checkpoint_look(const struct orrery_state *state) {
    const struct orrery_loop *loop = state->loop;
    if (!orrery_ckpt_points_wanted || dsm_rank() != 0)
        return;
    for (int i = 0; i < loop->narrays; ++i)
        if (loop->arrays[i].written)
            note(state, loop->arrays[i].name, unsaved_in(&state->shapes[i]));
    for (int j = 0; j < loop->nreductions; ++j)
        if (loop->reductions[j].array >= 0)
            note(state, loop->reductions[j].name,
                 unsaved_in(&state->shapes[loop->reductions[j].array]));
}
