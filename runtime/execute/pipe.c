#include "runtime/execute/pipe.h"

#include "runtime/base/memory.h"
#include "runtime/grid/grid.h"

static long oldest(const struct orrery_loop *loop) {
    long age = 0;
    for (int g = 0; g < loop->nlate; ++g)
        age = loop->late[g].age > age ? loop->late[g].age : age;
    return age;
}

struct orrery_blocks orrery_pipe_blocks(const struct orrery_loop *loop, long count) {
    long columns = orrery_grid_pipe(loop, count);
    return loop->nlate ? orrery_blocks_of_late_pipe(loop->stages, columns, oldest(loop))
                       : orrery_blocks_of_pipe(loop->stages, columns);
}

long orrery_pipe_begin(const struct orrery_region *region, long column) {
    long ranges = region->blocks.columns - region->blocks.drained;
    return column < ranges ? orrery_share(region->count, column, ranges) : region->count;
}

/* A range keeps its slots until its last late group has run. Those of one baton stand together. */
static char *slots_of(const struct orrery_region *region, long column) {
    long batons = region->blocks.batons, rounds = region->slots_rounds;
    return region->slots +
           (size_t)(column % batons * rounds + column / batons % rounds) * region->slots_bytes;
}

/* Group g comes to the range whose slots have gone round so many times. */
static void late_do(const struct orrery_region *region, const struct orrery_block *block, int g) {
    struct orrery_block late = *block;
    late.column -= region->loop->late[g].age * region->blocks.batons;
    if (region->loop->late[g].row != block->row || late.column < 0)
        return;
    late.row = region->loop->stages + g;
    late.begin = orrery_pipe_begin(region, late.column);
    late.end = orrery_pipe_begin(region, late.column + 1);
    late.slots = slots_of(region, late.column);
    if (late.begin < late.end)
        region->loop->block(&late);
}

void orrery_pipe_do(const struct orrery_region *region, const struct orrery_block *block) {
    struct orrery_block own = *block;
    for (int g = 0; g < region->loop->nlate; ++g)
        late_do(region, block, g);
    own.slots = slots_of(region, block->column);
    if (own.begin < own.end)
        region->loop->block(&own);
}

void orrery_pipe_slots(struct orrery_region *region, struct orrery_state *state) {
    const struct orrery_blocks *blocks = &region->blocks;
    if (blocks->strategy != ORRERY_PIPELINE)
        return;
    long ranges = blocks->columns - blocks->drained;
    long most = (region->count + ranges - 1) / ranges;
    region->slots_bytes = (size_t)most * region->loop->slot_size;
    region->slots_rounds = 1 + oldest(region->loop);
    size_t room = region->slots_bytes * (size_t)(blocks->batons * region->slots_rounds);
    if (state->slots_room < room) {
        orrery_memory_free(state->slots);
        state->slots = orrery_memory_aligned(room);
        state->slots_room = room;
    }
    region->slots = state->slots;
}

long orrery_pipe_row_of(const struct orrery_region *region, long worker, long workers) {
    return orrery_share_by_cost(region->loop->stage_costs, region->row_low, region->row_high,
                                worker, workers);
}
