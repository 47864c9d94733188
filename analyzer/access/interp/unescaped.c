/*
 * Memory that an iteration has for itself: what malloc or calloc gives it, as long as nothing but
 * local variables of the iteration, and such memory, ever holds its address. The text is asked, not
 * the values: no way of the address to anywhere else may be overlooked.
 */
#include "analyzer/access/interp/interp.h"

#include <string.h>

enum { MAX_HOLDERS = 32, MAX_SCOPES = 64, MAX_GIVERS = 16 };

/*
 * What is found out about one call of malloc. `scopes`: how many were looked at; `nests`: addresses
 * are kept in such memory; `mixes`: others, too, as far as can be told; `copies`: bytes of it are
 * copied, or read as those of another type. `givers`: functions that give back memory of their
 * own, or do not (`gives`); one that is still looked at counts as one that does.
 */
struct question {
    int scopes;
    bool nests, mixes, copies;
    int ngivers;
    const struct function *givers[MAX_GIVERS];
    bool gives[MAX_GIVERS];
};

/* One function's text, or the loop's body. */
struct scope {
    struct question *question;       /* that is asked of all functions */
    const struct function *function; /* whose text it is */
    const struct stmt *within;       /* what of it runs in an iteration */
    const struct expr *origin;       /* the call that gives the address; NULL: a parameter does */
    int nholders;                    /* of `holders` */
    const struct variable *holders[MAX_HOLDERS]; /* the variables that it may be in */
    /* `within` is all that can name the holders; the function may give the address back; it does;
     * so far it does not escape; a pass has found one more holder */
    bool whole, returned, gives, good, found;
};

static bool is_holder(const struct scope *s, const struct variable *var) {
    for (int i = 0; i < s->nholders; ++i)
        if (s->holders[i] == var)
            return true;
    return false;
}

static bool carries(const struct scope *s, const struct expr *e);

/* It may give back an address that it is given: memcpy does, of its first argument. */
static bool gives_back(const struct scope *s, const struct expr *call) {
    const struct effects *effects = call->function ? effects_of(call->function) : NULL;
    return effects && effects->returns >= 0 && effects->returns < call->nargs &&
           carries(s, call->args[effects->returns]);
}

/* malloc and calloc: all that is in the new memory comes from the iteration. */
static bool is_allocation(const struct expr *e) {
    const struct effects *effects =
        e->kind == EXPR_CALL && e->function ? effects_of(e->function) : NULL;
    return effects && effects->marks & EFFECT_NEW && effects->bytes;
}

static bool has_pointers(const struct type *type, int depth) {
    while (type_is_array(type))
        type = type->element;
    bool record = type && (type->kind == TYPE_STRUCT || type->kind == TYPE_UNION);
    bool found = !type || type->kind == TYPE_POINTER || (record && !type->record) || depth > 6;
    for (int i = 0; record && !found && i < type->record->nfields; ++i)
        found = has_pointers(type->record->fields[i].type, depth + 1);
    return found;
}

/* ---- may the value of `e` be the address, or one inside of the memory? ----------------------- */

static bool gives_own(const struct scope *from, const struct function *function);

/* The same of the address of the place `e`. */
static bool place_carries(const struct scope *s, const struct expr *e) {
    while (e->kind == EXPR_MEMBER || (e->kind == EXPR_SUBSCRIPT && type_is_array(e->args[0]->type)))
        e = e->args[0];
    return (e->kind == EXPR_DEREF || e->kind == EXPR_SUBSCRIPT) && carries(s, e->args[0]);
}

