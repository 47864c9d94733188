/*
 * Wavefronts on several ranks: a worker goes through its rank's bands, in each through the
 * stretches of columns, in each through every row of the band that is its own modulo the workers. A
 * row waits for the one before it in the band, the band's first row for what other ranks tell and
 * for the rank's band before (docs/runtime.md, "Wavefronts on several ranks").
 */
#include "runtime/execute/bands_run.h"

#include "runtime/base/clock.h"
#include "runtime/base/progress.h"
#include "runtime/execute/bands.h"
#include "runtime/execute/clocks.h"
#include "runtime/execute/wave.h"
#include "runtime/report/trace.h"

#include "dsm/dsm.h"

/* The stretch of columns [begin, end) of a band. */
struct place {
    int band;
    long stretch, begin, end;
};

static long least(long a, long b) {
    return a < b ? a : b;
}

static unsigned turn_at(const struct orrery_region *region, long column) {
    return region->turn + (unsigned)column;
}

/* Memory has what the band reads there,
 * and this rank's band before is done reading what it overwrites. */
static double enter(struct orrery_region *region, const struct place *place, int worker) {
    struct orrery_bands *bands = region->bands;
    int before = place->band - dsm_ranks();
    double waited = 0;
    if (before >= 0)
        waited = orrery_turn_wait(region, bands->cuts[before + 1] - 1, turn_at(region, place->end),
                                  worker);
    if (place->stretch < bands->first[place->band] || place->stretch >= bands->end[place->band])
        return waited;
    double begin = orrery_clock();
    orrery_bands_take(bands, place->band, place->stretch);
    double end = orrery_clock();
    orrery_trace_wait(worker, begin, end);
    return waited + end - begin;
}

/* Nobody may overwrite what the last row's stretch made before it is told. */
static void leave(struct orrery_region *region, const struct place *place, long row) {
    if (row + 1 == region->bands->cuts[place->band + 1])
        orrery_bands_tell(region->bands, place->band, place->stretch);
    orrery_flag_set(&region->flags[row], turn_at(region, place->end));
}

static double row_stretch(struct orrery_region *region, const struct place *place, long row,
                          int worker) {
    struct orrery_bands *bands = region->bands;
    struct orrery_wave_row columns = orrery_wave_row_of(region, row);
    struct orrery_block block = orrery_block_at(region, 0, row, 0, 0);
    bool first = row == bands->cuts[place->band], last = row + 1 == bands->cuts[place->band + 1];
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

static double band_run(struct orrery_region *region, int band, int worker) {
    const struct orrery_bands *bands = region->bands;
    long workers = orrery_workers_count(), first = bands->cuts[band] + worker;
    double waited = 0;
    for (long row = first; row < bands->cuts[band + 1] && region->loop->nreductions; row += workers)
        orrery_copies_reset(region->copies, row);
    for (long s = 0; s < bands->stretches; ++s) {
        struct place place = {band, s, s * bands->pace,
                              least((s + 1) * bands->pace, region->blocks.columns)};
        for (long row = first; row < bands->cuts[band + 1]; row += workers)
            waited += row_stretch(region, &place, row, worker);
    }
    return waited;
}

double orrery_bands_run(struct orrery_region *region, int worker) {
    double waited = 0;
    for (int band = dsm_rank(); band < region->bands->nbands; band += dsm_ranks())
        waited += band_run(region, band, worker);
    return waited;
}
