/* Is what a loop leaves in a variable of its function read before it is set again? The usual
 * backward pass over the statements, for one variable; loops around are gone through twice. */
#include "analyzer/access/reductions/liveness.h"

#include <string.h>

/* What an expression or a list of them does with the variable's value. */
enum use { USE_NONE, USE_SETS, USE_READS };

struct label {
    const char *name;
    bool live;
};

/* A question: is a variable live behind a loop? Passes over the function until none adds a
 * label. */
struct liveness {
    struct arena *arena;        /* of `labels` */
    const struct variable *var; /* the one that is asked about */
    const struct stmt *loop;    /* what is asked: is `var` live behind it */
    /* live where a break goes, a continue, a case of the switch, at the loop's end; `more`: a pass
     * over the function added to `labels` */
    bool exit, again, cases, after, more;
    int nlabels;          /* of the function, as far as they were met */
    struct label *labels; /* each with whether `var` is live there, as known so far */
};

static enum use use_of(const struct liveness *liveness, const struct expr *e);

/* One after the other. */
static enum use then(enum use first, enum use second) {
    return first != USE_NONE ? first : second;
}

/* The bounds of arrays of variable length are read where a type is named. */
static enum use use_of_type(const struct liveness *liveness, const struct type *type) {
    for (; type_is_address(type); type = type->element) {
        if (type->kind == TYPE_VLA &&
            (!type->vla_count || use_of(liveness, type->vla_count) != USE_NONE)) {
            return USE_READS;
        }
    }
    return USE_NONE;
}

/* All of them, in any order: a read may come first. */
static enum use use_of_any(const struct liveness *liveness, const struct expr *e) {
    enum use all = USE_NONE;
    for (int i = 0; i < e->nargs; ++i) {
        enum use one = e->args[i] ? use_of(liveness, e->args[i]) : USE_NONE;
        all = one == USE_NONE || all == USE_READS ? all : one;
    }
    return all;
}

static enum use use_of_choice(const struct liveness *liveness, const struct expr *e) {
    enum use chosen[2] = {USE_NONE, USE_NONE}, first = use_of(liveness, e->args[0]);
    for (int i = 1; i < e->nargs; ++i)
        chosen[i - 1] = e->args[i] ? use_of(liveness, e->args[i]) : USE_NONE;
    if (chosen[0] == USE_READS || chosen[1] == USE_READS)
        return then(first, USE_READS);
    return then(first, chosen[0] == chosen[1] ? chosen[0] : USE_NONE);
}

static enum use use_of(const struct liveness *liveness, const struct expr *e) {
    switch (e->kind) {
    case EXPR_VAR:
        return e->var == liveness->var ? USE_READS : USE_NONE;
    case EXPR_UNKNOWN:
    case EXPR_SIZEOF:
        return USE_READS;
    case EXPR_CAST:
    case EXPR_COMPOUND:
        return then(use_of_type(liveness, e->type), use_of_any(liveness, e));
    case EXPR_ASSIGN:
        if (e->op == OP_NONE && e->args[0]->kind == EXPR_VAR && e->args[0]->var == liveness->var)
            return then(use_of(liveness, e->args[1]), USE_SETS);
        return use_of_any(liveness, e);
    case EXPR_COMMA:
        return then(use_of(liveness, e->args[0]), use_of(liveness, e->args[1]));
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_CONDITIONAL:
        return use_of_choice(liveness, e);
    default:
        return use_of_any(liveness, e);
    }
}

/* Live in front of `e`, when it is or is not behind. */
static bool live_expr(const struct liveness *liveness, const struct expr *e, bool behind) {
    enum use all = e ? use_of(liveness, e) : USE_NONE;
    return all == USE_READS || (behind && all != USE_SETS);
}

static bool live_stmt(struct liveness *liveness, const struct stmt *s, bool behind);

static bool live_round(struct liveness *liveness, const struct stmt *s, bool behind, bool head) {
    const struct expr *next = s->kind == STMT_FOR ? s->loop->next : NULL;
    struct liveness around = *liveness;
    bool at_end = s->kind == STMT_DO ? live_expr(liveness, s->expr, behind || head)
                                     : live_expr(liveness, next, head);
    liveness->exit = behind;
    liveness->again = at_end;
    bool in = live_stmt(liveness, s->kind == STMT_FOR ? s->loop->body : s->then, at_end);
    liveness->exit = around.exit;
    liveness->again = around.again;
    return in;
}

static bool live_loop(struct liveness *liveness, const struct stmt *s, bool behind) {
    const struct expr *test = s->kind == STMT_FOR ? s->loop->cond : s->expr;
    bool head = false;
    for (int pass = 0; pass < 2; ++pass) {
        bool in = live_round(liveness, s, behind, head);
        head = s->kind == STMT_DO ? in : live_expr(liveness, test, behind || in);
        if (!head)
            break;
    }
    if (s->kind == STMT_FOR && s->loop->init)
        head = live_stmt(liveness, s->loop->init, head);
    return head;
}

