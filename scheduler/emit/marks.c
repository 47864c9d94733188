/* Loops with marks: which, and the text. */
#include "scheduler/base/text.h"
#include "scheduler/emit/marks_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- walks ----------------------------------------------------------------------------------- */

static void marks_walk_expr(const struct expr *expr, marks_each *each, void *data) {
    if (!expr)
        return;
    each(data, expr);
    for (int i = 0; i < expr->nargs; ++i)
        marks_walk_expr(expr->args[i], each, data);
}

void marks_walk_stmt(const struct stmt *stmt, marks_each *each, void *data) {
    if (!stmt)
        return;
    marks_walk_expr(stmt->expr, each, data);
    for (int i = 0; i < stmt->nvars; ++i)
        marks_walk_expr(stmt->vars[i]->init, each, data);
    for (int i = 0; i < stmt->nbody; ++i)
        marks_walk_stmt(stmt->body[i], each, data);
    marks_walk_stmt(stmt->then, each, data);
    marks_walk_stmt(stmt->other, each, data);
    if (!stmt->loop)
        return;
    marks_walk_stmt(stmt->loop->init, each, data);
    marks_walk_expr(stmt->loop->cond, each, data);
    marks_walk_expr(stmt->loop->next, each, data);
    if (stmt->loop->body != stmt->then)
        marks_walk_stmt(stmt->loop->body, each, data);
}

/* ---- which ----------------------------------------------------------------------------------- */

struct marked_loop *marks_of(const struct marks *marks, const struct loop *loop) {
    int index = table_get(&marks->by_loop, (uint64_t)loop->id);
    return index < 0 ? NULL : &marks->loops[index];
}

static const char *source_of(const struct unit *unit) {
    return unit->files[unit->main_file].text;
}

static struct token_scan scan_of(const struct unit *unit, size_t begin) {
    return token_scan_start(source_of(unit), begin, unit->files[unit->main_file].size);
}

/* Behind the first of `marks` outside of inner parentheses, from the loop's parenthesis on; 0. */
static size_t behind(const struct unit *unit, const struct loop *loop, const char *mark) {
    struct token_scan scan = scan_of(unit, loop->header.begin.offset);
    int depth = 0;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        if (t.kind == TOKEN_DIRECTIVE)
            return 0;
        depth += token_spells(&scan, t, "(");
        depth -= token_spells(&scan, t, ")");
        if (depth == 1 && token_spells(&scan, t, mark))
            return t.end;
        if (depth == 0 && token_spells(&scan, t, ")"))
            return 0;
    }
    return 0;
}

/* In front of the condition; 0: it has no place in the text. */
static size_t condition_at(const struct unit *unit, const struct loop *loop) {
    return loop->form == LOOP_DO ? 0 : behind(unit, loop, loop->form == LOOP_FOR ? ";" : "(");
}

static bool has_body(const struct loop *loop) {
    return loop->body && loop->body->range.exact &&
           loop->body->range.end.offset <= loop->stmt->range.end.offset;
}

/* The mark of an iteration stands in the body: exact, and it sees nothing of the condition. */
static bool marks_body(const struct loop *loop) {
    return has_body(loop) && (loop->canonical || loop->form == LOOP_DO);
}

static bool begins_with(const struct unit *unit, const struct loop *loop) {
    static const char *const words[] = {
        [LOOP_FOR] = "for", [LOOP_WHILE] = "while", [LOOP_DO] = "do"};
    struct token_scan scan = scan_of(unit, loop->stmt->range.begin.offset);
    return token_spells(&scan, token_next(&scan), words[loop->form]);
}

static const char *why_not(const struct unit *unit, const struct loop *loop) {
    const struct range *range = &loop->stmt->range;
    if (!range->exact || loop->header.in_macro || !begins_with(unit, loop))
        return "a macro brings it";
    if (!marks_body(loop) && condition_at(unit, loop) == 0)
        return "its parts have no exact place in the text";
    return NULL;
}

static void add_loop(struct marks *marks, struct loop *loop) {
    struct unit *unit = marks->unit;
    struct marked_loop marked = {.loop = loop, .why_not = why_not(unit, loop)};
    if (!loop_is_once(loop) && loop->stmt->range.begin.file == unit->main_file &&
        !loop->function->origin)
        ARENA_PUSH(unit->arena, marks->loops, marks->nloops, marked);
}