static bool carries(const struct scope *s, const struct expr *e) {
    switch (e->kind) {
    case EXPR_VAR:
        return is_holder(s, e->var);
    case EXPR_CALL:
        return e == s->origin || is_allocation(e) || gives_back(s, e) ||
               (e->function && e->function->body && has_pointers(e->type, 0) &&
                gives_own(s, e->function));
    case EXPR_ADDRESS:
        return place_carries(s, e->args[0]);
    case EXPR_DEREF:
    case EXPR_SUBSCRIPT:
    case EXPR_MEMBER:
        return has_pointers(e->type, 0) || type_is_array(e->type) ? place_carries(s, e) : false;
    case EXPR_ASSIGN:
        return carries(s, e->args[e->op == OP_NONE ? 1 : 0]);
    default:
        break;
    }
    for (int i = 0; i < e->nargs; ++i)
        if (e->args[i] && carries(s, e->args[i]))
            return true;
    return false;
}

/* ---- where it goes --------------------------------------------------------------------------- */

static bool is_bytes(const struct type *type) {
    return type->kind == TYPE_INT && type->size == 1;
}

/* Can there be addresses in what `pointer` points to? */
static bool may_hold(const struct expr *pointer) {
    while (pointer->kind == EXPR_CAST)
        pointer = pointer->args[0];
    const struct type *to = pointer->type ? pointer->type->element : NULL;
    return !to || to->kind == TYPE_VOID || is_bytes(to) || has_pointers(to, 0);
}

static bool can_hold(const struct scope *s, const struct variable *var) {
    bool own = var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM;
    bool bytes = var->type->kind == TYPE_POINTER && is_bytes(var->type->element);
    s->question->copies = s->question->copies || bytes;
    return own && !var->address_taken && var->function == s->function &&
           var->type->kind == TYPE_POINTER && !var->type->is_volatile && !var->type->is_atomic;
}

static void hold(struct scope *s, const struct variable *var) {
    if (is_holder(s, var))
        return;
    s->good = s->good && can_hold(s, var) && s->nholders < MAX_HOLDERS;
    if (s->good) {
        s->holders[s->nholders++] = var;
        s->found = true;
    }
}

static void see_assigned(void *data, struct expr *e) {
    struct scope *s = data;
    if (e->kind == EXPR_ASSIGN && e->op == OP_NONE && carries(s, e->args[1]) &&
        e->args[0]->kind == EXPR_VAR) {
        hold(s, e->args[0]->var);
    }
}

static void see_declared(void *data, struct stmt *stmt) {
    struct scope *s = data;
    for (int i = 0; stmt->kind == STMT_DECL && i < stmt->nvars; ++i)
        if (stmt->vars[i]->init && carries(s, stmt->vars[i]->init))
            hold(s, stmt->vars[i]);
}

static void find_holders(struct scope *s) {
    do {
        s->found = false;
        stmt_each((struct stmt *)s->within, see_declared, s);
        stmt_visit((struct stmt *)s->within, see_assigned, s);
    } while (s->found && s->good);
}

static bool is_kept_in(const struct scope *from, const struct function *function, int param);

/* Of a function that has a body, its parameters keep it; free takes it, and what only touches
 * memory leaves it where it is. */
static bool argument_stays(const struct scope *s, const struct expr *call, int i) {
    const struct function *function = call->function;
    if (!carries(s, call->args[i]))
        return true;
    if (!function)
        return false;
    if (effect_of_function(function) == EFFECT_MEMORY) {
        bool moves = may_hold(call->args[i]) && !effects_say(function, EFFECT_NUMBERS);
        s->question->copies = s->question->copies || moves;
        return true;
    }
    return function->body ? is_kept_in(s, function, i) : effects_free(function);
}

/* Nothing in `e` lets the address out; `lost`: nobody uses its value, but for its truth. */
static bool stays(const struct scope *s, const struct expr *e, bool lost);

/* All that matters of its operands is whether they are something, or the same. */
static bool is_truth(const struct expr *e) {
    return e->kind == EXPR_AND || e->kind == EXPR_OR ||
           (e->kind == EXPR_UNARY && e->op == OP_NOT) ||
           (e->kind == EXPR_BINARY && (e->op == OP_EQ || e->op == OP_NE));
}

