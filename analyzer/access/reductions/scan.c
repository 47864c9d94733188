/* Prefix scans: what is so far, stored for every iteration. */
#include "analyzer/access/access.h"

struct stores {
    const struct expr *written, *within;
    struct expr *found;
};

static void see_store(void *data, struct expr *e) {
    struct stores *stores = data;
    if (e->kind != EXPR_ASSIGN || stores->found)
        return;
    bool named = !stores->written || e->args[0] == stores->written;
    bool holds = !stores->within || range_holds(&e->args[1]->range, &stores->within->range);
    stores->found = named && holds ? e : NULL;
}

static bool is_data(const struct expr *e) {
    return e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_DEREF || e->kind == EXPR_CALL;
}

static bool is_own(const struct loop *loop, const struct expr *e) {
    return e->kind == EXPR_VAR &&
           (e->var == loop->variable || range_holds(&loop->stmt->range, &e->var->range));
}

/* Data, or numbers of the iteration: no ramp of equal steps. `except`: leaves this out. */
static bool varies(const struct loop *loop, struct expr *e, const struct expr *except) {
    bool found = e != except && (is_data(e) || is_own(loop, e));
    for (int i = 0; e != except && !found && i < e->nargs; ++i)
        found = e->args[i] && varies(loop, e->args[i], except);
    return found;
}

struct step {
    const struct loop *loop;
    const struct variable *so_far;
};

/* Something of the iteration's own is folded into `so_far`. */
static bool is_step(const void *data, const struct expr *e) {
    const struct step *step = data;
    bool mine =
        e->kind == EXPR_ASSIGN && e->args[0]->kind == EXPR_VAR && e->args[0]->var == step->so_far;
    return mine && varies(step->loop, e->args[1], NULL);
}

/* Reads of the object: `before`, of the earlier element, and `others`, neither of that nor of the
 * element that is written. */
struct uses {
    const struct loop_facts *facts;
    const struct access *write, *read;
    int before, others;
};

static void see_use(void *data, struct expr *e) {
    struct uses *uses = data;
    for (int i = 0; i < uses->facts->naccesses; ++i) {
        const struct access *access = &uses->facts->accesses[i];
        if (access->expr == e && access->object == uses->read->object && !access->write) {
            bool before = expr_equal(e, uses->read->expr);
            uses->before += before;
            uses->others += !before && !expr_equal(e, uses->write->expr);
        }
    }
}

static bool folds_before(const struct uses *uses, int op) {
    bool order = op >= 0 && reduction_is_extreme((enum reduction_op)op);
    return uses->others == 0 && (order || (op == REDUCE_ADD && uses->before == 1));
}

int facts_scan(const struct loop_facts *facts, const struct access *write,
               const struct access *read) {
    struct stores stores = {.written = write->expr};
    if (!facts->loop || !write->expr || !read->expr || write->via || read->via ||
        write->object != read->object) {
        return -1;
    }
    stmt_visit(facts->loop->body, see_store, &stores);
    const struct expr *store = stores.found;
    if (!store)
        return -1;
    struct uses uses = {.facts = facts, .write = write, .read = read};
    expr_visit(store->args[1], see_use, &uses);
    bool alone = store->args[1] == read->expr;
    int made = reduce_made_of(read->expr, store->args[1]);
    int op = made < 0 ? made : (int)reduction_base((enum reduction_op)made);
    if (!alone && !varies(facts->loop, store->args[1], read->expr))
        return -1;
    if (store->op == OP_ADD)
        op = alone ? REDUCE_ADD : op;
    bool plain = store->op == OP_NONE || (store->op == OP_ADD && op == REDUCE_ADD);
    return plain && folds_before(&uses, op) ? op : -1;
}

const struct expr *scan_stores(const struct trace *t, const struct ref *read) {
    struct stores stores = {.within = read->expr};
    if (read->via || !read->expr)
        return NULL;
    const struct step step = {.loop = t->loop, .so_far = read->expr->var};
    stmt_visit(t->loop->body, see_store, &stores);
    const struct expr *store = stores.found;
    bool element =
        store && (store->args[0]->kind == EXPR_SUBSCRIPT || store->args[0]->kind == EXPR_MEMBER ||
                  store->args[0]->kind == EXPR_DEREF);
    bool folds = element && stmt_any_expr(t->loop->body, is_step, &step);
    return folds && store->op == OP_NONE ? store->args[0] : NULL;
}
