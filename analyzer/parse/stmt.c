#include "analyzer/parse/private.h"

#include <string.h>

static struct stmt *stmt_new(struct translator *t, enum stmt_kind kind) {
    struct stmt *stmt = arena_alloc(t->arena, sizeof *stmt);
    stmt->kind = kind;
    return stmt;
}

static struct stmt *parse_stmt_unknown(struct translator *t, struct node node, const char *words) {
    struct stmt *stmt = stmt_new(t, STMT_UNKNOWN);
    struct expr *named = arena_alloc(t->arena, sizeof *named);
    named->kind = EXPR_UNKNOWN;
    named->text = words;
    named->id = t->unit->nexprs++;
    stmt->text = words;
    parse_change_spoil(t, node, named);
    stmt->expr = named->nargs ? named : NULL;
    parse_place_stmt(t, stmt, node, node.kind == NODE_ASM);
    return stmt;
}

static struct stmt *simple(struct translator *t, struct node node, enum stmt_kind kind) {
    struct stmt *stmt = stmt_new(t, kind);
    parse_place_stmt(t, stmt, node, kind != STMT_EMPTY);
    return stmt;
}

static struct stmt *block_make(struct translator *t, struct node node, const struct node *children,
                               int count) {
    struct stmt *stmt = stmt_new(t, STMT_BLOCK);
    for (int i = 0; i < count; ++i)
        ARENA_PUSH(t->arena, stmt->body, stmt->nbody, parse_stmt_make(t, children[i]));
    parse_place_stmt(t, stmt, node, false);
    parse_place_separate(stmt->body, stmt->nbody);
    return stmt;
}

/* ---- declarations */

/* The lengths that the declaration evaluates, or NULL. */
static struct expr *declare(struct translator *t, struct stmt *stmt, struct node node) {
    struct node *children, none = {.kind = NODE_NONE};
    if (node.kind == NODE_TYPEDEF) {
        int count = node_children(t->door, node, &children);
        struct ctype underlying;
        ctype_typedef(node_type(node), &underlying);
        return parse_length_make(t, underlying, children, count, none);
    }
    if (node.kind != NODE_VARIABLE)
        return NULL;
    struct variable *variable = parse_variable_get(t, node);
    ARENA_PUSH(t->arena, stmt->vars, stmt->nvars, variable);
    return parse_variable_init(t, variable, node);
}

static bool has_cleanup(struct translator *t, struct node node) {
    return node.kind == NODE_VARIABLE && parse_decl_has_attribute(t, node, "cleanup");
}

/* The lengths come first, as in the text, where it makes no difference when they come. */
static bool lengths_are_plain(const struct stmt *stmt) {
    if (stmt->nvars < 2)
        return !parse_length_changes(stmt->expr);
    bool own = parse_length_is_own(stmt->expr), plain = !parse_length_calls(stmt->expr);
    for (int i = 0; stmt->expr && i < stmt->nvars; ++i)
        plain &= !(own ? parse_length_changes : parse_length_calls)(stmt->vars[i]->init);
    return plain;
}

static const char changing_length[] = "a length in a type that changes something";

struct stmt *parse_stmt_lengths(struct translator *t, struct expr *lengths) {
    struct stmt *stmt = stmt_new(t, parse_length_changes(lengths) ? STMT_UNKNOWN : STMT_EXPR);
    stmt->expr = lengths;
    stmt->text = changing_length;
    stmt->range = lengths->range;
    stmt->range.exact = false;
    return stmt;
}

static void note_name(struct translator *t, struct node node) {
    struct local_name local = {.name = node_name(t->door, node),
                               .offset = node_span(t->door, node).begin,
                               .is_function = node.kind == NODE_FUNCTION};
    if (t->function && *local.name && !strchr(local.name, '('))
        ARENA_PUSH(t->arena, t->function->local_names, t->function->nlocal_names, local);
}

