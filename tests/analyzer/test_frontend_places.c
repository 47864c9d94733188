/*
 * Exact places can be edited: for every exact expression, the text is put into a call of wrap(),
 * and the edited text must mean what the tree means with that call in that place. For every exact
 * statement the text is put into braces, which must change nothing.
 */
#include "frontend_text.h"

static const char *const texts[] = {
    "struct r { int user, item; float value; };\n"
    "#define N 10\n#define SUM 3 + 4\n#define ID(x) x\n#define SQ(x) ((x) * (x))\n"
    "#define W_(u, k) W[(u) * K + (k)]\n#define FIELD user\n#define CLOSE )\n#define PLUS +\n"
    "#define PAIR(y) touch(y); y\n#define TWO(y) touch(y); touch(2)\n#define FOR(i, n) for (int i "
    "= 0; i < n; i++)\n"
    "#define IFFOR(i, n) if (n) for (int i = 0; i < n; i++)\n#define TOUCH touch(\n"
    "#define ADD(a, b) a + b\n#define PASS(...) __VA_ARGS__\n#define OUT(x) ID(x + 1)\n"
    "#define FOUR for (int z = 0; z < 2; z++) touch(z); for (int y = 0; y < 2; y++)\n"
    "int wrap(); void touch(int);\n"
    "void f(struct r *r, float *W, int K, int n, int a, int b) {\n"
    "  touch(2 * SUM); touch(SUM * 2); touch(2 * SUM + a); touch((SUM) * 2); touch(N * N);\n"
    "  touch(ID(a + b)); touch(ID(a) + ID(b)); touch(SQ(a + b)); touch(SQ(r[n].user) + a);\n"
    "  W_(r[n].user, b) += r[n].value * 2; W[r[n].FIELD * K + N] = W_(r[N].item, N);\n"
    "  touch(r[n].user + r[ID(n)].FIELD); touch(a CLOSE; touch(a PLUS b); TOUCH a);\n"
    "  touch(ADD(a, b) * 2); touch(2 * ADD(a, b)); touch(PASS(a + b)); touch((PASS(a, b)));\n"
    "  touch(OUT(a)); touch(OUT(a) * b); touch(ID(ID(r[n].item))); touch(ID(N)); touch(-N);\n"
    "  touch(ADD(r[n].user, r[n].item)); touch(sizeof(a) + sizeof a + sizeof N);\n"
    "  if (a) TWO(b); touch(3);\n"
    "  for (int k = 0; k < n; k++) TWO(a);\n"
    "  for (int k = 0; k < N; k++) touch(SQ(k));\n"
    "  for (int k = 0; k < n; k++) { touch(k); if (k) touch(a); else { touch(b); } }\n"
    "  FOR(k, n) touch(k);\n"
    "  for (int k = 0; k < n; k++) W_(k, b) += r[k].value;\n"
    "  for (int k = 0; k < n; k++) PAIR(W[b]) + 1; touch(4);\n"
    "  if (a) W_(a, b) = 1; else W_(b, a) = 2; while (a < b) ID(a)++;\n"
    "  if (a) ADD(a, b) + W_(a, b); else if (b) PAIR(b) + 2;\n"
    "  FOR(k, N) { touch(k); FOR(j, k) touch(j + k); }\n"
    "  IFFOR(k, n) touch(k);\n"
    "  FOUR touch(1);\n"
    "  while (n > a) { n -= N; do touch(a++); while (a < b); }\n"
    "  switch (a) { case 1: touch(1); break; default: touch(2); }\n"
    "  touch(a ? b : N); touch(a ? N : b); touch(a[W] > 0); touch((a)); touch(((a) + (b)));\n"
    "  touch(\"x\" \"y\"[a]); touch((int)W[a]); touch((int)(W[a])); touch(~a + !b - -a);\n"
    "}\n",
    "int wrap(); int g(int); struct m { int *w; int k; struct { int in; }; };\n"
    "int f(struct m *m, struct m s, int i, /* k */ int k) { int t[3] = {i, k, [2] = i * k};\n"
    "  t[0] = /* left */ i /* mid */ + /* right */ k; t[1] = i\\\n + k;\n"
    "  t[i + 1] = m->w[i * m->k + k]; s.w[m->in] = s.in; (*m).w[0] = (&s)->k; g(g(g(i)));\n"
    "  return t[0] ? (t[1], t[2]) : i ?: k; }\n",
};

/* ---- all top-level expressions and all statements of a unit, in order */

/* What to do with each. `depth` of nested statements, blocks not counted. */
struct visitor {
    void (*expr)(struct visitor *v, struct expr **slot);
    void (*stmt)(struct visitor *v, struct stmt *stmt);
    int depth;
    struct arena *arena;
    FILE *out;
    int nexprs, nstmts;
    struct expr ***exprs;
    struct stmt **stmts;
};

static void visit(struct visitor *v, struct stmt *stmt);

