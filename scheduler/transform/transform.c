/* From nests to text: which are tried, the run's check in front of each, its statements. */
#include "scheduler/transform/transform.h"

#include "scheduler/base/text.h"
#include "scheduler/transform/order.h"
#include "scheduler/transform/profit.h"

#include <stdlib.h>
#include <string.h>

/* Below so many iterations the user's loops run: what tiles cost is more than what they gain. */
#define LEAST_ITERATIONS 100000L

/* Of parameters and bounds, so that int is wide enough for what isl makes of them. */
#define LARGEST_VALUE (1L << 28)

/* What one nest may take of the analysis' time and memory (budget.h). */
static const struct budget most_of_nest = {4000000, 64L << 20};

/* ---- one nest's text ------------------------------------------------------------------------- */

struct writing {
    struct nest *nest;
    const char *source;
    struct text out;
};

static void write_affine(struct writing *w, const struct affine *value) {
    text_print(&w->out, "(%ldL", value->constant);
    for (int i = 0; i < value->nterms; ++i)
        text_print(&w->out, " + %ldL * %s%d", value->terms[i].coeff, w->nest->prefix,
                   value->terms[i].symbol->id);
    text_print(&w->out, ")");
}

/* A statement on one line, without its comments. */
static void write_tokens(struct writing *w, const struct range *range, struct text *out) {
    struct token_scan scan = token_scan_start(w->source, range->begin.offset, range->end.offset);
    size_t end = range->begin.offset;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        if (t.begin != end)
            text_append(out, " ", 1);
        text_append(out, w->source + t.begin, t.end - t.begin);
        end = t.end;
    }
}

static void write_statement(void *data, int statement, int nvalues, const char *const *values,
                            struct text *out) {
    struct writing *w = data;
    const struct nest_statement *s = &w->nest->statements[statement];
    struct text text;
    text_start(&text, w->nest->arena);
    write_tokens(w, &s->stmt->range, &text);
    text_print(out, "{ ");
    for (int i = 0; i < nvalues && i < s->nloops; ++i) {
        const struct variable *v = w->nest->loops[s->loops[i]].loop->variable;
        text_print(out, "const %s = (%s)%s; ", type_declare(w->nest->arena, v->type, v->name),
                   type_declare(w->nest->arena, v->type, ""), values[i]);
    }
    for (int i = 0; i < nvalues && i < s->nloops; ++i)
        text_print(out, "(void)%s; ", w->nest->loops[s->loops[i]].loop->variable->name);
    text_print(out, "%s} ", text.bytes);
}

/* ---- the run's check ------------------------------------------------------------------------- */

/* Replaces loop variables by what makes the value least or greatest. */
static struct affine extreme(const struct nest *nest, const struct affine *value, bool greatest) {
    struct affine now = *value;
    for (int loop = nest->nloops - 1; loop >= 0; --loop) {
        const struct inner_loop *bounds = nest->loops[loop].bounds;
        long coeff = 0;
        struct affine next = {.constant = now.constant};
        for (int i = 0; i < now.nterms; ++i)
            if (nest_loop_of(nest, now.terms[i].symbol) == loop)
                coeff += now.terms[i].coeff;
            else
                ARENA_PUSH(nest->arena, next.terms, next.nterms, now.terms[i]);
        const struct affine *end = (coeff > 0) == greatest ? &bounds->upper : &bounds->lower;
        next.constant += coeff * end->constant;
        for (int i = 0; coeff != 0 && i < end->nterms; ++i) {
            struct term term = {end->terms[i].symbol, coeff * end->terms[i].coeff};
            ARENA_PUSH(nest->arena, next.terms, next.nterms, term);
        }
        now = next;
    }
    return now;
}

/* The address of an object's least or greatest byte that the nest may touch, as comparisons need
 * it. */
static void write_end(struct writing *w, const struct access *a, bool greatest) {
    const struct object *o = a->object;
    text_print(&w->out, "((unsigned long)(%s)", expr_print(w->nest->arena, o->base));
    for (int i = 0; i < a->nsubs; ++i) {
        struct affine end = extreme(w->nest, &a->subs[i].value, greatest);
        text_print(&w->out, " + (unsigned long)(");
        write_affine(w, &end);
        text_print(&w->out, " * (long)(%s))", o->dims[i].stride_text);
    }
    if (o->origin_text)
        text_print(&w->out, " + (unsigned long)(%s)", o->origin_text);
    text_print(&w->out, " + %luUL)", greatest ? (unsigned long)o->element->size : 0ul);
}

