#include "runtime/report/profile.h"

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/inspect/levels.h"
#include "runtime/layout/local.h"
#include "runtime/merge/merge.h"
#include "runtime/region/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_wanted(void) {
    return orrery_env()->profile != NULL;
}

/* ---- while the program runs ------------------------------------------------------------------ */

static void *zeroes(size_t bytes) {
    return memset(dsm_own_alloc(bytes), 0, bytes);
}

static void blocks_start(struct orrery_profile *profile, long blocks) {
    size_t n = (size_t)blocks;
    dsm_own_free(profile->samples);
    dsm_own_free(profile->counts);
    dsm_own_free(profile->iterations);
    dsm_own_free(profile->parts);
    for (int d = 0; d < ORRERY_DIMS; ++d)
        dsm_own_free(profile->masks[d]);
    *profile = (struct orrery_profile){.blocks = blocks,
                                       .ended = profile->ended,
                                       .clock = profile->clock,
                                       .sums = profile->sums,
                                       .changed = profile->changed,
                                       .looks = profile->looks,
                                       .extents = profile->extents,
                                       .samples = zeroes(n * ORRERY_SAMPLES * sizeof(float)),
                                       .counts = zeroes(n * sizeof(long)),
                                       .iterations = zeroes(n * sizeof(long)),
                                       .parts = zeroes(n * sizeof *profile->parts)};
}

/* What two looks at the clock see of themselves. */
static double clock_seconds(void) {
    static double least;
    for (int i = 0; least == 0 || i < 100; ++i) {
        double begin = orrery_clock(), seconds = orrery_clock() - begin;
        if (seconds > 0 && (least == 0 || seconds < least))
            least = seconds;
    }
    return least;
}

void orrery_profile_begin(struct orrery_state *state, const struct orrery_blocks *blocks) {
    struct orrery_profile *profile = &state->profile;
    long count = blocks->rows * blocks->columns;
    if (!is_wanted())
        return;
    if (profile->clock == 0)
        profile->clock = clock_seconds();
    if (profile->blocks != count || profile->passes == 1) {
        double gap = profile->gap;
        long passes = profile->blocks == count ? profile->passes : 0;
        bool skewed = profile->skewed;
        blocks_start(profile, count);
        profile->skewed = skewed;
        profile->passes = passes;
        profile->gap = gap;
    }
    if (profile->ended > 0)
        profile->gap += orrery_clock() - profile->ended;
    orrery_profile_changes_count(state);
}

void orrery_profile_end(struct orrery_state *state, long passes) {
    if (!is_wanted())
        return;
    state->profile.passes += passes;
    state->profile.skewed |= passes > 1;
    orrery_profile_changes_look(state);
    state->profile.ended = orrery_clock();
}

void orrery_profile_block(const struct orrery_region *region, const struct orrery_block *block,
                          double seconds, long iterations) {
    struct orrery_profile *profile = &((struct orrery_state *)region->loop->state)->profile;
    if (!is_wanted())
        return;
    long at = block->row * region->blocks.columns + block->column;
    struct orrery_profile_part *part = &profile->parts[at];
    part->seconds += seconds > profile->clock ? seconds - profile->clock : 0;
    part->iterations += block->end - block->begin;
    if (part->iterations < iterations)
        return;
    profile->samples[at * ORRERY_SAMPLES + profile->counts[at]++ % ORRERY_SAMPLES] =
        (float)part->seconds;
    profile->iterations[at] = iterations;
    *part = (struct orrery_profile_part){0};
}

