/*
 * Loop distribution (Kennedy and Allen, Optimizing Compilers for Modern Architectures, chapter 5):
 * a line of which some statements wait for earlier iterations and others do not is written as loops
 * over strips of its range, one for each group of statements.
 *
 *   a[i] += c[i] * d[i];                 for each strip: a[i] += c[i] * d[i]   (iterations do not meet)
 *   b[i] = b[i - 1] + a[i] + d[i];                       b[i] = b[i - 1] + a[i] + d[i]
 *
 * Statements in branches are told apart, too: each loop asks the conditions around its own.
 *
 * Which statements need a loop of their own, and the loops over strips.
 *
 * Statements that depend on each other in both directions stay together; then the groups are put
 * into an order in which no dependence runs backwards. Within a loop statements keep the order of
 * the text, and strips that of the loop. So what one statement makes another one wait for is done
 * before it, as in the serial loop: in an earlier strip, an earlier loop, or at its place in the
 * same loop. `is_kept` asks that of every pair of accesses, by the analyzer's exact test: which
 * statements wait for each other is not its business, nor how that was found.
 *
 * A condition is computed in each loop that has statements below it. It reads, so it counts as an
 * access of all of them, at the place of the `if`. So does one that may jump over a statement: jumps
 * go to labels further down, and each loop has those whose conditions its statements ask. Of two
 * statements that no iteration comes to both of, none waits for what the other one does in the same.
 */
#include "scheduler/transform/trial.h"

#include "scheduler/transform/blocks.h"
#include "scheduler/transform/plain.h"

#include <string.h>

/* Iterations of a strip: what a loop writes is in the caches when the next one reads it. */
enum { STRIP = 1 << 16 };

enum { LEAVES = 24, CONDITIONS = 8 };

/* A statement without others inside. `conditions`: of the choices around it, and of jumps that may
 * pass it; `ends`: where the jumps' effect ends, 0: it is around. `group`: the loop that it goes to,
 * -1: not known yet. */
struct leaf {
    const struct stmt *stmt;
    int nconditions;
    const struct expr *conditions[CONDITIONS];
    long ends[CONDITIONS];
    int group;
};

struct split {
    const struct line *line;
    int nleaves;
    struct leaf leaves[LEAVES];
    int ngroups;
    bool before[LEAVES][LEAVES]; /* [x][y]: some instance of x comes before one of y, and has to */
    bool near[LEAVES][LEAVES];   /* they meet in the same iteration only, or never */
    bool either[LEAVES][LEAVES]; /* an iteration does one of them at most */
};

/* ---- the statements -------------------------------------------------------------------------- */

static bool take_leaf(struct split *split, const struct stmt *stmt, const struct leaf *around) {
    if (split->nleaves == LEAVES)
        return false;
    struct leaf *leaf = &split->leaves[split->nleaves++];
    *leaf = *around;
    leaf->stmt = stmt;
    return true;
}

static bool take_leaves(struct split *split, const struct stmt *stmt, struct leaf *around);

static bool add_condition(struct leaf *around, const struct expr *condition, long end) {
    if (around->nconditions == CONDITIONS || !condition->range.exact)
        return false;
    around->ends[around->nconditions] = end;
    around->conditions[around->nconditions++] = condition;
    return true;
}

/* Up to that place all of it counts: what comes to a jump depends on jumps before it. */
static void extend(struct leaf *around, long end) {
    for (int i = 0; i < around->nconditions; ++i)
        around->ends[i] = around->ends[i] > end ? around->ends[i] : end;
}

/* Jumps that come here count no longer, but where a later one depends on them. */
static void arrive(struct leaf *around, long here) {
    while (around->nconditions > 0 && around->ends[around->nconditions - 1] > 0 &&
           around->ends[around->nconditions - 1] <= here)
        --around->nconditions;
}

/* From a choice with a jump inside on, statements ask its condition. */
static bool take_choice(struct split *split, const struct stmt *stmt, struct leaf *around) {
    const long end = plain_farthest(stmt, split->line->loop->body);
    struct leaf inside = *around;
    if (!add_condition(&inside, stmt->expr, end))
        return false;
    if (end > 0)
        extend(&inside, end);
    const struct leaf other = inside;
    if (!take_leaves(split, stmt->then, &inside))
        return false;
    inside = end > 0 ? inside : other;
    if (stmt->other && !take_leaves(split, stmt->other, &inside))
        return false;
    if (end > 0)
        *around = inside;
    if (end > 0)
        extend(around, end);
    return true;
}

