/* Loads and stores of the abstract run. */
#include "analyzer/access/interp/interp.h"

static struct expr *outermost_call(const struct interp *w) {
    struct expr *call = NULL;
    for (const struct frame *f = w->frame; f && f->parent; f = f->parent)
        call = f->call;
    return call;
}

/* The first `n` conditions as one, each made once:
 * there may be hundreds, for hundreds of touches. */
static struct expr *path_of(struct interp *w, int n) {
    int known = n;
    while (known > 0 && !w->conditions[known - 1].path)
        --known;
    for (; known < n; ++known) {
        struct condition *c = &w->conditions[known];
        struct expr *one = interp_condition_expr(&w->trace, c);
        c->path = one;
        if (known > 0) {
            c->path = expr_binary(w->arena, OP_NONE, w->conditions[known - 1].path, one);
            c->path->kind = EXPR_AND;
        }
    }
    return w->conditions[n - 1].path;
}

/*
 * How many conditions, from the outermost in, can be told at `level`. Those behind one that cannot
 * may need it to be evaluated at all.
 */
static int conditions_told(const struct interp *w, int level) {
    int n = 0;
    while (n < w->nconditions && w->conditions[n].value->pure &&
           w->conditions[n].value->level <= level) {
        ++n;
    }
    return n;
}

static struct expr *conjunction(struct interp *w, int n) {
    return n > 0 ? path_of(w, n) : NULL;
}

/* What is known to hold here: of the iteration, and of all iterations. */
static void set_guards(struct interp *w, struct ref *ref) {
    int told = conditions_told(w, 0), rows = told, steady = conditions_told(w, -1);
    while (rows > 0 && w->conditions[rows - 1].steady)
        --rows;
    ref->guard = conjunction(w, told);
    ref->row_guard = rows == told ? ref->guard : conjunction(w, rows);
    ref->when = steady == told ? ref->guard : conjunction(w, steady);
    ref->sometimes = steady < w->nconditions || w->recalls;
}

static int ref_add(struct interp *w, const struct value *address, bool write, struct expr *e,
                   const struct type *type) {
    struct condition *conditions = NULL;
    bool partial = is_bit_field(e);
    type = partial ? e->args[0]->type : type;
    struct ref ref = {.write = write,
                      .header = w->in_header,
                      .in_callee = w->frame->parent != NULL,
                      .partial = partial,
                      .address = address,
                      .size = type && type->size >= 0 ? poly_constant(w->arena, type->size) : NULL,
                      .type = type,
                      .reduction = -1,
                      .expr = e,
                      .via = outermost_call(w),
                      .range = e->range};
    for (int i = 0; i < w->nactive; ++i)
        ARENA_PUSH(w->arena, ref.loops, ref.nloops, w->active[i]);
    for (int i = 0; i < w->nconditions; ++i)
        if (!w->conditions[i].steady)
            ARENA_PUSH(w->arena, conditions, ref.nconditions, w->conditions[i]);
    ref.conditions = conditions;
    ref.conditional = ref.nconditions > 0;
    set_guards(w, &ref);
    for (int i = 0; i < w->nreduction_reads && !write; ++i)
        if (w->reduction_read[i] == e && !partial)
            ref.reduction = w->reduction_op;
    ARENA_PUSH(w->arena, w->refs, w->trace.nrefs, ref);
    w->trace.refs = w->refs;
    alias_note_type(region_change(w, address->region), type);
    for (int i = 0; i < address->nsites; ++i) {
        struct site *site = &w->sites[address->sites[i]];
        ARENA_PUSH(w->arena, site->rows, site->nrows, w->trace.nrefs - 1);
    }
    return w->trace.nrefs - 1;
}

/* Does the address name the whole of a variable that the interpretation keeps a value for? */
static bool is_whole_variable(const struct value *address, const struct type *type) {
    long offset;
    const struct variable *var = address->region->var;
    return (address->region->kind == REGION_VARIABLE || address->region->kind == REGION_LOCAL) &&
           address->nparts == 0 && poly_is_constant(address->poly, &offset) && offset == 0 &&
           !type_is(var->type, TYPE_ARRAY) && !type_is(var->type, TYPE_VLA) &&
           type_reads_alike(type, var->type);
}

static struct expr *variable_expr(struct interp *w, struct variable *var, struct range range) {
    if (var->storage == STORAGE_STATIC_LOCAL && var->function != w->loop->function)
        return NULL;
    struct expr *e = expr_new(w->arena, EXPR_VAR, var->type, range);
    e->var = var;
    return e;
}

