/*
 * Facts made by hand, for tests of the dependence pass and the plan: a loop over n with step 1,
 * symbols, objects and accesses added one by one.
 */
#ifndef ORRERY_TESTS_DEPEND_FACTS_H
#define ORRERY_TESTS_DEPEND_FACTS_H

#include "analyzer/analysis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

struct kit {
    struct arena *arena;
    struct unit unit;
    struct pragma pragma;
    struct function function;
    struct variable variable, other;
    struct loop loop;
    struct loop_facts facts;
};

/* What pairs of different objects are, in all tests that include this. */
static enum alias kit_alias = ALIAS_NO;

__attribute__((weak)) enum alias facts_alias(struct loop_facts *facts, const struct object *a,
                                             const struct object *b, int *guard) {
    (void)facts, (void)a, (void)b, (void)guard;
    return kit_alias;
}

__attribute__((weak)) int facts_scan(const struct loop_facts *facts, const struct access *write,
                                     const struct access *read) {
    (void)facts, (void)write, (void)read;
    return -1;
}

__attribute__((weak)) bool facts_privatize(struct loop_facts *facts, struct object *object) {
    (void)facts;
    (void)object;
    return false;
}

__attribute__((weak)) struct loop_facts *facts_collect(struct unit *unit, struct loop *loop) {
    (void)unit;
    (void)loop;
    return NULL;
}

__attribute__((weak)) struct loop_facts *facts_collect_sums(struct unit *unit, struct loop *loop) {
    (void)unit;
    (void)loop;
    return NULL;
}

static inline struct symbol *kit_symbol(struct kit *kit, enum symbol_kind kind, const char *name,
                                        bool inner) {
    struct symbol *s = arena_alloc(kit->arena, sizeof *s);
    *s = (struct symbol){.kind = kind, .name = name, .inner = inner, .id = kit->facts.nsymbols};
    if (kind != SYMBOL_LOOP) {
        s->expr = arena_alloc(kit->arena, sizeof *s->expr);
        *s->expr = (struct expr){.kind = EXPR_VAR,
                                 .var = kind == SYMBOL_KEY ? &kit->variable : &kit->other};
    }
    ARENA_PUSH(kit->arena, kit->facts.symbols, kit->facts.nsymbols, s);
    return s;
}

static inline struct kit *kit_new(bool unordered) {
    struct arena *arena = arena_new();
    struct kit *kit = arena_alloc(arena, sizeof *kit);
    kit->arena = kit->unit.arena = arena;
    kit->pragma = (struct pragma){.kind = PRAGMA_PARALLEL, .unordered = unordered};
    kit->function.name = "f";
    kit->variable.name = "n";
    kit->other.name = "m";
    kit->loop = (struct loop){.function = &kit->function,
                              .pragma = &kit->pragma,
                              .canonical = true,
                              .variable = &kit->variable,
                              .step = 1};
    kit->loop.header.begin.line = 7;
    kit->facts.unit = &kit->unit;
    kit->facts.loop = &kit->loop;
    kit->facts.index = kit_symbol(kit, SYMBOL_LOOP, "n", false);
    struct inner_loop self = {.loop = &kit->loop, .symbol = kit->facts.index, .step = 1};
    ARENA_PUSH(arena, kit->facts.inner, kit->facts.ninner, self);
    return kit;
}

static inline void kit_free(struct kit *kit) {
    arena_free(kit->arena);
}

/* constant, then pairs (struct symbol *, long) up to NULL. */
static inline struct affine kit_affine(struct kit *kit, long constant, ...) {
    struct affine a = {.constant = constant};
    va_list args;
    va_start(args, constant);
    for (struct symbol *s; (s = va_arg(args, struct symbol *));) {
        struct term t = {s, va_arg(args, long)};
        int at = a.nterms;
        ARENA_PUSH(kit->arena, a.terms, a.nterms, t);
        for (; at > 0 && a.terms[at - 1].symbol->id > s->id; --at)
            a.terms[at] = a.terms[at - 1];
        a.terms[at] = t;
    }
    va_end(args);
    return a;
}

