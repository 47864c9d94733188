#include "analyzer/parse/private.h"

#include <string.h>

/* ---- attributes */

static bool text_contains(const char *text, unsigned begin, unsigned end, const char *word) {
    size_t length = strlen(word);
    for (unsigned i = begin; i + length <= end; ++i)
        if (memcmp(text + i, word, length) == 0)
            return true;
    return false;
}

static bool attribute_says(struct translator *t, struct node attribute, const char *word) {
    struct span span = node_span(t->door, attribute);
    return span.file >= 0 && span.whole &&
           text_contains(parse_place_text(t, span.file), span.begin, span.end, word);
}

/* It says the word, or is not there to be read. */
static bool attribute_may_say(struct translator *t, struct node attribute, const char *word) {
    struct span span = node_span(t->door, attribute);
    return span.file < 0 || !span.whole || attribute_says(t, attribute, word);
}

bool parse_decl_has_attribute(struct translator *t, struct node node, const char *word) {
    struct node *children;
    int count = node_children(t->door, node, &children);
    for (int i = 0; i < count; ++i)
        if (children[i].kind == NODE_ATTRIBUTE && attribute_says(t, children[i], word))
            return true;
    return false;
}

/* ---- variables */

static enum storage storage_of(struct node node) {
    if (node.kind == NODE_PARAMETER)
        return STORAGE_PARAM;
    bool local = node_parent_function(node).kind != NODE_NONE;
    if (node_is_static(node))
        return local ? STORAGE_STATIC_LOCAL : STORAGE_STATIC;
    return local && !node_is_extern(node) ? STORAGE_LOCAL : STORAGE_GLOBAL;
}

static struct variable *variable_new(struct translator *t, struct node node) {
    struct variable *variable = arena_alloc(t->arena, sizeof *variable);
    variable->name = node_name(t->door, node);
    variable->storage = storage_of(node);
    variable->id = t->nvariables;
    variable->is_extern = node_is_extern(node);
    ARENA_PUSH(t->arena, t->variable_list, t->nvariables, variable);
    ARENA_PUSH(t->arena, t->writes, t->nwrites, (struct write_list){0});
    map_put(t->arena, &t->variables, node_entity(node), variable);
    return variable;
}

/* File positions count as exact when the declaration is written directly in the main file. */
static struct range declared_range(struct translator *t, struct node node) {
    struct span span = node_span(t->door, node);
    struct range range = parse_place_range(t, span);
    range.exact = span.direct && span.whole;
    return range;
}

static bool has_other_name(struct translator *t, struct node node) {
    struct node *children;
    int count = node_children(t->door, node, &children);
    bool has = false;
    for (int i = 0; i < count; ++i)
        has |= children[i].kind == NODE_ATTRIBUTE_LABEL ||
               (children[i].kind == NODE_ATTRIBUTE && (attribute_says(t, children[i], "alias") ||
                                                       attribute_says(t, children[i], "weakref")));
    return has;
}

static void note_cleanup(struct translator *t, struct node node) {
    struct node *children;
    int count = node_children(t->door, node, &children);
    for (int i = 0; i < count; ++i)
        t->unit->cleans_up |=
            children[i].kind == NODE_ATTRIBUTE && attribute_may_say(t, children[i], "cleanup");
}

static void variable_declare(struct translator *t, struct variable *variable, struct node node) {
    struct ctype type = node_type(node);
    variable->type =
        variable->storage == STORAGE_PARAM ? parse_type_param(t, type) : parse_type_get(t, type);
    variable->range = declared_range(t, node);
    variable->is_redeclared = !node_is_first(node);
    variable->is_alias |= has_other_name(t, node);
    note_cleanup(t, node);
}

/* Arrays with an initialiser or a later declaration may be complete only there. */
static bool says_more(struct node node, const struct variable *variable) {
    return !node_is_extern(node) && (variable->is_extern || variable->type->size < 0);
}

struct variable *parse_variable_get(struct translator *t, struct node node) {
    struct variable *variable = map_get(&t->variables, node_entity(node));
    if (variable)
        return variable;
    struct node definition = node_definition(node);
    if (definition.kind == NODE_VARIABLE)
        node = definition;
    variable = variable_new(t, node);
    if (variable->storage == STORAGE_LOCAL || variable->storage == STORAGE_STATIC_LOCAL)
        variable->function = t->function;
    variable_declare(t, variable, node);
    if (variable->storage == STORAGE_GLOBAL || variable->storage == STORAGE_STATIC)
        ARENA_PUSH(t->arena, t->unit->globals, t->unit->nglobals, variable);
    return variable;
}

/* The number as a variable of this type keeps it: 257 is 1 in an unsigned char. */
static struct expr *number_cut(struct translator *t, struct expr *number, const struct type *type) {
    if (type->kind != TYPE_INT || type->size >= 8 || type->size <= 0)
        return number;
    int unused = 64 - 8 * (int)type->size;
    struct expr *kept = arena_alloc(t->arena, sizeof *kept);
    *kept = *number;
    unsigned long long bits = (unsigned long long)number->int_value << unused;
    kept->int_value = type->is_signed ? (long long)bits >> unused : (long long)(bits >> unused);
    return kept->int_value == number->int_value ? number : kept;
}

struct expr *parse_variable_init(struct translator *t, struct variable *variable,
                                 struct node node) {
    struct node *children;
    int count = node_children(t->door, node, &children);
    struct node init = node_initializer(node);
    struct expr *lengths = parse_length_make(t, node_type(node), children, count, init);
    parse_operand_note_all(t, children, count, init);
    if (init.kind == NODE_NONE || variable->init)
        return lengths;
    variable->init = init.kind == NODE_INIT ? parse_init_make(t, init, variable->type)
                                            : parse_expr_make(t, init);
    if (variable->init->kind == EXPR_INT)
        variable->init = number_cut(t, variable->init, variable->type);
    return lengths;
}

