/* From the text and the facts to a line: its statements, the variables that it sets, what meets. */
#include "scheduler/transform/line.h"

#include "scheduler/transform/plain.h"

#include <string.h>

/* ---- the text: assignments, and choices between them ------------------------------------------ */

static bool is_set(const struct expr *e) {
    if (!e || e->nargs == 0 || !type_is_number(e->args[0]->type) || !nest_is_value(e->args[0]))
        return false;
    return e->kind == EXPR_INCREMENT || (e->kind == EXPR_ASSIGN && nest_is_value(e->args[1]));
}

static bool take_statement(struct line *line, const struct stmt *stmt) {
    struct nest *nest = line->nest;
    if (stmt->kind == STMT_EMPTY)
        return true;
    if (stmt->kind == STMT_BLOCK) {
        for (int i = 0; i < stmt->nbody; ++i)
            if (!take_statement(line, stmt->body[i]))
                return false;
        return true;
    }
    if (nest->nstatements == NEST_STATEMENTS || stmt->range.begin.file != nest->unit->main_file)
        return false;
    nest->statements[nest->nstatements++] = (struct nest_statement){.stmt = stmt, .nloops = 1};
    return true;
}

bool line_sets(const struct line *line, int index, struct line_set *set) {
    const struct stmt *stmt = line->nest->statements[index].stmt;
    *set = (struct line_set){.op = OP_NONE};
    if (stmt->kind == STMT_DECL) {
        set->var = stmt->vars[0];
        set->value = stmt->vars[0]->init;
        return set->value != NULL;
    }
    if (stmt->kind != STMT_EXPR)
        return false;
    const struct expr *e = stmt->expr;
    set->place = e->args[0];
    set->var = e->args[0]->kind == EXPR_VAR ? e->args[0]->var : NULL;
    set->op = e->kind == EXPR_INCREMENT ? OP_ADD : e->op;
    set->value = e->kind == EXPR_INCREMENT ? NULL : e->args[1];
    set->delta = e->kind == EXPR_INCREMENT ? e->delta : 0;
    return true;
}

/* ---- variables that the body sets ------------------------------------------------------------ */

int line_scalar_of(const struct line *line, const struct variable *var) {
    for (int i = 0; i < line->nscalars; ++i)
        if (line->scalars[i].var == var)
            return i;
    return -1;
}

static bool add_scalar(struct line *line, struct variable *var, bool inside) {
    bool local = var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM;
    if (line_scalar_of(line, var) >= 0)
        return true;
    if (line->nscalars == LINE_SCALARS || !local || var->address_taken ||
        var == line->loop->variable || var->type->is_volatile || var->type->is_atomic ||
        !type_is_number(var->type))
        return false;
    line->scalars[line->nscalars++] = (struct line_scalar){.var = var, .inside = inside};
    return true;
}

static bool take_scalars(struct line *line, const struct stmt *stmt) {
    bool fits = true;
    if (stmt->kind == STMT_DECL)
        return add_scalar(line, stmt->vars[0], true);
    if (stmt->kind == STMT_EXPR && stmt->expr->args[0]->kind == EXPR_VAR)
        return add_scalar(line, stmt->expr->args[0]->var, false);
    if (stmt->kind == STMT_IF || stmt->kind == STMT_LABEL)
        return take_scalars(line, stmt->then) && (!stmt->other || take_scalars(line, stmt->other));
    for (int i = 0; stmt->kind == STMT_BLOCK && i < stmt->nbody; ++i)
        fits = fits && take_scalars(line, stmt->body[i]);
    return fits;
}

static void see_reads(struct line *line, const struct expr *e, const bool *sure) {
    int scalar = e->kind == EXPR_VAR ? line_scalar_of(line, e->var) : -1;
    if (scalar >= 0 && !sure[scalar])
        line->scalars[scalar].carried = true;
    for (int i = 0; i < e->nargs; ++i)
        if (e->args[i])
            see_reads(line, e->args[i], sure);
}

static void see_stmt(struct line *line, const struct stmt *stmt, bool *sure);