/* Accesses of the object whose subscripts are others than those of one before. */
static bool is_new(const struct nest *nest, const struct access *a) {
    const struct loop_facts *facts = nest->facts;
    for (int i = 0; i < facts->naccesses && &facts->accesses[i] != a; ++i) {
        const struct access *b = &facts->accesses[i];
        bool same = b->object == a->object && b->nsubs == a->nsubs;
        for (int j = 0; same && j < a->nsubs; ++j)
            same = b->subs[j].value.constant == a->subs[j].value.constant &&
                   b->subs[j].value.nterms == a->subs[j].value.nterms &&
                   (a->subs[j].value.nterms == 0 ||
                    memcmp(a->subs[j].value.terms, b->subs[j].value.terms,
                           (size_t)a->subs[j].value.nterms * sizeof *a->subs[j].value.terms) == 0);
        if (same)
            return false;
    }
    return true;
}

static void write_apart(struct writing *w, const struct nest_pair *pair) {
    const struct loop_facts *facts = w->nest->facts;
    for (int i = 0; i < facts->naccesses; ++i)
        for (int j = 0; j < facts->naccesses; ++j) {
            const struct access *a = &facts->accesses[i], *b = &facts->accesses[j];
            if (a->object != pair->a || b->object != pair->b || !is_new(w->nest, a) ||
                !is_new(w->nest, b))
                continue;
            text_print(&w->out, " && (");
            write_end(w, a, true);
            text_print(&w->out, " <= ");
            write_end(w, b, false);
            text_print(&w->out, " || ");
            write_end(w, b, true);
            text_print(&w->out, " <= ");
            write_end(w, a, false);
            text_print(&w->out, ")");
        }
}

static long weight_of(const struct affine *value) {
    long sum = 1;
    for (int i = 0; i < value->nterms; ++i)
        sum += labs(value->terms[i].coeff);
    return sum;
}

/* Of bounds: how many times as large as its parameters and counters one can be. */
static long largest_weight(const struct nest *nest) {
    long largest = 1;
    for (int i = 0; i < nest->nloops; ++i) {
        long lower = weight_of(&nest->loops[i].bounds->lower);
        long upper = weight_of(&nest->loops[i].bounds->upper);
        long more = lower > upper ? lower : upper;
        largest = more > largest ? more : largest;
    }
    return largest;
}

static void write_not_negative(struct writing *w, const struct affine *value) {
    struct affine least = extreme(w->nest, value, false);
    if (least.nterms == 0 && least.constant >= 0)
        return;
    text_print(&w->out, " && ");
    write_affine(w, &least);
    text_print(&w->out, " >= 0");
}

/* A start or an end below 0 is a large number, and the loop another one. */
static void write_no_wrap(struct writing *w, const struct nest_loop *loop) {
    struct affine end = loop->bounds->upper;
    if (loop->loop->relation == OP_LT)
        end.constant += 1;
    write_not_negative(w, &loop->bounds->lower);
    write_not_negative(w, &end);
}

