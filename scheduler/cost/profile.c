/* Profiles, orrery-profile/1, as runtime/profile.c writes them; and the same work on another grid.
 */
#include "scheduler/cost/cost.h"
#include "scheduler/cost/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 1 << 26 };

bool cost_loop_is_ordered(const struct cost_loop *loop) {
    return strcmp(loop->strategy, "ordered-rotation") == 0;
}

/* ---- reading ------------------------------------------------------------------------------------
 */

static void read_arrays(struct reader *reader, const json_t *from, const char *where,
                        struct cost_loop *loop) {
    const json_t *list = reader_list(reader, from, where, "arrays");
    loop->narrays = (int)json_array_size(list);
    loop->arrays = arena_alloc(reader->arena, ((size_t)loop->narrays + 1) * sizeof *loop->arrays);
    for (int i = 0; i < loop->narrays; ++i) {
        const json_t *array = json_array_get(list, (size_t)i);
        const char *place = arena_printf(reader->arena, "%s.arrays[%d]", where, i);
        loop->arrays[i] =
            (struct cost_array){.name = reader_text(reader, array, place, "name", NULL),
                                .placement = reader_text(reader, array, place, "placement", NULL),
                                .bytes = reader_number(reader, array, place, "bytes", 0, NAN)};
    }
}

static void read_batons(struct reader *reader, const json_t *from, const char *where,
                        struct cost_loop *loop) {
    const json_t *list = reader_list(reader, from, where, "batons");
    loop->nbatons = (long)json_array_size(list);
    loop->baton_bytes =
        arena_alloc(reader->arena, ((size_t)loop->nbatons + 1) * sizeof *loop->baton_bytes);
    for (long i = 0; i < loop->nbatons; ++i) {
        const json_t *bytes = json_array_get(list, (size_t)i);
        if (!json_is_number(bytes) || json_number_value(bytes) < 0)
            reader_complain(reader, arena_printf(reader->arena, "%s.batons[%ld]", where, i),
                            "not a number of bytes");
        loop->baton_bytes[i] = json_number_value(bytes);
    }
}

static bool read_step(struct reader *reader, const json_t *from, const struct cost_loop *loop,
                      struct cost_step *step) {
    size_t size = json_array_size(from);
    for (size_t i = 0; i < size; ++i)
        if (!json_is_number(json_array_get(from, i)))
            return false;
    if (size < 3)
        return false;
    step->row = (long)json_number_value(json_array_get(from, 0));
    step->seconds = json_number_value(json_array_get(from, 1));
    step->iterations = json_number_value(json_array_get(from, 2));
    step->nbatons = (int)size - 3;
    long *batons = arena_alloc(reader->arena, (size_t)(step->nbatons + 1) * sizeof *batons);
    for (int i = 0; i < step->nbatons; ++i) {
        batons[i] = (long)json_number_value(json_array_get(from, (size_t)i + 3));
        if (batons[i] < 0 || batons[i] >= loop->nbatons)
            return false;
    }
    step->batons = batons;
    return step->row >= 0 && step->row < loop->rows && step->seconds >= 0 &&
           isfinite(step->seconds);
}

static void read_steps(struct reader *reader, const json_t *from, const char *where,
                       struct cost_loop *loop) {
    const json_t *list = reader_list(reader, from, where, "steps");
    loop->nsteps = (long)json_array_size(list);
    loop->steps = arena_alloc(reader->arena, ((size_t)loop->nsteps + 1) * sizeof *loop->steps);
    for (long i = 0; i < loop->nsteps; ++i)
        if (!read_step(reader, json_array_get(list, (size_t)i), loop, &loop->steps[i]))
            reader_complain(reader, arena_printf(reader->arena, "%s.steps[%ld]", where, i),
                            "not [row, seconds, iterations, baton ...] of this loop's rows and "
                            "batons");
    if (loop->nsteps == 0)
        reader_complain(reader, arena_printf(reader->arena, "%s.steps", where), "empty");
}

static void read_loop(struct reader *reader, const json_t *from, const char *where,
                      struct cost_loop *loop) {
    *loop = (struct cost_loop){
        .name = reader_text(reader, from, where, "loop", NULL),
        .strategy = reader_text(reader, from, where, "strategy", NULL),
        .rows = (long)reader_number(reader, from, where, "rows", 1, NAN),
        .columns = (long)reader_number(reader, from, where, "columns", 1, NAN),
        .passes = (long)reader_number(reader, from, where, "passes", 1, NAN),
        .start = reader_number(reader, from, where, "start_seconds", 0, NAN),
        .gap = reader_number(reader, from, where, "gap_seconds", 0, NAN),
        .inspect = reader_number(reader, from, where, "inspect_seconds", 0, NAN),
        .record_bytes = reader_number(reader, from, where, "record_bytes", 0, NAN),
        .copies_bytes = reader_number(reader, from, where, "copies_bytes", 0, NAN),
        .measured = reader_number(reader, from, where, "seconds_per_pass", 0, NAN),
        .skewed = json_is_true(json_object_get(from, "skewed"))};
    read_arrays(reader, from, where, loop);
    read_batons(reader, from, where, loop);
    read_steps(reader, from, where, loop);
}