/* In either branch, by what is surely set in front of them. */
static void see_branches(struct line *line, const struct stmt *stmt, bool *sure) {
    bool then[LINE_SCALARS], other[LINE_SCALARS];
    memcpy(then, sure, sizeof then);
    memcpy(other, sure, sizeof other);
    see_reads(line, stmt->expr, sure);
    see_stmt(line, stmt->then, then);
    if (stmt->other)
        see_stmt(line, stmt->other, other);
    for (int i = 0; i < line->nscalars; ++i)
        sure[i] = then[i] && other[i];
}

static void see_set(struct line *line, const struct expr *e, bool *sure) {
    bool plain = e->kind == EXPR_ASSIGN && e->op == OP_NONE && e->args[0]->kind == EXPR_VAR;
    if (!plain)
        see_reads(line, e->args[0], sure);
    if (e->kind == EXPR_ASSIGN)
        see_reads(line, e->args[1], sure);
    if (e->args[0]->kind == EXPR_VAR)
        sure[line_scalar_of(line, e->args[0]->var)] = true;
}

static void see_stmt(struct line *line, const struct stmt *stmt, bool *sure) {
    if (stmt->kind == STMT_DECL && stmt->vars[0]->init) {
        see_reads(line, stmt->vars[0]->init, sure);
        sure[line_scalar_of(line, stmt->vars[0])] = true;
    } else if (stmt->kind == STMT_EXPR) {
        see_set(line, stmt->expr, sure);
    } else if (stmt->kind == STMT_IF) {
        see_branches(line, stmt, sure);
    } else if (stmt->kind == STMT_LABEL) {
        see_stmt(line, stmt->then, sure);
    }
    for (int i = 0; stmt->kind == STMT_BLOCK && i < stmt->nbody; ++i)
        see_stmt(line, stmt->body[i], sure);
}

/* Those that are declared inside carry nothing. */
static bool check_scalars(struct line *line) {
    bool sure[LINE_SCALARS] = {false};
    for (int i = 0; i < line->nest->nstatements; ++i)
        see_stmt(line, line->nest->statements[i].stmt, sure);
    for (int i = 0; i < line->nscalars; ++i) {
        line->scalars[i].sure = sure[i] && !line->jumps;
        line->scalars[i].carried |= line->jumps;
        if (line->scalars[i].inside && line->scalars[i].carried)
            return false;
    }
    return true;
}

bool line_sets_surely(const struct line *line) {
    for (int i = 0; i < line->nscalars; ++i)
        if (!line->scalars[i].inside && !line->scalars[i].sure && !line->scalars[i].latest)
            return false;
    return !line->jumps;
}

/* ---- variables that some iterations set ------------------------------------------------------- */

const struct expr *line_latest_set(const struct stmt *latest) {
    const struct stmt *stmt = latest->then;
    while (stmt->kind == STMT_BLOCK && stmt->nbody == 1)
        stmt = stmt->body[0];
    bool sets = stmt->kind == STMT_EXPR && stmt->expr->kind == EXPR_ASSIGN &&
                stmt->expr->op == OP_NONE && stmt->expr->args[0]->kind == EXPR_VAR;
    return sets ? stmt->expr : NULL;
}

static bool is_scalar(const void *line, const struct expr *e) {
    return e->kind == EXPR_VAR && line_scalar_of(line, e->var) >= 0;
}

/* It has the same value in front of the loop as in its iteration. */
static bool is_unchanged(const struct line *line, const struct expr *e) {
    const struct loop_facts *facts = line->nest->facts;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *access = &facts->accesses[i];
        if (access->object->kind != OBJECT_SCALAR && access->object->written &&
            access->range.begin.offset >= e->range.begin.offset &&
            access->range.begin.offset < e->range.end.offset)
            return false;
    }
    return e->range.exact && e->range.begin.file == line->nest->unit->main_file &&
           !expr_any(e, is_scalar, line);
}

