/*
 * What panels of a wavefront need of each other, on rank 0: from the sections of the arrays that
 * their blocks read and write, as the emitted function says them.
 */
#define _GNU_SOURCE
#include "runtime/execute/panels.h"

#include "runtime/execute/panels_pending.h"

#include "dsm/dsm.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

/* Far beyond every position; intervals that a set may have. */
#define NOWHERE (LONG_MAX / 4)
enum { MOST_INTERVALS = 1 << 20 };

/* What a panel reads (what it may write among that), writes, and surely writes. `needs`: of what it
 * reads, what it has not surely written itself by then. */
struct sets {
    struct orrery_set reads, needs, writes, surely;
};

/* Sections on their way into sets. A NULL set is not wanted. */
struct build {
    /* what the loop's sections() calls; first, so that it leads back to this */
    struct orrery_sections sections;
    const struct orrery_state *state;   /* the loop's, with its arrays */
    const struct orrery_region *region; /* that the panels are for */
    const void *env;                    /* its environment */
    struct orrery_panels *panels;       /* what is filled in */
    /* where sections go: read, of that what was not written before, written, surely written */
    struct orrery_set *reads, *needs, *writes, *surely;
    bool looks;              /* places are not counted yet */
    int boxed;               /* the array whose box is being looked for */
    bool wide;               /* ... by what conditions may keep from being read, too */
    bool guesses;            /* nobody will run by it, so what is not known is left out */
    int sometimes;           /* an array that is written under a condition, -1: none */
    struct dsm_range *boxes; /* per array, its memory when only sections tell it */
};

static _Noreturn void outside(const struct orrery_state *state, int a) {
    const struct orrery_array *array = &state->loop->arrays[a];
    dsm_refuse(1,
               "%s: on several ranks the loop reaches %s (%s) outside of the memory that is known "
               "to be its own; allocate it with malloc or make it static, or run it on one rank "
               "[ORR2476]",
               state->where, array->name, array->where);
}

/* Of what is only read under a condition that sections do not know, what is there. */
static void take_some(struct build *build, const struct orrery_stretch *stretch,
                      struct orrery_set *set) {
    for (long i = 0; i < stretch->count; ++i) {
        struct orrery_stretch one = {stretch->first + i * stretch->step, 0, 1, stretch->size};
        orrery_places_take(&build->panels->places, &one, set);
    }
}

static bool is_sure(int how) {
    return how != ORRERY_MAYBE_READ && how != ORRERY_MAYBE_READ_BEHIND;
}

static bool is_behind(int how) {
    return how == ORRERY_READ_BEHIND || how == ORRERY_MAYBE_READ_BEHIND;
}

static void take(struct build *build, int a, const struct orrery_stretch *stretch, int how,
                 struct orrery_set *set) {
    if (!orrery_places_take(&build->panels->places, stretch, set) && !build->guesses) {
        if (is_sure(how) || build->boxes[a].high)
            outside(build->state, a);
        take_some(build, stretch, set);
    }
    if (set->count == set->room && set->loose)
        orrery_set_settle(set);
    if (set->count > MOST_INTERVALS)
        dsm_refuse(1,
                   "%s: what ranks would have to tell each other of this loop is in too many "
                   "pieces; run it on one rank (threads work) [ORR2477]",
                   build->state->where);
}

/* Before anything is put into sets. */
static void survey(struct build *build, int array, const struct orrery_stretch *stretch, int how) {
    const char *last = stretch->first + (stretch->count - 1) * stretch->step;
    const char *low = stretch->step < 0 ? last : stretch->first;
    const char *high = (stretch->step < 0 ? stretch->first : last) + stretch->size;
    struct dsm_range *box = &build->boxes[array];
    if (build->looks) {
        orrery_places_look(&build->panels->places, stretch);
    } else if (array == build->boxed && (build->wide || is_sure(how))) {
        box->low = low < box->low ? low : box->low;
        box->high = high > box->high ? high : box->high;
    }
}

/* Of memory whose size only sections tell it is not known what all of it is. */
static void section_all(struct orrery_sections *sections, int array, const char *address, int how) {
    struct build *build = (struct build *)sections;
    const struct orrery_piece *piece = orrery_places_find(&build->panels->places, address);
    struct orrery_set *sets[] = {build->reads, is_behind(how) ? NULL : build->needs};
    if (build->boxed >= 0 || build->looks || !address)
        return;
    if ((!piece || build->boxes[array].high) && !build->guesses)
        outside(build->state, array);
    for (int i = 0; i < 2; ++i)
        if (sets[i] && piece && !piece->constant)
            orrery_places_all(piece, sets[i]);
}

