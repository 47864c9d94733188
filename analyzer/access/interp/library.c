/* Calls of functions whose body is not seen, by what is known of their effects. */
#include "analyzer/access/interp/interp.h"

#include <string.h>

/* ---- the memory that a call touches ---------------------------------------------------------- */

/* `args`: what the arguments are. NULL: not known. */
static const struct poly *number_value(struct interp *w, const struct effect_number *number,
                                       const struct value *const *args) {
    long constant;
    if (number->op == OP_NONE && number->param < 0)
        return poly_constant(w->arena, number->number);
    if (number->op == OP_NONE)
        return args[number->param]->kind == VALUE_INT ? args[number->param]->poly : NULL;
    if (number->op == OP_EQ) {
        const struct value *asked = args[number->param];
        bool known = asked->kind == VALUE_INT && poly_is_constant(asked->poly, &constant);
        return known ? number_value(w, constant == number->number ? number->a : number->b, args)
                     : NULL;
    }
    const struct poly *a = number_value(w, number->a, args);
    if (number->op == OP_PLUS)
        return a && poly_is_constant(a, &constant)
                   ? poly_constant(w->arena, constant < 0 ? -constant : constant)
                   : NULL;
    const struct poly *b = number_value(w, number->b, args);
    if (!a || !b)
        return NULL;
    return number->op == OP_MUL   ? poly_multiply(w->arena, a, b)
           : number->op == OP_ADD ? poly_add(w->arena, a, b)
                                  : poly_subtract(w->arena, a, b);
}

/* What a parameter points to, by its declaration, or else by the argument. */
static const struct type *element_of(const struct expr *e, int i) {
    const struct function *f = e->function;
    const struct type *declared = i < f->nparams ? f->params[i]->type->element : NULL;
    const struct type *type = e->args[i]->type;
    return declared && declared->kind != TYPE_VOID ? declared : type ? type->element : NULL;
}

static const struct poly *touch_bytes(struct interp *w, const struct effect_touch *touch,
                                      const struct type *element, const struct value *const *args) {
    const struct poly *count = touch->count ? number_value(w, touch->count, args) : NULL;
    if (!count || touch->extent == EFFECT_BYTES)
        return count;
    bool sized = element && element->kind != TYPE_VOID;
    const struct poly *size = sized ? eval_type_size(w, element) : NULL;
    return size ? poly_multiply(w->arena, count, size) : NULL;
}

/* So many bytes are the call's; an element or a string is the argument's. */
static void touch(struct interp *w, struct expr *e, int i, const struct effect_touch *touch,
                  const struct value *const *args) {
    const struct type *type = e->args[i]->type;
    const struct poly *bytes = touch_bytes(w, touch, element_of(e, i), args);
    int before = w->trace.nrefs;
    for (int way = !touch->read; way <= touch->write; ++way)
        memory_touch(w, args[i], bytes, way, e->args[i], type ? type->element : NULL);
    for (int r = before; r < w->trace.nrefs; ++r) {
        w->refs[r].called = e->function;
        if (touch->extent == EFFECT_BYTES)
            w->refs[r].range = e->range;
    }
}

static bool is_pointer(const struct expr *e) {
    return e->type && e->type->element;
}

static bool is_touched(const struct effects *effects, const struct expr *e, int i) {
    for (int j = 0; j < effects->ntouches; ++j)
        if (effects->touches[j].param == i ||
            (effects->touches[j].param == EFFECT_REST && i >= effects->nparams && is_pointer(e)))
            return true;
    return false;
}

static void touch_memory(struct interp *w, struct expr *e, const struct effects *effects) {
    const struct value **args = arena_alloc(w->arena, (size_t)(e->nargs + 1) * sizeof *args);
    for (int i = 0; i < e->nargs; ++i) {
        args[i] = eval(w, e->args[i]);
        if (!is_touched(effects, e->args[i], i))
            value_consume(w, args[i]);
    }
    for (int j = 0; j < effects->ntouches; ++j) {
        const struct effect_touch *t = &effects->touches[j];
        int first = t->param == EFFECT_REST ? effects->nparams : t->param;
        int last = t->param == EFFECT_REST ? e->nargs - 1 : first;
        for (int i = first; i <= last && i < e->nargs; ++i)
            if (!expr_is_zero(e->args[i]) && (t->param != EFFECT_REST || is_pointer(e->args[i])))
                touch(w, e, i, t, args);
    }
}

/* ---- refusals -------------------------------------------------------------------------------- */

static const char *const random_fix =
    "draw from a counter-based generator instead: orrery_random(seed, n), n the loop's variable";

/* Another file was at hand, and its definition cannot be used. */
static void refuse_apart(struct interp *w, struct range place, const struct function *function) {
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
    interp_refuse(&w->trace, function->apart_code, place, fix,
                  "`%s` is defined in another file, and that cannot be used: %s", function->name,
                  function->apart);
}

