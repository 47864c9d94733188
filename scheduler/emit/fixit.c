#include "scheduler/emit/fixit.h"

#include "scheduler/base/text.h"
#include "scheduler/base/walk.h"
#include "scheduler/emit/fixit_leave.h"
#include "scheduler/emit/fixit_pointer.h"
#include "scheduler/emit/fixit_stream.h"
#include "scheduler/emit/fixit_text.h"

#include <string.h>

/* The message that gets edits, and what it is about. */
struct proposal {
    const struct plan *plan;
    const struct plan_obstacle *reason;
    const struct loop *loop;
    const struct unit *unit;
    struct diag_list *list;
    struct diag *diag;
};

static void propose(const struct proposal *p, struct range range, const char *text) {
    diag_edit(p->list, p->diag, range, text);
}

static bool same_range(struct range a, struct range b) {
    return a.begin.file == b.begin.file && a.begin.offset == b.begin.offset &&
           a.end.offset == b.end.offset;
}

/* ---- clauses */

static void add_clause(const struct proposal *p, const char *clause) {
    struct range place;
    const char *before, *behind;
    const struct pragma *pragma = p->loop->pragma;
    if (pragma && pragma->kind == PRAGMA_PARALLEL &&
        fixit_clause_place(p->unit, pragma->range, &place, &before, &behind))
        propose(p, place, arena_printf(p->list->arena, "%s%s%s", before, clause, behind));
}

/* The verdict or another refusal with its code is about this clause. */
static bool is_refused(const struct proposal *p, const struct clause *clause) {
    const struct loop_facts *facts = p->plan->analysis->facts;
    bool refused = same_range(clause->range, p->reason->where);
    for (int i = 0; i < facts->nrefusals; ++i)
        refused |= message_class_of(facts->refusals[i].code) == MESSAGE_USER &&
                   same_range(facts->refusals[i].range, clause->range);
    return refused;
}

/* All clauses that stand in the way at once: one alone would leave the loop to the next. */
static void remove_clauses(const struct proposal *p) {
    const struct pragma *pragma = p->loop->pragma;
    for (int i = 0; pragma && i < pragma->nclauses; ++i)
        if (is_refused(p, &pragma->clauses[i]))
            propose(p, fixit_clause(p->unit, pragma->clauses[i].range), "");
}

/* ---- random numbers */

/* How many loops of the body `range` stands in. */
struct inside {
    struct range range;
    int count;
};

static void look_inside(void *data, struct stmt *stmt) {
    struct inside *inside = data;
    bool loops = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO;
    inside->count += loops && stmt->range.begin.offset <= inside->range.begin.offset &&
                     stmt->range.end.offset >= inside->range.end.offset;
}

/* The innermost counted loop around `range`, which is in the body of the proposal's; else NULL. */
static const struct loop *innermost(const struct proposal *p, struct range range) {
    const struct loop *found = NULL;
    for (int i = 0; i < p->unit->nloops; ++i) {
        const struct loop *loop = p->unit->loops[i];
        const struct range *body = &loop->body->range;
        if (loop->function == p->loop->function && body->begin.file == range.begin.file &&
            body->begin.offset <= range.begin.offset && body->end.offset >= range.end.offset)
            found = loop;
    }
    return found;
}

static bool is_numbered(const struct loop *loop) {
    return loop->canonical && loop->variable->type->kind == TYPE_INT;
}

static bool hides(const struct loop *loop) {
    for (const struct loop *up = loop->parent; up; up = up->parent)
        if (is_numbered(up) && strcmp(up->variable->name, loop->variable->name) == 0)
            return true;
    return false;
}

/* Every round that draws at `range` has a number: of the loop, and of the loops inside of it. */
static bool has_numbers(const struct proposal *p, struct range range) {
    struct inside inside = {.range = range};
    int count = 0;
    const struct loop *loop = innermost(p, range);
    emit_walk_stmts(p->loop->body, look_inside, &inside);
    for (; loop && loop != p->loop && is_numbered(loop) && !hides(loop); loop = loop->around)
        ++count;
    return loop == p->loop && is_numbered(loop) && !hides(loop) && count == inside.count &&
           range.begin.file == loop->header.begin.file &&
           range.begin.offset > loop->header.end.offset;
}

