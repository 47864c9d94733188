/* Calls in the abstract run: functions of the unit are entered, library functions are looked up. */
#include "analyzer/access/access.h"

#include <stdio.h>
#include <string.h>

/* Bounds on the work of one walk; a loop that is refused anyway is not followed far. */
enum { MAX_CALL_DEPTH = 24, MAX_STEPS = 60000, MAX_STEPS_REFUSED = 3000, MAX_RAWS = 3000 };

static bool is_recursive(const struct walk *w, const struct function *function) {
    for (const struct frame *f = w->frame; f; f = f->parent)
        if (f->function == function)
            return true;
    return false;
}

/* Where the function may have been left early, both states are possible after the call. */
static void leave_frame(struct walk *w, struct frame *frame, int jumps) {
    if (frame->have_exits)
        w->env = w->dead ? frame->exits : env_join(w, &w->env, &frame->exits, NULL);
    w->dead = false;
    w->njumps = jumps;
    w->nconditions = frame->base_conditions;
    w->frame = frame->parent;
}

static const struct value *frame_result(struct walk *w, const struct frame *frame) {
    if (frame->nresults == 0)
        return value_unknown(w, "no value");
    const struct value *v = frame->results[frame->nresults - 1];
    for (int i = frame->nresults - 2; i >= 0; --i)
        v = value_select(w, frame->taken[i], frame->results[i], v);
    return v;
}

static bool wrote_since(const struct walk *w, int raws) {
    for (int i = raws; i < w->trace.nraws; ++i)
        if (w->trace.raws[i].write)
            return true;
    return false;
}

/* The call's text itself yields the value of the iteration: a place like any other. */
static const struct value *sited_result(struct walk *w, struct expr *e, const struct value *v,
                                        int raws) {
    if (v->kind != VALUE_INT || v->level < 0 || w->frame->parent || wrote_since(w, raws))
        return v;
    value_consume(w, v);
    struct value *sited = arena_alloc(w->arena, sizeof *sited);
    *sited = *v;
    sited->nsites = 0;
    sited->sites = NULL;
    int id = site_add(w, e, v, false);
    ARENA_PUSH(w->arena, sited->sites, sited->nsites, id);
    return sited;
}

static const struct value *enter_function(struct walk *w, struct expr *e,
                                          struct function *function) {
    int jumps = w->njumps, raws = w->trace.nraws, nesting = w->loop_nesting;
    int breakable = w->breakable;
    const struct value **args = arena_alloc(w->arena, (size_t)(e->nargs + 1) * sizeof *args);
    for (int i = 0; i < e->nargs; ++i) {
        args[i] = eval(w, e->args[i]);
        if (i < function->nparams)
            args[i] = value_convert(w, args[i], e->args[i]->type, function->params[i]->type);
        else
            value_consume(w, args[i]);
    }
    struct frame frame = {
        .parent = w->frame, .function = function, .call = e, .base_conditions = w->nconditions};
    w->frame = &frame;
    for (int i = 0; i < function->nparams; ++i) {
        env_set(w, function->params[i],
                i < e->nargs ? args[i] : value_unknown(w, "an argument that is missing"));
    }
    w->loop_nesting = w->breakable = 0;
    walk_stmt(w, function->body);
    leave_frame(w, &frame, jumps);
    env_end(w, function);
    w->loop_nesting = nesting;
    w->breakable = breakable;
    return sited_result(w, e, frame_result(w, &frame), raws);
}

static void eval_args(struct walk *w, struct expr *e) {
    for (int i = 0; i < e->nargs; ++i)
        eval_consumed(w, e->args[i]);
}

static const struct value *pure_result(struct walk *w, struct expr *e) {
    struct value all = *value_new(&w->trace, VALUE_OTHER);
    struct expr *call = arena_alloc(w->arena, sizeof *call);
    *call = *e;
    call->hash = 0;
    call->size = 0;
    call->id = -1;
    call->range.exact = false;
    call->args = arena_alloc(w->arena, (size_t)(e->nargs + 1) * sizeof *call->args);
    bool pure = true;
    for (int i = 0; i < e->nargs; ++i) {
        const struct value *v = eval_consumed(w, e->args[i]);
        value_inherit(&w->trace, &all, v);
        call->args[i] = v->pure;
        pure = pure && v->pure && v->kind != VALUE_POINTER;
    }
    const struct value *v = value_opaque(w, pure ? call : NULL, e->type, &all, NULL);
    return sited_result(w, e, v, w->trace.nraws);
}

static const struct value *pointer_argument(struct walk *w, struct expr *e, int i) {
    const struct value *p = eval(w, e->args[i]);
    return p;
}

