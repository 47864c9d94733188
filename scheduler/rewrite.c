/*
 * Marked loops in other words: text -> text, one loop after the other. Each try reads the text that
 * the last one left, in a budget of its own, and is kept where the loop is better for it.
 */
#include "scheduler/base/walk.h"
#include "scheduler/compile.h"
#include "scheduler/outline/outline.h"
#include "scheduler/plan/plan.h"
#include "scheduler/transform/ahead.h"
#include "scheduler/transform/called.h"
#include "scheduler/transform/ends.h"
#include "scheduler/transform/expansion.h"
#include "scheduler/transform/handed.h"
#include "scheduler/transform/output.h"
#include "scheduler/transform/places.h"
#include "scheduler/transform/progress.h"
#include "scheduler/transform/records.h"
#include "scheduler/transform/rows_text.h"

#include <string.h>

/* A try of one loop. */
struct rewrite {
    struct compile_loop loop, other; /* as it stands; as `text` has it */
    const char *text;                /* the main file's, with the loop in other words; NULL: none */
    struct ends_form ends;           /* what the text was made of */
    struct ahead_form ahead;         /* ... */
    struct records_form records;     /* ... */
    struct places_form places;       /* ... */
    bool better;                     /* the other one is to be taken */
};

/* A kind of words: `look` sets `text`, and what it is made of; `judge` sets `better`. */
struct words {
    void (*look)(void *rewrite);
    void (*judge)(void *rewrite);
};

/* The one that stands in this line. */
static struct loop *loop_at(const struct unit *unit, int line) {
    for (int i = 0; i < unit->nloops; ++i)
        if (loop_is_marked(unit->loops[i]) && unit->loops[i]->header.begin.line == line)
            return unit->loops[i];
    return NULL;
}

static struct loop *same_line(const struct rewrite *r) {
    return loop_at(r->other.unit, r->loop.loop->header.begin.line);
}

static bool is_serial(const struct compile_loop *l) {
    return l->plan->strategy == STRATEGY_SERIAL;
}

/* ---- calls through pointers name the functions ------------------------------------------------ */

/* A loop that is parallel as it stands stays. */
static void called_look(void *data) {
    struct rewrite *r = data;
    const char *text = called_text(r->loop.unit, r->loop.loop);
    if (!text)
        return;
    compile_analyze(&r->loop);
    compile_outline(&r->loop);
    r->text = is_serial(&r->loop) ? text : NULL;
}

/* ---- pointers of the body are what they are set to -------------------------------------------- */

static void places_look(void *data) {
    struct rewrite *r = data;
    r->places = places_form(r->loop.unit, r->loop.loop);
    if (!r->places.text)
        return;
    compile_analyze(&r->loop);
    compile_outline(&r->loop);
    r->text = is_serial(&r->loop) ? r->places.text : NULL;
}

/* `text` stays where the other one may be taken further. */
static void places_judge(void *data) {
    struct rewrite *r = data;
    r->other.loop = same_line(r);
    r->text = NULL;
    if (!r->other.loop)
        return;
    struct loop_facts *facts = facts_collect(r->other.unit, r->other.loop);
    if (!places_may_move(&r->places, facts))
        return;
    r->text = r->places.text;
    r->other.analysis = analysis_run(facts);
    compile_choose(&r->other);
    compile_outline(&r->other);
    r->better = !is_serial(&r->other);
}

/* ---- called functions are handed what they set ------------------------------------------------- */

static void handed_look(void *data) {
    struct rewrite *r = data;
    const char *text = handed_text(r->loop.unit, r->loop.loop);
    if (!text)
        return;
    compile_analyze(&r->loop);
    compile_outline(&r->loop);
    r->text = is_serial(&r->loop) ? text : NULL;
}

/* ---- what it prints is collected ------------------------------------------------------------- */

static void output_look(void *data) {
    struct rewrite *r = data;
    r->text = output_text(r->loop.unit, r->loop.loop, false);
}

/* It is parallel in the other words. */
static void parallel_judge(void *data) {
    struct rewrite *r = data;
    r->other.loop = same_line(r);
    if (!r->other.loop)
        return;
    compile_analyze(&r->other);
    compile_outline(&r->other);
    r->better = !is_serial(&r->other);
}

/* ---- so is what called functions print, and the first end of the program counts -------------- */

/* Conditions that no iteration changes need none of that (analysis.md). */
static void ends_of_program_look(void *data) {
    struct rewrite *r = data;
    const char *text = output_text(r->loop.unit, r->loop.loop, true);
    if (!text)
        return;
    compile_analyze(&r->loop);
    compile_outline(&r->loop);
    r->text = is_serial(&r->loop) ? text : NULL;
}