void orrery_profile_merges(const struct orrery_region *region, double phases, double merges) {
    struct orrery_profile *profile = &((struct orrery_state *)region->loop->state)->profile;
    if (!is_wanted())
        return;
    profile->merge_seconds[profile->merged % ORRERY_SAMPLES] = (float)merges;
    profile->phase_seconds[profile->merged++ % ORRERY_SAMPLES] = (float)phases;
    profile->merges = region->merge->phases;
    profile->merge_sent = (double)region->merge->sent;
    profile->merge_back = (double)region->merge->back;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Of the last of `count` passes: what is measured of passes is their median, too. */
static double median_of(const float *samples, long count) {
    return orrery_median(samples, (uint64_t)count, ORRERY_SAMPLES);
}

static double block_seconds(const struct orrery_profile *profile, long block) {
    return median_of(profile->samples + block * ORRERY_SAMPLES, profile->counts[block]);
}

static const char *placement_of(const struct orrery_array *array) {
    static const char *const names[] = {
        [ORRERY_RESIDENT] = "resident",     [ORRERY_ROTATING] = "rotating",
        [ORRERY_REPLICATED] = "replicated", [ORRERY_UNPLACED] = "unplaced",
        [ORRERY_ALIGNED] = "aligned",       [ORRERY_BY_ITERATION] = "by-iteration"};
    return names[array->placement];
}

static uint64_t iterations_of(const struct orrery_state *state) {
    const struct orrery_loop_stats *stats = state->stats;
    return stats->passes ? stats->iterations / stats->passes : 0;
}

/* Of the regions behind the first one, the share that looked at the iterations anew. */
static double anew(const struct orrery_loop_stats *stats) {
    return stats->inspections > 1 && stats->regions > 1
               ? (double)(stats->inspections - 1) / (double)(stats->regions - 1)
               : 0;
}

static double bytes_of(const struct orrery_state *state, int a) {
    const struct orrery_array *array = &state->loop->arrays[a];
    const struct orrery_shape *shape = &state->shapes[a];
    if (!orrery_shape_exists(shape))
        return 0;
    if (array->placement == ORRERY_BY_ITERATION)
        return (double)orrery_row_bytes(shape) * (double)iterations_of(state);
    if (array->dim >= 0)
        return (double)orrery_row_bytes(shape) *
               (double)orrery_dim_range(&orrery_dims_of(state)[array->dim]);
    if (state->loop->strategy == ORRERY_WAVEFRONT)
        return (double)orrery_shape_extent(shape);
    return (double)orrery_row_bytes(shape);
}

/* As the inside of a JSON string. */
static void put_text(FILE *file, const char *text) {
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 32)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
}

static void put_arrays(FILE *file, const struct orrery_state *state) {
    fprintf(file, "     \"arrays\": [");
    for (int a = 0; a < state->loop->narrays; ++a) {
        fprintf(file, "%s\n      {\"name\": \"", a ? "," : "");
        put_text(file, state->loop->arrays[a].name);
        fprintf(file, "\", \"placement\": \"%s\", \"dim\": %d, \"bytes\": %.0f",
                placement_of(&state->loop->arrays[a]), state->loop->arrays[a].dim,
                bytes_of(state, a));
        orrery_profile_ranks(file, state, a, bytes_of(state, a));
        fprintf(file, "}");
    }
    fprintf(file, "],\n");
}

/* How many keys each dim of the grid has. */
static void put_keys(FILE *file, const struct orrery_state *state) {
    fprintf(file, "     \"keys\": [");
    for (int d = 0; d < state->loop->ndims; ++d)
        fprintf(file, "%s%ld", d ? ", " : "", orrery_dims_of(state)[d].distinct);
    fprintf(file, "],\n");
}

/* So many keys could occur in a dim, for each of which ranks have its place. */
static void put_ranges(FILE *file, const struct orrery_state *state) {
    fprintf(file, "     \"ranges\": [");
    for (int d = 0; d < state->loop->ndims; ++d)
        fprintf(file, "%s%ld", d ? ", " : "",
                state->inspection ? orrery_dim_range(&orrery_dims_of(state)[d]) : 0);
    fprintf(file, "],\n");
}

/* Of the dims of the grid, where keys or the loop variable cut it. */
static void put_parts(FILE *file, const struct orrery_state *state) {
    const struct orrery_blocks *blocks = &state->blocks;
    if (blocks->strategy == ORRERY_PIPELINE || blocks->strategy == ORRERY_LEVELS ||
        blocks->strategy == ORRERY_WAVEFRONT)
        return;
    fprintf(file, "     \"parts\": [");
    for (int d = 0; d < blocks->ndims; ++d)
        fprintf(file, "%s%ld", d ? ", " : "", blocks->parts[d]);
    fprintf(file, "],\n");
}

/* What the stages of a pipeline are assigned by. */
static void put_stages(FILE *file, const struct orrery_state *state) {
    if (state->blocks.strategy != ORRERY_PIPELINE)
        return;
    fprintf(file, "     \"stage_costs\": [");
    for (long row = 0; row < state->blocks.rows; ++row)
        fprintf(file, "%s%.6g", row ? ", " : "", state->loop->stage_costs[row]);
    fprintf(file, "],\n");
}

