/*
 * The list of steps: what is done to a C text, in its order. Read this first.
 *
 *   text (-> IR -> text in better orders, marked loops in other words) -> IR -> accesses and facts -> dependences -> candidates -> cost -> proof -> plan
 *        -> outline (refused: the next candidate) -> text
 */
#include "scheduler/compile.h"

#include "analyzer/analyzer.h"
#include "scheduler/choose/obstacles.h"
#include "scheduler/emit/emit.h"
#include "scheduler/gpu/make.h"
#include "scheduler/others.h"
#include "scheduler/plan/parts.h"

#include <string.h>

/* ---- text -> IR ------------------------------------------------------------------------------ */

static bool is_foreign(const struct compile_file *file, struct diag_list *diags) {
    const struct range nowhere = {.begin.file = -1, .end.file = -1};
    const char *language = language_foreign(file->name, file->nflags, file->flags);
    if (!language)
        return false;
    struct diag *diag = diag_add(diags, SEVERITY_ERROR, ORR9003, nowhere,
                                 "'%s' is %s, which is not read: only C is", file->name, language);
    diag->fix = "move the loops into a .c file that the others call; -x c says that it is C after "
                "all";
    return true;
}

struct unit *compile_parse(struct arena *arena, const struct compile_file *file,
                           const char *include, struct diag_list *diags) {
    struct parse_options options = {.file = file->name, .text = file->text};
    if (is_foreign(file, diags))
        return NULL;
    options.nargs =
        parse_flags(arena, include, file->nflags, file->flags, (const char ***)&options.args);
    return parse_unit(arena, &options, diags);
}

/* ---- IR -> plan ------------------------------------------------------------------------------ */