/* memcpy and its like: `length` bytes at each of the pointer arguments. */
static void touch_ranges(struct walk *w, struct expr *e, int nwritten, int nread) {
    const struct value *pointers[2] = {NULL, NULL};
    for (int i = 0; i < e->nargs; ++i) {
        const struct value *v = pointer_argument(w, e, i);
        if (i < nwritten + nread && i < 2) {
            pointers[i] = v;
        } else if (i < 2) {
            value_consume(w, v);
        } else {
            value_consume(w, v);
            const struct poly *length = v->kind == VALUE_INT ? v->poly : NULL;
            for (int j = nwritten + nread - 1; j >= 0; --j) {
                const struct type *type = e->args[j]->type;
                int before = w->trace.nraws;
                memory_touch(w, pointers[j], length, j < nwritten, e->args[j],
                             type ? type->element : NULL);
                for (int r = before; r < w->trace.nraws; ++r)
                    w->trace.raws[r].range = e->range;
            }
            return;
        }
    }
}

/* What is read or written through pointer arguments by functions like strlen and frexp. */
static void touch_arguments(struct walk *w, struct expr *e, bool read, bool write) {
    for (int i = 0; i < e->nargs; ++i) {
        const struct value *v = pointer_argument(w, e, i);
        const struct type *type = e->args[i]->type;
        if (v->kind == VALUE_POINTER && type && type->element) {
            const struct poly *size = write ? eval_type_size(w, type->element) : NULL;
            for (int way = !read; way <= write; ++way)
                memory_touch(w, v, size, way, e->args[i], type->element);
        } else {
            value_consume(w, v);
        }
    }
}

static const char *const random_fix =
    "draw from a counter-based generator instead: orrery_random(seed, n), n the loop's variable";

/* Another file was at hand, and its definition cannot be used. */
static void refuse_apart(struct walk *w, struct range place, const struct function *function) {
    static const struct {
        const char *code, *fix;
    } fixes[] = {
        {ORR2260, "give the files of one program only"},
        {ORR2261, "declare it in a header that both files include, or hand it over as an argument"},
        {ORR2262, "put the declarations that both files need into one header"},
        {ORR2263, "make it an ordinary function, or a static inline one in a header"},
        {ORR2264, "mend the errors of that file, or give the flags it needs"},
    };
    const char *fix = NULL;
    for (size_t i = 0; i < sizeof fixes / sizeof *fixes; ++i)
        fix = fixes[i].code == function->apart_code ? fixes[i].fix : fix;
    walk_refuse(&w->trace, function->apart_code, place, fix,
                "`%s` is defined in another file, and that cannot be used: %s", function->name,
                function->apart);
}

static void refuse_library(struct walk *w, struct expr *e, enum effect effect, const char *name) {
    struct range place = walk_place(w, e->range);
    if (effect == EFFECT_UNKNOWN && e->function->apart) {
        refuse_apart(w, place, e->function);
        return;
    }
    switch (effect) {
    case EFFECT_RANDOM:
        walk_refuse(&w->trace, ORR2210, place, random_fix,
                    "`%s` draws from a generator whose hidden state every call changes", name);
        break;
    case EFFECT_IO:
        walk_refuse(&w->trace, ORR2211, place,
                    effect_reads_input(name)
                        ? "read all records into an array first, in a serial loop, and let this "
                          "one compute from the array"
                        : "keep what is to be printed in an array, one element per iteration, and "
                          "print it after the loop",
                    "`%s` is input or output: it happens in the order of the iterations", name);
        break;
    case EFFECT_CLOCK:
        walk_refuse(&w->trace, ORR2212, place, "call it before the loop",
                    "`%s` asks the system: its answer differs from call to call", name);
        break;
    case EFFECT_STATE:
        walk_refuse(&w->trace, ORR2219, place,
                    strncmp(name, "lgamma", 6) == 0
                        ? "call `lgamma_r` in its place, with an int of the body for the sign"
                        : "call it in a serial loop before, and keep its results in an array",
                    "`%s` keeps hidden state from call to call", name);
        break;
    case EFFECT_ALLOCATE:
        walk_refuse(&w->trace, ORR2216, place, "allocate before the loop, or use a local array",
                    "`%s` allocates or frees memory in every iteration", name);
        break;
    case EFFECT_EXIT:
        walk_refuse(&w->trace, ORR2217, place, "collect an error flag and end after the loop",
                    "`%s` may end the program in the middle of the loop", name);
        break;
    case EFFECT_SETJMP:
        walk_refuse(&w->trace, ORR2228, place, "leave the loop only at its end",
                    "`%s` saves a place to jump back to", name);
        break;
    default:
        walk_refuse(&w->trace, ORR2213, place,
                    arena_printf(w->arena,
                                 "define it in this file, give the file that does (orrery analyze "
                                 "a.c b.c, orrery-cc -with b.c), or say assume(pure(%s)) if it "
                                 "only computes a value from its arguments",
                                 name),
                    "`%s` is defined elsewhere: what it reads and writes is not known", name);
    }
}

