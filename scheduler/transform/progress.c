/* Sums that are printed while the loop runs: from the loop to its text with one behind. */
#include "scheduler/transform/progress.h"

#include "scheduler/base/walk.h"
#include "scheduler/transform/rows_text.h"

#include <string.h>

enum { MOST_NUMBERS = 16, MANY = 99 };

/* A number that is printed: a sum, or a variable of the body. */
struct told {
    const struct variable *var; /* of the user's */
    const char *name;           /* of the array with an element for each iteration */
    const struct type *type;    /* of its elements */
    bool is_sum;                /* else it is the body's own */
    bool is_less;               /* elements are taken from it */
    int mentions, adds;         /* in the body, in statements that print nothing; those that add */
    int first, last;            /* statements of the body that add to it */
};

struct progress {
    struct unit *unit;              /* of the loop */
    const struct loop *loop;        /* the marked one */
    int nprints;                    /* statements of the body that print */
    int first, last;                /* the first and the last of them */
    int at;                         /* the statement that is looked at */
    int ntold;                      /* of `told` */
    struct told told[MOST_NUMBERS]; /* numbers that are printed */
    struct text_edits edits;        /* of the main file's text */
    bool is_unfit;                  /* the loop stays as it is */
};

/* ---- what is printed -------------------------------------------------------------------------- */

static bool is_print(const void *data, const struct expr *e) {
    (void)data;
    return e->kind == EXPR_CALL && e->function && !e->function->body &&
           effect_of_function(e->function) == EFFECT_IO;
}

static bool prints(const struct stmt *stmt) {
    return stmt_any_expr(stmt, is_print, NULL);
}

static bool is_own(const struct variable *v) {
    return (v->storage == STORAGE_LOCAL || v->storage == STORAGE_PARAM) && !v->address_taken &&
           !v->type->is_volatile && !v->type->is_atomic;
}

static bool is_stream(const struct expr *e) {
    return e->var->is_extern &&
           (strcmp(e->var->name, "stdout") == 0 || strcmp(e->var->name, "stderr") == 0);
}

/* Which statement of the body declares it; -1: none, or one of a block inside. */
static int declared_at(const struct stmt *body, const struct variable *v) {
    for (int i = 0; i < body->nbody; ++i)
        for (int j = 0; j < body->body[i]->nvars; ++j)
            if (body->body[i]->vars[j] == v)
                return i;
    return -1;
}

static void tell(struct progress *p, const struct variable *v, bool is_sum) {
    for (int i = 0; i < p->ntold; ++i)
        if (p->told[i].var == v)
            return;
    if (p->ntold == MOST_NUMBERS) {
        p->is_unfit = true;
        return;
    }
    p->told[p->ntold++] =
        (struct told){.var = v,
                      .name = text_new_name(p->unit, v->name, "_of"),
                      .type = is_sum && v->type->kind == TYPE_FLOAT ? NULL : v->type,
                      .is_sum = is_sum,
                      .first = MANY};
}

/* Numbers, literals, the usual streams, and pure functions of them. */
static void see_printed(void *data, struct expr *e) {
    struct progress *p = data;
    const struct loop *loop = p->loop;
    if (e->kind == EXPR_CALL)
        p->is_unfit = p->is_unfit || !e->function ||
                      (!effects_pure(e->function) &&
                       (!is_print(NULL, e) || effects_say(e->function, EFFECT_INPUT)));
    else if (e->kind != EXPR_VAR)
        p->is_unfit = p->is_unfit || e->kind == EXPR_MEMBER || e->kind == EXPR_SUBSCRIPT ||
                      e->kind == EXPR_DEREF || e->kind == EXPR_ADDRESS || e->kind == EXPR_ASSIGN ||
                      e->kind == EXPR_INCREMENT || e->kind == EXPR_UNKNOWN;
    else if (e->var != loop->variable && !is_stream(e)) {
        p->is_unfit = p->is_unfit || !is_own(e->var) || !type_is_number(e->var->type);
        const bool own = declared_at(loop->body, e->var) >= 0;
        if (own || stmt_sets(loop->body, e->var))
            tell(p, e->var, !own);
    }
}