/* The same wherever it can be read: static pointers are set between calls, too, and the others of
 * the file by other files. */
static bool is_stable(const struct variable *var) {
    bool array = type_is(var->type, TYPE_ARRAY) || type_is(var->type, TYPE_VLA);
    bool once = var->storage == STORAGE_LOCAL && var->writes == 1 && !var->init;
    return array || (!var->address_taken && var->storage != STORAGE_GLOBAL && !var->is_extern &&
                     (var->writes == 0 || once));
}

/* What `init` adds to the pointer or array it starts from, in bytes; the origin, or NULL. */
static const struct expr *pointer_origin(const struct expr *init, long *bytes) {
    while (init && init->kind == EXPR_CAST)
        init = init->args[0];
    bool address = init && init->kind == EXPR_ADDRESS && init->args[0]->kind == EXPR_SUBSCRIPT;
    bool sum = init && init->kind == EXPR_BINARY && (init->op == OP_ADD || init->op == OP_SUB);
    bool row = init && init->kind == EXPR_SUBSCRIPT && type_is(init->type, TYPE_ARRAY);
    if (address || sum || row) {
        const struct expr *base = address ? init->args[0] : init;
        const struct expr *count = base->args[1];
        const struct type *type = base->args[0]->type;
        if (count->kind != EXPR_INT || !type || !type->element || type->element->size <= 0)
            return NULL;
        long step = (long)count->int_value * type->element->size;
        *bytes += init->op == OP_SUB ? -step : step;
        return pointer_origin(base->args[0], bytes);
    }
    return init && init->kind == EXPR_VAR ? init : NULL;
}

/* A pointer variable initialised with another one, or with an array, and never changed. */
static const struct value *pointer_variable(struct interp *w, struct expr *pure) {
    struct variable *var = pure->var;
    struct value *p = value_new(&w->trace, VALUE_POINTER);
    long bytes = 0;
    bool fixed = var->storage == STORAGE_LOCAL && var->writes == 0 && !var->address_taken;
    const struct expr *origin = fixed && var->init ? pointer_origin(var->init, &bytes) : NULL;
    p->pure = pure;
    p->poly = poly_constant(w->arena, bytes);
    if (origin && type_is(origin->var->type, TYPE_POINTER) && origin->var != var &&
        is_stable(origin->var)) {
        struct expr *e = variable_expr(w, origin->var, pure->range);
        const struct value *from = e ? pointer_variable(w, e) : NULL;
        if (from) {
            p->region = from->region;
            p->poly = poly_add(w->arena, from->poly, p->poly);
            region_change(w, p->region)->in_callee = true;
            return p;
        }
    } else if (origin && type_is(origin->var->type, TYPE_ARRAY)) {
        p->region = region_of_variable(w, origin->var);
        region_change(w, p->region)->in_callee = true;
        return p;
    }
    p->poly = poly_constant(w->arena, 0);
    p->region = region_of_pointer(w, pure);
    return p;
}

static const struct value *value_of_pure(struct interp *w, struct expr *pure,
                                         const struct type *type) {
    if (type_is(type, TYPE_POINTER) && pure->kind == EXPR_VAR)
        return pointer_variable(w, pure);
    if (type_is(type, TYPE_POINTER)) {
        struct value *p = value_new(&w->trace, VALUE_POINTER);
        p->poly = poly_constant(w->arena, 0);
        p->pure = pure;
        p->region = region_of_pointer(w, pure);
        return p;
    }
    return value_opaque(w, pure, type, NULL, NULL);
}

/* What a constant of the type holds, as a literal that takes part in arithmetic as it does. */
static const struct value *constant_value(struct interp *w, const struct type *type,
                                          long long number) {
    const struct value *v = value_integer(w, number);
    if (type->size >= 4)
        v->pure->type = type;
    return v;
}

/* A variable declared outside that nothing in the loop assigns. Members of a structure may be set
 * all the same. */