/* A pass of the loop is one round of each loop around it, and these are numbered. */
static bool passes_have_numbers(const struct proposal *p) {
    const struct loop *loop = p->loop->around;
    while (loop && is_numbered(loop))
        loop = loop->around;
    return p->loop->around && !loop;
}

/* Every place, and every round of the loops around it up to `loop`, has a stream of its own. */
static const char *seed_of(const struct proposal *p, const struct loop *loop, int place,
                           int places) {
    const char *n = loop && is_numbered(loop) ? loop->variable->name : NULL;
    if (!loop)
        return arena_printf(p->list->arena, "%d", place + 1);
    if (!n)
        return seed_of(p, loop->around, place, places);
    if (loop->around || loop == p->loop)
        return arena_printf(p->list->arena, "orrery_random(%s, %s)",
                            seed_of(p, loop->around, place, places), n);
    return arena_printf(p->list->arena, "%d + %s%s", place + 1,
                        places > 1 ? arena_printf(p->list->arena, "%d * ", places) : "", n);
}

/* A draw in the body that a variable of the body can count. */
static bool can_be_counted(const struct proposal *p, struct range range) {
    const struct stmt *body = p->loop->body;
    return body->kind == STMT_BLOCK && body->range.exact && is_numbered(p->loop) &&
           !hides(p->loop) && body->range.begin.file == p->unit->main_file &&
           range_holds(&body->range, &range);
}

/* A name that is nowhere in the file yet. */
static const char *counter_name(const struct proposal *p, int place) {
    const char *text = p->unit->files[p->unit->main_file].text;
    const char *name = arena_printf(p->list->arena, "draws%d", place + 1);
    while (token_uses(text, name))
        name = arena_printf(p->list->arena, "%s_", name);
    return name;
}

/*
 * Number `place` of the draws: by the numbers of the loops around it, where each of its rounds has
 * one, else by a counter of its own, whose declaration is added to `counters`.
 */
static void replace_draw(const struct proposal *p, struct range range, int place, int places,
                         const char **counters) {
    if (has_numbers(p, range)) {
        const struct loop *loop = innermost(p, range);
        propose(p, range,
                fixit_draw(p->unit, range, seed_of(p, loop->around, place, places),
                           loop->variable->name));
        return;
    }
    const char *name = counter_name(p, place);
    propose(p, range,
            fixit_draw(p->unit, range, seed_of(p, p->loop, place, places),
                       arena_printf(p->list->arena, "%s++", name)));
    *counters = arena_printf(p->list->arena, "%s%slong %s = 0;", *counters,
                             fixit_first_line(p->unit, p->loop->body->range), name);
}

/* The edits of all draws hang on the first one's message. */
static bool is_first_draw(const struct proposal *p) {
    const struct loop_facts *facts = p->plan->analysis->facts;
    for (int i = 0; i < facts->nrefusals; ++i)
        if (facts->refusals[i].code == ORR2210)
            return same_range(facts->refusals[i].range, p->reason->where);
    return false;
}

static const char drawn_elsewhere[] =
    "a number that no other draw has must be handed to what draws: give it the loop's variable";
static const char drawn_without_block[] =
    "there is no place for a counter of the draws: put the loop's body into braces";

