/*
 * Where every array of a planned loop lies, and what that moves.
 */
#include "scheduler/plan/sections.h"
#include "scheduler/strategy/strategy.h"

#include <string.h>

/* ---- what is known of an array --------------------------------------------------------------- */

/* How the array is cut by `dim` and, when it is not -1, by `partner`, too. */
static const struct row_shape *shape_by(const struct array_use *use, int dim, int partner) {
    for (int i = 0; dim >= 0 && i < use->nshapes; ++i) {
        const struct row_shape *shape = &use->shapes[i];
        bool straight = shape->dim == dim && shape->partner == partner;
        bool crossed = partner >= 0 && shape->dim == partner && shape->partner == dim;
        if (straight || crossed)
            return shape;
    }
    return NULL;
}

/* Along the grid's first dim: in a tournament by both keys, since the parts hold the values of
 * both, and an array that one of them leads to need not have rows for the other's. */
static const struct row_shape *shape_of_space(const struct plan *plan,
                                              const struct array_use *use) {
    int partner = strategy_form(plan->strategy)->pairs ? plan->partner : -1;
    return shape_by(use, plan->space, partner);
}

/* The first dim of the plan's grid along which the array can be cut. */
static const struct row_shape *shape_of_grid(const struct plan *plan, const struct array_use *use) {
    const struct row_shape *shape = shape_of_space(plan, use);
    for (int i = 0; !shape && i < plan->ntimes; ++i)
        shape = plan_shape_along(use, plan->times[i]);
    return shape;
}

const struct row_shape *plan_shape(const struct plan *plan, const struct object *object, int dim) {
    for (int i = 0; i < plan->analysis->narrays; ++i) {
        const struct array_use *use = &plan->analysis->arrays[i];
        if (use->object == object && plan_grid_dim(plan, dim) == 0) {
            const struct row_shape *shape = shape_of_space(plan, use);
            return shape && (shape->dim == dim || shape->partner == dim) ? shape : NULL;
        }
        if (use->object == object)
            return plan_shape_along(use, dim);
    }
    return NULL;
}

/* Rows stay with their row of the grid, but those of a tournament travel as all others do. */
static enum placement placement_by(const struct plan *plan, int dim) {
    bool stays = plan_grid_dim(plan, dim) == 0 && !strategy_form(plan->strategy)->pairs;
    return stays ? PLACE_RESIDENT : PLACE_ROTATING;
}

static bool is_gathered(const struct loop_facts *facts, const struct access *access) {
    for (int i = 0; i < facts->nstreams; ++i) {
        for (int s = 0; s < facts->streams[i].nsites; ++s)
            if (range_holds(&facts->streams[i].sites[s], &access->range))
                return true;
    }
    return false;
}

/* Every access is a read inside of a site that the gather replaces. */
static bool only_gathered(const struct loop_facts *facts, const struct object *object) {
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if (a->object == object && (a->write || !is_gathered(facts, a)))
            return false;
    }
    return true;
}

static const struct array_use *use_of(const struct analysis *analysis,
                                      const struct object *object) {
    for (int i = 0; i < analysis->narrays; ++i)
        if (analysis->arrays[i].object == object)
            return &analysis->arrays[i];
    return NULL;
}

/* ---- placement ------------------------------------------------------------------------------- */

/* The pointers to structures, or these, in which the pointers to rows stand (`ex[i]->idx`). */
static bool leads_to_structures(const struct object *rows, const struct object *object) {
    return rows->inner_step && rows->base && object->base && expr_equal(rows->base, object->base);
}

/* The table of pointers that leads to rows: every rank needs it whole to find them. */
static bool is_table(const struct loop_facts *facts, const struct object *object) {
    for (int i = 0; i < facts->nobjects; ++i) {
        const struct object *rows = facts->objects[i];
        if (rows->ntables > object->ntables &&
            (strcmp(rows->name, object->name) == 0 || leads_to_structures(rows, object)))
            return true;
    }
    return false;
}

static const char *why_unplaced(const struct plan *plan, const struct object *object) {
    struct arena *arena = plan_arena(plan);
    if (strategy_of(plan)->why_unplaced)
        return strategy_of(plan)->why_unplaced(plan, object);
    const char *dim = plan->analysis->dims[plan->space].name;
    const char *words = arena_printf(arena, "no way to cut %s into rows by %s", object->name, dim);
    int keys[PLAN_KEYS], nkeys = plan_keys(plan, keys);
    for (int i = 1; i < nkeys; ++i)
        words = arena_printf(arena, "%s or by %s", words, plan->analysis->dims[keys[i]].name);
    return arena_printf(arena, "%s is known", words);
}

