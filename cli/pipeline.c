#include "cli/pipeline.h"

#include "analyzer/budget.h"
#include "scheduler/nesting.h"
#include "cli/analyze/others.h"
#include "analyzer/parse/language.h"
#include "scheduler/cost/count.h"
#include "scheduler/emit/emit.h"
#include "tools/base/house.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The flags that decide what the text means to the parser; the rest (warnings, code generation,
 * debugging) is the host compiler's. libclang rejects flags that only gcc knows, so -f and -m are
 * let through by name. `+`: the value may be the next argument; `=`: a prefix; else the whole word.
 */
static const char *const parse_flags[] = {
    "-I+",
    "-D+",
    "-U+",
    "-include+",
    "-isystem+",
    "-iquote+",
    "-idirafter+",
    "-imacros+",
    "-isysroot+",
    "--sysroot==",
    "-std==",
    "-O=",
    "-ansi",
    "-pthread",
    "-nostdinc",
    "-undef",
    "-m32",
    "-m64",
    "-march==",
    "-mavx=",
    "-msse=",
    "-mfma",
    "-fopenmp=",
    "-fstrict-aliasing",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-fno-wrapv",
    "-fstrict-overflow",
    "-fno-strict-overflow",
    "-ftrapv",
    "-ffast-math",
    "-fno-fast-math",
    "-fassociative-math",
    "-fno-associative-math",
    "-funsafe-math-optimizations",
    "-fno-unsafe-math-optimizations",
    "-fsigned-char",
    "-funsigned-char",
    "-fno-signed-char",
    "-fno-unsigned-char",
    "-fshort-enums",
    "-fpack-struct=",
    "-fms-extensions",
    "-fgnu89-inline",
    "-ffreestanding",
    "-fno-builtin=",
    "-fPIC",
    "-fpic",
    "-fPIE",
    "-fpie",
};

/* 0: not for the parser, 1: take it, 2: take it and the next argument. */
static int parse_flag(const char *arg) {
    for (size_t i = 0; i < sizeof parse_flags / sizeof *parse_flags; ++i) {
        const char *known = parse_flags[i];
        size_t length = strlen(known) - 1;
        char form = known[length];
        if (form == '+' && strncmp(arg, known, length) == 0)
            return arg[length] == '\0' ? 2 : 1;
        if (form == '=' && strncmp(arg, known, length) == 0)
            return 1;
        if (strcmp(arg, known) == 0)
            return 1;
    }
    return 0;
}

/* requires: nothing. The user's flags as the parser wants them, with __ORRERY__ defined and
 * orrery.h found. */
static int filter_flags(struct arena *arena, int ncflags, const char *const *cflags,
                        const char ***args) {
    int count = 0;
    *args = NULL;
    struct house house;
    house_find(&house, arena);
    ARENA_PUSH(arena, *args, count, "-D__ORRERY__=1");
    ARENA_PUSH(arena, *args, count, "-I");
    ARENA_PUSH(arena, *args, count, house.include);
    for (int i = 0; i < ncflags; ++i) {
        int form = parse_flag(cflags[i]);
        if (form > 0)
            ARENA_PUSH(arena, *args, count, cflags[i]);
        if (form == 2 && i + 1 < ncflags)
            ARENA_PUSH(arena, *args, count, cflags[++i]);
    }
    return count;
}

bool pipeline_is_marked(const struct loop *loop) {
    return loop->pragma && loop->pragma->kind == PRAGMA_PARALLEL;
}

static bool is_foreign(const char *file, int ncflags, const char *const *cflags,
                       struct diag_list *diags) {
    const struct range nowhere = {.begin.file = -1, .end.file = -1};
    const char *language = language_foreign(file, ncflags, cflags);
    if (!language)
        return false;
    struct diag *diag = diag_add(diags, SEVERITY_ERROR, ORR9003, nowhere,
                                 "'%s' is %s, which is not read: only C is", file, language);
    diag->fix = "move the loops into a .c file that the others call; -x c says that it is C after "
                "all";
    return true;
}

struct unit *pipeline_parse(struct arena *arena, const char *file, const char *text, int ncflags,
                            const char *const *cflags, struct diag_list *diags) {
    struct parse_options options = {.file = file, .text = text};
    if (is_foreign(file, ncflags, cflags, diags))
        return NULL;
    options.nargs = filter_flags(arena, ncflags, cflags, (const char ***)&options.args);
    return parse_unit(arena, &options, diags);
}