/* Bytes of part `part` of dim d that go along with its baton. */
static double part_bytes(const struct orrery_state *state, int d, long part) {
    const struct orrery_dim *dim = &orrery_dims_of(state)[d];
    long keys = 0, range = orrery_dim_range(dim);
    for (long i = 0; i < range && dim->part_of; ++i)
        keys += dim->part_of[i] == part;
    double bytes = 0;
    for (int a = 0; a < state->loop->narrays; ++a)
        if (state->loop->arrays[a].dim == d && orrery_shape_exists(&state->shapes[a]))
            bytes += (double)orrery_row_bytes(&state->shapes[a]) * (double)keys;
    return bytes;
}

/* A message each, when ranks hand the baton over. */
static int arrays_along(const struct orrery_state *state, int d) {
    int n = 0;
    for (int a = 0; a < state->loop->narrays; ++a)
        n += state->loop->arrays[a].dim == d && orrery_shape_exists(&state->shapes[a]);
    return n;
}

static void put_messages(FILE *file, const struct orrery_state *state) {
    const struct orrery_blocks *blocks = &state->blocks;
    bool first = true;
    fprintf(file, "     \"baton_messages\": [");
    for (int d = 0; d < blocks->ndims && blocks->strategy != ORRERY_PIPELINE; ++d)
        for (long part = 0; blocks->first[d] >= 0 && part < blocks->parts[d]; ++part) {
            fprintf(file, "%s%d", first ? "" : ", ", arrays_along(state, d));
            first = false;
        }
    fprintf(file, "],\n");
}

static void put_batons(FILE *file, const struct orrery_state *state) {
    const struct orrery_blocks *blocks = &state->blocks;
    bool first = true;
    fprintf(file, "     \"batons\": [");
    for (long baton = 0; blocks->strategy == ORRERY_PIPELINE && baton < blocks->batons; ++baton)
        fprintf(file, "%s%.0f", baton ? ", " : "",
                (double)state->profile.iterations[0] * (double)state->loop->slot_size);
    if (blocks->strategy == ORRERY_PIPELINE) {
        fprintf(file, "],\n");
        return;
    }
    for (int d = 0; d < blocks->ndims; ++d)
        for (long part = 0; blocks->first[d] >= 0 && part < blocks->parts[d]; ++part) {
            fprintf(file, "%s%.0f", first ? "" : ", ", part_bytes(state, d, part));
            first = false;
        }
    fprintf(file, "],\n");
}

/* A number of JSON has 53 bits. */
static void put_needs(FILE *file, uint64_t needs) {
    fprintf(file, ", %lu, %lu", (unsigned long)(needs & UINT32_MAX), (unsigned long)(needs >> 32));
}

/* One line per clock: [row, seconds, iterations, batons...]; of levels the rows that the block
 * needs instead, as the two halves of a set. */
static void put_steps(FILE *file, const struct orrery_state *state) {
    const struct orrery_blocks *blocks = &state->blocks;
    const struct orrery_profile *profile = &state->profile;
    bool first = true;
    fprintf(file, "     \"steps\": [");
    for (long clock = 0; clock < blocks->clocks; ++clock) {
        for (long row = 0; row < blocks->rows; ++row) {
            long column = orrery_column_at(blocks, row, clock), batons[ORRERY_KEYS];
            if (column < 0)
                continue;
            long block = row * blocks->columns + column;
            fprintf(file, "%s%s[%ld, %.4g, %.0f", first ? "" : ",", row ? " " : "\n      ", row,
                    block_seconds(profile, block), (double)profile->iterations[block]);
            orrery_batons_of(blocks, row, column, batons);
            if (blocks->strategy == ORRERY_LEVELS)
                put_needs(file, state->inspection->levels->needs[block]);
            for (int i = 0; i < blocks->held; ++i)
                fprintf(file, ", %ld", batons[i]);
            fprintf(file, "]");
            first = false;
        }
    }
    fprintf(file, "]\n");
}