static bool is_assumed_pure(const struct walk *w, const char *name) {
    const struct pragma *pragma = w->loop->pragma;
    for (int i = 0; pragma && i < pragma->nclauses; ++i) {
        const struct clause *clause = &pragma->clauses[i];
        for (int j = 1; clause->kind == CLAUSE_ASSUME && j < clause->nnames; ++j)
            if (strcmp(clause->names[0], "pure") == 0 && strcmp(clause->names[j], name) == 0)
                return true;
    }
    return false;
}

/* Memory of the iteration's own, or a refusal. */
static const struct value *call_allocation(struct walk *w, struct expr *e) {
    const struct value *last = NULL;
    for (int i = 0; i < e->nargs; ++i)
        last = eval_consumed(w, e->args[i]);
    const struct value *fresh = fresh_memory(w, e);
    if (!fresh && (!last || !fresh_is_freed(e, last)))
        refuse_library(w, e, EFFECT_ALLOCATE, e->function->name);
    return fresh;
}

static const struct value *call_library(struct walk *w, struct expr *e,
                                        const struct function *function) {
    const struct value *fresh = NULL;
    enum effect effect = effect_of_function(function);
    if (effect == EFFECT_UNKNOWN && (function->is_const || is_assumed_pure(w, function->name)))
        effect = EFFECT_PURE;
    switch (effect) {
    case EFFECT_PURE:
        return pure_result(w, e);
    case EFFECT_COPY:
        touch_ranges(w, e, 1, 1);
        break;
    case EFFECT_FILL:
        touch_ranges(w, e, 1, 0);
        break;
    case EFFECT_COMPARE:
        touch_ranges(w, e, 0, 2);
        break;
    case EFFECT_READS:
        touch_arguments(w, e, true, false);
        break;
    case EFFECT_OUTPUTS:
        touch_arguments(w, e, false, true);
        break;
    case EFFECT_UPDATES:
        touch_arguments(w, e, true, true);
        break;
    case EFFECT_ASKS:
        break;
    case EFFECT_ASSERT:
        eval_args(w, e);
        w->dead = true;
        break;
    case EFFECT_ALLOCATE:
        fresh = call_allocation(w, e);
        break;
    default:
        eval_args(w, e);
        if (!walk_demand_elsewhere(w))
            refuse_library(w, e, effect, function->name);
        w->dead = effect == EFFECT_EXIT || w->dead;
    }
    return fresh ? fresh
                 : value_unknown(
                       w, arena_printf(w->arena, "it is the result of `%s`", function->name));
}

/* An address that escapes into an unknown function is covered by the refusal of the call. */
static const struct value *call_pointer(struct walk *w, struct expr *e) {
    for (int i = 0; i < e->nargs; ++i)
        eval_consumed(w, e->args[i]);
    walk_refuse(&w->trace, ORR2214, walk_place(w, e->range), "call the function by its name",
                "this calls through a function pointer: what runs is not known");
    return value_unknown(w, "it is the result of a call through a pointer");
}

/* The generators of orrery.h: functions of their arguments, whose rounds would make long values. */
static bool is_generator(const struct walk *w, const struct function *function) {
    static const char header[] = "/orrery.h";
    int file = function->range.begin.file;
    const char *name = file >= 0 ? w->unit->files[file].name : "";
    size_t length = strlen(name), tail = sizeof header - 1;
    return length >= tail && strcmp(name + length - tail, header) == 0 && function->is_static &&
           (strcmp(function->name, "orrery_random") == 0 ||
            strcmp(function->name, "orrery_uniform") == 0);
}

const struct value *eval_call(struct walk *w, struct expr *e, bool discarded) {
    struct function *function = e->function;
    (void)discarded;
    if (!function)
        return call_pointer(w, e);
    if (is_generator(w, function))
        return pure_result(w, e);
    if (!function->body)
        return call_library(w, e, function);
    int depth = 0;
    for (const struct frame *f = w->frame; f; f = f->parent)
        ++depth;
    int most = w->facts->nrefusals > 0 ? MAX_STEPS_REFUSED : MAX_STEPS;
    if (w->steps > most || w->trace.nraws > MAX_RAWS) {
        eval_args(w, e);
        walk_refuse(&w->trace, ORR2230, w->loop->header,
                    "split the loop, or move a part of its body into a loop of its own",
                    "the loop's body is too involved to analyze");
        return value_unknown(w, "it is the result of a function that was not entered");
    }
    if (is_recursive(w, function) || depth > MAX_CALL_DEPTH) {
        eval_args(w, e);
        walk_refuse(&w->trace, ORR2215, walk_place(w, e->range),
                    "write it as a loop, with a stack of its own where it needs one",
                    "`%s` is recursive: what it touches is not known", function->name);
        return value_unknown(w, "it is the result of a recursive function");
    }
    if (function->is_weak) {
        eval_args(w, e);
        walk_refuse(&w->trace, ORR2287, walk_place(w, e->range),
                    "leave out the attribute, or make it a static inline function",
                    "`%s` is weak: the program may call another definition than this one",
                    function->name);
        return value_unknown(w, "it is the result of a function that may be another one");
    }
    return enter_function(w, e, function);
}
