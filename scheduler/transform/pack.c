/*
 * Loops that pack or unpack: a variable counts how often a condition has held, and tells which
 * element is written next, or read.
 *
 *   if (b[i] > 0) { j++; a[j] = b[i]; }            packs
 *   if (a[i] > 0) { j++; a[i] = b[j]; }            unpacks
 *
 * Blocks of iterations count first; then each knows where it begins.
 *
 * Text of a loop that packs:
 *
 *   while more than a block is left, and the run wants it
 *       how often each block counts
 *       where each block begins: the sum of what those before it count, one after the other
 *       for each block, in any order: its iterations, with a counter of their own; what is packed
 *           goes into an array of the block's and from there to its place
 *   the user's loop, for the iterations that are left
 *
 * Why that is right. The counter is read in subscripts only, and changes by one where it does. A
 * loop that packs reads no array that it packs into, nor stores to it otherwise; one that unpacks
 * stores to the iteration's own elements alone, reads such arrays there alone, and no condition
 * reads what was stored before it in the text. So conditions have in front the values that they
 * have in their iteration, and the counts are those of the serial loop. Each time that it counts,
 * every packed array gets the next element, so a block's elements are all those between its
 * beginning and the next one's, and what the block's array holds there has been stored. All memory
 * is variables and elements of declared arrays, so different ones are apart.
 */
#include "scheduler/transform/plain.h"
#include "scheduler/transform/trial.h"

/* Iterations of a block; blocks that count together; fewer iterations than `LEAST` run as they are
 * written. */
enum { BLOCK = 1024, BLOCKS = 1024, LEAST = 8 * BLOCK };

/* Bytes of a block's own elements: they lie on a worker's stack. */
enum { MOST_BYTES = 1 << 16 };

enum { PACK_STORES = 12 };

struct pack {
    struct plain plain;                     /* the loop's text */
    const struct loop *loop;                /* the loop */
    struct variable *counter;               /* what counts */
    const struct variable *packed;          /* the array that it packs into; NULL: it unpacks */
    bool behind;                            /* a[j++]: the element is the one before the sum */
    int most;                               /* times that an iteration counts, at most */
    int npacked;                            /* of `stores`, those to `packed` */
    int nstores;                            /* of `stores` */
    const struct stmt *stores[PACK_STORES]; /* assignments to elements, in the order of the text */
};

/* ---- the text: what counts, what stores ------------------------------------------------------- */

static bool is_name(const struct expr *e, const struct variable *v) {
    return e->kind == EXPR_VAR && e->var == v;
}

static bool take_counter(struct pack *pack, struct variable *v) {
    bool local = v && (v->storage == STORAGE_LOCAL || v->storage == STORAGE_PARAM);
    if (!local || v->address_taken || !plain_is_own(v) || v->type->kind != TYPE_INT ||
        !v->type->is_signed || v->type->size < (long)sizeof(int) || v == pack->loop->variable)
        return false;
    pack->counter = pack->counter ? pack->counter : v;
    return pack->counter == v;
}

/* The index of an element of a declared array of one dimension. */
static const struct expr *index_of(const struct expr *e) {
    bool element = e->kind == EXPR_SUBSCRIPT && e->args[0]->kind == EXPR_VAR &&
                   e->args[0]->type->kind == TYPE_ARRAY && type_is_number(e->type) &&
                   plain_is_own(e->args[0]->var);
    return element ? e->args[1] : NULL;
}

/* a[j] = ..., a[j++] = ..., or a[i] = ...; `counts`: directly behind j++. */
static bool take_store(struct pack *pack, const struct stmt *stmt, bool counts) {
    const struct expr *e = stmt->expr;
    const struct expr *index =
        e && e->kind == EXPR_ASSIGN && e->op == OP_NONE ? index_of(e->args[0]) : NULL;
    bool next = index && index->kind == EXPR_INCREMENT && !index->prefix;
    if (!index || pack->nstores == PACK_STORES || !e->args[0]->range.exact)
        return false;
    pack->stores[pack->nstores++] = stmt;
    if (is_name(index, pack->loop->variable))
        return true;
    const struct variable *array = plain_root(e->args[0]);
    bool packs = next ? take_counter(pack, plain_counted(index)) : is_name(index, pack->counter);
    if (!packs || counts == next || (pack->packed && pack->packed != array) ||
        (pack->npacked > 0 && pack->behind != next))
        return false;
    pack->packed = array;
    pack->behind = next;
    pack->npacked += 1;
    pack->most += next;
    return true;
}