/* Blocks have their iterations in the loop's order, and whole: what is left out behind an end comes
 * after it. */
static void ends_of_program_judge(void *data) {
    struct rewrite *r = data;
    parallel_judge(data);
    const enum orrery_strategy how =
        r->better ? strategy_executor(r->other.plan->strategy) : ORRERY_WAVEFRONT;
    r->better = r->better && how != ORRERY_WAVEFRONT && how != ORRERY_PIPELINE;
}

/* ---- keys that a loop finds are computed in front ---------------------------------------------- */

/* In a pipeline all that needs the keys is one stage, which one worker runs. */
static bool is_in_turn(const struct compile_loop *l) {
    return is_serial(l) || l->plan->strategy == STRATEGY_PIPELINE;
}

static void ahead_look(void *data) {
    struct rewrite *r = data;
    if (!ahead_fits(r->loop.unit, r->loop.loop))
        return;
    compile_analyze(&r->loop);
    compile_outline(&r->loop);
    if (!is_in_turn(&r->loop))
        return;
    r->ahead = ahead_form(r->loop.unit, r->loop.loop, r->loop.analysis->facts);
    r->text = r->ahead.text;
}

static void ahead_judge(void *data) {
    struct rewrite *r = data;
    r->other.loop = same_line(r);
    if (!r->other.loop)
        return;
    struct loop_facts *facts = facts_collect(r->other.unit, r->other.loop);
    if (!ahead_may_move(&r->ahead, facts))
        return;
    r->other.analysis = analysis_run(facts);
    compile_choose(&r->other);
    compile_outline(&r->other);
    r->better = !is_in_turn(&r->other);
}

/* ---- rows that end with a mark are counted ---------------------------------------------------- */

/* A loop that is parallel as it stands stays. */
static void ends_look(void *data) {
    struct rewrite *r = data;
    r->ends = ends_form(r->loop.unit, r->loop.loop);
    if (!r->ends.text)
        return;
    compile_analyze(&r->loop);
    compile_outline(&r->loop);
    r->text = is_serial(&r->loop) ? r->ends.text : NULL;
}

static void ends_judge(void *data) {
    struct rewrite *r = data;
    r->other.loop = same_line(r);
    if (!r->other.loop)
        return;
    struct loop_facts *facts = facts_collect(r->other.unit, r->other.loop);
    if (!ends_may_move(&r->ends, facts))
        return;
    r->other.analysis = analysis_run(facts);
    compile_choose(&r->other);
    compile_outline(&r->other);
    r->better = !is_serial(&r->other);
}

/* ---- nests of rows become loops over records --------------------------------------------------- */

/* Rows cost a list in front: only loops whose rows wait for each other are worth one. */
static void records_look(void *data) {
    struct rewrite *r = data;
    r->records = records_form(r->loop.unit, r->loop.loop);
    if (!r->records.text || !rows_may_write(&r->records.rows))
        return;
    compile_analyze(&r->loop);
    if (!is_serial(&r->loop) && strategy_executor(r->loop.plan->strategy) != ORRERY_LEVELS)
        return;
    records_check_rows(&r->records, r->loop.analysis);
    r->text = r->records.text;
}

/* The loop that the text has in the nest's place. */
static struct loop *loop_over(const struct unit *unit, const char *name) {
    for (int i = 0; i < unit->nloops; ++i)
        if (loop_is_marked(unit->loops[i]) && unit->loops[i]->variable &&
            strcmp(unit->loops[i]->variable->name, name) == 0)
            return unit->loops[i];
    return NULL;
}

/* Records pay where several keys tell what may run together. */
static void records_judge(void *data) {
    struct rewrite *r = data;
    r->other.loop = loop_over(r->other.unit, r->records.name);
    if (!r->other.loop)
        return;
    struct loop_facts *facts = facts_collect(r->other.unit, r->other.loop);
    if (!records_may_move(facts))
        return;
    r->other.analysis = analysis_run(facts);
    compile_choose(&r->other);
    compile_outline(&r->other);
    const struct plan *plan = r->other.plan;
    enum strategy how = plan->strategy;
    r->better = plan->by_key && (how == STRATEGY_ROTATION_2D || how == STRATEGY_ROTATION_ND ||
                                 how == STRATEGY_ORDERED_ROTATION || how == STRATEGY_TOURNAMENT);
}

