/*
 * Facts -> dims and dependence vectors.
 *
 *   pairs --> answers per symbol --> dims --> vectors, words --> shapes of the arrays
 */
#include "analyzer/analysis.h"
#include "analyzer/budget.h"
#include "analyzer/depend/depend.h"

#include <stdint.h>
#include <string.h>
#include <uthash.h>

bool entry_is_zero(struct entry entry) {
    return entry.kind == ENTRY_NUMBER && entry.number == 0;
}

const char *entry_text(struct arena *arena, struct entry entry) {
    static const char *const texts[] = {
        [ENTRY_PLUS] = "+",        [ENTRY_MINUS] = "-", [ENTRY_ZERO_PLUS] = "0+",
        [ENTRY_ZERO_MINUS] = "0-", [ENTRY_STAR] = "*",
    };
    return entry.kind == ENTRY_NUMBER ? arena_printf(arena, "%ld", entry.number)
                                      : texts[entry.kind];
}

/* ---- dims ------------------------------------------------------------------------------------ */

/* By the object's number: does a dependence of it count? */
static bool *objects_carried(const struct loop_facts *facts, const struct access_deps *deps) {
    bool *carried =
        arena_alloc(facts->unit->arena, (size_t)(facts->nobjects + 1) * sizeof *carried);
    for (int i = 0; i < deps->count; ++i) {
        const struct access_dep *dep = &deps->items[i];
        carried[dep->source->object->id] =
            carried[dep->source->object->id] || dep_status_holds(dep->status);
    }
    return carried;
}

static bool dim_known(const struct analysis *analysis, const struct symbol *symbol) {
    for (int d = 0; d < analysis->ndims; ++d)
        if (analysis->dims[d].symbol == symbol)
            return true;
    return false;
}

static bool needs_parentheses(const struct symbol *symbol) {
    const struct expr *e = symbol->expr;
    return e && (e->kind == EXPR_CONDITIONAL || e->kind == EXPR_COMMA || e->kind == EXPR_AND ||
                 e->kind == EXPR_OR || e->kind == EXPR_ASSIGN ||
                 (e->kind == EXPR_BINARY && e->op > OP_REM));
}

static const struct symbol *key_of_subscript(const struct subscript *sub) {
    const struct affine *value = &sub->value;
    const struct symbol *symbol = sub->known && value->nterms == 1 ? value->terms[0].symbol : NULL;
    return symbol && symbol->kind == SYMBOL_KEY ? symbol : NULL;
}

/* Is the written `object` subscripted by `symbol` where another key subscripts it, too? */
static bool shared_with_another(const struct loop_facts *facts, const struct object *object,
                                const struct symbol *symbol) {
    uint64_t own = 0, others = 0;
    for (int i = 0; object->written && i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        for (int d = 0; a->object == object && d < a->nsubs && d < 64; ++d) {
            const struct symbol *key = key_of_subscript(&a->subs[d]);
            own |= (uint64_t)(key == symbol) << d;
            others |= (uint64_t)(key && key != symbol) << d;
        }
    }
    return (own & others) != 0;
}

/* The table that `symbol` and another key both reach, NULL: none. */
static const struct object *shared_table(const struct loop_facts *facts,
                                         const struct symbol *symbol) {
    for (int i = 0; i < facts->nobjects; ++i)
        if (shared_with_another(facts, facts->objects[i], symbol))
            return facts->objects[i];
    return NULL;
}

/*
 * The constant beside `symbol` where every subscript that has it is symbol + that constant, else 0.
 * Of a key that shares a table with another the subscripts of that table: the names of the two are
 * compared.
 */
static long common_constant(const struct loop_facts *facts, const struct symbol *symbol) {
    const struct object *table = shared_table(facts, symbol);
    long constant = 0;
    bool first = true;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        for (int d = 0; (!table || a->object == table) && d < a->nsubs; ++d) {
            const struct affine *value = &a->subs[d].value;
            if (!subscript_has(&a->subs[d], symbol))
                continue;
            if (value->nterms != 1 || value->terms[0].coeff != 1 ||
                (!first && value->constant != constant)) {
                return 0;
            }
            constant = value->constant;
            first = false;
        }
    }
    return constant;
}

static const char *key_name(const struct loop_facts *facts, const struct symbol *symbol) {
    long constant = common_constant(facts, symbol);
    if (constant == 0)
        return symbol->name;
    bool wrap = needs_parentheses(symbol);
    return arena_printf(facts->unit->arena, "%s%s%s %c %lu", wrap ? "(" : "", symbol->name,
                        wrap ? ")" : "", constant < 0 ? '-' : '+',
                        constant < 0 ? 0ul - (unsigned long)constant : (unsigned long)constant);
}

static void dim_add(struct analysis *analysis, enum dim_kind kind, const char *name,
                    struct symbol *symbol) {
    struct dim dim = {kind, name, symbol};
    ARENA_PUSH(analysis->facts->unit->arena, analysis->dims, analysis->ndims, dim);
}

static void dims_of_access(struct analysis *analysis, const struct access *a) {
    for (int s = 0; s < a->nsubs; ++s) {
        for (int i = 0; a->subs[s].known && i < a->subs[s].value.nterms; ++i) {
            struct symbol *symbol = a->subs[s].value.terms[i].symbol;
            if (symbol->kind == SYMBOL_KEY && !symbol->inner && !dim_known(analysis, symbol))
                dim_add(analysis, DIM_KEY, key_name(analysis->facts, symbol), symbol);
        }
    }
}

