#include "scheduler/emit/fixit_stream.h"

#include "scheduler/base/text.h"
#include "scheduler/base/walk.h"
#include "scheduler/emit/fixit_text.h"

#include <string.h>

enum { STREAM_FUNCTIONS = 32, STREAM_DRAWS = 32, STREAM_ELEMENTS = 8, STREAM_DEEP = 8 };

/* Edits of one message. */
struct stream {
    const struct unit *unit;
    const struct loop *loop;
    struct diag_list *list;
    struct diag *diag;
};

static void propose(const struct stream *s, unsigned begin, unsigned end, const char *text) {
    diag_edit(s->list, s->diag, fixit_range(s->unit, s->unit->main_file, begin, end), text);
}

static const char *source_of(const struct stream *s) {
    return s->unit->files[s->unit->main_file].text;
}

/* ---- draws of the C library ------------------------------------------------------------------- */

/* `whole`: orrery_uniform's value; else the upper 31 bits of orrery_random's as `type`. */
static const struct generator {
    const char *call, *type;
    bool whole;
} generators[] = {
    {"rand()", "int", false},
    {"random()", "long", false},
    {"lrand48()", "long", false},
    {"drand48()", "double", true},
};

const char *fixit_draw(const struct unit *unit, struct range range, const char *seed,
                       const char *n) {
    for (size_t i = 0; i < sizeof generators / sizeof *generators; ++i) {
        const struct generator *g = &generators[i];
        if (!range.exact || !fixit_spells(unit, range, g->call))
            continue;
        return g->whole ? arena_printf(unit->arena, "orrery_uniform(%s, %s)", seed, n)
                        : arena_printf(unit->arena, "(%s)(orrery_random(%s, %s) >> 33)", g->type,
                                       seed, n);
    }
    return NULL;
}

/* ---- the loop --------------------------------------------------------------------------------- */

/* Iterations have a number, and the loop can be edited. */
static bool can_begin(const struct stream *s) {
    const struct loop *loop = s->loop;
    const struct range *body = &loop->body->range;
    return loop->canonical && loop->variable->type->kind == TYPE_INT && loop->pragma &&
           loop->pragma->range.begin.file == s->unit->main_file && body->exact &&
           body->begin.file == s->unit->main_file;
}

/* A name that is nowhere in the file yet. */
static const char *new_name(const struct stream *s, const char *name) {
    while (token_uses(source_of(s), name))
        name = arena_printf(s->list->arena, "%s_", name);
    return name;
}

/* What stands in front of the mark on its line, if that is nothing but blanks. */
static const char *indent_of(const struct stream *s, unsigned at) {
    const char *source = source_of(s);
    unsigned begin = at;
    while (begin > 0 && (source[begin - 1] == ' ' || source[begin - 1] == '\t'))
        --begin;
    return arena_strndup(s->list->arena, source + begin, at - begin);
}

/* `sets` becomes the body's first statement; `front` stands in front of the loop. */
static void begin_streams(const struct stream *s, const char *front, const char *sets) {
    const struct range *body = &s->loop->body->range;
    const unsigned mark = s->loop->pragma->range.begin.offset;
    const bool block = s->loop->body->kind == STMT_BLOCK;
    struct range include;
    if (fixit_include_place(s->unit, &include))
        diag_edit(s->list, s->diag, include, "#include <orrery.h>\n");
    const char *indent = indent_of(s, mark);
    propose(s, mark, mark,
            *indent ? arena_printf(s->list->arena, "%s\n%s", front, indent)
                    : arena_printf(s->list->arena, "%s%s\n",
                                   indent_of(s, s->loop->header.begin.offset), front));
    if (block) {
        propose(s, body->begin.offset + 1, body->begin.offset + 1,
                arena_printf(s->list->arena, "%s%s", fixit_first_line(s->unit, *body), sets));
        return;
    }
    propose(s, body->begin.offset, body->begin.offset, arena_printf(s->list->arena, "{ %s ", sets));
    propose(s, body->end.offset, body->end.offset, " }");
}

/* ---- draws in called functions ---------------------------------------------------------------- */

struct draws {
    const struct stream *s;
    const struct function *in, *first; /* that is walked; the first one in the text that draws */
    const char *number;                /* of the next draw */
    int count;                         /* edits so far */
    bool unfit;                        /* one cannot be edited */
    struct range places[STREAM_DRAWS];
};