/* ---- functions */

static void params_fill(struct translator *t, struct function *function, struct node node) {
    struct node *children;
    int count = node_children(t->door, node, &children);
    for (int i = 0; i < count; ++i) {
        if (children[i].kind != NODE_PARAMETER)
            continue;
        struct variable *param = variable_new(t, children[i]);
        param->function = function;
        param->param_index = function->nparams;
        variable_declare(t, param, children[i]);
        ARENA_PUSH(t->arena, function->params, function->nparams, param);
    }
}

static bool is_replaced(struct translator *t, struct node attribute) {
    static const char *const words[] = {"weak", "alias", "ifunc"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (attribute_says(t, attribute, words[i]))
            return true;
    return false;
}

/* The program's start or end, an interrupt, or text that is not C calls it. */
static bool is_entered(struct translator *t, struct node attribute) {
    static const char *const words[] = {"structor", "used", "interrupt", "signal", "section"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (attribute_may_say(t, attribute, words[i]))
            return true;
    return false;
}

static void flags_fill(struct translator *t, struct function *function, struct node node) {
    struct node *children;
    int count = node_children(t->door, node, &children);
    for (int i = 0; i < count; ++i) {
        function->is_pure |= children[i].kind == NODE_ATTRIBUTE_PURE;
        function->is_const |= children[i].kind == NODE_ATTRIBUTE_CONST;
        function->is_replaceable |= children[i].kind == NODE_ATTRIBUTE_LABEL;
        if (children[i].kind != NODE_ATTRIBUTE)
            continue;
        function->is_replaceable |= is_replaced(t, children[i]);
        function->is_entry |= is_entered(t, children[i]);
        function->is_alias |=
            attribute_says(t, children[i], "alias") || attribute_says(t, children[i], "ifunc");
        function->is_weak |=
            attribute_says(t, children[i], "weak") || attribute_says(t, children[i], "ifunc");
        function->is_noreturn |= attribute_says(t, children[i], "noreturn") ||
                                 attribute_says(t, children[i], "_Noreturn");
    }
    function->is_static |= node_is_static(node);
    if (strstr(ctype_spelling(t->door, node_type(node)), "noreturn"))
        function->is_noreturn = true;
}

struct function *parse_function_get(struct translator *t, struct node node) {
    struct function *function = map_get(&t->functions, node_entity(node));
    if (function)
        return function;
    function = arena_alloc(t->arena, sizeof *function);
    map_put(t->arena, &t->functions, node_entity(node), function);
    function->name = node_name(t->door, node);
    function->id = t->unit->nfunctions;
    ARENA_PUSH(t->arena, t->unit->functions, t->unit->nfunctions, function);
    struct node definition = node_definition(node);
    flags_fill(t, function, node);
    if (definition.kind == NODE_FUNCTION) {
        flags_fill(t, function, definition);
        node = definition;
    }
    function->is_redeclared = !node_is_first(node);
    struct ctype type = ctype_canonical(node_type(node));
    function->result = parse_type_get(t, ctype_element(type));
    function->is_variadic = ctype_is_variadic(type);
    function->range = declared_range(t, node);
    params_fill(t, function, node);
    function->effects = effects_find_declared(t->effects, function);
    return function;
}

/* Bounds of variable array parameters, which may name the parameters before them; NULL: none. */
static struct expr *param_bounds(struct translator *t, struct node node) {
    struct node *children, *inner, none = {.kind = NODE_NONE};
    struct expr *all = NULL;
    int count = node_children(t->door, node, &children);
    for (int i = 0; i < count; ++i) {
        if (children[i].kind != NODE_PARAMETER)
            continue;
        int ninner = node_children(t->door, children[i], &inner);
        struct expr *one = parse_length_make(t, node_type(children[i]), inner, ninner, none);
        all = one ? parse_expr_then(t, all, one) : all;
    }
    return all;
}

/* What the parameters' types evaluate comes first. */
static void body_put(struct translator *t, struct stmt *body, struct stmt *first) {
    struct stmt **all = NULL;
    int count = 0;
    ARENA_PUSH(t->arena, all, count, first);
    for (int i = 0; i < body->nbody; ++i)
        ARENA_PUSH(t->arena, all, count, body->body[i]);
    body->body = all;
    body->nbody = count;
}

static void function_define(struct translator *t, struct node node) {
    struct function *function = parse_function_get(t, node);
    struct node *children;
    int count = node_children(t->door, node, &children);
    if (!count || children[count - 1].kind != NODE_COMPOUND_STMT || function->body)
        return;
    t->function = function;
    t->loop = NULL;
    struct expr *lengths = param_bounds(t, node);
    function->body = parse_stmt_make(t, children[count - 1]);
    if (lengths && function->body->kind == STMT_BLOCK)
        body_put(t, function->body, parse_stmt_lengths(t, lengths));
    parse_jump_resolve(t);
    t->function = NULL;
}

/* Anything at file scope of the user's files, in order. */
void parse_decl_top(void *translator, struct node node) {
    struct translator *t = translator;
    if (node.kind == NODE_FUNCTION) {
        function_define(t, node);
    } else if (node.kind == NODE_VARIABLE) {
        struct variable *variable = parse_variable_get(t, node);
        if (says_more(node, variable))
            variable_declare(t, variable, node);
        variable->is_extern &= node_is_extern(node);
        parse_variable_init(t, variable, node);
    } else if (node.kind == NODE_RECORD || node.kind == NODE_TYPEDEF) {
        parse_type_get(t, node_type(node));
    }
}