/* Does some dependence say more of the loop's variable than the order of execution does? */
static bool variable_matters(const struct analysis *analysis, const struct access_deps *deps) {
    enum entry_kind nothing = analysis->unordered ? ENTRY_STAR : ENTRY_PLUS;
    for (int i = 0; i < deps->count; ++i) {
        const struct pair_answer *answer = deps->items[i].answer;
        if (dep_status_holds(deps->items[i].status) && answer && answer->verdict == PAIR_CONFLICT &&
            answer->distance.kind != nothing) {
            return true;
        }
    }
    return false;
}

/*
 * Keys that subscript what conflicts, in order of first use; the variable in front of them when a
 * dependence constrains it, and alone when there is no key.
 */
static void choose_dims(struct analysis *analysis, const struct access_deps *deps) {
    struct loop_facts *facts = analysis->facts;
    bool variable = variable_matters(analysis, deps);
    const char *name = facts->index ? facts->index->name : "";
    if (variable)
        dim_add(analysis, DIM_VARIABLE, name, facts->index);
    const bool *carried = objects_carried(facts, deps);
    for (int i = 0; i < facts->naccesses; ++i)
        if (carried[facts->accesses[i].object->id])
            dims_of_access(analysis, &facts->accesses[i]);
    if (analysis->ndims == 0)
        dim_add(analysis, DIM_VARIABLE, name, facts->index);
}

/* ---- vectors --------------------------------------------------------------------------------- */

/*
 * Of an object that no subscript tells apart nothing but the order is known; keys make no
 * difference to it. In an ordered loop the sink comes later.
 */
static struct entry *vector_of(const struct analysis *analysis, const struct access_dep *ref) {
    struct entry *vector =
        arena_alloc(analysis->facts->unit->arena, analysis->ndims * sizeof *vector);
    for (int d = 0; d < analysis->ndims; ++d) {
        const struct dim *dim = &analysis->dims[d];
        bool later =
            dim->kind == DIM_VARIABLE && !analysis->unordered && dep_status_holds(ref->status);
        vector[d] = (struct entry){later ? ENTRY_PLUS : ENTRY_STAR, 0};
        if (ref->answer && ref->answer->verdict == PAIR_CONFLICT) {
            vector[d] = dim->kind == DIM_VARIABLE ? ref->answer->distance
                                                  : ref->answer->deltas[dim->symbol->id];
        }
    }
    return vector;
}

static bool same_vector(const struct analysis *analysis, const struct entry *a,
                        const struct entry *b) {
    for (int d = 0; d < analysis->ndims; ++d)
        if (a[d].kind != b[d].kind || a[d].number != b[d].number)
            return false;
    return true;
}

/* The dependences between two objects that were reported: the last, the one before each. */
struct between {
    uint64_t objects;
    int last;
    UT_hash_handle hh;
};

struct reported {
    struct between *all;
    int *before;
};

static bool says_the_same(const struct analysis *analysis, const struct dependence *old,
                          const struct dependence *dep) {
    return old->kind == dep->kind && old->status == dep->status &&
           same_vector(analysis, old->vector, dep->vector) &&
           (dep->status == DEP_CARRIED || !dep->why || strcmp(old->why, dep->why) == 0);
}

static void report(struct analysis *analysis, struct reported *reported,
                   const struct dependence *dep) {
    struct arena *arena = analysis->facts->unit->arena;
    uint64_t objects = (uint64_t)(unsigned)dep->object->id << 32 | (unsigned)dep->sink->object->id;
    struct between *between;
    HASH_FIND(hh, reported->all, &objects, sizeof objects, between);
    for (int i = between ? between->last : -1; i >= 0; i = reported->before[i])
        if (says_the_same(analysis, &analysis->deps[i], dep))
            return;
    if (!between) {
        between = arena_alloc(arena, sizeof *between);
        *between = (struct between){.objects = objects, .last = -1};
        HASH_ADD(hh, reported->all, objects, sizeof objects, between);
    }
    reported->before[analysis->ndeps] = between->last;
    between->last = analysis->ndeps;
    ARENA_PUSH(arena, analysis->deps, analysis->ndeps, *dep);
}

static void reported_drop(void *data) {
    struct reported *reported = data;
    HASH_CLEAR(hh, reported->all);
}

static void make_deps(struct analysis *analysis, const struct access_deps *deps) {
    struct reported reported = {
        .before = arena_alloc(analysis->facts->unit->arena,
                              (size_t)(deps->count + 1) * sizeof *reported.before)};
    budget_remember(reported_drop, &reported);
    for (int i = 0; i < deps->count; ++i) {
        const struct access_dep *ref = &deps->items[i];
        struct dependence dep = {.object = ref->source->object,
                                 .kind = ref->kind,
                                 .status = ref->status,
                                 .vector = vector_of(analysis, ref),
                                 .source = ref->source,
                                 .sink = ref->sink,
                                 .why = ref->why};
        if (!dep.why)
            dep.why = depend_words(analysis, &dep);
        report(analysis, &reported, &dep);
    }
    budget_forget(&reported);
    reported_drop(&reported);
}

struct analysis *analysis_run(struct loop_facts *facts) {
    struct analysis *analysis = arena_alloc(facts->unit->arena, sizeof *analysis);
    analysis->facts = facts;
    analysis->loop = facts->loop;
    analysis->unordered = facts->loop && facts->loop->pragma && facts->loop->pragma->unordered;
    struct access_deps deps = {0};
    depend_pairs(facts, analysis->unordered, &deps);
    choose_dims(analysis, &deps);
    make_deps(analysis, &deps);
    analysis_shapes(analysis);
    return analysis;
}