/* Enough iterations, and values with which nothing overflows, in tiles' ends either. */
static void write_sizes(struct writing *w) {
    const struct nest *nest = w->nest;
    long most = LARGEST_VALUE / largest_weight(nest);
    text_print(&w->out, "1");
    for (int i = 0; i < nest->nparams; ++i)
        text_print(&w->out, " && %s%d < %ldL && %s%d > -%ldL", nest->prefix, nest->params[i]->id,
                   most, nest->prefix, nest->params[i]->id, most);
    for (int i = 0; i < nest->nloops; ++i) {
        if (!nest->loops[i].is_free)
            continue;
        text_print(&w->out, " && ");
        write_affine(w, &nest->loops[i].bounds->lower);
        text_print(&w->out, " <= ");
        write_affine(w, &nest->loops[i].bounds->upper);
    }
    for (int i = 0; i < nest->nloops; ++i)
        if (nest->loops[i].is_free && nest_is_narrow(nest)) {
            text_print(&w->out, " && ");
            write_affine(w, &nest->loops[i].bounds->upper);
            text_print(&w->out, " < %ldL", LARGEST_VALUE);
        }
    for (int i = 0; i < nest->nloops; ++i)
        if (nest->loops[i].is_unsigned)
            write_no_wrap(w, &nest->loops[i]);
    const struct nest_statement *deepest = &nest->statements[0];
    for (int i = 0; i < nest->nstatements; ++i)
        if (nest->statements[i].nloops > deepest->nloops)
            deepest = &nest->statements[i];
    text_print(&w->out, " && 1.");
    for (int i = 0; i < deepest->nloops; ++i) {
        const struct inner_loop *bounds = nest->loops[deepest->loops[i]].bounds;
        struct affine lower = extreme(nest, &bounds->lower, false);
        struct affine upper = extreme(nest, &bounds->upper, true);
        text_print(&w->out, " * (double)(");
        write_affine(w, &upper);
        text_print(&w->out, " - ");
        write_affine(w, &lower);
        text_print(&w->out, " + 1)");
    }
    text_print(&w->out, " >= %ld.", LEAST_ITERATIONS);
}