static const struct stmt *latest_of(const struct line *line, const struct variable *var) {
    const struct stmt *latest = NULL;
    for (int i = 0; i < line->nest->nstatements; ++i) {
        const struct stmt *stmt = line->nest->statements[i].stmt;
        if (!stmt_sets(stmt, var) && !stmt_declares(stmt, var))
            continue;
        const struct expr *set =
            stmt->kind == STMT_IF && !stmt->other ? line_latest_set(stmt) : NULL;
        if (latest || !set || !is_unchanged(line, stmt->expr) || !is_unchanged(line, set->args[1]))
            return NULL;
        latest = stmt;
    }
    return latest;
}

/* requires: facts. */
static void take_latest(struct line *line) {
    for (int i = 0; i < line->nscalars; ++i) {
        struct line_scalar *s = &line->scalars[i];
        s->latest = s->inside || s->sure || line->jumps ? NULL : latest_of(line, s->var);
        s->carried = s->carried || s->latest;
    }
}

/* ---- what meets ------------------------------------------------------------------------------ */

long line_split(const struct line *line, const struct affine *value, struct affine *rest) {
    long coeff = 0;
    *rest = (struct affine){.constant = value->constant};
    for (int i = 0; i < value->nterms; ++i)
        if (value->terms[i].symbol == line->bounds.symbol)
            coeff += value->terms[i].coeff;
        else
            ARENA_PUSH(line->nest->arena, rest->terms, rest->nterms, value->terms[i]);
    return coeff;
}

static bool has_same_terms(const struct affine *a, const struct affine *b) {
    for (int i = 0; i < a->nterms && a->nterms == b->nterms; ++i)
        if (a->terms[i].symbol != b->terms[i].symbol || a->terms[i].coeff != b->terms[i].coeff)
            return false;
    return a->nterms == b->nterms;
}

static bool shares_bytes(const struct access *a, const struct access *b) {
    if (a->field_size < 0 || b->field_size < 0)
        return true;
    return a->field_offset < b->field_offset + b->field_size &&
           b->field_offset < a->field_offset + a->field_size;
}

enum line_meeting line_meet(const struct line *line, const struct access *first,
                            const struct access *second, long *distance) {
    bool found = false;
    if (first->object != second->object || !shares_bytes(first, second))
        return LINE_NEVER;
    if (first->field_offset != second->field_offset || first->field_size != second->field_size)
        return LINE_ANY;
    for (int i = 0; i < first->nsubs; ++i) {
        struct affine a, b;
        long coeff = line_split(line, &first->subs[i].value, &a);
        if (coeff != line_split(line, &second->subs[i].value, &b) || !has_same_terms(&a, &b))
            return LINE_ANY;
        long apart = a.constant - b.constant, step = coeff * line->loop->step;
        if (step == 0 ? apart != 0 : apart % step != 0)
            return LINE_NEVER;
        if (step != 0 && found && *distance != apart / step)
            return LINE_NEVER;
        if (step != 0) {
            *distance = apart / step;
            found = true;
        }
    }
    return found ? LINE_AT : LINE_ANY;
}

const struct access *line_access_at(const struct line *line, const struct range *range,
                                    bool write) {
    const struct loop_facts *facts = line->nest->facts;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if (a->write == write && a->object->written && !a->via &&
            a->object->kind != OBJECT_SCALAR && a->range.begin.file == range->begin.file &&
            a->range.begin.offset == range->begin.offset &&
            a->range.end.offset == range->end.offset)
            return a;
    }
    return NULL;
}

static struct line_read *read_of(struct line *line, const struct access *access) {
    for (int i = 0; i < line->nreads; ++i)
        if (line->reads[i].access == access)
            return &line->reads[i];
    bool alone = access->range.exact && line_access_at(line, &access->range, true) == NULL;
    if (line->nreads == LINE_READS || access->conditional || access->sometimes || !alone ||
        !type_is_number(access->expr->type))
        return NULL;
    line->reads[line->nreads] = (struct line_read){.access = access};
    return &line->reads[line->nreads++];
}

