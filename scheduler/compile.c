/*
 * The list of steps: what is done to a C text, in its order. Read this first.
 *
 *   text (-> IR -> text in better orders) -> IR -> accesses and facts -> dependences -> candidates -> cost -> proof -> plan
 *        -> outline (refused: the next candidate) -> text
 */
#include "scheduler/compile.h"

#include "analyzer/analyzer.h"
#include "scheduler/choose/obstacles.h"
#include "scheduler/emit/emit.h"
#include "scheduler/gpu/make.h"
#include "scheduler/others.h"
#include "scheduler/plan/parts.h"
#include "scheduler/transform/ends.h"
#include "scheduler/transform/output.h"
#include "scheduler/transform/records.h"
#include "scheduler/transform/transform.h"

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

static void choose(struct compile_loop *l) {
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
    choose(l);
}

void compile_analyze_given(struct compile_loop *l) {
    struct analysis *given = analysis_given(l->plan->analysis);
    if (!given)
        return;
    l->analysis = given;
    choose(l);
}

void compile_too_much(struct compile_loop *l) {
    l->analysis = analysis_run(facts_too_much(l->unit, l->loop));
    choose(l);
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
        choose(l);
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
    file.text = transform_text(c->written, request->forget, &c->said);
    struct unit *unit = file.text ? compile_parse(c->arena, &file, request->include, &diags) : NULL;
    if (unit && diags.nerrors == 0)
        c->unit = unit;
    else if (file.text)
        c->said.count = 0;
}

/* ---- text -> text with rows counted that end with a mark ----------------------------------------- */

/* A try of one loop. `unit`: with its rows counted, once they are. */
struct ends {
    struct compile_loop loop;
    struct ends_form form;
    struct unit *unit;
    bool better;
};

static void take_others(struct unit *unit, const struct compile_request *request,
                        struct diag_list *diags) {
    others_import(unit, request);
    effects_take(unit, request->neffects, request->effects, diags);
}

/* The same loop as the user wrote it: it stands in the same line. */
static struct loop *written_loop(const struct compilation *c, struct loop *loop) {
    for (int i = 0; i < c->written->nloops; ++i)
        if (loop_is_marked(c->written->loops[i]) &&
            c->written->loops[i]->header.begin.line == loop->header.begin.line)
            return c->written->loops[i];
    return loop;
}

/* What one loop's try may take, of time and memory (budget.h). */
static const struct budget most_of_try = {8000000, 96L << 20};

static bool within_budget(struct unit *unit, void (*work)(void *), void *data) {
    const struct unit before = *unit;
    bool done = budget_try(unit->arena, &most_of_try, work, data);
    if (!done)
        *unit = before;
    return done;
}

/* The text read again in which one loop is written otherwise; NULL: it has errors. */
static struct unit *parse_again(struct compilation *c, const struct compile_request *request,
                                const char *text) {
    struct compile_file file = request->file;
    struct diag_list diags = {.arena = c->arena};
    file.text = text;
    struct unit *unit = compile_parse(c->arena, &file, request->include, &diags);
    if (!unit || diags.nerrors > 0)
        return NULL;
    take_others(unit, request, &diags);
    return unit;
}

/* A loop that is parallel as it stands stays. */
static void look_for_ends(void *data) {
    struct ends *e = data;
    e->form = ends_form(e->loop.unit, e->loop.loop);
    if (!e->form.text)
        return;
    compile_analyze(&e->loop);
    compile_outline(&e->loop);
    if (e->loop.plan->strategy != STRATEGY_SERIAL)
        e->form.text = NULL;
}

static struct loop *loop_at(const struct unit *unit, int line) {
    for (int i = 0; i < unit->nloops; ++i)
        if (loop_is_marked(unit->loops[i]) && unit->loops[i]->header.begin.line == line)
            return unit->loops[i];
    return NULL;
}

static void look_at_counts(void *data) {
    struct ends *e = data;
    struct compile_loop counted = e->loop;
    counted.unit = e->unit;
    counted.refused = 0;
    counted.loop = loop_at(e->unit, e->loop.loop->header.begin.line);
    if (!counted.loop)
        return;
    struct loop_facts *facts = facts_collect(counted.unit, counted.loop);
    if (!ends_may_move(&e->form, facts))
        return;
    counted.analysis = analysis_run(facts);
    choose(&counted);
    compile_outline(&counted);
    e->better = counted.plan->strategy != STRATEGY_SERIAL;
}

/* ---- text -> text with output collected -------------------------------------------------------- */

static void look_at_output(void *data) {
    struct ends *e = data;
    struct compile_loop collecting = e->loop;
    collecting.unit = e->unit;
    collecting.loop = loop_at(e->unit, e->loop.loop->header.begin.line);
    if (!collecting.loop)
        return;
    compile_analyze(&collecting);
    compile_outline(&collecting);
    e->better = collecting.plan->strategy != STRATEGY_SERIAL;
}

static void output_to_pieces(struct compilation *c, const struct compile_request *request) {
    bool may = !request->allow_fallback && !request->keep_rows;
    for (int i = 0; may && i < c->unit->nloops; ++i) {
        struct loop *loop = c->unit->loops[i];
        struct ends e = {.loop = {.request = request, .unit = c->unit, .loop = loop}};
        const char *text = output_text(c->unit, loop);
        e.unit = text ? parse_again(c, request, text) : NULL;
        if (!e.unit || !within_budget(e.unit, look_at_output, &e) || !e.better)
            continue;
        loop = written_loop(c, loop);
        diag_add(&c->said, SEVERITY_REMARK, ORR1708, loop->header,
                 "what the loop prints is collected, and written behind it in its order")
            ->loop = loop;
        c->unit = e.unit;
    }
}