/* Rows that belong to iterations as a guard's intervals say: a row is an element of the first
 * dimension. NULL when there is no such guard. */
static const struct row_shape *shape_by_intervals(const struct plan *plan,
                                                  const struct object *object) {
    struct loop_facts *facts = plan->analysis->facts;
    bool claimed = false;
    for (int i = 0; strategy_of(plan)->intervals && i < facts->nguards; ++i)
        claimed = claimed || (facts->guards[i].kind == GUARD_APART && facts->guards[i].a == object);
    if (!claimed || !object->apart || !object->intervals->rows || object->ndims < 1 ||
        !object->dims[0].stride_text)
        return NULL;
    struct row_shape *shape = arena_alloc(facts->unit->arena, sizeof *shape);
    const char *stride = object->dims[0].stride_text;
    *shape = (struct row_shape){.dim = -1,
                                .row_offset = object->origin_text ? object->origin_text : "0",
                                .row_stride = stride,
                                .pieces = "1",
                                .piece_bytes = stride,
                                .piece_stride = stride};
    return shape;
}

static struct plan_array place(const struct plan *plan, const struct array_use *use) {
    struct plan_array array = {.object = use->object, .dim = -1};
    bool written = plan_is_written(plan->analysis->facts, use->object);
    const struct row_shape *shape = shape_of_grid(plan, use);
    if (strategy_of(plan)->place)
        return strategy_of(plan)->place(plan, use->object, written);
    if (plan->by_key && !written && only_gathered(plan->analysis->facts, use->object)) {
        array.placement = PLACE_ALIGNED;
    } else if (!written && is_table(plan->analysis->facts, use->object)) {
        array.placement = PLACE_REPLICATED;
    } else if (shape) {
        array = (struct plan_array){use->object, placement_by(plan, shape->dim), shape->dim, shape,
                                    NULL};
    } else if (!written) {
        array.placement = PLACE_REPLICATED;
    } else if (use->own) {
        array = (struct plan_array){use->object, PLACE_ALIGNED, -1, use->own, NULL};
    } else if (shape_by_intervals(plan, use->object)) {
        array.placement = PLACE_RESIDENT;
        array.shape = shape_by_intervals(plan, use->object);
    } else {
        array.placement = PLACE_UNPLACED;
        array.why = why_unplaced(plan, use->object);
    }
    return array;
}

/* ---- sections -------------------------------------------------------------------------------- */

static bool is_unplaced(const struct plan *plan) {
    bool unplaced = false;
    for (int i = 0; i < plan->narrays; ++i)
        unplaced = unplaced || plan->arrays[i].placement == PLACE_UNPLACED;
    return unplaced;
}

/* Of an array that cannot be cut into rows, and so of all, ranks have what their iterations touch,
 * where the run can say what that is. Nobody waits for another rank's rows, so what is read is what
 * stood there before the loop. */
static void place_by_sections(struct plan *plan) {
    const struct loop_facts *facts = plan->analysis->facts;
    bool may = strategy_of(plan)->sections && !plan->by_key && !plan->gpu && !facts->by_number &&
               loop_is_marked(plan->analysis->loop) && is_unplaced(plan);
    for (int i = 0; i < plan->narrays && may; ++i)
        may = (plan->arrays[i].placement != PLACE_RESIDENT || plan->arrays[i].dim >= 0) &&
              (!plan_is_written(facts, plan->arrays[i].object) ||
               !plan_whole(plan, plan->arrays[i].object));
    plan->by_sections = may;
    for (int i = 0; i < plan->narrays && may; ++i) {
        struct plan_array *array = &plan->arrays[i];
        bool whole = plan_whole(plan, array->object);
        *array = (struct plan_array){.object = array->object,
                                     .placement = whole ? PLACE_REPLICATED : PLACE_RESIDENT,
                                     .dim = -1};
    }
}

