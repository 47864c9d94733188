/* A loop's kernel before it is printed: what is refused of the loop as a whole, and who runs
 * what. */
#include "scheduler/gpu/make.h"

#include "scheduler/gpu/gpu.h"
#include "scheduler/outline/collect.h"
#include "scheduler/strategy/strategy.h"

/* ---- what a kernel cannot be made of --------------------------------------------------------- */

static bool check_strategy(struct outline *job) {
    if (strategy_of(job->plan)->devices)
        return true;
    return emit_refuse(job, ORR2460, job->loop->header,
                       "the loop cannot run on a GPU: it would be parallel by %s, which this "
                       "version has for CPUs only",
                       strategy_name(job->plan->strategy));
}

/* What is folded number by number into a variable or an array that the body names. */
static const char *reduction_misses(const struct outline *job, const struct emit_reduction *r) {
    const struct reduction *reduction =
        r->facts_index >= 0 ? &job->facts->reductions[r->facts_index] : NULL;
    if (r->last || !reduction)
        return "is scratch space, or its last value is used";
    if ((r->merged || r->buffered) && job->plan->strategy == STRATEGY_WAVEFRONT)
        return "is merged by relax or buffer in a wavefront";
    if (r->buffered && !r->is_array)
        return "is a number that buffer collects updates of";
    if (reduction->nfields || r->holder || r->reference)
        return "is a member of structures";
    if (!r->var)
        return "is not a variable of its own";
    const struct reduction_operator *row = reduction_operator(reduction->op);
    if (reduction->argmin || (!r->merged && !r->buffered && !(row && row->on_device)))
        return "is set by some iterations, or together with another";
    return gpu_suffix(reduction->type) ? NULL : "has a type that a GPU has not got";
}

static bool check_reduction(struct outline *job, const struct emit_reduction *r) {
    const char *why = reduction_misses(job, r);
    return !why || emit_refuse(job, ORR2465, job->loop->header,
                               "the loop cannot run on a GPU: `%s` %s", r->title, why);
}

static bool check_loop(struct outline *job) {
    if (!check_strategy(job) || !gpu_locals_fit(job, job->loop->body))
        return false;
    for (int j = 0; j < job->nreductions; ++j)
        if (!check_reduction(job, &job->reductions[j]))
            return false;
    const char *addresses = emit_addresses(job);
    if (addresses)
        return emit_refuse(job, ORR2286, job->loop->header,
                           "the loop cannot run on a GPU: what it leaves in `%s` is an address, "
                           "which means nothing to the host; keep a subscript in its place",
                           addresses);
    unsigned long arrays;
    const char *compared = emit_compared(job, &arrays);
    if (compared)
        return emit_refuse(job, ORR2286, job->loop->header,
                           "the loop cannot run on a GPU: `%s` compares addresses, which are "
                           "others there; compare subscripts in their place",
                           compared);
    if (emit_is_moving(job) || job->facts->by_number || job->loop->variable->type->kind != TYPE_INT)
        return emit_refuse(job, ORR2466, job->loop->header,
                           "the loop cannot run on a GPU: variables move from iteration to "
                           "iteration; compute them from a counter");
    for (int i = 0; i < job->narrays; ++i)
        if (job->arrays[i]->object->kind == OBJECT_ROWS)
            return emit_refuse(job, ORR2463, job->loop->header,
                               "the loop cannot run on a GPU: %s are reached through a table of "
                               "pointers; use one array for all rows",
                               object_words(job->arena, job->arrays[i]->object));
    return true;
}

/* ---- who runs what --------------------------------------------------------------------------- */

/* What a row works on in its own order: arrays that are folded into, what is merged, and minima of
 * which the order decides between equal numbers. */
static bool has_row_copies(const struct outline *job) {
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].is_array || job->reductions[j].merged)
            return true;
    for (int i = 0; i < job->facts->nreductions; ++i)
        if (job->facts->reductions[i].ties)
            return true;
    return false;
}

static void choose_form(struct gpu_kernel *k) {
    enum strategy strategy = k->job->plan->strategy;
    bool free = strategy == STRATEGY_INDEPENDENT || strategy == STRATEGY_REDUCTION;
    if (strategy == STRATEGY_WAVEFRONT) {
        k->form = GPU_SERIAL;
        k->rows = gpu_takes_any_order(k->job) ? GPU_TILE : GPU_ROW_BY_LANE_0;
        return;
    }
    gpu_lanes_find(k);
    bool warp = k->nlanes > 0 && gpu_warp_fits(k);
    k->form = GPU_SERIAL;
    if (free && !has_row_copies(k->job))
        k->rows = GPU_ASSIGNED;
    else if (warp)
        k->rows = GPU_ROW_PER_WARP;
    else
        k->rows =
            strategy_form(k->job->plan->strategy)->waits ? GPU_ROW_BY_LANE_0 : GPU_ROW_PER_LANE;
    if (k->rows == GPU_ROW_PER_WARP) {
        k->form = GPU_WARP;
        gpu_reuse_find(k);
        gpu_head_find(k);
    }
}

void gpu_kernel_make(struct outline *job) {
    if (!job->kernel_name || !check_loop(job))
        return;
    struct gpu_kernel *k = arena_alloc(job->arena, sizeof *k);
    *k = (struct gpu_kernel){.job = job, .arena = job->arena};
    choose_form(k);
    job->kernel = gpu_check(k, job) ? k : NULL;
}
