/*
 * Wavefronts on several ranks: a worker goes through its rank's panels, in each through the
 * stretches of columns, in each through every row of the panel that is its own modulo the workers.
 * A row waits for the one before it in the panel, the panel's first row for what other ranks tell
 * and for the rank's panel before (docs/runtime.md, "Wavefronts on several ranks").
 */
#include "runtime/execute/panels_run.h"

#include "runtime/base/clock.h"
#include "runtime/base/progress.h"
#include "runtime/execute/clocks.h"
#include "runtime/execute/panels.h"
#include "runtime/execute/wave.h"
#include "runtime/report/trace.h"

#include "dsm/dsm.h"

/* The stretch of columns [begin, end) of a panel. */
struct place {
    int panel;
    long stretch, begin, end;
};

static long least(long a, long b) {
    return a < b ? a : b;
}

static unsigned turn_at(const struct orrery_region *region, long column) {
    return region->turn + (unsigned)column;
}

/* Memory has what the panel reads there,
 * and this rank's panel before is done reading what it overwrites. */
static double enter(struct orrery_region *region, const struct place *place, int worker) {
    struct orrery_panels *panels = region->panels;
    int before = place->panel - dsm_ranks();
    double waited = 0;
    if (orrery_panels_apart(region->loop))
        return 0;
    if (before >= 0)
        waited = orrery_turn_wait(region, panels->cuts[before + 1] - 1, turn_at(region, place->end),
                                  worker);
    if (place->stretch < panels->first[place->panel] || place->stretch >= panels->end[place->panel])
        return waited;
    double begin = orrery_clock();
    orrery_panels_take(panels, place->panel, place->stretch);
    double end = orrery_clock();
    orrery_trace_wait(worker, begin, end);
    return waited + end - begin;
}

/* Nobody may overwrite what the last row's stretch made before it is told. */
static void leave(struct orrery_region *region, const struct place *place, long row) {
    if (row + 1 == region->panels->cuts[place->panel + 1])
        orrery_panels_tell(region->panels, place->panel, place->stretch);
    orrery_flag_set(&region->flags[row], turn_at(region, place->end));
}

static double row_stretch(struct orrery_region *region, const struct place *place, long row,
                          int worker) {
    struct orrery_panels *panels = region->panels;
    struct orrery_wave_row columns = orrery_wave_row_of(region, row);
    struct orrery_block block = orrery_block_at(region, 0, row, 0, 0);
    bool apart = orrery_panels_apart(region->loop);
    bool first = apart || row == panels->cuts[place->panel],
         last = row + 1 == panels->cuts[place->panel + 1];
    long from = columns.first > place->begin ? columns.first : place->begin;
    double waited = first ? enter(region, place, worker) : 0;
    for (long column = from; column < least(columns.end, place->end); ++column) {
        if (!first)
            waited += orrery_turn_wait(region, row - 1, turn_at(region, column + 1), worker);
        block.column = block.clock = column;
        orrery_wave_bounds(region, &columns, &block);
        orrery_block_do(region, &block, worker);
        if (!last)
            orrery_flag_set(&region->flags[row], turn_at(region, column + 1));
        orrery_progress_block(worker);
    }
    if (!first)
        waited += orrery_turn_wait(region, row - 1, turn_at(region, place->end), worker);
    leave(region, place, row);
    return waited;
}

static double panel_run(struct orrery_region *region, int panel, int worker) {
    const struct orrery_panels *panels = region->panels;
    long workers = orrery_workers_count(), first = panels->cuts[panel] + worker;
    double waited = 0;
    for (long row = first; row < panels->cuts[panel + 1] && region->loop->nreductions;
         row += workers)
        orrery_copies_reset(region->copies, row);
    for (long s = 0; s < panels->stretches; ++s) {
        struct place place = {panel, s, s * panels->pace,
                              least((s + 1) * panels->pace, region->blocks.columns)};
        for (long row = first; row < panels->cuts[panel + 1]; row += workers)
            waited += row_stretch(region, &place, row, worker);
    }
    return waited;
}

double orrery_panels_run(struct orrery_region *region, int worker) {
    double waited = 0;
    for (int panel = dsm_rank(); panel < region->panels->npanels; panel += dsm_ranks())
        waited += panel_run(region, panel, worker);
    return waited;
}
