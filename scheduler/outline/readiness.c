/*
 * What is read before the loop that the loop reads under a condition only, or not at all when it
 * has no iteration: the arrays' places and sizes behind pointers to structures, what is summed
 * into. Where a pointer leads nowhere the loop runs as it was written, which is said; so does a
 * loop that would come to what only the serial loop may do.
 */
#include "scheduler/base/guard.h"
#include "scheduler/outline/collect.h"

#include <ctype.h>
#include <string.h>

/* C texts that the run evaluates. `place`: not the value there is wanted, only where it is. */
struct source {
    const char *text;
    bool place;
};

struct sources {
    struct arena *arena;
    int count;
    struct source *items;
};

/*
 * `asked`: the checks so far, in the order of the text's needs; `reads`: what the run reads where
 * `when` holds (NULL: always), for the object or guard that is looked at.
 */
struct readiness {
    struct outline *job;
    struct sources reads;
    const struct expr *when;
    int count;
    const char **asked;
};

/* A pointer that leads to something: what an expression says, or a variable. */
struct pointer {
    const struct expr *expr;
    const struct variable *var;
};

static bool is_pointer(const struct variable *var) {
    return var && var->type->kind == TYPE_POINTER;
}

static struct pointer pointer_of(const struct object *object) {
    return (struct pointer){object->base,
                            !object->base && is_pointer(object->var) ? object->var : NULL};
}

static bool is_same(struct pointer a, struct pointer b) {
    const struct variable *left = a.expr && a.expr->kind == EXPR_VAR ? a.expr->var : a.var;
    const struct variable *right = b.expr && b.expr->kind == EXPR_VAR ? b.expr->var : b.var;
    return left || right ? left == right : a.expr && b.expr && expr_equal(a.expr, b.expr);
}

/* Who evaluates `expr` follows the pointer. */
static bool follows(const struct expr *expr, struct pointer pointer) {
    if (!expr || expr->kind == EXPR_CONDITIONAL || expr->kind == EXPR_AND || expr->kind == EXPR_OR)
        return false;
    bool leads = expr->kind == EXPR_DEREF || expr->kind == EXPR_SUBSCRIPT;
    if (leads && is_same((struct pointer){expr->args[0], NULL}, pointer))
        return true;
    for (int i = 0; i < expr->nargs; ++i)
        if (follows(expr->args[i], pointer))
            return true;
    return false;
}

/* The header, or an access that is in every iteration where `when` holds, leads through the
 * pointer. */
static bool is_sure(const struct outline *job, struct pointer pointer, const struct expr *when) {
    if (follows(job->loop->lower, pointer) || follows(job->loop->upper, pointer))
        return true;
    for (int i = 0; i < job->facts->nobjects; ++i) {
        const struct object *object = job->facts->objects[i];
        if (object->kind == OBJECT_POINTER && is_same(pointer_of(object), pointer) &&
            object->surely && facts_implies(when, object->when))
            return true;
    }
    return false;
}

/* Where the call stands, what a variable held where the loop begins is what it holds. */
static const char *outside_name(void *data, const struct variable *var) {
    return emit_outside_name(data, var);
}

static const char *outside_text(const struct readiness *readiness, const struct expr *expr) {
    return expr_print_renamed(readiness->job->arena, expr, outside_name, readiness->job);
}

static void ask(struct readiness *readiness, const char *check) {
    struct outline *job = readiness->job;
    if (readiness->when)
        check = arena_printf(job->arena, "(!(%s) || %s)", outside_text(readiness, readiness->when),
                             check);
    for (int i = 0; i < readiness->count; ++i)
        if (strcmp(readiness->asked[i], check) == 0)
            return;
    ARENA_PUSH(job->arena, readiness->asked, readiness->count, check);
}

static void ask_readable(struct readiness *readiness, const char *pointer, const char *size) {
    ask(readiness, arena_printf(readiness->job->arena, "orrery_readable(%s, %s)", pointer, size));
}