static void ends_to_counts(struct compilation *c, const struct compile_request *request) {
    bool may = !request->allow_fallback && !request->keep_rows;
    for (int i = 0; may && i < c->unit->nloops; ++i) {
        struct loop *loop = c->unit->loops[i];
        struct ends e = {.loop = {.request = request, .unit = c->unit, .loop = loop}};
        if (!within_budget(c->unit, look_for_ends, &e) || !e.form.text)
            continue;
        e.unit = parse_again(c, request, e.form.text);
        if (!e.unit || !within_budget(e.unit, look_at_counts, &e) || !e.better)
            continue;
        loop = written_loop(c, loop);
        diag_add(&c->said, SEVERITY_REMARK, ORR1707, loop->header,
                 "how many entries its rows have is counted in front of the loop")
            ->loop = loop;
        c->unit = e.unit;
    }
}

/* ---- text -> text with nests of rows as records ------------------------------------------------ */

/* A try of one loop. `unit`: with it as records, once it is. */
struct records {
    struct compile_loop loop;
    struct records_form form;
    struct unit *unit;
    bool better;
};

/* Rows cost a list in front: only loops whose rows wait for each other are worth one. */
static void look_for_rows(void *data) {
    struct records *r = data;
    r->form = records_form(r->loop.unit, r->loop.loop);
    if (!r->form.text)
        return;
    compile_analyze(&r->loop);
    if (r->loop.plan->strategy != STRATEGY_SERIAL && r->loop.plan->strategy != STRATEGY_LEVELS)
        r->form.text = NULL;
    else
        records_check_rows(&r->form, r->loop.analysis);
}

/* The loop that the text has in its place. */
static struct loop *loop_over(const struct unit *unit, const char *name) {
    for (int i = 0; i < unit->nloops; ++i)
        if (loop_is_marked(unit->loops[i]) && unit->loops[i]->variable &&
            strcmp(unit->loops[i]->variable->name, name) == 0)
            return unit->loops[i];
    return NULL;
}

/* Records pay where several keys tell what may run together. */
static void look_at_records(void *data) {
    struct records *r = data;
    struct compile_loop flat = r->loop;
    flat.unit = r->unit;
    flat.loop = loop_over(r->unit, r->form.name);
    if (!flat.loop)
        return;
    struct loop_facts *facts = facts_collect(flat.unit, flat.loop);
    if (!records_may_move(facts))
        return;
    flat.analysis = analysis_run(facts);
    choose(&flat);
    compile_outline(&flat);
    enum strategy how = flat.plan->strategy;
    r->better =
        flat.plan->by_key && (how == STRATEGY_ROTATION_2D || how == STRATEGY_ROTATION_ND ||
                              how == STRATEGY_ORDERED_ROTATION || how == STRATEGY_TOURNAMENT);
}

/* False: it is no such nest, or not better as records. */
static bool try_records(struct compilation *c, const struct compile_request *request,
                        struct records *r) {
    if (!within_budget(c->unit, look_for_rows, r) || !r->form.text)
        return false;
    r->unit = parse_again(c, request, r->form.text);
    return r->unit && within_budget(r->unit, look_at_records, r) && r->better;
}

static void take_records(struct compilation *c, const struct records *r) {
    struct loop *loop = written_loop(c, r->loop.loop);
    diag_add(&c->said, SEVERITY_REMARK, ORR1703, loop->header,
             "the nest is one loop over the records of all rows: '%s' numbers them", r->form.name)
        ->loop = loop;
    c->unit = r->unit;
}

/* Marked nests of rows, one after the other: each try reads the text that the last one left.
 * Where guards that fail must not end the program the loops stay as they are. */
static void rows_to_records(struct compilation *c, const struct compile_request *request) {
    bool may = !request->allow_fallback && !request->keep_rows;
    for (int i = 0; may && i < c->unit->nloops; ++i) {
        struct records r = {
            .loop = {.request = request, .unit = c->unit, .loop = c->unit->loops[i]}};
        if (!try_records(c, request, &r))
            continue;
        if (r.form.nhindrances == 0)
            take_records(c, &r);
        else
            ARENA_PUSH(c->arena, c->nests, c->nnests,
                       ((struct compile_nest){c->unit->loops[i]->header, r.form.nhindrances,
                                              r.form.hindrances}));
    }
}

/* ---- all steps ------------------------------------------------------------------------------- */

void compile_unit(struct compilation *c, struct arena *arena,
                  const struct compile_request *request) {
    *c = (struct compilation){.arena = arena, .diags = {.arena = arena}, .said = {.arena = arena}};
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
    output_to_pieces(c, request);
    ends_to_counts(c, request);
    rows_to_records(c, request);
    compile_loops(c, request);
    if (request->plan_file)
        take_file(c, request);
    compile_find_outermost(c);
    for (int i = 0; i < c->nplans; ++i)
        if (c->plans[i]->strategy == STRATEGY_SERIAL)
            plan_find_obstacles(c->plans[i]);
    for (int i = 0; request->change && i < c->nplans; ++i)
        change_vectors(c->plans[i]->analysis, request->change);
}

struct emitted compile_text(struct compilation *c) {
    return emit_unit(c->unit, c->noutermost, c->cut, &c->diags);
}
