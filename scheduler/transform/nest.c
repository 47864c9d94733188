/* Loops and facts -> struct nest. What is not understood is refused: the nest stays as it is. */
#include "scheduler/transform/nest.h"

#include "scheduler/base/text.h"

#include <string.h>

/* ---- the text: loops, blocks and assignments ------------------------------------------------- */

struct reading {
    struct nest *nest;
    int depth;
    int path[NEST_DEPTH];      /* the loops around */
    int order[NEST_DEPTH + 1]; /* what stood before in each of them */
    bool fits;
};

bool nest_is_value(const struct expr *e) {
    for (int i = 0; i < e->nargs; ++i)
        if (!e->args[i] || !nest_is_value(e->args[i]))
            return false;
    switch (e->kind) {
    case EXPR_INT:
    case EXPR_FLOAT:
    case EXPR_VAR:
    case EXPR_UNARY:
    case EXPR_DEREF:
    case EXPR_BINARY:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_CONDITIONAL:
    case EXPR_SUBSCRIPT:
    case EXPR_MEMBER:
        return true;
    case EXPR_CAST:
        return e->nargs == 1;
    case EXPR_CALL:
        return e->function && effects_pure(e->function);
    default:
        return false;
    }
}

static bool is_assignment(const struct expr *e) {
    return e && e->kind == EXPR_ASSIGN && type_is_number(e->type) && nest_is_value(e->args[0]) &&
           nest_is_value(e->args[1]);
}

/* The bytes spell the construct once, in the file that is rewritten. */
static bool is_here(const struct unit *unit, const struct range *range) {
    return range->begin.file == unit->main_file && range->exact && !unit_is_expanded(unit, range);
}

static void read_statement(struct reading *r, const struct stmt *stmt) {
    struct nest *nest = r->nest;
    if (nest->nstatements == NEST_STATEMENTS || r->depth == 0 || !is_assignment(stmt->expr) ||
        stmt->range.begin.file != nest->unit->main_file) {
        r->fits = false;
        return;
    }
    struct nest_statement *s = &nest->statements[nest->nstatements++];
    *s = (struct nest_statement){.stmt = stmt, .nloops = r->depth};
    memcpy(s->loops, r->path, sizeof r->path);
    memcpy(s->order, r->order, sizeof r->order);
    ++r->order[r->depth];
}

/* The header does nothing but count: no `i = 0, k = 5`. */
static bool has_plain_header(const struct loop *loop) {
    const struct stmt *init = loop->init;
    bool set =
        init && (init->kind == STMT_DECL
                     ? init->nvars == 1 && init->vars[0] == loop->variable
                     : init->kind == STMT_EXPR && init->expr && init->expr->kind == EXPR_ASSIGN &&
                           nest_is_value(init->expr->args[1]));
    bool counted =
        loop->next && (loop->next->kind == EXPR_INCREMENT ||
                       (loop->next->kind == EXPR_ASSIGN && nest_is_value(loop->next->args[1])));
    return set && counted && loop->cond && nest_is_value(loop->cond);
}

bool nest_counts_plainly(const struct loop *loop) {
    return has_plain_header(loop) && loop->canonical && loop->form == LOOP_FOR && loop->step != 0 &&
           !loop->stride && !loop->positive && !loop->within && !loop->limited &&
           loop->nentries == 0 && !loop->steps_in_body && loop->lower && loop->variable &&
           !loop->pragma && loop->relation != OP_NE && loop->relation != OP_EQ &&
           (loop->declares_variable ||
            (!loop->variable->address_taken && (loop->variable->storage == STORAGE_LOCAL ||
                                                loop->variable->storage == STORAGE_PARAM)));
}

/* for (v = lower; v < upper; ++v) */
static bool is_plain(const struct loop *loop) {
    return loop->step == 1 && nest_counts_plainly(loop);
}

static void read_stmt(struct reading *r, const struct stmt *stmt);