/* What leads to the value of `expr`, the innermost pointer first. */
static void ask_way(struct readiness *readiness, const struct expr *expr) {
    struct outline *job = readiness->job;
    for (int i = 0; i < expr->nargs; ++i)
        if (expr->args[i])
            ask_way(readiness, expr->args[i]);
    bool element = expr->kind == EXPR_SUBSCRIPT && expr->args[0]->type->kind == TYPE_POINTER;
    if (expr->kind != EXPR_DEREF && !element)
        return;
    if (is_sure(job, (struct pointer){expr->args[0], NULL}, readiness->when))
        return;
    const char *pointer = outside_text(readiness, expr->args[0]);
    if (element) {
        pointer = arena_printf(job->arena, "&%s", outside_text(readiness, expr));
        emit_addressed(job, emit_root(expr));
    }
    ask_readable(readiness, pointer,
                 arena_printf(job->arena, "sizeof %s",
                              element ? pointer + 1 : arena_printf(job->arena, "*(%s)", pointer)));
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '>';
}

/* ---- what the run evaluates before any iteration ---------------------------------------------- */

static void add(struct sources *sources, const char *text) {
    struct source source = {text, false};
    if (text)
        ARENA_PUSH(sources->arena, sources->items, sources->count, source);
}

static void add_expr(const struct outline *job, struct sources *sources, const struct expr *expr) {
    add(sources, expr ? expr_print(job->arena, expr) : NULL);
}

static void add_place(const struct outline *job, struct sources *sources,
                      const struct object *object) {
    if (!emit_has_base(job, object) || (!object->base && object->kind != OBJECT_SCALAR))
        return;
    struct source source = {object->base ? expr_print(job->arena, object->base) : object->var->name,
                            object->kind != OBJECT_SCALAR};
    ARENA_PUSH(sources->arena, sources->items, sources->count, source);
}

static void add_dim(struct sources *sources, const struct object_dim *dim) {
    add(sources, dim->extent_text);
    add(sources, dim->stride_text);
}

static void add_row(struct sources *sources, const struct row_shape *shape) {
    add(sources, shape->row_offset);
    add(sources, shape->row_stride);
    add(sources, shape->pieces);
    add(sources, shape->piece_bytes);
    add(sources, shape->piece_stride);
}

/* Where array number `at` is, and its size. */
static void add_shape(const struct outline *job, int at, struct sources *sources) {
    const struct plan_array *array = job->arrays[at];
    const struct object *object = array->object;
    add_place(job, sources, object);
    if (array->shape)
        add_row(sources, array->shape);
    for (int d = 0; !array->shape && object->kind == OBJECT_ROWS && d < object->ntables; ++d)
        add(sources, d < object->ndims ? object->dims[d].extent_text : NULL);
    add(sources, object->size_text);
    if (!object->size_text && emit_has_reach(job, object))
        add_dim(sources, &object->dims[0]);
}

/* Of arrays that are folded into. */
static void add_sums(const struct outline *job, struct sources *sources) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        const struct object *object =
            r->facts_index >= 0 ? job->facts->reductions[r->facts_index].object : r->object;
        if (!r->is_array)
            continue;
        add_expr(job, sources, object ? object->when : NULL);
        add(sources, r->size_text);
        if (!r->size_text && !r->measured && object && emit_has_reach(job, object))
            add_dim(sources, &object->dims[0]);
    }
}

/* Of rows behind tables that are folded into. */
static void add_rows(const struct outline *job, struct sources *sources) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        if (!r->rows)
            continue;
        add(sources, r->target);
        for (int d = 0; d < r->object->ndims && d <= r->object->ntables; ++d)
            add_dim(sources, &r->object->dims[d]);
    }
}

/* `words` stand somewhere in `text`, no part of a longer name. */
static bool holds_words(const char *text, const char *words) {
    size_t length = strlen(words);
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words))
        if ((at == text || !is_word(at[-1])) &&
            !(isalnum((unsigned char)at[length]) || at[length] == '_'))
            return true;
    return false;
}