static bool declares(const void *data, const struct stmt *stmt) {
    (void)data;
    return stmt->nvars > 0 || (stmt->kind != STMT_EXPR && stmt->kind != STMT_IF &&
                               stmt->kind != STMT_BLOCK && stmt->kind != STMT_EMPTY);
}

/* `continue` of the loop itself: what it leaves out would have to be known behind. */
static bool goes_on(const struct stmt *s) {
    if (!s || s->kind == STMT_FOR || s->kind == STMT_WHILE || s->kind == STMT_DO)
        return false;
    bool found = s->kind == STMT_CONTINUE || goes_on(s->then) || goes_on(s->other);
    for (int i = 0; i < s->nbody && !found; ++i)
        found = goes_on(s->body[i]);
    return found;
}

/* The body's own is set where it is declared, and has one value from the first print to the last. */
static bool is_kept(const struct progress *p, const struct told *told) {
    const struct stmt *body = p->loop->body;
    if (!told->var->init || declared_at(body, told->var) > p->first)
        return false;
    for (int i = p->first; i <= p->last; ++i)
        if (stmt_sets(body->body[i], told->var))
            return false;
    return true;
}

static void find_prints(struct progress *p) {
    const struct stmt *body = p->loop->body;
    for (int i = 0; i < body->nbody; ++i) {
        struct stmt *s = body->body[i];
        if (!prints(s))
            continue;
        p->first = p->nprints++ ? p->first : i;
        p->last = i;
        p->is_unfit =
            p->is_unfit || stmt_any(s, declares, NULL) || !text_is_written(p->unit, &s->range);
        stmt_visit(s, see_printed, p);
    }
    for (int t = 0; t < p->ntold; ++t)
        p->is_unfit = p->is_unfit || (!p->told[t].is_sum && !is_kept(p, &p->told[t])) ||
                      expr_names(p->loop->cond, p->told[t].var);
}

/* ---- what is added ---------------------------------------------------------------------------- */

static struct told *told_of(struct progress *p, const struct variable *v) {
    for (int i = 0; i < p->ntold; ++i)
        if (p->told[i].var == v)
            return &p->told[i];
    return NULL;
}

static void see_mention(void *data, struct expr *e) {
    struct progress *p = data;
    struct told *told = e->kind == EXPR_VAR ? told_of(p, e->var) : NULL;
    if (told && told->is_sum)
        ++told->mentions;
}

/* `total -= e`: the element is set to `e`, since a negated one would make another NaN. */
static void edit_less(struct progress *p, const struct expr *e) {
    const unsigned end = e->args[1]->range.begin.offset;
    struct token_scan scan = token_scan_start(p->unit->files[p->unit->main_file].text,
                                              e->args[0]->range.end.offset, end);
    struct token t = token_next(&scan);
    while (t.kind != TOKEN_END && !token_spells(&scan, t, "-"))
        t = token_next(&scan);
    p->is_unfit = p->is_unfit || t.kind == TOKEN_END;
    if (!p->is_unfit)
        text_edit_add(&p->edits, t.begin, t.end, "");
}

/* `total += e`, `total -= e`, `total++`: an element in the variable's place. It begins as -0.0, which
 * changes no number that is added to it, or as 0, which changes none that it is taken from (IEEE
 * 754, 6.3). */
