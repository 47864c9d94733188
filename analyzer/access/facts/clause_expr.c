/*
 * Expressions in clauses: names, members, subscripts, numbers, + - * and parentheses. Read against
 * the variables in scope at the loop.
 */
#include "analyzer/access/access.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct unit *unit;
    const struct pragma *pragma;
    const struct loop *loop;
    struct range range;
    const char *at;
};

static struct expr *read_sum(struct reading *r);

static void skip_blanks(struct reading *r) {
    r->at += strspn(r->at, " \t\n\\");
}

static bool take(struct reading *r, const char *mark) {
    skip_blanks(r);
    size_t n = strlen(mark);
    if (strncmp(r->at, mark, n) != 0)
        return false;
    r->at += n;
    return true;
}

static struct expr *node(const struct reading *r, enum expr_kind kind, const struct type *type,
                         struct expr *a, struct expr *b) {
    struct expr *e = arena_alloc(r->unit->arena, sizeof *e);
    e->kind = kind;
    e->type = type;
    e->range = r->range;
    e->range.exact = false;
    e->id = -1;
    e->args = arena_alloc(r->unit->arena, 3 * sizeof *e->args);
    e->args[0] = a;
    e->args[1] = b;
    e->nargs = b ? 2 : a != NULL;
    return e;
}

static const char *read_name(struct reading *r) {
    skip_blanks(r);
    size_t n = 0;
    while (isalnum((unsigned char)r->at[n]) || r->at[n] == '_')
        ++n;
    if (n == 0 || isdigit((unsigned char)r->at[0]))
        return NULL;
    const char *name = arena_strndup(r->unit->arena, r->at, n);
    r->at += n;
    return name;
}

/* ---- names of constants ---------------------------------------------------------------------- */

struct constant {
    const char *name;
    long value;
    bool found;
};

static void see_constant(void *data, struct expr *e) {
    struct constant *constant = data;
    if (e->kind == EXPR_INT && e->text && strcmp(e->text, constant->name) == 0) {
        constant->value = (long)e->int_value;
        constant->found = true;
    }
}

/* `#define NAME 32`: the number, when all definitions of the name in the file say the same. */
static bool find_define(const char *text, struct constant *constant) {
    static const char word[] = "define";
    size_t n = strlen(constant->name);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        const char *name = at + sizeof word - 1 + strspn(at + sizeof word - 1, " \t");
        char *end;
        if (strncmp(name, constant->name, n) != 0 || (name[n] != ' ' && name[n] != '\t'))
            continue;
        const char *digits = name + n + strspn(name + n, " \t(");
        long value = strtol(digits, &end, 0);
        end += strspn(end, "uUlL) \t\r");
        bool whole = end != digits && (*end == '\n' || *end == '\0' || *end == '/');
        if (!whole || (constant->found && constant->value != value)) {
            constant->found = false;
            return false;
        }
        constant->value = value;
        constant->found = true;
    }
    return true;
}

static struct expr *integer(const struct reading *r, long value) {
    static const struct type number = {
        .kind = TYPE_INT, .size = 8, .is_signed = true, .spelling = "long", .local_name = "long"};
    struct expr *e = node(r, EXPR_INT, &number, NULL, NULL);
    e->int_value = value;
    return e;
}

static struct expr *read_number(struct reading *r) {
    char *end;
    errno = 0;
    long value = strtol(r->at, &end, 0);
    if (errno || end == r->at)
        return NULL;
    r->at = end + strspn(end, "uUlL");
    if (isalnum((unsigned char)*r->at) || *r->at == '.')
        return NULL;
    return integer(r, value);
}

/* An enumerator that the unit uses somewhere, or a macro that is a number. */
static struct expr *read_constant(struct reading *r, const char *name) {
    struct constant constant = {.name = name};
    bool sound = true;
    for (int i = 0; i < r->unit->nfunctions && !constant.found; ++i)
        if (r->unit->functions[i]->body)
            stmt_visit(r->unit->functions[i]->body, see_constant, &constant);
    for (int i = 0; i < r->unit->nfiles && sound && !constant.found; ++i)
        sound = !r->unit->files[i].text || find_define(r->unit->files[i].text, &constant);
    return constant.found ? integer(r, constant.value) : NULL;
}