static const char *state_fix(struct interp *w, const struct effects *effects) {
    return effects->instead
               ? arena_printf(w->arena,
                              "call `%s` in its place, with a variable of the body for what it "
                              "keeps",
                              effects->instead)
               : "call it in a serial loop before, and keep its results in an array";
}

static void refuse_library(struct interp *w, struct expr *e, enum effect effect) {
    struct range place = interp_place(w, e->range);
    /* A marked loop inside that prints: as the user wrote it. */
    const bool collects = strncmp(e->function->name, "orrery_output_", 14) == 0;
    const char *name = collects ? "printf" : e->function->name;
    if (effect == EFFECT_UNKNOWN && e->function->apart) {
        refuse_apart(w, place, e->function);
        return;
    }
    switch (effect) {
    case EFFECT_RANDOM:
        interp_refuse(&w->trace, ORR2210, place, random_fix,
                      "`%s` draws from a generator whose hidden state every call changes", name);
        break;
    case EFFECT_IO:
        interp_refuse(
            &w->trace, ORR2211, place,
            effects_say(e->function, EFFECT_INPUT)
                ? "read all records into an array first, in a serial loop, and let this "
                  "one compute from the array"
                : "keep what is to be printed in an array, one element per iteration, and "
                  "print it after the loop",
            "`%s` is input or output: it happens in the order of the iterations", name);
        break;
    case EFFECT_CLOCK:
        interp_refuse(&w->trace, ORR2212, place, "call it before the loop",
                      "`%s` asks the system: its answer differs from call to call", name);
        break;
    case EFFECT_STATE:
        interp_refuse(&w->trace, ORR2219, place, state_fix(w, effects_of(e->function)),
                      "`%s` keeps hidden state from call to call", name);
        break;
    case EFFECT_ALLOCATE:
        interp_refuse(&w->trace, ORR2216, place, "allocate before the loop, or use a local array",
                      "`%s` allocates or frees memory in every iteration", name);
        break;
    case EFFECT_EXIT:
        interp_refuse(&w->trace, ORR2217, place, "collect an error flag and end after the loop",
                      "`%s` may end the program in the middle of the loop", name);
        break;
    case EFFECT_SETJMP:
        interp_refuse(&w->trace, ORR2228, place, "return an error code in place of the jump",
                      "`%s` saves a place to jump back to", name);
        break;
    default:
        interp_refuse(
            &w->trace, ORR2213, place,
            arena_printf(w->arena,
                         "define it in this file, give the file that does (orrery analyze "
                         "a.c b.c, orrery-cc -with b.c), or say assume(pure(%s)) if it "
                         "only computes a value from its arguments",
                         name),
            "`%s` is defined elsewhere: what it reads and writes is not known", name);
    }
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool is_assumed_pure(const struct interp *w, const char *name) {
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
static const struct value *call_allocation(struct interp *w, struct expr *e) {
    const struct value *last = NULL;
    for (int i = 0; i < e->nargs; ++i)
        last = eval_consumed(w, e->args[i]);
    const struct value *unescaped = unescaped_memory(w, e);
    if (!unescaped && (!last || !unescaped_is_freed(e, last)))
        refuse_library(w, e, EFFECT_ALLOCATE);
    return unescaped;
}

/* In a loop that collects what its iterations print, the first end of the program counts, and
 * nothing of an iteration follows its own. */
static bool call_collected(struct interp *w, struct expr *e, enum effect effect) {
    if (!w->collects || strncmp(e->function->name, "orrery_output_", 14) != 0)
        return false;
    if (effect == EFFECT_IO)
        touch_memory(w, e, e->function->effects);
    if (effect == EFFECT_EXIT) {
        call_args(w, e);
        interp_end(w);
    }
    return effect == EFFECT_IO || effect == EFFECT_EXIT;
}

const struct value *call_library(struct interp *w, struct expr *e) {
    const struct function *function = e->function;
    const struct value *unescaped = NULL;
    enum effect effect = effect_of_function(function);
    if (effect == EFFECT_UNKNOWN && (function->is_const || is_assumed_pure(w, function->name)))
        effect = EFFECT_PURE;
    if (call_collected(w, e, effect))
        return value_unknown(w, "nothing comes here");
    switch (effect) {
    case EFFECT_PURE:
        return call_pure(w, e);
    case EFFECT_MEMORY:
        touch_memory(w, e, function->effects);
        break;
    case EFFECT_UNEVALUATED:
        break;
    case EFFECT_ASSERT:
        call_args(w, e);
        w->dead = true;
        break;
    case EFFECT_ALLOCATE:
        unescaped = call_allocation(w, e);
        break;
    default:
        call_args(w, e);
        if (!interp_demand_elsewhere(w))
            refuse_library(w, e, effect);
        w->dead = effect == EFFECT_EXIT || w->dead;
    }
    return unescaped ? unescaped
                     : value_unknown(
                           w, arena_printf(w->arena, "it is the result of `%s`", function->name));
}