static const struct value *load_invariant(struct interp *w, const struct value *address,
                                          struct expr *e) {
    struct variable *var = address->region->var;
    if (var->type->is_const && var->init && type_fits(var->type, var->init))
        return constant_value(w, var->type, var->init->int_value);
    struct expr *pure = variable_expr(w, var, e->range);
    if (!pure)
        return value_unknown(w, "it is a static variable of another function");
    const struct value *v = value_of_pure(w, pure, var->type);
    bool parts = type_is(var->type, TYPE_STRUCT) || type_is(var->type, TYPE_UNION);
    if (!parts && !var->address_taken && var->storage != STORAGE_GLOBAL && !var->is_extern)
        return v;
    int ref = ref_add(w, address, false, e, var->type);
    const struct taint *taint = interp_taint(w, e);
    if (taint)
        return value_unknown(w, taint->why);
    struct value *dependent = arena_alloc(w->arena, sizeof *dependent);
    *dependent = *v;
    dependent->ndeps = 0;
    dependent->deps = NULL;
    value_depend(w, dependent, ref);
    return dependent;
}

/* A key read out of a variable: a place of its own, with the variable's origin behind it. */
static const struct value *slot_value(struct interp *w, const struct value *v, struct expr *e) {
    int sym;
    long constant;
    if (v->kind != VALUE_INT || !poly_is_sym_plus(v->poly, &sym, &constant) ||
        w->trace.syms->items[sym]->kind != SYMBOL_KEY) {
        return v;
    }
    int id = site_add(w, e, v, false);
    w->sites[id].parents = v->sites;
    w->sites[id].nparents = v->nsites;
    struct value *seen = arena_alloc(w->arena, sizeof *seen);
    *seen = *v;
    seen->nsites = 0;
    seen->sites = NULL;
    ARENA_PUSH(w->arena, seen->sites, seen->nsites, id);
    return seen;
}

static const struct value *load_variable(struct interp *w, const struct value *address,
                                         struct expr *e) {
    struct variable *var = address->region->var;
    struct slot *slot = env_find(&w->env, var);
    if (!slot && address->region->kind == REGION_LOCAL)
        return value_unknown(w, "it is a variable that is not set yet");
    if (!slot && !variable_is_carried(w, var))
        return load_invariant(w, address, e);
    if (!slot) {
        const char *why =
            arena_printf(w->arena, "the value of `%s` comes from an earlier iteration", var->name);
        env_set(w, var, value_unknown(w, why));
        env_forget(w, var, why);
        slot = env_find(&w->env, var);
        slot->outer = true;
        slot->assigned = ASSIGNED_NO;
    }
    if (slot->outer) {
        int ref = ref_add(w, address, false, e, var->type);
        w->refs[ref].scalar = true;
        w->refs[ref].exposed = slot->assigned != ASSIGNED_YES;
    }
    interp_demand(w, slot->value->demand);
    return slot_value(w, slot->value, e);
}

static const struct poly *whole_offset(struct interp *w, const struct value *address) {
    const struct poly *total = address->poly;
    for (int i = 0; i < address->nparts; ++i) {
        total =
            poly_add(w->arena, total,
                     poly_multiply(w->arena, address->parts[i].index, address->parts[i].stride));
    }
    return total;
}

/* A pointer read out of memory: a row of a table of pointers, an invariant pointer, or unknown. */
static const struct value *load_pointer(struct interp *w, const struct value *address,
                                        struct value *p, const struct expr *e) {
    const struct region *from = address->region;
    struct pointer_table table;
    bool many = rows_locate(&w->trace, address, whole_offset(w, address), e, &table) &&
                (table.step == 8 || p->level >= 0 || !address->pure);
    p->kind = VALUE_POINTER;
    p->poly = poly_constant(w->arena, 0);
    if (many) {
        struct expr *base = from->kind == REGION_VARIABLE
                                ? variable_expr(w, from->var, p->pure->range)
                                : from->expr;
        p->outer = address->row;
        p->row = table.row;
        p->why = p->row ? NULL : address->why;
        p->region =
            base ? rows_region(w, from, base, &table, e->type->element)
                 : region_unknown(w, "it comes from a table of pointers of another function");
        value_inherit_sites(w, p, address);
    } else if (p->level < 0) {
        p->region = region_of_pointer(w, p->pure);
    } else {
        value_consume(w, address);
        p->region =
            region_unknown(w, arena_printf(w->arena, "`%s` differs from iteration to iteration",
                                           expr_print(w->arena, p->pure)));
    }
    return p;
}

static const struct value *pointer_of_unknown(struct interp *w, const char *why) {
    struct value *p = value_new(&w->trace, VALUE_POINTER);
    p->region = region_unknown(w, why);
    p->why = why;
    return p;
}