static bool take_list(struct pack *pack, int n, struct stmt *const *list) {
    bool counts = false;
    for (int i = 0; i < n; ++i) {
        struct variable *v = list[i]->kind == STMT_EXPR ? plain_counted(list[i]->expr) : NULL;
        if (list[i]->kind != STMT_EXPR || (v && counts) ||
            (v ? !take_counter(pack, v) : !take_store(pack, list[i], counts)))
            return false;
        counts = v != NULL;
        pack->most += counts;
    }
    return true;
}

static bool take_statement(struct pack *pack, struct stmt *stmt) {
    struct stmt *inside = stmt->kind == STMT_IF && !stmt->other ? stmt->then : stmt;
    if (inside != stmt && !stmt->expr->range.exact)
        return false;
    if (inside->kind == STMT_BLOCK && inside != stmt)
        return take_list(pack, inside->nbody, inside->body);
    return take_list(pack, 1, &inside);
}

/* Runs of statements without a choice between them are one list. */
static bool take_body(struct pack *pack) {
    struct stmt *body = pack->loop->body;
    if (body->kind != STMT_BLOCK)
        return take_statement(pack, body);
    for (int i = 0; i < body->nbody;) {
        int n = 0;
        while (i + n < body->nbody && body->body[i + n]->kind == STMT_EXPR)
            ++n;
        if (n > 0 ? !take_list(pack, n, body->body + i) : !take_statement(pack, body->body[i]))
            return false;
        i += n > 0 ? n : 1;
    }
    return true;
}

/* ---- what is read ---------------------------------------------------------------------------- */

/* Of the first `n` stores one is to the array. */
static bool is_stored(const struct pack *pack, const struct variable *array, int n) {
    for (int i = 0; i < n; ++i)
        if (plain_root(pack->stores[i]->expr->args[0]) == array)
            return true;
    return false;
}

static bool is_readable(const struct pack *pack, const struct expr *e, int n);

static bool element_is_readable(const struct pack *pack, const struct expr *e, int n) {
    const struct variable *array = plain_root(e);
    const struct expr *index = array ? index_of(e) : NULL;
    if (!array || !plain_is_own(array) || array == pack->packed)
        return false;
    if (is_stored(pack, array, pack->nstores))
        return index && is_name(index, pack->loop->variable) && !is_stored(pack, array, n);
    if (index && n < 0 && !pack->behind && is_name(index, pack->counter))
        return true;
    bool readable = type_is_number(e->type);
    for (; readable && e->kind == EXPR_SUBSCRIPT; e = e->args[0])
        readable = is_readable(pack, e->args[1], n);
    return readable;
}

/* In a condition after the first `n` stores, or (`n` < 0) in a value. */
static bool is_readable(const struct pack *pack, const struct expr *e, int n) {
    if (e->kind == EXPR_VAR)
        return type_is_number(e->type) &&
               (e->var == pack->loop->variable || plain_stays(pack->loop, NULL, e->var));
    if (e->kind == EXPR_SUBSCRIPT)
        return element_is_readable(pack, e, n);
    for (int i = 0; i < e->nargs; ++i)
        if (!is_readable(pack, e->args[i], n))
            return false;
    return true;
}

static bool is_call(const void *data, const struct expr *e) {
    (void)data;
    return e->kind == EXPR_CALL;
}

/* Values without calls: those may read anything. */
static bool is_value(const struct pack *pack, const struct expr *e, int n) {
    return nest_is_value(e) && !expr_any(e, is_call, NULL) && is_readable(pack, e, n);
}

