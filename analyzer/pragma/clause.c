/* Clauses as the user wrote them -> struct clause. */
#include "analyzer/facts.h"
#include "analyzer/pragma/private.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/*
 * The tokens of one directive on their way into clauses. `failed`: something was reported; reading
 * goes on with the next clause.
 */
struct reader {
    struct translator *t;
    const struct directive *directive;
    const char *text;
    int at;
    struct pragma *pragma;
    bool failed;
};

/* One argument of a clause: the tokens [first, last). */
struct argument {
    int first, last;
};

/* The argument list of one clause, cut at its outermost commas, or at a colon in front of them. */
struct arguments {
    int count;
    struct argument *items;
    int colon; /* index of the item behind the colon, 0 when there is none */
    bool given;
};

static const struct token *token_at(const struct reader *r, int index) {
    return index < r->directive->ntokens ? &r->directive->tokens[index] : NULL;
}

static bool token_equals(const struct reader *r, int index, const char *spelling) {
    const struct token *token = token_at(r, index);
    return token && token_is(r->text, token, spelling);
}

static struct range range_of(const struct reader *r, int first, int last) {
    unsigned begin = r->directive->tokens[first].begin;
    unsigned end = r->directive->tokens[last > first ? last - 1 : first].end;
    return pragma_range(r->t, r->directive->file, begin, end);
}

static const char *text_of(const struct reader *r, struct argument argument) {
    if (argument.last <= argument.first)
        return "";
    unsigned begin = r->directive->tokens[argument.first].begin;
    unsigned end = r->directive->tokens[argument.last - 1].end;
    return arena_strndup(r->t->arena, r->text + begin, end - begin);
}

static const char *token_text(const struct reader *r, int index) {
    return text_of(r, (struct argument){index, index + 1});
}

/* Reports a malformed clause with the form it should have. */
static void malformed(struct reader *r, struct range range, const char *what, const char *form) {
    struct diag *diag = diag_add(r->t->diags, SEVERITY_ERROR, ORR9103, range, "%s", what);
    diag->fix = arena_printf(r->t->arena, "write %s", form);
    r->failed = true;
}

/* ---- arguments */

static void cut(struct reader *r, struct arguments *arguments, int first, int last) {
    struct argument argument = {first, last};
    ARENA_PUSH(r->t->arena, arguments->items, arguments->count, argument);
}

/* Reads `( ... )` at the reader's place; false when the parenthesis is never closed. */
static bool arguments_read(struct reader *r, struct arguments *arguments) {
    *arguments = (struct arguments){.given = token_equals(r, r->at, "(")};
    if (!arguments->given)
        return true;
    int depth = 1, first = ++r->at;
    for (; token_at(r, r->at); ++r->at) {
        depth += token_equals(r, r->at, "(") - token_equals(r, r->at, ")");
        depth += token_equals(r, r->at, "[") - token_equals(r, r->at, "]");
        if (depth == 0) {
            if (arguments->count || r->at > first)
                cut(r, arguments, first, r->at);
            ++r->at;
            return true;
        }
        bool colon = depth == 1 && !arguments->count && token_equals(r, r->at, ":");
        if (colon || (depth == 1 && token_equals(r, r->at, ","))) {
            cut(r, arguments, first, r->at);
            arguments->colon = colon ? 1 : arguments->colon;
            first = r->at + 1;
        }
    }
    return false;
}

/* A variable, or members of one: `W`, `m->W`, `model.W`. */
static bool is_object(const struct reader *r, struct argument argument) {
    bool name = true;
    if (argument.first >= argument.last)
        return false;
    for (int i = argument.first; i < argument.last; ++i, name = !name) {
        bool fits = name ? token_at(r, i)->kind == TOKEN_NAME
                         : token_equals(r, i, ".") || token_equals(r, i, "->");
        if (!fits)
            return false;
    }
    return !name;
}

static bool is_name(const struct reader *r, struct argument argument) {
    return argument.last == argument.first + 1 && token_at(r, argument.first)->kind == TOKEN_NAME;
}

/* A positive decimal number that fits a long. */
static bool is_count(const struct reader *r, struct argument argument, long *value) {
    if (argument.last != argument.first + 1 || token_at(r, argument.first)->kind != TOKEN_NUMBER)
        return false;
    const char *text = text_of(r, argument);
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    return *end == '\0' && errno == 0 && *value > 0;
}

