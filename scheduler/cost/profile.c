/* Profiles, orrery-profile/1, as runtime/report/profile.c writes them. */
#include "runtime/schedule/share.h"
#include "scheduler/cost/machine.h"
#include "scheduler/cost/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cost_loop_is_levels(const struct cost_loop *loop) {
    return strategy_executor(loop->strategy) == ORRERY_LEVELS;
}

bool cost_loop_is_pipe(const struct cost_loop *loop) {
    return strategy_executor(loop->strategy) == ORRERY_PIPELINE;
}

bool cost_loop_is_wave(const struct cost_loop *loop) {
    return strategy_executor(loop->strategy) == ORRERY_WAVEFRONT;
}

double cost_loop_seconds(const struct cost_loop *loop) {
    double seconds = 0;
    for (long i = 0; i < loop->nsteps; ++i)
        seconds += loop->steps[i].seconds;
    return seconds;
}

double cost_loop_iterations(const struct cost_loop *loop) {
    double count = 0;
    for (long i = 0; i < loop->nsteps; ++i)
        count += loop->steps[i].iterations;
    return count;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Number `at` of a list, `least` or more; else it is `wrong`. */
static double number_at(struct reader *reader, const json_t *list, long at, const char *where,
                        const char *name, double least, const char *wrong) {
    const json_t *value = json_array_get(list, (size_t)at);
    if (!json_is_number(value) || !(json_number_value(value) >= least))
        reader_complain(reader, arena_printf(reader->arena, "%s.%s[%ld]", where, name, at), wrong);
    return json_number_value(value);
}

static void read_arrays(struct reader *reader, const json_t *from, const char *where,
                        struct cost_loop *loop) {
    const json_t *list = reader_list(reader, from, where, "arrays");
    loop->narrays = (int)json_array_size(list);
    loop->arrays = arena_alloc(reader->arena, ((size_t)loop->narrays + 1) * sizeof *loop->arrays);
    for (int i = 0; i < loop->narrays; ++i) {
        const json_t *array = json_array_get(list, (size_t)i);
        const char *place = arena_printf(reader->arena, "%s.arrays[%d]", where, i);
        const char *placement = reader_text(reader, array, place, "placement", NULL);
        loop->arrays[i] = (struct cost_array){
            .name = reader_text(reader, array, place, "name", NULL),
            .parted = strcmp(placement, "resident") == 0 || strcmp(placement, "rotating") == 0,
            .unplaced = strcmp(placement, "unplaced") == 0,
            .bytes = reader_number(reader, array, place, "bytes", 0, NAN),
            .home = reader_number(reader, array, place, "home_bytes", 0, 0),
            .changed = reader_number(reader, array, place, "changed_bytes", 0, 0),
            .dim = (int)reader_number(reader, array, place, "dim", -1, -1),
            .shared = json_is_true(json_object_get(array, "shared")),
            .written = json_is_true(json_object_get(array, "written"))};
    }
}

/* Profiles of before have none. */
static void read_keys(struct reader *reader, const json_t *from, const char *where,
                      const char *name, double numbers[COST_DIMS]) {
    const json_t *list = json_object_get(from, name);
    for (int d = 0; d < COST_DIMS && d < (int)json_array_size(list); ++d)
        numbers[d] = number_at(reader, list, d, where, name, 0, "not a number of keys");
}

static void read_batons(struct reader *reader, const json_t *from, const char *where,
                        struct cost_loop *loop) {
    const json_t *list = reader_list(reader, from, where, "batons");
    loop->nbatons = (long)json_array_size(list);
    loop->baton_bytes =
        arena_alloc(reader->arena, ((size_t)loop->nbatons + 1) * sizeof *loop->baton_bytes);
    for (long i = 0; i < loop->nbatons; ++i)
        loop->baton_bytes[i] =
            number_at(reader, list, i, where, "batons", 0, "not a number of bytes");
}

/* One each where the profile does not say, or says it of other batons. */
static void read_messages(struct reader *reader, const json_t *from, const char *where,
                          struct cost_loop *loop) {
    const json_t *list = json_object_get(from, "baton_messages");
    size_t count = json_array_size(list), n = (size_t)loop->nbatons + 1;
    loop->baton_messages = arena_alloc(reader->arena, n * sizeof *loop->baton_messages);
    for (long i = 0; i < loop->nbatons; ++i)
        loop->baton_messages[i] = count ? number_at(reader, list, i, where, "baton_messages", 0,
                                                    "not a number of messages")
                                        : 1;
}

static struct cost_touch read_touch(struct reader *reader, const json_t *set, const char *where) {
    struct cost_touch touch = {0, 0};
    double numbers[3] = {0};
    for (size_t i = 0; i < 3; ++i) {
        const json_t *number = json_array_get(set, i);
        numbers[i] = json_number_value(number);
        if (!json_is_number(number) || !(numbers[i] >= 0) || numbers[i] > UINT32_MAX)
            reader_complain(reader, where, "not a set of rows and its keys");
    }
    touch.rows = (uint64_t)numbers[0] | (uint64_t)numbers[1] << 32;
    touch.count = numbers[2];
    return touch;
}

/* Which rows of the grid touch the rows of each baton. Absent: not known. */
static void read_touched(struct reader *reader, const json_t *from, const char *where,
                         struct cost_loop *loop) {
    const json_t *list = json_object_get(from, "touched");
    size_t n = (size_t)loop->nbatons + 1;
    if (!list)
        return;
    if (json_array_size(list) != (size_t)loop->nbatons) {
        reader_complain(reader, arena_printf(reader->arena, "%s.touched", where),
                        "not a list per baton");
        return;
    }
    loop->touched = arena_alloc(reader->arena, n * sizeof *loop->touched);
    loop->ntouched = arena_alloc(reader->arena, n * sizeof *loop->ntouched);
    for (long b = 0; b < loop->nbatons; ++b) {
        const json_t *sets = json_array_get(list, (size_t)b);
        const char *place = arena_printf(reader->arena, "%s.touched[%ld]", where, b);
        loop->ntouched[b] = (long)json_array_size(sets);
        loop->touched[b] =
            arena_alloc(reader->arena, (size_t)(loop->ntouched[b] + 1) * sizeof **loop->touched);
        for (long i = 0; i < loop->ntouched[b]; ++i)
            loop->touched[b][i] = read_touch(reader, json_array_get(sets, (size_t)i), place);
    }
}

static void read_served(struct reader *reader, const json_t *from, const char *where,
                        struct cost_loop *loop) {
    const json_t *list = json_object_get(from, "served");
    loop->nserved = (int)json_array_size(list);
    loop->served = arena_alloc(reader->arena, ((size_t)loop->nserved + 1) * sizeof *loop->served);
    for (int i = 0; i < loop->nserved; ++i) {
        const json_t *one = json_array_get(list, (size_t)i);
        double numbers[4];
        for (size_t k = 0; k < 4; ++k) {
            numbers[k] = json_number_value(json_array_get(one, k));
            if (!json_is_number(json_array_get(one, k)) || !(numbers[k] >= 0))
                reader_complain(reader, arena_printf(reader->arena, "%s.served[%d]", where, i),
                                "not four numbers");
        }
        loop->served[i] = (struct cost_served){numbers[0], numbers[1], numbers[2], numbers[3]};
        if (numbers[0] < 2 || (i && numbers[0] <= loop->served[i - 1].ranks))
            reader_complain(reader, arena_printf(reader->arena, "%s.served[%d]", where, i),
                            "numbers of ranks do not rise from 2");
    }
}

/* Profiles of before have none: a grid of rows and columns, or of rows only. */
static void read_parts(struct reader *reader, const json_t *from, const char *where,
                       struct cost_loop *loop) {
    const json_t *list = json_object_get(from, "parts");
    loop->ndims = list ? (int)json_array_size(list) : loop->nbatons ? 2 : 1;
    loop->parts[0] = loop->rows;
    loop->parts[1] = loop->columns;
    if (loop->ndims > COST_DIMS)
        reader_complain(reader, arena_printf(reader->arena, "%s.parts", where), "too many dims");
    for (int d = 0; list && d < loop->ndims && d < COST_DIMS; ++d) {
        const json_t *parts = json_array_get(list, (size_t)d);
        loop->parts[d] = (long)json_number_value(parts);
        if (!json_is_number(parts) || loop->parts[d] < 1 || loop->parts[d] > 1L << 20)
            reader_complain(reader, arena_printf(reader->arena, "%s.parts[%d]", where, d),
                            "not a number of parts");
    }
}

/* A number each, or there are none. */
static void read_costs(struct reader *reader, const json_t *from, const char *where,
                       struct cost_loop *loop) {
    const json_t *list = json_object_get(from, "stage_costs");
    if (!list)
        return;
    loop->row_costs = arena_alloc(reader->arena, (size_t)loop->rows * sizeof *loop->row_costs);
    for (long i = 0; i < loop->rows; ++i) {
        const json_t *cost = json_array_get(list, (size_t)i);
        loop->row_costs[i] = json_number_value(cost);
        if (!json_is_number(cost) || loop->row_costs[i] <= 0)
            reader_complain(reader, arena_printf(reader->arena, "%s.stage_costs[%ld]", where, i),
                            "not what a stage costs");
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
    if (cost_loop_is_levels(loop)) {
        if (size != 5)
            return false;
        step->needs = (uint64_t)json_number_value(json_array_get(from, 3)) |
                      (uint64_t)json_number_value(json_array_get(from, 4)) << 32;
        size = 3;
    }
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
    if ((cost_loop_is_levels(loop) || cost_loop_is_wave(loop)) &&
        loop->nsteps != loop->rows * loop->columns)
        reader_complain(reader, arena_printf(reader->arena, "%s.steps", where),
                        "not all blocks of the grid");
    if (loop->nsteps == 0)
        reader_complain(reader, arena_printf(reader->arena, "%s.steps", where), "empty");
}

static enum strategy read_strategy(struct reader *reader, const json_t *from, const char *where) {
    const char *name = reader_text(reader, from, where, "strategy", NULL);
    enum strategy strategy = STRATEGY_SERIAL;
    if (!strategy_find(name, &strategy))
        reader_complain(reader, arena_printf(reader->arena, "%s.strategy", where),
                        "not the name of a strategy");
    return strategy;
}

static void read_loop(struct reader *reader, const json_t *from, const char *where,
                      struct cost_loop *loop) {
    *loop = (struct cost_loop){
        .name = reader_text(reader, from, where, "loop", NULL),
        .strategy = read_strategy(reader, from, where),
        .rows = (long)reader_number(reader, from, where, "rows", 1, NAN),
        .columns = (long)reader_number(reader, from, where, "columns", 1, NAN),
        .passes = (long)reader_number(reader, from, where, "passes", 1, NAN),
        .visits = (long)reader_number(reader, from, where, "visits", 1, 1),
        .start = reader_number(reader, from, where, "start_seconds", 0, NAN),
        .gap = reader_number(reader, from, where, "gap_seconds", 0, NAN),
        .inspect = reader_number(reader, from, where, "inspect_seconds", 0, NAN),
        .record_bytes = reader_number(reader, from, where, "record_bytes", 0, NAN),
        .copies_bytes = reader_number(reader, from, where, "copies_bytes", 0, NAN),
        .local_bytes = reader_number(reader, from, where, "local_bytes", 0, 0),
        .anew = reader_number(reader, from, where, "inspected_anew", 0, 0),
        .pack = reader_number(reader, from, where, "pack_seconds", 0, 0),
        .folds = reader_number(reader, from, where, "folds", 0, 0),
        .merges = reader_number(reader, from, where, "merges", 0, 0),
        .merge_seconds = reader_number(reader, from, where, "merge_seconds", 0, 0),
        .phases = reader_number(reader, from, where, "phase_seconds", 0, 0),
        .merge_sent = reader_number(reader, from, where, "merge_sent_bytes", 0, 0),
        .merge_back = reader_number(reader, from, where, "merge_back_bytes", 0, 0),
        .told_bytes = reader_number(reader, from, where, "told_bytes", 0, 0),
        .written_bytes = reader_number(reader, from, where, "written_bytes", 0, 0),
        .measured = reader_number(reader, from, where, "seconds_per_pass", 0, NAN),
        .skewed = json_is_true(json_object_get(from, "skewed"))};
    read_arrays(reader, from, where, loop);
    read_keys(reader, from, where, "keys", loop->keys);
    read_keys(reader, from, where, "ranges", loop->ranges);
    read_batons(reader, from, where, loop);
    read_parts(reader, from, where, loop);
    read_costs(reader, from, where, loop);
    read_messages(reader, from, where, loop);
    read_touched(reader, from, where, loop);
    read_served(reader, from, where, loop);
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

/* ---- neighbours that are busy ---------------------------------------------------------------- */

static const struct cost_loop *loop_named(const struct cost_profile *profile, const char *name) {
    for (int i = 0; i < profile->nloops; ++i)
        if (strcmp(profile->loops[i].name, name) == 0)
            return &profile->loops[i];
    return NULL;
}

/* Seconds of the thread that has most to do. */
static double busiest(const struct cost_loop *loop) {
    double most = 0;
    for (long thread = 0; thread < loop->threads; ++thread) {
        long low = orrery_share(loop->rows, thread, loop->threads);
        long high = orrery_share(loop->rows, thread + 1, loop->threads);
        double seconds = 0;
        for (long i = 0; i < loop->nsteps; ++i)
            if (loop->steps[i].row >= low && loop->steps[i].row < high)
                seconds += loop->steps[i].seconds;
        most = seconds > most ? seconds : most;
    }
    return most;
}

/* What phases between merges took beyond the blocks of one thread: not always is it the same one
 * that is last. Where rows wait for batons the model has the waits. */
static double waits_of(const struct cost_loop *loop) {
    double waits = loop->nbatons || loop->phases <= 0 ? 0 : loop->phases - busiest(loop);
    return waits > 0 ? waits : 0;
}

static const char *crowd_loop(struct arena *arena, struct cost_loop *loop,
                              const struct cost_loop *busy) {
    if (busy->threads <= loop->threads)
        return arena_printf(arena, "it was taken with %ld threads, which is no more than %ld",
                            busy->threads, loop->threads);
    if (busy->strategy != loop->strategy || busy->rows != loop->rows ||
        busy->columns != loop->columns)
        return arena_printf(arena, "%s is %s on %ldx%ld there, and %s on %ldx%ld here", loop->name,
                            strategy_name(busy->strategy), busy->rows, busy->columns,
                            strategy_name(loop->strategy), loop->rows, loop->columns);
    loop->crowd = busy->threads;
    loop->crowded =
        cost_loop_seconds(loop) > 0 ? cost_loop_seconds(busy) / cost_loop_seconds(loop) : 1;
    loop->merge_crowded = busy->merge_seconds;
    loop->merge_waits = waits_of(busy);
    return NULL;
}

bool cost_profile_crowd(struct arena *arena, struct cost_profile *profile,
                        const struct cost_profile *busy, const char **why) {
    int found = 0;
    *why = NULL;
    for (int i = 0; i < profile->nloops && !*why; ++i) {
        const struct cost_loop *other = loop_named(busy, profile->loops[i].name);
        found += other != NULL;
        if (other)
            *why = crowd_loop(arena, &profile->loops[i], other);
    }
    if (!*why && found == 0)
        *why = "it has none of the loops";
    return !*why;
}