static void read_loop(struct reading *r, const struct loop *loop) {
    struct nest *nest = r->nest;
    if (nest->nloops == NEST_LOOPS || r->depth == NEST_DEPTH || !is_plain(loop)) {
        r->fits = false;
        return;
    }
    int index = nest->nloops++;
    nest->loops[index] = (struct nest_loop){.loop = loop};
    r->path[r->depth++] = index;
    r->order[r->depth] = 0;
    read_stmt(r, loop->body);
    ++r->order[--r->depth];
}

static void read_stmt(struct reading *r, const struct stmt *stmt) {
    if (!r->fits || !stmt || stmt->kind == STMT_EMPTY)
        return;
    if (stmt->kind == STMT_FOR)
        read_loop(r, stmt->loop);
    else if (stmt->kind == STMT_EXPR)
        read_statement(r, stmt);
    else if (stmt->kind == STMT_BLOCK)
        for (int i = 0; i < stmt->nbody; ++i)
            read_stmt(r, stmt->body[i]);
    else
        r->fits = false;
}

bool nest_has_directive(const struct unit *unit, const struct range *range) {
    struct token_scan scan =
        token_scan_start(unit->files[unit->main_file].text, range->begin.offset, range->end.offset);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        if (t.kind == TOKEN_DIRECTIVE)
            return true;
    return false;
}

/* It is all of the body of a loop whose header ends with this token. */
static bool is_body(const struct unit *unit, const struct loop *loop, struct token last) {
    const struct loop *around = loop->around;
    return around && around->form == LOOP_FOR && around->body == loop->stmt &&
           is_here(unit, &around->header) && around->header.end.offset == last.end;
}

/* Nothing that has to stand in front of a loop stands in front of this one (#pragma GCC ivdep, a
 * macro that hides it): a statement ends there, a block begins, or a header ends. */
static bool stands_alone(const struct unit *unit, const struct loop *loop) {
    static const char *const ends[] = {"{", "}", ";", ":", "else", "do"};
    const char *source = unit->files[unit->main_file].text;
    const struct range *function = &loop->function->range;
    struct token_scan scan =
        token_scan_start(source, function->begin.offset, loop->stmt->range.begin.offset);
    struct token last = {.kind = TOKEN_END};
    bool pragma = false;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        bool directive = t.kind == TOKEN_DIRECTIVE;
        const char *name = directive ? token_directive_name(unit->arena, source, t) : "";
        const char *word = directive ? token_directive_word(unit->arena, source, t) : "";
        pragma = strcmp(name, "pragma") == 0 && strcmp(word, "scop") != 0 &&
                 strcmp(word, "endscop") != 0;
        last = directive ? last : t;
    }
    for (size_t i = 0; last.kind != TOKEN_END && !pragma && i < sizeof ends / sizeof *ends; ++i)
        if (token_spells(&scan, last, ends[i]))
            return true;
    return last.kind != TOKEN_END && !pragma && is_body(unit, loop, last);
}

bool nest_is_movable(const struct unit *unit, const struct loop *loop) {
    const struct range *range = &loop->stmt->range;
    return is_here(unit, range) && !nest_has_directive(unit, range) && stands_alone(unit, loop);
}

static bool read_text(struct nest *nest, const struct loop *loop) {
    struct reading r = {.nest = nest, .fits = true};
    if (!nest_is_movable(nest->unit, loop))
        return false;
    read_loop(&r, loop);
    return r.fits && nest->nloops > 1 && nest->nstatements > 0;
}

/* ---- the facts: bounds and elements ---------------------------------------------------------- */

static const char *refuse(struct nest *nest, const char *why) {
    nest->why_not = nest->why_not ? nest->why_not : why;
    return why;
}

int nest_loop_of(const struct nest *nest, const struct symbol *symbol) {
    for (int i = 0; i < nest->nloops; ++i)
        if (nest->loops[i].bounds && nest->loops[i].bounds->symbol == symbol)
            return i;
    return -1;
}

static void take_param(struct nest *nest, const struct symbol *symbol) {
    for (int i = 0; i < nest->nparams; ++i)
        if (nest->params[i] == symbol)
            return;
    if (symbol->expr && symbol->domain == NULL && type_is_number(symbol->expr->type))
        ARENA_PUSH(nest->arena, nest->params, nest->nparams, symbol);
    else
        refuse(nest, "a value is tied to others");
}