static void name_push(struct reader *r, struct clause *clause, const char *name) {
    ARENA_PUSH(r->t->arena, clause->names, clause->nnames, name);
}

/* ---- the clauses; each returns whether its arguments are well-formed */

static bool read_unordered(struct reader *r, struct clause *clause, struct arguments *a) {
    (void)clause;
    r->pragma->unordered = true;
    return !a->given;
}

const char *relax_rule_word(enum relax_rule rule) {
    static const char *const words[] = {
        [RELAX_ADD] = "add", [RELAX_AVERAGE] = "average", [RELAX_SCALE] = "scale"};
    return words[rule];
}

/* RELAX_UNSAID: there is no such rule. */
static enum relax_rule rule_named(const struct reader *r, struct argument argument) {
    for (int i = RELAX_ADD; is_name(r, argument) && i <= RELAX_SCALE; ++i)
        if (strcmp(text_of(r, argument), relax_rule_word((enum relax_rule)i)) == 0)
            return (enum relax_rule)i;
    return RELAX_UNSAID;
}

static bool read_relax(struct reader *r, struct clause *clause, struct arguments *a) {
    if (a->colon && is_name(r, a->items[0]) && strcmp(text_of(r, a->items[0]), "hot") == 0)
        clause->kind = CLAUSE_HOT;
    else if (a->colon)
        clause->rule = rule_named(r, a->items[0]);
    if (a->colon && (a->count < 2 || (clause->kind == CLAUSE_RELAX && !clause->rule)))
        return false;
    for (int i = a->colon ? 1 : 0; i < a->count; ++i) {
        if (!is_object(r, a->items[i]))
            return false;
        name_push(r, clause, text_of(r, a->items[i]));
    }
    return a->count > 0;
}

static bool read_buffer(struct reader *r, struct clause *clause, struct arguments *a) {
    if (a->count != 2 || !a->colon || !is_object(r, a->items[0]) || !is_name(r, a->items[1]))
        return false;
    name_push(r, clause, text_of(r, a->items[0]));
    name_push(r, clause, text_of(r, a->items[1]));
    return true;
}

static bool read_sync(struct reader *r, struct clause *clause, struct arguments *a) {
    if (a->count != 1 || a->items[0].last != a->items[0].first + 3)
        return false;
    int first = a->items[0].first;
    bool known = token_equals(r, first, "steps") || token_equals(r, first, "iterations");
    if (!known || !token_equals(r, first + 1, "="))
        return false;
    name_push(r, clause, token_text(r, first));
    return is_count(r, (struct argument){first + 2, first + 3}, &clause->number);
}

static bool is_reduction_op(const struct reader *r, struct argument argument) {
    return argument.last == argument.first + 1 &&
           reduction_named(token_text(r, argument.first)) >= 0;
}

static bool read_reduction(struct reader *r, struct clause *clause, struct arguments *a) {
    if (a->count < 2 || !a->colon || !is_reduction_op(r, a->items[0]))
        return false;
    name_push(r, clause, text_of(r, a->items[0]));
    for (int i = 1; i < a->count; ++i) {
        if (!is_object(r, a->items[i]))
            return false;
        name_push(r, clause, text_of(r, a->items[i]));
    }
    return true;
}

static bool read_extent(struct reader *r, struct clause *clause, struct arguments *a) {
    if (a->count != 2 || !a->colon || !is_object(r, a->items[0]) ||
        a->items[1].first >= a->items[1].last)
        return false;
    name_push(r, clause, text_of(r, a->items[0]));
    name_push(r, clause, text_of(r, a->items[1]));
    return true;
}

static bool read_grid(struct reader *r, struct clause *clause, struct arguments *a) {
    return a->count == 2 && !a->colon && is_count(r, a->items[0], &clause->number) &&
           is_count(r, a->items[1], &clause->number2);
}

static bool read_target(struct reader *r, struct clause *clause, struct arguments *a) {
    if (a->count != 1 || !is_name(r, a->items[0]))
        return false;
    const char *name = text_of(r, a->items[0]);
    name_push(r, clause, name);
    return strcmp(name, "cpu") == 0 || strcmp(name, "gpu") == 0;
}

/* ---- assume */