static bool take_leaves(struct split *split, const struct stmt *stmt, struct leaf *around) {
    bool taken = true;
    switch (stmt->kind) {
    case STMT_EMPTY:
        return true;
    case STMT_IF:
        return take_choice(split, stmt, around);
    case STMT_GOTO:
        extend(around, plain_farthest(stmt, split->line->loop->body));
        return true;
    case STMT_LABEL:
        arrive(around, (long)stmt->range.begin.offset);
        return take_leaves(split, stmt->then, around);
    case STMT_BLOCK:
        for (int i = 0; i < stmt->nbody && taken; ++i)
            taken = take_leaves(split, stmt->body[i], around);
        return taken;
    default:
        return take_leaf(split, stmt, around);
    }
}

/* ---- what each touches ----------------------------------------------------------------------- */

/* Where in an iteration the statement makes this access, -1: it does not. */
static long place_of(const struct leaf *leaf, const struct access *access) {
    for (int i = 0; i < leaf->nconditions; ++i)
        if (range_holds(&leaf->conditions[i]->range, &access->range))
            return (long)leaf->conditions[i]->range.begin.offset;
    return range_holds(&leaf->stmt->range, &access->range) ? (long)leaf->stmt->range.begin.offset
                                                           : -1;
}

static void take_paths(struct split *split) {
    const struct stmt *body = split->line->loop->body;
    for (int x = 0; x < split->nleaves; ++x)
        for (int y = 0; y < split->nleaves; ++y) {
            const struct stmt *one = split->leaves[x].stmt, *two = split->leaves[y].stmt;
            split->either[x][y] =
                x != y && !plain_reaches(body, one, two) && !plain_reaches(body, two, one);
        }
}

/* No iteration makes both accesses, which statements x and y make themselves: no conditions. */
static bool is_either(const struct split *split, int x, int y, const struct access *a,
                      const struct access *b) {
    return split->either[x][y] && range_holds(&split->leaves[x].stmt->range, &a->range) &&
           range_holds(&split->leaves[y].stmt->range, &b->range);
}

static bool leaf_names(const struct leaf *leaf, const struct variable *var) {
    const struct stmt *stmt = leaf->stmt;
    bool found = expr_names(stmt->expr, var);
    for (int i = 0; i < stmt->nvars; ++i)
        found = found || stmt->vars[i] == var || expr_names(stmt->vars[i]->init, var);
    for (int i = 0; i < leaf->nconditions; ++i)
        found = found || expr_names(leaf->conditions[i], var);
    return found;
}

/* Is there a variable that the body sets and both name? It is one place for all iterations. */
static bool share_variable(const struct split *split, const struct leaf *x, const struct leaf *y) {
    const struct line *line = split->line;
    for (int i = 0; i < line->nscalars; ++i)
        if (leaf_names(x, line->scalars[i].var) && leaf_names(y, line->scalars[i].var))
            return true;
    return false;
}

/* ---- dependences ----------------------------------------------------------------------------- */

static bool conflicts(const struct access *a, const struct access *b) {
    return a->object == b->object && (a->write || b->write) && a->object->kind != OBJECT_SCALAR;
}

/* Access `a` of x, `b` of y. */
static void take_pair(struct split *split, int x, int y, const struct access *a,
                      const struct access *b) {
    long at = place_of(&split->leaves[x], a), other = place_of(&split->leaves[y], b), apart = 0;
    if (at < 0 || other < 0 || !conflicts(a, b))
        return;
    enum line_meeting meeting = line_meet(split->line, a, b, &apart);
    if (meeting == LINE_NEVER || (meeting == LINE_AT && apart == 0 && is_either(split, x, y, a, b)))
        return;
    if (meeting == LINE_ANY || apart != 0)
        split->near[x][y] = split->near[y][x] = false;
    if (meeting == LINE_ANY || apart > 0 || (apart == 0 && at < other))
        split->before[x][y] = true;
    if (meeting == LINE_ANY || apart < 0 || (apart == 0 && at > other))
        split->before[y][x] = true;
}

static bool is_forgotten(const struct split *split, const struct access *access) {
    const char *forget = split->line->nest->forget;
    return forget && access->object->name && strcmp(access->object->name, forget) == 0;
}