/* Some of the sources evaluates what is `value` in C. */
static bool is_evaluated(const struct sources *sources, const char *value) {
    for (int i = 0; i < sources->count; ++i) {
        const struct source *source = &sources->items[i];
        if (holds_words(source->text, value) &&
            !(source->place && strcmp(source->text, value) == 0))
            return true;
    }
    return false;
}

static bool is_summed_into(const struct outline *job, const struct object *object) {
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].is_array && !job->reductions[j].rows &&
            job->reductions[j].object == object)
            return true;
    return false;
}

static const struct plan_array *array_of(const struct outline *job, const struct object *object) {
    int at = emit_array_index(job, object);
    return at >= 0 ? job->arrays[at] : NULL;
}

/* Of the table every iteration has an entry of its own. */
static bool is_by_variable(const struct outline *job, const struct plan_array *array) {
    return array && array->dim >= 0 && array->shape && array->shape->by_table &&
           job->plan->analysis->dims[array->dim].kind == DIM_VARIABLE;
}

/* The run looks at entries of a table from 0 to its greatest subscript,
 * and the loop may read others only. */
static bool looks_further(const struct outline *job, const struct object *object) {
    const struct plan_array *array = array_of(job, object);
    bool declared = !object->base && !is_pointer(object->var);
    return object->kind == OBJECT_ROWS && array && !declared && !object->all_entries &&
           !is_by_variable(job, array) && object->ndims > 0 && object->dims[0].extent_text;
}

/* A table that is a variable itself: its size is known, and its address need not leave. */
static bool is_declared(const struct expr *base) {
    return base && base->kind == EXPR_VAR && base->var->type->kind == TYPE_ARRAY &&
           base->var->type->size > 0 && base->var->type->element->kind == TYPE_POINTER;
}

/* The pointers of a table that the run looks at, which may be more than the loop follows. */
static void ask_table(struct readiness *readiness, const struct object *object, const char *table) {
    struct outline *job = readiness->job;
    const struct plan_array *array = array_of(job, object);
    long step = object->table_step ? object->table_step : (long)sizeof(char *);
    const struct loop *loop = job->loop;
    const char *first = "0", *count = "1";
    if (is_by_variable(job, array)) {
        const char *from = job->facts->by_number ? "0" : "(long)orrery_first";
        first = arena_printf(
            job->arena, "%s + %ldL%s", from, array->shape->table_offset,
            loop->step < 0 ? arena_printf(job->arena, " - (orrery_count - 1) * %ldL", -loop->step)
                           : "");
        count = arena_printf(job->arena, "(orrery_count - 1) * %ldL + 1",
                             loop->step < 0 ? -loop->step : loop->step);
    } else if (object->ndims > 0 && object->dims[0].extent_text) {
        count = object->dims[0].extent_text;
    }
    const char *size =
        arena_printf(job->arena, "(%s) < 2 ? %ldUL : (unsigned long)((%s) - 1) * %ldUL + %ldUL",
                     count, (long)sizeof(char *), count, step, (long)sizeof(char *));
    if (is_declared(object->base))
        ask(readiness, arena_printf(job->arena, "(unsigned long)((%s) * %ldL) + (%s) <= sizeof(%s)",
                                    first, step, size, table));
    else
        ask_readable(readiness,
                     arena_printf(job->arena, "(const char *)(%s) + %ldL + (%s) * %ldL", table,
                                  object->table_step ? object->table_at : 0, first, step),
                     size);
}

static void ask_place(struct readiness *readiness, const struct object *object, const char *place) {
    if (object->kind == OBJECT_ROWS)
        ask_table(readiness, object, place);
    else
        ask_readable(readiness, place, object->size_text ? object->size_text : "1");
}

