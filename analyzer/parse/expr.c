#include "analyzer/parse/private.h"

#include <string.h>

/* ---- building blocks */

static struct expr *expr_new(struct translator *t, enum expr_kind kind, int nargs) {
    struct expr *expr = arena_alloc(t->arena, sizeof *expr);
    expr->kind = kind;
    expr->nargs = nargs;
    if (nargs)
        expr->args = arena_alloc(t->arena, (size_t)nargs * sizeof *expr->args);
    expr->id = t->unit->nexprs++;
    return expr;
}

/* Values are never arrays or functions; lvalues may be. */
static void type_fill(struct translator *t, struct expr *expr, struct node node) {
    expr->type = parse_type_get(t, node_type(node));
    bool lvalue = expr->kind == EXPR_DEREF || expr->kind == EXPR_SUBSCRIPT ||
                  expr->kind == EXPR_MEMBER || expr->kind == EXPR_STRING ||
                  expr->kind == EXPR_COMPOUND || expr->kind == EXPR_INIT ||
                  expr->kind == EXPR_FUNCTION;
    if (!lvalue)
        expr->type = parse_type_decay(t, expr->type);
}

/* The last byte of `node` is `text`'s end, in the main file: the token is not out of a macro. */
static bool ends_with(struct translator *t, struct node node, const char *text) {
    struct span span = node_span(t->door, node);
    size_t length = strlen(text);
    if (!span.direct || !span.whole || span.end - span.begin < length)
        return false;
    const char *all = parse_place_text(t, span.file);
    return memcmp(all + span.end - length, text, length) == 0 &&
           lex_balanced(all, span.begin, span.end);
}

static bool is_transparent(struct node node, const struct node *children, int count) {
    return node.kind == NODE_IMPLICIT && count == 1 && node_same_extent(node, children[0]);
}

/* `node` without parentheses and implicit conversions. */
static struct node strip(struct translator *t, struct node node) {
    struct node *children;
    while (node.kind == NODE_PAREN || node.kind == NODE_IMPLICIT) {
        int count = node_children(t->door, node, &children);
        if (count != 1 || (node.kind == NODE_IMPLICIT && !is_transparent(node, children, count)))
            return node;
        node = children[0];
    }
    return node;
}

/* Whether the last token of `node`, whose expression is `expr`, is direct. */
static bool tail_of(struct translator *t, struct node node, const struct expr *expr) {
    struct node *children;
    while (node.kind == NODE_IMPLICIT && node_children(t->door, node, &children) == 1)
        node = children[0];
    if (node.kind == NODE_PAREN)
        return ends_with(t, node, ")");
    if (!expr || expr->id >= t->ntails)
        return false;
    return t->tails[expr->id];
}

/* ---- what is not understood */

static struct expr *unknown(struct translator *t, struct node node, const char *words) {
    struct expr *expr = expr_new(t, EXPR_UNKNOWN, 0);
    expr->text = words;
    type_fill(t, expr, node);
    parse_place_expr(t, expr, node, false);
    return expr;
}

struct expr *parse_expr_unknown(struct translator *t, struct node node, const char *words) {
    struct expr *expr = unknown(t, node, words);
    parse_change_spoil(t, node, expr);
    return expr;
}

struct expr *parse_expr_then(struct translator *t, struct expr *first, struct expr *second) {
    if (!first)
        return second;
    struct expr *expr = expr_new(t, EXPR_COMMA, 2);
    expr->args[0] = first;
    expr->args[1] = second;
    expr->type = second->type;
    expr->range = first->range;
    expr->range.exact = false;
    while (t->ntails <= expr->id)
        ARENA_PUSH(t->arena, t->tails, t->ntails, false);
    return expr;
}

/* ---- what is not evaluated ------------------------------------------------------------------- */

