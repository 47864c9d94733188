/* Names of variables in operands that nothing evaluates: `sizeof a`, typeof, what _Generic asks. */
#include "analyzer/parse/private.h"

#include <string.h>

static bool is_spelled(struct translator *t, const struct range *range, const char *name) {
    size_t length = strlen(name);
    return range->begin.file == t->unit->main_file &&
           range->end.offset == range->begin.offset + length &&
           memcmp(parse_place_text(t, range->begin.file) + range->begin.offset, name, length) == 0;
}

void parse_operand_note(struct translator *t, struct node node, enum operand_kind kind) {
    struct node *children;
    struct node target = {.kind = NODE_NONE};
    if (node.kind == NODE_REFERENCE)
        target = node_referenced(node);
    if (t->function && (target.kind == NODE_VARIABLE || target.kind == NODE_PARAMETER)) {
        struct operand operand = {.var = parse_variable_get(t, target), .kind = kind};
        operand.range = parse_place_range(t, node_span(t->door, node));
        operand.range.exact = is_spelled(t, &operand.range, operand.var->name);
        ARENA_PUSH(t->arena, t->function->operands, t->function->noperands, operand);
    }
    int count = node_children(t->door, node, &children);
    for (int i = 0; i < count; ++i)
        parse_operand_note(t, children[i], kind);
}

void parse_operand_note_all(struct translator *t, const struct node *nodes, int count,
                            struct node but) {
    for (int i = 0; i < count; ++i)
        if (!node_is_same(nodes[i], but))
            parse_operand_note(t, nodes[i], OPERAND_TYPE);
}
