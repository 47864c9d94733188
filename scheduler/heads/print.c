/* Heads as text: their tables, and the calls at the loops. */
#include "scheduler/heads/heads.h"

static bool is_scalar(const struct type *type) {
    return type->kind == TYPE_INT || type->kind == TYPE_BOOL || type->kind == TYPE_FLOAT ||
           type->kind == TYPE_POINTER;
}

/* A scalar that nobody has the address of is handed over as a copy,
 * so that it may stay in a register. */
static bool is_copied(const struct variable *var) {
    return is_scalar(var->type) && !var->address_taken && var->storage != STORAGE_STATIC &&
           !var->type->is_volatile && !var->type->is_atomic;
}

static void print_copies(const struct head *head, struct text *out) {
    for (int i = 0; i < head->nlive; ++i)
        if (is_copied(head->live[i]))
            text_print(out, "__typeof__(%s) orrery_copy_%d = %s; ", head->live[i]->name, i,
                       head->live[i]->name);
}

static void print_back(const struct head *head, struct text *out) {
    for (int i = 0; i < head->nlive; ++i)
        if (is_copied(head->live[i]) && !head->live[i]->type->is_const)
            text_print(out, "%s = orrery_copy_%d; ", head->live[i]->name, i);
}

static void print_live(const struct head *head, struct text *out) {
    text_print(out, "__extension__ struct orrery_live orrery_live[] = {");
    for (int i = 0; i < head->nlive; ++i) {
        const struct variable *var = head->live[i];
        int points = head_points(var->type);
        if (is_copied(var))
            text_print(out, "{\"%s\", (void *)&orrery_copy_%d, sizeof orrery_copy_%d, %d, 0}, ",
                       var->name, i, i, points);
        else
            text_print(out, "{\"%s\", (void *)&%s, sizeof %s, %d, 1}, ", var->name, var->name,
                       var->name, points);
    }
    text_print(out, "{0, 0, 0, 0, 0}}; ");
}

static void print_pending(const struct head *head, int npending, const struct head_pending *pending,
                          struct text *out) {
    for (int i = 0; i < npending; ++i) {
        const struct loop *around = pending[i].passes ? pending[i].passes->around : NULL;
        if (around && around->function == head->loop->function &&
            head_is_inside(&head->loop->stmt->range, around->stmt))
            text_print(out, "orrery_passes_end(&orrery_loop_%d, %d); ", pending[i].number,
                       pending[i].passes->keeps);
    }
}

static void print_call(const struct head *head, int npending, const struct head_pending *pending,
                       struct text *out) {
    int number = head->loop->id;
    text_print(out,
               "if (orrery_heads_wanted && orrery_head_due(&orrery_head_%d, &orrery_pass_%d)) { "
               "ORRERY_HEAD_BEGIN ",
               number, number);
    print_pending(head, npending, pending, out);
    print_copies(head, out);
    print_live(head, out);
    text_print(out,
               "orrery_head_reached(&orrery_head_%d, &orrery_pass_%d, __builtin_frame_address(0), "
               "orrery_live, %d); ",
               number, number, head->nlive);
    print_back(head, out);
    text_print(out, "ORRERY_HEAD_END } ");
}

void heads_print(struct unit *unit, const struct heads *heads, struct text *out) {
    const char *file = text_escape(unit->arena, unit->files[unit->main_file].name);
    for (int i = 0; i < heads->count; ++i) {
        const struct head *head = &heads->items[i];
        int number = head->loop->id;
        text_print(out,
                   "static struct orrery_head orrery_head_%d ORRERY_OURS = {\"%s\", %d, \"%s\", ",
                   number, file, head->loop->header.begin.line, head->loop->function->name);
        if (head->code)
            text_print(out, "\"%s [%s]\"", text_escape(unit->arena, head->why), head->code);
        else
            text_print(out, "0");
        text_print(out,
                   ", 0, 0};\nstatic struct orrery_head *const orrery_head_at_%d "
                   "ORRERY_HEADS = &orrery_head_%d;\n",
                   number, number);
    }
}

/* An insertion in front of those that are there already. */
static void insert_inside(struct text_edits *edits, size_t at, const char *with) {
    struct text_edit edit = {at, at, with, -1};
    ARENA_PUSH(edits->arena, edits->items, edits->count, edit);
}

/* What its callers have on the stack stays apart from its own. */
static void edit_function(const struct function *f, struct text_edits *edits) {
    static const char apart[] = "__attribute__((__noinline__)) ";
    size_t at = f->range.begin.offset;
    for (int i = 0; i < edits->count; ++i)
        if (edits->items[i].begin == at && edits->items[i].with == apart)
            return;
    text_edit_add(edits, at, at, apart);
}

void heads_edit(struct unit *unit, const struct heads *heads, int npending,
                const struct head_pending *pending, struct text_edits *edits) {
    for (int i = 0; i < heads->count; ++i) {
        const struct head *head = &heads->items[i];
        const struct range *loop = &head->loop->stmt->range, *body = &head->loop->body->range;
        bool block = head->loop->body->kind == STMT_BLOCK;
        struct text call;
        if (head->code)
            continue;
        text_start(&call, unit->arena);
        text_print(&call, block ? " " : "{ ");
        print_call(head, npending, pending, &call);
        text_print(&call, "{ ");
        insert_inside(edits, body->begin.offset + block, call.bytes);
        size_t behind = body->end.offset - block;
        text_edit_add(edits, behind, behind, block ? " } " : " } }");
        text_edit_add(edits, loop->begin.offset, loop->begin.offset,
                      arena_printf(unit->arena, "{ long orrery_pass_%d = 0; ", head->loop->id));
        text_edit_add(edits, loop->end.offset, loop->end.offset, " }");
        edit_function(head->loop->function, edits);
    }
}