static const struct value *loaded_value(struct interp *w, const struct value *address, int ref,
                                        struct expr *e) {
    const char *why =
        address->why ? address->why : "it is read from memory of which nothing is known";
    bool table = type_is(e->type, TYPE_POINTER);
    if (table && address->region->nests)
        return unescaped_nested(w, address);
    const struct taint *taint = interp_taint(w, e);
    if (taint)
        return table ? pointer_of_unknown(w, taint->why) : value_unknown(w, taint->why);
    struct value read = *value_new(&w->trace, VALUE_OTHER);
    value_inherit(&w->trace, &read, address);
    if (ref >= 0)
        value_depend(w, &read, ref);
    read.pure = address->pure;
    enum region_kind kind = address->region->kind;
    if (table && (address->pure || kind == REGION_POINTER || kind == REGION_VARIABLE ||
                  kind == REGION_ROWS)) {
        struct value *p = arena_alloc(w->arena, sizeof *p);
        *p = read;
        if (!p->pure) {
            p->pure = e;
            const struct value *loaded = load_pointer(w, address, p, e);
            p->pure = NULL;
            return loaded->region->kind == REGION_ROWS ? loaded : pointer_of_unknown(w, why);
        }
        return load_pointer(w, address, p, e);
    }
    if (table)
        return pointer_of_unknown(w, why);
    read.kind = address->pure ? VALUE_OTHER : VALUE_UNKNOWN;
    read.why = address->why;
    const struct value *v = value_opaque(w, address->pure, e->type, &read, NULL);
    if (!v->pure || ref < 0)
        return v;
    struct value *sited = arena_alloc(w->arena, sizeof *sited);
    *sited = *v;
    sited->nsites = 0;
    sited->sites = NULL;
    int id = site_add(w, e, v, true);
    ARENA_PUSH(w->arena, sited->sites, sited->nsites, id);
    return sited;
}

/* Is it a number out of a structure of the function that the iteration has set as a whole, and
 * nothing else can have changed: `r = all[n]; ... r.user`? */
static bool is_told(struct interp *w, const struct value *address, const struct type *type) {
    const struct variable *var = address->region->var;
    const struct slot *slot =
        address->region->kind == REGION_VARIABLE ? env_find(&w->env, var) : NULL;
    bool number = type_is(type, TYPE_INT) || type_is(type, TYPE_FLOAT) || type_is(type, TYPE_BOOL);
    return slot && slot->assigned == ASSIGNED_YES && slot->value->pure && number &&
           type_is(var->type, TYPE_STRUCT) && !var->address_taken &&
           (var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM);
}

/* `static const float t[4]` of a called function:
 * nobody changes it, and nobody else can name it. */
static bool is_constant_table(const struct interp *w, const struct region *region) {
    const struct variable *var = region->kind == REGION_VARIABLE ? region->var : NULL;
    return var && var->storage == STORAGE_STATIC_LOCAL && var->function != w->loop->function &&
           type_is(var->type, TYPE_ARRAY) && region->element && region->element->is_const &&
           !var->address_taken;
}

const struct value *memory_load(struct interp *w, const struct value *address, struct expr *e) {
    if (e->type && (e->type->is_volatile || e->type->is_atomic)) {
        interp_refuse(&w->trace, ORR2227, e->range,
                      "use a plain variable in the loop, and copy it before or after",
                      "`%s` is %s: every access counts", expr_print(w->arena, e),
                      e->type->is_volatile ? "volatile" : "atomic");
    }
    if (address->kind != VALUE_POINTER || address->region->kind == REGION_TEXT)
        return value_unknown(w, address->why);
    if (is_whole_variable(address, e->type))
        return load_variable(w, address, e);
    if (is_constant_table(w, address->region)) {
        value_consume(w, address);
        return value_unknown(w, "it is read from a constant table of another function");
    }
    int ref = address->region->kind == REGION_LOCAL ? -1 : ref_add(w, address, false, e, e->type);
    if (ref >= 0 && is_told(w, address, e->type)) {
        w->refs[ref].told = true;
        ref = -1;
    }
    return loaded_value(w, address, ref, e);
}

static void carry(struct interp *w, struct variable *var) {
    if (!variable_is_carried(w, var)) {
        TRACE_PUSH(w->arena, w->trace.carried, w->trace.ncarried, var);
        w->again = true;
    }
}