static void see_add(void *data, struct stmt *s) {
    struct progress *p = data;
    const struct expr *e = s->kind == STMT_EXPR ? s->expr : NULL;
    const bool adds = e && (e->kind == EXPR_INCREMENT ||
                            (e->kind == EXPR_ASSIGN && (e->op == OP_ADD || e->op == OP_SUB)));
    struct told *told = adds && e->args[0]->kind == EXPR_VAR ? told_of(p, e->args[0]->var) : NULL;
    if (!told || !told->is_sum)
        return;
    const struct range *at = &e->args[0]->range;
    const struct type *given =
        e->kind == EXPR_ASSIGN && e->args[1]->type && e->args[1]->type->kind == TYPE_FLOAT
            ? e->args[1]->type
            : told->var->type;
    if (told->var->type->kind == TYPE_FLOAT) {
        const bool is_less = e->kind == EXPR_ASSIGN && e->op == OP_SUB;
        p->is_unfit =
            p->is_unfit ||
            (told->type && (!type_is_alike(told->type, given) || told->is_less != is_less));
        told->type = given;
        told->is_less = is_less;
        if (is_less)
            edit_less(p, e);
    }
    p->is_unfit = p->is_unfit || (told->var->type->kind == TYPE_INT && given->kind == TYPE_FLOAT);
    ++told->adds;
    told->first = p->at < told->first ? p->at : told->first;
    told->last = p->at;
    p->is_unfit = p->is_unfit || !text_is_written(p->unit, at);
    if (!p->is_unfit)
        text_edit_add(&p->edits, at->begin.offset, at->end.offset,
                      arena_printf(p->unit->arena, "%s[%s]", told->name, p->loop->variable->name));
}

/* How often an iteration adds to `v` there, at most. */
static int most_adds(const struct stmt *s, const struct variable *v) {
    int most = 0;
    if (!s || !stmt_names(s, v))
        return 0;
    if (s->kind == STMT_EXPR)
        return 1;
    if (s->kind == STMT_IF) {
        const int then = most_adds(s->then, v), other = most_adds(s->other, v);
        return then > other ? then : other;
    }
    for (int i = 0; s->kind == STMT_BLOCK && i < s->nbody; ++i)
        most += most_adds(s->body[i], v);
    return s->kind == STMT_BLOCK ? most : MANY;
}

/* Rounded sums are told apart by what each iteration adds: once. */
static bool is_sum(const struct progress *p, const struct told *told) {
    const struct stmt *body = p->loop->body;
    int most = 0;
    for (int i = 0; i < body->nbody; ++i)
        most += prints(body->body[i]) ? 0 : most_adds(body->body[i], told->var);
    return told->adds > 0 && told->adds == told->mentions &&
           (told->var->type->kind == TYPE_INT ||
            (told->var->type->kind == TYPE_FLOAT && most == 1)) &&
           (told->last < p->first || told->first > p->last);
}

static void find_sums(struct progress *p) {
    const struct stmt *body = p->loop->body;
    int nsums = 0;
    for (p->at = 0; p->at < body->nbody; ++p->at) {
        if (prints(body->body[p->at]))
            continue;
        stmt_visit(body->body[p->at], see_mention, p);
        stmt_each(body->body[p->at], see_add, p);
    }
    for (int i = 0; i < p->ntold; ++i) {
        nsums += p->told[i].is_sum;
        p->is_unfit = p->is_unfit || (p->told[i].is_sum && !is_sum(p, &p->told[i]));
    }
    p->is_unfit = p->is_unfit || nsums == 0;
}

/* A clause says something else of it. */
static bool is_in_clause(const struct progress *p) {
    const struct pragma *pragma = p->loop->pragma;
    for (int i = 0; i < pragma->nclauses; ++i)
        for (int n = 0; n < pragma->clauses[i].nnames; ++n)
            for (int t = 0; t < p->ntold; ++t)
                if (strcmp(pragma->clauses[i].names[n], p->told[t].var->name) == 0)
                    return true;
    return false;
}

/* ---- its text --------------------------------------------------------------------------------- */

