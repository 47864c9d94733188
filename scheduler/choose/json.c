/*
 * Places in JSON text. jansson checks the text and gives no places for values; so they are found
 * again by their path. The text is known to be valid here.
 */
#include "scheduler/choose/file.h"

#include <string.h>

static const char *skip_blank(const char *p) {
    return p + strspn(p, " \t\r\n,:");
}

/* `p` at the opening quote; returns past the closing one. */
static const char *skip_string(const char *p) {
    for (++p; *p && *p != '"'; ++p)
        if (*p == '\\' && p[1])
            ++p;
    return *p ? p + 1 : p;
}

static const char *skip_value(const char *p) {
    int depth = 0;
    do {
        p = skip_blank(p);
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        bool bracket = *p && strchr("{}[]", *p);
        p += bracket ? 1 : strcspn(p, " \t\r\n,:{}[]\"");
    } while (depth > 0 && *p);
    return p;
}

static const char *find_member(const char *p, const char *name) {
    size_t length = strlen(name);
    for (p = skip_blank(p + 1); *p == '"'; p = skip_blank(skip_value(p))) {
        const char *key = p + 1, *end = skip_string(p);
        p = skip_blank(end);
        if ((size_t)(end - 1 - key) == length && strncmp(key, name, length) == 0)
            return p;
    }
    return NULL;
}

static const char *find_element(const char *p, int index) {
    for (p = skip_blank(p + 1); *p && *p != ']'; p = skip_blank(skip_value(p)))
        if (index-- == 0)
            return p;
    return NULL;
}

size_t plan_json_find(const char *text, int nsteps, const struct json_step *steps) {
    const char *p = skip_blank(text);
    for (int i = 0; i < nsteps; ++i) {
        const char *next = NULL;
        if (steps[i].member && *p == '{')
            next = find_member(p, steps[i].member);
        else if (!steps[i].member && *p == '[')
            next = find_element(p, steps[i].element);
        if (!next)
            break;
        p = next;
    }
    return (size_t)(p - text);
}