/* ---- tries ----------------------------------------------------------------------------------- */

/* What one loop's try may take, of time and memory (budget.h). */
static const struct budget most_of_try = {8000000, 96L << 20};

static bool within_budget(struct unit *unit, void (*work)(void *), struct rewrite *r) {
    const struct unit before = *unit;
    bool done = budget_try(unit->arena, &most_of_try, work, r);
    if (!done)
        *unit = before;
    return done;
}

static bool is_better(struct compilation *c, const struct words *words, struct rewrite *r) {
    if (!within_budget(r->loop.unit, words->look, r) || !r->text)
        return false;
    r->other = r->loop;
    r->other.refused = 0;
    r->other.unit = compile_parse_again(c, r->loop.request, r->text);
    return r->other.unit && within_budget(r->other.unit, words->judge, r) && r->better;
}

/* Says so of the loop as the user wrote it: it stands in the same line. */
static void take(struct compilation *c, const struct rewrite *r, const char *code,
                 const char *message) {
    struct loop *written = loop_at(c->written, r->loop.loop->header.begin.line);
    struct loop *loop = written ? written : r->loop.loop;
    diag_add(&c->said, SEVERITY_REMARK, code, loop->header, "%s", message)->loop = loop;
    c->unit = r->other.unit;
}

/* What the loop did, as far as nothing is known about its arrays: kept beside its new text. */
static void keep_text(struct compilation *c, const struct rewrite *r, const char *written,
                      bool lists, bool whole) {
    const struct loop *loop = r->other.loop;
    const struct other_words *before = other_words_of(r->loop.unit, r->loop.loop);
    struct other_words words = {loop->header.begin.line, loop->variable->name,
                                before ? before->written : written,
                                lists || (before && before->lists), whole};
    ARENA_PUSH(c->arena, c->unit->others, c->unit->nothers, words);
}

static void keep_written(struct compilation *c, const struct rewrite *r, bool lists) {
    keep_text(c, r, text_statement(r->loop.unit, &r->loop.loop->stmt->range), lists, true);
}

/* ---- loops that are run inside of others -------------------------------------------------------- */

static void analyze_only(void *data) {
    struct rewrite *r = data;
    compile_analyze(&r->loop);
    r->better = !is_serial(&r->loop);
}

/* A parallel loop is around it, here or where its function is called, so that its own iterations
 * run serially: lists of its rows would only stand in the way. */
static bool is_inside_of_parallel(struct compilation *c, const struct rewrite *r) {
    for (int i = 0; i < c->unit->nloops; ++i) {
        struct loop *around = c->unit->loops[i];
        if (!loop_is_marked(around) || !emit_runs_loop(around, r->loop.loop))
            continue;
        struct rewrite outer = {
            .loop = {.request = r->loop.request, .unit = c->unit, .loop = around}};
        if (within_budget(c->unit, analyze_only, &outer) && outer.better)
            return true;
    }
    return false;
}

static bool try_output(struct compilation *c, struct rewrite *r) {
    static const struct words words = {output_look, parallel_judge},
                              deep = {ends_of_program_look, ends_of_program_judge};
    bool better = is_better(c, &words, r) || is_better(c, &deep, r);
    if (better && emit_reruns(r->other.outline))
        take(c, r, ORR1715,
             "an iteration may leave the loop: it runs again then, in its order, as it is written");
    else if (better)
        take(c, r, ORR1708,
             "what the loop prints is collected, and written behind it in its order");
    return better;
}

static void progress_look(void *data) {
    struct rewrite *r = data;
    r->text = progress_text(r->loop.unit, r->loop.loop);
}

static void try_printing(struct compilation *c, struct rewrite *r) {
    static const struct words words = {progress_look, parallel_judge};
    struct rewrite sums = {.loop = r->loop};
    if (is_better(c, &words, &sums))
        take(c, &sums, ORR1718, "sums that the loop prints are added, and printed, behind it");
    else
        try_output(c, r);
}

/* Other names for what the loop calls and reaches. Both may be needed, and the output collected. */
static const struct renaming {
    struct words words;
    bool relies; /* on arrays that the user's words do not need apart */
    const char *code, *message;
} renamings[] = {
    {{called_look, parallel_judge},
     false,
     ORR1711,
     "calls through pointers name the functions whose address the file takes"},
    {{places_look, places_judge},
     true,
     ORR1712,
     "pointers that the body sets once are written as what they are set to"},
    {{handed_look, parallel_judge},
     false,
     ORR1716,
     "called functions are handed the variables of the file that they set"},
};

