/* Regions: which memory a variable or a pointer expression stands for. */
#include "analyzer/access/interp/interp.h"

struct region *region_change(struct interp *w, const struct region *region) {
    (void)w;
    return (struct region *)region;
}

struct sym *sym_change(struct interp *w, const struct sym *sym) {
    (void)w;
    return (struct sym *)sym;
}

static struct region *region_new(struct interp *w, enum region_kind kind) {
    struct region *region = arena_alloc(w->arena, sizeof *region);
    region->kind = kind;
    region->id = w->trace.nregions;
    ARENA_PUSH(w->arena, w->regions, w->trace.nregions, region);
    w->trace.regions = (const struct region *const *)w->regions;
    return region;
}

static void region_named(struct interp *w, struct region *region) {
    if (w->in_header)
        return;
    if (w->frame->parent)
        region->in_callee = true;
    else
        region->in_body = true;
}

static const struct type *innermost(const struct type *type) {
    while (type->element && type_is_array(type))
        type = type->element;
    return type;
}

static bool is_private(struct interp *w, const struct variable *var) {
    struct slot *slot = env_find(&w->env, var);
    return slot && !slot->outer;
}

const struct region *region_text(struct interp *w) {
    struct region *region = arena_alloc(w->arena, sizeof *region);
    region->kind = REGION_TEXT;
    return region;
}

struct region *region_of_variable(struct interp *w, struct variable *var) {
    enum region_kind kind = is_private(w, var) ? REGION_LOCAL : REGION_VARIABLE;
    for (int i = 0; i < w->trace.nregions; ++i) {
        if (w->regions[i]->var == var && w->regions[i]->kind == kind) {
            region_named(w, w->regions[i]);
            return w->regions[i];
        }
    }
    struct region *region = region_new(w, kind);
    region->var = var;
    region->element = innermost(var->type);
    region_named(w, region);
    return region;
}

static const struct type *pointee(const struct expr *pointer) {
    return pointer->type && pointer->type->element ? innermost(pointer->type->element) : NULL;
}

struct region *region_of_pointer(struct interp *w, struct expr *pure) {
    while (pure->kind == EXPR_CAST && pure->args[0]->type &&
           pure->args[0]->type->kind == TYPE_POINTER) {
        pure = pure->args[0];
    }
    for (int i = 0; i < w->trace.nregions; ++i) {
        if (w->regions[i]->kind == REGION_POINTER && expr_equal(w->regions[i]->expr, pure)) {
            region_named(w, w->regions[i]);
            return w->regions[i];
        }
    }
    struct region *region = region_new(w, REGION_POINTER);
    region->expr = pure;
    region->var = pure->kind == EXPR_VAR ? pure->var : NULL;
    region->element = pointee(pure);
    region_named(w, region);
    return region;
}

static bool same_kind(const struct type *a, const struct type *b) {
    return a->kind == b->kind && a->size == b->size && a->record == b->record;
}

/* A new one has no `expr` yet. */
static struct region *region_of_rows(struct interp *w, const struct region *table, long step,
                                     long at, const struct type *element) {
    for (int i = 0; i < w->trace.nregions; ++i) {
        const struct region *old = w->regions[i];
        if (old->kind == REGION_ROWS && old->table == table && old->step == step && old->at == at &&
            same_kind(old->element, element)) {
            return w->regions[i];
        }
    }
    struct region *region = region_new(w, REGION_ROWS);
    region->table = table;
    region->ntables = table->ntables + 1;
    region->step = step;
    region->at = at;
    region->element = element;
    return region;
}

struct region *region_unknown(struct interp *w, const char *why) {
    struct region *region = region_new(w, REGION_UNKNOWN);
    region->why = why;
    return region;
}

const char *region_name(const struct trace *t, const struct region *region) {
    switch (region->kind) {
    case REGION_VARIABLE:
    case REGION_LOCAL:
        return region->var->name;
    case REGION_POINTER:
        return region->var && region->var->entry_of ? region->var->entry_of->name
                                                    : expr_print(t->arena, region->expr);
    case REGION_ROWS:
        return arena_printf(t->arena, "%s%s", region_name(t, region->table), region->path);
    case REGION_TEXT:
        return "a string literal";
    case REGION_UNKNOWN:
        break;
    }
    return "an unknown place";
}

struct region *rows_region(struct interp *w, const struct region *from, struct expr *base,
                           const struct pointer_table *table, const struct type *element) {
    struct region *region = region_of_rows(w, from, table->step, table->at, element);
    if (!region->expr) {
        region->expr = base;
        region->path = table->path;
    }
    return region;
}