static inline int kit_loop(struct kit *kit, const char *name, long lower, long upper) {
    struct inner_loop inner = {.symbol = kit_symbol(kit, SYMBOL_LOOP, name, false), .step = 1};
    struct variable *variable = arena_alloc(kit->arena, sizeof *variable);
    inner.loop = arena_alloc(kit->arena, sizeof *inner.loop);
    *variable = (struct variable){.name = name};
    *inner.loop = (struct loop){.variable = variable, .step = 1};
    inner.has_lower = inner.has_upper = true;
    inner.lower.constant = lower;
    inner.upper.constant = upper;
    ARENA_PUSH(kit->arena, kit->facts.inner, kit->facts.ninner, inner);
    return kit->facts.ninner - 1;
}

static inline struct object *kit_object(struct kit *kit, enum object_kind kind, const char *name,
                                        int ndims) {
    struct object *o = arena_alloc(kit->arena, sizeof *o);
    *o = (struct object){.kind = kind, .name = name, .ndims = ndims, .id = kit->facts.nobjects};
    o->dims = arena_alloc(kit->arena, (size_t)(ndims + 1) * sizeof *o->dims);
    for (int d = 0; d < ndims; ++d)
        o->dims[d].stride_text = d == ndims - 1 ? "4" : "K * 4";
    ARENA_PUSH(kit->arena, kit->facts.objects, kit->facts.nobjects, o);
    return o;
}

static inline struct subscript kit_known(struct affine value) {
    return (struct subscript){.known = true, .value = value};
}

/* `loop`: index of the inner loop around it, 0 for none. */
static inline struct access *kit_access(struct kit *kit, struct object *object, bool write,
                                        int loop, int nsubs, const struct subscript *subs) {
    struct access a = {.object = object, .write = write, .nsubs = nsubs, .reduction = -1};
    a.subs = arena_alloc(kit->arena, (size_t)(nsubs + 1) * sizeof *a.subs);
    for (int i = 0; i < nsubs; ++i)
        a.subs[i] = subs[i];
    a.field_size = -1;
    a.text = object->name;
    a.id = kit->facts.naccesses;
    a.range.begin.line = a.range.end.line = 10 + a.id;
    if (loop)
        ARENA_PUSH(kit->arena, a.loops, a.nloops, loop);
    object->read = object->read || !write;
    object->written = object->written || write;
    ARENA_PUSH(kit->arena, kit->facts.accesses, kit->facts.naccesses, a);
    return &kit->facts.accesses[kit->facts.naccesses - 1];
}

/* object[symbol + constant], read, write or both ("r", "w", "rw"). */
static inline void kit_touch(struct kit *kit, struct object *object, const char *how,
                             struct symbol *symbol, long constant) {
    struct subscript sub = kit_known(kit_affine(kit, constant, symbol, 1L, (void *)0));
    for (; *how; ++how)
        kit_access(kit, object, *how == 'w', 0, 1, &sub);
}

/* object[symbol][0 <= k < 8] */
static inline void kit_touch_row(struct kit *kit, struct object *object, const char *how,
                                 struct symbol *symbol, int loop) {
    struct symbol *k = kit->facts.inner[loop].symbol;
    struct subscript subs[] = {kit_known(kit_affine(kit, 0, symbol, 1L, (void *)0)),
                               kit_known(kit_affine(kit, 0, k, 1L, (void *)0))};
    for (; *how; ++how)
        kit_access(kit, object, *how == 'w', loop, 2, subs);
}

/* The vectors of all kept dependences of one object, "flow (0, *); output (0, *)". */
static inline const char *kit_vectors(struct kit *kit, const struct analysis *analysis,
                                      const char *object) {
    static const char *const kinds[] = {"flow", "anti", "output"};
    const char *text = "";
    for (int i = 0; i < analysis->ndeps; ++i) {
        const struct dependence *dep = &analysis->deps[i];
        if (strcmp(dep->object->name, object) != 0 || dep->status != DEP_CARRIED)
            continue;
        text = arena_printf(kit->arena, "%s%s%s (", text, *text ? "; " : "", kinds[dep->kind]);
        for (int d = 0; d < analysis->ndims; ++d) {
            text = arena_printf(kit->arena, "%s%s%s", text, d ? ", " : "",
                                entry_text(kit->arena, dep->vector[d]));
        }
        text = arena_printf(kit->arena, "%s)", text);
    }
    return text;
}

#endif