/* A fact with how many arguments it takes. */
static const struct fact {
    const char *name;
    int least, most;
    const char *form;
} facts[] = {
    {"noalias", 2, INT_MAX, "assume(noalias(p, q))"},
    {"injective", 1, 1, "assume(injective(idx))"},
    {"monotone", 1, 1, "assume(monotone(ptr))"},
    {"range", 3, 3, "assume(range(k, lo, hi))"},
    {"pure", 1, 1, "assume(pure(fn))"},
};

enum { NFACTS = sizeof facts / sizeof *facts };

static const struct fact *fact_find(struct reader *r, int index) {
    const char *names[NFACTS], *word = token_text(r, index);
    for (int i = 0; i < NFACTS; ++i) {
        names[i] = facts[i].name;
        if (strcmp(facts[i].name, word) == 0)
            return &facts[i];
    }
    const char *nearest = diag_nearest(word, names, NFACTS);
    struct diag *diag = diag_add(
        r->t->diags, SEVERITY_ERROR, ORR9104, range_of(r, index, index + 1), "unknown fact '%s'%s",
        word, nearest ? arena_printf(r->t->arena, "; did you mean '%s'?", nearest) : "");
    diag->fix = "the facts are noalias, injective, monotone, range and pure";
    if (nearest)
        diag_edit(r->t->diags, diag, diag->range, nearest);
    r->failed = true;
    return NULL;
}

/* The facts of one clause are its arguments: assume(noalias(p, q)); reports by itself. */
static bool read_assume(struct reader *r, struct clause *clause, struct arguments *a) {
    if (a->count != 1 || a->colon || token_at(r, a->items[0].first)->kind != TOKEN_NAME)
        return false;
    const struct fact *fact = fact_find(r, a->items[0].first);
    if (!fact)
        return true;
    int behind = r->at;
    struct arguments inner;
    r->at = a->items[0].first + 1;
    bool closed = arguments_read(r, &inner) && r->at == a->items[0].last;
    r->at = behind;
    name_push(r, clause, fact->name);
    for (int i = 0; i < inner.count; ++i)
        name_push(r, clause, text_of(r, inner.items[i]));
    if (!closed || inner.count < fact->least || inner.count > fact->most || inner.colon)
        malformed(
            r, clause->range,
            arena_printf(r->t->arena, "the fact '%s' does not take these arguments", fact->name),
            fact->form);
    return true;
}

/* ---- all of them */

static const struct form {
    const char *name;
    enum clause_kind kind;
    bool (*read)(struct reader *r, struct clause *clause, struct arguments *a);
    bool once;
    const char *form;
} forms[] = {
    {"unordered", CLAUSE_UNORDERED, read_unordered, true, "unordered"},
    {"relax", CLAUSE_RELAX, read_relax, false,
     "relax(x, ...) or relax(rule : x, ...) with rule one of add average scale hot"},
    {"buffer", CLAUSE_BUFFER, read_buffer, false, "buffer(x : fn)"},
    {"sync", CLAUSE_SYNC, read_sync, true, "sync(steps=N) or sync(iterations=N)"},
    {"reduction", CLAUSE_REDUCTION, read_reduction, false,
     "reduction(op : x, ...) with op one of + * min max & | ^ && ||"},
    {"assume", CLAUSE_ASSUME, read_assume, false, "assume(fact(...))"},
    {"extent", CLAUSE_EXTENT, read_extent, false, "extent(p : n)"},
    {"grid", CLAUSE_GRID, read_grid, true, "grid(S, T) with two positive numbers"},
    {"target", CLAUSE_TARGET, read_target, true, "target(cpu) or target(gpu)"},
};

enum { NFORMS = sizeof forms / sizeof *forms };

static const struct form *form_find(struct reader *r, int index) {
    const char *names[NFORMS], *word = token_text(r, index);
    for (int i = 0; i < NFORMS; ++i) {
        names[i] = forms[i].name;
        if (strcmp(forms[i].name, word) == 0)
            return &forms[i];
    }
    bool ordered = strcmp(word, "ordered") == 0;
    const char *nearest = ordered ? NULL : diag_nearest(word, names, NFORMS);
    struct diag *diag =
        diag_add(r->t->diags, SEVERITY_ERROR, ORR9102, range_of(r, index, index + 1),
                 "unknown clause '%s'%s", word,
                 nearest ? arena_printf(r->t->arena, "; did you mean '%s'?", nearest) : "");
    diag->fix = ordered    ? "leave it out: without 'unordered' the serial order is kept"
                : !nearest ? "the clauses are listed in docs/pragma.md"
                           : arena_printf(r->t->arena, "write '%s'", nearest);
    if (ordered || nearest)
        diag_edit(r->t->diags, diag, diag->range, ordered ? "" : nearest);
    r->failed = true;
    return NULL;
}