static void visit_expr(struct visitor *v, struct expr **slot) {
    if (*slot)
        v->expr(v, slot);
}

static void visit_loop(struct visitor *v, struct loop *loop) {
    if (loop->init)
        visit(v, loop->init);
    visit_expr(v, &loop->cond);
    visit_expr(v, &loop->next);
    visit(v, loop->body);
}

static void visit(struct visitor *v, struct stmt *stmt) {
    if (!stmt)
        return;
    v->stmt(v, stmt);
    v->depth += stmt->kind != STMT_BLOCK;
    if (stmt->kind != STMT_CASE)
        visit_expr(v, &stmt->expr);
    for (int i = 0; i < stmt->nvars; ++i)
        visit_expr(v, &stmt->vars[i]->init);
    for (int i = 0; i < stmt->nbody; ++i)
        visit(v, stmt->body[i]);
    if (stmt->kind == STMT_FOR)
        visit_loop(v, stmt->loop);
    visit(v, stmt->then);
    visit(v, stmt->other);
    v->depth -= stmt->kind != STMT_BLOCK;
}

static void visit_unit(struct visitor *v, struct unit *unit) {
    for (int i = 0; i < unit->nfunctions; ++i)
        visit(v, unit->functions[i]->body);
}

/* ---- what a unit means, as text */

static void write_expr(struct visitor *v, struct expr **slot) {
    fprintf(v->out, "%*s%s\n", v->depth, "", expr_print(v->arena, *slot));
}

static void write_stmt(struct visitor *v, struct stmt *stmt) {
    if (stmt->kind != STMT_BLOCK)
        fprintf(v->out, "%*s#%d\n", v->depth, "", stmt->kind);
}

static char *meaning(struct unit *unit) {
    char *text = NULL;
    size_t size;
    struct arena *arena = arena_new();
    FILE *out = open_memstream(&text, &size);
    struct visitor v = {.expr = write_expr, .stmt = write_stmt, .arena = arena, .out = out};
    visit_unit(&v, unit);
    fclose(out);
    arena_free(arena);
    return text;
}

/* ---- candidates */

static bool is_arithmetic(const struct expr *expr) {
    return expr->type && (expr->type->kind == TYPE_INT || expr->type->kind == TYPE_FLOAT);
}

static bool is_lvalue_context(const struct expr *parent, int index) {
    return index == 0 && (parent->kind == EXPR_ASSIGN || parent->kind == EXPR_INCREMENT ||
                          parent->kind == EXPR_ADDRESS);
}

static void take_expr(struct visitor *v, struct expr **slot) {
    struct expr *expr = *slot;
    if (expr->range.exact && is_arithmetic(expr) && expr->kind != EXPR_COMMA)
        ARENA_PUSH(v->arena, v->exprs, v->nexprs, slot);
    for (int i = 0; i < expr->nargs; ++i)
        if (expr->args[i] && !is_lvalue_context(expr, i))
            take_expr(v, &expr->args[i]);
}

static void take_stmt(struct visitor *v, struct stmt *stmt) {
    if (stmt->range.exact && stmt->kind != STMT_DECL && stmt->kind != STMT_CASE &&
        stmt->kind != STMT_LABEL && v->depth > 0)
        ARENA_PUSH(v->arena, v->stmts, v->nstmts, stmt);
}

static char *edited(const char *text, struct range range, const char *before, const char *after) {
    unsigned begin = range.begin.offset, end = range.end.offset;
    char *result = NULL;
    size_t size;
    FILE *out = open_memstream(&result, &size);
    fprintf(out, "%.*s%s%.*s%s%s", (int)begin, text, before, (int)(end - begin), text + begin,
            after, text + end);
    fclose(out);
    return result;
}

static void compare(const char *expected, const char *text, const char *what) {
    struct parsed p = parsed_text(text);
    if (p.diags.nerrors) {
        char *messages = parsed_messages(&p);
        fail_msg("%s:\n%s", what, messages);
    }
    char *found = meaning(p.unit);
    if (strcmp(found, expected) != 0)
        fail_msg("%s:\n%s\nis not\n%s", what, found, expected);
    free(found);
    parsed_free(&p);
}

static void check_expr(struct parsed *p, const char *text, struct expr **slot) {
    static struct function function = {.name = "wrap"};
    struct expr *inner = *slot;
    struct expr wrap = {.kind = EXPR_CALL, .function = &function, .nargs = 1, .args = &inner};
    char *changed = edited(text, inner->range, "wrap(", ")");
    *slot = &wrap;
    char *expected = meaning(p->unit);
    *slot = inner;
    compare(expected, changed, expr_print(p->arena, inner));
    free(expected);
    free(changed);
}

static void check_stmt(struct parsed *p, const char *text, struct stmt *stmt) {
    char *changed = edited(text, stmt->range, "{", "}"), *expected = meaning(p->unit);
    compare(expected, changed, text + stmt->range.begin.offset);
    free(expected);
    free(changed);
}