static void see_draw(void *data, struct expr *expr, struct expr *parent) {
    struct draws *d = data;
    const struct range *range = &expr->range;
    (void)parent;
    if (expr->kind != EXPR_CALL || !expr->function || expr->function->body ||
        effect_of_function(expr->function) != EFFECT_RANDOM)
        return;
    d->unfit = d->unfit || d->count == STREAM_DRAWS || range->in_macro ||
               range->begin.file != d->s->unit->main_file ||
               !fixit_draw(d->s->unit, *range, "", "");
    if (d->unfit)
        return;
    d->places[d->count++] = *range;
    if (!d->first || d->in->range.begin.offset < d->first->range.begin.offset)
        d->first = d->in;
}

/* Where a declaration stands in front of the function and the comment that ends there. */
static unsigned front_of(const struct stream *s, const struct function *function) {
    const char *source = source_of(s);
    const unsigned begin = function->range.begin.offset;
    unsigned at = begin;
    while (at > 0 && strchr(" \t\r\n", source[at - 1]))
        --at;
    if (at < 2 || strncmp(source + at - 2, "*/", 2) != 0)
        return begin;
    at -= 2;
    while (at >= 2 && strncmp(source + at - 2, "/*", 2) != 0)
        --at;
    return at >= 3 && source[at - 3] == '\n' ? at - 2 : begin;
}

bool fixit_stream_draws(const struct unit *unit, const struct loop *loop, struct diag_list *list,
                        struct diag *diag) {
    const struct stream s = {unit, loop, list, diag};
    struct function *called[STREAM_FUNCTIONS];
    struct draws d = {.s = &s, .in = loop->function, .number = new_name(&s, "draws")};
    const char *stream = new_name(&s, "stream");
    const int ncalled = emit_walk_called(loop, STREAM_FUNCTIONS, called);
    emit_walk_stmt(loop->body, see_draw, &d);
    for (int i = 0; i < ncalled; ++i) {
        d.in = called[i];
        emit_walk_stmt(called[i]->body, see_draw, &d);
    }
    if (ncalled < 0 || d.unfit || d.count == 0 || !can_begin(&s) || !d.first->range.exact ||
        d.first->range.begin.file != unit->main_file)
        return false;
    const unsigned front = front_of(&s, d.first);
    propose(&s, front, front,
            arena_printf(list->arena, "static unsigned long long %s;\n\n", d.number));
    begin_streams(&s,
                  arena_printf(list->arena, "const unsigned long long %s = %s;", stream, d.number),
                  arena_printf(list->arena, "%s = orrery_random(%s, %s);", d.number, stream,
                               loop->variable->name));
    for (int i = 0; i < d.count; ++i)
        diag_edit(list, diag, d.places[i],
                  fixit_draw(unit, d.places[i], "0", arena_printf(list->arena, "%s++", d.number)));
    diag->frees = true;
    diag->gives_up =
        "the C library's numbers: these functions draw others, wherever they are called";
    return true;
}

/* ---- generators of the program's own ---------------------------------------------------------- */

struct state {
    const struct variable *var;
    const struct stmt *text; /* that is walked */
    int depth;               /* of variables that are looked into */
    bool set, foreign;       /* some text sets it; it is made of something else, too */
    bool mixes;              /* by a large factor or a shift */
};

static bool is_own(struct state *state, const struct expr *e);

struct local {
    struct state *state;
    const struct variable *var;
    bool own;
};

static void see_local(void *data, struct expr *expr, struct expr *parent) {
    struct local *local = data;
    const bool sets = expr->kind == EXPR_ASSIGN && expr->args[0]->kind == EXPR_VAR &&
                      expr->args[0]->var == local->var;
    (void)parent;
    local->own = local->own && (!sets || is_own(local->state, expr->args[1]));
}

/* A variable of the text that is walked, which is only set to what is made of the state. */
static bool is_own_local(struct state *state, const struct variable *var) {
    struct local local = {state, var, true};
    if (var->storage != STORAGE_LOCAL || var->address_taken || state->depth == STREAM_DEEP ||
        !stmt_declares(state->text, var))
        return false;
    ++state->depth;
    local.own = !var->init || is_own(state, var->init);
    emit_walk_stmt((struct stmt *)state->text, see_local, &local);
    --state->depth;
    return local.own;
}

static bool names_memory(const void *data, const struct expr *e) {
    (void)data;
    return (e->kind == EXPR_VAR && e->var->storage != STORAGE_LOCAL &&
            e->var->storage != STORAGE_PARAM) ||
           e->kind == EXPR_DEREF || e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_CALL;
}

static void note_mixing(struct state *state, const struct expr *e) {
    enum { LARGE = 1000 };
    for (int i = 0; e->op == OP_MUL && i < e->nargs; ++i) {
        const struct expr *factor = e->args[i];
        while (factor->kind == EXPR_CAST)
            factor = factor->args[0];
        state->mixes = state->mixes || (factor->kind == EXPR_INT &&
                                        (factor->int_value > LARGE || factor->int_value < 0));
    }
    state->mixes = state->mixes || e->op == OP_SHL || e->op == OP_SHR;
}