/* What text that leaves the function could no longer name. */
static void note_names(struct translator *t, struct node node) {
    struct node *inner;
    if (node.kind == NODE_RECORD || node.kind == NODE_ENUM || node.kind == NODE_TYPEDEF ||
        node.kind == NODE_FUNCTION)
        note_name(t, node);
    int count = node.kind == NODE_ENUM ? node_children(t->door, node, &inner) : 0;
    for (int i = 0; i < count; ++i)
        if (inner[i].kind == NODE_ENUMERATOR)
            note_name(t, inner[i]);
}

static struct stmt *decl_make(struct translator *t, struct node node, const struct node *children,
                              int count) {
    struct stmt *stmt = stmt_new(t, STMT_DECL);
    bool understood = true;
    for (int i = 0; i < count; ++i) {
        note_names(t, children[i]);
        if (children[i].kind != NODE_VARIABLE)
            parse_operand_note(t, children[i], OPERAND_TYPE);
        struct expr *lengths = declare(t, stmt, children[i]);
        stmt->expr = lengths ? parse_expr_then(t, stmt->expr, lengths) : stmt->expr;
        understood &= !has_cleanup(t, children[i]);
    }
    parse_place_stmt(t, stmt, node, false);
    if (!understood)
        return parse_stmt_unknown(t, node, "a variable with a cleanup function");
    return lengths_are_plain(stmt) ? stmt : parse_stmt_unknown(t, node, changing_length);
}

/* ---- control */

static struct stmt *if_make(struct translator *t, struct node node, const struct node *children,
                            int count) {
    struct stmt *stmt = stmt_new(t, STMT_IF);
    stmt->expr = parse_expr_make(t, children[0]);
    stmt->then = parse_stmt_make(t, children[1]);
    if (count > 2)
        stmt->other = parse_stmt_make(t, children[2]);
    parse_place_parts(t, stmt, children + 1, node);
    parse_place_stmt(t, stmt, node, false);
    parse_place_extend(t, stmt, stmt->other ? stmt->other : stmt->then);
    if (stmt->other)
        parse_place_cut(stmt->then, &stmt->other->range);
    return stmt;
}

static struct stmt *switch_make(struct translator *t, struct node node,
                                const struct node *children) {
    struct stmt *stmt = stmt_new(t, STMT_SWITCH);
    struct loop *outer = t->switch_loop;
    stmt->expr = parse_expr_make(t, children[0]);
    t->switch_loop = t->loop;
    stmt->then = parse_stmt_make(t, children[1]);
    t->switch_loop = outer;
    parse_place_stmt(t, stmt, node, false);
    parse_place_extend(t, stmt, stmt->then);
    return stmt;
}

static struct stmt *case_make(struct translator *t, struct node node, const struct node *children,
                              int count) {
    struct stmt *stmt = stmt_new(t, STMT_CASE);
    parse_jump_case(t);
    for (int i = 0; i + 1 < count; ++i)
        parse_operand_note(t, children[i], OPERAND_TYPE);
    if (node.kind == NODE_CASE)
        stmt->expr = count == 2 ? parse_expr_make(t, children[0])
                                : parse_expr_unknown(t, children[0], "a range of case values");
    stmt->then = parse_stmt_make(t, children[count - 1]);
    parse_place_stmt(t, stmt, node, false);
    parse_place_extend(t, stmt, stmt->then);
    return stmt;
}

static struct stmt *label_make(struct translator *t, struct node node, const struct node *children,
                               int count) {
    struct stmt *stmt = stmt_new(t, STMT_LABEL);
    stmt->text = node_name(t->door, node);
    parse_jump_label(t, stmt->text);
    if (count)
        stmt->then = parse_stmt_make(t, children[count - 1]);
    parse_place_stmt(t, stmt, node, false);
    parse_place_extend(t, stmt, stmt->then);
    return stmt;
}