static void take_dependences(struct split *split) {
    const struct loop_facts *facts = split->line->nest->facts;
    const int n = split->nleaves;
    memset(split->near, true, sizeof split->near);
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
            if (x != y && share_variable(split, &split->leaves[x], &split->leaves[y]))
                split->before[x][y] = split->before[y][x] = true;
    for (int i = 0; i < facts->naccesses; ++i)
        for (int j = 0; j < facts->naccesses; ++j)
            for (int x = 0; x < n && !is_forgotten(split, &facts->accesses[i]); ++x)
                for (int y = 0; y < n; ++y)
                    take_pair(split, x, y, &facts->accesses[i], &facts->accesses[j]);
    for (int k = 0; k < n; ++k)
        for (int x = 0; x < n; ++x)
            for (int y = 0; y < n; ++y)
                split->before[x][y] |= split->before[x][k] && split->before[k][y];
}

/* ---- groups ---------------------------------------------------------------------------------- */

static bool is_together(const struct split *split, int x, int y) {
    return x == y || (split->before[x][y] && split->before[y][x]);
}

/* Every iteration sets it before anyone reads it, and so does the last one. */
static bool is_own(const struct line_scalar *scalar) {
    return !scalar->carried && (scalar->inside || scalar->sure);
}

static bool has_own_variables(const struct split *split, int x) {
    const struct line *line = split->line;
    for (int i = 0; i < line->nscalars; ++i)
        if (!is_own(&line->scalars[i]) && leaf_names(&split->leaves[x], line->scalars[i].var))
            return false;
    return true;
}

/* The iterations of x, and of what it stays together with, do not wait for each other. */
static bool is_free(const struct split *split, int x) {
    for (int y = 0; y < split->nleaves; ++y) {
        if (!is_together(split, x, y))
            continue;
        if (!has_own_variables(split, y))
            return false;
        for (int z = 0; z < split->nleaves; ++z)
            if (is_together(split, x, z) && !split->near[y][z])
                return false;
    }
    return true;
}

static bool is_ready(const struct split *split, int x) {
    for (int y = 0; y < split->nleaves; ++y)
        if (split->before[y][x] && !is_together(split, x, y) && split->leaves[y].group < 0)
            return false;
    return true;
}

/* With x the iterations of the group would wait for each other. */
static bool would_meet(const struct split *split, int x, int group) {
    for (int y = 0; y < split->nleaves; ++y)
        for (int z = 0; z < split->nleaves; ++z)
            if (split->leaves[y].group == group && is_together(split, x, z) && !split->near[y][z])
                return true;
    return false;
}

static bool take_next(struct split *split, int group, bool free) {
    for (int x = 0; x < split->nleaves; ++x) {
        if (split->leaves[x].group >= 0 || !is_ready(split, x) || is_free(split, x) != free ||
            (free && would_meet(split, x, group)))
            continue;
        for (int y = 0; y < split->nleaves; ++y)
            if (is_together(split, x, y))
                split->leaves[y].group = group;
        return true;
    }
    return false;
}

static bool take_group(struct split *split, bool free) {
    bool taken = false;
    while (take_next(split, split->ngroups, free))
        taken = true;
    split->ngroups += taken;
    return taken;
}

/* Free statements as early as they can be, then what waits. False: nothing is free, or one loop holds
 * it all. */
static bool take_groups(struct split *split) {
    bool any = false;
    for (bool taken = true; taken;) {
        taken = take_group(split, true);
        any = any || taken;
        if (!taken)
            taken = take_group(split, false);
    }
    return any && split->ngroups > 1;
}

/* ---- the proof ------------------------------------------------------------------------------- */

static void free_solver(void *solver) {
    linear_solver_free(solver);
}

/* Is there an element that `a` touches and `b` in a later iteration, or (`at_once`) in the same? */
static bool may_follow(struct linear_solver *solver, const struct loop_facts *facts,
                       const struct access *a, const struct access *b, bool at_once) {
    struct conflict c;
    conflict_build(facts->unit->arena, facts, a, b, &c);
    if (at_once)
        conflict_same_iteration(&c);
    else
        conflict_order(&c, true);
    return linear_solve(solver, &c.system, 0, NULL, NULL) != LINEAR_EMPTY;
}

/* What x does stands in a later loop than what y does: no b of y waits for an a of x. */
static bool is_pair_kept(struct linear_solver *solver, const struct split *split, int x, int y,
                         const struct access *a, const struct access *b) {
    const struct loop_facts *facts = split->line->nest->facts;
    const long at = place_of(&split->leaves[x], a), other = place_of(&split->leaves[y], b);
    if (at < 0 || other < 0 || !conflicts(a, b))
        return true;
    return !may_follow(solver, facts, a, b, false) &&
           (at > other || is_either(split, x, y, a, b) || !may_follow(solver, facts, a, b, true));
}