/* ---- plans, within bounds -------------------------------------------------------------------- */

/* One loop that is being planned. `given`: the second look, at what guards make true. `left`: what
 * the unit may still take. */
struct planning {
    const struct pipeline_request *request;
    struct unit *unit;
    struct loop *loop;
    struct plan *plan, *given;
    struct budget *left;
};

static const struct cost_loop *measured_of(const struct planning *p) {
    struct loc place = p->loop->header.begin;
    return cost_profile_find(p->request->profile, p->unit->files[place.file].name, place.line);
}

static void plan_facts(struct planning *p, struct loop_facts *facts) {
    p->plan = plan_choose_by(analysis_run(facts), measured_of(p), p->request->cluster);
}

/* Takes the reads of one object away. */
static void drop_reads(struct loop_facts *facts, const char *name) {
    int count = 0;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if (a->write || !a->object->name || strcmp(a->object->name, name) != 0)
            facts->accesses[count++] = *a;
    }
    facts->naccesses = count;
}

static void plan_loop(void *data) {
    struct planning *p = data;
    struct loop_facts *facts = facts_collect(p->unit, p->loop);
    if (p->request->drop)
        drop_reads(facts, p->request->drop);
    plan_facts(p, facts);
}

static void plan_given(void *data) {
    struct planning *p = data;
    struct analysis *given = analysis_given(p->plan->analysis);
    p->given = given ? plan_choose_by(given, measured_of(p), p->request->cluster) : NULL;
}

/*
 * What a unit may take, and a loop of it: about 20 times a compiler's time, and less than 1 GB. The
 * largest loops of the samples take 9 million steps and 60 MB; a small one gets its answer wherever
 * it stands.
 */
#define UNIT_STEPS 32000000L
#define UNIT_STEPS_PER_EXPRESSION 1000L
#define UNIT_BYTES (640L << 20)
#define LOOP_STEPS_LEAST 30000L
static const struct budget most_of_loop = {12000000, 128L << 20};

static struct budget budget_of_unit(const struct unit *unit) {
    return (struct budget){UNIT_STEPS + UNIT_STEPS_PER_EXPRESSION * unit->nexprs, UNIT_BYTES};
}

/* Its even share, and a quarter of what the others may take. */
static long share(long left, int loops, long most) {
    long even = left / loops, share = even + (left - even) / 4;
    return share < most ? share : most;
}

static struct budget budget_of_loop(const struct budget *left, int loops) {
    long steps = share(left->steps, loops, most_of_loop.steps);
    return (struct budget){steps > LOOP_STEPS_LEAST ? steps : LOOP_STEPS_LEAST,
                           share(left->bytes, loops, most_of_loop.bytes)};
}

/* False: the work was too much, and nothing of it is left. What it took is not there any more. */
static bool try(struct planning *p, int loops, void (*work)(void *)) {
    const struct budget most = budget_of_loop(p->left, loops);
    const struct unit before = *p->unit;
    bool done = budget_try(p->unit->arena, &most, work, p);
    struct budget spent = budget_spent();
    p->left->steps -= spent.steps < p->left->steps ? spent.steps : p->left->steps;
    p->left->bytes -= done ? spent.bytes : 0;
    if (!done)
        *p->unit = before;
    return done;
}

/* `loops`: how many are still to be planned. */
static struct plan *plan_within(struct planning *p, int loops) {
    if (!try(p, loops, plan_loop))
        plan_facts(p, facts_too_much(p->unit, p->loop));
    else if (p->plan->strategy == STRATEGY_SERIAL && try(p, loops, plan_given) && p->given &&
             p->given->strategy != STRATEGY_SERIAL)
        return p->given;
    return p->plan;
}

/* Those that are marked, or the others: `plans` by the loops' numbers. */
static void plan_some(const struct pipeline_request *request, struct unit *unit, bool marked,
                      struct budget *left, struct plan **plans) {
    int loops = 0;
    for (int i = 0; i < unit->nloops; ++i)
        loops += pipeline_is_marked(unit->loops[i]) == marked;
    for (int i = 0; i < unit->nloops; ++i) {
        struct planning p = {
            .request = request, .unit = unit, .loop = unit->loops[i], .left = left};
        if (pipeline_is_marked(p.loop) == marked)
            plans[i] = plan_within(&p, loops--);
    }
}