static void ask_object(struct readiness *readiness, const struct object *object) {
    struct outline *job = readiness->job;
    if (object->surely && !looks_further(job, object))
        return;
    readiness->when = object->when;
    if (object->base && !object->surely)
        ask_way(readiness, object->base);
    struct pointer pointer = pointer_of(object);
    bool rows = object->kind == OBJECT_ROWS;
    if ((!pointer.expr && !pointer.var) || (object->kind != OBJECT_POINTER && !rows))
        return;
    const char *name = pointer.expr ? expr_print(job->arena, pointer.expr) : pointer.var->name;
    if (rows || (!is_sure(job, pointer, readiness->when) && is_evaluated(&readiness->reads, name)))
        ask_place(readiness, object, pointer.expr ? outside_text(readiness, pointer.expr) : name);
}

/* What is summed into is read, or where it is, in front of the loop. */
static void ask_target(struct readiness *readiness, const struct object *object) {
    readiness->when = NULL;
    if (object->when && (emit_follows_pointer(object->base) || object->kind == OBJECT_ROWS))
        ask(readiness,
            arena_printf(readiness->job->arena, "(%s)", outside_text(readiness, object->when)));
    readiness->when = object->when;
    if (is_pointer(object->var) && is_summed_into(readiness->job, object) && !object->surely)
        ask_readable(readiness, emit_outside_name(readiness->job, object->var), "1");
}

/* ---- invariant values ------------------------------------------------------------------------ */

/* The value is read where `when` holds: is it there? */
static void ask_front(struct readiness *readiness, const struct front_value *front,
                      const struct expr *when) {
    readiness->when = when;
    if (!facts_implies(when, front->when))
        ask(readiness,
            arena_printf(readiness->job->arena, "(%s)", outside_text(readiness, front->when)));
    if (front->sometimes)
        ask_way(readiness, front->expr);
}

static void ask_fronts(struct readiness *readiness, const struct sources *sources,
                       const struct expr *when) {
    struct outline *job = readiness->job;
    for (int i = 0; i < job->facts->nfronts; ++i) {
        const struct front_value *front = &job->facts->fronts[i];
        if (is_evaluated(sources, expr_print(job->arena, front->expr)))
            ask_front(readiness, front, when);
    }
}

static void ask_fronts_of(struct readiness *readiness, const char *text, const struct expr *when) {
    struct source source = {text, false};
    struct sources sources = {.count = 1, .items = &source};
    ask_fronts(readiness, &sources, when);
}

static bool is_early(const struct outline *job, const struct front_value *front, bool *told) {
    const struct plan *plan = job->plan;
    *told = !plan->wave && !plan->pipe;
    return front->symbol && (!*told || job->ntouches > 0 || emit_has_weights(job));
}

/* Lists, weights and positions name them by symbols; the first two know when. */
static void ask_symbols(struct readiness *readiness) {
    for (int i = 0; i < readiness->job->facts->nfronts; ++i) {
        const struct front_value *front = &readiness->job->facts->fronts[i];
        bool told;
        if (is_early(readiness->job, front, &told) && (front->sometimes || !told))
            ask_front(readiness, front, told ? front->when : NULL);
    }
}

static void ask_texts(struct readiness *readiness) {
    struct outline *job = readiness->job;
    const struct loop_facts *facts = job->facts;
    bool parts = job->plan->wave || job->plan->pipe;
    struct sources rows = {.arena = job->arena}, sums = {.arena = job->arena};
    add_rows(job, &rows);
    ask_fronts(readiness, &rows, NULL);
    for (int i = 0; i < job->narrays; ++i) {
        struct sources shape = {.arena = job->arena};
        add_shape(job, i, &shape);
        ask_fronts(readiness, &shape, parts ? NULL : job->arrays[i]->object->when);
    }
    for (int i = 0; i < facts->nguards; ++i)
        if (facts->guards[i].kind == GUARD_CONDITION)
            ask_fronts_of(readiness, facts->guards[i].text, facts->guards[i].when);
    for (int i = 0; i < facts->nobjects; ++i)
        if (facts->objects[i]->origin_text)
            ask_fronts_of(readiness, facts->objects[i]->origin_text,
                          parts ? NULL : facts->objects[i]->when);
    for (int i = 0; i < facts->ninductions; ++i)
        ask_fronts_of(readiness, expr_print(job->arena, facts->inductions[i].by), NULL);
    add_sums(job, &sums);
    ask_fronts(readiness, &sums, NULL);
    ask_symbols(readiness);
}