static bool reads_well(const struct pack *pack, const struct stmt *stmt, int *n) {
    if (stmt->kind == STMT_IF && !is_value(pack, stmt->expr, *n))
        return false;
    if (stmt->kind == STMT_IF)
        return reads_well(pack, stmt->then, n);
    if (stmt->kind == STMT_EXPR && !plain_counted(stmt->expr)) {
        *n += 1;
        return is_value(pack, stmt->expr->args[1], -1);
    }
    for (int i = 0; i < stmt->nbody; ++i)
        if (!reads_well(pack, stmt->body[i], n))
            return false;
    return true;
}

static int stores_to_packed(const struct pack *pack) {
    int sum = 0;
    for (int i = 0; i < pack->nstores; ++i)
        sum += plain_root(pack->stores[i]->expr->args[0]) == pack->packed;
    return sum;
}

static bool fits(const struct pack *pack) {
    const struct type *element = pack->packed ? pack->packed->type->element : NULL;
    if (stores_to_packed(pack) != pack->npacked)
        return false;
    return pack->most > 0 && (pack->npacked == 0 || pack->npacked == pack->most) &&
           pack->nstores > 0 &&
           (!element || element->size * pack->most * BLOCK <= (long)MOST_BYTES);
}

/* It is of this form. Looks at the text alone. */
static bool is_taken(struct pack *pack) {
    int stores = 0;
    return pack->loop->canonical && nest_is_movable(pack->plain.unit, pack->loop) &&
           plain_counts(pack->loop, NULL) && take_body(pack) && fits(pack) &&
           reads_well(pack, pack->loop->body, &stores);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* "for (long tile_block = 0; tile_block < tile_count; tile_block += 1) " */
static void write_blocks(const struct pack *pack, struct text *out) {
    const char *p = pack->plain.prefix;
    text_print(out, "for (%s = 0; %sblock < %scount; %sblock += 1) ",
               plain_declare(&pack->plain, pack->loop->variable->type, "block"), p, p, p);
}

static void write_iterations(const struct pack *pack, struct text *out) {
    const struct variable *v = pack->loop->variable;
    const char *p = pack->plain.prefix;
    text_print(out, "for (%s = %sfirst + %sblock * %d; %s < %sfirst + %sblock * %d + %d; %s += 1) ",
               type_declare(pack->plain.unit->arena, v->type, v->name), p, p, (int)BLOCK, v->name,
               p, p, (int)BLOCK, (int)BLOCK, v->name);
}

/* How often a statement counts. */
static int counts_of(const struct pack *pack, const struct stmt *stmt) {
    int sum = 0;
    if (stmt->kind == STMT_EXPR)
        return plain_counted(stmt->expr) != NULL ||
               (pack->behind && plain_root(stmt->expr->args[0]) == pack->packed);
    for (int i = 0; i < stmt->nbody; ++i)
        sum += counts_of(pack, stmt->body[i]);
    return sum;
}

static void write_counting(const struct pack *pack, const struct stmt *stmt, struct text *out) {
    if (stmt->kind == STMT_BLOCK) {
        for (int i = 0; i < stmt->nbody; ++i)
            write_counting(pack, stmt->body[i], out);
    } else if (stmt->kind == STMT_IF) {
        text_print(out, "if (");
        plain_write(&pack->plain, stmt->expr->range.begin.offset, stmt->expr->range.end.offset,
                    out);
        text_print(out, ") { %ssum += %d; } ", pack->plain.prefix, counts_of(pack, stmt->then));
    } else if (counts_of(pack, stmt) > 0) {
        text_print(out, "%ssum += 1; ", pack->plain.prefix);
    }
}

static void write_starts(const struct pack *pack, struct text *out) {
    const char *p = pack->plain.prefix;
    const struct type *type = pack->counter->type;
    write_blocks(pack, out);
    text_print(out, "{ %s = 0; ", plain_declare(&pack->plain, type, "sum"));
    write_iterations(pack, out);
    text_print(out, "{ ");
    write_counting(pack, pack->loop->body, out);
    text_print(out, "} %sstart[%sblock + 1] = %ssum; } %sstart[0] = %s; ", p, p, p, p,
               pack->counter->name);
    write_blocks(pack, out);
    text_print(out, "%sstart[%sblock + 1] += %sstart[%sblock]; ", p, p, p, p);
}

/* The body, with the block's own elements in place of packed ones. */
static void write_body(const struct pack *pack, struct text *out) {
    const struct range *body = &pack->loop->body->range;
    size_t at = body->begin.offset;
    const char *p = pack->plain.prefix, *j = pack->counter->name;
    for (int i = 0; i < pack->nstores; ++i) {
        const struct expr *place = pack->stores[i]->expr->args[0];
        if (plain_root(place) != pack->packed)
            continue;
        plain_write(&pack->plain, at, place->range.begin.offset, out);
        text_print(out, " %sown[%s%s - %sstart[%sblock]%s] ", p, j, pack->behind ? "++" : "", p, p,
                   pack->behind ? "" : " - 1");
        at = place->range.end.offset;
    }
    plain_write(&pack->plain, at, body->end.offset, out);
}

/* The block's own elements to their places. */
static void write_copy(const struct pack *pack, struct text *out) {
    const char *p = pack->plain.prefix, *more = pack->behind ? "" : " + 1";
    if (pack->packed)
        text_print(out,
                   "for (%s = %sstart[%sblock]%s; %sat < %sstart[%sblock + 1]%s; %sat += 1) "
                   "%s[%sat] = %sown[%sat - %sstart[%sblock]%s]; ",
                   plain_declare(&pack->plain, pack->counter->type, "at"), p, p, more, p, p, p,
                   more, p, pack->packed->name, p, p, p, p, p, pack->behind ? "" : " - 1");
}

static void write_packing(const struct pack *pack, struct text *out) {
    const struct variable *j = pack->counter;
    const char *p = pack->plain.prefix;
    write_blocks(pack, out);
    text_print(out, "{ %s = %sstart[%sblock]; ",
               type_declare(pack->plain.unit->arena, j->type, j->name), p, p);
    if (pack->packed)
        text_print(
            out, "%s; ",
            plain_declare(&pack->plain, pack->packed->type->element,
                          arena_printf(pack->plain.unit->arena, "own[%d]", BLOCK * pack->most)));
    write_iterations(pack, out);
    text_print(out, "{ ");
    write_body(pack, out);
    text_print(out, "} ");
    write_copy(pack, out);
    text_print(out, "} ");
}

/* An iteration is taken to last two nanoseconds. */
static void write_pack(const struct pack *pack, struct text *out) {
    const char *p = pack->plain.prefix;
    plain_write_way(&pack->plain, LEAST, 2, "", out);
    text_print(out,
               "while (%slast - %sfirst >= %d) { %s; const %s = (%slast - %sfirst) / %d < %d ? ", p,
               p, (int)BLOCK,
               plain_declare(&pack->plain, pack->counter->type,
                             arena_printf(pack->plain.unit->arena, "start[%d]", BLOCKS + 1)),
               plain_declare(&pack->plain, pack->loop->variable->type, "count"), p, p, (int)BLOCK,
               (int)BLOCKS);
    text_print(out, "(%slast - %sfirst) / %d : %d; ", p, p, (int)BLOCK, (int)BLOCKS);
    write_starts(pack, out);
    write_packing(pack, out);
    text_print(out, "%s = %sstart[%scount]; %sfirst += %scount * %d; } ", pack->counter->name, p, p,
               p, p, (int)BLOCK);
    plain_write_rest(&pack->plain, out);
}

void pack_try(struct trial *trial) {
    struct pack pack = {.plain = {trial->loop, trial->unit, trial->prefix}, .loop = trial->loop};
    struct text out;
    if (!is_taken(&pack) || trial_is_parallel_around(trial, trial->loop))
        return;
    text_start(&out, trial->unit->arena);
    write_pack(&pack, &out);
    trial->text = out.bytes;
    trial->end = plain_end(&pack.plain);
    trial->message = ORR1702;
    trial->words =
        arena_printf(trial->unit->arena,
                     "the loop runs in blocks: where each begins to %s is counted in front: `%s`",
                     pack.packed ? "pack" : "unpack", pack.counter->name);
}