static void section(struct orrery_sections *sections, int array, const char *first, long step,
                    long count, unsigned long size, int how) {
    struct build *build = (struct build *)sections;
    struct orrery_stretch stretch = {first, step, count, (long)size};
    if (how == ORRERY_MAYBE_WRITTEN)
        build->sometimes = array;
    if (build->boxed >= 0 || build->looks) {
        survey(build, array, &stretch, how);
        return;
    }
    if (build->reads && how != ORRERY_WRITTEN)
        take(build, array, &stretch, how, build->reads);
    if (build->needs && how != ORRERY_WRITTEN && !is_behind(how))
        take(build, array, &stretch, how, build->needs);
    if (build->writes && (how == ORRERY_WRITTEN || how == ORRERY_MAYBE_WRITTEN))
        take(build, array, &stretch, how, build->writes);
    if (build->surely && how == ORRERY_WRITTEN)
        take(build, array, &stretch, how, build->surely);
}

static struct dsm_range table_of(const struct orrery_shape *shape) {
    char *base;
    size_t bytes;
    if (dsm_find(shape->table, &base, &bytes))
        return (struct dsm_range){base, base + bytes};
    return (struct dsm_range){(const char *)shape->table,
                              (const char *)orrery_table_entry(shape, shape->pieces)};
}

/* Rows in front of the table and behind it are those of accesses that never happen. */
static const char *row_of(const struct orrery_state *state, int array, long row) {
    const struct orrery_shape *shape = &state->shapes[array];
    const char *entry = (const char *)orrery_table_entry(shape, row);
    struct dsm_range table = {0};
    if (shape->table)
        table = table_of(shape);
    bool there = entry >= table.low && entry + sizeof(char *) <= table.high;
    return there ? *orrery_table_entry(shape, row) : NULL;
}

static const char *section_row(struct orrery_sections *sections, int array, long row) {
    return row_of(((struct build *)sections)->state, array, row);
}

static void section_part(struct orrery_sections *sections, long low, long high) {
    (void)sections;
    (void)low;
    (void)high;
}

static void sections_of(struct build *build, long begin, long end, long from, long to) {
    build->state->loop->sections(build->env, begin, end, from, to, &build->sections);
}

