/* The pages of docs/messages, built in (analyzer/messages.cmake writes diag_pages.c). */
#include "analyzer/diag.h"

#include "analyzer/diag_pages.h"

#include <string.h>

#define MESSAGE(code, title) const char code[] = #code;
#include "analyzer/messages.def"
#undef MESSAGE

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

/* The first digits of a code are its class (messages.def, docs/messages). */
enum message_class message_class_of(const char *code) {
    bool whole = strlen(code) == strlen(ORR1001);
    switch (whole ? code[3] : '2') {
    case '1':
        return MESSAGE_PARALLEL;
    case '3':
        return MESSAGE_USER;
    case '9':
        return MESSAGE_INPUT;
    default:
        return whole && code[3] == '2' && code[4] == '3' ? MESSAGE_OF_TEXT : MESSAGE_SERIAL;
    }
}

bool message_is_one_of(const char *code, int count, const char *const *names) {
    bool found = false;
    for (int i = 0; i < count && !found; ++i)
        found = names[i] == code;
    return found;
}