/* The marked loops come first:
 * they get the same answers whether or not the others are asked for. */
static void plan_loops(struct pipeline *pipeline, const struct pipeline_request *request) {
    struct unit *unit = pipeline->unit;
    struct budget left = budget_of_unit(unit);
    struct plan **plans = arena_alloc(pipeline->arena, (size_t)(unit->nloops + 1) * sizeof *plans);
    plan_some(request, unit, true, &left, plans);
    if (request->all)
        plan_some(request, unit, false, &left, plans);
    for (int i = 0; i < unit->nloops; ++i)
        if (plans[i])
            ARENA_PUSH(pipeline->arena, pipeline->plans, pipeline->nplans, plans[i]);
}

void pipeline_run(struct pipeline *pipeline, struct arena *arena,
                  const struct pipeline_request *request) {
    *pipeline = (struct pipeline){.arena = arena, .diags = {.arena = arena}};
    pipeline->unit = pipeline_parse(arena, request->file, request->text, request->ncflags,
                                    request->cflags, &pipeline->diags);
    if (!pipeline->unit || pipeline->diags.nerrors > 0)
        return;
    others_join(pipeline->unit, request);
    plan_loops(pipeline, request);
    emit_settle_served(pipeline->unit, pipeline->nplans, pipeline->plans);
    if (request->plan_file)
        plan_file_read(request->plan_file, pipeline->unit, pipeline->nplans, pipeline->plans,
                       &pipeline->diags);
    for (int i = 0; i < pipeline->nplans; ++i)
        plan_target(pipeline->plans[i], request->gpu);
}

void pipeline_settle(struct pipeline *pipeline) {
    if (pipeline->unit)
        emit_settle(pipeline->unit, pipeline->nplans, pipeline->plans);
}

/* Folding per block gives other bits than the serial loop:
 * who did not mark the loop did not ask. */
static bool keeps_bits(const struct pipeline *pipeline, const struct plan *plan) {
    const struct loop_facts *facts = plan->analysis->facts;
    for (int i = 0; i < facts->nreductions && !pipeline->unit->reassociates; ++i) {
        const struct reduction *reduction = &facts->reductions[i];
        if (reduction->type->kind == TYPE_FLOAT &&
            (reduction->op == REDUCE_ADD || reduction->op == REDUCE_MUL))
            return false;
    }
    return true;
}

/* Sums into rows behind a table of pointers, and scratch space there: the rows are copied before
 * the run can look whether the loop is worth it, and whether their sizes are known. */
static bool copies_rows(const struct plan *plan) {
    const struct loop_facts *facts = plan->analysis->facts;
    for (int i = 0; i < facts->nreductions; ++i)
        if (facts->reductions[i].object && facts->reductions[i].object->kind == OBJECT_ROWS)
            return true;
    for (int i = 0; i < facts->nscratches; ++i)
        if (facts->scratches[i].object->kind == OBJECT_ROWS)
            return true;
    return false;
}

/* An unmarked loop of a header is nobody's business: only the main file is rewritten. */
static bool wanted(const struct pipeline *pipeline, const struct plan *plan) {
    const struct loop *loop = plan->analysis->loop;
    bool here = loop->header.begin.file == pipeline->unit->main_file;
    if (plan->strategy == STRATEGY_SERIAL)
        return false;
    return pipeline_is_marked(loop) || (here && keeps_bits(pipeline, plan) && !copies_rows(plan));
}

/* Few iterations cannot be divided well; a loop inside may, when it has several times as many and
 * takes long enough for a region of its own. */
enum { FEW_TRIPS = 16, TIMES_AS_MANY = 4, LONG_NANOSECONDS = 10000, UNKNOWN_TRIPS = 100 };

static bool is_better(const struct loop *inner, const struct loop *outer) {
    double trips = cost_count_trips(outer, UNKNOWN_TRIPS);
    return trips < FEW_TRIPS && cost_count_trips(inner, UNKNOWN_TRIPS) >= TIMES_AS_MANY * trips &&
           cost_count(inner->stmt, UNKNOWN_TRIPS) >= LONG_NANOSECONDS;
}

