/* Expressions and types of the IR as C text. */
#include "analyzer/ir.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* How tightly an expression binds, loosest first (C11 6.5). */
enum precedence {
    PREC_COMMA = 1,
    PREC_ASSIGN,
    PREC_CONDITIONAL,
    PREC_OR,
    PREC_AND,
    PREC_BITOR,
    PREC_BITXOR,
    PREC_BITAND,
    PREC_EQUAL,
    PREC_RELATION,
    PREC_SHIFT,
    PREC_ADD,
    PREC_MUL,
    PREC_UNARY,
    PREC_POSTFIX,
    PREC_PRIMARY
};

struct op_text {
    const char *text;
    enum precedence precedence;
};

static const struct op_text ops[] = {
    [OP_NONE] = {"", PREC_ASSIGN},    [OP_ADD] = {"+", PREC_ADD},
    [OP_SUB] = {"-", PREC_ADD},       [OP_MUL] = {"*", PREC_MUL},
    [OP_DIV] = {"/", PREC_MUL},       [OP_REM] = {"%", PREC_MUL},
    [OP_SHL] = {"<<", PREC_SHIFT},    [OP_SHR] = {">>", PREC_SHIFT},
    [OP_BITAND] = {"&", PREC_BITAND}, [OP_BITOR] = {"|", PREC_BITOR},
    [OP_BITXOR] = {"^", PREC_BITXOR}, [OP_LT] = {"<", PREC_RELATION},
    [OP_GT] = {">", PREC_RELATION},   [OP_LE] = {"<=", PREC_RELATION},
    [OP_GE] = {">=", PREC_RELATION},  [OP_EQ] = {"==", PREC_EQUAL},
    [OP_NE] = {"!=", PREC_EQUAL},     [OP_PLUS] = {"+", PREC_UNARY},
    [OP_MINUS] = {"-", PREC_UNARY},   [OP_NOT] = {"!", PREC_UNARY},
    [OP_BITNOT] = {"~", PREC_UNARY},
};

/* Text under construction, and how it is spelled. */
struct printer {
    struct arena *arena;
    char *text;
    int length;
    const struct expr_style *style;
};

static void print(struct printer *p, const struct expr *expr, enum precedence least);

static void put(struct printer *p, const char *text) {
    for (; *text; ++text)
        ARENA_PUSH(p->arena, p->text, p->length, *text);
}

/* Two operators that would become another token when they touch are kept apart. */
static void put_apart(struct printer *p, const char *op) {
    char last = p->length ? p->text[p->length - 1] : '\0';
    if (last == op[0] && strchr("+-&", last) && last)
        put(p, " ");
    put(p, op);
}

static enum precedence precedence_of(const struct expr *expr) {
    switch (expr->kind) {
    case EXPR_COMMA:
        return PREC_COMMA;
    case EXPR_ASSIGN:
        return PREC_ASSIGN;
    case EXPR_CONDITIONAL:
        return PREC_CONDITIONAL;
    case EXPR_OR:
        return PREC_OR;
    case EXPR_AND:
        return PREC_AND;
    case EXPR_BINARY:
        return ops[expr->op].precedence;
    case EXPR_UNARY:
    case EXPR_DEREF:
    case EXPR_ADDRESS:
    case EXPR_CAST:
    case EXPR_SIZEOF:
        return PREC_UNARY;
    case EXPR_INCREMENT:
        return expr->prefix ? PREC_UNARY : PREC_POSTFIX;
    case EXPR_SUBSCRIPT:
    case EXPR_MEMBER:
    case EXPR_CALL:
    case EXPR_COMPOUND:
        return PREC_POSTFIX;
    case EXPR_INT:
        return !expr->text && expr->int_value < 0 && (!expr->type || expr->type->is_signed)
                   ? PREC_UNARY
                   : PREC_PRIMARY;
    default:
        return PREC_PRIMARY;
    }
}

/* ---- the kinds */