/* What every other rank tells rank 0 at a region's end. */
static int folds_of(const struct orrery_loop *loop) {
    int n = 0;
    for (int j = 0; j < loop->nreductions; ++j)
        n += orrery_is_folded(&loop->reductions[j]);
    return n;
}

/* [ranks, bytes between them in a pass, bytes of one, bytes of a copy of its largest chunk]. */
static void put_served(FILE *file, const struct orrery_profile *profile) {
    for (int k = 0; k < profile->nserved; ++k)
        fprintf(file, "%s[%d, %.0f, %.0f, %.0f]", k ? ", " : "     \"served\": [",
                profile->served[k].ranks, profile->served[k].moved, profile->served[k].rank_bytes,
                profile->served[k].chunk_bytes);
    if (profile->nserved)
        fprintf(file, "],\n");
}

static void put_loop(FILE *file, const struct orrery_state *state) {
    const struct orrery_loop_stats *stats = state->stats;
    const struct orrery_profile *profile = &state->profile;
    double passes = profile->passes > 1 ? (double)(profile->passes - 1) : 1;
    fprintf(file, "    {\"loop\": \"");
    put_text(file, state->where);
    fprintf(
        file,
        "\", \"strategy\": \"%s\", \"rows\": %ld, \"columns\": %ld,\n"
        "     \"passes\": %ld, \"visits\": %ld, \"start_seconds\": %.3g, \"gap_seconds\": %.4g,\n"
        "     \"inspect_seconds\": %.4g, \"record_bytes\": %zu, \"copies_bytes\": %zu,\n"
        "     \"seconds_per_pass\": %.6g, \"skewed\": %s, \"local_bytes\": %.0f,\n"
        "     \"folds\": %d, \"inspected_anew\": %.3g, \"pack_seconds\": %.4g,\n",
        orrery_strategy_of(state->loop), stats->blocks.rows, stats->blocks.columns, profile->passes,
        stats->blocks.visits, orrery_median(stats->starts, stats->regions, ORRERY_STARTS),
        profile->passes > 1 ? profile->gap / passes : 0, stats->inspect_seconds,
        stats->packed_bytes, stats->copies_bytes,
        stats->passes ? (stats->seconds - stats->inspect_seconds) / (double)stats->passes : 0,
        profile->skewed ? "true" : "false", orrery_local_bytes(state), folds_of(state->loop),
        anew(stats), stats->inspections ? stats->pack_seconds / (double)stats->inspections : 0);
    if (profile->merges)
        fprintf(file,
                "     \"merges\": %ld, \"merge_seconds\": %.4g, \"phase_seconds\": %.4g,\n"
                "     \"merge_sent_bytes\": %.0f, \"merge_back_bytes\": %.0f,\n",
                profile->merges, median_of(profile->merge_seconds, profile->merged),
                median_of(profile->phase_seconds, profile->merged), profile->merge_sent,
                profile->merge_back);
    if (profile->written > 0)
        fprintf(file, "     \"told_bytes\": %.0f, \"written_bytes\": %.0f,\n", profile->told,
                profile->written);
    put_served(file, profile);
    put_arrays(file, state);
    put_keys(file, state);
    put_ranges(file, state);
    put_parts(file, state);
    put_stages(file, state);
    put_batons(file, state);
    put_messages(file, state);
    orrery_profile_rows(file, state);
    put_steps(file, state);
    fprintf(file, "    }");
}

void orrery_profile_write(void) {
    if (!is_wanted())
        return;
    if (dsm_ranks() > 1)
        dsm_fail(2, "ORRERY_PROFILE is written by one rank: start the program without a launcher");
    FILE *file = fopen(orrery_env()->profile, "w");
    if (!file)
        dsm_fail(1, "cannot write the profile %s: %s", orrery_env()->profile, strerror(errno));
    bool first = true;
    fprintf(file, "{\"schema\": \"orrery-profile/1\", \"threads\": %d,\n  \"loops\": [\n",
            orrery_workers_count());
    for (const struct orrery_state *state = orrery_states(); state; state = state->next) {
        if (state->profile.passes == 0)
            continue;
        fprintf(file, "%s", first ? "" : ",\n");
        put_loop(file, state);
        first = false;
    }
    fprintf(file, "\n  ]}\n");
    if (fclose(file))
        dsm_fail(1, "cannot write the profile %s: %s", orrery_env()->profile, strerror(errno));
}