/* The plan of a loop inside that is divided in place of this one; NULL: there is none. */
static const struct plan *better_inside(const struct pipeline *pipeline, const struct plan *plan) {
    const struct loop *outer = plan->analysis->loop;
    const bool *called = nesting_called(pipeline->unit, outer);
    for (int i = 0; i < pipeline->nplans && !pipeline_is_marked(outer); ++i) {
        const struct loop *inner = pipeline->plans[i]->analysis->loop;
        if (inner != outer && wanted(pipeline, pipeline->plans[i]) && is_better(inner, outer) &&
            nesting_inside(inner, outer, called))
            return pipeline->plans[i];
    }
    return NULL;
}

/*
 * Marked loops come first: a loop that the user marked in a function called from another parallel
 * loop stays (the run says what to do about it); an unmarked one gives way.
 */
static bool gives_way(const struct loop *loop, const struct loop *outer, const bool *called) {
    if (loop == outer || !nesting_inside(loop, outer, called))
        return false;
    return loop->function == outer->function || !pipeline_is_marked(loop);
}

void pipeline_find_outermost(struct pipeline *pipeline) {
    const int count = pipeline->nplans;
    bool *covered = arena_alloc(pipeline->arena, (size_t)count + 1);
    for (int i = 0; i < count; ++i)
        covered[i] =
            wanted(pipeline, pipeline->plans[i]) && better_inside(pipeline, pipeline->plans[i]);
    for (int i = 0; i < count; ++i) {
        const struct loop *outer = pipeline->plans[i]->analysis->loop;
        if (covered[i] || !wanted(pipeline, pipeline->plans[i]))
            continue;
        const bool *called = nesting_called(pipeline->unit, outer);
        for (int j = 0; j < count; ++j)
            covered[j] |= gives_way(pipeline->plans[j]->analysis->loop, outer, called);
    }
    for (int i = 0; i < count; ++i)
        if (!covered[i] && wanted(pipeline, pipeline->plans[i]))
            ARENA_PUSH(pipeline->arena, pipeline->outermost, pipeline->noutermost,
                       pipeline->plans[i]);
}

/* The plan of the loop around it, or NULL. */
static const struct plan *plan_around(const struct pipeline *pipeline, const struct plan *plan) {
    for (int i = 0; i < pipeline->nplans; ++i)
        if (pipeline->plans[i]->analysis->loop == plan->analysis->loop->parent)
            return pipeline->plans[i];
    return NULL;
}

const char *pipeline_left_alone(const struct pipeline *pipeline, const struct plan *plan) {
    for (int i = 0; i < pipeline->noutermost; ++i)
        if (pipeline->outermost[i] == plan)
            return NULL;
    if (plan->strategy == STRATEGY_SERIAL)
        return "stays serial";
    if (!keeps_bits(pipeline, plan))
        return "stays serial: a sum in another order has other bits (-ffast-math allows them)";
    if (copies_rows(plan))
        return "stays serial: the rows that it adds to would be copied first (mark it if that "
               "pays)";
    const struct plan *better = wanted(pipeline, plan) ? better_inside(pipeline, plan) : NULL;
    if (better)
        return arena_printf(
            pipeline->arena,
            "stays serial: the loop at line %d inside has more iterations to divide",
            better->analysis->loop->header.begin.line);
    const struct plan *around = plan_around(pipeline, plan);
    if (around && around->strategy != STRATEGY_SERIAL)
        return arena_printf(pipeline->arena, "is part of the loop at line %d, which is parallel",
                            around->analysis->loop->header.begin.line);
    return wanted(pipeline, plan) ? "is called from a loop that is parallel"
                                  : "stays serial: it stands in a header";
}

void pipeline_print_diags(const struct pipeline *pipeline) {
    for (int i = 0; i < pipeline->diags.count; ++i)
        diag_print(pipeline->unit, &pipeline->diags.items[i], pipeline_color(stderr), stderr);
}

bool pipeline_color(void *stream) {
    const char *term = getenv("TERM"), *off = getenv("NO_COLOR");
    return isatty(fileno(stream)) && term && strcmp(term, "dumb") != 0 && !(off && *off);
}