static bool are_kept(struct linear_solver *solver, const struct split *split, int x, int y) {
    const struct loop_facts *facts = split->line->nest->facts;
    for (int i = 0; i < facts->naccesses; ++i)
        for (int j = 0; j < facts->naccesses; ++j)
            if (!is_pair_kept(solver, split, x, y, &facts->accesses[i], &facts->accesses[j]))
                return false;
    return true;
}

static bool is_kept(const struct split *split) {
    struct linear_solver *solver = linear_solver_new(DEPEND_OPERATIONS, DEPEND_QUESTIONS);
    bool kept = true;
    budget_remember(free_solver, solver);
    for (int x = 0; x < split->nleaves; ++x)
        for (int y = 0; y < split->nleaves && kept; ++y) {
            const struct leaf *one = &split->leaves[x], *two = &split->leaves[y];
            kept = one->group >= 0 &&
                   (one->group == two->group || !share_variable(split, one, two)) &&
                   (one->group <= two->group || are_kept(solver, split, x, y));
        }
    budget_forget(solver);
    linear_solver_free(solver);
    return kept;
}

/* Every access of memory that something writes belongs to a statement. */
static bool knows_accesses(const struct split *split) {
    const struct loop_facts *facts = split->line->nest->facts;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *access = &facts->accesses[i];
        bool known = access->object->kind == OBJECT_SCALAR || !access->object->written;
        for (int x = 0; x < split->nleaves && !known; ++x)
            known = place_of(&split->leaves[x], access) >= 0;
        if (!known)
            return false;
    }
    return true;
}

/* NULL: no group of statements is free of waiting, or all are. `is_broken`: some dependence would not
 * hold in the loops that were found (with nest->forget only). */