static void print_int(struct printer *p, const struct expr *expr) {
    bool is_signed = !expr->type || expr->type->is_signed || expr->type->kind == TYPE_BOOL;
    bool wide = expr->type && expr->type->size > 4;
    char text[48];
    if (expr->text) {
        put(p, expr->text);
    } else if (!is_signed) {
        snprintf(text, sizeof text, "%llu%s", (unsigned long long)expr->int_value,
                 wide ? "UL" : "U");
        put(p, text);
    } else if (expr->int_value == LLONG_MIN) {
        put(p, "(-9223372036854775807L - 1)");
    } else {
        snprintf(text, sizeof text, "%lld%s", expr->int_value, wide ? "L" : "");
        put_apart(p, text);
    }
}

static void print_binary(struct printer *p, const struct expr *expr, const char *op) {
    enum precedence own = precedence_of(expr);
    print(p, expr->args[0], own);
    put(p, " ");
    put(p, op);
    put(p, " ");
    print(p, expr->args[1], own + 1);
}

static void print_assign(struct printer *p, const struct expr *expr) {
    print(p, expr->args[0], PREC_UNARY);
    put(p, " ");
    put(p, ops[expr->op].text);
    put(p, "= ");
    print(p, expr->args[1], PREC_ASSIGN);
}

static void print_conditional(struct printer *p, const struct expr *expr) {
    print(p, expr->args[0], PREC_OR);
    put(p, expr->args[1] ? " ? " : " ?");
    if (expr->args[1]) {
        print(p, expr->args[1], PREC_COMMA);
        put(p, " ");
    }
    put(p, ": ");
    print(p, expr->args[2], PREC_CONDITIONAL);
}

static void print_prefix(struct printer *p, const struct expr *expr, const char *op) {
    put_apart(p, op);
    print(p, expr->args[0], PREC_UNARY);
}

static void print_increment(struct printer *p, const struct expr *expr) {
    const char *op = expr->delta > 0 ? "++" : "--";
    if (expr->prefix) {
        print_prefix(p, expr, op);
        return;
    }
    print(p, expr->args[0], PREC_POSTFIX);
    put(p, op);
}

static void print_subscript(struct printer *p, const struct expr *expr) {
    print(p, expr->args[0], PREC_POSTFIX);
    put(p, "[");
    print(p, expr->args[1], PREC_COMMA);
    put(p, "]");
}

/* A member without a name is an anonymous structure: its own member follows at once. */
static void print_member(struct printer *p, const struct expr *expr) {
    const struct expr *base = expr->args[0];
    const char *op = ".";
    while (base->kind == EXPR_MEMBER && base->field && !base->field->name) {
        expr = base;
        base = expr->args[0];
    }
    if (expr->arrow && base->kind == EXPR_DEREF) {
        base = base->args[0];
        op = "->";
    }
    print(p, base, PREC_POSTFIX);
    put(p, op);
}

static void print_list(struct printer *p, const struct expr *expr) {
    for (int i = 0; i < expr->nargs; ++i) {
        put(p, i ? ", " : "");
        if (expr->args[i])
            print(p, expr->args[i], PREC_ASSIGN);
        else
            put(p, "0");
    }
}

static void print_call(struct printer *p, const struct expr *expr) {
    struct expr rest = *expr;
    if (expr->function) {
        put(p, expr->function->name);
    } else {
        print(p, expr->args[0], PREC_POSTFIX);
        ++rest.args;
        --rest.nargs;
    }
    put(p, "(");
    print_list(p, &rest);
    put(p, ")");
}

static void print_type(struct printer *p, const struct type *type) {
    const struct expr_style *style = p->style;
    const char *text = style->declare ? style->declare(style->data, type, "") : NULL;
    put(p, "(");
    put(p, text ? text : type_declare(p->arena, type, ""));
    put(p, ")");
}

/* Positions without a value are skipped, and the next one says which it is. */
static void print_init(struct printer *p, const struct expr *expr) {
    bool gap = false, first = true;
    put(p, "{");
    for (int i = 0; i < expr->nargs; ++i) {
        bool fields = expr->type && expr->type->record && i < expr->type->record->nfields;
        const char *name = fields ? expr->type->record->fields[i].name : NULL;
        if (!expr->args[i]) {
            gap = true;
            continue;
        }
        put(p, first ? "" : ", ");
        if (gap && fields && name)
            put(p, arena_printf(p->arena, ".%s = ", name));
        else if (gap && !fields)
            put(p, arena_printf(p->arena, "[%d] = ", i));
        print(p, expr->args[i], PREC_ASSIGN);
        gap = first = false;
    }
    put(p, "}");
}

