#include "tools/base/words.h"

#include <ctype.h>
#include <string.h>

const char *words_next(struct arena *arena, const char **at) {
    while (isspace((unsigned char)**at))
        ++*at;
    if (!**at)
        return NULL;
    char *word = arena_alloc(arena, strlen(*at) + 1), *out = word, quote = 0;
    for (; **at && (quote || !isspace((unsigned char)**at)); ++*at) {
        char c = **at;
        if (c == '\\' && (*at)[1])
            *out++ = *++*at;
        else if (quote ? c == quote : c == '\'' || c == '"')
            quote = quote ? 0 : c;
        else
            *out++ = c;
    }
    return word;
}