/* Questions to the compiler: their arguments are not evaluated. */
static bool only_asks(const char *name) {
    static const char *const names[] = {"__builtin_constant_p", "__builtin_object_size",
                                        "__builtin_dynamic_object_size", "__builtin_classify_type"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* A constant of clang's may have effects beside its value: `__builtin_offsetof(s, a[t++ * 0])`. */
static bool has_effects(struct translator *t, struct node node) {
    struct node *children;
    if (node.kind == NODE_CALL || node.kind == NODE_STATEMENT_EXPR)
        return true;
    if (node.kind == NODE_BINARY && node_operation(node).kind == EXPR_ASSIGN)
        return true;
    if (node.kind == NODE_UNARY && node_operation(node).kind == EXPR_INCREMENT)
        return true;
    int count = node_children(t->door, node, &children);
    for (int i = 0; i < count; ++i)
        if (has_effects(t, children[i]))
            return true;
    return false;
}

static bool constant_of(struct translator *t, struct node node, long long *value) {
    const char *token = node_token(t->door, node);
    bool of_types = token && strcmp(token, "__builtin_types_compatible_p") == 0;
    return node_evaluate_int(node, value) && (of_types || !has_effects(t, node));
}

/* ---- constants */

static struct expr *int_make(struct translator *t, struct node node, long long value) {
    struct expr *expr = expr_new(t, EXPR_INT, 0);
    expr->int_value = value;
    type_fill(t, expr, node);
    parse_place_expr(t, expr, node, true);
    return expr;
}

static struct expr *int_literal(struct translator *t, struct node node) {
    long long value = 0;
    if (!node_evaluate_int(node, &value))
        return unknown(t, node, "a constant that does not fit");
    struct expr *expr = int_make(t, node, value);
    expr->text = node_token(t->door, node);
    return expr;
}

/* A number that a macro pasted together stands nowhere: its value does, unless a double is too
 * short for it. */
static struct expr *float_literal(struct translator *t, struct node node) {
    const char *text = node_token(t->door, node);
    struct expr *expr = expr_new(t, EXPR_FLOAT, 0);
    double value = 0;
    type_fill(t, expr, node);
    if (!text && expr->type && expr->type->size <= 8 && node_evaluate_float(node, &value))
        text = arena_printf(t->arena, expr->type->size == 4 ? "%af" : "%a", value);
    if (!text)
        return unknown(t, node, "a floating-point constant without a text");
    expr->text = text;
    parse_place_expr(t, expr, node, true);
    return expr;
}

static struct expr *string_literal(struct translator *t, struct node node) {
    struct expr *expr = expr_new(t, EXPR_STRING, 0);
    struct span span = node_span(t->door, node);
    expr->text = node_name(t->door, node);
    if (span.direct && span.whole)
        expr->text = arena_strndup(t->arena, parse_place_text(t, span.file) + span.begin,
                                   span.end - span.begin);
    type_fill(t, expr, node);
    parse_place_expr(t, expr, node, true);
    return expr;
}

/* The lengths that a type in a sizeof or the operand of variable size evaluates, or NULL. */
static struct expr *sizeof_operand(struct translator *t, const struct node *children, int count) {
    struct expr *operand = NULL;
    for (int i = 0; i < count; ++i)
        if (node_is_expression(children[i]))
            operand = parse_expr_then(t, operand, parse_expr_make(t, children[i]));
    return operand;
}

static struct expr *sizeof_constant(struct translator *t, struct node node, long long value,
                                    const struct node *children, int count) {
    bool outer = t->unevaluated;
    t->unevaluated = true;
    struct expr *operand = sizeof_operand(t, children, count);
    t->unevaluated = outer;
    struct expr *expr = int_make(t, node, value);
    t->tails[expr->id] &= ends_with(t, node, ")") || (operand && t->tails[operand->id]);
    expr->range.exact = t->tails[expr->id];
    return expr;
}

/* A type's lengths are integers, an operand is an array of variable length itself. */
static bool is_type_operand(const struct expr *operand) {
    return operand && operand->type &&
           (operand->type->kind == TYPE_INT || operand->type->kind == TYPE_BOOL);
}

/* `_Alignof a` is the variable's own alignment. */
static void note_sizeof(struct translator *t, struct node node, const struct node *children,
                        int count) {
    const char *word = node_token(t->door, node);
    bool aligned = word && strstr(word, "lignof");
    for (int i = 0; i < count; ++i)
        parse_operand_note(t, children[i],
                           aligned && strip(t, children[i]).kind == NODE_REFERENCE
                               ? OPERAND_ALIGNMENT
                               : OPERAND_TYPE);
}

/* Constant where clang can tell; otherwise the size of a variable array. */
static struct expr *sizeof_make(struct translator *t, struct node node) {
    struct node *children;
    int count = node_children(t->door, node, &children);
    long long value;
    note_sizeof(t, node, children, count);
    if (node_evaluate_int(node, &value))
        return sizeof_constant(t, node, value, children, count);
    struct expr *operand = sizeof_operand(t, children, count);
    if (parse_length_calls(operand))
        return parse_expr_unknown(t, node, "a sizeof whose operand changes or calls something");
    struct expr *expr = expr_new(t, EXPR_SIZEOF, operand ? 1 : 0);
    if (operand)
        expr->args[0] = operand;
    struct span span = node_span(t->door, node);
    if (is_type_operand(operand) && span.direct && span.whole)
        expr->text = arena_strndup(t->arena, parse_place_text(t, span.file) + span.begin,
                                   span.end - span.begin);
    type_fill(t, expr, node);
    parse_place_expr(t, expr, node, ends_with(t, node, ")"));
    return expr;
}

/* ---- names */

static struct expr *enumerator_make(struct translator *t, struct node node, struct node target) {
    struct expr *expr = int_make(t, node, node_enumerator_value(target));
    if (node_parent_function(target).kind == NODE_NONE)
        expr->text = node_name(t->door, target);
    return expr;
}

static struct expr *reference_make(struct translator *t, struct node node) {
    struct node target = node_referenced(node);
    if (target.kind == NODE_ENUMERATOR)
        return enumerator_make(t, node, target);
    if (target.kind == NODE_FUNCTION) {
        struct expr *expr = expr_new(t, EXPR_FUNCTION, 0);
        expr->function = parse_function_get(t, target);
        ++expr->function->nnamed;
        type_fill(t, expr, node);
        parse_place_expr(t, expr, node, true);
        return expr;
    }
    if (target.kind != NODE_VARIABLE && target.kind != NODE_PARAMETER)
        return unknown(t, node, "a name that is neither a variable nor a function");
    if (target.kind == NODE_VARIABLE && node_is_thread_local(target))
        return parse_expr_unknown(t, node, "a thread-local variable");
    struct expr *expr = expr_new(t, EXPR_VAR, 0);
    expr->var = parse_variable_get(t, target);
    expr->type = expr->var->type;
    parse_place_expr(t, expr, node, true);
    return expr;
}

/* ---- operators */

static struct expr *unary_make(struct translator *t, struct node node, struct node operand) {
    struct operation operation = node_operation(node);
    if (operation.transparent)
        return parse_expr_make(t, operand);
    if (operation.kind == EXPR_UNKNOWN)
        return parse_expr_unknown(t, node, operation.unknown);
    bool address = operation.kind == EXPR_ADDRESS;
    struct expr *arg = parse_expr_make(t, address ? strip(t, operand) : operand);
    struct expr *expr = expr_new(t, operation.kind, 1);
    expr->op = operation.op;
    expr->delta = operation.delta;
    expr->prefix = operation.prefix;
    expr->args[0] = arg;
    if (address)
        parse_change_address(t, arg);
    if (operation.kind == EXPR_INCREMENT)
        parse_change_write(t, arg, expr->id);
    type_fill(t, expr, node);
    bool postfix = operation.kind == EXPR_INCREMENT && !operation.prefix;
    bool tail =
        postfix ? ends_with(t, node, operation.delta > 0 ? "++" : "--") : tail_of(t, operand, arg);
    parse_place_expr(t, expr, node, tail);
    return expr;
}

static struct expr *binary_make(struct translator *t, struct node node,
                                const struct node *children) {
    struct operation operation = node_operation(node);
    if (operation.kind == EXPR_UNKNOWN)
        return parse_expr_unknown(t, node, operation.unknown);
    struct expr *left = parse_expr_make(t, children[0]), *right = parse_expr_make(t, children[1]);
    struct expr *expr = expr_new(t, operation.kind, 2);
    expr->op = operation.op;
    expr->args[0] = left;
    expr->args[1] = right;
    if (operation.kind == EXPR_ASSIGN)
        parse_change_write(t, left, expr->id);
    if (operation.kind == EXPR_ASSIGN && !parse_change_moves_itself(expr))
        parse_change_reset(t, left);
    type_fill(t, expr, node);
    parse_place_expr(t, expr, node, tail_of(t, children[1], right));
    return expr;
}

static struct expr *conditional_make(struct translator *t, struct node node,
                                     const struct node *children, int count) {
    struct expr *expr = expr_new(t, EXPR_CONDITIONAL, 3);
    expr->args[0] = parse_expr_make(t, children[0]);
    if (node.kind == NODE_CONDITIONAL)
        expr->args[1] = parse_expr_make(t, children[1]);
    expr->args[2] = parse_expr_make(t, children[count - 1]);
    type_fill(t, expr, node);
    parse_place_expr(t, expr, node, tail_of(t, children[count - 1], expr->args[2]));
    return expr;
}

static bool is_pointer_side(struct translator *t, struct node node) {
    enum type_kind kind = parse_type_get(t, node_type(node))->kind;
    return kind == TYPE_POINTER || kind == TYPE_ARRAY || kind == TYPE_VLA;
}

static struct expr *subscript_make(struct translator *t, struct node node,
                                   const struct node *children) {
    int base = is_pointer_side(t, children[0]) ? 0 : 1;
    if (!is_pointer_side(t, children[base]))
        return parse_expr_unknown(t, node, "an element of a vector");
    struct expr *expr = expr_new(t, EXPR_SUBSCRIPT, 2);
    for (int i = 0; i < 2; ++i) {
        struct node child = i == base ? strip(t, children[i]) : children[i];
        expr->args[i == base ? 0 : 1] = parse_expr_make(t, child);
    }
    type_fill(t, expr, node);
    parse_place_expr(t, expr, node, ends_with(t, node, "]"));
    return expr;
}

/* `p` of `p->f` as the `*p` that it means; no bytes of its own. */
static struct expr *arrow_base(struct translator *t, struct expr *pointer) {
    struct expr *expr = expr_new(t, EXPR_DEREF, 1);
    expr->args[0] = pointer;
    expr->type = pointer->type && pointer->type->element ? pointer->type->element : pointer->type;
    expr->range = pointer->range;
    expr->range.exact = false;
    while (t->ntails <= expr->id)
        ARENA_PUSH(t->arena, t->tails, t->ntails, false);
    return expr;
}

static struct expr *member_make(struct translator *t, struct node node, const struct node *children,
                                int count) {
    if (count < 1)
        return parse_expr_unknown(t, node, "a member without an object");
    bool arrow = is_pointer_side(t, children[0]);
    struct expr *base = parse_expr_make(t, children[0]);
    if (base->kind == EXPR_UNKNOWN && !arrow && base->type->kind != TYPE_STRUCT &&
        base->type->kind != TYPE_UNION)
        return unknown(t, node, "a member of something that is not understood");
    struct expr *expr = expr_new(t, EXPR_MEMBER, 1);
    expr->args[0] = arrow ? arrow_base(t, base) : base;
    expr->arrow = arrow;
    expr->field = parse_type_field(t, node_referenced(node));
    type_fill(t, expr, node);
    const char *name = expr->field ? expr->field->name : NULL;
    parse_place_expr(t, expr, node, name && ends_with(t, node, name));
    return expr->field ? expr : unknown(t, node, "a member that is not known");
}

static struct expr *cast_make(struct translator *t, struct node node, const struct node *children,
                              int count) {
    if (count < 1 || !node_is_expression(children[count - 1]))
        return parse_expr_unknown(t, node, "a cast without an operand");
    struct expr *lengths = parse_length_make(t, node_type(node), children, count - 1,
                                             (struct node){.kind = NODE_NONE});
    struct expr *arg = parse_expr_make(t, children[count - 1]);
    parse_operand_note_all(t, children, count, children[count - 1]);
    if (lengths && (parse_length_calls(lengths) || parse_length_calls(arg)))
        return parse_expr_unknown(t, node, "a cast to a type whose length changes something");
    struct expr *expr = expr_new(t, EXPR_CAST, lengths ? 2 : 1);
    expr->args[0] = arg;
    if (lengths)
        expr->args[1] = lengths;
    type_fill(t, expr, node);
    parse_place_expr(t, expr, node, tail_of(t, children[count - 1], arg));
    return expr;
}

/* The function a callee names directly, through `&f` and `*f` too; NULL otherwise. */
static struct function *callee_function(struct translator *t, struct node callee) {
    struct node *children;
    callee = strip(t, callee);
    while (callee.kind == NODE_UNARY && node_children(t->door, callee, &children) == 1) {
        enum expr_kind kind = node_operation(callee).kind;
        if (kind != EXPR_ADDRESS && kind != EXPR_DEREF)
            return NULL;
        callee = strip(t, children[0]);
    }
    if (callee.kind != NODE_REFERENCE)
        return NULL;
    struct node target = node_referenced(callee);
    return target.kind == NODE_FUNCTION ? parse_function_get(t, target) : NULL;
}

static struct expr *call_make(struct translator *t, struct node node, const struct node *children,
                              int count) {
    if (count < 1)
        return parse_expr_unknown(t, node, "a call without a function");
    struct function *function = callee_function(t, children[0]);
    int skip = function ? 1 : 0;
    bool asks = function && !function->body && only_asks(function->name);
    bool of_object = asks && strstr(function->name, "object_size");
    for (int i = skip; i < count && asks; ++i)
        parse_operand_note(t, children[i], of_object ? OPERAND_OBJECT : OPERAND_TYPE);
    struct expr *expr = expr_new(t, EXPR_CALL, asks ? 0 : count - skip);
    expr->function = function;
    if (function)
        ++function->nnamed;
    for (int i = skip; i < count && !asks; ++i)
        expr->args[i - skip] = parse_expr_make(t, children[i]);
    if (!function && expr->args[0]->kind == EXPR_FUNCTION) {
        expr->function = expr->args[0]->function;
        ++expr->args;
        --expr->nargs;
    }
    parse_change_call(t, expr);
    type_fill(t, expr, node);
    parse_place_expr(t, expr, node, ends_with(t, node, ")"));
    return expr;
}

static struct expr *compound_make(struct translator *t, struct node node,
                                  const struct node *children, int count) {
    struct expr *expr = expr_new(t, EXPR_COMPOUND, 1);
    type_fill(t, expr, node);
    if (count < 1 || children[count - 1].kind != NODE_INIT)
        return parse_expr_unknown(t, node, "a compound literal");
    struct expr *lengths = parse_length_make(t, node_type(node), children, count - 1,
                                             (struct node){.kind = NODE_NONE});
    expr->args[0] = parse_init_make(t, children[count - 1], expr->type);
    parse_operand_note_all(t, children, count, children[count - 1]);
    if (lengths)
        return parse_expr_unknown(t, node, "a compound literal with a length in its type");
    parse_place_expr(t, expr, node, ends_with(t, node, "}"));
    return expr;
}

/* ---- rarer things */

/* The association whose type is the selection's, when there is exactly one. */
static struct expr *generic_make(struct translator *t, struct node node,
                                 const struct node *children, int count) {
    const struct type *wanted = parse_type_get(t, node_type(node));
    int found = -1, matches = 0;
    for (int i = 1; i < count; ++i) {
        if (!node_is_expression(children[i]) || parse_type_get(t, node_type(children[i])) != wanted)
            continue;
        found = i;
        ++matches;
    }
    if (matches != 1)
        return parse_expr_unknown(t, node, "a _Generic selection");
    parse_operand_note_all(t, children, count, children[found]);
    return parse_expr_make(t, children[found]);
}

/* `__builtin_choose_expr(c, a, b)` is one of them, and the other one is nothing. */
static struct expr *chosen_make(struct translator *t, struct node node, const struct node *children,
                                int count) {
    const char *token = count == 3 ? node_token(t->door, node) : NULL;
    long long value;
    if (!token || strcmp(token, "__builtin_choose_expr") != 0 ||
        !constant_of(t, children[0], &value))
        return NULL;
    parse_operand_note_all(t, children, count, children[value ? 1 : 2]);
    return parse_expr_make(t, children[value ? 1 : 2]);
}

/* glibc's assert: ({ if (cond) ; else fail(); }) is cond ? 0 : fail(). NULL when it is not that. */
static struct expr *assertion_make(struct translator *t, struct node node,
                                   const struct node *children, int count) {
    struct node *body, *parts, *nothing;
    if (count != 1 || node_children(t->door, children[0], &body) != 1 || body[0].kind != NODE_IF ||
        node_children(t->door, body[0], &parts) != 3 || parts[1].kind != NODE_NULL_STMT ||
        !node_is_expression(parts[2]) || node_children(t->door, parts[1], &nothing) != 0)
        return NULL;
    struct expr *expr = expr_new(t, EXPR_CONDITIONAL, 3);
    expr->args[0] = parse_expr_make(t, parts[0]);
    expr->args[1] = expr_new(t, EXPR_INT, 0);
    expr->args[1]->type = expr->args[0]->type;
    expr->args[2] = parse_expr_make(t, parts[2]);
    type_fill(t, expr, node);
    parse_place_expr(t, expr, node, false);
    return expr;
}

/* Its statements are translated, so that their loops and assignments are known. */
static struct expr *statement_expr_make(struct translator *t, struct node node,
                                        const struct node *children, int count) {
    struct expr *assertion = assertion_make(t, node, children, count);
    if (assertion)
        return assertion;
    const char *outer = t->inside;
    t->inside = "a statement expression";
    struct expr *value = NULL, *other = unknown(t, node, "a statement expression");
    for (int i = 0; i < count; ++i)
        if (node_is_statement(children[i]))
            value = parse_named_values(t, children[i], other);
    t->inside = outer;
    return value ? value : other;
}

/* `a ?: b`, which libclang shows with its first operand three times. */
static bool is_gnu_conditional(struct node node, const struct node *children, int count) {
    return node.kind == NODE_IMPLICIT && count == 4 && node_same_extent(children[0], children[1]) &&
           node_same_extent(children[1], children[2]) &&
           !node_same_extent(children[2], children[3]);
}

/* Implicit conversions vanish; an array that decays here lets its address out. */
static struct expr *implicit_make(struct translator *t, struct node node,
                                  const struct node *children, int count) {
    if (is_transparent(node, children, count)) {
        struct expr *expr = parse_expr_make(t, children[0]);
        if (type_is_array(expr->type) && parse_type_get(t, node_type(node))->kind == TYPE_POINTER)
            parse_change_address(t, expr);
        return expr;
    }
    if (is_gnu_conditional(node, children, count))
        return conditional_make(t, node, children, count);
    struct expr *chosen = chosen_make(t, node, children, count);
    if (chosen)
        return chosen;
    long long value;
    if (constant_of(t, node, &value)) {
        parse_operand_note(t, node, OPERAND_TYPE);
        return int_make(t, node, value);
    }
    return parse_expr_unknown(t, node,
                              count == 1 ? "va_arg or another built-in form"
                                         : "an expression that is not understood");
}

static struct expr *dispatch(struct translator *t, struct node node, const struct node *children,
                             int count) {
    switch (node.kind) {
    case NODE_INT:
    case NODE_CHAR:
    case NODE_BOOL:
        return int_literal(t, node);
    case NODE_NULLPTR:
        return int_make(t, node, 0);
    case NODE_FLOAT:
        return float_literal(t, node);
    case NODE_STRING:
        return string_literal(t, node);
    case NODE_REFERENCE:
        return reference_make(t, node);
    case NODE_SIZEOF:
        return sizeof_make(t, node);
    case NODE_PAREN:
        return count == 1 ? parse_expr_make(t, children[0]) : unknown(t, node, "parentheses");
    case NODE_IMPLICIT:
        return implicit_make(t, node, children, count);
    case NODE_UNARY:
        return count == 1 ? unary_make(t, node, children[0])
                          : parse_expr_unknown(t, node, "an operator");
    case NODE_BINARY:
        return count == 2 ? binary_make(t, node, children)
                          : parse_expr_unknown(t, node, "an operator");
    case NODE_CONDITIONAL:
        return count == 3 ? conditional_make(t, node, children, count)
                          : parse_expr_unknown(t, node, "a conditional");
    case NODE_SUBSCRIPT:
        return count == 2 ? subscript_make(t, node, children)
                          : parse_expr_unknown(t, node, "a subscript");
    case NODE_MEMBER:
        return member_make(t, node, children, count);
    case NODE_CALL:
        return call_make(t, node, children, count);
    case NODE_CAST:
        return cast_make(t, node, children, count);
    case NODE_COMPOUND:
        return compound_make(t, node, children, count);
    case NODE_INIT:
        return parse_init_make(t, node, parse_type_get(t, node_type(node)));
    case NODE_GENERIC:
        return generic_make(t, node, children, count);
    case NODE_STATEMENT_EXPR:
        return statement_expr_make(t, node, children, count);
    case NODE_LABEL_ADDRESS:
        return unknown(t, node, "the address of a label");
    default:
        return parse_expr_unknown(t, node, "an expression that is not understood");
    }
}

struct expr *parse_expr_make(struct translator *t, struct node node) {
    if (t->depth >= PARSE_MAX_DEPTH)
        return parse_expr_unknown(t, node, "an expression nested too deeply");
    ++t->depth;
    struct node *children;
    int count = node_children(t->door, node, &children);
    struct expr *expr = dispatch(t, node, children, count);
    --t->depth;
    return expr;
}