/* A read that other iterations write, `distance` iterations before it when positive. */
static bool take_read(struct line *line, const struct access *access, long distance) {
    struct line_read *read = read_of(line, access);
    if (!read)
        return false;
    if (distance > read->head)
        read->head = (int)distance;
    if (-distance > read->tail)
        read->tail = (int)-distance;
    return true;
}

/* A store that another one overwrites `distance` iterations later. */
static bool take_drop(struct line *line, const struct access *early, const struct access *late,
                      int distance) {
    int index = nest_statement_of(line->nest, &early->range);
    struct line_set set;
    if (index < 0 || !line_sets(line, index, &set) || set.var || late->conditional ||
        late->sometimes)
        return false;
    if (distance > line->drops[index])
        line->drops[index] = distance;
    return true;
}

static bool take_meeting(struct line *line, const struct access *write,
                         const struct access *other) {
    long distance = 0;
    enum line_meeting meeting = line_meet(line, write, other, &distance);
    if (meeting != LINE_AT)
        return meeting == LINE_NEVER;
    if (distance > LINE_REACH || distance < -LINE_REACH)
        return false;
    if (other->write)
        return distance <= 0 || take_drop(line, write, other, (int)distance);
    return distance == 0 || take_read(line, other, distance);
}

static bool take_meetings(struct line *line) {
    const struct loop_facts *facts = line->nest->facts;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *write = &facts->accesses[i];
        if (!write->write || write->object->kind == OBJECT_SCALAR)
            continue;
        for (int j = 0; j < facts->naccesses; ++j)
            if (facts->accesses[j].object == write->object &&
                !take_meeting(line, write, &facts->accesses[j]))
                return false;
    }
    return true;
}

/* How many iterations before a read is the last store that surely takes place there? */
static int nearest_store(const struct line *line, const struct access *read, int most) {
    const struct loop_facts *facts = line->nest->facts;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        long distance = 0;
        bool stores = a->write && a->object == read->object && !a->conditional && !a->sometimes &&
                      line_meet(line, a, read, &distance) == LINE_AT;
        if (stores && distance < most && (distance > 0 || (distance == 0 && a->id < read->id)))
            most = (int)distance;
    }
    return most;
}

/* Behind the last store memory holds what a read needs, also in the first block. */
static void take_ends(struct line *line) {
    for (int i = 0; i < line->nreads; ++i) {
        line->reads[i].head = nearest_store(line, line->reads[i].access, line->reads[i].head);
        line->head = line->reads[i].head > line->head ? line->reads[i].head : line->head;
        line->tail = line->reads[i].tail > line->tail ? line->reads[i].tail : line->tail;
    }
    for (int i = 0; i < line->nest->nstatements; ++i)
        line->tail = line->drops[i] > line->tail ? line->drops[i] : line->tail;
}

/* ---- the facts ------------------------------------------------------------------------------- */

/* Nothing is in the way but variables that carry values. */
static bool is_open(const struct loop_facts *facts) {
    return facts->nrefusals == facts->ncarried && facts->nfronts == 0 && !facts->by_number &&
           !facts->allocates;
}

static bool take_bounds(struct line *line) {
    const struct loop_facts *facts = line->nest->facts;
    if (facts->ninner != 1 || !facts->inner[0].has_lower || !facts->inner[0].has_upper ||
        facts->inner[0].by_number)
        return false;
    line->bounds = facts->inner[0];
    if (line->loop->step < 0) {
        line->bounds.lower = facts->inner[0].upper;
        line->bounds.upper = facts->inner[0].lower;
    }
    line->nest->loops[0].bounds = &line->bounds;
    const bool is_unsigned =
        !line->loop->variable->type->is_signed || !line->loop->upper->type->is_signed;
    if (is_unsigned && line->loop->step < 0)
        return false;
    line->nest->loops[0].is_unsigned = is_unsigned;
    line->nest->loops[0].is_free = nest_take_affine(line->nest, &line->bounds.lower) &&
                                   nest_take_affine(line->nest, &line->bounds.upper);
    return line->nest->loops[0].is_free;
}