static void replace_random(const struct proposal *p) {
    const struct loop_facts *facts = p->plan->analysis->facts;
    const unsigned begin = p->loop->body->range.begin.offset + 1;
    struct range include;
    const char *counters = "";
    int places = 0, place = 0;
    bool elsewhere = false;
    for (int i = 0; i < facts->nrefusals; ++i) {
        struct range range = facts->refusals[i].range;
        if (facts->refusals[i].code != ORR2210)
            continue;
        ++places;
        if (!fixit_draw(p->unit, range, "", ""))
            elsewhere = true;
        else if (!has_numbers(p, range) && !can_be_counted(p, range))
            p->diag->held = drawn_without_block;
    }
    if (elsewhere && is_first_draw(p) && fixit_stream_draws(p->unit, p->loop, p->list, p->diag)) {
        p->diag->held = NULL;
        return;
    }
    p->diag->held = elsewhere ? drawn_elsewhere : p->diag->held;
    if (p->diag->held || !is_first_draw(p))
        return;
    if (fixit_include_place(p->unit, &include))
        propose(p, include, "#include <orrery.h>\n");
    if (!passes_have_numbers(p))
        p->diag->gives_up =
            "other numbers in every call: give the seed what differs from pass to pass";
    for (int i = 0; i < facts->nrefusals; ++i)
        if (facts->refusals[i].code == ORR2210)
            replace_draw(p, facts->refusals[i].range, place++, places, &counters);
    if (*counters)
        propose(p, fixit_range(p->unit, p->unit->main_file, begin, begin), counters);
}

/* ---- variables of the body */

/* Uses of a variable inside and outside of [begin, end) of the loop's file. */
struct uses {
    const struct variable *var;
    unsigned begin, end;
    int outside;
};

static void count_use(void *data, struct expr *expr, struct expr *parent) {
    struct uses *uses = data;
    (void)parent;
    if (expr->kind == EXPR_VAR && expr->var == uses->var)
        uses->outside +=
            expr->range.begin.offset < uses->begin || expr->range.begin.offset >= uses->end;
}

/* The declaration of one variable, a statement of its own. */
struct declaration {
    const struct variable *var;
    const struct stmt *stmt;
};

static void find_declaration(void *data, struct stmt *stmt) {
    struct declaration *declaration = data;
    if (stmt->kind == STMT_DECL && stmt->nvars == 1 && stmt->vars[0] == declaration->var)
        declaration->stmt = stmt;
}

static const char *text_of(const struct proposal *p, struct range range) {
    return arena_strndup(p->list->arena, p->unit->files[range.begin.file].text + range.begin.offset,
                         range.end.offset - range.begin.offset);
}

/* The declaration goes to the begin of the body, if the loop alone uses the variable. */
static void declare_inside(const struct proposal *p, const struct variable *var) {
    const struct loop *loop = p->loop;
    struct range body = loop->body->range;
    struct declaration declaration = {.var = var};
    if (!var || var->storage != STORAGE_LOCAL || loop->body->kind != STMT_BLOCK || !body.exact ||
        body.begin.file != p->unit->main_file)
        return;
    struct uses uses = {.var = var, .begin = body.begin.offset, .end = body.end.offset};
    emit_walk_stmts(loop->function->body, find_declaration, &declaration);
    emit_walk_stmt(loop->function->body, count_use, &uses);
    if (!declaration.stmt || !declaration.stmt->range.exact || uses.outside > 0)
        return;
    struct range declared = declaration.stmt->range;
    propose(p, declared, "");
    propose(p, fixit_range(p->unit, body.begin.file, body.begin.offset + 1, body.begin.offset + 1),
            arena_printf(p->list->arena, "%s%s", fixit_first_line(p->unit, body),
                         text_of(p, declared)));
}

/* What the words at `range` name. */
struct named {
    struct range range;
    const struct variable *var;
    const struct function *function;
};

static void find_named(void *data, struct expr *expr, struct expr *parent) {
    struct named *named = data;
    (void)parent;
    if (expr->kind == EXPR_VAR && same_range(expr->range, named->range))
        named->var = expr->var;
}

static const char passing_given_up[] =
    "what passes from one iteration to the next: each begins with the declaration's value";

static void declare_named_inside(const struct proposal *p) {
    struct named named = {.range = p->reason->where};
    emit_walk_stmt(p->loop->body, find_named, &named);
    declare_inside(p, named.var);
    p->diag->promises = p->diag->nedits > 0;
    p->diag->gives_up = p->diag->nedits > 0 ? passing_given_up : p->diag->gives_up;
}

