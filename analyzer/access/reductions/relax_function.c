/*
 * The function of buffer(x : fn): its form, and that fn(&x[i], u, i) touches nothing but x[i] and
 * element i of arrays that the loop leaves alone. Then calls for different i may run at once, and
 * those for one i are in the order of the rows.
 */
#include "analyzer/access/reductions/relax.h"

#include <string.h>

enum { MOST_DEPTH = 8 };

/* `element`: the parameter that points to x[i]; `index`: i; both NULL in a function that fn calls.
 * `problem`: the first thing that may not be, at `where`. */
struct checked {
    const struct trace *t;
    const struct function *function;
    const struct variable *element, *index;
    int depth;
    const char *problem;
    struct range where;
};

static void problem(struct checked *c, struct range where, const char *words) {
    if (!c->problem) {
        c->problem = words;
        c->where = where;
    }
}

static bool is_own(const struct checked *c, const struct variable *var) {
    return var->function == c->function && var->storage != STORAGE_STATIC_LOCAL;
}

static bool is_var(const struct expr *e, const struct variable *var) {
    e = expr_without_casts(e);
    return var && e->kind == EXPR_VAR && e->var == var;
}

/* `*x`, `x[0]` or `*(x + 0)`. */
static bool is_element(const struct checked *c, const struct expr *e) {
    const struct expr *array, *index;
    return (e->kind == EXPR_DEREF && is_var(e->args[0], c->element)) ||
           (expr_is_element(e, &array, &index) && is_var(array, c->element) &&
            index->kind == EXPR_INT && index->int_value == 0);
}

/* `A[i]` or `*(A + i)` with A of the file; NULL: neither. */
static struct variable *beside_of(const struct checked *c, const struct expr *e) {
    const struct expr *array, *index;
    bool beside = expr_is_element(e, &array, &index) && is_var(index, c->index) &&
                  array->kind == EXPR_VAR && !array->var->function &&
                  array->var->storage != STORAGE_STATIC_LOCAL;
    return beside ? array->var : NULL;
}

static bool is_touched(const struct loop_facts *facts, const struct variable *var, bool write) {
    for (int i = 0; i < facts->nobjects; ++i) {
        const struct object *object = facts->objects[i];
        if (object->var == var && (object->written || (write && object->read)))
            return true;
    }
    return false;
}

static void add_beside(struct checked *c, const struct expr *e) {
    struct variable *var = beside_of(c, e);
    if (!e->type || e->type->size <= 0 || e->type->is_volatile || e->type->is_atomic) {
        problem(c, e->range, "an array of this type");
    } else if (is_touched(c->t->facts, var, true)) {
        problem(c, e->range,
                arena_printf(c->t->arena, "`%s`, which the loop itself uses", var->name));
    }
}

static void check_expr(struct checked *c, const struct expr *e);

static void check_args(struct checked *c, const struct expr *e) {
    for (int i = 0; i < e->nargs; ++i)
        if (e->args[i])
            check_expr(c, e->args[i]);
}

static void check_function(struct checked *c, const struct function *function,
                           const struct expr *call);

static void check_call(struct checked *c, const struct expr *e) {
    const struct function *f = e->function;
    check_args(c, e);
    if (!f) {
        problem(c, e->range, "a function that only the run knows");
    } else if (f->body) {
        check_function(c, f, e);
    } else if (effect_of_function(f) != EFFECT_PURE) {
        problem(c, e->range,
                arena_printf(c->t->arena, "what `%s` does, which is not known here", f->name));
    }
}

static void check_var(struct checked *c, const struct expr *e) {
    const struct variable *var = e->var;
    bool plain = var->type->kind == TYPE_INT || var->type->kind == TYPE_FLOAT ||
                 var->type->kind == TYPE_BOOL;
    if (var->type->is_volatile || var->type->is_atomic) {
        problem(c, e->range, "volatile or atomic data");
    } else if (is_own(c, var)) {
        if (var == c->element)
            problem(c, e->range, "more than the element that it is given");
    } else if (!plain || var->function) {
        problem(c, e->range,
                arena_printf(c->t->arena, "`%s` otherwise than as `%s[%s]`", var->name, var->name,
                             c->index ? c->index->name : "i"));
    } else if (is_touched(c->t->facts, var, false)) {
        problem(c, e->range, arena_printf(c->t->arena, "`%s`, which the loop changes", var->name));
    }
}

/* An lvalue that is assigned: the element, one beside it, or a variable of the function. */
static void check_target(struct checked *c, const struct expr *e) {
    while (e->kind == EXPR_MEMBER && !e->arrow)
        e = e->args[0];
    if (is_element(c, e))
        return;
    if (beside_of(c, e)) {
        add_beside(c, e);
        return;
    }
    const struct expr *root = e;
    while (root->kind == EXPR_SUBSCRIPT || (root->kind == EXPR_MEMBER && !root->arrow)) {
        if (root->kind == EXPR_SUBSCRIPT)
            check_expr(c, root->args[1]);
        root = root->args[0];
    }
    bool own = root->kind == EXPR_VAR && is_own(c, root->var) && root->var != c->element &&
               root->var != c->index && root->var->type->kind != TYPE_POINTER;
    if (!own) {
        problem(c, e->range,
                arena_printf(c->t->arena, "`%s`, which calls for other elements may touch, too",
                             expr_print(c->t->arena, e)));
    }
}