/* Outer loops stand in front of inner ones. */
static int by_place(const void *a, const void *b) {
    const struct loop *x = ((const struct marked_loop *)a)->loop;
    const struct loop *y = ((const struct marked_loop *)b)->loop;
    unsigned at = x->stmt->range.begin.offset, other = y->stmt->range.begin.offset;
    return at != other ? (at < other ? -1 : 1) : x->id - y->id;
}

struct marks *marks_plan(struct unit *unit) {
    struct marks *marks = arena_alloc(unit->arena, sizeof *marks);
    marks->unit = unit;
    marks->by_loop.arena = unit->arena;
    for (int i = 0; i < unit->nloops; ++i)
        add_loop(marks, unit->loops[i]);
    for (int i = 0; i < unit->nuncounted; ++i)
        add_loop(marks, unit->uncounted[i]);
    if (marks->nloops)
        qsort(marks->loops, (size_t)marks->nloops, sizeof *marks->loops, by_place);
    for (int i = 0; i < marks->nloops; ++i)
        table_put(&marks->by_loop, (uint64_t)marks->loops[i].loop->id, i);
    marks_name(marks);
    return marks;
}

/* ---- the text -------------------------------------------------------------------------------- */

struct writer {
    const struct marks *marks;
    struct text_edits edits;
    const char *name; /* of the main file, as the inside of a string */
    int nlines;
    size_t *lines; /* where they begin */
};

/* The innermost loop with marks from `loop` outwards; -1: none. */
static int index_of(const struct marks *marks, const struct loop *loop) {
    for (; loop; loop = loop->around) {
        const struct marked_loop *marked = marks_of(marks, loop);
        if (marked && !marked->why_not)
            return (int)(marked - marks->loops);
    }
    return -1;
}

/* "__orrery_accesses_loops[3]", or "0" for no loop. */
static const char *mark_text(const struct marks *marks, const struct loop *loop) {
    int index = index_of(marks, loop);
    return index < 0 ? "(void *)0"
                     : arena_printf(marks->unit->arena, "__orrery_accesses_loops[%d]", index);
}

static void find_lines(struct writer *writer) {
    const struct source_file *file = &writer->marks->unit->files[writer->marks->unit->main_file];
    ARENA_PUSH(writer->edits.arena, writer->lines, writer->nlines, 0);
    for (size_t i = 0; i < file->size; ++i)
        if (file->text[i] == '\n')
            ARENA_PUSH(writer->edits.arena, writer->lines, writer->nlines, i + 1);
}