static bool holds(const struct expr *expr, const struct expr *part) {
    bool found = expr_equal(expr, part);
    for (int i = 0; i < expr->nargs && !found; ++i)
        found = expr->args[i] && holds(expr->args[i], part);
    return found;
}

/* Some of it may fault where the loop does not evaluate it. */
static bool is_front(const struct outline *job, const struct expr *expr) {
    for (int i = 0; i < job->facts->nfronts; ++i)
        if (holds(expr, job->facts->fronts[i].expr))
            return true;
    return false;
}

bool emit_readiness_is_early(const struct outline *job) {
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].follows || job->reductions[j].rows ||
            emit_chooses_behind(job, &job->reductions[j]))
            return true;
    for (int i = 0; i < job->facts->ninductions; ++i)
        if (is_front(job, job->facts->inductions[i].by))
            return true;
    return false;
}

/* What the run reads before any iteration: shapes, conditions, what is summed into. */
static struct sources reads_of(const struct outline *job) {
    struct sources sources = {.arena = job->arena};
    for (int i = 0; i < job->narrays; ++i) {
        add_expr(job, &sources, job->arrays[i]->object->when);
        add_shape(job, i, &sources);
    }
    add_sums(job, &sources);
    for (int i = 0; i < job->facts->nguards; ++i)
        if (job->facts->guards[i].kind == GUARD_CONDITION)
            add(&sources, job->facts->guards[i].text);
    for (int i = 0; i < job->facts->nobjects; ++i)
        add(&sources, job->facts->objects[i]->origin_text);
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].follows)
            add(&sources, job->reductions[j].target);
    return sources;
}

/* Whose iteration may end the program, while those behind it must not be seen. */
static void end_see(void *data, struct expr *e) {
    bool *ends = data;
    const char *name = e->kind == EXPR_CALL && e->function ? e->function->name : "";
    *ends = *ends || strcmp(name, "orrery_output_leave") == 0 ||
            (strcmp(name, "orrery_output_at") == 0 && e->nargs == 4 &&
             e->args[3]->kind == EXPR_INT && e->args[3]->int_value == 1);
}

/* What is summed into has copies, whose subscripts nobody holds against their sizes. */
static bool sum_is_bounded(const struct loop *loop, const struct access *a) {
    for (int d = 0; d < a->nsubs; ++d) {
        const struct affine *value = &a->subs[d].value;
        for (int i = 0; i < value->nterms; ++i) {
            const struct symbol *symbol = value->terms[i].symbol;
            const bool inner = symbol->kind == SYMBOL_LOOP && symbol->loop != loop;
            if (symbol->kind != SYMBOL_PARAM && !inner)
                return false;
        }
        if (!a->subs[d].known)
            return false;
    }
    return true;
}

static void inside_see(void *data, struct expr *e) {
    bool *inside = data;
    *inside = *inside || (e->kind == EXPR_CALL && e->function &&
                          strcmp(e->function->name, "orrery_output_inside") == 0);
}

/* The text holds the subscript against the array's length (scheduler/transform/output.c). */
static bool is_held(const struct access *a) {
    bool inside = false;
    expr_visit(a->expr, inside_see, &inside);
    return inside;
}