static void declare_scratch_inside(const struct proposal *p) {
    const struct dependence *dep = p->reason->culprit;
    if (dep && dep->source && dep->kind == DEP_OUTPUT && dep->source->object->kind == OBJECT_ARRAY)
        declare_inside(p, dep->source->object->var);
}

/* In its own order the loop may run by levels. */
static void keep_order(const struct proposal *p) {
    const struct pragma *pragma = p->loop->pragma;
    for (int i = 0; pragma && p->diag->nedits == 0 && i < pragma->nclauses; ++i) {
        if (pragma->clauses[i].kind != CLAUSE_UNORDERED)
            continue;
        propose(p, fixit_clause(p->unit, pragma->clauses[i].range), "");
        p->diag->frees = true;
    }
}

/* ---- functions */

/* C11 6.2.2: with a declaration without `static` in front, one with it is wrong. */
static void make_static(const struct proposal *p) {
    const struct function *function = p->loop->function;
    struct range range = function->range;
    if (range.exact && range.begin.file == p->unit->main_file && !function->is_redeclared)
        propose(p, fixit_range(p->unit, range.begin.file, range.begin.offset, range.begin.offset),
                "static ");
}

/* ---- promises and liberties */

static const char others_given_up[] = "its name in other files, of which the linker tells";

/* Of a variable that other files may name. */
static void keep_to_file(const struct proposal *p) {
    const struct loop_facts *facts = p->plan->analysis->facts;
    const struct variable *var = NULL;
    for (int i = 0; i < facts->nmisses; ++i)
        if (facts->misses[i].if_static && same_range(facts->misses[i].range, p->reason->where))
            var = facts->misses[i].object->var;
    if (!var || var->is_redeclared || !var->range.exact ||
        var->range.begin.file != p->unit->main_file)
        return;
    propose(p,
            fixit_range(p->unit, var->range.begin.file, var->range.begin.offset,
                        var->range.begin.offset),
            "static ");
    p->diag->gives_up = others_given_up;
}

static const char order_given_up[] =
    "the loop's own order: the result is that of some order of the iterations";
static const char values_given_up[] =
    "up-to-date values: iterations see those of the last merge, and the result is another one";
static const char proof_given_up[] =
    "the proof: Orrery takes your word for it; `orrery verify` tests it";

static void add_unordered(const struct proposal *p) {
    if (p->plan->analysis->unordered)
        return;
    add_clause(p, "unordered");
    p->diag->gives_up = order_given_up;
    p->diag->frees = true;
}

/* What the words of the reason reach. */
static const struct object *object_at(const struct proposal *p) {
    const struct loop_facts *facts = p->plan->analysis->facts;
    if (p->reason->culprit)
        return p->reason->culprit->object;
    for (int i = 0; i < facts->naccesses; ++i)
        if (same_range(facts->accesses[i].range, p->reason->where))
            return facts->accesses[i].object;
    return NULL;
}

/* A clause can name variables, and members of what one points to. */
static bool can_be_named(const struct proposal *p, const struct object *object) {
    const struct pragma *pragma = p->loop->pragma;
    bool in_scope = false;
    for (int i = 0; object->var && pragma && i < pragma->nscope; ++i)
        in_scope |= pragma->scope[i] == object->var;
    return object->name && in_scope && !strpbrk(object->name, " [(*");
}

static bool is_named(const struct proposal *p, enum clause_kind kind, const char *name) {
    const struct pragma *pragma = p->loop->pragma;
    for (int i = 0; pragma && i < pragma->nclauses; ++i)
        for (int n = 0; pragma->clauses[i].kind == kind && n < pragma->clauses[i].nnames; ++n)
            if (strcmp(pragma->clauses[i].names[n], name) == 0)
                return true;
    return false;
}