static bool parts_stay(const struct scope *s, const struct expr *e) {
    for (int i = 0; i < e->nargs; ++i)
        if (e->args[i] && !stays(s, e->args[i], is_truth(e)))
            return false;
    return true;
}

/* An operator that makes another pointer of it, a place of it, or a truth. */
static bool is_plain_use(const struct expr *e) {
    bool pointer = e->type && e->type->kind == TYPE_POINTER;
    switch (e->kind) {
    case EXPR_VAR:
    case EXPR_ADDRESS:
    case EXPR_DEREF:
    case EXPR_SUBSCRIPT:
    case EXPR_MEMBER:
    case EXPR_INCREMENT:
    case EXPR_CONDITIONAL:
    case EXPR_COMMA:
    case EXPR_AND:
    case EXPR_OR:
        return true;
    case EXPR_CAST:
        return pointer || (e->type && e->type->kind == TYPE_VOID);
    case EXPR_UNARY:
        return e->op == OP_NOT;
    case EXPR_BINARY:
        return pointer || e->op == OP_EQ || e->op == OP_NE || e->op == OP_SUB;
    default:
        return false;
    }
}

/* An address is kept in such memory, or another one. */
static void note_kept(const struct scope *s, const struct expr *to, const struct expr *what) {
    if (to->kind != EXPR_VAR && has_pointers(to->type, 0) && place_carries(s, to)) {
        bool own = to->type->kind == TYPE_POINTER && carries(s, what);
        s->question->nests = s->question->nests || own;
        s->question->mixes = s->question->mixes || (!own && !expr_is_zero(what));
    }
}

static bool assignment_stays(const struct scope *s, const struct expr *e, bool lost) {
    const struct expr *to = e->args[0];
    bool held = to->kind == EXPR_VAR && is_holder(s, to->var);
    bool inside =
        to->kind != EXPR_VAR && to->type && to->type->kind == TYPE_POINTER && place_carries(s, to);
    bool comes = carries(s, e->args[1]);
    bool moves = held && (e->op == OP_NONE || e->op == OP_ADD || e->op == OP_SUB);
    note_kept(s, to, e->args[1]);
    return (!comes || ((held || inside) && e->op == OP_NONE && lost)) && (!held || moves) &&
           parts_stay(s, e);
}

/* The bytes of an address might be looked at as something else. */
static bool reads_otherwise(const struct scope *s, const struct expr *e) {
    const struct type *of = e->kind == EXPR_MEMBER ? e->args[0]->type : NULL;
    bool cast = e->kind == EXPR_CAST && !is_allocation(e->args[0]) && carries(s, e->args[0]);
    return cast || (of && of->kind == TYPE_UNION && has_pointers(of, 0));
}

static bool stays(const struct scope *s, const struct expr *e, bool lost) {
    s->question->copies = s->question->copies || reads_otherwise(s, e);
    if (e->kind == EXPR_ASSIGN)
        return assignment_stays(s, e, lost);
    if (e->kind == EXPR_COMMA)
        return stays(s, e->args[0], true) && stays(s, e->args[1], lost);
    for (int i = 0; e->kind == EXPR_CALL && i < e->nargs; ++i)
        if (!argument_stays(s, e, i))
            return false;
    bool same = e->kind == EXPR_BINARY && carries(s, e->args[0]) && carries(s, e->args[1]);
    bool used = e->kind != EXPR_CALL && e->kind != EXPR_SIZEOF && !is_plain_use(e) && !same;
    for (int i = 0; used && i < e->nargs; ++i)
        if (e->args[i] && carries(s, e->args[i]))
            return false;
    return e->kind != EXPR_UNKNOWN && parts_stay(s, e);
}

