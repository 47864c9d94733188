/*
 * How the rows of a wavefront are assigned to ranks: panels of neighbours, panel after panel to
 * rank after rank, and after how many columns they tell each other. By a model of a machine that is
 * the same everywhere, but for ranks that are as fast as rows were dealt to them; no bit depends on
 * it.
 */
#include "runtime/execute/panels.h"

#include "runtime/base/env.h"
#include "runtime/execute/wave.h"
#include "runtime/layout/owners.h"

#include "dsm/dsm.h"

#include <string.h>

/* Of a block of one point, of every further point; of a message on its way, and of sending it. */
static const double block_seconds = 2e-7, point_seconds = 2e-9, way_seconds = 2e-5,
                    send_seconds = 2e-6;

/* Of an iteration that begins or goes on in memory that no cache has and nobody has fetched ahead;
 * bytes of a point. */
static const double line_seconds = 2e-7, point_bytes = 4;

enum { MOST_PANELS = 4096, MOST_LOOKS = 1 << 22 };

/* `spans`: per row, the columns in which it has something to do. `block`: seconds of one; `again`:
 * of a row that goes on in another stretch. `before`: when the panel before was done with each
 * stretch. */
struct model {
    const struct orrery_region *region;
    struct orrery_wave_row *spans;
    double block, again;
    double *before;
};

/* What all is written to. A table that is filled has as many bytes as the loop has points; where
 * rows come back to what others had, caches have it. */
static double bytes_written(const struct orrery_state *state) {
    double bytes = 0;
    for (int a = 0; a < state->loop->narrays; ++a)
        if (state->loop->arrays[a].written && orrery_shape_exists(&state->shapes[a]))
            bytes += (double)orrery_shape_extent(&state->shapes[a]);
    return bytes;
}

static struct model model_of(const struct orrery_state *state, const struct orrery_region *region) {
    long rows = region->blocks.rows;
    struct model model = {.region = region};
    model.spans = dsm_own_alloc((size_t)rows * sizeof *model.spans);
    model.before = dsm_own_alloc((size_t)(region->blocks.columns + 1) * sizeof *model.before);
    for (long row = 0; row < rows; ++row)
        model.spans[row] = orrery_wave_row_of(region, row);
    double each = (double)region->count / (double)rows, points = each * (double)region->wave.width;
    double all = points * (double)rows * (double)region->blocks.columns;
    double fresh = bytes_written(state) / (point_bytes * all);
    model.block = block_seconds + points * point_seconds;
    model.again = each * line_seconds * (fresh < 1 ? fresh : 1);
    return model;
}

static void model_free(struct model *model) {
    dsm_own_free(model->spans);
    dsm_own_free(model->before);
}

static long least(long a, long b) {
    return a < b ? a : b;
}

static long most(long a, long b) {
    return a > b ? a : b;
}

/* Seconds of what the rows have in the columns of a stretch. */
static double work_in(const struct model *model, struct orrery_wave_row rows, long stretch,
                      long pace) {
    long blocks = 0, begun = 0;
    for (long row = rows.first; row < rows.end; ++row) {
        const struct orrery_wave_row *span = &model->spans[row];
        long here = least(span->end, (stretch + 1) * pace) - most(span->first, stretch * pace);
        blocks += most(0, here);
        begun += here > 0;
    }
    return (double)blocks * model->block + (double)begun * model->again;
}

/* Seconds of a region on so many panels: a panel goes through its stretches behind the panel before
 * it, a rank through its panels. */
static double seconds_of(const struct model *model, long npanels, long pace) {
    const struct orrery_blocks *blocks = &model->region->blocks;
    long stretches = (blocks->columns + pace - 1) / pace, ranks = dsm_ranks();
    double *before = memset(model->before, 0, (size_t)stretches * sizeof *before), latest = 0;
    double free_at[ranks];
    memset(free_at, 0, sizeof free_at);
    for (long panel = 0; panel < npanels; ++panel) {
        double now = free_at[panel % ranks];
        struct orrery_wave_row rows = {orrery_first_row_of_part(panel, npanels, blocks->rows),
                                       orrery_first_row_of_part(panel + 1, npanels, blocks->rows)};
        double slower = 1 / orrery_weight_of((int)(panel % ranks));
        for (long s = 0; s < stretches; ++s) {
            double work = slower * work_in(model, rows, s, pace);
            double ready = before[s] + (panel > 0 && ranks > 1 ? way_seconds : 0);
            if (work <= 0) {
                before[s] = s > 0 && before[s - 1] > before[s] ? before[s - 1] : before[s];
                continue;
            }
            now = now > ready ? now : ready;
            now += work + send_seconds;
            before[s] = now;
        }
        free_at[panel % ranks] = now;
        latest = now > latest ? now : latest;
    }
    return latest;
}

/* The least seconds by panels per rank, and by columns per stretch; of about equal ones the fewest
 * panels and messages. `said`: panels per rank that the user wants. */
static void choose(const struct model *model, long said, long *npanels, long *pace) {
    const struct orrery_blocks *blocks = &model->region->blocks;
    long ranks = dsm_ranks();
    double best = -1;
    for (long each = said ? said : 1; each == 1 || each == said || each * ranks <= blocks->rows;
         each *= 2) {
        long panels = least(least(each * ranks, blocks->rows), MOST_PANELS);
        for (long stretches = 4 * ranks;; stretches *= 2) {
            long columns = most(1, blocks->columns / stretches);
            double seconds = seconds_of(model, panels, columns);
            if (best < 0 || seconds < 0.98 * best) {
                best = seconds;
                *npanels = panels;
                *pace = columns;
            }
            if (columns == 1 || blocks->rows * stretches > MOST_LOOKS)
                break;
        }
        if (said)
            break;
    }
}

static void find_active(struct orrery_panels *panels, const struct model *model) {
    for (int k = 0; k < panels->npanels; ++k) {
        long first = panels->stretches, end = 0;
        for (long row = panels->cuts[k]; row < panels->cuts[k + 1]; ++row) {
            const struct orrery_wave_row *span = &model->spans[row];
            if (span->first == span->end)
                continue;
            first = least(first, span->first / panels->pace);
            end = most(end, (span->end - 1) / panels->pace + 1);
        }
        panels->first[k] = first;
        panels->end[k] = end;
    }
}

void orrery_panels_cut(struct orrery_panels *panels, const struct orrery_region *region) {
    struct model model = model_of(panels->state, region);
    long npanels = least(dsm_ranks(), region->blocks.rows);
    panels->pace = 1;
    if (!orrery_panels_apart(region->loop))
        choose(&model, orrery_env()->panels, &npanels, &panels->pace);
    size_t bytes = (size_t)(npanels + 1) * sizeof(long);
    panels->npanels = (int)npanels;
    panels->stretches = (region->blocks.columns + panels->pace - 1) / panels->pace;
    panels->cuts = dsm_own_alloc(bytes);
    panels->first = dsm_own_alloc(bytes);
    panels->end = dsm_own_alloc(bytes);
    for (long k = 0; k <= npanels; ++k)
        panels->cuts[k] = orrery_first_row_of_part(k, npanels, region->blocks.rows);
    find_active(panels, &model);
    model_free(&model);
}