bool nest_take_affine(struct nest *nest, const struct affine *value) {
    bool is_free = true;
    for (int i = 0; i < value->nterms; ++i) {
        const struct symbol *symbol = value->terms[i].symbol;
        if (symbol->kind == SYMBOL_PARAM)
            take_param(nest, symbol);
        else if (symbol->kind == SYMBOL_LOOP && nest_loop_of(nest, symbol) >= 0)
            is_free = false;
        else
            refuse(nest, "a subscript or a bound is not affine");
    }
    return is_free;
}

static void take_bounds(struct nest *nest) {
    const struct loop_facts *facts = nest->facts;
    for (int i = 0; i < nest->nloops; ++i)
        for (int j = 0; j < facts->ninner; ++j)
            if (facts->inner[j].loop == nest->loops[i].loop)
                nest->loops[i].bounds = &facts->inner[j];
    for (int i = 0; i < nest->nloops; ++i) {
        const struct inner_loop *bounds = nest->loops[i].bounds;
        if (!bounds || !bounds->has_lower || !bounds->has_upper || bounds->by_number ||
            bounds->step != 1) {
            refuse(nest, "a loop's bounds are not affine");
            return;
        }
        const struct loop *loop = nest->loops[i].loop;
        nest->loops[i].is_unsigned =
            !loop->variable->type->is_signed || !loop->upper->type->is_signed;
        bool lower = nest_take_affine(nest, &bounds->lower);
        nest->loops[i].is_free = nest_take_affine(nest, &bounds->upper) && lower;
    }
}

static bool is_counter(const struct nest *nest, const struct object *object) {
    for (int i = 0; i < nest->nloops; ++i)
        if (object->kind == OBJECT_SCALAR && object->var == nest->loops[i].loop->variable)
            return true;
    return false;
}

int nest_statement_of(const struct nest *nest, const struct range *range) {
    for (int i = 0; i < nest->nstatements; ++i)
        if (range_holds(&nest->statements[i].stmt->range, range))
            return i;
    return -1;
}

static bool is_memory(const struct object *object) {
    return object->kind == OBJECT_ARRAY || object->kind == OBJECT_POINTER ||
           object->kind == OBJECT_SCALAR;
}

static void take_access(struct nest *nest, const struct access *access) {
    const int statement = nest_statement_of(nest, &access->range);
    if (is_counter(nest, access->object))
        return;
    if (statement < 0 || access->via || !is_memory(access->object) ||
        access->nsubs != access->object->ndims) {
        refuse(nest, "an access is not of one element");
        return;
    }
    for (int i = 0; i < access->nsubs; ++i) {
        if (!access->subs[i].known) {
            refuse(nest, "a subscript is not known");
            return;
        }
        nest_take_affine(nest, &access->subs[i].value);
    }
    struct nest_access a = {access, access->object->id};
    struct nest_statement *s = &nest->statements[statement];
    ARENA_PUSH(nest->arena, s->accesses, s->naccesses, a);
}

/* A counter that is declared outside gets its last value; that of one inside must not be read. */
static void check_privates(struct nest *nest) {
    const struct loop_facts *facts = nest->facts;
    for (int i = 0; i < facts->nprivates; ++i)
        if (facts->privates[i].last_value)
            refuse(nest, "what an iteration leaves in a variable is read later");
}

void nest_take_pairs(struct nest *nest) {
    struct loop_facts *facts = nest->facts;
    for (int i = 0; i < facts->nobjects; ++i)
        for (int j = i + 1; j < facts->nobjects; ++j) {
            const struct object *a = facts->objects[i], *b = facts->objects[j];
            int guard = -1;
            if (is_counter(nest, a) || is_counter(nest, b) || (!a->written && !b->written))
                continue;
            enum alias alias = facts_alias(facts, a, b, &guard);
            if (alias == ALIAS_MAY)
                refuse(nest, "two arrays may overlap");
            if (alias != ALIAS_GUARDED)
                continue;
            if (guard < 0 || facts->guards[guard].kind != GUARD_NO_OVERLAP ||
                a->kind == OBJECT_SCALAR || b->kind == OBJECT_SCALAR)
                refuse(nest, "what may overlap is not two arrays");
            struct nest_pair pair = {a, b};
            ARENA_PUSH(nest->arena, nest->pairs, nest->npairs, pair);
        }
}

