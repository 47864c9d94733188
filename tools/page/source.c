/* The file's text: every line, with the verdict at each loop and the accesses marked by object. */
#include "tools/page/page.h"

#include <stdlib.h>
#include <string.h>

/* A stretch of one line that an access covers. */
struct mark {
    size_t begin, end;
    const struct access *access;
    bool read, written;
};

struct marks {
    int count;
    struct mark *items;
};

int page_colour(const struct object *object) {
    return object->id % 8;
}

/* The same stretch read and written is one mark. */
static void add_mark(const struct page *page, struct marks *marks, const struct access *access) {
    const struct unit *unit = page->pipeline->unit;
    const struct range place = diag_place(&unit, access->range);
    struct mark mark = {place.begin.offset, place.end.offset, access, !access->write,
                        access->write};
    for (int i = 0; i < marks->count; ++i) {
        struct mark *other = &marks->items[i];
        if (other->begin == mark.begin && other->end == mark.end) {
            other->read |= mark.read;
            other->written |= mark.written;
            return;
        }
    }
    ARENA_PUSH(page->arena, marks->items, marks->count, mark);
}

static bool on_one_line(const struct page *page, const struct access *access) {
    const struct range *range = &access->range;
    return range->exact && range->begin.file == page->pipeline->unit->main_file &&
           range->end.file == range->begin.file && range->begin.line == range->end.line &&
           range->end.offset > range->begin.offset && diag_is_written(page->pipeline->unit, range);
}

/* Outer stretches first. */
static int compare_marks(const void *a, const void *b) {
    const struct mark *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end == y->end ? 0 : x->end > y->end ? -1 : 1;
}

static struct marks marks_of(const struct page *page) {
    struct marks marks = {0, NULL};
    for (int i = 0; i < page->pipeline->nplans; ++i) {
        const struct loop_facts *facts = page->pipeline->plans[i]->analysis->facts;
        for (int a = 0; a < facts->naccesses; ++a)
            if (on_one_line(page, &facts->accesses[a]))
                add_mark(page, &marks, &facts->accesses[a]);
    }
    if (marks.count)
        qsort(marks.items, (size_t)marks.count, sizeof *marks.items, compare_marks);
    return marks;
}

static void open_mark(FILE *out, const struct mark *mark) {
    static const char *const doing[] = {"", "read", "written", "read and written"};
    fprintf(out, "<span class=\"access c%d\" title=\"", page_colour(mark->access->object));
    html_print(out, "%s: %s\">", mark->access->object->name, doing[mark->read + 2 * mark->written]);
}

/* Marks that begin in [from, to), nested; one that crosses another's end is cut there. */
static void put_marked(FILE *out, const char *text, size_t from, size_t to,
                       const struct marks *marks, int *next) {
    while (*next < marks->count && marks->items[*next].begin < to) {
        const struct mark *mark = &marks->items[(*next)++];
        if (mark->begin < from)
            continue;
        size_t end = mark->end < to ? mark->end : to;
        html_bytes(out, text + from, mark->begin - from);
        open_mark(out, mark);
        put_marked(out, text, mark->begin, end, marks, next);
        fputs("</span>", out);
        from = end;
    }
    html_bytes(out, text + from, to - from);
}

/* The loops whose header begins in this line. */
static void put_badges(const struct page *page, int line) {
    for (int i = 0; i < page->pipeline->nplans; ++i) {
        const struct plan *plan = page->pipeline->plans[i];
        struct loc place = plan->analysis->loop->header.begin;
        bool serial = plan->strategy == STRATEGY_SERIAL;
        if (place.file != page->pipeline->unit->main_file || place.line != line)
            continue;
        fprintf(page->out, "<a class=\"badge %s\" href=\"#loop-%d\">", serial ? "serial" : "par",
                i + 1);
        html_print(page->out, "%s</a>", strategy_name(plan->strategy));
    }
}

void page_source(const struct page *page) {
    const struct unit *unit = page->pipeline->written;
    const struct source_file *file = &unit->files[unit->main_file];
    struct marks marks = marks_of(page);
    int next = 0, line = 1;
    fputs("<table class=\"source\"><caption>The source, with its verdicts</caption><tbody>\n",
          page->out);
    for (size_t from = 0; file->text && from < file->size; ++line) {
        const char *newline = memchr(file->text + from, '\n', file->size - from);
        size_t to = newline ? (size_t)(newline - file->text) : file->size;
        fprintf(page->out, "<tr id=\"L%d\"><td class=\"no\">%d</td><td class=\"text\">", line,
                line);
        put_marked(page->out, file->text, from, to, &marks, &next);
        fputs("</td><td class=\"said\">", page->out);
        put_badges(page, line);
        fputs("</td></tr>\n", page->out);
        from = to + 1;
    }
    fputs("</tbody></table>\n", page->out);
}
