/* Places and names as the protocol has them. */
#include "tools/lsp/lsp.h"

#include <ctype.h>
#include <string.h>

/* ---- places ---------------------------------------------------------------------------------- */

static const char *line_of(const char *text, int line) {
    for (; text && line > 1; --line) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

/* UTF-16 has two units for what UTF-8 has four bytes for. */
static int units(const char *line, int bytes) {
    int count = 0;
    for (int i = 0; i < bytes && line[i] && line[i] != '\n'; ++i) {
        unsigned char byte = (unsigned char)line[i];
        count += ((byte & 0xC0) != 0x80) + (byte >= 0xF0);
    }
    return count;
}

static json_t *place(const char *text, int line, int column, bool utf8) {
    const char *at = utf8 ? NULL : line_of(text, line);
    int character = at ? units(at, column - 1) : column - 1;
    return json_pack("{s:i, s:i}", "line", line > 0 ? line - 1 : 0, "character",
                     line > 0 && character > 0 ? character : 0);
}

json_t *lsp_range(const char *text, const struct range *range, bool utf8) {
    const struct loc *begin = &range->begin, *end = &range->end;
    bool closed = end->file == begin->file && end->line > 0;
    return json_pack("{s:o, s:o}", "start", place(text, begin->line, begin->column, utf8), "end",
                     closed ? place(text, end->line, end->column, utf8)
                            : place(text, begin->line, begin->column + 1, utf8));
}

static json_int_t line_at(const json_t *range, const char *which) {
    return json_integer_value(json_object_get(json_object_get(range, which), "line"));
}

bool lsp_ranges_meet(const json_t *a, const json_t *b) {
    return line_at(a, "start") <= line_at(b, "end") && line_at(b, "start") <= line_at(a, "end");
}

/* ---- names (RFC 3986, RFC 8089) --------------------------------------------------------------- */

static int digit(char c) {
    return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

const char *lsp_path(struct arena *arena, const char *uri) {
    static const char scheme[] = "file://";
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0)
        return NULL;
    const char *from = strchr(uri + sizeof scheme - 1, '/');
    char *path = from ? arena_strdup(arena, from) : NULL, *to = path;
    for (; from && *from; ++from) {
        bool coded =
            from[0] == '%' && isxdigit((unsigned char)from[1]) && isxdigit((unsigned char)from[2]);
        *to++ = (char)(coded ? digit(from[1]) * 16 + digit(from[2]) : *from);
        from += coded ? 2 : 0;
    }
    if (path)
        *to = '\0';
    return path;
}