/* It is made of the state, of constants and of locals that are. */
static bool is_own(struct state *state, const struct expr *e) {
    bool own = e->kind == EXPR_INT || e->kind == EXPR_BINARY || e->kind == EXPR_UNARY ||
               e->kind == EXPR_CAST || e->kind == EXPR_COMMA || e->kind == EXPR_CONDITIONAL ||
               e->kind == EXPR_ASSIGN;
    if (e->kind == EXPR_VAR)
        return e->var == state->var || is_own_local(state, e->var);
    if (e->kind == EXPR_SUBSCRIPT)
        return e->args[0]->kind == EXPR_VAR && e->args[0]->var == state->var;
    if (e->kind == EXPR_CALL)
        own = e->function && e->function->body &&
              !stmt_any_expr(e->function->body, names_memory, NULL);
    note_mixing(state, e);
    for (int i = 0; own && i < e->nargs; ++i)
        own = e->args[i] && is_own(state, e->args[i]);
    return own;
}

static bool is_state(const struct state *state, const struct expr *lvalue) {
    const struct expr *base = lvalue->kind == EXPR_SUBSCRIPT ? lvalue->args[0] : lvalue;
    return base->kind == EXPR_VAR && base->var == state->var;
}

static void see_set(void *data, struct expr *expr, struct expr *parent) {
    struct state *state = data;
    (void)parent;
    if ((expr->kind != EXPR_ASSIGN && expr->kind != EXPR_INCREMENT) ||
        !is_state(state, expr->args[0]))
        return;
    state->set = true;
    note_mixing(state, expr);
    state->foreign =
        state->foreign || expr->kind == EXPR_INCREMENT || !is_own(state, expr->args[1]);
}

static void walk_state(struct state *state, const struct stmt *text) {
    state->text = text;
    emit_walk_stmt((struct stmt *)text, see_set, state);
}

/* Whole numbers of 32 or 64 bits; their count, 1 for a variable, 0: none. */
static int elements_of(const struct variable *var) {
    const struct type *type = var->type;
    long count = 1;
    if (type->kind == TYPE_ARRAY && type->element->size > 0)
        count = type->size / type->element->size, type = type->element;
    return type->kind == TYPE_INT && (type->size == 4 || type->size == 8) && !type->is_volatile &&
                   !type->is_atomic && count >= 1 && count <= STREAM_ELEMENTS
               ? (int)count
               : 0;
}

static const char *sets_of(const struct stream *s, const struct variable *var, const char *stream) {
    const int count = elements_of(var);
    const bool array = var->type->kind == TYPE_ARRAY;
    const char *shift = (array ? var->type->element : var->type)->is_signed ? " >> 33" : "";
    const char *n = s->loop->variable->name, *all = "";
    for (int i = 0; i < count; ++i) {
        const char *place =
            array ? arena_printf(s->list->arena, "%s[%d]", var->name, i) : var->name;
        const char *number = count == 1 ? n
                             : i == 0
                                 ? arena_printf(s->list->arena, "%dULL * %s", count, n)
                                 : arena_printf(s->list->arena, "%dULL * %s + %d", count, n, i);
        all = arena_printf(s->list->arena, "%s%s%s = orrery_random(%s, %s)%s;", all,
                           i > 0 ? " " : "", place, stream, number, shift);
    }
    return all;
}

bool fixit_stream_state(const struct unit *unit, const struct loop *loop,
                        const struct variable *var, struct diag_list *list, struct diag *diag) {
    const struct stream s = {unit, loop, list, diag};
    struct function *called[STREAM_FUNCTIONS];
    struct state state = {.var = var};
    const int ncalled = emit_walk_called(loop, STREAM_FUNCTIONS, called);
    if (!var || elements_of(var) == 0 || ncalled < 0 || !can_begin(&s) ||
        stmt_declares(loop->body, var) || (var->function && var->function != loop->function))
        return false;
    walk_state(&state, loop->body);
    for (int i = 0; i < ncalled; ++i)
        walk_state(&state, called[i]->body);
    if (!state.set || state.foreign || !state.mixes)
        return false;
    const char *stream = new_name(&s, "stream");
    begin_streams(&s,
                  arena_printf(list->arena, "const unsigned long long %s = %s%s;", stream,
                               var->name, var->type->kind == TYPE_ARRAY ? "[0]" : ""),
                  sets_of(&s, var, stream));
    diag->frees = true;
    diag->gives_up = "the generator's one sequence: each iteration begins one of its own";
    return true;
}