static bool seen_before(const struct reader *r, enum clause_kind kind) {
    for (int i = 0; i < r->pragma->nclauses; ++i)
        if (r->pragma->clauses[i].kind == kind)
            return true;
    return false;
}

static void clause_finish(struct reader *r, const struct form *form, struct clause *clause,
                          struct arguments *arguments) {
    if (!form->read(r, clause, arguments))
        malformed(r, clause->range,
                  arena_printf(r->t->arena, "the clause '%s' does not have its form", form->name),
                  form->form);
    if (form->once && seen_before(r, form->kind)) {
        struct diag *diag = diag_add(r->t->diags, SEVERITY_ERROR, ORR9108, clause->range,
                                     "the clause '%s' is given twice", form->name);
        diag->fix = "keep one of them";
        diag_edit(r->t->diags, diag, diag->range, "");
        r->failed = true;
    }
    ARENA_PUSH(r->t->arena, r->pragma->clauses, r->pragma->nclauses, *clause);
}

static void clause_read(struct reader *r) {
    int first = r->at++;
    const struct token *word = token_at(r, first);
    struct arguments arguments;
    const struct form *form = NULL;
    if (word->kind == TOKEN_NAME)
        form = form_find(r, first);
    else
        malformed(r, range_of(r, first, first + 1),
                  arena_printf(r->t->arena, "'%s' is not a clause", token_text(r, first)),
                  "clauses separated by blanks or commas");
    bool closed = arguments_read(r, &arguments);
    struct clause clause = {.range = range_of(r, first, r->at)};
    if (!form)
        return;
    clause.kind = form->kind;
    if (closed)
        clause_finish(r, form, &clause, &arguments);
    else
        malformed(r, clause.range,
                  arena_printf(r->t->arena, "the parenthesis of '%s' is not closed", form->name),
                  form->form);
}

/* ---- the directive's own word */

static bool kind_read(struct reader *r) {
    static const char *const words[] = {"parallel", "serial"};
    const struct directive *d = r->directive;
    const char *word =
        arena_strndup(r->t->arena, r->text + d->word.begin, d->word.end - d->word.begin);
    if (strcmp(word, "parallel") == 0 || strcmp(word, "ORRERY_PARALLEL") == 0)
        return true;
    r->pragma->kind = PRAGMA_SERIAL;
    if (strcmp(word, "serial") == 0 || strcmp(word, "ORRERY_SERIAL") == 0)
        return true;
    struct range range = pragma_range(r->t, d->file, d->word.begin, d->word.end);
    bool missing = strcmp(word, "orrery") == 0;
    const char *nearest = missing ? NULL : diag_nearest(word, words, 2);
    struct diag *diag =
        diag_add(r->t->diags, SEVERITY_ERROR, ORR9105, range, "%s%s",
                 missing ? "'#pragma orrery' says neither 'parallel' nor 'serial'"
                         : arena_printf(r->t->arena, "unknown directive '%s'", word),
                 nearest ? arena_printf(r->t->arena, "; did you mean '%s'?", nearest) : "");
    diag->fix = "write '#pragma orrery parallel [clause ...]' or '#pragma orrery serial'";
    if (nearest)
        diag_edit(r->t->diags, diag, diag->range, nearest);
    return false;
}

struct pragma *pragma_read(struct translator *t, const struct directive *directive) {
    struct reader r = {.t = t, .directive = directive};
    r.text = parse_place_text(t, directive->file);
    r.pragma = arena_alloc(t->arena, sizeof *r.pragma);
    r.pragma->range = directive->range;
    if (!kind_read(&r))
        return NULL;
    if (r.pragma->kind == PRAGMA_SERIAL && directive->ntokens) {
        malformed(&r, range_of(&r, 0, directive->ntokens), "'serial' takes no clauses",
                  "'#pragma orrery serial' alone");
        return NULL;
    }
    while (token_at(&r, r.at))
        if (token_equals(&r, r.at, ","))
            ++r.at;
        else
            clause_read(&r);
    return r.failed ? NULL : r.pragma;
}
