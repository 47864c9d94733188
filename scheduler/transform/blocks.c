/*
 * Text of a loop in blocks:
 *
 *   if the run's check holds, and the run wants blocks now
 *       number of the first iteration that is left, `base`: 0
 *       while more than a block is left
 *           values of the blocks' ends, computed from what memory holds now
 *           for each block, in any order: its first iterations, those between, its last ones
 *           variables get what the last block leaves
 *       the user's loop, from `base` on
 *   else the user's loop
 *   how long it all took
 *
 * Values computed in front are those of the serial loop (value.h); all other reads of a block are
 * of elements that no other block writes. Blocks are one after the other here: who finds that they
 * are independent comes later, and knows nothing of this.
 */
#include "scheduler/transform/blocks.h"

#include "scheduler/transform/trial.h"
#include "scheduler/transform/value.h"

#include <stdlib.h>

/* Iterations of a block between its first and its last ones, a multiple of what vectors hold;
 * blocks whose values are computed together, at most; iterations that the user's loop gets in any
 * case. */
enum { BETWEEN = 2048, BLOCKS = 1024, REST = LINE_REACH };

/* Bytes of values of one block, and of all that are computed together: they lie on the stack, of
 * functions that may call themselves. */
enum { MOST_BYTES = 128, MOST_STACK = 8192 };

struct blocks {
    const struct line *line;
    struct writing *w;
    const char *prefix, *counter, *first;
    int size; /* iterations of a block */
    int most; /* blocks whose values are computed together */
};

/* An iteration of a block: `saved_head`, `saved_tail` as line_read has them, -1: none. */
struct iteration {
    int head, tail;
};

/* ---- names ----------------------------------------------------------------------------------- */

static const char *number_type(const struct type *type) {
    static const char *const names[] = {"unsigned char", "signed char", "unsigned short", "short",
                                        "unsigned",      "int",         "unsigned long",  "long"};
    if (type->kind == TYPE_FLOAT)
        return type->size == 4 ? "float" : type->size == 8 ? "double" : NULL;
    for (int i = 0; i < 4; ++i)
        if (type->size == 1l << i)
            return names[2 * i + (type->is_signed ? 1 : 0)];
    return NULL;
}

/* Arrays of values, for each of the reads: 'h' and 't', and of the variables: 'x', 'g'. */
static const char *array_name(const struct blocks *b, char kind, int index) {
    return arena_printf(b->line->nest->arena, "%s%c%d", b->prefix, kind, index);
}

static struct value_at at(const struct blocks *b, const char *block, long offset) {
    const char *iteration =
        arena_printf(b->line->nest->arena, "%sbase + %s * %d", b->prefix, block, b->size);
    return (struct value_at){iteration, b->first, offset};
}

/* ---- values in front ------------------------------------------------------------------------- */

/* Bytes of values of one block. */
static long bytes_of(const struct line *line) {
    long bytes = 0;
    for (int i = 0; i < line->nreads; ++i)
        bytes +=
            (line->reads[i].head + line->reads[i].tail) * line->reads[i].access->expr->type->size;
    for (int i = 0; i < line->nscalars; ++i)
        bytes += (line->scalars[i].carried ? line->scalars[i].var->type->size : 0) +
                 (line->scalars[i].latest ? 1 : 0);
    return bytes;
}

static bool declare_array(struct blocks *b, const struct type *type, const char *name, int width) {
    const char *word = number_type(type);
    if (!word)
        return false;
    text_print(&b->w->out, "%s %s[%d][%d]; ", word, name, b->most + 1, width);
    return true;
}