static void check_expr(struct checked *c, const struct expr *e) {
    if (c->problem || is_element(c, e))
        return;
    if (beside_of(c, e)) {
        add_beside(c, e);
        return;
    }
    switch (e->kind) {
    case EXPR_VAR:
        check_var(c, e);
        return;
    case EXPR_ASSIGN:
        check_target(c, e->args[0]);
        check_expr(c, e->args[1]);
        return;
    case EXPR_INCREMENT:
        check_target(c, e->args[0]);
        return;
    case EXPR_CALL:
        check_call(c, e);
        return;
    case EXPR_DEREF:
    case EXPR_ADDRESS:
    case EXPR_UNKNOWN:
        problem(c, e->range, "memory through a pointer of its own");
        return;
    case EXPR_MEMBER:
        if (e->arrow)
            problem(c, e->range, "memory through a pointer of its own");
        break;
    default:
        break;
    }
    check_args(c, e);
}

static void see_statement(void *data, struct stmt *s) {
    struct checked *c = data;
    if (s->kind == STMT_UNKNOWN || s->kind == STMT_GOTO)
        problem(c, s->range, "a statement that is not analyzed");
    if (s->expr)
        check_expr(c, s->expr);
    for (int i = 0; i < s->nvars; ++i) {
        if (s->vars[i]->storage == STORAGE_STATIC_LOCAL || s->vars[i]->is_extern ||
            s->vars[i]->type->kind == TYPE_VLA) {
            problem(c, s->vars[i]->range, "a variable that outlives the call");
        }
        if (s->vars[i]->init)
            check_expr(c, s->vars[i]->init);
    }
    if (s->loop && s->kind == STMT_FOR) {
        const struct expr *parts[] = {s->loop->cond, s->loop->next};
        for (int i = 0; i < 2; ++i)
            if (parts[i])
                check_expr(c, parts[i]);
    }
}

static void check_function(struct checked *c, const struct function *function,
                           const struct expr *call) {
    struct checked inner = {.t = c->t, .function = function, .depth = c->depth + 1};
    if (inner.depth > MOST_DEPTH) {
        problem(c, call->range, "calls too deep to follow");
        return;
    }
    for (int i = 0; i < function->nparams; ++i)
        if (function->params[i]->type->kind == TYPE_POINTER)
            problem(c, call->range, "memory through a pointer that it hands on");
    stmt_each(function->body, see_statement, &inner);
    if (inner.problem)
        problem(c, call->range, inner.problem);
}

/* ---- its form -------------------------------------------------------------------------------- */

static const char *form_problem(const struct trace *t, const struct function *f,
                                const struct type *type) {
    if (f->nparams != 3 || f->is_variadic)
        return "it does not have three parameters";
    const struct type *x = f->params[0]->type, *u = f->params[1]->type, *i = f->params[2]->type;
    if (x->kind != TYPE_POINTER || x->element->is_const || !type_is_alike(x->element, type))
        return arena_printf(t->arena, "its first parameter is no `%s *`", type->spelling);
    if (u->kind != TYPE_INT && u->kind != TYPE_FLOAT)
        return "its second parameter is no number";
    if (i->kind != TYPE_INT || (i->size != 4 && i->size != 8))
        return "its third parameter is no `long`, `int` or `size_t`";
    return NULL;
}

static struct function *function_named(const struct trace *t, const char *name) {
    for (int i = 0; i < t->unit->nfunctions; ++i)
        if (strcmp(t->unit->functions[i]->name, name) == 0)
            return t->unit->functions[i];
    return NULL;
}

static const char *reassigned(const struct function *f) {
    for (int i = 0; i < f->nparams; i += 2)
        if (f->params[i]->writes || f->params[i]->address_taken)
            return f->params[i]->name;
    return NULL;
}

struct function *relax_function(const struct trace *t, const struct clause *clause,
                                const struct object *object, const struct type *type) {
    const char *name = clause->names[1];
    struct function *f = function_named(t, name);
    const char *form = f ? form_problem(t, f, type) : "there is no such function";
    if (form) {
        interp_refuse(t, ORR3133, clause->range,
                      arena_printf(t->arena, "declare it as `void %s(%s *x, %s update, long i)`",
                                   name, type->spelling, type->spelling),
                      "buffer(%s : %s): %s cannot be called for an element: %s", object->name, name,
                      name, form);
        return NULL;
    }
    struct checked c = {.t = t, .function = f, .element = f->params[0], .index = f->params[2]};
    if (!f->body) {
        problem(&c, clause->range, "what is not known: it is defined in another file");
    } else if (reassigned(f)) {
        problem(&c, f->range,
                arena_printf(t->arena, "other elements than its own: it changes its parameter `%s`",
                             reassigned(f)));
    } else {
        stmt_each(f->body, see_statement, &c);
    }
    if (c.problem) {
        interp_refuse(t, ORR3134, c.where,
                      "let it touch `*x` and element `i` of arrays of the file that the loop does "
                      "not use, and call functions of numbers only",
                      "buffer(%s : %s): %s touches %s", object->name, name, name, c.problem);
        return NULL;
    }
    return f;
}
