#include "tools/page/page.h"

#include <stdlib.h>
#include <string.h>

/* Length of the UTF-8 character at `text`, 0: it is none. */
static size_t character(const char *text, size_t size) {
    unsigned char first = (unsigned char)*text;
    size_t length = first < 0x80                     ? 1
                    : first >= 0xc2 && first < 0xe0  ? 2
                    : first >= 0xe0 && first < 0xf0  ? 3
                    : first >= 0xf0 && first <= 0xf4 ? 4
                                                     : 0;
    for (size_t i = 1; i < length; ++i)
        if (i >= size || ((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

void html_bytes(FILE *out, const char *text, size_t size) {
    for (size_t i = 0; i < size;) {
        size_t length = character(text + i, size - i);
        unsigned char c = (unsigned char)text[i];
        if (c == '<')
            fputs("&lt;", out);
        else if (c == '>')
            fputs("&gt;", out);
        else if (c == '&')
            fputs("&amp;", out);
        else if (c == '"')
            fputs("&quot;", out);
        else if (length == 0 || (c < 32 && c != '\t' && c != '\n'))
            fprintf(out, length == 0 ? "&#%d;" : "&#xfffd;", c);
        else
            fwrite(text + i, length, 1, out);
        i += length ? length : 1;
    }
}

static void html_text(FILE *out, const char *text) {
    html_bytes(out, text, strlen(text));
}

void html_print(FILE *out, const char *format, ...) {
    va_list args;
    va_start(args, format);
    for (const char *p = format; *p; ++p) {
        if (p[0] == '%' && p[1] == 's') {
            html_text(out, va_arg(args, const char *));
            ++p;
        } else {
            fputc(*p, out);
        }
    }
    va_end(args);
}

void html_json(FILE *out, const json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    for (const char *p = text ? text : "null"; *p; ++p)
        if (*p == '<')
            fputs("\\u003c", out);
        else
            fputc(*p, out);
    free(text);
}
