/* Heads as text: their tables, and the calls at the loops. */
#include "scheduler/points/points.h"

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

static void print_copies(const struct ckpt_point *ckpt_point, struct text *out) {
    for (int i = 0; i < ckpt_point->nlive; ++i)
        if (is_copied(ckpt_point->live[i]))
            text_print(out, "__typeof__(%s) orrery_copy_%d = %s; ", ckpt_point->live[i]->name, i,
                       ckpt_point->live[i]->name);
}

static void print_back(const struct ckpt_point *ckpt_point, struct text *out) {
    for (int i = 0; i < ckpt_point->nlive; ++i)
        if (is_copied(ckpt_point->live[i]) && !ckpt_point->live[i]->type->is_const)
            text_print(out, "%s = orrery_copy_%d; ", ckpt_point->live[i]->name, i);
}

static void print_live(const struct ckpt_point *ckpt_point, struct text *out) {
    text_print(out, "__extension__ struct orrery_live orrery_live[] = {");
    for (int i = 0; i < ckpt_point->nlive; ++i) {
        const struct variable *var = ckpt_point->live[i];
        int points = ckpt_point_has_pointers(var->type);
        if (is_copied(var))
            text_print(out, "{\"%s\", (void *)&orrery_copy_%d, sizeof orrery_copy_%d, %d, 0}, ",
                       var->name, i, i, points);
        else
            text_print(out, "{\"%s\", (void *)&%s, sizeof %s, %d, 1}, ", var->name, var->name,
                       var->name, points);
    }
    text_print(out, "{0, 0, 0, 0, 0}}; ");
}

static void print_pending(const struct ckpt_point *ckpt_point, int npending,
                          const struct ckpt_point_pending *pending, struct text *out) {
    for (int i = 0; i < npending; ++i) {
        const struct loop *around = pending[i].passes ? pending[i].passes->around : NULL;
        if (around && around->function == ckpt_point->loop->function &&
            range_holds(&around->stmt->range, &ckpt_point->loop->stmt->range))
            text_print(out, "orrery_passes_end(&orrery_loop_%d, %d); ", pending[i].number,
                       pending[i].passes->keeps);
    }
}

static void print_call(const struct ckpt_point *ckpt_point, int npending,
                       const struct ckpt_point_pending *pending, struct text *out) {
    int number = ckpt_point->loop->id;
    text_print(out,
               "if (orrery_ckpt_points_wanted && orrery_ckpt_point_due(&orrery_ckpt_point_%d, "
               "&orrery_pass_%d)) { "
               "ORRERY_CKPT_POINT_BEGIN ",
               number, number);
    print_pending(ckpt_point, npending, pending, out);
    print_copies(ckpt_point, out);
    print_live(ckpt_point, out);
    text_print(out,
               "orrery_ckpt_point_reached(&orrery_ckpt_point_%d, &orrery_pass_%d, "
               "__builtin_frame_address(0), "
               "orrery_live, %d); ",
               number, number, ckpt_point->nlive);
    print_back(ckpt_point, out);
    text_print(out, "ORRERY_CKPT_POINT_END } ");
}

void ckpt_points_print(struct unit *unit, const struct ckpt_points *ckpt_points, struct text *out) {
    const char *file = text_escape(unit->arena, unit->files[unit->main_file].name);
    for (int i = 0; i < ckpt_points->count; ++i) {
        const struct ckpt_point *ckpt_point = &ckpt_points->items[i];
        int number = ckpt_point->loop->id;
        text_print(out,
                   "static struct orrery_ckpt_point orrery_ckpt_point_%d ORRERY_OURS = {\"%s\", "
                   "%d, \"%s\", ",
                   number, file, ckpt_point->loop->header.begin.line,
                   ckpt_point->loop->function->name);
        if (ckpt_point->code)
            text_print(out, "\"%s [%s]\"", text_escape(unit->arena, ckpt_point->why),
                       ckpt_point->code);
        else
            text_print(out, "0");
        text_print(out,
                   ", 0, 0};\nstatic struct orrery_ckpt_point *const orrery_ckpt_point_at_%d "
                   "ORRERY_CKPT_POINTS = &orrery_ckpt_point_%d;\n",
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

void ckpt_points_edit(struct unit *unit, const struct ckpt_points *ckpt_points, int npending,
                      const struct ckpt_point_pending *pending, struct text_edits *edits) {
    for (int i = 0; i < ckpt_points->count; ++i) {
        const struct ckpt_point *ckpt_point = &ckpt_points->items[i];
        const struct range *loop = &ckpt_point->loop->stmt->range,
                           *body = &ckpt_point->loop->body->range;
        bool block = ckpt_point->loop->body->kind == STMT_BLOCK;
        struct text call;
        if (ckpt_point->code)
            continue;
        text_start(&call, unit->arena);
        text_print(&call, block ? " " : "{ ");
        print_call(ckpt_point, npending, pending, &call);
        text_print(&call, "{ ");
        insert_inside(edits, body->begin.offset + block, call.bytes);
        size_t behind = body->end.offset - block;
        text_edit_add(edits, behind, behind, block ? " } " : " } }");
        text_edit_add(
            edits, loop->begin.offset, loop->begin.offset,
            arena_printf(unit->arena, "{ long orrery_pass_%d = 0; ", ckpt_point->loop->id));
        text_edit_add(edits, loop->end.offset, loop->end.offset, " }");
        edit_function(ckpt_point->loop->function, edits);
    }
}