static struct stmt *goto_make(struct translator *t, struct node node, const struct node *children,
                              int count) {
    bool named = count == 1 && children[0].kind == NODE_LABEL_REF;
    parse_jump_goto(t, named ? node_name(t->door, children[0]) : NULL);
    if (!named)
        return parse_stmt_unknown(t, node, "a computed goto");
    struct stmt *stmt = simple(t, node, STMT_GOTO);
    stmt->text = node_name(t->door, children[0]);
    return stmt;
}

static struct stmt *return_make(struct translator *t, struct node node, const struct node *children,
                                int count) {
    struct stmt *stmt = simple(t, node, STMT_RETURN);
    if (count)
        stmt->expr = parse_expr_make(t, children[0]);
    return stmt;
}

/* An attributed statement ([[fallthrough]], likely) is the statement. */
static struct stmt *attributed_make(struct translator *t, struct node node,
                                    const struct node *children, int count) {
    if (count && node_is_statement(children[count - 1]))
        return parse_stmt_make(t, children[count - 1]);
    return parse_stmt_unknown(t, node, "a statement that is not understood");
}

static struct stmt *dispatch(struct translator *t, struct node node, const struct node *children,
                             int count) {
    switch (node.kind) {
    case NODE_COMPOUND_STMT:
        return block_make(t, node, children, count);
    case NODE_DECL_STMT:
        return decl_make(t, node, children, count);
    case NODE_NULL_STMT:
        return simple(t, node, STMT_EMPTY);
    case NODE_IF:
        return count >= 2 ? if_make(t, node, children, count)
                          : parse_stmt_unknown(t, node, "an if without a condition");
    case NODE_FOR:
        return parse_for_make(t, node);
    case NODE_WHILE:
        return count == 2 ? parse_while_make(t, node, children)
                          : parse_stmt_unknown(t, node, "a while without a condition");
    case NODE_SWITCH:
        return count == 2 ? switch_make(t, node, children)
                          : parse_stmt_unknown(t, node, "a switch without a condition");
    case NODE_DO:
        return count == 2 ? parse_do_make(t, node, children)
                          : parse_stmt_unknown(t, node, "a do without a condition");
    case NODE_CASE:
    case NODE_DEFAULT:
        return count >= 1 ? case_make(t, node, children, count)
                          : parse_stmt_unknown(t, node, "a case without a statement");
    case NODE_BREAK:
        return simple(t, node, STMT_BREAK);
    case NODE_CONTINUE:
        return simple(t, node, STMT_CONTINUE);
    case NODE_RETURN:
        return return_make(t, node, children, count);
    case NODE_GOTO:
        return goto_make(t, node, children, count);
    case NODE_LABEL:
        return label_make(t, node, children, count);
    case NODE_ASM:
        parse_jump_goto(t, NULL);
        return parse_stmt_unknown(t, node, "inline assembly");
    case NODE_IMPLICIT_STMT:
        return attributed_make(t, node, children, count);
    case NODE_OTHER_STMT:
        parse_jump_goto(t, NULL);
        return parse_stmt_unknown(t, node, "a construct that is not plain C");
    default:
        return NULL;
    }
}

static struct stmt *expression_make(struct translator *t, struct node node) {
    struct stmt *stmt = stmt_new(t, STMT_EXPR);
    stmt->expr = parse_expr_make(t, node);
    parse_place_stmt(t, stmt, node, true);
    return stmt;
}

struct stmt *parse_stmt_make(struct translator *t, struct node node) {
    if (node_is_expression(node))
        return expression_make(t, node);
    if (t->depth >= PARSE_MAX_DEPTH)
        return parse_stmt_unknown(t, node, "a statement nested too deeply");
    ++t->depth;
    struct node *children;
    int count = node_children(t->door, node, &children);
    struct stmt *stmt = dispatch(t, node, children, count);
    --t->depth;
    return stmt ? stmt : parse_stmt_unknown(t, node, "a statement that is not understood");
}