static struct expr *read_variable(struct reading *r, const char *name) {
    struct variable *var = NULL;
    for (int i = r->pragma->nscope - 1; i >= 0 && !var; --i)
        var = strcmp(r->pragma->scope[i]->name, name) == 0 ? r->pragma->scope[i] : NULL;
    if (r->loop->variable && strcmp(r->loop->variable->name, name) == 0)
        var = r->loop->variable;
    if (!var)
        return read_constant(r, name);
    struct expr *e = node(r, EXPR_VAR, var->type, NULL, NULL);
    e->var = var;
    return e;
}

static struct expr *read_member(struct reading *r, struct expr *of, bool arrow) {
    const char *name = read_name(r);
    const struct type *type = of->type;
    if (arrow && type->kind == TYPE_POINTER) {
        of = node(r, EXPR_DEREF, type->element, of, NULL);
        type = type->element;
    } else if (arrow) {
        return NULL;
    }
    for (int i = 0; name && type->kind == TYPE_STRUCT && type->record && i < type->record->nfields;
         ++i) {
        const struct field *field = &type->record->fields[i];
        if (field->name && strcmp(field->name, name) == 0) {
            struct expr *e = node(r, EXPR_MEMBER, field->type, of, NULL);
            e->field = field;
            e->arrow = arrow;
            return e;
        }
    }
    return NULL;
}

static struct expr *read_postfix(struct reading *r) {
    skip_blanks(r);
    struct expr *e = NULL;
    if (take(r, "(")) {
        e = read_sum(r);
        e = e && take(r, ")") ? e : NULL;
    } else if (isdigit((unsigned char)*r->at)) {
        return read_number(r);
    } else {
        const char *name = read_name(r);
        e = name ? read_variable(r, name) : NULL;
    }
    while (e) {
        if (take(r, "->")) {
            e = read_member(r, e, true);
        } else if (take(r, ".")) {
            e = read_member(r, e, false);
        } else if (take(r, "[")) {
            struct expr *index = read_sum(r);
            bool fits = index && take(r, "]") && e->type->element &&
                        (e->type->kind == TYPE_POINTER || e->type->kind == TYPE_ARRAY);
            e = fits ? node(r, EXPR_SUBSCRIPT, e->type->element, e, index) : NULL;
        } else {
            break;
        }
    }
    return e;
}

static const struct type *wider(const struct expr *a, const struct expr *b) {
    return b->type->size > a->type->size ? b->type : a->type;
}

static struct expr *read_product(struct reading *r) {
    struct expr *e = read_postfix(r);
    while (e && take(r, "*")) {
        struct expr *factor = read_postfix(r);
        e = factor ? node(r, EXPR_BINARY, wider(e, factor), e, factor) : NULL;
        if (e)
            e->op = OP_MUL;
    }
    return e;
}

static struct expr *read_sum(struct reading *r) {
    struct expr *e = NULL;
    if (take(r, "-")) {
        struct expr *negative = read_product(r);
        e = negative ? node(r, EXPR_UNARY, negative->type, negative, NULL) : NULL;
        if (e)
            e->op = OP_MINUS;
    } else {
        e = read_product(r);
    }
    while (e) {
        skip_blanks(r);
        bool minus = r->at[0] == '-' && r->at[1] != '>';
        if (!minus && r->at[0] != '+')
            break;
        ++r->at;
        struct expr *other = read_product(r);
        e = other ? node(r, EXPR_BINARY, wider(e, other), e, other) : NULL;
        if (e)
            e->op = minus ? OP_SUB : OP_ADD;
    }
    return e;
}

static struct expr *read_text(const struct trace *t, const struct clause *clause,
                              const char *text) {
    struct reading r = {t->unit, t->loop->pragma, t->loop, clause->range, text};
    struct expr *e = read_sum(&r);
    skip_blanks(&r);
    return e && *r.at == '\0' ? e : NULL;
}

void clause_exprs_read(const struct trace *t) {
    const struct pragma *pragma = t->loop->pragma;
    for (int i = 0; pragma && i < pragma->nclauses; ++i) {
        struct clause *clause = &pragma->clauses[i];
        bool range = clause->kind == CLAUSE_ASSUME && clause->nnames == 4 &&
                     strcmp(clause->names[0], "range") == 0;
        if (!range && clause->kind != CLAUSE_EXTENT)
            continue;
        clause->exprs = arena_alloc(t->arena, (size_t)(clause->nnames + 1) * sizeof *clause->exprs);
        for (int n = 1; n < clause->nnames; ++n)
            clause->exprs[n] = read_text(t, clause, clause->names[n]);
    }
}