/* Reductions into arrays, and scratch arrays. */
static void place_copies(struct plan *plan) {
    struct loop_facts *facts = plan->analysis->facts;
    for (int i = 0; i < facts->nscratches; ++i) {
        if (facts->scratches[i].object->kind != OBJECT_SCALAR) {
            struct plan_array array = {facts->scratches[i].object, PLACE_PRIVATE, -1, NULL, NULL};
            ARENA_PUSH(facts->unit->arena, plan->arrays, plan->narrays, array);
        }
    }
    for (int i = 0; i < facts->nreductions; ++i) {
        if (facts->reductions[i].is_array) {
            bool served = plan_serve(plan, &facts->reductions[i]);
            struct plan_array array = {facts->reductions[i].object,
                                       served ? PLACE_SERVED : PLACE_PRIVATE, -1, NULL, NULL};
            ARENA_PUSH(facts->unit->arena, plan->arrays, plan->narrays, array);
        }
    }
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Size of the whole object as C text: from its type, else from its outermost extent, else asked of
 * the allocator when the loop starts. */
static const char *size_text(struct arena *arena, const struct object *object) {
    if (object->size_text)
        return object->size_text;
    if (object->ndims > 0 && object->dims[0].extent_text && object->dims[0].stride_text) {
        return arena_printf(arena, "(%s) * (%s)", object->dims[0].extent_text,
                            object->dims[0].stride_text);
    }
    return arena_printf(arena, "orrery_extent(%s)", object->name);
}

static void sum_moved(struct plan *plan) {
    struct arena *arena = plan->analysis->facts->unit->arena;
    plan->bytes_moved = NULL;
    for (int i = 0; i < plan->narrays; ++i) {
        if (plan->arrays[i].placement == PLACE_ROTATING) {
            const char *size = size_text(arena, plan->arrays[i].object);
            plan->bytes_moved =
                plan->bytes_moved ? arena_printf(arena, "%s + %s", plan->bytes_moved, size) : size;
        }
    }
}

bool plan_goes_along(const struct loop_facts *facts, const struct object *object) {
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        for (int d = 0; a->object == object && d < a->nsubs; ++d) {
            for (int t = 0; t < a->subs[d].value.nterms; ++t)
                if (a->subs[d].value.terms[t].symbol == facts->index)
                    return true;
        }
    }
    return false;
}

/* Edges of bands left out. */
static void sum_kept(struct plan *plan) {
    const struct loop_facts *facts = plan->analysis->facts;
    struct arena *arena = facts->unit->arena;
    plan->bytes_per_rank = NULL;
    for (int i = 0; (plan->wave || plan->by_sections) && i < plan->narrays; ++i) {
        const struct plan_array *array = &plan->arrays[i];
        bool cut = array->placement == PLACE_RESIDENT && plan_goes_along(facts, array->object);
        if (array->placement != PLACE_RESIDENT && array->placement != PLACE_REPLICATED)
            continue;
        const char *size = size_text(arena, array->object);
        size = cut ? arena_printf(arena, "(%s) / ranks", size) : size;
        plan->bytes_per_rank = plan->bytes_per_rank
                                   ? arena_printf(arena, "%s + %s", plan->bytes_per_rank, size)
                                   : size;
    }
}

void plan_place(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    plan->narrays = 0;
    plan->arrays = NULL;
    for (int i = 0; i < analysis->narrays; ++i) {
        ARENA_PUSH(analysis->facts->unit->arena, plan->arrays, plan->narrays,
                   place(plan, &analysis->arrays[i]));
    }
    place_by_sections(plan);
    place_copies(plan);
    sum_moved(plan);
    sum_kept(plan);
}

/* Along its dim; without one, as the strategy says, or by what iterations touch. */
static bool can_be_cut(const struct plan *plan, const struct plan_array *array,
                       const struct array_use *use) {
    if (use && plan_grid_dim(plan, array->dim) >= 0 &&
        placement_by(plan, array->dim) == array->placement &&
        plan_shape(plan, array->object, array->dim)) {
        return true;
    }
    if (array->placement != PLACE_RESIDENT || array->dim >= 0)
        return false;
    const struct strategy_ops *strategy = strategy_of(plan);
    return (strategy->stays && strategy->stays(plan, array->object)) ||
           (plan->by_sections && !plan_whole(plan, array->object)) ||
           (array->shape && shape_by_intervals(plan, array->object));
}

const char *plan_place_check(const struct plan *plan, const struct plan_array *array) {
    const struct loop_facts *facts = plan->analysis->facts;
    const struct array_use *use = use_of(plan->analysis, array->object);
    bool written = plan_is_written(facts, array->object);
    switch (array->placement) {
    case PLACE_RESIDENT:
    case PLACE_ROTATING:
        return can_be_cut(plan, array, use) ? NULL : "it cannot be cut along that dim";
    case PLACE_REPLICATED:
        return written ? "it is written" : NULL;
    case PLACE_ALIGNED:
        if (written && use && use->own)
            return array->shape == use->own ? NULL : "its place follows from the plan";
        return written || !plan->by_key || !only_gathered(facts, array->object)
                   ? "it is not read by the gather alone"
                   : NULL;
    case PLACE_PRIVATE:
        return use ? "it is neither a reduction nor scratch space" : NULL;
    case PLACE_SERVED:
        return plan_touch_of(plan, array->object)
                   ? NULL
                   : "it is not relaxed or buffered, or what iterations touch cannot be listed";
    case PLACE_UNPLACED:
        return use ? NULL : "each worker has a copy of it";
    }
    return NULL;
}