static bool check_sums(struct outline *job) {
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *a = &job->facts->accesses[i];
        if (a->reduction >= 0 && !sum_is_bounded(job->loop, a) && !is_held(a))
            return emit_refuse(job, ORR2217, a->range,
                               "the data choose the elements of `%s` that are summed into: behind "
                               "an iteration that ends the program they may be outside",
                               a->object->name);
    }
    return true;
}

/* `scale(n, x, x)` is no mistake of the program, but the parallel text takes x for two arrays. */
static bool may_be_equal(const struct readiness *outside, const struct guard *guard,
                         struct outline_serial *serial) {
    const struct outline *job = outside->job;
    const struct variable *kept, *twin;
    if (!job->loop->pragma || guard->assumed || guard->repeated ||
        !guard_is_elementwise(job->facts, guard, &kept, &twin))
        return false;
    serial->holds =
        arena_printf(job->arena, "(const void *)%s != (const void *)%s",
                     outside_text(outside, guard->a->base), outside_text(outside, guard->b->base));
    serial->words = arena_printf(job->arena, "%s is %s", twin->name, kept->name);
    return true;
}

/* What stands behind these conditions is done in the loop's order, or not at all. */
static bool serial_collect(struct outline *job) {
    struct readiness outside = {.job = job};
    struct outline_serial *list = NULL;
    for (int i = 0; i < job->facts->nguards; ++i) {
        const struct guard *guard = &job->facts->guards[i];
        struct outline_serial equal;
        if (may_be_equal(&outside, guard, &equal))
            ARENA_PUSH(job->arena, list, job->nserial, equal);
        if (!guard->serial)
            continue;
        const char *holds =
            arena_printf(job->arena, "!(%s)", outside_text(&outside, guard->serial));
        if (guard->when)
            holds = arena_printf(job->arena, "(!(%s) || %s)", outside_text(&outside, guard->when),
                                 holds);
        struct outline_serial serial = {holds, guard_serial_words(job->arena, guard)};
        ARENA_PUSH(job->arena, list, job->nserial, serial);
    }
    bool ends = false;
    stmt_visit(job->loop->body, end_see, &ends);
    if (ends) {
        struct outline_serial serial = {
            "orrery_output_unseen()",
            "what runs when the program ends may see what later iterations store"};
        ARENA_PUSH(job->arena, list, job->nserial, serial);
    }
    job->serial = list;
    return !ends || check_sums(job);
}

/* Each thread or rank would divide it once more. */
static bool runs_inside(const struct outline *job) {
    bool inside = false;
    for (int i = 0; !job->standalone && i < job->unit->nloops && !inside; ++i)
        inside =
            loop_is_marked(job->unit->loops[i]) && emit_runs_loop(job->unit->loops[i], job->loop);
    return inside;
}

bool outline_readiness(struct outline *job) {
    struct readiness readiness = {.job = job, .reads = reads_of(job)};
    ask_texts(&readiness);
    for (int i = 0; i < job->facts->nobjects; ++i)
        ask_object(&readiness, job->facts->objects[i]);
    for (int j = 0; j < job->facts->nreductions; ++j)
        if (job->facts->reductions[j].object)
            ask_target(&readiness, job->facts->reductions[j].object);
    job->nreadiness = readiness.count;
    job->readiness = readiness.asked;
    job->runs_inside = !emit_is_automatic(job) && runs_inside(job);
    return serial_collect(job);
}

bool emit_asks_first(const struct outline *job) {
    return emit_is_automatic(job) || job->runs_inside;
}

/* By levels the run may find that a loop in other words than the user's is better off in those. */
static bool may_be_vain(const struct outline *job) {
    const struct other_words *words = other_words_of(job->unit, job->loop);
    return words && words->whole && plan_is_listed(job->plan) && !job->plan->analysis->unordered &&
           !job->standalone;
}

bool emit_keeps_serial(const struct outline *job) {
    return emit_falls_back(job) || emit_readiness_is_early(job) || job->nreadiness > 0 ||
           job->nserial > 0 || job->runs_inside || may_be_vain(job);
}