void compile_choose(struct compile_loop *l) {
    struct loc place = l->loop->header.begin;
    const struct cost_loop *measured =
        cost_profile_find(l->request->profile, l->unit->files[place.file].name, place.line);
    l->plan = plan_choose_by(l->analysis, measured, l->request->cluster, l->refused);
    plan_target(l->plan, l->request->gpu);
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

void compile_analyze(struct compile_loop *l) {
    struct loop_facts *facts = facts_collect(l->unit, l->loop);
    if (l->request->drop)
        drop_reads(facts, l->request->drop);
    l->analysis = analysis_run(facts);
    compile_choose(l);
}

void compile_analyze_given(struct compile_loop *l) {
    struct analysis *given = analysis_given(l->plan->analysis);
    if (!given)
        return;
    l->analysis = given;
    compile_choose(l);
}

void compile_too_much(struct compile_loop *l) {
    l->analysis = analysis_run(facts_too_much(l->unit, l->loop));
    compile_choose(l);
}

/* ---- plan -> outline ------------------------------------------------------------------------- */

struct inside {
    struct unit *unit;
    int count;
    const struct plan **plans;
};

/* A device assigns loops inside to its lanes where each could run in parallel by itself. */
static void plan_inside(struct inside *inside, const struct stmt *stmt) {
    if (!stmt)
        return;
    if (stmt->loop) {
        if (stmt->kind == STMT_FOR && stmt->loop->canonical) {
            struct analysis *analysis = analysis_run(facts_collect(inside->unit, stmt->loop));
            ARENA_PUSH(inside->unit->arena, inside->plans, inside->count, plan_choose(analysis));
        }
        plan_inside(inside, stmt->loop->body);
    }
    for (int i = 0; i < stmt->nbody; ++i)
        plan_inside(inside, stmt->body[i]);
    plan_inside(inside, stmt->then);
    plan_inside(inside, stmt->other);
}

static const struct outline_refusal *outline(struct compile_loop *l) {
    struct inside inside = {.unit = l->unit};
    if (l->plan->gpu)
        plan_inside(&inside, l->plan->analysis->loop->body);
    struct outline *made =
        outline_make(l->unit, l->plan, l->request->allow_fallback || l->request->standalone,
                     l->request->standalone, inside.count, inside.plans);
    if (!outline_refusal(made))
        gpu_kernel_make(made);
    if (!outline_refusal(made))
        outline_words(made);
    l->outline = made;
    return outline_refusal(made);
}

static void make_serial(struct compile_loop *l, const struct outline_refusal *why) {
    plan_make_serial(l->plan, why->code, why->where, why->message, why->fix);
    l->plan->culprit = NULL;
    l->plan->not_outlined = true;
    l->outline = NULL;
}

/* A plan by which the loop cannot be cut out gives way to the next; the first one's reason is said
 * where none is left. */
void compile_outline(struct compile_loop *l) {
    struct plan *first = l->plan;
    const struct outline_refusal *why = NULL, *next = NULL;
    while (l->plan->strategy != STRATEGY_SERIAL && (next = outline(l)) != NULL) {
        why = why ? why : next;
        l->refused |= 1u << l->plan->strategy;
        if (!next->of_plan)
            break;
        compile_choose(l);
    }
    if (!why || (l->plan->strategy != STRATEGY_SERIAL && !next))
        return;
    l->plan = first;
    make_serial(l, why);
}

/* ---- plans out of a file --------------------------------------------------------------------- */

/* What the user's plan says is obeyed, or refused: nothing else is chosen in its place. */
static void take_file(struct compilation *c, const struct compile_request *request) {
    struct plan **plans = arena_alloc(c->arena, (size_t)(c->nplans + 1) * sizeof *plans);
    memcpy(plans, c->plans, (size_t)c->nplans * sizeof *plans);
    plan_file_read(request->plan_file, c->unit, c->nplans, plans, &c->diags);
    for (int i = 0; i < c->nplans; ++i) {
        struct compile_loop l = {.request = request, .unit = c->unit, .plan = plans[i]};
        if (plans[i] == c->plans[i])
            continue;
        plan_target(l.plan, request->gpu);
        const struct outline_refusal *why =
            l.plan->strategy == STRATEGY_SERIAL ? NULL : outline(&l);
        if (why)
            make_serial(&l, why);
        c->plans[i] = l.plan;
        c->outlines[i] = l.outline;
    }
}

/* ---- planted errors -------------------------------------------------------------------------- */

/* A number becomes one more, anything else 1; of several entries each is the next one's. */
static void change_vector(struct entry *vector, int ndims) {
    struct entry first = vector[0];
    for (int d = 0; d + 1 < ndims; ++d)
        vector[d] = vector[d + 1];
    if (ndims == 1)
        first = (struct entry){ENTRY_NUMBER, first.kind == ENTRY_NUMBER ? first.number + 1 : 1};
    vector[ndims - 1] = first;
}

static void change_vectors(const struct analysis *analysis, const char *name) {
    for (int i = 0; i < analysis->ndeps; ++i) {
        const struct dependence *dep = &analysis->deps[i];
        if (dep->object->name && strcmp(dep->object->name, name) == 0)
            change_vector(dep->vector, analysis->ndims);
    }
}

/* ---- text -> text in better orders ----------------------------------------------------------- */

/* The last of the flags that begin with `prefix`, behind it; NULL: there is none. */
static const char *last_flag(const struct compile_file *file, const char *prefix) {
    const char *last = NULL;
    for (int i = 0; i < file->nflags; ++i)
        if (strncmp(file->flags[i], prefix, strlen(prefix)) == 0)
            last = file->flags[i] + strlen(prefix);
    return last;
}

/* Tiles are long loops for vectors, in C of 1999 or later. */
static bool may_transform(const struct compile_file *file) {
    const char *level = last_flag(file, "-O"), *language = last_flag(file, "-std=");
    bool vectors = (level && (strcmp(level, "3") == 0 || strcmp(level, "fast") == 0)) ||
                   last_flag(file, "-ftree-vectorize") || last_flag(file, "-ftree-loop-vectorize");
    bool old = last_flag(file, "-ansi") ||
               (language &&
                (strstr(language, "89") || strstr(language, "90") || strstr(language, "199409")) &&
                !strstr(language, ":1999"));
    return vectors && !old;
}

static void transform(struct compilation *c, const struct compile_request *request) {
    struct compile_file file = request->file;
    struct diag_list diags = {.arena = c->arena};
    file.text = transform_text(c->written, &request->planted, &c->said);
    struct unit *unit = file.text ? compile_parse(c->arena, &file, request->include, &diags) : NULL;
    if (unit && diags.nerrors == 0) {
        unit->written = c->written;
        c->unit = unit;
    } else if (file.text) {
        c->said.count = 0;
    }
}

/* ---- text -> IR, once more ------------------------------------------------------------------- */

static void take_others(struct unit *unit, const struct compile_request *request,
                        struct diag_list *diags) {
    others_import(unit, request);
    effects_take(unit, request->neffects, request->effects, diags);
}

struct unit *compile_parse_again(struct compilation *c, const struct compile_request *request,
                                 const char *text) {
    struct compile_file file = request->file;
    struct diag_list diags = {.arena = c->arena};
    file.text = text;
    struct unit *unit = compile_parse(c->arena, &file, request->include, &diags);
    if (!unit || diags.nerrors > 0)
        return NULL;
    unit->written = c->written;
    unit->nothers = c->unit->nothers;
    unit->others = c->unit->others;
    take_others(unit, request, &diags);
    return unit;
}

/* ---- all steps ------------------------------------------------------------------------------- */

void compile_unit(struct compilation *c, struct arena *arena,
                  const struct compile_request *request) {
    *c = (struct compilation){.arena = arena, .diags = {.arena = arena}, .said = {.arena = arena}};
    c->takes_short = last_flag(&request->file, "-DORRERY_SHORT_LOOPS") != NULL;
    c->unit = c->written = compile_parse(arena, &request->file, request->include, &c->diags);
    if (!c->unit || c->diags.nerrors > 0)
        return;
    if (request->transform && may_transform(&request->file))
        transform(c, request);
    if (request->transform_only)
        return;
    take_others(c->unit, request, &c->diags);
    if (c->diags.nerrors > 0)
        return;
    rewrite_marked(c, request);
    compile_loops(c, request);
    if (request->plan_file)
        take_file(c, request);
    compile_find_outermost(c);
    for (int i = 0; i < c->nplans; ++i)
        if (c->plans[i]->strategy == STRATEGY_SERIAL && c->plans[i]->analysis->facts)
            plan_find_obstacles(c->plans[i]);
    for (int i = 0; request->change && i < c->nplans; ++i)
        change_vectors(c->plans[i]->analysis, request->change);
}

struct emitted compile_text(struct compilation *c) {
    return emit_unit(c->unit, c->noutermost, c->cut, &c->diags);
}