static bool live_block(struct liveness *liveness, const struct stmt *s, bool behind) {
    for (int i = s->nbody - 1; i >= 0; --i)
        behind = live_stmt(liveness, s->body[i], behind);
    return behind;
}

static bool live_decl(const struct liveness *liveness, const struct stmt *s, bool behind) {
    for (int i = s->nvars - 1; i >= 0; --i) {
        behind = live_expr(liveness, s->vars[i]->init, behind && s->vars[i] != liveness->var) ||
                 use_of_type(liveness, s->vars[i]->type) == USE_READS;
    }
    return live_expr(liveness, s->expr, behind);
}

static bool is_mention(const void *liveness, const struct expr *e) {
    return (e->kind != EXPR_CALL && e->nargs == 0 && use_of(liveness, e) == USE_READS) ||
           e->kind == EXPR_SIZEOF || use_of_type(liveness, e->type) == USE_READS;
}

static bool live_if(struct liveness *liveness, const struct stmt *s, bool behind) {
    bool chosen = live_stmt(liveness, s->then, behind);
    bool other = s->other ? live_stmt(liveness, s->other, behind) : behind;
    return live_expr(liveness, s->expr, chosen || other);
}

/* Any of its statements may be the first, so whatever it mentions may be read; what is read behind
 * a jump out of it is live at the case that leads there. */
static bool live_switch(struct liveness *liveness, const struct stmt *s, bool behind) {
    bool exit = liveness->exit, cases = liveness->cases;
    liveness->exit = behind;
    liveness->cases = false;
    (void)live_stmt(liveness, s->then, behind);
    bool chosen = liveness->cases;
    liveness->exit = exit;
    liveness->cases = cases;
    bool mentioned = stmt_any_expr(s->then, is_mention, liveness);
    return live_expr(liveness, s->expr, behind || liveness->again || chosen || mentioned);
}

static bool live_case(struct liveness *liveness, const struct stmt *s, bool behind) {
    bool live = s->then ? live_stmt(liveness, s->then, behind) : behind;
    liveness->cases = liveness->cases || live;
    return live;
}

static struct label *label_of(struct liveness *liveness, const char *name) {
    for (int i = 0; i < liveness->nlabels; ++i)
        if (strcmp(liveness->labels[i].name, name) == 0)
            return &liveness->labels[i];
    ARENA_PUSH(liveness->arena, liveness->labels, liveness->nlabels,
               ((struct label){.name = name}));
    return &liveness->labels[liveness->nlabels - 1];
}

static bool live_label(struct liveness *liveness, const struct stmt *s, bool behind) {
    bool live = s->then ? live_stmt(liveness, s->then, behind) : behind;
    struct label *label = label_of(liveness, s->text);
    liveness->more = liveness->more || (live && !label->live);
    label->live = label->live || live;
    return live;
}

static bool live_kind(struct liveness *liveness, const struct stmt *s, bool behind) {
    switch (s->kind) {
    case STMT_EMPTY:
        return behind;
    case STMT_EXPR:
        return live_expr(liveness, s->expr, behind);
    case STMT_DECL:
        return live_decl(liveness, s, behind);
    case STMT_BLOCK:
        return live_block(liveness, s, behind);
    case STMT_IF:
        return live_if(liveness, s, behind);
    case STMT_FOR:
    case STMT_WHILE:
    case STMT_DO:
        return live_loop(liveness, s, behind);
    case STMT_SWITCH:
        return live_switch(liveness, s, behind);
    case STMT_CASE:
        return live_case(liveness, s, behind);
    case STMT_BREAK:
        return liveness->exit;
    case STMT_CONTINUE:
        return liveness->again;
    case STMT_RETURN:
        return live_expr(liveness, s->expr, false);
    case STMT_LABEL:
        return live_label(liveness, s, behind);
    case STMT_GOTO:
        return !s->text || label_of(liveness, s->text)->live;
    default:
        return true;
    }
}

static bool live_stmt(struct liveness *liveness, const struct stmt *s, bool behind) {
    liveness->after = liveness->after || (s == liveness->loop && behind);
    return live_kind(liveness, s, behind);
}

static bool is_unknown(const void *data, const struct stmt *s) {
    (void)data;
    return s->kind == STMT_UNKNOWN || ((s->kind == STMT_GOTO || s->kind == STMT_LABEL) && !s->text);
}

bool liveness_is_read(struct arena *arena, const struct loop *loop, const struct variable *var) {
    struct liveness liveness = {.arena = arena, .var = var, .loop = loop->stmt};
    if (!var->function || var->storage == STORAGE_STATIC_LOCAL || var->address_taken)
        return true;
    if (stmt_any(loop->function->body, is_unknown, NULL))
        return true;
    do {
        liveness.more = false;
        (void)live_stmt(&liveness, loop->function->body, false);
    } while (liveness.more);
    return liveness.after;
}