static bool is_compared(const struct nest *nest, const struct object *object) {
    for (int i = 0; i < nest->npairs; ++i)
        if (nest->pairs[i].a == object || nest->pairs[i].b == object)
            return true;
    return false;
}

static bool takes_part(const struct nest *nest, const struct object *object) {
    return (object->kind != OBJECT_SCALAR && object->written) || is_compared(nest, object);
}

static bool take_access(struct line *line, const struct access *access) {
    const struct object *object = access->object;
    bool memory = object->kind == OBJECT_ARRAY || object->kind == OBJECT_POINTER;
    if (object->kind == OBJECT_SCALAR)
        return !access->write || line_scalar_of(line, object->var) >= 0 ||
               object->var == line->loop->variable;
    if (object->kind == OBJECT_UNKNOWN || object->kind == OBJECT_HIDDEN || access->called)
        return false;
    if (!takes_part(line->nest, object))
        return true;
    if (!memory || access->via || !access->range.exact || access->nsubs != object->ndims)
        return false;
    for (int i = 0; i < access->nsubs; ++i) {
        if (!access->subs[i].known)
            return false;
        nest_take_affine(line->nest, &access->subs[i].value);
    }
    return true;
}

/*
 * gcc 12 -O3 gives wrong values to vectors of loops that count down and convert between numbers of
 * different sizes.
 */
static bool is_of_one_size(const struct line *line) {
    const struct loop_facts *facts = line->nest->facts;
    long size = 0;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct type *type = facts->accesses[i].expr->type;
        if (size != 0 && type && type->size != size)
            return false;
        size = type ? type->size : size;
    }
    return true;
}

static bool read_facts(struct line *line) {
    struct nest *nest = line->nest;
    nest->facts = facts_collect_sums(nest->unit, line->loop);
    if (!is_open(nest->facts) || !take_bounds(line))
        return false;
    nest_take_type(nest);
    nest_take_pairs(nest);
    nest_take_guards(nest);
    for (int i = 0; i < nest->facts->naccesses; ++i)
        if (!take_access(line, &nest->facts->accesses[i]))
            return false;
    nest_check_params(nest);
    return !nest->why_not && (line->loop->step > 0 || is_of_one_size(line));
}

static bool read_text(struct line *line) {
    struct loop *loop = line->loop;
    if (!nest_is_movable(line->nest->unit, loop) || !nest_counts_plainly(loop) || !loop->init ||
        !loop->cond || !loop->next || !plain_jumps_ahead(loop->body, is_set))
        return false;
    line->jumps = plain_has_jump(loop->body);
    line->nest->nloops = 1;
    line->nest->loops[0] = (struct nest_loop){.loop = loop};
    return take_statement(line, loop->body) && line->nest->nstatements > 0 &&
           take_scalars(line, loop->body) && check_scalars(line);
}

long line_weight(const struct line *line) {
    const struct loop_facts *facts = line->nest->facts;
    long weight = 0;
    for (int i = 0; i < facts->naccesses; ++i)
        weight += facts->accesses[i].object->kind != OBJECT_SCALAR;
    return weight > 0 ? weight : 1;
}

/* Values that are computed in front are needed. */
static bool needs_values(const struct line *line) {
    for (int i = 0; i < line->nscalars; ++i)
        if (line->scalars[i].carried)
            return true;
    return line->head > 0 || line->tail > 0;
}

struct line *line_read(struct unit *unit, struct loop *loop, const char *prefix) {
    struct line *line = arena_alloc(unit->arena, sizeof *line);
    struct nest *nest = arena_alloc(unit->arena, sizeof *nest);
    *nest = (struct nest){.arena = unit->arena, .unit = unit, .prefix = prefix};
    *line = (struct line){.nest = nest, .loop = loop};
    if (!read_text(line) || !read_facts(line))
        return NULL;
    take_latest(line);
    return line;
}

bool line_takes_values(struct line *line) {
    if (!take_meetings(line))
        return false;
    take_ends(line);
    return needs_values(line);
}