static bool declare_arrays(struct blocks *b) {
    const struct line *line = b->line;
    const long bytes = bytes_of(line);
    bool fits = bytes <= MOST_BYTES;
    b->most = bytes * BLOCKS > MOST_STACK ? (int)(MOST_STACK / bytes) : (int)BLOCKS;
    for (int i = 0; i < line->nreads; ++i) {
        const struct type *type = line->reads[i].access->expr->type;
        if (line->reads[i].head > 0)
            fits = fits && declare_array(b, type, array_name(b, 'h', i), line->reads[i].head);
        if (line->reads[i].tail > 0)
            fits = fits && declare_array(b, type, array_name(b, 't', i), line->reads[i].tail);
    }
    for (int i = 0; i < line->nscalars; ++i)
        if (line->scalars[i].carried)
            fits = fits && declare_array(b, line->scalars[i].var->type, array_name(b, 'x', i), 1);
    for (int i = 0; i < line->nscalars; ++i)
        if (line->scalars[i].latest)
            text_print(&b->w->out, "signed char %s[%d][1]; ", array_name(b, 'g', i), b->most + 1);
    return fits;
}

static bool save(struct blocks *b, const char *name, const char *block, int index,
                 const char *value) {
    if (value)
        text_print(&b->w->out, "%s[%s][%d] = %s; ", name, block, index, value);
    return value != NULL;
}

/* What the first block begins with stands in memory. */
static bool write_first(struct blocks *b) {
    const struct line *line = b->line;
    for (int i = 0; i < line->nscalars; ++i)
        if (line->scalars[i].carried)
            save(b, array_name(b, 'x', i), "0", 0, line->scalars[i].var->name);
    for (int i = 0; i < line->nreads; ++i)
        for (int j = 0; j < line->reads[i].head; ++j) {
            long least = 0;
            const char *value = value_of_place(line, line->reads[i].access, at(b, "0", j), &least);
            if (least + j < 0 || !save(b, array_name(b, 'h', i), "0", j, value))
                return false;
        }
    return true;
}

/* What the last iteration of the block in which the condition holds sets; 'g': is there one? */
static void write_latest(struct blocks *b, int scalar, const char *block, const char *next) {
    const struct line *line = b->line;
    struct arena *arena = line->nest->arena;
    struct text *out = &b->w->out;
    const struct line_scalar *s = &line->scalars[scalar];
    const struct variable *v = line->loop->variable;
    const char *p = b->prefix, *name = array_name(b, 'x', scalar), *is = array_name(b, 'g', scalar);
    const struct value_at back = {
        arena_printf(arena, "%sbase + %s * %d + %sback", p, block, b->size, p), b->first, 0};
    text_print(out, "%s[%s][0] = 0; for (%s %sback = %d; %sback >= 0; %sback -= 1) { ", is, next,
               b->counter, p, b->size - 1, p, p);
    text_print(out, "const %s = %s; (void)%s; if (", type_declare(arena, v->type, v->name),
               value_of_variable(line, back), v->name);
    write_tokens(b->w, &s->latest->expr->range, out);
    text_print(out, ") { %s[%s][0] = ", name, next);
    write_tokens(b->w, &line_latest_set(s->latest)->args[1]->range, out);
    text_print(out, "; %s[%s][0] = 1; break; } } ", is, next);
}

/* Where there is none, the next block begins with what this one began with. */
static void write_handed_on(struct blocks *b) {
    const char *p = b->prefix;
    for (int i = 0; i < b->line->nscalars; ++i)
        if (b->line->scalars[i].latest)
            text_print(&b->w->out,
                       "for (%s %sto = 0; %sto < %scount; %sto += 1) if (!%s[%sto + 1][0]) "
                       "%s[%sto + 1][0] = %s[%sto][0]; ",
                       b->counter, p, p, p, p, array_name(b, 'g', i), p, array_name(b, 'x', i), p,
                       array_name(b, 'x', i), p);
}

static bool write_saved(struct blocks *b, const char *block, const char *next) {
    const struct line *line = b->line;
    bool fits = true;
    for (int i = 0; i < line->nscalars && fits; ++i)
        if (line->scalars[i].latest)
            write_latest(b, i, block, next);
        else if (line->scalars[i].carried)
            fits = save(b, array_name(b, 'x', i), next, 0,
                        value_of_scalar(line, line->scalars[i].var, at(b, next, 0)));
    for (int i = 0; i < line->nreads; ++i) {
        const struct line_read *r = &line->reads[i];
        for (int j = 0; j < r->head && fits; ++j)
            fits = save(b, array_name(b, 'h', i), next, j,
                        value_of_read(line, r->access, at(b, next, j), NULL));
        for (int j = 0; j < r->tail && fits; ++j)
            fits = save(b, array_name(b, 't', i), block, j,
                        value_of_read(line, r->access, at(b, block, b->size - r->tail + j), NULL));
    }
    return fits;
}