/* What the facts take to be true of the run. */
void nest_take_guards(struct nest *nest) {
    const struct loop_facts *facts = nest->facts;
    for (int i = 0; i < facts->nguards; ++i) {
        const struct guard *guard = &facts->guards[i];
        if (guard->kind == GUARD_NO_OVERLAP)
            continue;
        if (guard->kind == GUARD_CONDITION && !guard->when)
            ARENA_PUSH(nest->arena, nest->conditions, nest->nconditions, guard->text);
        else
            refuse(nest, "it needs a check of the data");
    }
}

/* Compilers see through loops that count in the type of the text's: all of them int, or all as wide
 * as long. */
void nest_take_type(struct nest *nest) {
    const struct type *type = nest->loops[0].loop->variable->type;
    bool narrow = type->size == (long)sizeof(int) && type->is_signed;
    for (int i = 0; i < nest->nloops; ++i) {
        const struct type *other = nest->loops[i].loop->variable->type;
        if (other->size != type->size || (narrow && !other->is_signed) ||
            (!narrow && other->size != (long)sizeof(long)))
            refuse(nest, "its counters have different types");
    }
    nest->counter = narrow ? "int" : "long";
}

bool nest_is_narrow(const struct nest *nest) {
    return strcmp(nest->counter, "int") == 0;
}

static bool is_around(const struct nest *nest, const struct nest_statement *s,
                      const struct variable *var) {
    for (int i = 0; i < s->nloops; ++i)
        if (nest->loops[s->loops[i]].loop->variable == var)
            return true;
    return false;
}

/* Does a statement read what a loop that it is not in leaves in its counter? */
static bool reads_counter(const struct nest *nest, const struct nest_statement *s,
                          const struct expr *e) {
    for (int i = 0; i < nest->nloops && e->kind == EXPR_VAR; ++i)
        if (nest->loops[i].loop->variable == e->var && !is_around(nest, s, e->var))
            return true;
    for (int i = 0; i < e->nargs; ++i)
        if (reads_counter(nest, s, e->args[i]))
            return true;
    return false;
}

static void check_counters(struct nest *nest) {
    for (int i = 0; i < nest->nstatements; ++i)
        if (reads_counter(nest, &nest->statements[i], nest->statements[i].stmt->expr))
            refuse(nest, "what a loop leaves in its counter is read");
}

static bool is_open(const struct loop_facts *facts) {
    return facts->nrefusals == 0 && facts->nfronts == 0 && facts->ninductions == 0 &&
           !facts->by_number && !facts->allocates;
}

void nest_check_params(struct nest *nest) {
    for (int i = 0; i < nest->nparams && nest_is_narrow(nest); ++i) {
        const struct type *type = nest->params[i]->expr->type;
        if (type->size > (long)sizeof(int) || (type->size == (long)sizeof(int) && !type->is_signed))
            refuse(nest, "a bound is wider than its counter");
    }
}

static void read_facts(struct nest *nest, struct loop *loop) {
    nest->facts = facts_collect_sums(nest->unit, loop);
    if (!is_open(nest->facts)) {
        refuse(nest, "the loop does more than count and assign");
        return;
    }
    nest_take_type(nest);
    check_counters(nest);
    take_bounds(nest);
    check_privates(nest);
    for (int i = 0; i < nest->facts->naccesses && !nest->why_not; ++i)
        take_access(nest, &nest->facts->accesses[i]);
    if (!nest->why_not)
        nest_take_pairs(nest);
    if (!nest->why_not)
        nest_take_guards(nest);
    nest_check_params(nest);
}

struct nest *nest_read(struct unit *unit, struct loop *loop) {
    struct nest *nest = arena_alloc(unit->arena, sizeof *nest);
    *nest = (struct nest){.arena = unit->arena, .unit = unit};
    if (!read_text(nest, loop))
        return NULL;
    read_facts(nest, loop);
    return nest;
}