enum { RENAMINGS = sizeof renamings / sizeof *renamings };

static void try_names(struct compilation *c, struct rewrite *r) {
    struct rewrite at = *r;
    bool used[RENAMINGS] = {0}, better = false;
    for (int i = 0; i < RENAMINGS && !better; ++i) {
        better = is_better(c, &renamings[i].words, &at);
        used[i] = at.text && at.other.unit && at.other.loop;
        if (used[i] && !better)
            at = (struct rewrite){
                .loop = {.request = r->loop.request, .unit = at.other.unit, .loop = at.other.loop}};
    }
    better = better || (at.loop.unit != c->unit && try_output(c, &at));
    r->other = at.other;
    for (int i = 0; i < RENAMINGS && better; ++i) {
        if (used[i])
            take(c, &at, renamings[i].code, renamings[i].message);
        if (used[i] && renamings[i].relies)
            keep_written(c, r, false);
    }
}

static void try_ahead(struct compilation *c, struct rewrite *r) {
    static const struct words words = {ahead_look, ahead_judge};
    if (!is_better(c, &words, r) || is_inside_of_parallel(c, r))
        return;
    take(c, r, ORR1717, "what a loop of an iteration finds is computed in front of the loop");
    keep_written(c, r, true);
}

static void try_ends(struct compilation *c, struct rewrite *r) {
    static const struct words words = {ends_look, ends_judge};
    if (!is_better(c, &words, r) || is_inside_of_parallel(c, r))
        return;
    take(c, r, ORR1707, "how many entries its rows have is counted in front of the loop");
    keep_written(c, r, true);
}

static void expansion_look(void *data) {
    struct rewrite *r = data;
    r->text = expansion_text(&r->records.rows);
}

static void expansion_judge(void *data) {
    struct rewrite *r = data;
    r->other.loop = same_line(r);
    r->better = r->other.loop != NULL;
}

/* The loop keeps a serial way, which the user's whole nest cannot be: statements of its rows run in
 * loops of their own. */
static bool is_split(const struct rewrite *r) {
    const struct rows *rows = &r->records.rows;
    return other_words_of(r->loop.unit, r->loop.loop) && r->other.outline &&
           emit_keeps_serial(r->other.outline) && (rows_have_front(rows) || rows_have_behind(rows));
}

/* As the nest stands, or where its rows' numbers are elements of arrays. False: neither is a loop
 * over records, or not a better one. */
static bool find_records(struct compilation *c, struct rewrite *r) {
    static const struct words records = {records_look, records_judge},
                              expansion = {expansion_look, expansion_judge};
    const bool better = is_better(c, &records, r) && !is_split(r);
    if (!r->records.text || (better && r->records.nhindrances == 0))
        return better;
    struct rewrite expanded = *r;
    if (is_better(c, &expansion, &expanded)) {
        struct rewrite at = {.loop = {.request = r->loop.request,
                                      .unit = expanded.other.unit,
                                      .loop = expanded.other.loop}};
        if (is_better(c, &records, &at) && at.records.nhindrances == 0 && !is_split(&at)) {
            *r = at;
            return true;
        }
    }
    return better;
}

static void try_records(struct compilation *c, struct rewrite *r) {
    const struct records_form *form = &r->records;
    const struct rewrite before = *r;
    if (!find_records(c, r) || is_inside_of_parallel(c, &before))
        return;
    if (form->nhindrances > 0) {
        ARENA_PUSH(
            c->arena, c->nests, c->nnests,
            ((struct compile_nest){r->loop.loop->header, form->nhindrances, form->hindrances}));
        return;
    }
    take(c, r, ORR1703,
         arena_printf(c->arena,
                      "the nest is one loop over the records of all rows: '%s' numbers them",
                      form->name));
    keep_text(c, r, form->written, true,
              !rows_have_front(&form->rows) && !rows_have_behind(&form->rows));
}

void rewrite_marked(struct compilation *c, const struct compile_request *request) {
    static void (*const tries[])(struct compilation *, struct rewrite *) = {
        try_printing, try_names, try_ahead, try_ends, try_records};
    bool may = !request->allow_fallback && !request->keep_rows;
    for (size_t t = 0; may && t < sizeof tries / sizeof *tries; ++t)
        for (int i = 0; i < c->unit->nloops; ++i) {
            struct rewrite r = {
                .loop = {.request = request, .unit = c->unit, .loop = c->unit->loops[i]}};
            tries[t](c, &r);
        }
}
