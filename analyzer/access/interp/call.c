/* Calls in the abstract run: functions of the unit are entered, library functions are looked up. */
#include "analyzer/access/interp/interp.h"

#include <stdio.h>
#include <string.h>

/* Bounds on the work of one interpretation; a loop that is refused anyway is not followed far. */
enum { MAX_CALL_DEPTH = 24, MAX_STEPS = 60000, MAX_STEPS_REFUSED = 3000, MAX_REFS = 3000 };

static bool is_recursive(const struct interp *w, const struct function *function) {
    for (const struct frame *f = w->frame; f; f = f->parent)
        if (f->function == function)
            return true;
    return false;
}

/* Of the jumps in a called function those that end the iteration. */
static void ends_keep(struct interp *w, int jumps) {
    int kept = jumps;
    for (int i = jumps; i < w->njumps; ++i)
        if (w->jumps[i].ends)
            w->jumps[kept++] = w->jumps[i];
    w->njumps = kept;
}

/* Where the function may have been left early, both states are possible after the call. */
static void leave_frame(struct interp *w, struct frame *frame, int jumps) {
    if (frame->have_exits)
        w->env = w->dead ? frame->exits : env_join(w, &w->env, &frame->exits, NULL);
    ends_keep(w, jumps);
    w->dead = w->dead && !frame->have_exits && w->njumps > jumps;
    w->nconditions = frame->base_conditions;
    w->frame = frame->parent;
}

static const struct value *frame_result(struct interp *w, const struct frame *frame) {
    if (frame->nresults == 0)
        return value_unknown(w, "no value");
    const struct value *v = frame->results[frame->nresults - 1];
    for (int i = frame->nresults - 2; i >= 0; --i)
        v = value_select(w, frame->taken[i], frame->results[i], v);
    return v;
}

static bool wrote_since(const struct interp *w, int refs) {
    for (int i = refs; i < w->trace.nrefs; ++i)
        if (w->trace.refs[i].write)
            return true;
    return false;
}

/* The call's text itself yields the value of the iteration: a place like any other. */
static const struct value *sited_result(struct interp *w, struct expr *e, const struct value *v,
                                        int refs) {
    if (v->kind != VALUE_INT || v->level < 0 || w->frame->parent || wrote_since(w, refs))
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

static const struct value *enter_function(struct interp *w, struct expr *e,
                                          struct function *function) {
    int jumps = w->njumps, refs = w->trace.nrefs, nesting = w->loop_nesting;
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
    interp_stmt(w, function->body);
    leave_frame(w, &frame, jumps);
    env_end(w, function);
    w->loop_nesting = nesting;
    w->breakable = breakable;
    return sited_result(w, e, frame_result(w, &frame), refs);
}

void call_args(struct interp *w, struct expr *e) {
    for (int i = 0; i < e->nargs; ++i)
        eval_consumed(w, e->args[i]);
}

const struct value *call_pure(struct interp *w, struct expr *e) {
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
    return sited_result(w, e, v, w->trace.nrefs);
}

/* An address that escapes into an unknown function is covered by the refusal of the call. */
static const struct value *call_pointer(struct interp *w, struct expr *e) {
    for (int i = 0; i < e->nargs; ++i)
        eval_consumed(w, e->args[i]);
    if (!interp_demand_elsewhere(w))
        interp_refuse(&w->trace, ORR2214, interp_place(w, e->range),
                      "call the function by its name",
                      "this calls through a function pointer: what runs is not known");
    return value_unknown(w, "it is the result of a call through a pointer");
}

/* The generators of orrery.h: functions of their arguments, whose rounds would make long values. */
static bool is_generator(const struct interp *w, const struct function *function) {
    static const char header[] = "/orrery.h";
    int file = function->range.begin.file;
    const char *name = file >= 0 ? w->unit->files[file].name : "";
    size_t length = strlen(name), tail = sizeof header - 1;
    return length >= tail && strcmp(name + length - tail, header) == 0 && function->is_static &&
           function->effects && function->effects->effect == EFFECT_PURE;
}

const struct value *eval_call(struct interp *w, struct expr *e, bool discarded) {
    struct function *function = e->function;
    (void)discarded;
    if (!function)
        return call_pointer(w, e);
    if (is_generator(w, function))
        return call_pure(w, e);
    if (!function->body)
        return call_library(w, e);
    int depth = 0;
    for (const struct frame *f = w->frame; f; f = f->parent)
        ++depth;
    int most = w->facts->nrefusals > 0 ? MAX_STEPS_REFUSED : MAX_STEPS;
    if (w->steps > most || w->trace.nrefs > MAX_REFS) {
        call_args(w, e);
        interp_refuse(&w->trace, ORR2230, w->loop->header,
                      "split the loop, or move a part of its body into a loop of its own",
                      "the loop's body is too involved to analyze");
        return value_unknown(w, "it is the result of a function that was not entered");
    }
    if (is_recursive(w, function) || depth > MAX_CALL_DEPTH) {
        call_args(w, e);
        interp_refuse(&w->trace, ORR2215, interp_place(w, e->range),
                      "write it as a loop, with a stack of its own where it needs one",
                      "`%s` is recursive: what it touches is not known", function->name);
        return value_unknown(w, "it is the result of a recursive function");
    }
    if (function->is_weak) {
        call_args(w, e);
        interp_refuse(&w->trace, ORR2287, interp_place(w, e->range),
                      "leave out the attribute, or make it a static inline function",
                      "`%s` is weak: the program may call another definition than this one",
                      function->name);
        return value_unknown(w, "it is the result of a function that may be another one");
    }
    return enter_function(w, e, function);
}