static void print_var(struct printer *p, const struct expr *expr) {
    const struct expr_style *style = p->style;
    const char *name = style->rename ? style->rename(style->data, expr->var) : NULL;
    put(p, name ? name : expr->var->name);
}

static void print_unknown(struct printer *p, const struct expr *expr) {
    put(p, "<");
    put(p, expr->text ? expr->text : "something unknown");
    put(p, ">");
}

static void print_sizeof(struct printer *p, const struct expr *expr) {
    if (expr->text) {
        put(p, expr->text);
        return;
    }
    put(p, "sizeof(");
    if (expr->nargs)
        print(p, expr->args[0], PREC_COMMA);
    else
        put(p, "<a type>");
    put(p, ")");
}

static void print_kind(struct printer *p, const struct expr *expr) {
    switch (expr->kind) {
    case EXPR_INT:
        print_int(p, expr);
        break;
    case EXPR_FLOAT:
    case EXPR_STRING:
        put(p, expr->text);
        break;
    case EXPR_VAR:
        print_var(p, expr);
        break;
    case EXPR_FUNCTION:
        put(p, expr->function->name);
        break;
    case EXPR_UNARY:
        print_prefix(p, expr, ops[expr->op].text);
        break;
    case EXPR_DEREF:
        print_prefix(p, expr, "*");
        break;
    case EXPR_ADDRESS:
        print_prefix(p, expr, "&");
        break;
    case EXPR_BINARY:
        print_binary(p, expr, ops[expr->op].text);
        break;
    case EXPR_AND:
        print_binary(p, expr, "&&");
        break;
    case EXPR_OR:
        print_binary(p, expr, "||");
        break;
    case EXPR_CONDITIONAL:
        print_conditional(p, expr);
        break;
    case EXPR_COMMA:
        print(p, expr->args[0], PREC_COMMA);
        put(p, ", ");
        print(p, expr->args[1], PREC_ASSIGN);
        break;
    case EXPR_ASSIGN:
        print_assign(p, expr);
        break;
    case EXPR_INCREMENT:
        print_increment(p, expr);
        break;
    case EXPR_SUBSCRIPT:
        print_subscript(p, expr);
        break;
    case EXPR_MEMBER:
        print_member(p, expr);
        put(p, expr->field && expr->field->name ? expr->field->name : "");
        break;
    case EXPR_CAST:
        print_type(p, expr->type);
        print(p, expr->args[0], PREC_UNARY);
        break;
    case EXPR_CALL:
        print_call(p, expr);
        break;
    case EXPR_SIZEOF:
        print_sizeof(p, expr);
        break;
    case EXPR_INIT:
        print_init(p, expr);
        break;
    case EXPR_COMPOUND:
        print_type(p, expr->type);
        print(p, expr->args[0], PREC_PRIMARY);
        break;
    case EXPR_UNKNOWN:
        print_unknown(p, expr);
        break;
    }
}

static void print(struct printer *p, const struct expr *expr, enum precedence least) {
    const struct expr_style *style = p->style;
    const char *text = style->replace ? style->replace(style->data, expr) : NULL;
    bool parentheses = precedence_of(expr) < least;
    if (text) {
        put(p, text);
        return;
    }
    put(p, parentheses ? "(" : "");
    print_kind(p, expr);
    put(p, parentheses ? ")" : "");
}

const char *expr_print_styled(struct arena *arena, const struct expr *expr,
                              const struct expr_style *style) {
    struct printer p = {.arena = arena, .style = style};
    print(&p, expr, PREC_COMMA);
    ARENA_PUSH(arena, p.text, p.length, '\0');
    return p.text;
}

const char *expr_print_renamed(struct arena *arena, const struct expr *expr,
                               const char *(*rename)(void *data, const struct variable *v),
                               void *data) {
    return expr_print_styled(arena, expr, &(struct expr_style){.data = data, .rename = rename});
}

const char *expr_print(struct arena *arena, const struct expr *expr) {
    return expr_print_renamed(arena, expr, NULL, NULL);
}

/* ---- in messages */