/* The line that holds a place, from 0. */
static int line_of(const struct writer *writer, size_t offset) {
    int low = 0, high = writer->nlines;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (writer->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* On lines of its own, so that what follows keeps its line and column. */
static void insert(struct writer *writer, size_t offset, const char *text) {
    struct arena *arena = writer->edits.arena;
    int line = line_of(writer, offset);
    text_edit_add(&writer->edits, offset, offset,
                  arena_printf(arena, "\n%s\n#line %d \"%s\"\n%*s", text, line + 1, writer->name,
                               (int)(offset - writer->lines[line]), ""));
}

static const char *directive_at(const struct writer *writer, int line) {
    const char *text = source_of(writer->marks->unit) + writer->lines[line];
    text += strspn(text, " \t");
    return *text == '#' ? text + 1 + strspn(text + 1, " \t") : NULL;
}

static bool is_word(const char *text, const char *word) {
    return text && strncmp(text, word, strlen(word)) == 0;
}

/* A line of a conditional around pragmas: nothing that a compiler reads but pragmas. */
static bool keeps_pragmas(const struct writer *writer, int line, const char *directive) {
    static const char *const words[] = {"pragma", "if", "elif", "else", "endif"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (is_word(directive, words[i]))
            return true;
    const char *text = source_of(writer->marks->unit) + writer->lines[line];
    text += strspn(text, " \t");
    return !directive && (*text == '\n' || strncmp(text, "//", 2) == 0);
}

/* In front of a statement and of the pragmas that belong to it,
 * with the conditionals around them. */
static size_t in_front(const struct writer *writer, size_t offset) {
    const char *source = source_of(writer->marks->unit);
    int line = line_of(writer, offset), depth = 0;
    size_t begin = writer->lines[line];
    if (strspn(source + begin, " \t") < offset - begin)
        return offset;
    size_t found = offset;
    while (line-- > 0) {
        const char *directive = directive_at(writer, line);
        if (depth == 0 ? !directive : !keeps_pragmas(writer, line, directive))
            break;
        depth += is_word(directive, "endif") - is_word(directive, "if");
        if (depth < 0)
            break;
        if (depth == 0 && (is_word(directive, "pragma") || is_word(directive, "if")))
            found = writer->lines[line];
        else if (depth == 0)
            break;
    }
    return found;
}

static const char *begin_text(const struct marks *marks, const struct marked_loop *marked) {
    struct text text;
    text_start(&text, marks->unit->arena);
    text_print(&text, "{ __orrery_accesses_begin(%s, %s, %du", mark_text(marks, marked->loop),
               mark_text(marks, marked->loop->around), marked->nvariables);
    for (int i = 0; i < marked->nvariables; ++i)
        text_print(&text, ", &%s, (unsigned long)sizeof(%s)", marked->variables[i]->name,
                   marked->variables[i]->name);
    text_print(&text, ");");
    return text.bytes;
}

/* At the start of a body. Where what an iteration tells does not compile, it tells nothing. */
static const char *iterate_text(const struct marks *marks, const struct marked_loop *marked) {
    struct arena *arena = marks->unit->arena;
    const char *mark = mark_text(marks, marked->loop);
    const char *plain = arena_printf(arena, "{ __orrery_accesses_iterate(%s);", mark);
    if (!marked->asks)
        return plain;
    return arena_printf(arena,
                        "#ifdef ORRERY_ACCESSES_BARE\n%s\n#else\n"
                        "{ { int __orrery_accesses_asked = __orrery_accesses_ask(%s); "
                        "if (__orrery_accesses_asked > 1) __orrery_accesses_tell(%s, %s); }\n"
                        "#endif",
                        plain, mark, mark, marked->told);
}

/* In front of a loop and its iterations. */
static void begin_loop(struct writer *writer, const struct marked_loop *marked) {
    const struct unit *unit = writer->marks->unit;
    const struct loop *loop = marked->loop;
    const char *mark = mark_text(writer->marks, loop);
    bool forever = loop->form == LOOP_FOR && !loop->cond;
    insert(writer, in_front(writer, loop->stmt->range.begin.offset),
           begin_text(writer->marks, marked));
    if (marks_body(loop))
        insert(writer, in_front(writer, loop->body->range.begin.offset),
               iterate_text(writer->marks, marked));
    else
        insert(
            writer, condition_at(unit, loop),
            arena_printf(unit->arena, "__orrery_accesses_iterate(%s)%s", mark, forever ? "" : ","));
}

static void end_loop(struct writer *writer, const struct marked_loop *marked) {
    const struct loop *loop = marked->loop;
    bool tested = !marks_body(loop) && loop->cond;
    if (marks_body(loop))
        insert(writer, loop->body->range.end.offset, "}");
    insert(writer, loop->stmt->range.end.offset,
           arena_printf(writer->edits.arena, "__orrery_accesses_end(%s, %d); }",
                        mark_text(writer->marks, loop), tested));
}

/* ---- jumps ----------------------------------------------------------------------------------- */

/* The innermost loop around a label of the function; false: it has no such label. */
static bool find_label(const struct stmt *stmt, const char *label, const struct loop *around,
                       const struct loop **found) {
    if (!stmt)
        return false;
    if (stmt->kind == STMT_LABEL && stmt->text && strcmp(stmt->text, label) == 0) {
        *found = around;
        return true;
    }
    if (stmt->loop)
        return find_label(stmt->loop->body, label, stmt->loop, found);
    for (int i = 0; i < stmt->nbody; ++i)
        if (find_label(stmt->body[i], label, around, found))
            return true;
    return find_label(stmt->then, label, around, found) ||
           find_label(stmt->other, label, around, found);
}

/* Jumps out of loops say where they lead: the braces in front of them, or those behind (`ends`). */
static void mark_jumps(struct writer *writer, const struct function *function,
                       const struct stmt *stmt, const struct loop *around, bool ends) {
    const struct loop *target = NULL;
    if (!stmt)
        return;
    if (stmt->kind == STMT_GOTO && stmt->range.exact && around && stmt->text &&
        find_label(function->body, stmt->text, NULL, &target) && target != around)
        insert(writer, ends ? stmt->range.end.offset : stmt->range.begin.offset,
               ends ? "}"
                    : arena_printf(writer->edits.arena, "{ __orrery_accesses_leave(%s);",
                                   mark_text(writer->marks, target)));
    for (int i = 0; i < stmt->nbody; ++i)
        mark_jumps(writer, function, stmt->body[i], around, ends);
    mark_jumps(writer, function, stmt->loop ? stmt->loop->body : stmt->then,
               stmt->loop ? stmt->loop : around, ends);
    mark_jumps(writer, function, stmt->other, around, ends);
}

static void mark_all_jumps(struct writer *writer, bool ends) {
    const struct unit *unit = writer->marks->unit;
    for (int i = 0; i < unit->nfunctions; ++i)
        if (!unit->functions[i]->origin && unit->functions[i]->range.begin.file == unit->main_file)
            mark_jumps(writer, unit->functions[i], unit->functions[i]->body, NULL, ends);
}

/* Of several marks at one place those of outer loops come first in front, and last behind. */
static void mark_all(struct writer *writer) {
    const struct marks *marks = writer->marks;
    for (int i = 0; i < marks->nloops; ++i)
        if (!marks->loops[i].why_not)
            begin_loop(writer, &marks->loops[i]);
    mark_all_jumps(writer, false);
    mark_all_jumps(writer, true);
    for (int i = marks->nloops - 1; i >= 0; --i)
        if (!marks->loops[i].why_not)
            end_loop(writer, &marks->loops[i]);
}

/* ---- around the text ------------------------------------------------------------------------- */

/* `#line 12` or `# 12`. */
static bool is_line_directive(const char *text) {
    text += strspn(text, " \t");
    if (*text++ != '#')
        return false;
    text += strspn(text, " \t");
    return (*text >= '0' && *text <= '9') || strncmp(text, "line", 4) == 0;
}

/* The user's own #line directives become blanks: places count in the file itself. */
static void blank_lines(struct writer *writer) {
    const struct unit *unit = writer->marks->unit;
    for (int i = 0; unit->nline_marks > 0 && i + 1 < writer->nlines; ++i)
        if (is_line_directive(source_of(unit) + writer->lines[i]))
            text_edit_add(&writer->edits, writer->lines[i], writer->lines[i + 1] - 1, "");
}

static void print_head(struct text *out, const struct writer *writer) {
    text_print(out, "extern void __orrery_accesses_begin(void *, void *, unsigned, ...); "
                    "extern int __orrery_accesses_iterate(void *); "
                    "extern int __orrery_accesses_ask(void *); "
                    "extern void __orrery_accesses_tell(void *, int, unsigned, ...); "
                    "extern void __orrery_accesses_end(void *, int); "
                    "extern void __orrery_accesses_leave(void *); "
                    "extern void __orrery_accesses_unit(const char *, void *, unsigned); ");
    text_print(out, "static unsigned long __orrery_accesses_loops[%d][10];\n#line 1 \"%s\"\n",
               writer->marks->nloops + 1, writer->name);
}

static void print_table(struct text *out, const struct marks *marks, const char *table) {
    enum { PIECE = 400 };
    text_print(out, "\nstatic const char __orrery_accesses_table[] =");
    for (size_t at = 0, length = strlen(table); at < length; at += PIECE) {
        size_t size = length - at < PIECE ? length - at : PIECE;
        text_print(
            out, "\n\"%s\"",
            text_escape(marks->unit->arena, arena_strndup(marks->unit->arena, table + at, size)));
    }
    text_print(out,
               " \"\";\n__attribute__((constructor)) static void __orrery_accesses_register(void) "
               "{ __orrery_accesses_unit(__orrery_accesses_table, __orrery_accesses_loops, %du); "
               "}\n",
               marks->nloops);
}

char *marks_text(const struct marks *marks, const char *table) {
    struct unit *unit = marks->unit;
    const struct source_file *file = &unit->files[unit->main_file];
    struct writer writer = {.marks = marks, .edits = {.arena = unit->arena}};
    writer.name = text_escape(unit->arena, file->name);
    find_lines(&writer);
    blank_lines(&writer);
    mark_all(&writer);
    struct text out;
    text_start(&out, unit->arena);
    print_head(&out, &writer);
    size_t begin = file->size >= 3 && memcmp(file->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    if (!text_edits_apply(&writer.edits, file->text, begin, file->size, true, &out))
        return NULL;
    print_table(&out, marks, table);
    return out.bytes;
}
