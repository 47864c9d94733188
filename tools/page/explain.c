/* The pages of the codes that are met, folded up at the end: what `orrery explain` prints, as HTML. */
#include "tools/page/page.h"

#include <string.h>

/* ---- Markdown, as far as the pages of messages have it -------------------------------------- */

/* What stands open: at most one of a paragraph, a list and a block of code. */
enum open { OPEN_NONE, OPEN_TEXT, OPEN_ITEM, OPEN_CODE };

static void shut(FILE *out, enum open *open) {
    static const char *const ends[] = {"", "</p>\n", "</li></ul>\n", "</pre>\n"};
    fputs(ends[*open], out);
    *open = OPEN_NONE;
}

/* The end of `[text](target)` at `text`, and of its text; NULL: it is none. */
static const char *link_end(const char *text, const char *end, const char **closes) {
    *closes = memchr(text, ']', (size_t)(end - text));
    if (*text != '[' || !*closes || *closes + 1 >= end || (*closes)[1] != '(')
        return NULL;
    const char *last = memchr(*closes, ')', (size_t)(end - *closes));
    return last ? last + 1 : NULL;
}

/* Code in its element, links by their text, marks of emphasis gone. */
static void put_inline(FILE *out, const char *text, const char *end) {
    bool code = false;
    const char *closes;
    while (text < end) {
        const char *past = code ? NULL : link_end(text, end, &closes);
        if (past) {
            put_inline(out, text + 1, closes);
            text = past;
        } else if (*text == '`') {
            fputs(code ? "</code>" : "<code>", out);
            code = !code;
            ++text;
        } else if (*text == '*' && !code) {
            ++text;
        } else {
            size_t length = 1;
            while (text + length < end && !strchr("`*[", text[length]))
                ++length;
            html_bytes(out, text, length);
            text += length;
        }
    }
    fputs(code ? "</code>" : "", out);
}

static void put_text(FILE *out, const char *line, size_t length, enum open *open) {
    if (*open == OPEN_NONE) {
        fputs("<p>", out);
        *open = OPEN_TEXT;
    }
    put_inline(out, line, line + length);
    fputc('\n', out);
}

static void put_line(FILE *out, const char *line, size_t length, enum open *open) {
    bool fence = length >= 3 && memcmp(line, "```", 3) == 0;
    if (*open == OPEN_CODE && !fence) {
        html_bytes(out, line, length);
        fputc('\n', out);
    } else if (fence) {
        bool begins = *open != OPEN_CODE;
        shut(out, open);
        if (begins) {
            fputs("<pre tabindex=\"0\">", out);
            *open = OPEN_CODE;
        }
    } else if (length >= 4 && memcmp(line, "<!--", 4) == 0) {
        return;
    } else if (length == 0 || *line == '#') {
        shut(out, open);
    } else if (length > 2 && memcmp(line, "* ", 2) == 0) {
        shut(out, open);
        fputs("<ul><li>", out);
        *open = OPEN_ITEM;
        put_inline(out, line + 2, line + length);
        fputc('\n', out);
    } else {
        put_text(out, line, length, open);
    }
}

static void put_page(FILE *out, const char *text) {
    enum open open = OPEN_NONE;
    while (*text) {
        size_t length = strcspn(text, "\n");
        put_line(out, text, length, &open);
        text += length + (text[length] == '\n');
    }
    shut(out, &open);
}

/* ---- which ----------------------------------------------------------------------------------- */

/* The verdict's code of plan `index`; NULL: it was met before. */
static const char *new_code(const struct page *page, int index) {
    struct plan *const *plans = page->pipeline->plans;
    for (int i = 0; i < index; ++i)
        if (strcmp(plans[i]->code, plans[index]->code) == 0)
            return NULL;
    return plans[index]->code;
}

void page_explain(const struct page *page) {
    if (page->pipeline->nplans == 0)
        return;
    fputs("<section id=\"codes\"><h2>What the codes say</h2>\n", page->out);
    for (int i = 0; i < page->pipeline->nplans; ++i) {
        const char *code = new_code(page, i), *text = code ? diag_explain(code) : NULL;
        if (!text)
            continue;
        const char *title = diag_title(code);
        html_print(
            page->out,
            "<details class=\"explain\"><summary><span class=\"code\">%s</span> %s</summary>\n"
            "<div id=\"%s\">\n",
            code, title ? title : "", code);
        put_page(page->out, text);
        fputs("</div></details>\n", page->out);
    }
    fputs("</section>\n", page->out);
}

void page_code(const struct page *page, const char *code) {
    bool there = false;
    for (int i = 0; i < page->pipeline->nplans; ++i)
        there |= strcmp(page->pipeline->plans[i]->code, code) == 0 && diag_explain(code);
    html_print(page->out,
               there ? "<a class=\"code\" href=\"#%s\">%s</a>" : "<span class=\"code\">%s</span>%s",
               code, there ? code : "");
}
