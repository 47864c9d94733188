/* The pages of docs/messages, built in (analyzer/messages.cmake writes diag_pages.c). */
#include "analyzer/diag.h"

#include "analyzer/diag_pages.h"

#include <string.h>

static const struct title {
    const char *code, *title;
} titles[] = {
#define MESSAGE(code, title) {#code, title},
#include "analyzer/messages.def"
#undef MESSAGE
};

const char *diag_explain(const char *code) {
    for (int i = 0; diag_pages[i].code; ++i)
        if (strcmp(diag_pages[i].code, code) == 0)
            return (const char *)diag_pages[i].text;
    return NULL;
}

const char *diag_title(const char *code) {
    for (size_t i = 0; i < sizeof titles / sizeof *titles; ++i)
        if (strcmp(titles[i].code, code) == 0)
            return titles[i].title;
    return NULL;
}