static void add_relax(const struct proposal *p) {
    const struct object *object = object_at(p);
    bool may = object && object_is_numbers(object) && object_may_have_copies(object) &&
               can_be_named(p, object) && !is_named(p, CLAUSE_RELAX, object->name);
    if (!may || p->diag->nedits > 0)
        return;
    add_clause(p, arena_printf(p->list->arena, "relax(%s)", object->name));
    p->diag->gives_up = values_given_up;
    p->diag->frees = true;
}

static void find_call(void *data, struct expr *expr, struct expr *parent) {
    struct named *named = data;
    (void)parent;
    if (expr->kind == EXPR_CALL && expr->function && same_range(expr->range, named->range))
        named->function = expr->function;
}

/* A function without a value is called for what it does. */
static void add_pure(const struct proposal *p) {
    struct named named = {.range = p->reason->where};
    emit_walk_stmt(p->loop->body, find_call, &named);
    const struct function *function = named.function;
    if (!function || !function->result || function->result->kind == TYPE_VOID)
        return;
    add_clause(p, arena_printf(p->list->arena, "assume(pure(%s))", function->name));
    p->diag->gives_up = proof_given_up;
    p->diag->promises = true;
}

static void run_to_the_end(const struct proposal *p) {
    fixit_leave(p->unit, p->loop, p->reason->where, p->list, p->diag);
}

static void name_functions(const struct proposal *p) {
    const char *words = fixit_pointer(p->unit, p->loop, p->list, p->diag);
    if (!words)
        return;
    p->diag->fix = arena_printf(p->list->arena,
                                "call the functions whose address this file takes by their names: "
                                "%s",
                                words);
    p->diag->gives_up =
        arena_printf(p->list->arena, "other functions that the pointer may lead to than %s", words);
    p->diag->promises = true;
}

/* A generator of the program's own carries its state. */
static bool begin_streams(const struct proposal *p) {
    const struct object *object = object_at(p);
    bool carries = p->reason->code == ORR2201 || p->reason->code == ORR2112;
    return carries && object && fixit_stream_state(p->unit, p->loop, object->var, p->list, p->diag);
}

/* ---- all of them */

static const struct recipe {
    const char *code;
    void (*make)(const struct proposal *p);
} recipes[] = {
    {ORR2102, add_unordered},
    {ORR2105, add_relax},
    {ORR2111, add_relax},
    {ORR2111, keep_order},
    {ORR2112, declare_scratch_inside},
    {ORR2112, add_relax},
    {ORR2113, add_unordered},
    {ORR2201, declare_named_inside},
    {ORR2204, add_relax},
    {ORR2210, replace_random},
    {ORR2213, add_pure},
    {ORR2214, name_functions},
    {ORR2220, run_to_the_end},
    {ORR2221, run_to_the_end},
    {ORR2222, run_to_the_end},
    {ORR2231, declare_scratch_inside},
    {ORR2232, keep_to_file},
    {ORR2313, make_static},
};

/* What a program must not touch: text that a macro brings. */
static const char *held_back(const struct unit *unit, const struct diag *diag) {
    for (int i = 0; i < diag->nedits; ++i)
        if (unit_is_expanded(unit, &diag->edits[i].range))
            return "the words come from a macro";
    return NULL;
}

void fixit_propose(const struct plan *plan, const struct plan_obstacle *reason,
                   struct diag_list *list, struct diag *diag) {
    const struct loop *loop = plan->analysis->loop;
    const struct proposal p = {plan, reason, loop, plan->analysis->facts->unit, list, diag};
    if (plan->strategy != STRATEGY_SERIAL || reason->where.begin.line <= 0)
        return;
    if (loop->header.begin.file != p.unit->main_file) {
        diag->held = "the loop stands in a header, which other files may share";
        return;
    }
    if (message_class_of(reason->code) == MESSAGE_USER && same_range(reason->where, plan->where))
        remove_clauses(&p);
    const bool begins = begin_streams(&p);
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes && !begins; ++i)
        if (recipes[i].code == reason->code)
            recipes[i].make(&p);
    diag->held = diag->held ? diag->held : held_back(p.unit, diag);
    diag->nedits = diag->held ? 0 : diag->nedits;
}