static bool write_values(struct blocks *b) {
    struct text *out = &b->w->out;
    const char *block = arena_printf(b->line->nest->arena, "%sblock", b->prefix);
    const char *next = arena_printf(b->line->nest->arena, "(%s + 1)", block);
    if (!write_first(b))
        return false;
    text_print(out, "for (%s %s = 0; %s < %scount; %s += 1) { ", b->counter, block, block,
               b->prefix, block);
    if (!write_saved(b, block, next))
        return false;
    text_print(out, "} ");
    write_handed_on(b);
    return true;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Does a statement that begins there store what a later block overwrites? Then only the last block
 * stores it, for those who read it behind all blocks. */
static bool is_dropped(const struct blocks *b, struct iteration it, size_t begin) {
    const struct line *line = b->line;
    for (int i = 0; i < line->nest->nstatements; ++i)
        if (line->nest->statements[i].stmt->range.begin.offset == begin && it.tail >= 0 &&
            line->drops[i] >= line->tail - it.tail)
            return true;
    return false;
}

/* What stands for a read in an iteration, and where that ends. NULL: the text itself. */
static const char *instead(const struct blocks *b, struct iteration it, size_t begin, size_t *end) {
    const struct line *line = b->line;
    for (int i = 0; i < line->nreads; ++i) {
        const struct line_read *r = &line->reads[i];
        if (r->access->range.begin.offset != begin)
            continue;
        bool head = it.head >= 0 && it.head < r->head;
        int tail = it.tail < 0 ? -1 : it.tail - (line->tail - r->tail);
        if (!head && tail < 0)
            continue;
        *end = r->access->range.end.offset;
        return arena_printf(line->nest->arena, "%s[%sblock][%d]",
                            array_name(b, head ? 'h' : 't', i), b->prefix, head ? it.head : tail);
    }
    return NULL;
}

static void write_body(struct blocks *b, struct iteration it) {
    const struct range *range = &b->line->loop->body->range;
    struct text *out = &b->w->out;
    struct token_scan scan = token_scan_start(b->w->source, range->begin.offset, range->end.offset);
    size_t behind = range->begin.offset;
    text_print(out, "{ ");
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        size_t end = 0;
        if (t.begin < behind)
            continue;
        const char *other = instead(b, it, t.begin, &end);
        if (t.begin != behind)
            text_append(out, " ", 1);
        if (is_dropped(b, it, t.begin))
            text_print(out, "if (%sblock == %scount - 1) ", b->prefix, b->prefix);
        if (other)
            text_print(out, "%s", other);
        else
            text_append(out, b->w->source + t.begin, t.end - t.begin);
        behind = other ? end : t.end;
    }
    text_print(out, "} ");
}

static void write_iteration(struct blocks *b, struct iteration it, long offset) {
    const struct variable *v = b->line->loop->variable;
    const char *block = arena_printf(b->line->nest->arena, "%sblock", b->prefix);
    text_print(&b->w->out, "{ const %s = %s; (void)%s; ",
               type_declare(b->line->nest->arena, v->type, v->name),
               value_of_variable(b->line, at(b, block, offset)), v->name);
    write_body(b, it);
    text_print(&b->w->out, "} ");
}

/* Its length is plain to see, for compilers and estimates. */
static void write_between(struct blocks *b) {
    struct arena *arena = b->line->nest->arena;
    const struct variable *v = b->line->loop->variable;
    const char *block = arena_printf(arena, "%sblock", b->prefix), *p = b->prefix;
    const long step = b->line->loop->step, length = BETWEEN * labs(step);
    const struct iteration plain = {-1, -1};
    text_print(&b->w->out, "const %s = %s; ",
               type_declare(arena, v->type, arena_printf(arena, "%sbegin", p)),
               value_of_variable(b->line, at(b, block, b->line->head)));
    text_print(&b->w->out, "const %s = %sbegin %c %ld; ",
               type_declare(arena, v->type, arena_printf(arena, "%send", p)), p,
               step > 0 ? '+' : '-', length);
    text_print(&b->w->out, "for (%s = %sbegin; %s %c %send; %s += %ld) ",
               type_declare(arena, v->type, v->name), p, v->name, step > 0 ? '<' : '>', p, v->name,
               step);
    write_body(b, plain);
}