static void write_check(struct writing *w) {
    const struct nest *nest = w->nest;
    text_print(&w->out, "if (");
    write_sizes(w);
    for (int i = 0; i < nest->nconditions; ++i)
        text_print(&w->out, " && (%s)", nest->conditions[i]);
    for (int i = 0; i < nest->npairs; ++i)
        write_apart(w, &nest->pairs[i]);
    text_print(&w->out, ") ");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void write_params(struct writing *w) {
    for (int i = 0; i < w->nest->nparams; ++i) {
        const struct symbol *p = w->nest->params[i];
        text_print(&w->out, "const %s %s%d = %s; ", w->nest->counter, w->nest->prefix, p->id,
                   expr_print(w->nest->arena, p->expr));
    }
}

/* What the outermost counter holds behind its loop. */
static void write_counter(struct writing *w) {
    const struct nest_loop *outermost = &w->nest->loops[0];
    const struct variable *v = outermost->loop->variable;
    if (outermost->loop->declares_variable)
        return;
    text_print(&w->out, "%s = (%s)(", v->name, type_declare(w->nest->arena, v->type, ""));
    write_affine(w, &outermost->bounds->upper);
    text_print(&w->out, " + 1); ");
}

static bool write_nest(struct writing *w, struct order *order) {
    const struct order_print how = {write_statement, w};
    text_print(&w->out, "{ ");
    write_params(w);
    write_check(w);
    text_print(&w->out, "{ _Pragma(\"GCC diagnostic push\") "
                        "_Pragma(\"GCC diagnostic ignored \\\"-Wshadow\\\"\") ");
    if (!order_print(w->nest, order, &how, &w->out))
        return false;
    write_counter(w);
    text_print(&w->out, "_Pragma(\"GCC diagnostic pop\") } else ");
    return true;
}

/* ---- what is said of it ---------------------------------------------------------------------- */

/* "`j` innermost, in tiles of i 32, j 256": of the band of the last statement that has tiles. */
static const char *order_words(const struct nest *nest, const struct order *order) {
    const char *words = "";
    for (int b = 0; b < order->nbands; ++b) {
        const struct order_band *band = &order->bands[b];
        const struct order_choice *choice = &order->choices[b];
        const char *tiles = "";
        int statement = nest->nstatements - 1;
        while (statement > 0 && band->members[0].counts[statement] == ORDER_NONE)
            --statement;
        for (int m = 0; m < band->nmembers; ++m) {
            const int loop = band->members[m].counts[statement];
            if (choice->tile[m] > 0)
                tiles = arena_printf(nest->arena, "%s%s%s %d", tiles, *tiles ? ", " : "",
                                     nest->loops[loop].loop->variable->name, choice->tile[m]);
        }
        const int inner = band->members[choice->inner[band->nmembers - 1]].counts[statement];
        if (*tiles)
            words = arena_printf(nest->arena, "`%s` innermost, in tiles of %s",
                                 nest->loops[inner].loop->variable->name, tiles);
    }
    return words;
}

struct trial {
    struct unit *unit;
    struct loop *loop;
    const char *prefix;
    const char *text;  /* what stands in front of the loop; NULL: it stays alone */
    const char *words; /* its new order */
};

static void free_order(void *order) {
    order_free(order);
}

static void try_nest(void *data) {
    struct trial *trial = data;
    struct nest *nest = nest_read(trial->unit, trial->loop);
    if (!nest || nest->why_not)
        return;
    nest->prefix = trial->prefix;
    struct order *order = order_find(nest);
    if (!order)
        return;
    budget_remember(free_order, order);
    struct writing w = {.nest = nest, .source = trial->unit->files[trial->unit->main_file].text};
    text_start(&w.out, nest->arena);
    if (profit_choose(nest, order) && write_nest(&w, order))
        trial->text = w.out.bytes;
    trial->words = order_words(nest, order);
    budget_forget(order);
    order_free(order);
}

static bool begins(const char *name, const char *prefix) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Does a name of the file, or a macro of its headers and flags, begin so? */
static bool is_taken(const struct unit *unit, const char *prefix) {
    const struct source_file *file = &unit->files[unit->main_file];
    struct token_scan scan = token_scan_start(file->text, 0, file->size);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        if (t.kind == TOKEN_WORD && begins(file->text + t.begin, prefix))
            return true;
    for (int i = 0; i < unit->nmacros; ++i)
        if (begins(unit->macros[i].name, prefix))
            return true;
    return false;
}

/* What names that are added begin with. */
static const char *new_prefix(struct unit *unit) {
    const char *prefix = "tile_";
    for (int i = 2; is_taken(unit, prefix); ++i)
        prefix = arena_printf(unit->arena, "tile%d_", i);
    return prefix;
}

static bool is_marked_around(const struct loop *loop) {
    for (; loop; loop = loop->around)
        if (loop->pragma)
            return true;
    return false;
}

/* It runs inside of a loop that was transformed. */
static bool is_inside(const struct unit *unit, const struct loop *loop, const bool *done,
                      int count) {
    for (const struct loop *up = loop->parent; up; up = up->parent)
        for (int i = 0; i < count; ++i)
            if (done[i] && unit->loops[i] == up)
                return true;
    return false;
}

/* A line's number in the text would be another one; a pragma may speak of the next loop. */
static bool knows_lines(const struct unit *unit) {
    const char *source = unit->files[unit->main_file].text;
    return token_uses(source, "__LINE__") || token_uses(source, "__COUNTER__") ||
           token_uses(source, "_Pragma");
}

static bool is_transformed(struct trial *trial) {
    const struct unit before = *trial->unit;
    if (is_marked_around(trial->loop))
        return false;
    if (!budget_try(trial->unit->arena, &most_of_nest, try_nest, trial)) {
        *trial->unit = before;
        return false;
    }
    return trial->text != NULL;
}

const char *transform_text(struct unit *unit, struct diag_list *said) {
    const struct source_file *file = &unit->files[unit->main_file];
    struct text_edits edits = {.arena = unit->arena};
    bool *done = arena_alloc(unit->arena, (size_t)unit->nloops + 1);
    const char *prefix = new_prefix(unit);
    for (int i = 0; i < unit->nloops && !unit->openmp && !knows_lines(unit); ++i) {
        struct trial trial = {unit, unit->loops[i], prefix, NULL, NULL};
        if (is_inside(unit, trial.loop, done, i) || !is_transformed(&trial))
            continue;
        const struct range *range = &trial.loop->stmt->range;
        text_edit_add(&edits, range->begin.offset, range->begin.offset, trial.text);
        text_edit_add(&edits, range->end.offset, range->end.offset, " }");
        struct diag *diag = diag_add(said, SEVERITY_REMARK, ORR1701, trial.loop->header,
                                     "the nest runs in another order: %s", trial.words);
        diag->loop = trial.loop;
        done[i] = true;
    }
    struct text out;
    text_start(&out, unit->arena);
    if (edits.count == 0 || !text_edits_apply(&edits, file->text, 0, file->size, true, &out))
        return NULL;
    return out.bytes;
}