static void store_variable(struct interp *w, const struct value *address, const struct value *v,
                           struct expr *e, int reduction) {
    struct variable *var = address->region->var;
    struct slot *slot = env_find(&w->env, var);
    bool outer = slot ? slot->outer : address->region->kind == REGION_VARIABLE;
    env_set(w, var, v);
    env_find(&w->env, var)->outer = outer;
    if (outer) {
        carry(w, var);
        int ref = ref_add(w, address, true, e, var->type);
        w->refs[ref].scalar = true;
        w->refs[ref].reduction = reduction;
    }
}

static const char *part_set(struct interp *w, const struct variable *var) {
    return arena_printf(w->arena, "a part of `%s` was set", var->name);
}

/* A part of a variable, or a place in memory. */
static void store_memory(struct interp *w, const struct value *address, struct expr *e,
                         const struct type *type, int reduction) {
    const struct region *region = address->region;
    struct variable *var = region->var;
    if (region->kind == REGION_LOCAL) {
        env_forget(w, var, part_set(w, var));
        return;
    }
    if (region->kind == REGION_VARIABLE && !type_is(var->type, TYPE_ARRAY) &&
        !type_is(var->type, TYPE_VLA) && !type_is(var->type, TYPE_STRUCT)) {
        carry(w, var);
        env_forget(w, var, part_set(w, var));
    } else if (region->kind == REGION_VARIABLE && env_find(&w->env, var)) {
        env_forget(w, var, part_set(w, var));
    }
    if (region->kind == REGION_UNKNOWN) {
        bool linked = interp_why_kind(&w->trace, region->why) == WHY_LINKED;
        interp_refuse(
            &w->trace, ORR2205, interp_taint_place(w, region->why, interp_place(w, e->range)),
            linked ? "keep the nodes in an array, with subscripts in place of pointers, and "
                     "give each iteration those that it visits in an index array that the "
                     "loop does not change"
                   : "name the memory by a pointer that the loop does not change, and a "
                     "subscript",
            "where the write to `%s` goes is not known: %s; it may change "
            "anything the loop uses",
            expr_print(w->arena, e), region->why);
    }
    int ref = ref_add(w, address, true, e, type);
    w->refs[ref].reduction = is_bit_field(e) ? -1 : reduction;
}

void memory_store(struct interp *w, const struct value *address, const struct value *v,
                  struct expr *e, int reduction) {
    const struct type *type = e->type;
    if (type && (type->is_volatile || type->is_atomic)) {
        interp_refuse(&w->trace, ORR2227, e->range,
                      "use a plain variable in the loop, and copy it before or after",
                      "`%s` is %s: every access counts", expr_print(w->arena, e),
                      type->is_volatile ? "volatile" : "atomic");
    }
    if (address->kind != VALUE_POINTER) {
        interp_refuse(&w->trace, ORR2205, e->range,
                      "name the memory by a pointer that the loop does not change, and a subscript",
                      "this writes to a place that is not known");
        value_consume(w, v);
        return;
    }
    if (is_whole_variable(address, type)) {
        store_variable(w, address, v, e, reduction);
        return;
    }
    value_consume(w, v);
    if (address->region->nests && type_is(type, TYPE_POINTER) && !unescaped_or_null(v)) {
        interp_refuse(&w->trace, ORR2216, interp_place(w, e->range),
                      "keep the addresses of what the iteration allocates apart from others",
                      "`%s` is set to an address that the iteration may not have from `malloc`, in "
                      "memory where it keeps such addresses",
                      expr_print(w->arena, e));
    }
    store_memory(w, address, e, type, reduction);
}

void memory_touch(struct interp *w, const struct value *address, const struct poly *size,
                  bool write, struct expr *e, const struct type *type) {
    if (address->kind != VALUE_POINTER) {
        if (write) {
            interp_refuse(
                &w->trace, ORR2205, e->range,
                "name the memory by a pointer that the loop does not change, and a subscript",
                "this writes to a place that is not known");
        }
        return;
    }
    if (address->region->kind == REGION_TEXT)
        return;
    if (address->region->kind == REGION_LOCAL) {
        if (write)
            store_memory(w, address, e, type, -1);
        return;
    }
    int active = w->nactive;
    long element;
    const struct value *each = fill_enter(w, address, size, e, type, &element);
    if (each) {
        address = each;
        size = poly_constant(w->arena, element);
        type = address->region->element;
    }
    if (write)
        store_memory(w, address, e, type, -1);
    else
        ref_add(w, address, false, e, type);
    w->refs[w->trace.nrefs - 1].size = size;
    alias_note_type(region_change(w, address->region), NULL);
    w->nactive = active;
}