static void write_block(struct blocks *b) {
    const struct line *line = b->line;
    for (int i = 0; i < line->nscalars; ++i) {
        const struct line_scalar *s = &line->scalars[i];
        if (s->inside)
            continue;
        text_print(&b->w->out, "%s", type_declare(line->nest->arena, s->var->type, s->var->name));
        if (s->carried)
            text_print(&b->w->out, " = %s[%sblock][0]", array_name(b, 'x', i), b->prefix);
        text_print(&b->w->out, "; ");
    }
    for (int j = 0; j < line->head; ++j)
        write_iteration(b, (struct iteration){j, -1}, j);
    write_between(b);
    for (int j = 0; j < line->tail; ++j)
        write_iteration(b, (struct iteration){-1, j}, b->size - line->tail + j);
}

static void write_blocks(struct blocks *b) {
    const char *p = b->prefix;
    text_print(&b->w->out, "for (%s %sblock = 0; %sblock < %scount; %sblock += 1) { ", b->counter,
               p, p, p, p);
    write_block(b);
    text_print(&b->w->out, "} ");
    for (int i = 0; i < b->line->nscalars; ++i)
        if (b->line->scalars[i].carried)
            text_print(&b->w->out, "%s = %s[%scount][0]; ", b->line->scalars[i].var->name,
                       array_name(b, 'x', i), p);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static const char *affine_text(struct blocks *b, const struct affine *value) {
    struct arena *arena = b->line->nest->arena;
    const char *text = arena_printf(arena, "%ld", value->constant);
    for (int i = 0; i < value->nterms; ++i)
        text = arena_printf(arena, "%s + %ld * %s%d", text, value->terms[i].coeff, b->prefix,
                            value->terms[i].symbol->id);
    return arena_printf(arena, "(%s)", text);
}

static const char *begin_text(struct blocks *b) {
    struct arena *arena = b->line->nest->arena;
    const struct variable *v = b->line->loop->variable;
    struct value_at left = {arena_printf(arena, "%sbase", b->prefix), b->first, 0};
    const char *name =
        b->line->loop->declares_variable ? type_declare(arena, v->type, v->name) : v->name;
    return arena_printf(arena, "%s = %s;", name, value_of_variable(b->line, left));
}

/* How many iterations the loop has, of which a number of blocks is taken at a time. */
static void write_counts(struct blocks *b) {
    const char *p = b->prefix, *c = b->counter;
    struct text *out = &b->w->out;
    const long step = b->line->loop->step;
    text_print(out, "const %s %sn = (%s - %s) / %ld + 1; ", c, p,
               affine_text(b, &b->line->bounds.upper), affine_text(b, &b->line->bounds.lower),
               step > 0 ? step : -step);
    if (!declare_arrays(b))
        b->first = NULL;
    text_print(out, "while (%sn - %sbase >= %d) { %s %scount = (%sn - %sbase - %d) / %d; ", p, p,
               b->size + REST, c, p, p, p, (int)REST, b->size);
    text_print(out, "if (%scount > %d) %scount = %d; ", p, (int)BLOCKS, p, (int)BLOCKS);
}

/* An access is taken to last a quarter of a nanosecond. */
void blocks_write_begin(struct writing *w, long weight) {
    const char *p = w->nest->prefix;
    const struct unit *unit = w->nest->unit;
    text_print(&w->out,
               "extern int orrery_blocks_begin(const char *, const char *, int, double); "
               "extern void orrery_blocks_end(int); static const char %shere = 0; int %sway = 0; ",
               p, p);
    write_check(w);
    text_print(&w->out, "%sway = orrery_blocks_begin(&%shere, \"%s\", %d, %ld. / 4 * ", p, p,
               text_escape(unit->arena, unit->files[unit->main_file].name),
               w->nest->loops[0].loop->header.begin.line, weight);
}

void blocks_write_choice(struct writing *w) {
    text_print(&w->out, "); if (%sway == 1) ", w->nest->prefix);
}

/*
 * One block after the other is slower than the loop, so the run says whether they run, in parallel
 * (runtime/start/trial.c).
 */
void blocks_write_way(const struct line *line, struct writing *w) {
    blocks_write_begin(w, line_weight(line));
    text_print(&w->out, "(double)(");
    write_affine(w, &line->bounds.upper);
    text_print(&w->out, " - ");
    write_affine(w, &line->bounds.lower);
    text_print(&w->out, ") / %ld.", labs(line->loop->step));
    blocks_write_choice(w);
}

const char *blocks_end(const struct nest *nest) {
    return arena_printf(nest->arena, " if (%sway) orrery_blocks_end(%sway);", nest->prefix,
                        nest->prefix);
}

/* The user's loop, for the iterations that are left. */
static void write_rest(struct blocks *b) {
    const struct loop *loop = b->line->loop;
    struct text *out = &b->w->out;
    text_print(out, "for (%s ", begin_text(b));
    write_tokens(b->w, &loop->cond->range, out);
    text_print(out, "; ");
    write_tokens(b->w, &loop->next->range, out);
    text_print(out, ") ");
    write_body(b, (struct iteration){-1, -1});
}

/* False: a value that a block begins with is the work of all iterations before. */
static bool write_all(const struct line *line, struct writing *w) {
    struct blocks b = {
        line, w, line->nest->prefix, line->nest->counter, NULL, BETWEEN + line->head + line->tail,
        0};
    const struct affine *first = line->loop->step > 0 ? &line->bounds.lower : &line->bounds.upper;
    text_print(&w->out, "{ ");
    write_params(w);
    blocks_write_way(line, w);
    b.first = affine_text(&b, first);
    text_print(&w->out,
               "{ %s %sbase = 0; _Pragma(\"GCC diagnostic push\") "
               "_Pragma(\"GCC diagnostic ignored \\\"-Wshadow\\\"\") ",
               b.counter, b.prefix);
    write_counts(&b);
    if (!b.first || !write_values(&b))
        return false;
    write_blocks(&b);
    text_print(&w->out, "%sbase += %scount * %d; } ", b.prefix, b.prefix, b.size);
    write_rest(&b);
    text_print(&w->out, "_Pragma(\"GCC diagnostic pop\") } else ");
    return true;
}

/* "what they need of each other is computed in front: `x`, `a[i + 1]`" */
static const char *words_of(const struct line *line) {
    const char *words = "";
    bool drops = false;
    struct arena *arena = line->nest->arena;
    for (int i = 0; i < line->nscalars; ++i)
        if (line->scalars[i].carried)
            words = arena_printf(arena, "%s%s`%s`", words, *words ? ", " : "",
                                 line->scalars[i].var->name);
    for (int i = 0; i < line->nreads; ++i)
        words =
            arena_printf(arena, "%s%s`%s`", words, *words ? ", " : "", line->reads[i].access->text);
    for (int i = 0; i < line->nest->nstatements; ++i)
        drops = drops || line->drops[i] > 0;
    if (!*words)
        return "what the next block overwrites is not stored";
    return arena_printf(arena, "what they need of each other is computed in front: %s%s", words,
                        drops ? "; what the next block overwrites is not stored" : "");
}

void blocks_try(struct trial *trial, struct line *line) {
    const long least = LEAST_ACCESSES / line_weight(line) * labs(line->loop->step);
    struct writing w = trial_writing(trial, line->nest, least);
    if (!trial_may_be_long(line, &w) || !line_takes_values(line) || !write_all(line, &w))
        return;
    trial->text = w.out.bytes;
    trial->end = blocks_end(line->nest);
    trial->message = ORR1702;
    trial->words = arena_printf(line->nest->arena, "the loop runs in blocks: %s", words_of(line));
}
