#include "cli/cc/cc.h"
#include "tools/base/words.h"

#include <stdio.h>
#include <string.h>

static char *read_file(struct arena *arena, const char *path) {
    FILE *in = fopen(path, "rb");
    if (!in)
        return NULL;
    size_t used = 0, room = 4096;
    char *text = arena_alloc(arena, room);
    for (;;) {
        used += fread(text + used, 1, room - 1 - used, in);
        if (used < room - 1)
            break;
        char *larger = arena_alloc(arena, room * 2);
        memcpy(larger, text, used);
        text = larger;
        room *= 2;
    }
    fclose(in);
    return text;
}

static void expand_into(struct arg_list *list, const char *arg, int depth) {
    char *text = arg[0] == '@' && depth < 16 ? read_file(list->arena, arg + 1) : NULL;
    if (!text) {
        arg_list_push(list, arg);
        return;
    }
    const char *at = text, *word;
    while ((word = words_next(list->arena, &at)))
        expand_into(list, word, depth + 1);
}

int response_expand(struct arena *arena, int argc, char **argv, const char ***args) {
    struct arg_list list = {.arena = arena};
    for (int i = 1; i < argc; ++i)
        expand_into(&list, argv[i], 0);
    *args = list.items;
    return list.count;
}