static void see_statement(void *data, struct stmt *stmt) {
    struct scope *s = data;
    struct loop *loop = stmt->loop;
    bool good = stmt->kind != STMT_UNKNOWN;
    if (stmt->expr) {
        bool given = stmt->kind == STMT_RETURN && carries(s, stmt->expr);
        s->gives = s->gives || given;
        bool lost = stmt->kind == STMT_EXPR || stmt->kind == STMT_IF;
        good = good && stays(s, stmt->expr, lost) && (!given || s->returned);
    }
    for (int i = 0; stmt->kind == STMT_DECL && good && i < stmt->nvars; ++i) {
        const struct variable *var = stmt->vars[i];
        good = !var->init ||
               (stays(s, var->init, false) && (!carries(s, var->init) || is_holder(s, var)));
    }
    if (stmt->kind == STMT_FOR) {
        good = good && (!loop->cond || stays(s, loop->cond, false)) &&
               (!loop->next || stays(s, loop->next, true));
    }
    s->good = s->good && good;
}

/* ---- nothing else names the holders ---------------------------------------------------------- */

static void see_outside(void *data, struct expr *e) {
    struct scope *s = data;
    bool outside = e->kind == EXPR_VAR && is_holder(s, e->var) &&
                   !range_holds_start(&s->within->range, &e->range);
    s->good = s->good && !outside;
}

static bool scope_keeps(struct scope *s) {
    s->good = true;
    find_holders(s);
    if (s->good)
        stmt_each((struct stmt *)s->within, see_statement, s);
    if (s->good && !s->whole)
        stmt_visit(s->function->body, see_outside, s);
    return s->good;
}

static bool is_kept_in(const struct scope *from, const struct function *function, int param) {
    struct scope s = {
        .question = from->question, .function = function, .within = function->body, .whole = true};
    if (++s.question->scopes > MAX_SCOPES || param >= function->nparams || function->is_weak ||
        !can_hold(&s, function->params[param])) {
        return false;
    }
    s.holders[s.nholders++] = function->params[param];
    return scope_keeps(&s);
}

static bool *giver_add(struct question *question, const struct function *function) {
    if (question->ngivers == MAX_GIVERS)
        return NULL;
    question->givers[question->ngivers] = function;
    question->gives[question->ngivers] = true;
    return &question->gives[question->ngivers++];
}

/* Does it give back memory that it has allocated? Too much to look at: it may. */
static bool gives_own(const struct scope *from, const struct function *function) {
    struct question *question = from->question;
    struct scope s = {.question = question,
                      .function = function,
                      .within = function->body,
                      .whole = true,
                      .returned = true};
    for (int i = 0; i < question->ngivers; ++i)
        if (question->givers[i] == function)
            return question->gives[i];
    bool *gives = giver_add(question, function);
    if (!gives || ++question->scopes > MAX_SCOPES)
        return true;
    *gives = !scope_keeps(&s) || s.gives;
    return *gives;
}

/* ---- the memory ------------------------------------------------------------------------------ */

/* From the function that calls malloc outwards, as far as it is given back. */
static bool is_own(struct interp *w, const struct expr *call, struct question *question) {
    const struct expr *origin = call;
    bool open = true;
    for (const struct frame *f = w->frame; f && open; f = f->parent) {
        bool body = f->parent == NULL;
        struct scope s = {.question = question,
                          .function = body ? w->loop->function : f->function,
                          .within = body ? w->loop->body : f->function->body,
                          .origin = origin,
                          .whole = !body,
                          .returned = !body};
        if (!scope_keeps(&s))
            return false;
        open = s.gives;
        origin = f->call;
    }
    return question->scopes <= MAX_SCOPES && !(question->nests && question->copies);
}

