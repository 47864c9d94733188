/* From nests to text: which are tried, the run's check in front of each, its statements. */
#include "scheduler/transform/transform.h"

#include "scheduler/base/nesting.h"
#include "scheduler/transform/blocks.h"
#include "scheduler/transform/bound.h"
#include "scheduler/transform/front.h"
#include "scheduler/transform/order.h"
#include "scheduler/transform/profit.h"
#include "scheduler/transform/trial.h"

#include <stdlib.h>
#include <string.h>

/* What one nest may take of the analysis' time and memory (budget.h). */
static const struct budget most_of_nest = {4000000, 64L << 20};

/* ---- one nest's text ------------------------------------------------------------------------- */

static void write_statement(void *data, int statement, int nvalues, const char *const *values,
                            struct text *out) {
    struct writing *w = data;
    const struct nest_statement *s = &w->nest->statements[statement];
    struct text text;
    text_start(&text, w->nest->arena);
    write_tokens(w, &s->stmt->range, &text);
    text_print(out, "{ ");
    for (int i = 0; i < nvalues && i < s->nloops; ++i) {
        const struct variable *v = w->nest->loops[s->loops[i]].loop->variable;
        text_print(out, "const %s = (%s)%s; ", type_declare(w->nest->arena, v->type, v->name),
                   type_declare(w->nest->arena, v->type, ""), values[i]);
    }
    for (int i = 0; i < nvalues && i < s->nloops; ++i)
        text_print(out, "(void)%s; ", w->nest->loops[s->loops[i]].loop->variable->name);
    text_print(out, "%s} ", text.bytes);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static long nest_weight(const struct nest *nest) {
    long weight = 0;
    for (int i = 0; i < nest->nstatements; ++i)
        weight += nest->statements[i].naccesses;
    return weight;
}

/* `chosen`: the run says which way is taken. */
static bool write_nest(struct writing *w, struct order *order, bool chosen) {
    const struct order_print how = {write_statement, w};
    text_print(&w->out, "{ ");
    write_params(w);
    if (chosen) {
        blocks_write_begin(w, nest_weight(w->nest));
        write_total(w);
        blocks_write_choice(w);
    } else {
        write_check(w);
    }
    text_print(&w->out, "{ _Pragma(\"GCC diagnostic push\") "
                        "_Pragma(\"GCC diagnostic ignored \\\"-Wshadow\\\"\") ");
    if (!order_print(w->nest, order, &how, &w->out))
        return false;
    write_counter(w);
    text_print(&w->out, "_Pragma(\"GCC diagnostic pop\") } else ");
    return true;
}

/* ---- what is said of it ---------------------------------------------------------------------- */

/* "`j` innermost, in tiles of i 32, j 256": of the band of the last statement that has tiles. */
static const char *order_words(const struct nest *nest, const struct order *order) {
    const char *words = "";
    for (int b = 0; b < order->nbands; ++b) {
        const struct order_band *band = &order->bands[b];
        const struct order_choice *choice = &order->choices[b];
        const char *tiles = "";
        int statement = nest->nstatements - 1;
        while (statement > 0 && band->members[0].counts[statement] == ORDER_NONE)
            --statement;
        for (int m = 0; m < band->nmembers; ++m) {
            const int loop = band->members[m].counts[statement];
            if (choice->tile[m] > 0)
                tiles = arena_printf(nest->arena, "%s%s%s %d", tiles, *tiles ? ", " : "",
                                     nest->loops[loop].loop->variable->name, choice->tile[m]);
        }
        const int inner = band->members[choice->inner[band->nmembers - 1]].counts[statement];
        if (*tiles)
            words = arena_printf(nest->arena, "`%s` innermost, in tiles of %s",
                                 nest->loops[inner].loop->variable->name, tiles);
    }
    return words;
}

/* What the outermost loops that print count for the last statement. */
static const char *parallel_words(const struct nest *nest, const struct order *order) {
    const int statement = nest->nstatements - 1;
    const struct order_band *band = &order->bands[0];
    const struct order_choice *choice = &order->choices[0];
    for (int b = 0; b < order->nbands; ++b)
        if (order->bands[b].members[0].counts[statement] != ORDER_NONE) {
            band = &order->bands[b];
            choice = &order->choices[b];
        }
    const int last = choice->inner[band->nmembers - 1];
    const int first = choice->tile[last] > 0 ? last : choice->inner[0];
    const char *name = nest->loops[band->members[first].counts[statement]].loop->variable->name;
    return choice->tile[last] > 0
               ? arena_printf(
                     nest->arena,
                     "the nest runs in another order: strips of %d iterations of `%s` outermost",
                     choice->tile[last], name)
               : arena_printf(nest->arena, "the nest runs in another order: `%s` outermost", name);
}

static void plant(const struct trial *trial, struct nest *nest) {
    nest->forget = trial->planted->forget;
    nest->unproved = trial->planted->unproved;
}

static void free_order(void *order) {
    order_free(order);
}

/* Several threads can share the loops as they are. */
static bool is_shared(const struct trial *trial) {
    struct loop *loop = trial->loop;
    bool sums = trial_sums_in_order(trial);
    return trial_is_parallel_around(trial, sums ? loop->parent : loop);
}

/* For threads alone: one of them runs the user's nest, in which nothing runs in parallel, so the host
 * compiler has it as it was written. */
static void try_parallel(struct trial *trial, struct nest *nest, struct order *order) {
    struct writing w = trial_writing(trial, nest, LEAST_ITERATIONS);
    if (is_shared(trial) || !profit_choose_parallel(nest, order) || !write_nest(&w, order, true))
        return;
    trial->text = w.out.bytes;
    trial->end = blocks_end(nest);
    trial->alone = nest;
    trial->words = parallel_words(nest, order);
}

static void try_order(struct trial *trial, struct nest *nest, struct order *order) {
    struct writing w = trial_writing(trial, nest, LEAST_ITERATIONS);
    if (!profit_choose(nest, order)) {
        cuts_try(trial, nest);
        if (!trial->text)
            try_parallel(trial, nest, order);
    } else if (write_nest(&w, order, false)) {
        trial->text = w.out.bytes;
        trial->words = arena_printf(nest->arena, "the nest runs in another order: %s",
                                    order_words(nest, order));
    }
    trial->is_broken = order->is_broken;
}

static void try_nest(struct trial *trial) {
    struct nest *nest = nest_read(trial->unit, trial->loop);
    if (!nest || nest->why_not || nest_most_iterations(nest) < LEAST_ITERATIONS)
        return;
    nest->prefix = trial->prefix;
    plant(trial, nest);
    struct order *order = order_find(nest);
    if (!order) {
        cuts_try(trial, nest);
        return;
    }
    budget_remember(free_order, order);
    try_order(trial, nest, order);
    budget_forget(order);
    order_free(order);
}

static void try_line(struct trial *trial) {
    struct line *line = line_read(trial->unit, trial->loop, trial->prefix);
    bool sums = line && trial_sums_in_order(trial);
    struct loop *parallel = sums ? trial->loop->parent : trial->loop;
    if (!line || trial_is_parallel_around(trial, parallel))
        return;
    plant(trial, line->nest);
    if (!sums && line_sets_surely(line)) {
        blocks_try(trial, line);
        if (!trial->text)
            parts_try(trial, line);
        if (!trial->text)
            exact_try(trial, line);
    }
    if (!trial->text)
        split_try(trial, line);
}

static bool is_marked_around(const struct loop *loop) {
    for (; loop; loop = loop->around)
        if (loop->pragma)
            return true;
    return false;
}

/* It runs inside of a loop that was transformed. */
static bool is_inside(const struct unit *unit, const struct loop *loop, const bool *done,
                      int count) {
    for (const struct loop *up = loop->parent; up; up = up->parent)
        for (int i = 0; i < count; ++i)
            if (done[i] && unit->loops[i] == up)
                return true;
    return false;
}

/* A line's number in the text would be another one; a pragma may speak of the next loop. */
static bool knows_lines(const struct unit *unit) {
    const char *source = unit->files[unit->main_file].text;
    return token_uses(source, "__LINE__") || token_uses(source, "__COUNTER__") ||
           token_uses(source, "_Pragma");
}

struct attempt {
    struct trial *trial;
    void (*form)(struct trial *trial);
};

static void try(void *data) {
    const struct attempt *attempt = data;
    attempt->form(attempt->trial);
}

/* Of what fails nothing is left. */
static bool succeeds(struct trial *trial, void (*form)(struct trial *trial)) {
    const struct unit before = *trial->unit;
    const struct arena_mark mark = arena_mark(before.arena);
    struct attempt attempt = {trial, form};
    if (budget_try(before.arena, &most_of_nest, try, &attempt) && trial->text)
        return true;
    *trial->unit = before;
    arena_rewind(before.arena, mark);
    return false;
}

/* The rounds of a loop that the text tells, at most `most`. */
static long rounds_of(const struct loop *loop, long most) {
    long apart;
    bool known = loop->canonical && loop->step != 0 && !loop->stride && loop->lower &&
                 loop->upper && loop->lower->kind == EXPR_INT && loop->upper->kind == EXPR_INT &&
                 !__builtin_sub_overflow(loop->upper->int_value, loop->lower->int_value, &apart) &&
                 apart < most && apart > -most;
    return known ? labs(apart) + 1 : most;
}

/*
 * So few rounds, by the text, that no check of the run would let another order in: its text would
 * only be in the way of who reads the loop next.
 */
static bool is_short(const struct unit *unit, const struct loop *loop) {
    enum { FEW_ROUNDS = 64, MOST = 1000 };
    long rounds = rounds_of(loop, MOST);
    for (int i = 0; i < unit->nloops && rounds <= FEW_ROUNDS; ++i)
        if (nesting_in_text(unit->loops[i], loop) && unit->loops[i] != loop)
            rounds *= rounds_of(unit->loops[i], MOST);
    return rounds <= FEW_ROUNDS;
}

static bool is_transformed(struct trial *trial) {
    return !is_marked_around(trial->loop) && !is_short(trial->unit, trial->loop) &&
           (succeeds(trial, try_nest) || succeeds(trial, try_line) || succeeds(trial, stop_try) ||
            succeeds(trial, pack_try) || succeeds(trial, equal_try));
}

static void say(struct diag_list *said, const struct trial *trial) {
    struct diag *diag =
        diag_add(said, SEVERITY_REMARK, trial->message, trial->loop->header, "%s",
                 trial->text ? trial->words
                             : "the nest keeps its order: a dependence would not hold in the new "
                               "one");
    diag->loop = trial->loop;
}

static void write_edits(struct unit *unit, const struct trial *trial, struct text_edits *edits) {
    const struct range *range = &trial->loop->stmt->range;
    const char *end = trial->end ? trial->end : "";
    text_edit_add(edits, range->begin.offset, range->begin.offset, trial->text);
    for (int i = 0; trial->alone && i < trial->alone->nloops; ++i) {
        const struct range *loop = &trial->alone->loops[i].loop->stmt->range;
        text_edit_add(edits, loop->begin.offset, loop->begin.offset, "_Pragma(\"orrery serial\") ");
    }
    if (trial->leaves) {
        const struct range *leaves = &trial->leaves->range;
        text_edit_add(edits, leaves->begin.offset, leaves->begin.offset,
                      arena_printf(unit->arena, "{%s ", end));
        text_edit_add(edits, leaves->end.offset, leaves->end.offset, " }");
    }
    text_edit_add(edits, range->end.offset, range->end.offset,
                  arena_printf(unit->arena, "%s }", end));
}

const char *transform_text(struct unit *unit, const struct transform_planted *planted,
                           struct diag_list *said) {
    const struct source_file *file = &unit->files[unit->main_file];
    struct text_edits edits = {.arena = unit->arena};
    if (unit->openmp || unit->nloops == 0 || knows_lines(unit))
        return NULL;
    bool *done = arena_alloc(unit->arena, (size_t)unit->nloops + 1);
    signed char *parallel = arena_alloc(unit->arena, (size_t)unit->nloops + 1);
    const char *prefix = text_new_prefix(unit, "tile");
    for (int i = 0; i < unit->nloops; ++i) {
        struct trial trial = {.unit = unit,
                              .loop = unit->loops[i],
                              .prefix = prefix,
                              .planted = planted,
                              .parallel = parallel,
                              .message = ORR1701};
        if (is_inside(unit, trial.loop, done, i))
            continue;
        done[i] = is_transformed(&trial);
        if (done[i] || trial.is_broken)
            say(said, &trial);
        if (!done[i])
            continue;
        write_edits(unit, &trial, &edits);
    }
    struct text out;
    text_start(&out, unit->arena);
    if (edits.count == 0 || !text_edits_apply(&edits, file->text, 0, file->size, true, &out))
        return NULL;
    return out.bytes;
}