/* Elements, one for each of the body's numbers, in the place of the first statement that prints. */
static void edit_prints(struct progress *p) {
    struct arena *arena = p->unit->arena;
    const struct stmt *body = p->loop->body;
    struct text keep;
    text_start(&keep, arena);
    for (int t = 0; t < p->ntold; ++t)
        if (!p->told[t].is_sum)
            text_print(&keep, "%s[%s] = %s; ", p->told[t].name, p->loop->variable->name,
                       p->told[t].var->name);
    for (int i = p->first; i <= p->last; ++i)
        if (prints(body->body[i]))
            text_edit_add(&p->edits, body->body[i]->range.begin.offset,
                          body->body[i]->range.end.offset,
                          i == p->first ? arena_printf(arena, "{ %s}", keep.bytes) : "{ }");
}

static void write_sums(const struct progress *p, bool behind, struct text *out) {
    for (int t = 0; t < p->ntold; ++t)
        if (p->told[t].is_sum && (p->told[t].first > p->last) == behind)
            text_print(out, "%s %s= %s[%s]; ", p->told[t].var->name, p->told[t].is_less ? "-" : "+",
                       p->told[t].name, p->loop->variable->name);
}

static const char *loop_behind(const struct progress *p) {
    const struct stmt *body = p->loop->body;
    struct arena *arena = p->unit->arena;
    struct text out;
    text_start(&out, arena);
    text_print(&out, " %s { ", text_source(p->unit, &p->loop->header));
    for (int t = 0; t < p->ntold; ++t)
        if (!p->told[t].is_sum)
            text_print(&out, "const %s = %s[%s]; ",
                       type_declare(arena, p->told[t].type, p->told[t].var->name), p->told[t].name,
                       p->loop->variable->name);
    write_sums(p, false, &out);
    for (int i = p->first; i <= p->last; ++i)
        if (prints(body->body[i]))
            text_print(&out, "%s", text_statement(p->unit, &body->body[i]->range));
    write_sums(p, true, &out);
    text_print(&out, "} }");
    return out.bytes;
}

static void edit_loop(struct progress *p) {
    const struct range *pragma = &p->loop->pragma->range;
    const unsigned begin = p->loop->body->range.begin.offset + 1;
    const unsigned end = p->loop->stmt->range.end.offset;
    struct arena *arena = p->unit->arena;
    struct text arrays, starts;
    text_start(&arrays, arena);
    text_start(&starts, arena);
    text_print(&arrays, "{ extern void *orrery_records_values(const void *, long, long); ");
    for (int t = 0; t < p->ntold; ++t) {
        const struct told *told = &p->told[t];
        text_print(&arrays, "%s", loop_values_text(p->unit, p->loop, told->name, told->type));
        if (told->is_sum)
            text_print(&starts, " %s[%s] = %s;", told->name, p->loop->variable->name,
                       told->type->kind == TYPE_FLOAT && !told->is_less ? "-0.0f" : "0");
    }
    text_edit_add(&p->edits, pragma->begin.offset, pragma->end.offset,
                  arena_printf(arena, "%s%s", arrays.bytes, text_mark(p->unit, p->loop)));
    text_edit_add(&p->edits, begin, begin, starts.bytes);
    text_edit_add(&p->edits, end, end, loop_behind(p));
}

const char *progress_text(struct unit *unit, const struct loop *loop) {
    struct progress p = {.unit = unit, .loop = loop, .edits = {.arena = unit->arena}};
    const struct source_file *file = &unit->files[unit->main_file];
    struct text out;
    if (!loop_is_marked(loop) || loop->body->kind != STMT_BLOCK || !prints(loop->body) ||
        !loop_runs_all(unit, loop) || goes_on(loop->body))
        return NULL;
    find_prints(&p);
    if (p.is_unfit || p.nprints == 0)
        return NULL;
    find_sums(&p);
    if (p.is_unfit || is_in_clause(&p))
        return NULL;
    edit_prints(&p);
    edit_loop(&p);
    text_start(&out, unit->arena);
    return text_edits_apply(&p.edits, file->text, 0, file->size, true, &out) ? out.bytes : NULL;
}