static struct region *region_unescaped(struct interp *w, const struct expr *call, bool nests) {
    for (int i = 0; i < w->trace.nregions; ++i)
        if (w->regions[i]->unescaped == call && w->regions[i]->nests == nests)
            return w->regions[i];
    struct type *type = arena_alloc(w->arena, sizeof *type);
    struct variable *var = arena_alloc(w->arena, sizeof *var);
    struct region *region = arena_alloc(w->arena, sizeof *region);
    *type = (struct type){.kind = TYPE_ARRAY, .element = type_long(), .size = -1};
    *var = (struct variable){.name = "memory of an iteration's own",
                             .type = type,
                             .storage = STORAGE_LOCAL,
                             .function = w->loop->function,
                             .range = call->range};
    *region = (struct region){.kind = REGION_LOCAL,
                              .var = var,
                              .unescaped = call,
                              .nests = nests,
                              .id = w->trace.nregions};
    ARENA_PUSH(w->arena, w->regions, w->trace.nregions, region);
    w->trace.regions = (const struct region *const *)w->regions;
    return region;
}

const struct value *unescaped_memory(struct interp *w, const struct expr *call) {
    struct question question = {0};
    if (!is_allocation(call) || !is_own(w, call, &question))
        return NULL;
    struct value *p = value_new(&w->trace, VALUE_POINTER);
    p->region = region_unescaped(w, call, question.nests && !question.mixes && !question.copies);
    p->poly = poly_constant(w->arena, 0);
    w->facts->allocates = true;
    return p;
}

bool unescaped_is_freed(const struct expr *call, const struct value *what) {
    return effects_free(call->function) && what->kind == VALUE_POINTER && what->region->unescaped;
}

const struct value *unescaped_nested(struct interp *w, const struct value *address) {
    struct value *p = value_new(&w->trace, VALUE_POINTER);
    p->region = address->region;
    p->why = "it is read from memory of the iteration's own";
    p->poly = poly_constant(w->arena, 0);
    return p;
}

bool unescaped_or_null(const struct value *v) {
    long number;
    bool zero = v->kind == VALUE_INT && poly_is_constant(v->poly, &number) && number == 0;
    return zero || (v->kind == VALUE_POINTER && (v->region->unescaped || v->region->null));
}

/* ---- where there is none --------------------------------------------------------------------- */

/* The function that the statement calls, and does nothing else; NULL: it does. */
static const struct function *called(const struct stmt *s) {
    const struct expr *e = s->kind == STMT_EXPR ? s->expr : NULL;
    while (e && e->kind == EXPR_CAST)
        e = e->args[0];
    return e && e->kind == EXPR_CALL ? e->function : NULL;
}

static bool is_io(const struct stmt *s) {
    return called(s) && effect_of_function(called(s)) == EFFECT_IO;
}

static bool is_end(const struct stmt *s) {
    return called(s) && effects_say(called(s), EFFECT_ENDS);
}

/* It says something and ends the program. */
static bool ends_program(const struct stmt *s) {
    int said = 0;
    while (s->kind == STMT_BLOCK && said < s->nbody - 1 && is_io(s->body[said]))
        ++said;
    return s->kind == STMT_BLOCK ? s->nbody > 0 && said == s->nbody - 1 && is_end(s->body[said])
                                 : is_end(s);
}

/* Is it the truth of "malloc gave none"? */
static bool asks_for_none(const struct interp *w, const struct expr *e) {
    if (e->kind == EXPR_OR)
        return asks_for_none(w, e->args[0]) && asks_for_none(w, e->args[1]);
    const struct expr *p = e->kind == EXPR_UNARY && e->op == OP_NOT ? e->args[0] : NULL;
    if (e->kind == EXPR_BINARY && e->op == OP_EQ)
        p = expr_is_zero(e->args[1]) ? e->args[0] : expr_is_zero(e->args[0]) ? e->args[1] : NULL;
    p = p && p->kind == EXPR_ASSIGN && p->op == OP_NONE ? p->args[0] : p;
    const struct slot *slot = p && p->kind == EXPR_VAR ? env_find(&w->env, p->var) : NULL;
    return slot && slot->value->kind == VALUE_POINTER && slot->value->region->unescaped &&
           !slot->value->why;
}

bool unescaped_or_ends(const struct interp *w, const struct stmt *s) {
    return !s->other && ends_program(s->then) && asks_for_none(w, s->expr);
}