static long iteration_of(const struct orrery_region *region, long row) {
    return orrery_row_begin(region->cuts, region->count, row, region->blocks.rows);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Where the body can be handed another base, memory need not be the same on all ranks. */
static void piece_add(struct build *build, int a, const char *low, const char *high, bool rows) {
    const struct orrery_array *array = &build->state->loop->arrays[a];
    struct orrery_piece piece = {.low = (char *)low, .high = (char *)high, .group = a};
    piece.apart = !dsm_is_shared(low);
    piece.constant = !array->written && dsm_is_constant(low);
    if (piece.apart && (array->base_offset < 0 || rows) && !build->guesses)
        dsm_refuse(
            1,
            "%s: %s (%s) lies in memory that only rank 0 has, and its place cannot be changed "
            "for the loop; allocate it with malloc or make it static, or run it on one rank",
            build->state->where, array->name, array->where);
    orrery_places_add(&build->panels->places, piece);
}

/* Rows behind a table, and the table. */
static void table_add(struct build *build, int a) {
    struct dsm_range *rows, table = table_of(&build->state->shapes[a]);
    if (table.low >= table.high && !build->guesses)
        outside(build->state, a);
    long n = orrery_table_rows(&build->state->shapes[a], &rows);
    piece_add(build, a, table.low, table.high, false);
    for (long i = 0; i < n; ++i) {
        char *base;
        size_t bytes;
        bool found = rows[i].low && dsm_find(rows[i].low, &base, &bytes);
        if (!found && !build->guesses)
            outside(build->state, a);
        if (found)
            piece_add(build, a, base, base + bytes, true);
    }
    dsm_own_free(rows);
}

static void box_look(struct build *build, int a, bool wide) {
    build->boxes[a] = (struct dsm_range){(const char *)UINTPTR_MAX, NULL};
    build->boxed = a;
    build->wide = wide;
    sections_of(build, 0, build->region->count, -NOWHERE, NOWHERE);
    build->boxed = -1;
}

/* In use by a function that called us: all of it can be read. */
static bool is_on_stack(const struct dsm_range *range) {
    const char *here = __builtin_frame_address(0);
    pthread_attr_t attributes;
    void *low = NULL;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return false;
    pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_destroy(&attributes);
    return here <= range->low && range->high <= (char *)low + bytes;
}

/* Memory that nobody knows the size of: what surely is touched of it is there. */
static void box_add(struct build *build, int a) {
    struct dsm_range *box = &build->boxes[a];
    box_look(build, a, true);
    if (!is_on_stack(box))
        box_look(build, a, false);
    if (box->low >= box->high)
        return;
    const char *base = build->state->shapes[a].base;
    box->low = base < box->low ? base : box->low;
    box->high = base >= box->high ? base + 1 : box->high;
    piece_add(build, a, box->low, box->high, false);
}

static void array_add(struct build *build, int a) {
    const struct orrery_shape *shape = &build->state->shapes[a];
    char *base;
    size_t bytes;
    if (shape->table)
        table_add(build, a);
    else if (dsm_find(shape->base, &base, &bytes))
        piece_add(build, a, base, base + bytes, false);
    else if (shape->extent)
        piece_add(build, a, shape->base, shape->base + shape->extent, false);
    else
        box_add(build, a);
}

static void places_make(struct build *build) {
    const struct orrery_loop *loop = build->state->loop;
    struct orrery_places *places = &build->panels->places;
    for (int a = 0; a < loop->narrays; ++a)
        if (orrery_panels_have(loop, a) && orrery_shape_exists(&build->state->shapes[a]))
            array_add(build, a);
    orrery_places_settle(places);
    build->looks = true;
    for (long row = 0; row < build->region->blocks.rows; ++row)
        sections_of(build, iteration_of(build->region, row), iteration_of(build->region, row) + 1,
                    -NOWHERE, NOWHERE);
    build->looks = false;
    orrery_places_count(places);
}

/* The groups of places that the loop writes: all arrays that lie in them. */
static void groups_make(struct build *build) {
    struct orrery_panels *panels = build->panels;
    const struct orrery_state *state = build->state;
    panels->ngroups = state->loop->narrays;
    panels->dirty =
        memset(dsm_own_alloc((size_t)panels->ngroups + 1), 1, (size_t)panels->ngroups + 1);
    panels->written =
        memset(dsm_own_alloc((size_t)panels->ngroups + 1), 0, (size_t)panels->ngroups + 1);
    panels->watches = dsm_own_alloc((size_t)(panels->ngroups + 1) * sizeof *panels->watches);
    memset(panels->watches, 0, (size_t)(panels->ngroups + 1) * sizeof *panels->watches);
    for (int a = 0; a < state->loop->narrays; ++a) {
        const struct orrery_shape *shape = &state->shapes[a];
        if (!orrery_panels_have(state->loop, a) || !orrery_shape_exists(shape) ||
            !state->loop->arrays[a].written)
            continue;
        const char *at = shape->table          ? (const char *)shape->table
                         : build->boxes[a].low ? build->boxes[a].low
                                               : shape->base;
        const struct orrery_piece *piece = orrery_places_find(&panels->places, at);
        panels->written[piece ? piece->group : a] = 1;
    }
}

/* ---- who needs what -------------------------------------------------------------------------- */

static void join_copy(struct orrery_set *to, const struct orrery_set *from) {
    struct orrery_set copy;
    orrery_set_copy(&copy, from);
    orrery_set_join(to, &copy);
}

/* What is read behind the loop's writes comes from
 * elsewhere only where the panel surely writes nothing. */
static void needs_complete(struct sets *sets) {
    struct orrery_set others = orrery_set_without(&sets->reads, &sets->surely);
    orrery_set_join(&sets->needs, &others);
}

static struct sets *sets_make(struct build *build) {
    const struct orrery_panels *panels = build->panels;
    size_t bytes = (size_t)panels->npanels * sizeof(struct sets);
    struct sets *sets = memset(dsm_own_alloc(bytes), 0, bytes);
    for (int k = 0; k < panels->npanels; ++k) {
        build->reads = &sets[k].reads;
        build->needs = &sets[k].needs;
        build->writes = &sets[k].writes;
        build->surely = &sets[k].surely;
        sections_of(build, iteration_of(build->region, panels->cuts[k]),
                    iteration_of(build->region, panels->cuts[k + 1]), -NOWHERE, NOWHERE);
        orrery_set_settle(&sets[k].reads);
        orrery_set_settle(&sets[k].needs);
        orrery_set_settle(&sets[k].writes);
        orrery_set_settle(&sets[k].surely);
        needs_complete(&sets[k]);
    }
    build->reads = build->needs = build->writes = build->surely = NULL;
    return sets;
}

static void sets_free(struct sets *sets, int npanels) {
    for (int k = 0; k < npanels; ++k) {
        orrery_set_free(&sets[k].reads);
        orrery_set_free(&sets[k].needs);
        orrery_set_free(&sets[k].writes);
        orrery_set_free(&sets[k].surely);
    }
    dsm_own_free(sets);
}

/* A message of panel k to rank `to`; the rank that sends keeps it in `out`, the other in `in`. */
static void message_add(struct orrery_panels *panels, int k, long stretch, int to,
                        struct orrery_set set) {
    int n = panels->nout++;
    if ((n & (n - 1)) == 0)
        panels->out = dsm_own_realloc(panels->out, (size_t)(n ? 2 * n : 1) * sizeof *panels->out);
    panels->out[n] =
        (struct orrery_panel_message){.panel = k, .rank = to, .stretch = stretch, .set = set};
}

/* Iterations of the panel that write something of the set, as one range. */
static bool writers_of(struct build *build, int k, const struct orrery_set *of, long *begin,
                       long *end) {
    long first = iteration_of(build->region, build->panels->cuts[k]);
    long last = iteration_of(build->region, build->panels->cuts[k + 1]);
    *begin = last;
    *end = first;
    for (long i = first; i < last; ++i) {
        struct orrery_set writes = {0};
        build->writes = &writes;
        sections_of(build, i, i + 1, -NOWHERE, NOWHERE);
        orrery_set_settle(&writes);
        if (orrery_set_meets(&writes, of)) {
            *begin = i < *begin ? i : *begin;
            *end = i + 1;
        }
        orrery_set_free(&writes);
    }
    build->writes = NULL;
    return *begin < *end;
}

/*
 * A section has more than what iterations write where they have conditions, elements of other rows
 * perhaps. What a later panel has written at earlier positions no message may come over.
 */
static void order_check(struct build *build, int k, long below, const struct orrery_set *set) {
    struct orrery_set later = {0};
    if (build->sometimes < 0 || build->guesses || set->count == 0)
        return;
    build->writes = &later;
    sections_of(build, iteration_of(build->region, build->panels->cuts[k + 1]),
                build->region->count, -NOWHERE, below);
    orrery_set_settle(&later);
    const struct orrery_array *array = &build->state->loop->arrays[build->sometimes];
    if (orrery_set_meets(&later, set))
        dsm_refuse(1,
                   "%s: a wavefront cannot be divided among ranks when it is not known before it "
                   "runs which parts of %s (%s) it touches; run it on one rank (threads work) "
                   "[ORR2475]",
                   build->state->where, array->name, array->where);
    orrery_set_free(&later);
}

/* Each byte goes with the last stretch that writes it: from the last stretch to the first what is
 * left of every rank's. */
static void stretches_cut(struct build *build, int k, struct orrery_set *left) {
    struct orrery_panels *panels = build->panels;
    const struct orrery_wave *wave = &build->region->wave;
    long length = panels->pace * wave->width, begin, end;
    struct orrery_set all = {0};
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        join_copy(&all, &left[rank]);
    bool any = all.count > 0 && writers_of(build, k, &all, &begin, &end);
    orrery_set_free(&all);
    for (long s = panels->end[k] - 1; any && s >= panels->first[k]; --s) {
        struct orrery_set writes = {0}, sent = {0};
        build->writes = &writes;
        sections_of(build, begin, end, wave->low + s * length, wave->low + (s + 1) * length);
        orrery_set_settle(&writes);
        for (int rank = 0; rank < dsm_ranks(); ++rank) {
            struct orrery_set set = orrery_set_both(&writes, &left[rank]);
            if (set.count == 0)
                continue;
            orrery_set_remove(&left[rank], &set);
            join_copy(&sent, &set);
            message_add(panels, k, s, rank, set);
        }
        order_check(build, k, wave->low + s * length, &sent);
        orrery_set_free(&sent);
        orrery_set_free(&writes);
    }
    build->writes = NULL;
}

/* What panel k writes and later panels of other ranks read. */
static void messages_of(struct build *build, int k, const struct sets *sets) {
    struct orrery_panel_share *shares = build->panels->shares;
    struct orrery_set left[dsm_ranks()];
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        left[rank] = rank == orrery_panel_rank(k)
                         ? (struct orrery_set){0}
                         : orrery_set_both(&sets[k].writes, &shares[rank].needed);
    stretches_cut(build, k, left);
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        orrery_set_free(&left[rank]);
}

/* Sections are more than what iterations do where they have conditions. */
static void apart_check(const struct build *build, const struct sets *sets) {
    struct orrery_set before = {0};
    bool meet = false;
    for (int k = 0; k < build->panels->npanels; ++k) {
        meet = meet || orrery_set_meets(&before, &sets[k].writes);
        join_copy(&before, &sets[k].writes);
    }
    orrery_set_free(&before);
    if (meet)
        dsm_refuse(1,
                   "%s: it is not known before the loop runs which of two ranks writes an element "
                   "that both may write, so it cannot be divided among ranks; run it on one rank "
                   "(threads work) [ORR2478]",
                   build->state->where);
}

/* From the last panel to the first:
 * `needed` is what a rank's later panels need of this one and those before it. */
static void needs_find(struct build *build, const struct sets *sets) {
    struct orrery_panels *panels = build->panels;
    struct orrery_set later = {0};
    for (int k = panels->npanels - 1; k >= 0; --k) {
        struct orrery_panel_share *mine = &panels->shares[orrery_panel_rank(k)];
        if (!orrery_panels_apart(build->state->loop))
            messages_of(build, k, sets);
        struct orrery_set last = orrery_set_without(&sets[k].writes, &later);
        orrery_set_join(&mine->final, &last);
        join_copy(&later, &sets[k].writes);
        for (int rank = 0; rank < dsm_ranks() && !orrery_panels_apart(build->state->loop); ++rank)
            orrery_set_remove(&panels->shares[rank].needed, &sets[k].surely);
        join_copy(&mine->needed, &sets[k].needs);
        join_copy(&mine->touched, &sets[k].reads);
        join_copy(&mine->touched, &sets[k].writes);
    }
    orrery_set_free(&later);
}

/* A rank has what it wrote last itself, and what nobody wrote. */
static void refreshed_find(struct orrery_panels *panels) {
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        for (int other = 0; other < dsm_ranks(); ++other) {
            if (other == rank)
                continue;
            struct orrery_set both =
                orrery_set_both(&panels->shares[rank].needed, &panels->shares[other].final);
            orrery_set_join(&panels->shares[rank].refreshed, &both);
        }
}

static void tables_need(struct build *build) {
    const struct orrery_state *state = build->state;
    for (int a = 0; a < state->loop->narrays; ++a) {
        const struct orrery_shape *shape = &state->shapes[a];
        if (!orrery_panels_have(state->loop, a) || !shape->table)
            continue;
        const struct orrery_piece *piece =
            orrery_places_find(&build->panels->places, (const char *)shape->table);
        for (int rank = 0; rank < dsm_ranks(); ++rank) {
            struct orrery_set table = {0};
            orrery_set_add(&table, piece->origin, piece->origin + (piece->high - piece->low));
            join_copy(&build->panels->shares[rank].touched, &table);
            orrery_set_join(&build->panels->shares[rank].needed, &table);
        }
    }
}

/* ---- what all of it was made of: the numbers that the first and the last iteration say ------- */

struct print {
    struct orrery_sections sections;
    const struct orrery_state *state;
    long count, room, *numbers;
};

static void print_number(struct print *print, long number) {
    if (print->count == print->room) {
        print->room = print->room ? 2 * print->room : 64;
        print->numbers = dsm_own_realloc(print->numbers, (size_t)print->room * sizeof number);
    }
    print->numbers[print->count++] = number;
}

static void print_section(struct orrery_sections *sections, int array, const char *first, long step,
                          long count, unsigned long size, int how) {
    struct print *print = (struct print *)sections;
    const long numbers[] = {array, (long)(uintptr_t)first, step, count, (long)size, how};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        print_number(print, numbers[i]);
}

static const char *print_row(struct orrery_sections *sections, int array, long row) {
    return row_of(((struct print *)sections)->state, array, row);
}

static void print_part(struct orrery_sections *sections, long low, long high) {
    print_number((struct print *)sections, low);
    print_number((struct print *)sections, high);
}

/* A number that no other print has. */
static void print_bent(struct orrery_sections *sections) {
    static long bends;
    print_number((struct print *)sections, ++bends);
}

static void print_all(struct orrery_sections *sections, int array, const char *address, int how) {
    print_section(sections, array, address, 0, 0, 0, how);
}

static struct print print_of(const struct orrery_state *state, long count, const void *env) {
    struct print print = {.sections = {print_section, print_row, print_part, print_bent, print_all},
                          .state = state};
    state->loop->sections(env, 0, 1, -NOWHERE, NOWHERE, &print.sections);
    state->loop->sections(env, count - 1, count, -NOWHERE, NOWHERE, &print.sections);
    return print;
}

bool orrery_panels_hold(const struct orrery_panels *panels, const struct orrery_state *state,
                        const struct orrery_region *region, const void *env) {
    if (!panels || panels->wave.low != region->wave.low || panels->wave.width != region->wave.width)
        return false;
    struct print print = print_of(state, region->count, env);
    bool same = print.count == panels->nprint &&
                memcmp(print.numbers, panels->print, (size_t)print.count * sizeof(long)) == 0;
    dsm_own_free(print.numbers);
    return same;
}

static void section_bent(struct orrery_sections *sections) {
    (void)sections;
}

static struct build build_of(const struct orrery_state *state, const void *env,
                             const struct orrery_region *region, struct orrery_panels *panels) {
    size_t boxes = (size_t)(state->loop->narrays + 1) * sizeof(struct dsm_range);
    return (struct build){
        .sections = {section, section_row, section_part, section_bent, section_all},
        .state = state,
        .region = region,
        .env = env,
        .panels = panels,
        .boxed = -1,
        .sometimes = -1,
        .boxes = memset(dsm_own_alloc(boxes), 0, boxes)};
}

struct orrery_panels *orrery_panels_make(const struct orrery_state *state, const void *env,
                                         const struct orrery_region *region) {
    struct orrery_panels *panels = memset(dsm_own_alloc(sizeof *panels), 0, sizeof *panels);
    struct orrery_region here = *region;
    here.loop = state->loop;
    here.envs = env;
    struct build build = build_of(state, env, &here, panels);
    size_t shares = (size_t)dsm_ranks() * sizeof *panels->shares;
    panels->state = state;
    panels->wave = region->wave;
    panels->shares = memset(dsm_own_alloc(shares), 0, shares);
    struct print print = print_of(state, region->count, env);
    panels->nprint = print.count;
    panels->print = print.numbers;
    orrery_panels_cut(panels, &here);
    places_make(&build);
    groups_make(&build);
    struct sets *sets = sets_make(&build);
    if (orrery_panels_apart(state->loop))
        apart_check(&build, sets);
    needs_find(&build, sets);
    refreshed_find(panels);
    tables_need(&build);
    orrery_panels_defer_plan(panels);
    sets_free(sets, panels->npanels);
    dsm_own_free(build.boxes);
    return panels;
}

void orrery_panels_measure(const struct orrery_state *state, const void *env,
                           const struct orrery_region *region, double *told, double *written) {
    struct orrery_panels panels = {.npanels = 2};
    long cuts[] = {0, region->blocks.rows / 2, region->blocks.rows};
    struct orrery_region here = *region;
    here.loop = state->loop;
    here.envs = env;
    struct build build = build_of(state, env, &here, &panels);
    panels.cuts = cuts;
    build.guesses = true;
    places_make(&build);
    struct sets *sets = sets_make(&build);
    struct orrery_set both = orrery_set_both(&sets[0].writes, &sets[1].needs);
    *told = (double)orrery_set_size(&both);
    orrery_set_free(&both);
    orrery_set_join(&sets[0].writes, &sets[1].writes);
    *written = (double)orrery_set_size(&sets[0].writes);
    sets_free(sets, panels.npanels);
    orrery_places_free(&panels.places);
    dsm_own_free(build.boxes);
}