/* The list that `e` is an element of, if it has the values of a counter; NULL: it is none. */
static const struct variable *counter_list(const struct expr *e) {
    const struct variable *list =
        e->kind == EXPR_SUBSCRIPT && e->args[0]->kind == EXPR_VAR ? e->args[0]->var : NULL;
    const struct expr *made = list ? list->init : NULL;
    while (made && made->kind == EXPR_CAST)
        made = made->args[0];
    return made && made->kind == EXPR_CALL && made->function &&
                   strcmp(made->function->name, "orrery_records_counter") == 0
               ? list
               : NULL;
}

static const char *counter_words(void *data, const struct expr *e) {
    const bool moved =
        e->kind == EXPR_BINARY && e->op == OP_ADD && e->type && e->type->kind == TYPE_POINTER;
    const struct variable *list = counter_list(moved ? e->args[1] : e);
    const char *end = NULL;
    for (const char *at = list ? strstr(list->name, moved ? "_at" : "_of") : NULL; at;
         at = strstr(at + 1, moved ? "_at" : "_of"))
        end = at;
    return end ? arena_strndup(data, list->name, (size_t)(end - list->name)) : NULL;
}

const char *expr_words(struct arena *arena, const struct expr *expr) {
    return expr_print_styled(arena, expr,
                             &(struct expr_style){.data = arena, .replace = counter_words});
}

/* ---- types */

static const char *declare(struct arena *arena, const struct type *type, const char *inner);

/* clang spells a pointer to a function with its parameters; the name goes where its `*` ends. */
static const char *declare_function_pointer(struct arena *arena, const struct type *type,
                                            const char *inner) {
    const char *close = strchr(type->spelling, ')');
    const char *star = strstr(type->spelling, "(*");
    if (!close || !star || star > close)
        return arena_printf(arena, "%s %s", type->spelling, inner);
    bool word = close[-1] != '*' && *inner;
    return arena_printf(arena, "%.*s%s%s%s", (int)(close - type->spelling), type->spelling,
                        word ? " " : "", inner, close);
}

static const char *declare_pointer(struct arena *arena, const struct type *type,
                                   const char *inner) {
    const struct type *to = type->element;
    if (to->kind == TYPE_FUNCTION)
        return declare_function_pointer(arena, type, inner);
    bool wrap = type_is_array(to);
    bool qualified = type->is_const || type->is_volatile || type->is_restrict;
    const char *text = arena_printf(
        arena, "%s*%s%s%s%s%s%s", wrap ? "(" : "", type->is_const ? "const" : "",
        type->is_volatile ? (type->is_const ? " volatile" : "volatile") : "",
        type->is_restrict ? (type->is_const || type->is_volatile ? " restrict" : "restrict") : "",
        qualified && *inner ? " " : "", inner, wrap ? ")" : "");
    return declare(arena, to, text);
}

static const char *declare(struct arena *arena, const struct type *type, const char *inner) {
    switch (type->kind) {
    case TYPE_POINTER:
        return type->is_atomic ? arena_printf(arena, "%s %s", type->spelling, inner)
                               : declare_pointer(arena, type, inner);
    case TYPE_ARRAY:
        return declare(arena, type->element,
                       type->size < 0 && !type->count
                           ? arena_printf(arena, "%s[]", inner)
                           : arena_printf(arena, "%s[%ld]", inner, type->count));
    case TYPE_VLA:
        return declare(arena, type->element,
                       arena_printf(arena, "%s[%s]", inner,
                                    type->vla_count ? expr_print(arena, type->vla_count) : "*"));
    default:
        return arena_printf(arena, "%s%s%s", type->local_name, *inner ? " " : "", inner);
    }
}

const char *type_declare(struct arena *arena, const struct type *type, const char *name) {
    return declare(arena, type, name);
}

bool expr_is_element(const struct expr *e, const struct expr **array, const struct expr **index) {
    bool deref = e->kind == EXPR_DEREF;
    const struct expr *sum = deref ? e->args[0] : e;
    if (deref ? sum->kind != EXPR_BINARY || sum->op != OP_ADD : e->kind != EXPR_SUBSCRIPT)
        return false;
    int side = deref && !type_is_address(sum->args[0]->type);
    *array = sum->args[side];
    *index = sum->args[1 - side];
    return type_is_address((*array)->type);
}
