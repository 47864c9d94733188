#include "tools/tune/tune.h"

#include <jansson.h>
#include <string.h>

const char *tune_utf8(struct arena *arena, const char *text) {
    json_t *string = json_string(text);
    json_decref(string);
    if (string)
        return text;
    char *wide = arena_alloc(arena, 2 * strlen(text) + 1), *to = wide;
    for (; *text; ++text) {
        unsigned char byte = (unsigned char)*text;
        if (byte < 128) {
            *to++ = *text;
        } else {
            *to++ = (char)(192 | byte >> 6);
            *to++ = (char)(128 | (byte & 63));
        }
    }
    return wide;
}