static struct split *read_line(const struct line *line, bool *is_broken) {
    struct split *split = arena_alloc(line->nest->arena, sizeof *split);
    struct leaf none = {.group = -1};
    *split = (struct split){.line = line};
    if (line->loop->step != 1 || line->nest->loops[0].is_unsigned ||
        !affine_is_small(&line->bounds.lower) || !affine_is_small(&line->bounds.upper) ||
        !take_leaves(split, line->loop->body, &none) || split->nleaves < 2 ||
        !knows_accesses(split))
        return NULL;
    take_paths(split);
    take_dependences(split);
    if (!take_groups(split))
        return NULL;
    *is_broken = !is_kept(split);
    return *is_broken && !line->nest->unproved ? NULL : split;
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool has_leaf(const struct split *split, const struct stmt *stmt, int group) {
    for (int i = 0; i < split->nleaves; ++i)
        if (split->leaves[i].group == group &&
            range_holds(&stmt->range, &split->leaves[i].stmt->range))
            return true;
    return false;
}

/* A statement of the group asks the condition. */
static bool is_asked(const struct split *split, const struct expr *condition, int group) {
    for (int i = 0; i < split->nleaves; ++i)
        for (int j = 0; j < split->leaves[i].nconditions; ++j)
            if (split->leaves[i].group == group && split->leaves[i].conditions[j] == condition)
                return true;
    return false;
}

/* It jumps there from a choice that a statement of the group asks. */
static bool comes_there(const struct split *split, const struct stmt *stmt, const char *label,
                        int group) {
    bool comes = stmt->kind == STMT_GOTO && strcmp(stmt->text, label) == 0;
    if (stmt->kind == STMT_IF && !is_asked(split, stmt->expr, group))
        return false;
    for (int i = 0; i < stmt->nbody; ++i)
        comes = comes || comes_there(split, stmt->body[i], label, group);
    return comes || (stmt->then && comes_there(split, stmt->then, label, group)) ||
           (stmt->other && comes_there(split, stmt->other, label, group));
}

static bool is_wanted(const struct split *split, const struct stmt *stmt, int group) {
    return has_leaf(split, stmt, group) || plain_has_jump(stmt);
}

static void write_group(const struct split *split, struct writing *w, const struct stmt *stmt,
                        int group);

static void write_choice(const struct split *split, struct writing *w, const struct stmt *stmt,
                         int group) {
    if (!is_asked(split, stmt->expr, group) || !is_wanted(split, stmt, group))
        return;
    text_print(&w->out, "if (");
    write_tokens(w, &stmt->expr->range, &w->out);
    text_print(&w->out, ") { ");
    write_group(split, w, stmt->then, group);
    text_print(&w->out, "} ");
    if (stmt->other && is_wanted(split, stmt->other, group)) {
        text_print(&w->out, "else { ");
        write_group(split, w, stmt->other, group);
        text_print(&w->out, "} ");
    }
}

/* Labels have names of their own in each loop. */
static const char *label_of(const struct split *split, const struct stmt *stmt, int group) {
    const struct nest *nest = split->line->nest;
    return arena_printf(nest->arena, "%s%s_%u_%d", nest->prefix, stmt->text,
                        split->line->loop->stmt->range.begin.offset, group);
}

/* The statement, as far as it is of the group. */
static void write_group(const struct split *split, struct writing *w, const struct stmt *stmt,
                        int group) {
    const struct stmt *body = split->line->loop->body;
    if (stmt->kind == STMT_IF) {
        write_choice(split, w, stmt, group);
    } else if (stmt->kind == STMT_BLOCK) {
        for (int i = 0; i < stmt->nbody; ++i)
            write_group(split, w, stmt->body[i], group);
    } else if (stmt->kind == STMT_LABEL) {
        if (comes_there(split, body, stmt->text, group))
            text_print(&w->out, "%s: ; ", label_of(split, stmt, group));
        write_group(split, w, stmt->then, group);
    } else if (stmt->kind == STMT_GOTO) {
        text_print(&w->out, "goto %s; ", label_of(split, stmt, group));
    } else if (has_leaf(split, stmt, group)) {
        write_tokens(w, &stmt->range, &w->out);
        text_print(&w->out, " ");
    }
}

static void write_loop(const struct split *split, struct writing *w, int group) {
    const struct nest *nest = split->line->nest;
    const struct variable *v = split->line->loop->variable;
    const char *p = nest->prefix;
    text_print(&w->out, "for (%s = %sfirst; %s < %snext; %s += 1) { ",
               type_declare(nest->arena, v->type, v->name), p, v->name, p, v->name);
    write_group(split, w, split->line->loop->body, group);
    text_print(&w->out, "} ");
}

static void write_split(const struct split *split, struct writing *w) {
    const struct line *line = split->line;
    struct nest *nest = line->nest;
    const struct variable *v = line->loop->variable;
    const char *p = nest->prefix;
    struct affine end = line->bounds.upper;
    end.constant += 1;
    text_print(&w->out, "{ ");
    write_params(w);
    blocks_write_way(line, w);
    text_print(&w->out, "{ _Pragma(\"GCC diagnostic push\") "
                        "_Pragma(\"GCC diagnostic ignored \\\"-Wshadow\\\"\") ");
    const char *strip = type_declare(nest->arena, v->type, arena_printf(nest->arena, "%sfirst", p));
    const char *last = type_declare(nest->arena, v->type, arena_printf(nest->arena, "%slast", p));
    const char *next = type_declare(nest->arena, v->type, arena_printf(nest->arena, "%snext", p));
    text_print(&w->out, "%s = %s; const %s = %s; ", strip, affine_named(nest, &line->bounds.lower),
               last, affine_named(nest, &end));
    text_print(&w->out,
               "while (%sfirst < %slast) { const %s = %slast - %sfirst > %d ? %sfirst + %d : "
               "%slast; ",
               p, p, next, p, p, (int)STRIP, p, (int)STRIP, p);
    for (int group = 0; group < split->ngroups; ++group)
        write_loop(split, w, group);
    text_print(&w->out, "%sfirst = %snext; } ", p, p);
    if (!line->loop->declares_variable)
        text_print(&w->out, "%s = %slast; ", v->name, p);
    text_print(&w->out, "_Pragma(\"GCC diagnostic pop\") } else ");
}

/* "the loop runs as 2 loops, by lines: 7 9 | 8" */
static const char *words_of(const struct split *split) {
    struct arena *arena = split->line->nest->arena;
    const char *words = arena_printf(arena, "the loop runs as %d loops, by lines:", split->ngroups);
    for (int group = 0; group < split->ngroups; ++group) {
        int last = 0;
        words = arena_printf(arena, "%s%s", words, group > 0 ? " |" : "");
        for (int i = 0; i < split->nleaves; ++i) {
            int line = split->leaves[i].stmt->range.begin.line;
            if (split->leaves[i].group == group && line != last)
                words = arena_printf(arena, "%s %d", words, line);
            last = split->leaves[i].group == group ? line : last;
        }
    }
    return words;
}

void split_try(struct trial *trial, struct line *line) {
    const struct split *split = read_line(line, &trial->is_broken);
    struct writing w = trial_writing(trial, line->nest, LEAST_ACCESSES / line_weight(line));
    trial->message = ORR1709;
    if (!split || !trial_may_be_long(line, &w))
        return;
    write_split(split, &w);
    trial->text = w.out.bytes;
    trial->end = blocks_end(line->nest);
    trial->words = words_of(split);
}