bool cost_profile_read(struct arena *arena, const char *path, struct cost_profile *profile,
                       const char **why) {
    struct reader reader = {.arena = arena};
    json_t *root = reader_open(&reader, path, "orrery-profile/1");
    *profile = (struct cost_profile){0};
    if (root) {
        const json_t *list = reader_list(&reader, root, "", "loops");
        long threads = (long)reader_number(&reader, root, "", "threads", 1, NAN);
        profile->nloops = (int)json_array_size(list);
        profile->loops = arena_alloc(arena, ((size_t)profile->nloops + 1) * sizeof *profile->loops);
        for (int i = 0; i < profile->nloops; ++i) {
            read_loop(&reader, json_array_get(list, (size_t)i), arena_printf(arena, "loops[%d]", i),
                      &profile->loops[i]);
            profile->loops[i].threads = threads;
        }
        if (!reader.why && profile->nloops == 0)
            reader_complain(&reader, "loops", "no parallel loop was run");
    }
    json_decref(root);
    *why = reader.why;
    return !reader.why;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool cost_is_place(const char *where, const char *file, long line) {
    const char *name = base_name(where), *wanted = base_name(file);
    size_t length = strlen(wanted);
    return strncmp(name, wanted, length) == 0 && name[length] == ':' &&
           strtol(name + length + 1, NULL, 10) == line;
}

const struct cost_loop *cost_profile_find(const struct cost_profile *profile, const char *file,
                                          long line) {
    for (int i = 0; profile && i < profile->nloops; ++i)
        if (cost_is_place(profile->loops[i].name, file, line))
            return &profile->loops[i];
    return NULL;
}

/* ---- another grid -------------------------------------------------------------------------------
 */

/*
 * Seconds in [0, x) x [0, y) of the unit square, the measured blocks being tiles of it: `sums` has
 * (rows + 1) x (columns + 1) corners.
 */
struct density {
    long rows, columns;
    double *sums;
};

static double corner(const struct density *density, double x, double y) {
    double row = x * (double)density->rows, column = y * (double)density->columns;
    long i = (long)fmin(row, (double)density->rows - 1),
         j = (long)fmin(column, (double)density->columns - 1);
    double u = row - (double)i, v = column - (double)j;
    const double *at = density->sums + i * (density->columns + 1) + j,
                 *below = at + density->columns + 1;
    return (1 - u) * ((1 - v) * at[0] + v * at[1]) + u * ((1 - v) * below[0] + v * below[1]);
}

static struct density density_of(struct arena *arena, const struct cost_loop *loop) {
    struct density density = {loop->rows, loop->columns, NULL};
    size_t corners = (size_t)(loop->rows + 1) * (size_t)(loop->columns + 1);
    density.sums = arena_alloc(arena, corners * sizeof *density.sums);
    memset(density.sums, 0, corners * sizeof *density.sums);
    for (long i = 0; i < loop->nsteps; ++i) {
        const struct cost_step *step = &loop->steps[i];
        long column = step->nbatons ? step->batons[0] : 0;
        density.sums[(step->row + 1) * (loop->columns + 1) + column + 1] += step->seconds;
    }
    for (long i = 1; i <= loop->rows; ++i)
        for (long j = 1; j <= loop->columns; ++j) {
            double *at = &density.sums[i * (loop->columns + 1) + j];
            at[0] += at[-1] + at[-loop->columns - 1] - at[-loop->columns - 2];
        }
    return density;
}

static double tile(const struct density *density, long row, long rows, long column, long columns) {
    double x0 = (double)row / (double)rows, x1 = (double)(row + 1) / (double)rows;
    double y0 = (double)column / (double)columns, y1 = (double)(column + 1) / (double)columns;
    double seconds = corner(density, x1, y1) - corner(density, x0, y1) - corner(density, x1, y0) +
                     corner(density, x0, y0);
    return seconds > 0 ? seconds : 0;
}

static bool has_two_dims(const struct cost_loop *loop) {
    if (loop->nbatons != 0 && loop->nbatons != loop->columns)
        return false;
    for (long i = 0; i < loop->nsteps; ++i)
        if (loop->steps[i].nbatons != (loop->nbatons ? 1 : 0) ||
            (loop->steps[i].nbatons && loop->steps[i].batons[0] >= loop->columns))
            return false;
    return loop->nbatons || loop->columns == 1;
}

bool cost_loop_recut(struct arena *arena, const struct cost_loop *loop, long rows, long columns,
                     struct cost_loop *made) {
    bool ordered = cost_loop_is_ordered(loop);
    if (loop->nbatons == 0)
        columns = 1;
    if (!has_two_dims(loop) || rows < 1 || columns < 1 || (columns > 1 && columns < rows) ||
        rows * columns > MOST_STEPS)
        return false;
    struct density density = density_of(arena, loop);
    *made = *loop;
    made->rows = rows;
    made->columns = columns;
    made->nbatons = loop->nbatons ? columns : 0;
    made->copies_bytes = loop->copies_bytes / (double)loop->rows * (double)rows;
    made->nsteps = 0;
    made->steps = arena_alloc(arena, (size_t)(rows * columns + 1) * sizeof *made->steps);
    made->baton_bytes = arena_alloc(arena, (size_t)(columns + 1) * sizeof *made->baton_bytes);
    long *batons = arena_alloc(arena, (size_t)(columns + 1) * sizeof *batons);
    double bytes = 0;
    for (long i = 0; i < loop->nbatons; ++i)
        bytes += loop->baton_bytes[i];
    for (long j = 0; j < columns; ++j) {
        batons[j] = j;
        made->baton_bytes[j] = bytes / (double)columns;
    }
    for (long clock = 0; clock < columns + (ordered ? rows - 1 : 0); ++clock)
        for (long row = 0; row < rows; ++row) {
            long column = ordered ? clock - row : (row + clock) % columns;
            if (column < 0 || column >= columns)
                continue;
            made->steps[made->nsteps++] =
                (struct cost_step){row, tile(&density, row, rows, column, columns),
                                   made->nbatons ? 1 : 0, &batons[column], 0};
        }
    return true;
}
