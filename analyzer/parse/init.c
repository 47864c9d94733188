#include "analyzer/parse/private.h"

#include <limits.h>

/* Initialisers beyond this position are not kept one by one. */
enum { MOST_POSITIONS = 1 << 20 };

/* The items of one brace list, taken one after the other, also by aggregates without braces. */
struct items {
    struct node *nodes;
    int count, at;
};

/* One designator: a field, or the positions low..high of an array. */
struct designator {
    long low, high;
};

static bool is_aggregate(const struct type *type) {
    return type->kind == TYPE_ARRAY || type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

static long slots_of(const struct type *type) {
    switch (type->kind) {
    case TYPE_ARRAY:
        return type->count > 0 ? type->count : LONG_MAX;
    case TYPE_STRUCT:
        return type->record ? type->record->nfields : 0;
    case TYPE_UNION:
        return type->record && type->record->nfields ? 1 : 0;
    default:
        return 1;
    }
}

static const struct type *slot_type(const struct type *type, long position) {
    if (type->kind == TYPE_ARRAY)
        return type->element;
    if (!is_aggregate(type))
        return type;
    const struct record *record = type->record;
    return record && position < record->nfields ? record->fields[position].type : NULL;
}

/* Unnamed bit-fields take no initialiser. */
static bool is_padding(const struct type *type, long position) {
    if (type->kind != TYPE_STRUCT || !type->record || position >= type->record->nfields)
        return false;
    const struct field *field = &type->record->fields[position];
    return !field->name && field->bit_width >= 0;
}

static struct expr *list_new(struct translator *t, const struct type *type) {
    struct expr *expr = arena_alloc(t->arena, sizeof *expr);
    expr->kind = EXPR_INIT;
    expr->type = type;
    expr->id = t->unit->nexprs++;
    expr->range.begin.file = expr->range.end.file = -1;
    while (t->ntails <= expr->id)
        ARENA_PUSH(t->arena, t->tails, t->ntails, false);
    return expr;
}

static void list_set(struct translator *t, struct expr *list, long position, struct expr *value) {
    if (position < 0 || position >= MOST_POSITIONS)
        return;
    while (list->nargs <= position)
        ARENA_PUSH(t->arena, list->args, list->nargs, NULL);
    list->args[position] = value;
    if (list->range.begin.file < 0 && value) {
        list->range = value->range;
        list->range.exact = false;
    }
}

static struct expr *value_make(struct translator *t, struct node node, const struct type *type) {
    return node.kind == NODE_INIT ? parse_init_make(t, node, type) : parse_expr_make(t, node);
}

/* ---- designators */

static long field_position(const struct type *type, const struct field *field) {
    for (long i = 0; type->record && i < type->record->nfields; ++i)
        if (&type->record->fields[i] == field)
            return i;
    return -1;
}

/* `[low ... high] =` stands in the text; libclang shows it as two positions. */
static bool has_dots(struct translator *t, struct node node) {
    struct span span = node_span(t->door, node);
    if (span.file < 0 || !span.whole)
        return false;
    const char *text = parse_place_text(t, span.file);
    struct lexer lexer = lex_open(text, span.begin, span.end);
    struct token token;
    while (lex_next(&lexer, &token) && !token_is(text, &token, "="))
        if (token_is(text, &token, "..."))
            return true;
    return false;
}

/* Reads the designators in front of the value; returns how many, 0 when there are none we know. */
static int designators_read(struct translator *t, const struct type *type, struct node node,
                            struct designator **found, struct node *value) {
    struct node *children;
    int count = node_children(t->door, node, &children), n = 0;
    *found = NULL;
    if (node.kind != NODE_IMPLICIT || count < 2)
        return 0;
    bool dots = count == 3 && has_dots(t, node);
    for (int i = 0; i + 1 < count; ++i) {
        struct designator d = {-1, -1};
        parse_operand_note(t, children[i], OPERAND_TYPE);
        long long index;
        if (children[i].kind == NODE_MEMBER_REF && type && type->record)
            d.low = d.high =
                field_position(type, parse_type_field(t, node_referenced(children[i])));
        else if (type && type->kind == TYPE_ARRAY && node_evaluate_int(children[i], &index))
            d.low = d.high = (long)index;
        if (d.low < 0)
            return 0;
        bool range = type->kind == TYPE_ARRAY && i + 3 == count && dots &&
                     node_evaluate_int(children[i + 1], &index);
        if (range)
            d.high = (long)index;
        ARENA_PUSH(t->arena, *found, n, d);
        type = slot_type(type, d.low);
        i += range;
    }
    *value = children[count - 1];
    return n;
}

/* Stores a designated value; lists on the way are made or added to. Returns the first position. */
static long designated_set(struct translator *t, struct expr *list, const struct designator *path,
                           int n, struct node value) {
    struct expr *at = list;
    for (int i = 0; i + 1 < n; ++i) {
        struct expr *inner = path[i].low < at->nargs ? at->args[path[i].low] : NULL;
        if (!inner || inner->kind != EXPR_INIT)
            inner = list_new(t, slot_type(at->type, path[i].low));
        list_set(t, at, path[i].low, inner);
        at = inner;
    }
    const struct designator *last = &path[n - 1];
    struct expr *expr = value_make(t, value, slot_type(at->type, last->low));
    for (long i = last->low; i <= last->high && i < MOST_POSITIONS; ++i)
        list_set(t, at, i, expr);
    return n == 1 ? last->high : path[0].low;
}

/* ---- lists */

/* An aggregate without braces of its own takes items until it is full. */
static bool takes_whole(struct translator *t, struct node node, const struct type *slot) {
    if (!is_aggregate(slot) || node.kind == NODE_INIT)
        return true;
    const struct type *type = parse_type_get(t, node_type(node));
    if (slot->kind == TYPE_ARRAY)
        return type_is_array(type);
    return type->record && type->record == slot->record;
}

static void fill(struct translator *t, struct expr *list, struct items *items, bool braced);

/* Takes the next item, not designated, for `position`. */
static void item_take(struct translator *t, struct expr *list, struct items *items, long position) {
    const struct type *slot = slot_type(list->type, position);
    struct node node = items->nodes[items->at];
    if (!slot || position >= slots_of(list->type)) {
        parse_expr_make(t, node);
        ++items->at;
    } else if (takes_whole(t, node, slot)) {
        ++items->at;
        list_set(t, list, position, value_make(t, node, slot));
    } else {
        struct expr *inner = list_new(t, slot);
        fill(t, inner, items, false);
        list_set(t, list, position, inner);
    }
}

static void fill(struct translator *t, struct expr *list, struct items *items, bool braced) {
    long position = 0, slots = slots_of(list->type);
    while (items->at < items->count && (braced || position < slots)) {
        struct designator *path;
        struct node value = {.kind = NODE_NONE};
        int n = designators_read(t, list->type, items->nodes[items->at], &path, &value);
        if (n && !braced)
            return;
        if (is_padding(list->type, position) && !n) {
            ++position;
        } else if (n) {
            ++items->at;
            position = designated_set(t, list, path, n, value) + 1;
        } else {
            item_take(t, list, items, position++);
        }
    }
}

struct expr *parse_init_make(struct translator *t, struct node node, const struct type *type) {
    struct items items = {0};
    items.count = node_children(t->door, node, &items.nodes);
    struct expr *list = list_new(t, type);
    fill(t, list, &items, true);
    parse_place_expr(t, list, node, true);
    return list;
}