static void exact_places_can_be_edited(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        struct parsed p = parsed_text(texts[i]);
        assert_clean(&p);
        struct visitor v = {.expr = take_expr, .stmt = take_stmt, .arena = p.arena};
        const char *text = p.unit->files[p.unit->main_file].text;
        visit_unit(&v, p.unit);
        assert_true(v.nexprs > 20 && (i > 0 || v.nstmts > 20));
        for (int n = 0; n < v.nexprs; ++n)
            check_expr(&p, text, v.exprs[n]);
        for (int n = 0; n < v.nstmts; ++n)
            check_stmt(&p, text, v.stmts[n]);
        parsed_free(&p);
    }
}

/* ---- what has to be exact, and what must not */

/* The last expression statement's left side is looked at; `inside` is the text of the part. */
static const struct place_case {
    const char *statement, *inside;
    bool exact;
} places[] = {
    {"touch(r[n].user);", "r[n].user", true},
    {"W_(r[n].user, 3) = 0;", "r[n].user", true},
    {"W_(r[n].user, 3) = 0;", "r[n]", true},
    {"W_(r[n].user, 3) = 0;", "r", true},
    {"W_((r[n].user - 1), 3) = 0;", "r[n].user", true},
    {"ID(ID(W_(r[n].user, 3))) = 0;", "r[n].user", true},
    {"W_(r[N].user, 3) = 0;", "r[10].user", false},
    {"touch(USER);", "r[n].user", false},
    {"touch(SQ(r[n].user));", "r[n].user", false},
    {"touch(r[N].user);", "r[10].user", true},
    {"touch(r[n].FIELD);", "r[n].user", false},
    {"touch(r[n].user * 2 + N);", "r[n].user * 2", true},
    {"touch(r[n].user * 2 + N);", "r[n].user * 2 + 10", false},
    {"touch(W[r[n].user * n + n]);", "W[r[n].user * n + n]", true},
    {"touch((r[n].user) /* c */ + (n));", "r[n].user + n", true},
};

static const struct expr *find(struct arena *arena, const struct expr *expr, const char *text) {
    if (strcmp(expr_print(arena, expr), text) == 0)
        return expr;
    for (int i = 0; i < expr->nargs; ++i) {
        const struct expr *found = expr->args[i] ? find(arena, expr->args[i], text) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static const struct stmt *last_of(const struct unit *unit) {
    for (int i = 0; i < unit->nfunctions; ++i) {
        const struct stmt *body = unit->functions[i]->body;
        if (body)
            return body->body[body->nbody - 1];
    }
    return NULL;
}

static void arguments_are_exact_and_bodies_are_not(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        char text[1024];
        snprintf(text, sizeof text,
                 "#define N 10\n#define ID(x) x\n#define SQ(x) ((x) * (x))\n#define FIELD user\n"
                 "#define USER r[n].user\n#define W_(u, k) W[(u) * n + (k)]\n"
                 "struct r { int user; }; void touch(int);\n"
                 "void f(struct r *r, int *W, int n) {\n%s\n}\n",
                 places[i].statement);
        struct parsed p = parsed_text(text);
        assert_clean(&p);
        const struct expr *expr = find(p.arena, last_of(p.unit)->expr, places[i].inside);
        if (!expr || expr->range.exact != places[i].exact)
            fail_msg("%s: %s is %s", places[i].statement, places[i].inside,
                     !expr               ? "missing"
                     : expr->range.exact ? "exact"
                                         : "not exact");
        assert_int_equal(expr->range.begin.line, 9);
        parsed_free(&p);
    }
}

static void statements_end_behind_their_semicolon(void **state) {
    (void)state;
    const char *text = "void f(int a) {\n  a = 1  ;\n  return;\n  do a--; while (a) ;\n"
                       "  for (;a;) a = 2;\n  if (a) a = 3; else { a = 4; }\n}\n";
    static const char *const expect[] = {"a = 1  ;", "return;", "do a--; while (a) ;",
                                         "for (;a;) a = 2;", "if (a) a = 3; else { a = 4; }"};
    struct parsed p = parsed_text(text);
    assert_clean(&p);
    const struct stmt *body = p.unit->functions[0]->body;
    assert_int_equal(body->nbody, 5);
    for (int i = 0; i < body->nbody; ++i) {
        const struct range *range = &body->body[i]->range;
        assert_true(range->exact);
        assert_int_equal(range->begin.column, 3);
        assert_int_equal(range->end.offset - range->begin.offset, strlen(expect[i]));
        assert_memory_equal(text + range->begin.offset, expect[i], strlen(expect[i]));
    }
    parsed_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_places_can_be_edited),
        cmocka_unit_test(arguments_are_exact_and_bodies_are_not),
        cmocka_unit_test(statements_end_behind_their_semicolon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
